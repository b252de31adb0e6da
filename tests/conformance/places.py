"""The places of files, folders and buckets, each with the same handles for tests."""

from __future__ import annotations

import gzip
import os
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from worker.adapters.files import DeliveryFolder, FolderObjects
from worker.adapters.gcs import GcsDeliveries, GcsObjects
from worker.adapters.google_clients import link_signer, open_storage
from worker.ports import Deliveries, Objects


class Store(Protocol):
    """Somewhere that files are put and read."""

    objects: Objects
    bucket: str

    def put(self, name: str, data: bytes) -> int:
        """The generation of the file that was just put there."""
        ...

    def delete(self, name: str) -> None:
        """Take it away."""
        ...

    def deliveries(self) -> Deliveries:
        """Where documents are delivered to, in this place."""
        ...

    def held(self, place: str) -> dict[str, tuple[bytes, int]]:
        """Bytes and generation by name of what a place holds."""
        ...


@dataclass
class Folder:
    """A folder; a file's generation is its time of change."""

    bucket: str
    generation: int = 1_000_000_000
    objects: Objects = field(default_factory=FolderObjects)

    def put(self, name: str, data: bytes) -> int:
        """Each with a later time: two writes may be within one tick of the clock."""
        path = Path(self.bucket) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.generation += 1000
        os.utime(path, ns=(self.generation, self.generation))
        return self.generation

    def delete(self, name: str) -> None:
        """Take it away."""
        (Path(self.bucket) / name).unlink()

    def deliveries(self) -> DeliveryFolder:
        """A folder inside."""
        return DeliveryFolder(Path(self.bucket) / "delivered")

    def held(self, place: str) -> dict[str, tuple[bytes, int]]:
        """Bytes and time of change."""
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in Path(place).iterdir()}


class Bucket:
    """A bucket of its own in the stand-in for Cloud Storage."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client: Any = open_storage("p", url)
        self.bucket = f"test-{uuid.uuid4().hex[:20]}"
        self.client.create_bucket(self.bucket)
        self.objects = GcsObjects(self.client)

    def put(self, name: str, data: bytes) -> int:
        """Upload it by the library."""
        blob = self.client.bucket(self.bucket).blob(name)
        blob.upload_from_string(data)
        return int(blob.generation)

    def put_compressed(self, name: str, data: bytes) -> int:
        """Upload it as `gcloud storage cp --gzip-local` does."""
        blob = self.client.bucket(self.bucket).blob(name)
        blob.content_encoding = "gzip"
        blob.upload_from_string(gzip.compress(data))
        return int(blob.generation)

    def delete(self, name: str) -> None:
        """Take it away."""
        self.client.bucket(self.bucket).delete_blob(name)

    def deliveries(self) -> GcsDeliveries:
        """A prefix inside."""
        return GcsDeliveries(self.client, self.bucket, "delivered", link_signer(self.url))

    def held(self, place: str) -> dict[str, tuple[bytes, int]]:
        """Bytes and generation."""
        prefix = place.removeprefix(f"gs://{self.bucket}/")
        blobs = self.client.list_blobs(self.bucket, prefix=prefix)
        return {blob.name.removeprefix(prefix): (blob.download_as_bytes(), int(blob.generation)) for blob in blobs}

    def close(self) -> None:
        """Close the client's connections."""
        self.client.close()
