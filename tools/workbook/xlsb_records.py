"""The records of an xlsb file's parts ([MS-XLSB] 2.1.4)."""

from __future__ import annotations

from collections.abc import Iterator


def records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(kind, where its contents start, their size) of each record: kind and size are in groups of seven bits."""
    at, end = 0, len(data)
    while at < end:
        kind = data[at]
        at += 1
        if kind & 0x80 and at < end:
            kind = (kind & 0x7F) | (data[at] & 0x7F) << 7
            at += 1
        size = shift = 0
        while at < end and shift < 28:
            byte = data[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, at, size
        at += size


def text_at(data: bytes, at: int) -> str:
    """The text whose number of letters stands at `at`; "" for one that is longer than the part."""
    size = int.from_bytes(data[at : at + 4], "little")
    return data[at + 4 : at + 4 + 2 * size].decode("utf-16-le", "replace") if size < len(data) else ""
