"""Whole jobs on the true Gemini class over HTTP, worker, ledger and all: no fault doubles an effect or loses a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agents import registry
from agents.model_calls import ModelCalls
from agents.prompts.load import PromptSet
from schemas.agent_answers import Stage
from schemas.errors import DEPENDENCY_DOWN
from schemas.job import JobDetail
from tests.agents.gemini import model_at, think
from tests.servers.gemini import (
    GeminiStub,
    Reply,
    blocked_reply,
    broken_reply,
    call_reply,
    error_reply,
    finish_reply,
    parts_reply,
)
from tests.walks.workbook import small_workbook
from worker import jobs
from worker.adapters.transport import InProcessTransport
from worker.app import App
from worker.bootstrap import open_app
from worker.decisions import Said
from worker.settings import Settings

PASSING = {
    "model.unavailable": error_reply(503, "UNAVAILABLE"),
    "model.quota": error_reply(429, "RESOURCE_EXHAUSTED"),
    "model.unreachable": broken_reply("reset"),
    "model.unreadable": Reply(200, b"<html>Sign in</html>"),
    "model.malformed": finish_reply("MALFORMED_FUNCTION_CALL"),
    "model.empty": Reply(200, {"candidates": []}),
    "model.answer": parts_reply([{"text": "Done."}]),
    "model.timeout": broken_reply("silent"),
}
REFUSING = {
    "model.blocked": finish_reply("SAFETY"),
    "model.cut_off": call_reply("request_deck", {"title": "Harb"}, "MAX_TOKENS"),
    "model.too_long": parts_reply([{"text": "deal " * 60_000}]),
}


class Troubled(GeminiStub):
    """A server that says something else than it would have at the calls that `troubles` numbers, from 1."""

    def __init__(self, troubles: Mapping[int, Reply]) -> None:
        super().__init__(think)
        self._troubles = troubles

    def reply(self, body: Mapping[str, Any], size: int) -> Reply:
        """The trouble due at this call, or what is right."""
        trouble = self._troubles.get(len(self.requests))
        return trouble or super().reply(body, size)


@asynccontextmanager
async def working(folder: Path, server: GeminiStub, **given: Any) -> AsyncGenerator[App]:
    """An App whose agents ask the server, once an attempt, and wait two seconds at most."""

    def build(stage: Stage, prompts: PromptSet, run: ModelCalls) -> Any:
        model = model_at(server, attempts=1, timeout_s=2.0)
        return registry.build_app(stage, model, prompts, run=run)

    async with open_app(Settings(state_dir=folder / "state", **given)) as app:
        yield replace(app, build_agent=build)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused messages come again at once."""
    transport = partial(InProcessTransport, first_delay_s=0.001, last_delay_s=0.001)
    monkeypatch.setattr("worker.running.InProcessTransport", transport)


async def to_the_end(app: App, folder: Path) -> JobDetail:
    """A job of a small workbook, approved and delivered."""
    (folder / "deals.xlsx").write_bytes(small_workbook())
    job_id = (await jobs.submit_file(app, folder / "deals.xlsx", by="analyst")).job_id
    assert await jobs.run_until_quiet(app, job_id) == "waiting"
    await jobs.decide(app, job_id, Said("approved", by="approver"))
    assert await jobs.run_until_quiet(app, job_id) == "completed"
    return await jobs.show_job(app, job_id)


def check_effects(detail: JobDetail) -> None:
    """Each document made once, one question asked, one delivery."""
    assert sorted(ticket.kind for ticket in detail.tickets) == ["approval", "deck", "memo"]
    rendered = [tried.outcome for tried in detail.attempts if tried.ticket_id]
    assert rendered == ["done", "done"]
    assert detail.delivered is not None
    actions = Counter(line.action for line in detail.audit)
    assert actions["delivered"] <= 1
    assert actions["extracted"] == 1


def failed(detail: JobDetail) -> list[str | None]:
    """The codes of the attempts that failed, in their order."""
    return [tried.code for tried in detail.attempts if tried.outcome == "failed"]


def calls_made(server: GeminiStub) -> Sequence[str]:
    """The tools whose answers the last request of the extraction held."""
    asked = [body for body in server.requests if "inspect_workbook" in str(body["tools"])]
    parts = [part for content in asked[-1]["contents"] for part in content["parts"]]
    return [part["functionResponse"]["name"] for part in parts if "functionResponse" in part]


async def test_a_job_passes_through_every_passing_fault_before_every_turn(tmp_path: Path) -> None:
    """Each attempt goes on where the last one stood: nothing is called twice, nothing made twice."""
    kinds = list(PASSING)
    order = [kinds[number % len(kinds)] for number in range(12)]
    due = [number for number in range(1, 19) if number % 3]  # two before each of the six turns
    with Troubled(dict(zip(due, [PASSING[kind] for kind in order], strict=True))) as server:
        async with working(tmp_path, server, max_attempts=20) as app:
            detail = await to_the_end(app, tmp_path)
    check_effects(detail)
    assert failed(detail) == order
    assert len(server.requests) == 18
    assert calls_made(server) == ["inspect_workbook", "extract_deals"]
    assert sum(stage.model_calls for stage in detail.stages) == 18
    assert sum(use.calls for use in detail.models) == 18


async def test_a_job_that_is_refused_begins_its_stage_anew_and_keeps_what_was_made(tmp_path: Path) -> None:
    """In mid-extraction, after it, after the documents and after the approval: fresh sessions, the same effects."""
    troubles = {2: "model.blocked", 5: "model.cut_off", 10: "model.too_long", 13: "model.blocked"}
    with Troubled({number: REFUSING[kind] for number, kind in troubles.items()}) as server:
        async with working(tmp_path, server) as app:
            detail = await to_the_end(app, tmp_path)
    check_effects(detail)
    assert failed(detail) == list(troubles.values())
    assert len(detail.decisions) == 1


@pytest.mark.parametrize(
    ("reply", "code", "attempts"),
    [
        (blocked_reply("SAFETY"), "model.prompt_blocked", 1),
        (error_reply(400, "INVALID_ARGUMENT", "schema"), "model.refused", 1),
        (error_reply(401, "UNAUTHENTICATED"), "model.credentials", 1),
        (error_reply(503, "UNAVAILABLE"), "model.unavailable", 2),
        (finish_reply("SAFETY"), "model.blocked", 2),
    ],
)
async def test_a_job_whose_fault_stays_is_set_aside_with_its_code(
    tmp_path: Path, reply: Reply, code: str, attempts: int
) -> None:
    """At once where trying again changes nothing, else by the limit of attempts; nothing was ordered."""
    with Troubled(dict.fromkeys(range(1, attempts + 1), reply)) as server:
        async with working(tmp_path, server, max_attempts=2) as app:
            detail = await set_aside(app, tmp_path)
        assert len(server.requests) == attempts
    assert failed(detail) == [code] * attempts
    assert detail.reason is not None
    assert detail.reason.code == code
    assert (code in DEPENDENCY_DOWN) == (code == "model.unavailable")
    assert detail.tickets == ()


async def test_a_job_that_was_set_aside_goes_on_once_the_model_is_back(tmp_path: Path) -> None:
    """A replay begins its stage in a fresh session."""
    with Troubled(dict.fromkeys((2, 3), error_reply(503, "UNAVAILABLE"))) as server:
        async with working(tmp_path, server, max_attempts=2) as app:
            detail = await set_aside(app, tmp_path)
            await jobs.replay(app, detail.job_id, by="operator")
            assert await jobs.run_until_quiet(app, detail.job_id) == "waiting"
            detail = await jobs.show_job(app, detail.job_id)
    assert sorted(ticket.kind for ticket in detail.tickets) == ["approval", "deck", "memo"]


async def set_aside(app: App, folder: Path) -> JobDetail:
    """A job of a small workbook, in quarantine."""
    (folder / "deals.xlsx").write_bytes(small_workbook())
    job_id = (await jobs.submit_file(app, folder / "deals.xlsx", by="analyst")).job_id
    assert await jobs.run_until_quiet(app, job_id) == "quarantined"
    return await jobs.show_job(app, job_id)
