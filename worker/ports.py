"""Ports of ours that have more than one adapter: what the flow asks of the places where files come from and go to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Objects(Protocol):
    """Where uploads lie: a bucket, or a folder."""

    def read(self, bucket: str, name: str, generation: int, limit_bytes: int) -> bytes:
        """The bytes of just that generation of an object; blocks meanwhile.

        Raises InputError `object.gone` if it was deleted or written over, `file.too_large` beyond the limit, and
        TransientError `store.unavailable` if the store can't be reached.
        """
        ...


class Deliveries(Protocol):
    """Where approved documents are delivered to."""

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """The place that now holds exactly `files`, by name; the same files again change nothing. Blocks meanwhile."""
        ...
