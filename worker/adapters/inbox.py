"""An inbox that is a folder on this machine: whatever lies there once it has come to rest is an upload."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from schemas import ids
from schemas.event import Delivery, ObjectFinalized, ObjectIgnored
from schemas.outcome import Verdict

LOOK_S = 1.0
"""How often the folder is looked at. A file that did not change between two looks is taken for written."""
SHOWN_LENGTH = 200
"""Of a longer path, so many characters are told: its first and its last."""


class WatchedFolder:
    """Deliveries of the files below `folder`/`prefix`, each once a generation; a refused one is brought again."""

    name = "inbox"

    def __init__(self, folder: Path, prefix: str, look_s: float = LOOK_S) -> None:
        self._folder, self._prefix, self._look_s = folder, prefix, look_s
        self._seen: dict[str, tuple[int, int]] = {}
        self._brought: set[tuple[str, int]] = set()
        self._open = asyncio.Event()
        self._open.set()

    async def run(self, take: Callable[[Delivery], Awaitable[Verdict]], stop: asyncio.Event) -> None:
        """Bring what comes to rest, until `stop` is set."""
        (self._folder / self._prefix).mkdir(parents=True, exist_ok=True)
        while not stop.is_set():
            await self._open.wait()
            for key, delivery in await asyncio.to_thread(self.look):
                if await take(delivery) == "ack":
                    self._brought.add(key)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self._look_s)

    def pause(self) -> None:
        """Look no further until `resume`."""
        self._open.clear()

    def resume(self) -> None:
        """Look again."""
        self._open.set()

    def look(self) -> list[tuple[tuple[str, int], Delivery]]:
        """Deliveries, each with its generation, of files that are as they were at the last look and not brought yet."""
        found: dict[str, tuple[int, int]] = {}
        # A walk passes over folders that are taken away meanwhile.
        walk = os.walk(self._folder / self._prefix)
        for path in sorted(Path(folder, name) for folder, _, names in walk for name in names):
            name = path.relative_to(self._folder).as_posix()
            if ids.is_hidden(name):
                continue
            with suppress(OSError):
                seen = path.stat()
                if stat.S_ISREG(seen.st_mode):
                    found[name] = (seen.st_mtime_ns, seen.st_size)
        at_rest = [(name, *state) for name, state in found.items() if self._seen.get(name) == state]
        self._seen = found
        return [(each[:2], self._delivery(*each)) for each in at_rest if each[:2] not in self._brought]

    def _delivery(self, name: str, generation: int, size_bytes: int) -> Delivery:
        bucket = str(self._folder)
        job_id = ids.job_id_of_object(bucket, name, generation)
        told = {"job_id": job_id, "bucket": bucket, "name": name, "generation": generation, "size_bytes": size_bytes}
        try:
            event = ObjectFinalized.model_validate(told)
        except ValidationError:
            event = _left_alone(job_id, name)
        return Delivery(subscription=self.name, message_id=job_id, body=event.model_dump(mode="json"))


def _left_alone(job_id: str, name: str) -> ObjectIgnored:
    """Of a file that no event can name: Linux lets names be any bytes, and paths longer than an object's name."""
    raw = os.fsencode(name)
    shown, fault = raw.decode(errors="backslashreplace"), "has too long a path; rename it, or put it elsewhere in there"
    if shown.encode() != raw:
        fault = "has a name, or lies in a folder with one, that is no UTF-8; rename it"
    shown = shown if len(shown) <= SHOWN_LENGTH else f"{shown[:20]}…{shown[20 - SHOWN_LENGTH :]}"
    return ObjectIgnored(job_id=job_id, name=shown, why=f"{shown} {fault}. It is left alone until then.")
