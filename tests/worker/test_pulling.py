"""A worker that runs until it is told to stop: files put into a folder become jobs, and nothing is lost on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import TransientError
from tests.walks.workbook import small_workbook
from tests.worker.conftest import Ahead
from worker import jobs, turn
from worker.adapters.inbox import WatchedFolder
from worker.adapters.transport import InProcessTransport
from worker.app import App, Progress
from worker.breaker import FAILURES_TO_OPEN, Breaker
from worker.ledger.messages import mark_unsent
from worker.pulling import Work, work
from worker.settings import Settings


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """A folder that uploads are taken from."""
    return tmp_path / "bucket"


@pytest.fixture
def settings(tmp_path: Path, inbox: Path) -> Settings:
    """Settings that take uploads from the inbox."""
    return Settings(state_dir=tmp_path / "state", inbox=str(inbox), max_attempts=2)


class Told(asyncio.Queue[Progress]):
    """What happened, for whoever waits for it."""

    async def until(self, step: str, times: int = 1) -> None:
        """Return once `step` was told so often."""
        while times:
            times -= (await self.get()).step == step


@asynccontextmanager
async def at_work(app: App, inbox: Path, *, grace_s: float = 20) -> AsyncGenerator[tuple[Work, Told]]:
    """A worker on the inbox and an in-process transport; stopped at the end."""
    transport, told = InProcessTransport(), Told()

    breaker = Breaker(app.clock)
    worker = Work(replace(app, publish=transport.publish_inside, progress=told.put_nowait, breaker=breaker))
    sources = [transport, WatchedFolder(inbox, "inbox/", look_s=0.05)]
    running = asyncio.create_task(work(worker, sources, grace_s=grace_s))
    try:
        yield worker, told
    finally:
        worker.stop.set()
        await running
        await mark_unsent(app.ledger, await transport.close())


def drop(inbox: Path, name: str) -> None:
    """Put a workbook into the inbox."""
    place = inbox / "inbox" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(small_workbook())


async def states(app: App) -> list[str]:
    """Every job's state."""
    return sorted(each.state for each in await jobs.list_jobs(app))


async def test_files_dropped_into_the_inbox_come_to_their_approvals(app: App, inbox: Path) -> None:
    """Hidden ones and an office program's lock files are no uploads."""
    drop(inbox, "a.xlsx")
    drop(inbox, "harbor/b.xlsx")
    drop(inbox, "~$a.xlsx")
    drop(inbox, ".part")
    async with at_work(app, inbox) as (_, told):
        await told.until("asked", 2)
    assert await states(app) == ["waiting", "waiting"]


async def test_a_worker_told_to_stop_hands_back_what_it_has_in_hand(
    app: App, inbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempt is not used up, the lease is free, and the message that goes on from there is promised."""
    began = asyncio.Event()

    async def never(*_: object) -> None:
        began.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(turn, "_run", never)
    drop(inbox, "a.xlsx")
    async with at_work(app, inbox, grace_s=0.05):
        await began.wait()
    summary = (await jobs.list_jobs(app))[0]
    detail = await jobs.show_job(app, summary.job_id)
    assert [each.outcome for each in detail.attempts] == ["handed_back"]
    monkeypatch.undo()
    async with at_work(app, inbox) as (_, told):
        await told.until("asked")
    assert await states(app) == ["waiting"]


async def test_an_outage_of_the_model_uses_no_attempts_up(
    app: App, inbox: Path, monkeypatch: pytest.MonkeyPatch, clock: Ahead
) -> None:
    """Once it opens nothing is begun; when the model is back a probe closes it, and all jobs get where they go."""
    down = True
    run = turn._run

    async def maybe(*given: Any) -> None:
        if down:
            raise TransientError("model.unavailable", "The model's service is down.")
        await run(*given)

    monkeypatch.setattr(turn, "_run", maybe)
    for number in range(FAILURES_TO_OPEN + 1):
        drop(inbox, f"{number}.xlsx")
    async with at_work(app, inbox) as (worker, told):
        breaker = worker.app.breaker
        assert breaker is not None
        while not breaker.closed_for_s():
            await told.until("retrying")
        assert "quarantined" not in await states(app)
        down = False
        clock.jump(3600)
        breaker.changed.set()
        await told.until("asked", FAILURES_TO_OPEN + 1)
    assert await states(app) == ["waiting"] * (FAILURES_TO_OPEN + 1)
