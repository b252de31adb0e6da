"""Texts of several fonts in one cell of an xls file, without raised marks of footnotes and what is struck out."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

from tools.workbook.biff_records import records
from tools.workbook.rich_text import Marks, without_marks

_END, _FONT, _TEXTS, _MORE = 0x0A, 0x31, 0xFC, 0x3C
_STRUCK, _RAISED = 0x08, 1
_WIDE, _EXTENDED, _RICH = 0x01, 0x04, 0x08
_HEAD_BYTES = 8
_RUN = Struct("<HH")
_BLANK = " ".encode("utf-16-le")
Span = tuple[int, int]


def plain_stream(stream: bytes) -> bytes | None:
    """The stream, of the same size, whose shared texts lack what is set in marked fonts; None where there is none.

    What is left of a text ends in as many blanks as letters have gone.
    """
    fonts, spans, last = list[Marks](), list[Span](), 0
    for kind, at, size in records(stream, 0):
        if kind == _END:
            break
        if kind == _FONT and size >= 10:
            fonts.append((stream[at + 8 : at + 10] == bytes([_RAISED, 0]), bool(stream[at + 2] & _STRUCK)))
            # No font has the number 4.
            fonts += [(False, False)] * (len(fonts) == 4)
        elif kind == _TEXTS or (kind == _MORE and last in (_TEXTS, _MORE) and spans):
            spans.append((at, min(at + size, len(stream))))
        last = kind
    if not spans or not any(raised or struck for raised, struck in fonts):
        return None
    plain = _Texts(stream, spans).plain(fonts)
    return None if plain == stream else plain


class _Texts:
    """Reads shared texts, which go on from span to span of the stream."""

    def __init__(self, stream: bytes, spans: Sequence[Span]) -> None:
        self._stream, self._spans = stream, iter(spans)
        self._at, self._end = next(self._spans)

    def plain(self, fonts: Sequence[Marks]) -> bytes:
        """The stream without what the texts hold in marked fonts, as far as they go."""
        plain = bytearray(self._stream)
        try:
            self._take(_HEAD_BYTES)
            while True:
                pieces, runs = self._text()
                wide = b"".join(self._wide(*piece) for piece in pieces)
                left = without_marks(wide, _RUN.iter_unpack(runs), fonts) if runs else None
                if left is not None:
                    letters = left.encode("utf-16-le")
                    _put(plain, pieces, letters + _BLANK * ((len(wide) - len(letters)) // 2))
        except (StopIteration, IndexError):
            return bytes(plain)

    def _text(self) -> tuple[list[tuple[int, int, int]], bytes]:
        """Where the letters of the next text stand, and its runs; raises StopIteration behind the last."""
        head = self._take(3)
        count, flags = int.from_bytes(head[:2], "little"), head[2]
        runs = int.from_bytes(self._take(2), "little") if flags & _RICH else 0
        extra = int.from_bytes(self._take(4), "little") if flags & _EXTENDED else 0
        pieces = self._letters(count, 1 + (flags & _WIDE))
        found = self._take(_RUN.size * runs)
        self._take(extra)
        return pieces, found

    def _letters(self, count: int, width: int) -> list[tuple[int, int, int]]:
        """(where, how many, bytes a letter) of each piece of a text; those in further spans say how wide they are."""
        pieces: list[tuple[int, int, int]] = []
        while count:
            size = min(count, (self._end - self._at) // width)
            pieces.append((self._at, size, width))
            self._at, count = self._at + size * width, count - size
            if count:
                self._at, self._end = next(self._spans)
                width = 1 + (self._stream[self._at] & _WIDE)
                self._at += 1
        return pieces

    def _take(self, size: int) -> bytes:
        found = bytearray()
        while True:
            found += (piece := self._stream[self._at : min(self._end, self._at + size)])
            self._at, size = self._at + len(piece), size - len(piece)
            if not size:
                return bytes(found)
            self._at, self._end = next(self._spans)

    def _wide(self, at: int, count: int, width: int) -> bytes:
        letters = self._stream[at : at + count * width]
        return letters if width == 2 else letters.decode("latin-1").encode("utf-16-le")


def _put(plain: bytearray, pieces: Sequence[tuple[int, int, int]], letters: bytes) -> None:
    """Writes `letters`, in UTF-16, over a text's pieces; nothing where one of a byte a letter cannot hold them."""
    done, parts = 0, list[bytes]()
    for _, count, width in pieces:
        part = letters[2 * done : 2 * (done + count)]
        if width == 1 and any(part[1::2]):
            return
        parts.append(part[:: 3 - width])
        done += count
    for (at, count, width), part in zip(pieces, parts, strict=True):
        plain[at : at + count * width] = part
