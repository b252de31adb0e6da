"""Ports of ours that have more than one adapter: what the flow asks of the places where files come from and go to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from schemas.event import Delivery
from schemas.outcome import Verdict


class Objects(Protocol):
    """Where uploads lie: a bucket, or a folder."""

    def read(self, bucket: str, name: str, generation: int, limit_bytes: int) -> bytes:
        """The bytes of just that generation of an object; blocks meanwhile.

        Raises InputError `object.gone` if it was deleted, `object.superseded` if a newer one was written over it that
        is a job of its own, `object.outside` for a file that lies elsewhere, `file.*` where it is empty or beyond
        the limit, and TransientError `store.unavailable` if the store can't be reached.
        """
        ...


@dataclass(frozen=True, slots=True)
class Listed:
    """An object that lies somewhere, in its newest generation, and since when."""

    name: str
    generation: int
    size_bytes: int
    created_at: datetime


@runtime_checkable
class ListsObjects(Protocol):
    """Objects that may lie there without anybody having told of them: a watched folder is looked at anyway."""

    def listed(self, bucket: str, prefix: str, after: str, limit: int) -> list[Listed]:
        """The first `limit` objects below the prefix whose names come after `after`, by name; blocks meanwhile.

        Raises TransientError `store.*` if the store can't be reached or refuses.
        """
        ...


class Deliveries(Protocol):
    """Where approved documents are delivered to."""

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """The place that now holds exactly `files`, by name; the same files again change nothing. Blocks meanwhile."""
        ...


class Source(Protocol):
    """What brings deliveries: a subscription, a watched folder."""

    name: str

    async def run(self, take: Callable[[Delivery], Awaitable[Verdict]], stop: asyncio.Event) -> None:
        """Hand deliveries over, and settle each by its verdict, until `stop` is set and none is in hand any more."""
        ...

    def pause(self) -> None:
        """Bring nothing new until `resume`; pausing twice is pausing once."""
        ...

    def resume(self) -> None:
        """Bring what there is."""
        ...
