"""Text as it will stand on a page: cleaned, measured with the fonts' own widths, broken, fitted and shortened.

The fonts ship in tools/fonts. Kerning is left out, so a measured width is never too small. Characters that a font lacks
are counted generously, because another font of unknown widths will draw them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from fontTools.ttLib import TTFont

from schemas.errors import OutputError

Face = Literal["sans", "serif"]
FONT_FOLDER = Path(__file__).resolve().parents[1] / "fonts"
FAMILIES: dict[Face, str] = {"sans": "Carlito", "serif": "Gelasio"}
FOREIGN_EM = 0.7
"""Ems allowed for a character that the font lacks; twice as wide scripts get 1.05."""

NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:E[+-]\d+)?[%MBTx]?")
"""A number in printed text, with the letter that scales it: `24.5M` and `24.5%` are two."""
SMALLEST = 0.55
"""The part of its size that a number too long for its place may be set in, before it is broken."""
_ALONE = re.compile(
    rf"[(+−±-]{{0,2}}(?:[^\W\d]{{0,3}}[^\w\s(]{{0,2}}\u00a0?)?(?:{NUMBER.pattern})(?:[\u00a0/][^\W\d]{{1,6}})?\)?"
)
"""A number with its currency, its unit and the brackets of a negative."""
_NO_BREAK_SPACE = 0xA0
_DROPPED = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff\ufdd0-\ufdef]"
)


def printable(text: object, most: int = 400) -> str:
    """`text` on one line without control, direction-override, invisible or lone surrogate characters.

    At most `most` characters; what is cut ends in `…`. Joiners that Persian and Indic scripts need stay.
    """
    plain = " ".join(_DROPPED.sub("", re.sub(r"[\t\n\r\u2028\u2029]", " ", str(text)[: most * 4])).split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


def font_path(face: Face = "sans", bold: bool = False, italic: bool = False) -> Path:
    """The TrueType file of a face; there is no bold italic, which is measured and drawn as bold."""
    style = "Bold" if bold else "Italic" if italic else "Regular"
    return FONT_FOLDER / f"{FAMILIES[face]}-{style}.ttf"


@lru_cache(maxsize=8)
def _advances(face: Face, bold: bool, italic: bool) -> dict[int, float]:
    """Ems that each character takes, by code point; a no-break space, which Carlito lacks, is drawn as a space."""
    file: Any = TTFont(font_path(face, bold, italic), lazy=True)  # fontTools has no types for its tables
    with file as font:
        per_em = int.from_bytes(font.reader["head"][18:20], "big")
        widths = font["hmtx"].metrics
        known = {code: widths[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}
    return {_NO_BREAK_SPACE: known[ord(" ")], **known}


@lru_cache(maxsize=65_536)
def ems(text: str, face: Face = "sans", bold: bool = False, italic: bool = False) -> float:
    """The width of `text` on one line, in ems."""
    known = _advances(face, bold, italic)
    return sum(known[code] if (code := ord(char)) in known else _foreign(char) for char in text)


def _foreign(char: str) -> float:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Cf"):
        return 0.0
    return 1.05 if unicodedata.east_asian_width(char) in ("W", "F") else FOREIGN_EM


def width(text: str, size_pt: float, face: Face = "sans", bold: bool = False, italic: bool = False) -> float:
    """Points that `text` takes on one line at `size_pt`."""
    return ems(text, face, bold, italic) * size_pt


def lacking(text: str, face: Face = "sans", bold: bool = False, italic: bool = False) -> str:
    """The characters of `text` that the font cannot draw, each once, in order."""
    known = _advances(face, bold, italic)
    return "".join(dict.fromkeys(char for char in text if ord(char) not in known))


def lines(text: str, size_pt: float, room_pt: float, face: Face = "sans", bold: bool = False) -> list[str]:
    """`text` broken at spaces into lines no wider than `room_pt`; a longer word where it must be, not in a number."""
    broken: list[str] = []
    line = ""
    for word in text.split(" "):
        trial = f"{line} {word}" if line else word
        if width(trial, size_pt, face, bold) <= room_pt:
            line = trial
            continue
        broken += [line] if line else []
        *full, line = _pieces(word, size_pt, room_pt, face, bold)
        broken += full
    return [*broken, line]


def _pieces(word: str, size_pt: float, room_pt: float, face: Face, bold: bool) -> list[str]:
    """`word` cut into pieces that fit, numbers whole where they fit; at least one character a piece, and one piece."""
    if width(word, size_pt, face, bold) <= room_pt:
        return [word]
    pieces: list[str] = []
    piece = ""
    for part in re.findall(rf"{NUMBER.pattern}|.", word, re.DOTALL):
        for char in [part] if width(part, size_pt, face, bold) <= room_pt else part:
            if piece and width(piece + char, size_pt, face, bold) > room_pt:
                pieces.append(piece)
                piece = ""
            piece += char
    return [*pieces, piece]


def is_number(text: str) -> bool:
    """Whether `text` is one number with its currency and unit, which stands on one line and is never shortened."""
    return _ALONE.fullmatch(text) is not None


def whole_size(text: str, size_pt: float, room_pt: float, face: Face = "sans", bold: bool = False) -> float:
    """The size, of at most `size_pt`, at which no number in `text` is wider than `room_pt`; never below `SMALLEST`."""
    words = [text] if is_number(text) else NUMBER.findall(text)
    widest = max((width(word, size_pt, face, bold) for word in words), default=0.0)
    return size_pt if widest <= room_pt else size_pt * max(room_pt / widest * 0.999, SMALLEST)


def fit(
    text: str,
    room_pt: float,
    most_lines: int,
    biggest_pt: float,
    least_pt: float,
    face: Face = "sans",
    bold: bool = False,
) -> float:
    """The largest size in half points at which `text` takes at most `most_lines`; OutputError if none does."""
    size = biggest_pt
    while size >= least_pt:
        if len(lines(text, size, room_pt, face, bold)) <= most_lines:
            return size
        size -= 0.5
    raise OutputError("document.text_overflow", f"This text does not fit its place at {least_pt} pt: {text[:80]!r}.")


def clip(text: str, size_pt: float, room_pt: float, face: Face = "sans", bold: bool = False) -> str:
    """`text`, shortened to end in `…` if it is wider than `room_pt`."""
    if width(text, size_pt, face, bold) <= room_pt:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", size_pt, face, bold) <= room_pt:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def clip_lines(
    text: str, size_pt: float, room_pt: float, most_lines: int, face: Face = "sans", bold: bool = False
) -> str:
    """`text`, shortened to end in `…` if it would take more than `most_lines`."""
    if len(lines(text, size_pt, room_pt, face, bold)) <= most_lines:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(lines(text[:middle].rstrip() + "…", size_pt, room_pt, face, bold)) <= most_lines:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"
