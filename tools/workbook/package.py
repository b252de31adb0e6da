"""A zip package read within limits: nothing is inflated past what it declares, no part may declare entities."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from tools.workbook import refusal
from tools.workbook.limits import Limits
from tools.workbook.xml_events import NotXmlError, parse_xml

CHUNK_BYTES = 1 << 20
_DTD = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ROOT = re.compile(rb"<[A-Za-z_]")
_LOCAL_HEADER = struct.Struct("<26xHH")


class Package:
    """The parts of a zip file, by name; names are looked up without regard to case, as spreadsheet programs do."""

    def __init__(self, data: bytes, filename: str, limits: Limits) -> None:
        """Raises InputError for a broken, encrypted or oversized package, before anything is inflated."""
        self.filename = filename
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

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._entries

    def names(self) -> list[str]:
        """The parts' names as stored."""
        return [entry.filename for entry in self._entries.values()]

    def chunks(self, name: str) -> Iterator[bytes]:
        """The inflated bytes of part `name`, piece by piece; raises InputError for a part that lies about its size."""
        entry = self._entries[name.lower()]
        left, prolog = entry.file_size, True
        for piece in self._inflated(entry):
            left -= len(piece)
            if left < 0:
                raise refusal.unsafe(self.filename, "unpacks to more than it declares")
            if prolog:
                prolog = self._check_prolog(piece)
            yield piece
        if left > 0:
            raise refusal.truncated(self.filename)

    def _check_prolog(self, piece: bytes) -> bool:
        """Whether the root element is still to come; raises InputError for a document type, which only comes before."""
        plain = piece.replace(b"\0", b"") if b"\0" in piece[:64] else piece
        root = _ROOT.search(plain)
        if _DTD.search(plain, 0, root.start() if root else len(plain)):
            raise refusal.unsafe(self.filename, "declares document types or entities, which no workbook needs")
        return root is None

    def _inflated(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        start = entry.header_offset
        if self._data[start : start + 4] != b"PK\x03\x04" or len(self._data) < start + _LOCAL_HEADER.size:
            raise refusal.truncated(self.filename)
        name_size, extra_size = _LOCAL_HEADER.unpack_from(self._data, start)
        start += _LOCAL_HEADER.size + name_size + extra_size
        packed = memoryview(self._data)[start : start + entry.compress_size]
        if entry.compress_type == zipfile.ZIP_STORED:
            yield bytes(packed)
            return
        if entry.compress_type != zipfile.ZIP_DEFLATED:
            raise refusal.truncated(self.filename)
        yield from self._deflated(packed)

    def _deflated(self, packed: memoryview) -> Iterator[bytes]:
        inflater, rest = zlib.decompressobj(-zlib.MAX_WBITS), packed
        try:
            while not inflater.eof:
                piece = inflater.decompress(rest, CHUNK_BYTES)
                rest = inflater.unconsumed_tail
                if not piece and not rest:
                    break
                yield piece
        except zlib.error as error:
            raise refusal.truncated(self.filename) from error

    def read(self, name: str) -> bytes:
        """The whole of part `name`."""
        return b"".join(self.chunks(name))

    def check(self, name: str) -> None:
        """Inflates part `name` and drops it: it keeps its declared size and declares no entities, or InputError."""
        for _ in self.chunks(name):
            pass

    def xml(self, name: str) -> Any:
        """The root element of part `name`; raises InputError when it is no XML."""
        try:
            return parse_xml(self.read(name))
        except NotXmlError as error:
            raise refusal.truncated(self.filename) from error
