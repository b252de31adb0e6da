"""Objects written to the inbox: which become jobs, once, and what is read of them and when."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from sqlalchemy import select

from schemas import ids
from schemas.event import Delivery, ObjectFinalized
from tests.walks.workbook import small_workbook
from worker import jobs
from worker.app import App, Progress
from worker.commands.results import exit_code, outcome_line
from worker.dispatch import dispatch
from worker.ledger.tables import outbox
from worker.settings import Settings


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """A folder that uploads are taken from."""
    (tmp_path / "bucket" / "inbox" / "harbor").mkdir(parents=True)
    return tmp_path / "bucket"


@pytest.fixture
def settings(tmp_path: Path, inbox: Path) -> Settings:
    """Settings that take uploads from the inbox."""
    return Settings(state_dir=tmp_path / "state", inbox=str(inbox), max_attempts=2)


def put(inbox: Path, name: str = "inbox/harbor/comps.xlsx", data: bytes | None = None) -> ObjectFinalized:
    """The event of a file just written."""
    place = inbox / name
    place.write_bytes(small_workbook() if data is None else data)
    return event_of(inbox, name, place.stat().st_mtime_ns, place.stat().st_size)


def event_of(inbox: Path, name: str, generation: int, size_bytes: int = 10) -> ObjectFinalized:
    """The event of a generation of a file."""
    bucket = str(inbox)
    job_id = ids.job_id_of_object(bucket, name, generation)
    return ObjectFinalized(job_id=job_id, bucket=bucket, name=name, generation=generation, size_bytes=size_bytes)


async def tell(app: App, event: ObjectFinalized, message_id: str = "1", **changes: object) -> str:
    """What the delivery of the event was noted as."""
    body = {**event.model_dump(mode="json"), **changes}
    assert await dispatch(app, Delivery(subscription="uploads", message_id=message_id, body=body)) == "ack"

    from worker.ledger.tables import delivery

    rows = await app.ledger.rows(select(delivery).where(delivery.c.message_id == message_id))
    return rows[0]["outcome"]


async def test_an_upload_becomes_a_job_of_the_folders_user(app: App, inbox: Path) -> None:
    """It runs to the approval, and what it read is kept as the user's artifact."""
    event = put(inbox)
    assert await tell(app, event) == "Done"
    assert (await jobs.show_job(app, event.job_id)).upload is None
    assert await jobs.run_until_quiet(app, event.job_id) == "waiting"
    detail = await jobs.show_job(app, event.job_id)
    assert (detail.user_id, detail.filename) == ("harbor", "comps.xlsx")
    assert detail.upload is not None
    assert detail.upload.sha256 == ids.sha256_hex(small_workbook())


async def test_two_events_of_one_upload_are_one_job(app: App, inbox: Path) -> None:
    """Duplicated notification settings send two messages for each write."""
    event = put(inbox)
    await tell(app, event, "1")
    await tell(app, event, "2")
    assert len(await jobs.list_jobs(app)) == 1


async def test_an_older_generation_that_comes_late_is_ignored(app: App, inbox: Path) -> None:
    """Events come out of order; the newer file is what counts."""
    event = put(inbox)
    await tell(app, event)
    late = event_of(inbox, event.name, event.generation - 1)
    assert await tell(app, late, "2") == "Ignored"
    assert len(await jobs.list_jobs(app)) == 1


NONE_OF_OURS = ["delivered/j/deck.pptx", "comps.xlsx", "inbox/harbor/", "inboxes/comps.xlsx"]
HIDDEN = ["inbox/.comps.csv", "inbox/~$comps.xlsx", "inbox/.sync/comps.xlsx"]


@pytest.mark.parametrize("name", NONE_OF_OURS + HIDDEN)
async def test_what_is_no_upload_is_ignored(app: App, inbox: Path, name: str) -> None:
    """Our own outputs, other prefixes, folders that consoles make, and what programs leave for themselves."""
    assert await tell(app, event_of(inbox, name, 5)) == "Ignored"
    assert await jobs.list_jobs(app) == []


async def test_another_bucket_is_ignored(app: App, tmp_path: Path) -> None:
    """A message names its bucket; only the inbox is read."""
    assert await tell(app, event_of(tmp_path / "other", "inbox/comps.xlsx", 5)) == "Ignored"


async def test_an_empty_file_is_ignored(app: App, inbox: Path) -> None:
    """Some programs make an empty file first and write it then; it is told of all the same."""
    told: list[Progress] = []
    watched = replace(app, progress=told.append)
    with structlog.testing.capture_logs() as lines:
        assert await tell(watched, event_of(inbox, "inbox/comps.xlsx", 5, 0)) == "Ignored"
    assert [line["name"] for line in lines if line["event"] == "upload_empty"] == ["inbox/comps.xlsx"]
    sentence = "inbox/comps.xlsx is empty (0 bytes) and left alone; put it there again."
    assert [(each.step, each.what) for each in told] == [("left_alone", sentence)]
    assert await jobs.list_jobs(app) == []


async def test_a_message_with_a_job_id_of_its_own_is_ignored(app: App, inbox: Path) -> None:
    """No message may join a job to another's file."""
    assert await tell(app, put(inbox), job_id="feedfeedfeedfeedfeedfeed") == "Ignored"
    assert await jobs.list_jobs(app) == []


async def test_an_object_that_is_gone_sets_its_job_aside(app: App, inbox: Path) -> None:
    """Written over before it was read: another attempt would not bring it back."""
    event = put(inbox)
    await tell(app, event)
    place = inbox / event.name
    os.utime(place, ns=(1, 1))
    assert await jobs.run_until_quiet(app, event.job_id) == "quarantined"
    detail = await jobs.show_job(app, event.job_id)
    assert detail.reason is not None
    assert detail.reason.code == "object.gone"
    assert sum(len(stage.stamps) for stage in detail.stages) == 0
    assert "replay" not in outcome_line(detail)
    assert "put it there again" in outcome_line(detail)


async def test_an_object_that_was_written_over_ends_for_the_newer_one(app: App, inbox: Path) -> None:
    """Nobody needs to do anything, and no replay could: the newer upload is a job of its own."""
    event = put(inbox)
    await tell(app, event)
    newer = event.generation + 1_000_000_000
    os.utime(inbox / event.name, ns=(newer, newer))
    assert await jobs.run_until_quiet(app, event.job_id) == "rejected"
    detail = await jobs.show_job(app, event.job_id)
    assert detail.reason is not None
    assert detail.reason.code == "object.superseded"
    assert "the newer file of that name becomes a job of its own" in detail.reason.message
    assert detail.reason.message in outcome_line(detail)
    assert exit_code(detail) == 3
    (told,) = [row["body"]["data"] for row in await app.ledger.rows(select(outbox).where(outbox.c.topic == "results"))]
    assert (told["kind"], told["verdict"], told["comment"]) == ("JobRejected", "superseded", detail.reason.message)
    await tell(app, event_of(inbox, event.name, newer), "2")
    assert await jobs.run_until_quiet(app, event_of(inbox, event.name, newer).job_id) == "waiting"


async def test_an_object_over_the_limit_is_not_read(app: App, inbox: Path, settings: Settings) -> None:
    """Its job is set aside with the sentence that the command line says."""
    event = put(inbox, data=b"x" * 10)
    await tell(app, event)
    small = settings.model_copy(update={"max_file_bytes": 5})
    assert await jobs.run_until_quiet(replace(app, settings=small), event.job_id) == "quarantined"
    detail = await jobs.show_job(app, event.job_id)
    assert detail.reason is not None
    assert detail.reason.code == "file.too_large"
