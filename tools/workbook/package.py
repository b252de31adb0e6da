"""A zip package read within limits: nothing is inflated past what it declares, no part may declare entities."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from tools.workbook import refusal
from tools.workbook.limits import Limits
from tools.workbook.stages import tell_stage
from tools.workbook.tag_bounds import LONGEST_TAG_BYTES, noting_odd, within_bounds, within_marks
from tools.workbook.xml_events import NotXmlError, PlainAttributes, Unheard, feed_xml

_DTD = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ROOT = re.compile(rb"<[A-Za-z_]")
_ASIDE = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_ENCODING = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)")
#: A workbook's parts are UTF-8 or UTF-16; the others are read without loss, and spell a document type as ASCII does.
_ENCODINGS = frozenset(
    {b"utf-8", b"utf8", b"utf-16", b"utf-16le", b"utf-16be", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252"}
)
PROLOG_BYTES = 1 << 16
"""How far into a part its root element begins at the latest."""
_LONG_BYTES = 8_000_000
_PIECE_BYTES = LONGEST_TAG_BYTES
_LOCAL_HEADER = struct.Struct("<26xHH")


class Package:
    """The parts of a zip file, by name; names are looked up without regard to case, as spreadsheet programs do.

    `odd_parts` are, in small letters, those read so far that hold comments and the like, which fast readers misread.
    """

    def __init__(self, data: bytes, filename: str, limits: Limits) -> None:
        """Raises InputError for a broken, encrypted or oversized package, before anything is inflated."""
        self.filename = filename
        self.odd_parts: set[str] = set()
        self._data = data
        try:
            entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise refusal.truncated(filename) from error
        self._check(entries, limits)
        self._entries = {entry.filename.lower().lstrip("/"): entry for entry in entries}

    def _check(self, entries: list[zipfile.ZipInfo], limits: Limits) -> None:
        inflated = sum(entry.file_size for entry in entries)
        if len(entries) > limits.entries:
            raise refusal.unsafe(self.filename, f"holds {len(entries):,} parts, more than {limits.entries:,}")
        if inflated > limits.inflated_bytes:
            raise refusal.unsafe(self.filename, f"unpacks to {inflated:,} bytes, more than {limits.inflated_bytes:,}")
        if inflated > max(limits.ratio_floor_bytes, limits.ratio * len(self._data)):
            raise refusal.unsafe(self.filename, f"unpacks to more than {limits.ratio} times its size")
        if any(entry.flag_bits & 1 for entry in entries):
            raise refusal.encrypted(self.filename)
        # Two parts of one name are one part to some readers and another to others.
        if len({entry.filename.lower().lstrip("/") for entry in entries}) < len(entries):
            raise refusal.unsafe(self.filename, "holds two parts of one name")

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._entries

    def names(self) -> list[str]:
        """The parts' names in small letters."""
        return list(self._entries)

    def size_bytes(self, name: str) -> int:
        """The size that part `name` declares; `chunks` holds it to that."""
        return self._entries[name.lower()].file_size

    def chunks(self, name: str, *, is_xml: bool = True, noting: bool = True) -> Iterator[bytes]:
        """The inflated bytes of part `name`, piece by piece; `noting` adds it to `odd_parts` where it is one.

        Raises InputError for a part that lies about its size, and for XML that declares document types or entities, or
        has tags that are longer than any.
        """
        pieces = self._checked(self._entries[name.lower()], is_xml=is_xml)
        if is_xml and noting:
            pieces = noting_odd(pieces, partial(self.odd_parts.add, name.lower()))
        return within_bounds(pieces, self.filename) if is_xml else pieces

    def _checked(self, entry: zipfile.ZipInfo, *, is_xml: bool) -> Iterator[bytes]:
        """The pieces of a part, as long as they keep its declared size and, in XML, declare nothing."""
        left, prolog = entry.file_size, is_xml
        for piece in self._inflated(entry):
            if entry.file_size > _LONG_BYTES:
                tell_stage(f"{entry.filename}, {1 - left / entry.file_size:.0%} of {entry.file_size / 1e6:,.0f} MB")
            left -= len(piece)
            if left < 0:
                raise refusal.unsafe(self.filename, "unpacks to more than it declares")
            if prolog and piece:
                check_prolog(piece[:PROLOG_BYTES], self.filename)
                prolog = False
            yield piece
        if left > 0:
            raise refusal.truncated(self.filename)

    def _inflated(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        start = entry.header_offset
        if self._data[start : start + 4] != b"PK\x03\x04" or len(self._data) < start + _LOCAL_HEADER.size:
            raise refusal.truncated(self.filename)
        name_size, extra_size = _LOCAL_HEADER.unpack_from(self._data, start)
        start += _LOCAL_HEADER.size + name_size + extra_size
        packed = memoryview(self._data)[start : start + entry.compress_size]
        if entry.compress_type == zipfile.ZIP_STORED:
            yield from (bytes(packed[at : at + _PIECE_BYTES]) for at in range(0, len(packed), _PIECE_BYTES))
            return
        if entry.compress_type != zipfile.ZIP_DEFLATED:
            raise refusal.truncated(self.filename)
        yield from self._deflated(packed)

    def _deflated(self, packed: memoryview) -> Iterator[bytes]:
        inflater, rest = zlib.decompressobj(-zlib.MAX_WBITS), packed
        try:
            while not inflater.eof:
                piece = inflater.decompress(rest, _PIECE_BYTES)
                rest = inflater.unconsumed_tail
                if not piece and not rest:
                    break
                yield piece
        except zlib.error as error:
            raise refusal.truncated(self.filename) from error

    def read(self, name: str, *, is_xml: bool = True) -> bytes:
        """The whole of part `name`."""
        return b"".join(self.chunks(name, is_xml=is_xml))

    def feed(self, name: str, target: Any) -> None:
        """Tells `target` of the elements of part `name`; raises InputError when it is no XML, or has countless tags."""
        try:
            feed_xml(PlainAttributes(target), within_marks(self.chunks(name), self.filename))
        except NotXmlError as error:
            raise refusal.truncated(self.filename) from error

    def check_form(self, name: str) -> None:
        """Raises InputError where part `name` is no well-formed XML."""
        try:
            feed_xml(Unheard(), self.chunks(name))
        except NotXmlError as error:
            raise refusal.truncated(self.filename) from error

    def without(self, name: str) -> bytes:
        """A copy of the package, packed anew, that lacks part `name`."""
        return self.changed(name, None)

    def changed(self, name: str, content: bytes | None) -> bytes:
        """A copy of the package, packed anew, whose part `name` is `content`, or is left out."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as copy:
            for part, entry in self._entries.items():
                data = content if part == name.lower() else self.read(part, is_xml=False) if part else None
                if data is not None:
                    copy.writestr(entry.filename, data)
        return stream.getvalue()


def check_prolog(start: bytes, filename: str) -> None:
    """Raises InputError for a document type, which only comes before the root element, or for no root in reach."""
    plain = start.replace(b"\0", b"") if b"\0" in start[:64] else start
    encoding = _ENCODING.match(plain.lstrip(b"\xef\xbb\xbf\xff\xfe"))
    if encoding and encoding[1].lower() not in _ENCODINGS:
        raise refusal.unsafe(filename, "is written in an encoding that no workbook uses")
    plain = _ASIDE.sub(b"", plain)
    root = _ROOT.search(plain)
    if _DTD.search(plain, 0, root.start() if root else len(plain)):
        raise refusal.unsafe(filename, "declares document types or entities, which no workbook needs")
    if root is None:
        raise refusal.truncated(filename)
