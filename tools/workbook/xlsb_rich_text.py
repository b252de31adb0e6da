"""Texts of several fonts in one cell of an xlsb file, without raised marks of footnotes and what is struck out."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

from tools.workbook.rich_text import Marks, without_marks
from tools.workbook.xlsb_records import records

_FONT, _TEXT = 43, 19
_STRUCK, _RAISED = 0x08, 1
_RUN = Struct("<HH")


def font_marks(styles: bytes) -> list[Marks]:
    """Of each font in the part of styles, whether it raises text and whether it strikes it out."""
    return [
        (data[6:8] == bytes([_RAISED, 0]), bool(data[2] & _STRUCK))
        for kind, at, size in records(styles)
        if kind == _FONT and len(data := styles[at : at + min(size, 8)]) == 8
    ]


def plain_strings(part: bytes, fonts: Sequence[Marks]) -> bytes:
    """The part of shared texts without what is set in marked fonts, where something else is left of a text."""
    kept, done, start = list[bytes](), 0, 0
    for kind, at, size in records(part):
        item = part[at : at + size] if kind == _TEXT else b""
        if item and item[0] & 1 and (left := _left(item, fonts)) is not None:
            kept += (part[done:start], _record(left))
            done = at + size
        start = at + size
    return b"".join((*kept, part[done:]))


def _left(item: bytes, fonts: Sequence[Marks]) -> str | None:
    """What is left of a text: flags, its letters, then the runs and where each begins; None for all of it."""
    letters = int.from_bytes(item[1:5], "little")
    wide, at = item[5 : 5 + 2 * letters], 5 + 2 * letters
    count = int.from_bytes(item[at : at + 4], "little")
    runs = item[at + 4 : at + 4 + _RUN.size * count]
    return without_marks(wide, _RUN.iter_unpack(runs[: len(runs) // _RUN.size * _RUN.size]), fonts)


def _record(text: str) -> bytes:
    wide = text.encode("utf-16-le", "replace")
    content = bytes(1) + (len(wide) // 2).to_bytes(4, "little") + wide
    size = bytes((len(content) >> 7 * n & 0x7F) | 0x80 for n in range(3)) + bytes([len(content) >> 21])
    return bytes([_TEXT]) + size + content
