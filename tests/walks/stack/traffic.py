"""What comes in during a walk: uploads by Cloud Storage's own client, its words on them, and what nobody wants."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import Any

from google.pubsub_v1.types import PubsubMessage

from schemas import ids
from tests.walks.stack.servers import Stack
from tests.walks.workbook import small_workbook
from worker.adapters.google_clients import open_publisher
from worker.topology import read_topology

GARBAGE: tuple[tuple[bytes, dict[str, str]], ...] = (
    (b"\xff\xfe no JSON", {}),
    (b"{}", {}),
    (b'{"kind": "StageRequested"}', {}),
    (b'{"kind": "StageRequested", "job_id": "of nobody", "stage": "delivery"}', {}),
    (b'{"kind": "Strange", "job_id": "x"}', {"kind": "Strange"}),
    (b"[" * 5000, {}),
    (b"x" * 1_500_000, {}),
    (b"{}", {"eventType": "OBJECT_FINALIZE", "bucketId": "another", "objectId": "inbox/a.xlsx"}),
)
POISON = b"this is no workbook, whatever its name says"


@dataclass(frozen=True)
class Upload:
    """An object in the inbox: at what generation, how large, and what should become of its job.

    `completed`; `quarantined` for a file that can't be read; `either` for one that was written over soon after, whose
    job may have read it before that, or found it gone, or never be opened.
    """

    name: str
    generation: int
    size: int
    end: str

    def job_id(self, bucket: str) -> str:
        """The id of its job."""
        return ids.job_id_of_object(bucket, self.name, self.generation)


@dataclass
class Traffic:
    """Uploads what a plan wants, and tells the topic of it; `told` are the messages that a server may have lost."""

    stack: Stack
    draw: random.Random
    copies: int = 2
    uploads: list[Upload] = field(default_factory=list[Upload])
    told: list[PubsubMessage] = field(default_factory=list[PubsubMessage])

    def put(self, number: int, data: bytes, end: str) -> Upload:
        """Upload one file."""
        blob = self.stack.client.bucket(self.stack.bucket("inbox")).blob(f"inbox/user{number % 5}/deals {number}.xlsx")
        blob.upload_from_string(data)
        upload = Upload(blob.name, int(blob.generation), len(data), end)
        self.uploads.append(upload)
        return upload

    def fill(self, jobs: int, *, strange: bool) -> list[PubsubMessage]:
        """What is to be told of so many good files and, if it is to be `strange`, of poison and files written over."""
        good = small_workbook()
        for number in range(jobs):
            if strange and number % 10 == 3:
                self.put(number, good + b"\0", "either")
            self.put(number, good, "completed")
        if strange:
            self.put(jobs, POISON, "quarantined")
        messages = [self.finalized(upload) for upload in self.uploads for _ in range(self.copies)]
        if strange:
            messages += [PubsubMessage(data=data, attributes=attributes) for data, attributes in GARBAGE]
            messages += [self.finalized(upload, "OBJECT_METADATA_UPDATE") for upload in self.uploads[:3]]
        self.draw.shuffle(messages)
        return messages

    def finalized(self, upload: Upload, event: str = "OBJECT_FINALIZE") -> PubsubMessage:
        """What Cloud Storage tells of an upload."""
        bucket, generation = self.stack.bucket("inbox"), str(upload.generation)
        payload = {"kind": "storage#object", "bucket": bucket, "name": upload.name, "generation": generation}
        attributes = {"eventType": event, "bucketId": bucket, "objectId": upload.name, "objectGeneration": generation}
        attributes |= {"payloadFormat": "JSON_API_V1", "notificationConfig": f"projects/_/buckets/{bucket}/1"}
        return PubsubMessage(data=json.dumps({**payload, "size": str(upload.size)}).encode(), attributes=attributes)

    async def tell(self, messages: list[PubsubMessage], within_s: float = 0) -> None:
        """Publish, one after another over so many seconds; a server that is away is waited for."""
        for message in messages:
            self.told.append(message)
            await publish(self.stack, "uploads", [message])
            await asyncio.sleep(self.draw.uniform(0, 2 * within_s / len(messages)))

    async def tell_again(self) -> None:
        """All once more: what the emulator forgot when it was restarted, Pub/Sub itself would have kept."""
        await publish(self.stack, "uploads", list(self.told))


async def publish(stack: Stack, topic: Any, messages: list[PubsubMessage]) -> None:
    """Publish to a topic, as often as it takes."""
    path = f"projects/{stack.project}/topics/{read_topology().topic_name(topic)}"
    while messages:
        client: Any = open_publisher(stack.pubsub.host)
        try:
            for at in range(0, len(messages), 100):
                await client.publish(topic=path, messages=messages[at : at + 100], retry=None, timeout=5.0)
        except Exception as away:  # noqa: BLE001 restarted just now
            print(f"publishing is tried again: {type(away).__name__}")
            await asyncio.sleep(0.2)
        else:
            return
        finally:
            await client.transport.close()
