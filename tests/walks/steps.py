"""What one process of a walk does: all that a worker and a person do, from wherever the job stands to its end."""

from __future__ import annotations

import asyncio
import hashlib
import os
import pickle
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from typing import Any

from google.adk.apps.app import App as AdkApp
from google.adk.plugins.base_plugin import BasePlugin
from sqlalchemy import select

import worker.handlers.render as renders
from agents.extraction import reading
from agents.model_calls import ModelCalls
from agents.prompts.load import PromptSet
from schemas.agent_answers import Stage
from schemas.documents import DocumentOrder
from schemas.event import Delivery, StageRequested
from schemas.outcome import Verdict as Ack
from schemas.ticket import Verdict
from tests.walks.removals import remove
from tests.walks.scripts import scripted
from tests.walks.world import KILLED, World
from tools.deals.extract import extract
from tools.deals.survey import survey
from worker import jobs, rendering, running
from worker.adapters import renderers
from worker.adapters.renderers import Rendered
from worker.adapters.transport import InProcessTransport
from worker.app import App
from worker.bootstrap import open_app
from worker.dispatch import dispatch
from worker.ledger.tables import attempt, decision, delivered, job, outbox, stage, ticket
from worker.log import set_up_logs

# Loaded here so that the process that all others are forked from has them: a fork is then a millisecond.
import agents.registry  # noqa: F401  isort: skip
import tools.deck.render
import tools.memo.render

import tools.deals.document  # noqa: F401  isort: skip

GAVE_UP = 98
GIVE_UP_S = 60.0
"""How long a held process waits to be let go before it says that nobody did."""


class Point:
    """The checkpoint of a walk: counts, and at its numbers dies as a killed process does."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.shared = world.shared()
        self.passed = Counter[str]()

    def __call__(self, name: str) -> None:
        """Pass a point."""
        number = self.shared.next_point()
        self.passed[name] += 1
        self.world.write("points", n=number, name=name, pid=os.getpid())
        if number in self.world.kills or name == self.world.die_at:
            os._exit(KILLED)
        if f"{name}:{self.passed[name]}" == self.world.hold_at:
            self.world.write("held", name=name)
            wait_for((self.world.folder / "go").exists)


def wait_for(come: Callable[[], bool]) -> None:
    """Wait for another process to get somewhere; give up in the end, so that nothing hangs."""
    give_up_at = time.monotonic() + GIVE_UP_S
    while not come():
        if time.monotonic() > give_up_at:
            os._exit(GAVE_UP)
        time.sleep(0.005)


class Watch(BasePlugin):
    """Points inside ADK's run, and a line for each model call with what the model was shown."""

    def __init__(self, world: World, point: Point) -> None:
        super().__init__(name="watch")
        self.world, self.point = world, point

    async def after_model_callback(self, *, callback_context: Any, llm_response: Any) -> None:
        """A model has answered, and nothing of it is stored yet; a synthetic reply is no answer of a model."""
        if llm_response.content:
            self.world.write("tally", what="model", stage=callback_context.agent_name)
            self.point("model answered")

    async def before_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any) -> None:
        """A tool's call is stored, its answer not."""
        self.point(f"in tool {tool.name}")


class Doubling(InProcessTransport):
    """A transport that hands each message over `copies` times, one after the other."""

    copies = 1

    def subscribe(self, handler: Any) -> None:
        """Have each message handled again, whatever the first time said."""

        async def again(delivery: Delivery) -> Ack:
            verdicts = [await handler(delivery) for _ in range(self.copies)]
            return "nack" if "nack" in verdicts else "ack"

        super().subscribe(again)


@asynccontextmanager
async def opened(world: World) -> AsyncGenerator[App]:
    """The App of a process that lives in the world, its safeguards removed."""
    set_up_logs()
    point = Point(world)
    remove(world.removed)
    _speed_up(world)
    async with open_app(world.settings, clock=point.shared.clock, checkpoint=point) as app:
        yield replace(app, build_agent=_watched(app, world, point))


async def live(world: World) -> None:
    """All there is to do, from wherever the job stands to its end: submit, run, decide by plan, deliver; and report."""
    async with opened(world) as app:
        for _ in range(world.copies):
            submitted = await jobs.submit_file(app, world.workbook, by="analyst")
        job_id = submitted.job_id
        while await jobs.run_until_quiet(app, job_id) == "waiting" and world.plan:
            await person(app, job_id, world)
        world.write("report", **await report(app, job_id))


async def handle(world: World, event: dict[str, Any]) -> None:
    """One message handled, and nothing published."""
    async with opened(world) as app:
        verdict = await dispatch(app, Delivery(subscription="work", message_id="by hand", body=event))
        world.write("tally", what="handled", kind=event["kind"], verdict=verdict)


async def order(world: World) -> None:
    """The job taken to where both documents are ordered, their messages promised and not sent."""
    async with opened(world) as app:
        submitted = await jobs.submit_file(app, world.workbook, by="analyst")
        for name in ("extraction", "presentation"):
            body = StageRequested(job_id=submitted.job_id, stage=name).model_dump(mode="json")
            await dispatch(app, Delivery(subscription="work", message_id=name, body=body))


async def say(world: World, verdict: Verdict) -> None:
    """One decision on the gate."""
    async with opened(world) as app:
        job_id = (await jobs.list_jobs(app))[0].job_id
        outcome = await jobs.decide(app, job_id, jobs.Said(verdict, verdict))
        world.write("tally", what="decided", status=outcome.status, first=outcome.decision.verdict)


async def stop(world: World) -> None:
    """The job cancelled by a person."""
    async with opened(world) as app:
        await jobs.cancel(app, (await jobs.list_jobs(app))[0].job_id, by="analyst")


def _speed_up(world: World) -> None:
    """Messages one at a time, so that point 17 is the same point in each run; no waiting; each document made once."""
    running.POLL_S, running.SWEEP_S = 0.02, 0.05

    class Transport(Doubling):
        copies = world.copies

        def __init__(self) -> None:
            super().__init__(slots=1, first_delay_s=0.01, last_delay_s=0.05)

    running.InProcessTransport = Transport
    renders.render = Remembered(world)
    # Readers run here, not in a child: starting one's server anew in each process would cost more than the walk.
    reading.extract_limited, reading.survey_limited = extract, survey
    renderers.get_ready = lambda: None


class Remembered:
    """Renders for real once per test run, and from then on hands out the same bytes: kill points are what is tested."""

    def __init__(self, world: World) -> None:
        self.world = world

    def __call__(self, deals: bytes, order: DocumentOrder, as_of: date) -> Rendered:
        """The document."""
        self.world.write("tally", what=f"render {order.kind}")
        key = hashlib.sha256(deals + order.model_dump_json().encode()).hexdigest()
        path = self.world.renders / key
        if not path.exists():
            made = Rendered(*rendering.render(deals, order.kind, order.title, order.emphasis, date(2026, 1, 2)))
            path.with_suffix(f".{os.getpid()}").write_bytes(pickle.dumps(made))
            path.with_suffix(f".{os.getpid()}").rename(path)
        return pickle.loads(path.read_bytes())


def _watched(plain: App, world: World, point: Point) -> Any:
    def build(name: Stage, prompts: PromptSet, run: ModelCalls) -> AdkApp:
        app = plain.build_agent(name, prompts, run)
        app.plugins.append(Watch(world, point))
        return scripted(world.script, app)

    return build


async def person(app: App, job_id: str, world: World) -> None:
    """Decide the gate that is open, as the plan says for the round that the job is in."""
    detail = await jobs.show_job(app, job_id)
    said = world.plan[min(len(detail.decisions), len(world.plan) - 1)]
    gate = next((found for found in detail.tickets if found.kind == "approval" and found.state == "open"), None)
    if gate is None:
        return
    for _ in range(world.copies):
        outcome = await jobs.decide(app, job_id, said, gate.ticket_id)
        world.write("tally", what="decided", status=outcome.status)


async def report(app: App, job_id: str) -> dict[str, Any]:
    """What there is in the end, told so that two walks with the same end tell the same."""

    async def rows(table: Any) -> list[Any]:
        return list(await app.ledger.rows(select(table).where(table.c.job_id == job_id)))

    row, tickets = await app.ledger.job(job_id), await rows(ticket)
    services = await app.services()
    names = {}
    for name in ("extraction", "presentation"):
        key = {"app_name": "dealwright", "user_id": row["user_id"], "session_id": f"{job_id}.{name}"}
        session = await services.sessions.get_session(**key)
        names[name] = len(session.events) if session else 0
    kept = await services.shelf.service.list_artifact_keys(
        app_name="dealwright", user_id=row["user_id"], session_id=f"{job_id}.presentation"
    )
    place = app.deliveries.folder / job_id
    return {
        "state": row["state"],
        "jobs": len(await app.ledger.rows(select(job.c.id).where(job.c.name == row["name"]))),
        "tickets": dict(Counter(f"{found['kind']} {found['state']}" for found in tickets)),
        "decided": [found["verdict"] for found in sorted(await rows(decision), key=lambda found: found["decided_at"])],
        "rounds": row["rounds"],
        "delivered": [(found["deck_sha256"], found["memo_sha256"]) for found in await rows(delivered)],
        "files": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in place.glob("*")},
        "told": sum(found["body"].get("type") == "dealwright.deals.delivered.v1" for found in await rows(outbox)),
        "unsent": [found["id"] for found in await rows(outbox) if found["sent_at"] is None],
        "leases": [found["id"] for found in [row, *tickets] if found["lease_holder"]],
        "epochs": [found["epoch"] for found in await rows(stage)],
        "failed": [found["code"] for found in await rows(attempt) if found["outcome"] == "failed"],
        "documents": sorted(name.partition("/")[0] for name in kept if not name.startswith("user:")),
        "events": names,
        "reason": row["reason"],
    }


async def make_tables(world: World) -> None:
    """All tables, ours and ADK's, in the world's database."""
    async with open_app(world.settings) as app:
        await app.services()


def run(step: Callable[..., Any], *given: Any) -> None:
    """A step as a whole process."""
    asyncio.run(step(*given))
