"""The side of a walk that never dies: it uploads, clicks, kills, restarts, thaws, watches, and draws up the account."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from google.pubsub_v1.types import PubsubMessage
from sqlalchemy import func, select

from schemas.event import Delivery
from schemas.outcome import Verdict
from tests.walks.driver import FORKS
from tests.walks.stack.accounts import TRUTH, Books, Fault, faults_of, read_buckets, rows_of, truth
from tests.walks.stack.labour import Orders, labour
from tests.walks.stack.servers import RESULTS, Stack
from tests.walks.stack.traffic import Traffic, publish
from worker.adapters.pubsub import PubsubPull
from worker.app import App
from worker.bootstrap import open_app
from worker.decisions import Said, decide
from worker.ledger.tables import attempt, delivery, job, outbox, ticket
from worker.topology import read_topology

CLOSED = ("completed", "quarantined")


@dataclass(frozen=True)
class Plan:
    """What is to befall so many jobs; Orders tells of `faults`, `removed`, `documents`, `copies` and `render_s`.

    `kill_s` are the shortest and longest time between two kills of a worker; one that froze thaws after `thaw_s`, once
    another has done its work. It is stuck once nothing of any job has changed for `patience_s`. With `change` one job
    in so many has changes asked for first. After `limit_s` it is cut where it is. Workers have
    `settle_s` to themselves before the first message, and trust one that was sent to arrive within `reissue_s`.
    What is left in subscriptions is listened to for `listen_s` each.
    """

    seed: int
    jobs: int
    documents: bool = False
    workers: int = 2
    copies: int = 2
    strange: bool = True
    spread_s: float = 0
    kill_s: tuple[float, float] | None = None
    postgres_restarts: int = 0
    pubsub_restarts: int = 0
    restart_s: float = 6.0
    down_s: float = 0
    faults: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    thaw_s: float = 8.0
    patience_s: float = 30.0
    change: int = 10
    once_more: bool = True
    limit_s: float = 1500
    reissue_s: float = 6.0
    render_s: float = 0
    settle_s: float = 0
    listen_s: float = 1.0


@dataclass
class Walk:
    """A walk under way."""

    plan: Plan
    stack: Stack
    draw: random.Random
    traffic: Traffic
    app: App
    other: App
    workers: list[Any] = field(default_factory=list[Any])
    count: Counter[str] = field(default_factory=Counter[str])
    heard: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    written: dict[str, int] = field(default_factory=dict[str, int])
    faults: list[Fault] = field(default_factory=list[Fault])
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    took_s: float = 0
    thawed: set[Path] = field(default_factory=set[Path])
    stopping: bool = False
    cut: bool = False

    def begin_worker(self) -> Any:
        """A worker process: a new interpreter if it makes documents, else a fork."""
        plan, number = self.plan, self.count["begun"]
        self.count["begun"] += 1
        orders = Orders(
            self.stack.environment,
            str(self.stack.folder),
            plan.seed + number,
            plan.copies,
            plan.documents,
            plan.faults,
            plan.removed,
            self.stack.hurried,
            plan.reissue_s,
            plan.render_s,
        )
        log = self.stack.folder / f"worker-{number}.log"
        if not plan.documents:
            process = FORKS.Process(target=labour, args=(orders.told(), str(log)))
            process.start()
            return process
        command = [sys.executable, "-m", "tests.walks.stack.labour", orders.told()]
        with log.open("ab") as stream:
            return subprocess.Popen(command, stdout=stream, stderr=stream, stdin=subprocess.DEVNULL)

    def bury(self) -> None:
        """Begin a worker anew for each that ended; whatever was delivered by then must stay as it is."""
        for at, process in enumerate(self.workers):
            if not alive(process) and not self.stopping:
                self.count["deaths"] += 1
                self._look_at_files()
                self.workers[at] = self.begin_worker()

    def _look_at_files(self) -> None:
        for blob in self.stack.client.list_blobs(self.stack.bucket("deliveries")):
            if self.written.setdefault(blob.name, int(blob.generation)) != int(blob.generation):
                self.faults.append(Fault("delivered file written over", blob.name))

    async def run(self) -> None:
        """From the first upload to the account."""
        messages = await asyncio.to_thread(self.traffic.fill, self.plan.jobs, strange=self.plan.strange)
        self.workers = [self.begin_worker() for _ in range(self.plan.workers)]
        await asyncio.sleep(self.plan.settle_s)
        self.begun.set()
        began = time.monotonic()
        beside = [
            asyncio.create_task(each)
            for each in (self._tell(messages), self._click(), self._kill(), self._restart(), self._keep(), self._hear())
        ]
        try:
            await self._watch(beside)
            self.took_s = time.monotonic() - began
            self.over.set()
            await asyncio.gather(*beside[:4])
            await self._close()
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            for process in self.workers:
                process.kill()

    async def _tell(self, messages: list[PubsubMessage]) -> None:
        await self.traffic.tell(messages, self.plan.spread_s)

    async def _watch(self, beside: list[asyncio.Task[None]]) -> None:
        """Return once every upload's job is at its end and nothing is under way, or nothing happens any more."""
        last, began = "", time.monotonic()
        since = began
        while not self.cut:
            await asyncio.sleep(0.3)
            self.cut = time.monotonic() - began > self.plan.limit_s
            for task in beside:
                if task.done() and task.exception():
                    raise task.exception() or AssertionError
            with suppress(Exception):  # PostgreSQL is being restarted
                seen, done = await self._look()
                if done and beside[0].done() and beside[3].done():
                    return
                if repr(seen) != last:
                    last, since = repr(seen), time.monotonic()
            if time.monotonic() - since > self.plan.patience_s and beside[3].done():
                print(f"stuck: {last}")
                return

    async def _look(self) -> tuple[Any, bool]:
        ends = func.count().filter(job.c.state.in_(CLOSED))
        leased = func.count().filter(job.c.lease_holder.is_not(None))
        seen = (await self.app.ledger.rows(select(func.count(), ends, leased, func.max(job.c.updated_at))))[0]
        states = await self.app.ledger.rows(select(job.c.state, func.count()).group_by(job.c.state))
        jobs, closed, busy, _ = seen.values()
        return (dict(seen), [tuple(row.values()) for row in states]), jobs == closed and not busy and await self._done()

    async def _done(self) -> bool:
        """Whether every upload has its job, and nothing is left to send."""
        unsent = (await self.app.ledger.rows(select(func.count()).where(outbox.c.sent_at.is_(None))))[0]
        inbox = self.stack.bucket("inbox")
        wanted = {upload.job_id(inbox) for upload in self.traffic.uploads if upload.end != "either"}
        there = {row["id"] for row in await self.app.ledger.rows(select(job.c.id))}
        return wanted <= there and not next(iter(unsent.values()))

    async def _click(self) -> None:
        """Two people at once approve whatever waits; of some jobs both want changes first."""
        query = select(ticket.c.id, ticket.c.job_id, job.c.rounds).join(job, job.c.id == ticket.c.job_id)
        query = query.where(ticket.c.kind == "approval", ticket.c.state == "open", job.c.state == "waiting")
        while not self.over.is_set():
            await asyncio.sleep(0.3)
            with suppress(Exception):  # PostgreSQL is being restarted
                for row in await self.app.ledger.rows(query.limit(50)):
                    await self._decide(row)

    async def _decide(self, row: Any) -> None:
        change = not row["rounds"] and self.plan.change and int(row["job_id"][:8], 16) % self.plan.change == 0
        verdict, emphasis = ("changes_requested", "price") if change else ("approved", None)
        both = [Said(verdict, name, emphasis=emphasis) for name in ("first", "second")]
        clicks = [
            decide(app, row["job_id"], said, row["id"]) for app, said in zip((self.app, self.other), both, strict=True)
        ]
        for outcome in await asyncio.gather(*clicks, return_exceptions=True):
            self.count[f"clicks {getattr(outcome, 'status', type(outcome).__name__)}"] += 1

    async def _kill(self) -> None:
        """Kill a worker now and then, without a word."""
        while self.plan.kill_s and not self.over.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.over.wait(), self.draw.uniform(*self.plan.kill_s))
                return
            process = self.draw.choice(self.workers)
            os.kill(process.pid, signal.SIGKILL)
            self.count["kills"] += 1

    async def _restart(self) -> None:
        """Restart servers, in an order drawn by the seed."""
        plan = self.plan
        whose = ["postgres"] * plan.postgres_restarts + ["pubsub"] * plan.pubsub_restarts
        self.draw.shuffle(whose)
        for server in whose:
            await asyncio.sleep(self.draw.uniform(0.5, 1) * plan.restart_s)
            if server == "postgres":
                await self.stack.restart_postgres(plan.down_s)
            else:
                await self.stack.restart_pubsub()
                await self.traffic.tell_again()
            self.count[f"restarts of {server}"] += 1

    async def _keep(self) -> None:
        """Replace who died, and thaw who froze."""
        while not self.stopping:
            await asyncio.sleep(0.2)
            await asyncio.to_thread(self.bury)
            for file, waited_s in self._frozen():
                if waited_s > 4 * self.plan.thaw_s or (waited_s > self.plan.thaw_s and await self._is_overtaken()):
                    self.thawed.add(file)
                    with suppress(ProcessLookupError):
                        os.kill(int(file.read_text()), signal.SIGCONT)

    def _frozen(self) -> list[tuple[Path, float]]:
        """The marks of those who froze and did not thaw yet, and how long ago."""
        marks = [self.stack.folder / f"fault-{at}" for at, what in enumerate(self.plan.faults) if what[:6] == "freeze"]
        return [
            (mark, time.time() - mark.stat().st_mtime) for mark in marks if mark.exists() and mark not in self.thawed
        ]

    async def _is_overtaken(self) -> bool:
        """Whether another has brought to its end what one who is away began."""
        away, after = attempt.alias(), attempt.alias()
        same = (away.c.job_id == after.c.job_id) & (away.c.stage == after.c.stage) & (away.c.number < after.c.number)
        both = select(func.count()).select_from(away.join(after, same))
        with suppress(Exception):  # PostgreSQL is being restarted
            found = await self.app.ledger.rows(both.where(away.c.outcome == "lost", after.c.outcome == "done"))
            return bool(next(iter(found[0].values())))
        return False

    async def _hear(self) -> None:
        async def keep(heard: Delivery) -> Verdict:
            self.heard.append((str(heard.body.get("type")), str(heard.body.get("id"))))
            return "ack"

        await PubsubPull(self.stack.project, RESULTS, 16, self.stack.pubsub.host).run(keep, asyncio.Event())

    async def _close(self) -> None:
        """Wait until no message is on its way, hand all over once more, stop the workers, and draw up the account."""
        if not self.cut:
            await self._quiet()
        if self.plan.once_more:
            before = await truth(self.app)
            await self.traffic.tell_again()
            await self._promises_again()
            await self._quiet()
            after = await truth(self.app)
            self.faults += [Fault("changed by what came again", name) for name in before if before[name] != after[name]]
        await asyncio.to_thread(self._look_at_files)
        await self._stop()
        roles = list(read_topology().subscriptions)
        for role, left in zip(roles, await asyncio.gather(*map(self._left_in, roles)), strict=True):
            name = "dead letter" if role == "dead" else "message never settled"
            self.faults += [Fault(name, each) for each in left]
        books = Books(
            await rows_of(self.app, (*TRUTH, outbox)), *await asyncio.to_thread(read_buckets, self.stack), self.heard
        )
        found = faults_of(books, self.traffic.uploads, self.stack.bucket("inbox"))
        # What an emulator forgot before its listener took it is no fault of ours: Pub/Sub forgets nothing.
        forgot = bool(self.plan.pubsub_restarts)
        self.faults += [fault for fault in found if not (forgot and fault.name == "result never heard")]
        outcomes = Counter(row["outcome"] for row in books.rows["attempt"])
        self.count.update({f"attempts {outcome}": count for outcome, count in outcomes.items()})
        self.count["jobs"] = len(books.of(TRUTH[0]))
        self.count["delivered"] = len(books.rows["delivered"])
        self.count["results heard"] = len(self.heard)

    async def _quiet(self) -> None:
        """Return once all are awake and no message was handled for longer than the second copy of one may take."""
        handled, since = -1, time.monotonic()
        while time.monotonic() - since < 4.0 or self._frozen():
            await asyncio.sleep(0.3)
            times = (await self.app.ledger.rows(select(func.sum(delivery.c.times))))[0]
            if next(iter(times.values())) != handled:
                handled, since = next(iter(times.values())), time.monotonic()
        self.count["deliveries"] = int(handled or 0)

    async def _promises_again(self) -> None:
        for topic in ("work", "renders"):
            rows = await self.app.ledger.rows(select(outbox.c.body).where(outbox.c.topic == topic))
            bodies = [PubsubMessage(data=_json(row["body"])) for row in rows]
            self.draw.shuffle(bodies)
            await publish(self.stack, topic, bodies)

    async def _left_in(self, role: str) -> list[str]:
        """What a subscription still holds though nobody works any more; what somebody had in hand comes again first."""
        left: list[str] = []
        stop = asyncio.Event()

        async def keep(found: Delivery) -> Verdict:
            left.append(str(found.body)[:100])
            stop.set()
            return "ack"

        asyncio.get_running_loop().call_later(self.plan.listen_s, stop.set)
        name = read_topology().subscriptions[role].name
        await PubsubPull(self.stack.project, name, 16, self.stack.pubsub.host).run(keep, stop)
        return left

    async def _stop(self) -> None:
        """SIGTERM; a worker that has nothing in hand ends well, at once."""
        self.stopping = True
        for process in self.workers:
            process.terminate()
        for process in self.workers:
            code = await asyncio.to_thread(ended, process, 30)
            if code not in (0, 143):
                self.faults.append(Fault("worker did not stop well", f"{code}"))


def _json(body: Any) -> bytes:
    import json

    return json.dumps(body).encode()


def alive(process: Any) -> bool:
    """Whether a process, of either kind, runs."""
    return process.poll() is None if isinstance(process, subprocess.Popen) else process.is_alive()


def ended(process: Any, within_s: float) -> int | None:
    """How a process, of either kind, ended."""
    if isinstance(process, subprocess.Popen):
        with suppress(subprocess.TimeoutExpired):
            process.wait(within_s)
        return process.returncode
    process.join(within_s)
    return process.exitcode


@asynccontextmanager
async def opened(plan: Plan, stack: Stack) -> AsyncGenerator[Walk]:
    """A walk about to begin: servers' things are made, the database has its tables, two people are at their desks."""
    await stack.make()
    settings = stack.settings
    async with open_app(settings) as app, open_app(settings) as other:
        await app.services()
        draw = random.Random(plan.seed)
        yield Walk(plan, stack, draw, Traffic(stack, draw, plan.copies), app, other)


def walk(plan: Plan, stack: Stack) -> Walk:
    """The walk, at its end."""

    async def go() -> Walk:
        async with opened(plan, stack) as under_way:
            await under_way.run()
        return under_way

    ended_walk = asyncio.run(go())
    told = ", ".join(f"{count} {name}" for name, count in sorted(ended_walk.count.items()))
    print(f"\nseed {plan.seed}: {plan.jobs} uploads in {ended_walk.took_s:.0f} s; {told}")
    for fault in ended_walk.faults[:20]:
        print(f"  {fault.name}: {fault.whose}")
    return ended_walk


def left_behind(folder: str) -> list[int]:
    """Processes that belong to a walk that is over."""
    found: list[int] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if folder in process.environ().get("DEALWRIGHT_STATE_DIR", "") and process.pid != os.getpid():
                found.append(process.pid)
    return found
