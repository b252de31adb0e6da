"""The text in the bytes of a file that is no workbook: what its letters are written in is found out."""

from __future__ import annotations

import codecs
import contextlib
import re

from tools.workbook import refusal
from tools.workbook.code_pages import likeliest_code_page

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 1 << 18
_CONTROLS = frozenset(map(chr, range(32))) - set("\t\n\r\x0b\x0c\x1a\x1b")
_STRAYS = re.compile("[\udc80-\udcff]+")
_BEYOND = re.compile("[^\0-\x7f]+")
_USUAL = re.compile("[\xc0-\xff\u2013-\u203a\u20ac]+")
_SEQUENCE = re.compile(rb"[\xc2-\xf4]+[\x80-\xbf]")


def decoded(data: bytes, filename: str) -> tuple[str, str]:
    """The text of `data`, and the code page that it was read in where neither a mark nor UTF-8 tells; else "".

    Bytes that are none in a text that is UTF-8 otherwise stay strays, for `with_letters`.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            if encoding == "utf-8":
                return data[len(mark) :].decode(encoding, "surrogateescape"), ""
            return data.decode(encoding, "replace"), ""
    sample = data[:_SAMPLE_BYTES]
    encoding = _unmarked_utf16(sample)
    if encoding is None and b"\0" in sample:
        raise refusal.not_workbook(filename, "is neither a workbook nor text")
    for candidate in filter(None, (encoding, "utf-8")):
        with contextlib.suppress(UnicodeDecodeError):
            return _sound(data.decode(candidate), filename), ""
    if (text := _mostly_utf8(data)) is not None:
        return _sound(text, filename), ""
    for candidate in (likeliest_code_page(sample), "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            return _sound(data.decode(candidate), filename), candidate.lower()
    return data.decode("latin-1"), "latin-1"


def has_strays(text: str) -> bool:
    """Whether `text` holds bytes that are no part of its encoding."""
    return not text.isascii() and _STRAYS.search(text) is not None


def with_letters(text: str) -> str:
    """`text` with its strays read in cp1252, as what was pasted into a UTF-8 file from elsewhere mostly is."""
    return _STRAYS.sub(_in_cp1252, text)


def _in_cp1252(match: re.Match[str]) -> str:
    return match[0].encode("ascii", "surrogateescape").decode("cp1252", "replace")


def _mostly_utf8(data: bytes) -> str | None:
    """The text where at least half of what is beyond ASCII is sound UTF-8, strays in it; else None.

    Letters of other encodings hardly ever follow one another so that they are, least of all as accented letters and
    dashes: where there are such, they stand for four strays each.
    """
    if _SEQUENCE.search(data) is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    strays, beyond, usual = (_size(text, some) for some in (_STRAYS, _BEYOND, _USUAL))
    return text if strays <= max(beyond - strays, 4 * usual) else None


def _size(text: str, some: re.Pattern[str]) -> int:
    return sum(match.end() - match.start() for match in some.finditer(text))


def _sound(text: str, filename: str) -> str:
    """The same text; raises InputError where control characters show that it is none."""
    if sum(c in _CONTROLS for c in text[:4096]) > len(text[:4096]) // 50:
        raise refusal.not_workbook(filename, "is neither a workbook nor text")
    return text


def _unmarked_utf16(sample: bytes) -> str | None:
    """The UTF-16 whose zero bytes lie where plain letters would put them, or None."""
    if len(sample) < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.3 * len(sample) / 2 or min(even, odd) > 0.05 * max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"
