"""The chains of a compound file (MS-CFB), the container of xls: followed before anything else follows them."""

from __future__ import annotations

from array import array
from struct import unpack_from

from schemas.errors import InputError
from tools.workbook import refusal

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RESERVED = 0xFFFFFFFA
"""Sector numbers from here on end a chain, or mean nothing."""
_IN_HEADER = 109
_ENTRY_BYTES = 128
_STREAM = 2
_SHARED = 4
"""How often a table's sectors may be passed in all: a sane file passes each once."""


def check_chains(data: bytes, filename: str) -> None:
    """Raises InputError `file.unsafe` for a compound file whose chains of sectors never end.

    Readers follow such a chain until no memory is left. Whatever else is wrong with the file is for them to say.
    """
    if not data.startswith(MAGIC) or len(data) < 512:
        return
    _Sectors(data, filename).follow_all()


class _Sectors:
    def __init__(self, data: bytes, filename: str) -> None:
        self._data, self._filename = data, filename
        self._size = 1 << min(unpack_from("<H", data, 30)[0], 12)
        self._passed = dict[int, int]()

    def follow_all(self) -> None:
        """Follows every chain that a reader of the file's streams would."""
        fat = self._table(self._allocating())
        directory = b"".join(map(self._bytes, self._chain(unpack_from("<I", self._data, 48)[0], fat)))
        cutoff, first_mini = unpack_from("<II", self._data, 56)
        mini = self._table(self._chain(first_mini, fat))
        for at in range(0, len(directory) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
            kind, (start, size) = directory[at + 66], unpack_from("<II", directory, at + 116)
            if at == 0 or kind == _STREAM:
                self._chain(start, mini if at and size < cutoff else fat)

    def _allocating(self) -> list[int]:
        """The sectors that hold the allocation table: the header names the first, further sectors the rest."""
        first, *named = unpack_from(f"<I4x{_IN_HEADER}I", self._data, 68)
        seen = set[int]()
        while first < _RESERVED:
            if first in seen:
                raise self._endless()
            seen.add(first)
            *more, first = self._words(first)
            named += more
        return [sector for sector in named if sector < _RESERVED]

    def _chain(self, at: int, table: array[int]) -> list[int]:
        """The sectors of a chain from `at` on, as far as the table goes."""
        found = list[int]()
        while at < len(table):
            if len(found) > len(table):
                raise self._endless()
            found.append(at)
            at = table[at]
        self._passed[id(table)] = self._passed.get(id(table), 0) + len(found)
        if self._passed[id(table)] > _SHARED * len(table):
            raise self._endless()
        return found

    def _table(self, sectors: list[int]) -> array[int]:
        return array("I", [word for sector in sectors for word in self._words(sector)])

    def _words(self, sector: int) -> tuple[int, ...]:
        return unpack_from(f"<{self._size // 4}I", self._bytes(sector).ljust(self._size, b"\xff"))

    def _bytes(self, sector: int) -> bytes:
        return self._data[(sector + 1) * self._size : (sector + 2) * self._size]

    def _endless(self) -> InputError:
        return refusal.unsafe(self._filename, "holds a chain of sectors without end")
