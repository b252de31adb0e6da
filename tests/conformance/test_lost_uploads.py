"""Uploads that no message told of: the inbox is gone through, and what no job knows becomes one, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import event, insert, select

from schemas import ids
from schemas.errors import TransientError
from schemas.event import Delivery, ObjectFinalized
from tests.conformance.places import Bucket
from tests.worker.conftest import Ahead
from worker import lost_uploads
from worker.app import App
from worker.bootstrap import open_app
from worker.dispatch import dispatch
from worker.jobs import list_jobs
from worker.ledger.messages import unsent
from worker.ledger.tables import job
from worker.lost_uploads import REST_S, InboxRounds
from worker.outbox import REISSUE_S
from worker.ports import Listed
from worker.pulling import Work, work
from worker.settings import Settings
from worker.sweeping import Swept, sweep_once


@pytest.fixture
def clock() -> Ahead:
    """A clock that goes with the store's, and is put forward."""
    return Ahead()


@pytest_asyncio.fixture
async def app(bucket: Bucket, tmp_path: Path, clock: Ahead, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[App]:
    """An App that takes uploads from the bucket, and delivers to it."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", bucket.url)
    place = f"gs://{bucket.bucket}"
    async with open_app(Settings(state_dir=tmp_path, inbox=place, deliveries=place), clock=clock) as opened:
        yield opened


async def names(app: App) -> list[str]:
    """The names of the objects that have jobs, and for each job once."""
    return sorted(row["name"] for row in await app.ledger.rows(select(job.c.name)))


async def sweep(app: App) -> Swept:
    """A sweep that leaves messages to a worker."""
    return await sweep_once(app, publish=False)


async def test_an_upload_without_a_message_becomes_a_job_once_a_message_is_overdue(
    app: App, bucket: Bucket, clock: Ahead
) -> None:
    """As if it had been told of, with the message for its first stage promised; being told late changes nothing."""
    generation = bucket.put("inbox/harbor/comps.xlsx", b"deals")
    young = await sweep(app)
    assert (young.found, young.looked_at, young.awaited, young.inbox_goes_on) == (0, 1, 1, False)
    clock.jump(REISSUE_S + 1)
    swept = await sweep(app)
    assert (swept.found, swept.awaited) == (1, 0)
    assert (await sweep(app)).found == 0
    (summary,) = await list_jobs(app)
    assert (summary.filename, summary.submitted_by) == ("comps.xlsx", "harbor")
    assert [row["body"]["kind"] for row in await unsent(app.ledger)] == ["StageRequested"]
    place = (bucket.bucket, "inbox/harbor/comps.xlsx", generation)
    told = dict(zip(("bucket", "name", "generation"), place, strict=True))
    late = ObjectFinalized.model_validate({**told, "job_id": ids.job_id_of_object(*place), "size_bytes": 5})
    body = late.model_dump(mode="json")
    assert await dispatch(app, Delivery(subscription="uploads", message_id="1", body=body)) == "ack"
    assert [summary.job_id for summary in await list_jobs(app)] == [late.job_id]


async def test_what_is_no_upload_is_left_where_it_is(app: App, bucket: Bucket, clock: Ahead) -> None:
    """Our own outputs, hidden files, folders that consoles make and other prefixes; an empty upload is one."""
    for name in (
        "inbox/.part",
        "inbox/~$a.xlsx",
        "inbox/.sync/a.xlsx",
        "inbox/harbor/",
        "delivered/j/deck.pptx",
        "a.xlsx",
    ):
        bucket.put(name, b"x")
    bucket.put("inbox/empty.xlsx", b"")
    bucket.put("inbox/deals.xlsx", b"x")
    clock.jump(REISSUE_S + 1)
    assert (await sweep(app)).found == 2
    assert await names(app) == ["inbox/deals.xlsx", "inbox/empty.xlsx"]


async def test_what_lay_there_before_the_ledger_was_made_is_left_alone(
    bucket: Bucket, tmp_path: Path, clock: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bucket that was in use before makes no job of each old file; what comes from then on is found."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", bucket.url)
    bucket.put("inbox/old.xlsx", b"x")
    settings = Settings(state_dir=tmp_path, inbox=f"gs://{bucket.bucket}", deliveries=f"gs://{bucket.bucket}")
    async with open_app(settings, clock=clock) as opened:
        bucket.put("inbox/new.xlsx", b"x")
        clock.jump(REISSUE_S + 1)
        assert (await sweep(opened)).found == 1
        assert await names(opened) == ["inbox/new.xlsx"]


async def test_what_was_written_over_is_taken_as_it_is_now(app: App, bucket: Bucket, clock: Ahead) -> None:
    """The generation that is gone has no job, unless it was told of; the newer one is another upload."""
    bucket.put("inbox/a.xlsx", b"1")
    clock.jump(REISSUE_S + 1)
    assert (await sweep(app)).found == 1
    bucket.put("inbox/a.xlsx", b"2")
    bucket.put("inbox/a.xlsx", b"3")
    assert (await sweep(app)).found == 1
    assert await names(app) == ["inbox/a.xlsx"] * 2


async def test_a_worker_goes_through_the_inbox_by_pages_and_rests_when_it_has_seen_all(
    app: App, bucket: Bucket, clock: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step goes on where the last ended; what is put where it already was is found by the next round."""
    monkeypatch.setattr(lost_uploads, "PAGE", 2)
    monkeypatch.setattr(lost_uploads, "PAGES_AT_ONCE", 1)
    wanted = [f"inbox/{name}" for name in ("Ü", "a b", "b/1", "b/2", "表")]
    for name in wanted:
        bucket.put(name, b"x")
    clock.jump(REISSUE_S + 1)
    rounds = InboxRounds(app)
    assert [await rounds.go_on() for _ in range(2)] == [2, 2]
    bucket.put("inbox/Ä", b"x")
    clock.jump(REISSUE_S + 1)
    assert [await rounds.go_on() for _ in range(3)] == [1, 0, 0]
    assert await names(app) == sorted(wanted)
    clock.jump(REST_S)
    assert sum([await rounds.go_on() for _ in range(4)]) == 1


async def test_a_store_that_refuses_is_told_of_when_all_else_is_done(app: App, clock: Ahead) -> None:
    """A sweep says what is wrong; a worker is not kept from its work, and asks again after its rest."""
    elsewhere = replace(app, settings=app.settings.model_copy(update={"inbox": "gs://none-of-ours"}))
    with pytest.raises(TransientError) as refused:
        await sweep(elsewhere)
    assert refused.value.code == "store.missing"
    rounds = InboxRounds(elsewhere)
    with pytest.raises(TransientError):
        await rounds.go_on()
    assert await rounds.go_on() == 0
    clock.jump(REST_S)
    with pytest.raises(TransientError):
        await rounds.go_on()


async def test_a_worker_finds_them_by_itself(app: App, bucket: Bucket, clock: Ahead) -> None:
    """Without anybody's asking, and beside its other work."""
    bucket.put("inbox/a.xlsx", b"x")
    clock.jump(REISSUE_S + 1)
    found = asyncio.Event()
    watched = replace(app, ledger=app.ledger)
    watched.ledger.checkpoint = lambda name: found.set() if name == "open job: committed" else None
    worker = Work(watched, searches_inbox=True)
    running = asyncio.create_task(work(worker, [], grace_s=0))
    async with asyncio.timeout(10):
        await found.wait()
    worker.stop.set()
    await running
    assert await names(app) == ["inbox/a.xlsx"]


@dataclass
class Shelf:
    """So many objects as no test would upload, each a minute younger than the one before."""

    objects: list[Listed]
    asked: list[str] = field(default_factory=list[str])

    def read(self, bucket: str, name: str, generation: int, limit_bytes: int) -> bytes:
        """Nothing is read to find an upload."""
        raise AssertionError(name)

    def listed(self, bucket: str, prefix: str, after: str, limit: int) -> list[Listed]:
        """As a bucket lists them."""
        self.asked.append(after)
        return [each for each in self.objects if each.name > after][:limit]


async def test_thousands_that_are_known_cost_a_request_and_a_query_for_each_page(
    app: App, bucket: Bucket, clock: Ahead
) -> None:
    """Nothing is written, and the one that isn't known is found among them."""
    shelf = Shelf([Listed(f"inbox/{n:05}.xlsx", n + 1, 10, clock()) for n in range(8000)])
    clock.jump(REISSUE_S + 1)
    known = [
        {**row_of(app), "id": job_id(bucket, each), "name": each.name}
        for each in shelf.objects
        if each.generation != 4321
    ]
    async with app.ledger.engine.begin() as connection:
        await connection.execute(insert(job), known)
    asked: list[str] = []
    event.listen(app.ledger.engine.sync_engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    searched = replace(app, objects=shelf)
    assert (await sweep(searched)).found == 1
    before = len(asked)
    swept = await sweep(searched)
    assert (swept.found, swept.looked_at) == (0, 8000)
    pages = 8000 // lost_uploads.PAGE + 1
    assert len(shelf.asked) == 2 * pages
    about_pages = [words for words in asked[before:] if "WHERE job.id IN" in words]
    assert len(about_pages) == pages
    assert not [words for words in asked[before:] if words.startswith(("INSERT", "UPDATE"))]


def job_id(bucket: Bucket, listed: Listed) -> str:
    """The id of an object's job."""
    return ids.job_id_of_object(bucket.bucket, listed.name, listed.generation)


def row_of(app: App) -> dict[str, Any]:
    """A job that is over."""
    now = app.clock()
    row: dict[str, Any] = {"user_id": "u", "state": "completed", "stage": "delivery", "source": "b", "filename": "f"}
    row |= {"size_bytes": 1, "upload": {}, "submitted_by": "u", "rounds": 0, "created_at": now, "updated_at": now}
    return row | {"finished_at": now, "fence": 0, "has_work": False, "failures": 0, "lost_leases": 0}
