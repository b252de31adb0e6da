"""Texts of several formats in one cell as people read them: no raised marks of footnotes, nothing struck out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

_ITEM = re.compile(rb"<(?:\w+:)?(si|is)\b[^<>]*>(?:(?!</(?:\w+:)?\1>).)*</(?:\w+:)?\1>", re.DOTALL)
_RUN = re.compile(rb"<(?:\w+:)?r(?:\s[^<>]*)?>(?:(?!</(?:\w+:)?r>).)*</(?:\w+:)?r>", re.DOTALL)
_TEXT = re.compile(rb"(<(?:\w+:)?t(?:\s[^<>]*)?>)([^<]*)(</(?:\w+:)?t>)")
_RAISED = re.compile(rb"vertAlign\b[^<>]*\bval\s*=\s*[\"']superscript")
_STRUCK = re.compile(rb"<(?:\w+:)?strike\b(?![^<>]*\bval\s*=\s*[\"'](?:0|false|off))")
#: What a raised run holds that is a footnote's mark: a number or two, a letter, an asterisk.
_MARK = re.compile(r"\s*[(\[]?(?:\d{1,2}(?:\s*[,;]\s*\d{1,2})*|[a-z*†‡§]|\*{2,3})[)\]]?\s*")
_LENGTH = re.compile(r"(?:^|[^a-z])(?:m|ft|km|yd|cm|mi|in|feet|met(?:er|re)s?)\s*$", re.IGNORECASE)
Marks = tuple[bool, bool]
"""Whether a font raises text, and whether it strikes it out."""
_NEAR = 40
_POWERS = {"2": "²", "3": "³"}


def is_marked(xml: bytes) -> bool:
    """Whether a part, or a piece of it, may hold raised or struck-out text."""
    return b"superscript" in xml or b"strike" in xml


def plain_items(xml: bytes) -> bytes:
    """A part's texts with no raised marks and nothing struck out, where something else is left of one.

    A raised 2 or 3 behind a unit of length stays a power.
    """
    return _ITEM.sub(lambda item: _plain(item[0]) if is_marked(item[0]) else item[0], xml)


def left_of(read: str, text: str, *, raised: bool, struck: bool) -> str:
    """What a run of `text` adds to a value of which `read` has been read: nothing for marks and what is struck out.

    A raised 2 or 3 behind a unit of length is a power.
    """
    if raised and text.strip() in _POWERS and _LENGTH.search(read[-_NEAR:]):
        return _POWERS[text.strip()]
    return "" if struck or (raised and _MARK.fullmatch(text)) else text


def without_marks(wide: bytes, runs: Iterable[tuple[int, int]], fonts: Sequence[Marks]) -> str | None:
    """What is left of a text in UTF-16 whose `runs`, (first letter, font), begin in fonts of `fonts`; None for all.

    What stands before the first run is in the cell's own font; a run that goes back begins nothing.
    """
    kept, read, is_whole = list[bytes](), "", True
    begin, own = 0, (False, False)
    for start, font in chain(runs, ((len(wide) // 2, 0),)):
        if start < begin:
            continue
        piece = wide[2 * begin : 2 * start]
        text = piece.decode("utf-16-le", "replace")
        left = left_of(read, text, raised=own[0], struck=own[1])
        kept.append(piece if left == text else left.encode("utf-16-le"))
        read, is_whole = (read + left)[-_NEAR:], is_whole and left == text
        begin, own = start, fonts[font] if font < len(fonts) else (False, False)
    plain = b"".join(kept).decode("utf-16-le", "replace")
    return plain if plain.strip() and not is_whole else None


def _plain(item: bytes) -> bytes:
    kept: list[bytes] = []
    read, end = "", 0
    for run in _RUN.finditer(item):
        kept.append(item[end : run.start()])
        end = run.end()
        text = "".join(match[2].decode("utf-8", "replace") for match in _TEXT.finditer(run[0]))
        raised, struck = (mark.search(run[0]) is not None for mark in (_RAISED, _STRUCK))
        left = left_of(read, text, raised=raised, struck=struck)
        kept.append(run[0] if left == text else _with_text(run[0], left) if left else b"")
        read += left
    return b"".join((*kept, item[end:])) if read.strip() else item


def _with_text(run: bytes, text: str) -> bytes:
    return _TEXT.sub(lambda match: match[1] + text.encode() + match[3], run)
