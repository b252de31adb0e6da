"""What every job stands on goes away and comes back: nothing is lost, and no attempt is used up by it."""

from __future__ import annotations

import asyncio
import errno
import os
import uuid
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
import pytest_asyncio

from schemas.errors import DEPENDENCY_DOWN, TransientError
from tests.cli.conftest import Line, folder, line
from tests.conftest import SERVERS, miss
from tests.servers import postgres
from tests.walks.workbook import small_workbook
from tests.worker.test_pulling import at_work, drop, inbox, states
from worker import jobs, pulling, turn
from worker.adapters.adk import Shelf
from worker.app import App
from worker.bootstrap import open_app
from worker.settings import Settings

__all__ = ["folder", "inbox", "line"]


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[postgres.Server]:
    """A PostgreSQL that is this test's own, to be stopped and started."""
    home = request.config.stash[SERVERS] / f"outages-{uuid.uuid4().hex}"
    try:
        made = postgres.start_server(home)
    except postgres.ServerError as error:
        miss("postgres", f"run `./dealwright test`, which installs it, or set PG_BIN ({error})")
    yield made
    made.stop()


@pytest_asyncio.fixture
async def shared(server: postgres.Server, tmp_path: Path) -> AsyncGenerator[App]:
    """An App over that server, which gives a job one attempt: any that counted would set it aside."""
    settings = Settings(
        state_dir=tmp_path / "state",
        database_url=server.url("postgres"),
        inbox=str(tmp_path / "bucket"),
        max_attempts=1,
        max_lost_leases=1,
    )
    async with open_app(settings) as app:
        yield app


async def test_a_database_that_is_restarted_loses_nothing_and_counts_against_nobody(
    shared: App, server: postgres.Server, inbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped as by a power cut while two jobs are at work and one waits; pulling pauses, and resumes by itself."""
    monkeypatch.setattr(pulling, "RELAY_S", 0.2)
    running, gate, run = asyncio.Semaphore(0), asyncio.Event(), turn._run

    async def held(*given: Any) -> None:
        running.release()
        await gate.wait()
        await run(*given)

    monkeypatch.setattr(turn, "_run", held)
    for number in range(3):
        drop(inbox, f"{number}.xlsx")
    async with at_work(shared, inbox) as (worker, told):
        breaker = worker.app.breaker
        assert breaker is not None
        await running.acquire()
        await running.acquire()
        server.stop()
        gate.set()
        while breaker.states().get("database") != "open":
            breaker.changed.clear()
            await breaker.changed.wait()
        server.start()
        await told.until("asked", 3)
        assert breaker.states()["database"] == "closed"
    assert await states(shared) == ["waiting"] * 3
    for each in await jobs.list_jobs(shared):
        detail = await jobs.show_job(shared, each.job_id)
        assert all(stage.lost_leases == 0 for stage in detail.stages)
        assert {attempt.code for attempt in detail.attempts} <= {None, "database.down", "lease.lost"}


async def test_an_outage_of_the_store_counts_against_nobody(
    shared: App, inbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each job has one attempt, and none is set aside by a store that is away; once it is back they go on."""
    save, down = Shelf.save, True

    async def maybe(*given: Any) -> int:
        if down:
            raise TransientError("store.unavailable", "Cloud Storage can't be reached; it is tried again.")
        return await save(*given)

    monkeypatch.setattr(Shelf, "save", maybe)
    for number in range(3):
        drop(inbox, f"{number}.xlsx")
    async with at_work(shared, inbox) as (worker, told):
        breaker = worker.app.breaker
        assert breaker is not None
        await told.until("retrying", 3)
        assert breaker.states()["store"] == "open"
        assert "quarantined" not in await states(shared)
        down = False
        breaker.answered("", "store")
        await told.until("asked", 3)
    assert await states(shared) == ["waiting"] * 3


def test_a_worker_whose_disk_is_full_ends_with_the_sentence(
    line: Line, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1, what to do, no traceback; the job is where it was, uncounted."""
    place = folder / "in" / "inbox" / "deals.xlsx"
    place.parent.mkdir(parents=True)
    place.write_bytes(small_workbook())
    monkeypatch.setenv("DEALWRIGHT_INBOX", str(folder / "in"))

    async def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder / ".dealwright" / "artifacts" / "x"))

    monkeypatch.setattr(Shelf, "save", full)
    ran = line("work")
    assert ran.code == 1
    assert "make room" in ran.err
    assert "Traceback" not in ran.err + ran.out
    (job,) = line("jobs", "--json").document
    attempts = line("show", job["job_id"], "--json").document["attempts"]
    assert {(each["outcome"], each["code"]) for each in attempts} == {("handed_back", "disk.full")}


def test_every_code_that_pauses_work_names_its_service_first() -> None:
    """The breaker has one circuit a service."""
    assert {code.partition(".")[0] for code in DEPENDENCY_DOWN} == {"database", "model", "store", "transport"}
