"""The records of an xls file's stream ([MS-XLS] 2.1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

_HEAD = Struct("<HH")


def records(stream: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """(kind, where its contents start, their size) of each record from `at` on."""
    unpack, end = _HEAD.unpack_from, len(stream) - _HEAD.size
    while 0 <= at <= end:
        kind, size = unpack(stream, at)
        yield kind, at + 4, size
        at += 4 + size
