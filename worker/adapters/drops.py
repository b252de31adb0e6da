"""Putting a file into the inbox, a folder or a bucket, as people and programs do who upload one."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from schemas import ids


class Drop(Protocol):
    """What takes a file for the inbox."""

    def put(self, filename: str, data: bytes) -> str:
        """The name under which the file now lies there, whole. Blocks meanwhile."""
        ...


class FolderDrop:
    """An inbox that is a folder; files go to `prefix` in it, and none is written over another."""

    def __init__(self, folder: Path, prefix: str) -> None:
        self._folder = folder / prefix

    def put(self, filename: str, data: bytes) -> str:
        """The name, numbered if another file has it; the file appears only when all of it is written.

        What lies there already, byte for byte, is left as it is, and its name is given.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        # Whoever watches the folder passes over what begins with a dot.
        part = self._folder / f".{secrets.token_hex(16)}"
        try:
            with part.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            return self._name(part, Path(ids.safe_name(filename)), data)
        finally:
            part.unlink(missing_ok=True)

    def _name(self, part: Path, wanted: Path, data: bytes) -> str:
        """The first name that is free or holds `data`; the file has it then."""
        for number in count(1):
            name = wanted.name if number == 1 else f"{wanted.stem} ({number}){wanted.suffix}"
            place = self._folder / name
            try:
                _appear(part, place)
            except FileExistsError:
                if not _holds(place, data):
                    continue
            return name
        raise AssertionError("there is always another number")


def _appear(part: Path, place: Path) -> None:
    """Give the file its name; raises FileExistsError if there is something of that name."""
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has hard links. An empty file holds the name for that moment.
        place.open("xb").close()
        part.replace(place)


def _holds(place: Path, data: bytes) -> bool:
    with suppress(FileNotFoundError):
        return place.is_file() and place.stat().st_size == len(data) and place.read_bytes() == data
    return False


class BucketDrop:
    """An inbox that is a bucket of Cloud Storage's; objects are named `prefix` and the file's name."""

    def __init__(self, client: Any, bucket: str, prefix: str) -> None:
        self._bucket, self._prefix = client.bucket(bucket), prefix

    def put(self, filename: str, data: bytes) -> str:
        """The name; one of that name becomes an older generation. Raises as google_clients.storage_trouble does."""
        from worker.adapters.google_clients import STORAGE_TIMEOUT_S, storage_trouble

        name = ids.safe_name(filename)
        with storage_trouble(f"the inbox {self._bucket.name}"):
            self._bucket.blob(self._prefix + name).upload_from_string(
                data, content_type="application/octet-stream", timeout=STORAGE_TIMEOUT_S
            )
        return name
