"""A disk that is full, or a place that is barred, in the middle of a job: the run ends at once, and nothing counts."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from schemas.errors import DealwrightError, TransientError
from schemas.event import Delivery, StageRequested
from schemas.outcome import Halted, verdict_of
from worker import jobs
from worker.adapters.adk import Shelf
from worker.app import App
from worker.dispatch import handle
from worker.settings import Settings
from worker.surroundings import lasting_fault


async def counted(app: App, job_id: str) -> set[int]:
    """The failures that the job's stages and the lost leases that the job count."""
    detail = await jobs.show_job(app, job_id)
    return {stage.failures for stage in detail.stages} | {stage.lost_leases for stage in detail.stages}


@pytest.mark.parametrize(("number", "at_work"), [(errno.ENOSPC, "extraction"), (errno.EACCES, "render")])
async def test_what_cannot_be_stored_ends_the_run_with_what_to_do(
    app: App, workbook: Path, monkeypatch: pytest.MonkeyPatch, number: int, at_work: str
) -> None:
    """From an agent's tool as from a render; once it is mended the same command goes on from there."""
    job_id = (await jobs.submit_file(app, workbook, by="analyst")).job_id
    place = f"{app.settings.artifacts}/users"

    async def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(number, os.strerror(number), place)

    if at_work == "extraction":
        service = (await app.services()).shelf.service
        monkeypatch.setattr(service, "save_artifact", refuse)
    else:
        monkeypatch.setattr(Shelf, "save_once", refuse)
    with pytest.raises(DealwrightError) as told:
        await jobs.run_until_quiet(app, job_id)
    assert place in told.value.message
    assert told.value.code == ("disk.full" if number in (errno.ENOSPC, errno.EDQUOT) else "setting.place")
    detail = await jobs.show_job(app, job_id)
    assert detail.attempts[-1].outcome == "handed_back"
    assert await counted(app, job_id) == {0}
    monkeypatch.undo()
    assert await jobs.run_until_quiet(app, job_id) == "waiting"


async def test_a_full_ledger_ends_the_run_at_the_first_try(app: App, workbook: Path) -> None:
    """SQLite itself refuses to grow: no attempt is made ten times over."""
    job_id = (await jobs.submit_file(app, workbook, by="analyst")).job_id
    full = {"is": True}

    def bound(connection: Any, _: object) -> None:
        if full["is"]:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count={pages}")

    event.listen(app.ledger.engine.sync_engine, "connect", bound)
    await app.services()
    await app.ledger.engine.dispose()
    with pytest.raises((TransientError, OperationalError)) as told:
        await jobs.run_until_quiet(app, job_id)
    # What is told when not even the run's own end can be written down is SQLite's error, which means the same.
    meant = told.value if isinstance(told.value, TransientError) else lasting_fault(told.value, app.settings)
    assert meant is not None
    assert meant.code == "disk.full"
    full["is"] = False
    await app.ledger.engine.dispose()
    assert await jobs.run_until_quiet(app, job_id) == "waiting"
    assert await counted(app, job_id) == {0}


async def test_a_worker_that_cannot_take_a_lease_says_so_and_the_message_comes_again(app: App, workbook: Path) -> None:
    """Halted is neither done nor a failure of the job's."""
    job_id = (await jobs.submit_file(app, workbook, by="analyst")).job_id

    def full(_: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    body = StageRequested(job_id=job_id, stage="extraction").model_dump(mode="json")
    app.ledger.checkpoint = full
    outcome = await handle(app, Delivery(subscription="work", message_id="one", body=body))
    assert isinstance(outcome, Halted)
    assert verdict_of(outcome) == "nack"


def test_a_file_that_is_gone_is_no_lasting_fault(settings: Settings) -> None:
    """It may be there the next time; a place that is barred stays so."""
    gone = FileNotFoundError(errno.ENOENT, "No such file", f"{settings.artifacts}/users/x")
    assert lasting_fault(gone, settings) is None
    barred = PermissionError(errno.EACCES, "Permission denied", f"{settings.artifacts}/users/x")
    read_only, quota = OSError(errno.EROFS, "Read-only", settings.artifacts), OSError(errno.EDQUOT, "Over quota")
    for error in (barred, read_only, quota):
        assert lasting_fault(error, settings) is not None


@pytest.mark.parametrize(("said", "exit_code"), [("disk I/O error", 1), ("unable to open database file", 2)])
def test_a_disk_that_fails_is_told_apart_from_a_place_that_is_wrong(app: App, said: str, exit_code: int) -> None:
    """The one is nobody's input; either may be for want of room."""
    told = lasting_fault(OperationalError("INSERT", {}, sqlite3.OperationalError(said)), app.settings)
    assert told is not None
    assert (told.code, told.exit_code) == ("database.place", exit_code)
    assert "room on its disk" in told.message
