"""Putting a file into the inbox, a folder or a bucket, as people and programs do who upload one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import Any, Protocol

from schemas import ids

NUMBERED = 20
"""How many names are tried in a bucket, each by sending all of the file, before one that is drawn."""


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
            return self._name(part, ids.safe_name(filename), data)
        finally:
            part.unlink(missing_ok=True)

    def _name(self, part: Path, wanted: str, data: bytes) -> str:
        """The first name that is free or holds `data`; the file has it then."""
        for name in _names(wanted):
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
    """An inbox that is a bucket of Cloud Storage's; objects go below `prefix`, and none is written over another.

    The right to create objects is enough; with the right to read them too, the same bytes again stay one object.
    """

    def __init__(self, client: Any, bucket: str, prefix: str) -> None:
        self._bucket, self._prefix = client.bucket(bucket), prefix

    def put(self, filename: str, data: bytes) -> str:
        """The name, numbered if another object has it. Raises as google_clients.storage_trouble does.

        A generation that another follows within a moment would be gone before anybody reads it.
        """
        from google.api_core.exceptions import Forbidden, PreconditionFailed

        from worker.adapters.google_clients import storage_trouble

        names = islice(_names(ids.safe_name(filename)), NUMBERED)
        with storage_trouble(f"the inbox {self._bucket.name}"):
            for name in names:
                try:
                    return self._create(name, data)
                except PreconditionFailed:
                    same = self._holds(name, data)
                except Forbidden:
                    # So it may be said too that there is one, to who has no right to delete it.
                    same = self._holds(name, data)
                    if same is None:
                        break
                if same:
                    return name
            wanted = Path(ids.safe_name(filename))
            return self._create(f"{wanted.stem} ({secrets.token_hex(6)}){wanted.suffix}", data)

    def _create(self, name: str, data: bytes) -> str:
        self._bucket.blob(self._prefix + name).upload_from_string(
            data, content_type="application/octet-stream", if_generation_match=0, **_patience()
        )
        return name

    def _holds(self, name: str, data: bytes) -> bool | None:
        """Whether the object holds `data`; None if nobody knows: there is none, or we may not read it."""
        from google.api_core.exceptions import Forbidden

        with suppress(Forbidden):
            if there := self._bucket.get_blob(self._prefix + name, **_patience()):
                held = there.size == len(data)
                return held and there.download_as_bytes(raw_download=True, **_patience()) == data
        return None


def _patience() -> dict[str, Any]:
    from worker.adapters.google_clients import STORAGE_RETRY, STORAGE_TIMEOUT_S

    return {"timeout": STORAGE_TIMEOUT_S, "retry": STORAGE_RETRY}


def _names(wanted: str) -> Iterator[str]:
    """The name itself, then numbered ones without end."""
    name = Path(wanted)
    yield wanted
    yield from (f"{name.stem} ({number}){name.suffix}" for number in count(2))
