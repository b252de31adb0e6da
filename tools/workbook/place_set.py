"""Sets of places on a sheet, kept as numbers: millions of them take a few bytes each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Set

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
_COLUMN_BITS = 14


def key_of(row: int, column: int) -> int:
    """The number that stands for a 1-based row and a 0-based column; places in reading order have rising numbers."""
    return (row << _COLUMN_BITS) | column


def keys_of(rows: NDArray[np.int32], columns: NDArray[np.int32]) -> Keys:
    """`key_of` for arrays."""
    return (rows.astype(np.int64) << _COLUMN_BITS) | columns


def place_of(key: int) -> tuple[int, int]:
    """The row and the column that a number stands for."""
    return key >> _COLUMN_BITS, key & ((1 << _COLUMN_BITS) - 1)


def parted(keys: Keys) -> tuple[Keys, Keys]:
    """The rows and the columns that numbers stand for."""
    return keys >> _COLUMN_BITS, keys & ((1 << _COLUMN_BITS) - 1)


class PlaceSet(Set[tuple[int, int]]):
    """Places, (1-based row, 0-based column), in reading order."""

    def __init__(self, keys: Keys | None = None) -> None:
        """A set of the places that `keys`, rising numbers, stand for."""
        self._keys: Keys = np.zeros(0, np.int64) if keys is None else keys
        self._view = self._keys.data

    @classmethod
    def of(cls, places: Iterable[tuple[int, int]]) -> PlaceSet:
        """The set of `places`, which come in any order."""
        return cls(np.unique(np.array([key_of(*place) for place in places], np.int64)))

    @property
    def box(self) -> tuple[int, int, int, int]:
        """First row, first column, last row, last column; there must be a place."""
        rows, columns = parted(self._keys)
        return int(rows[0]), int(columns.min()), int(rows[-1]), int(columns.max())

    @property
    def rows(self) -> Keys:
        """The row of each place."""
        return parted(self._keys)[0]

    @property
    def columns(self) -> Keys:
        """The column of each place."""
        return parted(self._keys)[1]

    def __contains__(self, place: object) -> bool:
        """Whether `place`, a row and a column, is one of them."""
        if not isinstance(place, tuple) or not len(self._keys):
            return False
        key = key_of(*place)  # pyright: ignore[reportUnknownArgumentType] a tuple of anything else is asked of no sheet
        at = bisect_left(self._view, key)
        return at < len(self._keys) and self._view[at] == key

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each place in reading order."""
        rows: list[int] = self.rows.tolist()
        columns: list[int] = self.columns.tolist()
        return iter(zip(rows, columns, strict=True))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._keys)

    def without(self, places: Iterable[tuple[int, int]]) -> PlaceSet:
        """The set less `places`."""
        left_out = np.array([key_of(*place) for place in places], np.int64)
        return PlaceSet(self._keys[~np.isin(self._keys, left_out)]) if len(left_out) else self
