"""Bounds on one tag and one text of an XML part, kept before a parser holds it: parsers take in a tag as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tools.workbook import refusal
from tools.workbook.xml_events import events

LONGEST_TAG_BYTES = 1 << 20
"""Three times what Excel writes at the most into one attribute.

A text there has up to 32,767 characters, ten bytes each where they are escaped; a list of ranges up to the 8,192 that
Excel selects at once, 30 bytes each ("Excel specifications and limits").
"""
_LONGEST_TEXT_BYTES = 32 * LONGEST_TAG_BYTES
_MOST_MARKS = 2_000_000
_MOST_ATTRIBUTES = 250
_LETTER = b"A"
_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml\s")
_DECLARED = re.compile(rb"\A\s*<\?xml\s.*?\?>", re.DOTALL)
_ASIDE = re.compile(rb"<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<\?(?!xml\s).*?\?>", re.DOTALL)
_CODED = re.compile(rb"(<(?:[\w.-]+:)?v(?:\s[^<>]*)?>)([^<&]*+&[^<]*+)")
_CODE = re.compile(rb"&#(?:0*(\d{2,3})|x0*([0-9A-Fa-f]{2}));")
_TAG = re.compile(rb"<(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")


def within_bounds(pieces: Iterable[bytes], filename: str) -> Iterator[bytes]:
    """The same pieces, of no more than LONGEST_TAG_BYTES each; raises InputError for a longer tag, or text without end.

    No attribute holds a `<`, so a long tag or text is a long stretch without one. It cannot lie within a piece.
    """
    held, open_bytes = bytearray(), 0
    for piece in pieces:
        first, last = piece.find(b"<"), piece.rfind(b"<")
        open_bytes += len(piece) if first < 0 else first
        if open_bytes > _LONGEST_TEXT_BYTES:
            raise refusal.unsafe(filename, f"holds a text of more than {_LONGEST_TEXT_BYTES:,} bytes")
        if held:
            held += piece if first < 0 else piece[:first]
            if len(held) > LONGEST_TAG_BYTES:
                if not _TAG.match(held):
                    raise refusal.unsafe(filename, f"holds a tag of more than {LONGEST_TAG_BYTES:,} bytes")
                held.clear()
        if first >= 0:
            held, open_bytes = bytearray(piece[last:]), len(piece) - last
        yield piece


def noting_odd(pieces: Iterable[bytes], note: Callable[[], None]) -> Iterator[bytes]:
    """The same pieces; calls `note` for comments, CDATA and instructions in them, and for a `<` that begins no tag."""
    last, at = b"", 0
    for piece in pieces:
        text = np.frombuffer(last + piece + _LETTER, np.uint8)
        leading = text[np.flatnonzero(text == ord("<")) + 1]
        odd = int(np.count_nonzero((leading < _LETTER[0]) & (leading != ord("/"))))
        # The declaration at the beginning is the usual one.
        if odd - (not at and _DECLARATION.match(piece) is not None):
            note()
        at += len(piece)
        last = piece[-1:] if piece[-1:] == b"<" else b""
        yield piece


def without_asides(content: bytes) -> bytes:
    """Well-formed XML without its comments and instructions, CDATA written as other text is, in UTF-8 if in UTF-16."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = _DECLARED.sub(b"", content.decode("utf-16", "replace").encode())
    return _ASIDE.sub(lambda match: (match[1] or b"").replace(b"&", b"&amp;").replace(b"<", b"&lt;"), content)


def without_codes(content: bytes) -> bytes:
    """A sheet's XML with plain letters in its values where they are codes, `&#52;0`, which fast readers misread."""
    if b"&" not in content or b"&#" not in content:
        return content
    return _CODED.sub(lambda value: value[1] + _CODE.sub(_letter, value[2]), content)


def _letter(code: re.Match[bytes]) -> bytes:
    number = int(code[1]) if code[1] else int(code[2], 16)
    letter = chr(number)
    return letter.encode() if " " < letter < "\x7f" and letter not in "<>&" else code[0]


def within_marks(pieces: Iterable[bytes], filename: str) -> Iterator[bytes]:
    """The same pieces; raises InputError for more tags than a part needs that holds no cells.

    Excel keeps 65,490 cell formats, each with up to three elements, and as many named styles.
    """
    marks = 0
    for piece in pieces:
        marks += piece.count(b"<")
        if marks > _MOST_MARKS:
            raise refusal.unsafe(filename, f"describes its sheets with more than {_MOST_MARKS:,} tags")
        yield piece


def bounded_events(pieces: Iterable[bytes], filename: str) -> Iterator[tuple[bool, Any]]:
    """(whether it starts, element) as elements of XML start and end; raises NotXmlError.

    Raises InputError for more attributes than any element has: a tree looks through all of them for each one's value.
    """
    for kind, element in events(pieces, ("start", "end")):
        if kind == "start" and len(element.attrib) > _MOST_ATTRIBUTES:
            raise refusal.unsafe(filename, f"holds a tag of more than {_MOST_ATTRIBUTES} attributes")
        yield kind == "start", element
