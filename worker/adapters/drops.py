"""Putting a file into the inbox, a folder or a bucket, as people and programs do who upload one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from schemas import ids


class Drop(Protocol):
    """What takes a file for the inbox."""

    def put(self, filename: str, data: bytes) -> str:
        """The name under which the file now lies there, whole; one of that name is written over. Blocks meanwhile."""
        ...


class FolderDrop:
    """An inbox that is a folder; files go to `prefix` in it."""

    def __init__(self, folder: Path, prefix: str) -> None:
        self._folder = folder / prefix

    def put(self, filename: str, data: bytes) -> str:
        """The name; the file appears only when all of it is written."""
        name = ids.safe_name(filename)
        self._folder.mkdir(parents=True, exist_ok=True)
        # Whoever watches the folder passes over what begins with a dot.
        part = self._folder / f".{ids.derive(name, ids.sha256_hex(data))}"
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._folder / name)
        return name


class BucketDrop:
    """An inbox that is a bucket of Cloud Storage's; objects are named `prefix` and the file's name."""

    def __init__(self, client: Any, bucket: str, prefix: str) -> None:
        self._bucket, self._prefix = client.bucket(bucket), prefix

    def put(self, filename: str, data: bytes) -> str:
        """The name; raises TransientError as google_clients.storage_trouble does."""
        from worker.adapters.google_clients import STORAGE_TIMEOUT_S, storage_trouble

        name = ids.safe_name(filename)
        with storage_trouble(f"the inbox {self._bucket.name}"):
            self._bucket.blob(self._prefix + name).upload_from_string(
                data, content_type="application/octet-stream", timeout=STORAGE_TIMEOUT_S
            )
        return name
