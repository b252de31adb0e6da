"""Running jobs in a process that may not be the only one."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import NoReturn

import pytest

from schemas.errors import ConflictError, TransientError
from tests.walks.workbook import small_workbook
from worker import dispatch as dispatching
from worker import jobs, running
from worker.adapters.files import only_worker
from worker.app import App, Progress
from worker.ledger.leases import break_leases, take_lease
from worker.ledger.messages import unsent


async def test_a_second_worker_on_sqlite_gets_a_clear_sentence(
    app: App, waiting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After it waited for the first; what was decided is kept for whoever works next."""
    monkeypatch.setattr(running, "PATIENCE_S", 0)
    await jobs.decide(app, waiting, jobs.Said("approved", "ann"))
    seen: list[Progress] = []
    with only_worker(app.settings.state_dir), pytest.raises(ConflictError) as refused:
        await jobs.run_until_quiet(app, waiting, seen.append)
    assert refused.value.code == "worker.busy"
    assert "another" in refused.value.message.lower()
    assert await jobs.run_until_quiet(app, waiting) == "completed"


async def test_a_second_worker_goes_on_when_the_first_is_done(app: App, waiting: str) -> None:
    """It says that it waits, once, and in words that are no refusal."""
    await jobs.decide(app, waiting, jobs.Said("approved", "ann"))
    seen: list[Progress] = []
    told_so = asyncio.Event()

    def watch(told: Progress) -> None:
        seen.append(told)
        told_so.set()

    with only_worker(app.settings.state_dir):
        second = asyncio.create_task(jobs.run_until_quiet(app, waiting, watch))
        await told_so.wait()
    assert await second == "completed"
    (words,) = [told.what for told in seen if told.step == "waiting_for_worker"]
    assert words.startswith(f"Another dealwright process ({os.getpid()}) is at work in")
    assert words.endswith("and takes this up too; waiting for it")


async def test_a_worker_that_has_the_job_in_hand_is_waited_for_however_long_it_takes(
    app: App, waiting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one that does nothing about it tires whoever waits."""
    monkeypatch.setattr(running, "PATIENCE_S", 0)
    await jobs.decide(app, waiting, jobs.Said("approved", "ann"))
    told_so = asyncio.Event()
    with only_worker(app.settings.state_dir):
        async with app.ledger.change(waiting, "take") as change:
            assert await take_lease(change, change.job, app.terms, "delivery")
        second = asyncio.create_task(jobs.run_until_quiet(app, waiting, lambda _: told_so.set()))
        await told_so.wait()
        assert not second.done()
        await break_leases(app.ledger)
        with pytest.raises(ConflictError):
            await second


async def test_a_decision_from_elsewhere_is_carried_out_by_whoever_is_at_work(
    app: App, waiting: str, workbook: Path
) -> None:
    """A worker that runs another job meanwhile takes up what the outbox holds for any job."""
    await jobs.decide(app, waiting, jobs.Said("approved", "ann"))
    other = (await jobs.submit_file(app, workbook, by="analyst")).job_id
    seen: list[Progress] = []
    assert await jobs.run_until_quiet(app, other, seen.append) == "waiting"
    # Whoever waits for one job is told of that one.
    assert {told.job_id for told in seen} == {other}
    assert await jobs.run_until_quiet(app, waiting) == "completed"
    detail = await jobs.show_job(app, waiting)
    assert detail.delivered is not None


async def test_a_run_that_is_stopped_leaves_its_messages_to_the_next(app: App, workbook: Path) -> None:
    """Ctrl-C in the middle: nothing that was taken over is lost, and nothing counts as failed."""
    job_id = (await jobs.submit_file(app, workbook, by="analyst")).job_id
    begun = asyncio.Event()

    def watch(told: Progress) -> None:
        if told.step == "tool_called":
            begun.set()

    run = asyncio.create_task(jobs.run_until_quiet(app, job_id, watch))
    await begun.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert await unsent(app.ledger, job_id)
    assert await jobs.run_until_quiet(app, job_id) == "waiting"
    detail = await jobs.show_job(app, job_id)
    assert "handed_back" in [tried.outcome for tried in detail.attempts]
    assert all(stage.failures == 0 for stage in detail.stages)


async def test_a_run_that_gets_nowhere_ends_with_a_sentence(
    app: App, workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger that can't be written refuses every message; the run says so and does not go round for ever."""
    job_id = (await jobs.submit_file(app, workbook, by="analyst")).job_id

    async def full(*_: object) -> NoReturn:
        raise OSError("disk full")

    monkeypatch.setattr(dispatching, "note_delivery", full)
    monkeypatch.setattr(running, "MOST_DELIVERIES", 2)
    with pytest.raises(TransientError) as refused:
        await jobs.run_until_quiet(app, job_id)
    assert refused.value.code == "run.refused"


async def test_jobs_run_side_by_side_in_one_process(app: App, tmp_path: Path) -> None:
    """Three workbooks submitted at once all come to their gates."""
    submitted: list[str] = []
    for number in range(3):
        path = tmp_path / f"deals {number}.xlsx"
        path.write_bytes(small_workbook())
        submitted.append((await jobs.submit_file(app, path, by="analyst")).job_id)
    assert [await jobs.run_until_quiet(app, job_id) for job_id in submitted] == ["waiting"] * 3
