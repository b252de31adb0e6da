"""Texts of several styles in one cell of an ods file, without raised marks of footnotes and what is struck out."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from tools.workbook.rich_text import left_of

_CELL = re.compile(rb"<((?:[\w.-]+:)?table-cell)(?:\s[^<>]*)?(?<!/)>.*?</\1>", re.DOTALL)
_NOTE = re.compile(rb"<((?:[\w.-]+:)?annotation)(?:\s[^<>]*)?(?<!/)>.*?</\1>", re.DOTALL)
_SPAN = re.compile(rb"(<((?:[\w.-]+:)?span)(?:\s[^<>]*)?(?<!/)>)([^<]*)(</\2>)")
_STYLE = re.compile(rb"\bstyle-name\s*=\s*[\"']([^\"']*)")
_INLINE = re.compile(rb"</?(?:[\w.-]+:)?(?:span|a)(?:\s[^<>]*)?>")
_TAG = re.compile(rb"<[^<>]*>")
Marks = Mapping[str, tuple[bool, bool]]
"""By the name of a style of text, whether it is raised and whether it is struck out."""


def plain_cells(content: bytes, marks: Marks) -> bytes:
    """The content of a file without what its cells show in a style of `marks`, where something else is left of one."""
    return _CELL.sub(lambda cell: _plain(cell[0], marks) if b"span" in cell[0] else cell[0], content)


def _plain(cell: bytes, marks: Marks) -> bytes:
    kept: list[bytes] = []
    bare, read, end = _NOTE.sub(b"", cell), "", 0
    for span in _SPAN.finditer(bare):
        kept.append(bare[end : span.start()])
        read, end = read + _text(kept[-1]), span.end()
        style, text = _STYLE.search(span[1]), _text(span[3])
        raised, struck = marks.get(html.unescape(style[1].decode("utf-8", "replace")) if style else "", (False, False))
        left = left_of(read, text, raised=raised, struck=struck)
        kept.append(span[0] if left == text else span[1] + html.escape(left).encode() + span[4])
        read += left
    kept.append(bare[end:])
    return b"".join(kept) if (read + _text(kept[-1])).strip() else cell


def _text(xml: bytes) -> str:
    return html.unescape(_TAG.sub(b" ", _INLINE.sub(b"", xml)).decode("utf-8", "replace"))
