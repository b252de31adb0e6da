"""What anybody may publish, and what uploads turn out to be, over the emulators: each has its outcome, none blocks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from schemas import ids
from schemas.event import ObjectFinalized, StageRequested
from schemas.job import JobDetail
from tests.conformance.places import Bucket
from tests.hostile import calls
from tests.walks.workbook import small_workbook
from tools.isolation import extraction
from worker import jobs
from worker.adapters import provisioning
from worker.adapters.google_clients import open_publisher
from worker.app import App
from worker.bootstrap import open_app
from worker.commands import sweep
from worker.commands.work import serve_roles
from worker.ledger.jobs import open_job_of_object
from worker.ledger.leases import LeaseTerms, take_lease
from worker.ledger.tables import delivery
from worker.settings import Settings
from worker.topology import read_topology

OBJECT = {"eventType": "OBJECT_FINALIZE", "payloadFormat": "JSON_API_V1"}


class Sender:
    """Publishes whatever it is given, as anybody who may publish can; keeps the server's ids."""

    def __init__(self, project: str, host: str) -> None:
        self._project, self._client = project, open_publisher(host)

    async def send(self, topic: str, data: bytes, **attributes: str) -> str:
        """The server's id of the message."""
        client: Any = self._client
        name = f"projects/{self._project}/topics/{read_topology().topics[topic].name}"
        answer = await client.publish(topic=name, messages=[{"data": data, "attributes": attributes}])
        return str(answer.message_ids[0])

    async def notify(self, bucket: str, name: str, generation: int, size: int, **changes: str) -> str:
        """The message by which Cloud Storage tells of an object."""
        about = {"bucket": bucket, "name": name, "generation": str(generation), "size": str(size)}
        told = {**OBJECT, "bucketId": bucket, "objectId": name, "objectGeneration": str(generation), **changes}
        return await self.send("uploads", json.dumps(about).encode(), **told)

    async def close(self) -> None:
        """Close the connection."""
        client: Any = self._client
        await client.transport.close()


@pytest.fixture
def bucket(gcs_url: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An inbox of the test's own."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", gcs_url)
    made = Bucket(gcs_url)
    yield made
    made.close()


@pytest.fixture
def settings(
    tmp_path: Path, project: str, pubsub_host: str, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """Settings of a worker over the emulators."""
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", pubsub_host)
    return Settings(
        state_dir=tmp_path / "state",
        transport="pubsub",
        project=project,
        inbox=f"gs://{bucket.bucket}",
        max_file_bytes=50_000,
        max_inflated_bytes=10_000_000,
    )


@asynccontextmanager
async def sending(settings: Settings, host: str) -> AsyncGenerator[Sender]:
    """Topics and subscriptions, and who publishes to them."""
    await provisioning.make_queues(read_topology(), settings.project, host)
    sender = Sender(settings.project, host)
    yield sender
    await sender.close()


async def outcomes(app: App) -> dict[str, str]:
    """What became of each message, by the server's id."""
    rows = await app.ledger.rows(select(delivery))
    return {row["message_id"]: row["outcome"] for row in rows}


async def until(true: Callable[[], Any], within_s: float = 50) -> None:
    """Return once it is true; only the ledger knows."""
    async with asyncio.timeout(within_s):
        while not await true():  # noqa: ASYNC110 nobody signals what another part of the process commits
            await asyncio.sleep(0.1)


async def test_strange_messages_and_uploads_have_their_outcomes_and_hold_nothing_up(
    settings: Settings, pubsub_host: str, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything strange first, a good upload last: it gets to its approval, and each other one is told what it is."""
    read = extraction.run_limited

    def poisoned(function: Any, *given: Any, **limits: Any) -> Any:
        poison = limits["subject"] == "poison.xlsx"
        return read(calls.abort, **limits) if poison else read(function, *given, **limits)

    monkeypatch.setattr(extraction, "run_limited", poisoned)
    async with sending(settings, pubsub_host) as sender:
        ignored = {
            "garbage": await sender.send("work", b"\x00\xff\xfe garbage"),
            "no object": await sender.send("work", b"[1, 2, 3]"),
            "deep": await sender.send("work", b"[" * 100_000),
            "unknown event": await sender.send("work", b'{"kind": "DealsShredded", "job_id": "x"}'),
            "fields missing": await sender.send("work", b'{"kind": "StageRequested"}'),
            "huge": await sender.send("work", json.dumps({"kind": "StageRequested", "x": "y" * 3_000_000}).encode()),
            "no such job": await sender.send(
                "work", StageRequested(job_id="f" * 64, stage="delivery").model_dump_json().encode()
            ),
            "garbage upload": await sender.send("uploads", b"{", **OBJECT),
            "another bucket": await sender.notify("somebody-elses", "inbox/a.xlsx", 1, 10),
            "outside the inbox": await sender.notify(bucket.bucket, "delivered/a.xlsx", 1, 10),
            "metadata": await sender.notify(bucket.bucket, "inbox/a.xlsx", 1, 10, eventType="OBJECT_METADATA_UPDATE"),
            "deleted": await sender.notify(bucket.bucket, "inbox/a.xlsx", 1, 10, eventType="OBJECT_DELETE"),
        }
        uploads = {
            "inbox/gone.xlsx": ("object.gone", b"x"),
            "inbox/empty.xlsx": ("file.empty", b""),
            "inbox/large.xlsx": ("file.too_large", b"x" * 60_000),
            "inbox/poison.xlsx": ("file.poison", small_workbook()),
            "inbox/good.xlsx": (None, small_workbook()),
        }
        told: dict[str, str] = {}
        for name, (_, data) in uploads.items():
            generation = bucket.put(name, data)
            told[name] = ids.job_id_of_object(bucket.bucket, name, generation)
            if name == "inbox/gone.xlsx":
                bucket.delete(name)
            for _ in range(2):
                await sender.notify(bucket.bucket, name, generation, len(data))
        stop = asyncio.Event()
        running = asyncio.create_task(serve_roles(settings, ["uploads", "work", "renders"], stop))
        async with open_app(settings) as app:

            async def over() -> bool:
                known = await jobs.list_jobs(app)
                rested = len(known) == len(uploads) and all(each.state in ("waiting", "quarantined") for each in known)
                return rested and set(ignored.values()) <= set(await outcomes(app))

            await until(over)
            stop.set()
            assert await running is None
            found = await outcomes(app)
            assert {what: found[message_id] for what, message_id in ignored.items()} == dict.fromkeys(
                ignored, "Ignored"
            )
            details: dict[str, JobDetail] = {name: await jobs.show_job(app, job_id) for name, job_id in told.items()}
    reasons = {name: detail.reason.code if detail.reason else None for name, detail in details.items()}
    assert reasons == {name: code for name, (code, _) in uploads.items()}
    assert {len(detail.attempts) for name, detail in details.items() if name != "inbox/good.xlsx"} == {1}


async def test_a_message_for_a_job_that_another_worker_holds_is_acked_and_leaves_word(
    settings: Settings, pubsub_host: str, bucket: Bucket
) -> None:
    """Busy is no failure: it is not delivered again, and whoever holds the job knows that there is more."""
    async with sending(settings, pubsub_host) as sender:
        stop = asyncio.Event()
        running = asyncio.create_task(serve_roles(settings, ["work"], stop))
        first = await sender.send("work", b"garbage")
        async with open_app(settings) as app:
            generation = bucket.put("inbox/a.xlsx", small_workbook())
            job_id = ids.job_id_of_object(bucket.bucket, "inbox/a.xlsx", generation)
            about = {"job_id": job_id, "bucket": bucket.bucket, "name": "inbox/a.xlsx"}
            event = ObjectFinalized.model_validate({**about, "generation": generation, "size_bytes": 9})

            async def told(message_id: str) -> bool:
                return message_id in await outcomes(app)

            # A worker alone on its database breaks all leases when it starts; this one has.
            await until(lambda: told(first))
            await open_job_of_object(app.ledger, event, "default")
            async with app.ledger.change(job_id, "test") as change:
                assert await take_lease(change, change.job, LeaseTerms("another", 600), "extraction")
            asked = StageRequested(job_id=job_id, stage="extraction").model_dump_json().encode()
            message = await sender.send("work", asked)
            await until(lambda: told(message))
            stop.set()
            await running
            assert (await outcomes(app))[message] == "Busy"
            row = await app.ledger.job(job_id)
            assert (row["has_work"], row["lease_holder"], row["failures"]) == (True, "another", 0)


async def test_dead_letters_are_told_apart_and_their_jobs_go_on(
    settings: Settings, pubsub_host: str, bucket: Bucket
) -> None:
    """An upload that nobody took becomes a job, an unfinished job is given its message anew, all are taken away."""
    async with sending(settings, pubsub_host) as sender:
        about = {"bucket": bucket.bucket, "name": "inbox/a.xlsx", "generation": "5", "size": "9"}
        upload = {**OBJECT, "bucketId": bucket.bucket, "objectId": "inbox/a.xlsx", "objectGeneration": "5"}
        job_id = ids.job_id_of_object(bucket.bucket, "inbox/a.xlsx", 5)
        await sender.send("dead", json.dumps(about).encode(), **upload)
        await sender.send("dead", json.dumps(about).encode(), **{**upload, "eventType": "OBJECT_DELETE"})
        await sender.send("dead", b"garbage")
        stray = StageRequested(job_id="f" * 64, stage="delivery").model_dump_json().encode()
        await sender.send("dead", stray)
        first, swept = await sweep._sweep(settings, dead=True)
        assert {(each.kind, each.job_id, each.about, each.became) for each in first} == {
            ("ObjectFinalized", job_id, "inbox/a.xlsx", "opened"),
            ("ObjectIgnored", "", "OBJECT_DELETE", "ignored"),
            ("", "", "", "unreadable"),
            ("StageRequested", "f" * 64, "", "unknown job"),
        }
        assert swept.published == 1
        again = StageRequested(job_id=job_id, stage="extraction").model_dump_json().encode()
        await sender.send("dead", again)
        second, swept = await sweep._sweep(settings, dead=True)
        assert [(each.state, each.became) for each in second] == [("received", "reissued")]
        assert swept.published == 1
        assert (await sweep._sweep(settings, dead=True))[0] == []
