"""Rows that sum up others at a distance: all the rest of a block, or a run of rows that stands elsewhere.

`sums` looks at the rows next to a total. Two more kinds are common: the first or last row of a block that sums up the
whole of it, though one column alone adds up (the others hold rates); and bands that overlap (55 and over, 65 and over),
which sum rows that an earlier total has swallowed. Digits count from the largest power of ten that divides nearly all
numbers of a column: round numbers say little.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tools.workbook import weights
from tools.workbook.cells import Flags, Floats, Ints
from tools.workbook.sums import independent, last_place

_FEWEST_ROWS, _MOST_ROWS = 6, 250
"""Distant sums are looked for among so many rows: the runs grow with the square of them."""
_FEWEST_PARTS = 3
_FEWEST_AGREEING = 3
"""Columns that all add up are believed though none of them alone says enough."""


def column_units(values: Floats) -> Floats:
    """The largest power of ten, from 0.001 on, that divides nine in ten of each column's numbers."""
    units = np.full(values.shape[1], 0.001)
    size = np.abs(np.where(np.isnan(values), 0, values))
    many = np.maximum((size > 0).sum(0), 1)
    going = np.ones(len(units), np.bool_)
    for place in range(-2, 9):
        scaled = size / 10.0**place
        whole = (np.abs(scaled - np.round(scaled)) < 1e-6) & (size > 0)
        going &= whole.sum(0) >= 0.9 * many
        if not going.any():
            break
        units[going] = 10.0**place
    return units


def whole_sums(values: Floats, units: Floats, rows: Ints, known: Flags) -> Flags:
    """Which of the rows sum up the rest of their block, or of the table, in one column at least.

    `values` is (rows, columns), NaN where there is no number, and `units` the columns' own; `rows` are places, a gap
    parts blocks; `known` are the totals found so far, which are no parts.
    """
    found = np.zeros(len(values), np.bool_)
    for i, first, last in _blocks_around(rows):
        parts = np.arange(first, last + 1)
        parts = parts[~known[first : last + 1] & (parts != i)]
        if not known[i] and not found[i] and len(parts) >= _FEWEST_PARTS:
            found[i] = _is_whole(values[i], values[parts], units)
    return found


def _blocks_around(rows: Ints) -> Iterator[tuple[int, int, int]]:
    """(row, first, last) of what the first and last rows of blocks may sum up."""
    cuts = [0, *(np.flatnonzero(np.diff(rows) > 1) + 1).tolist(), len(rows)]
    blocks = [(a, b - 1) for a, b in pairwise(cuts)]
    for at, (a, b) in enumerate(blocks):
        if a < b:
            yield from ((a, a + 1, b), (b, a, b - 1))
        else:
            yield from ((a, *blocks[other]) for other in (at + 1, at - 1) if 0 <= other < len(blocks))
    yield from ((0, 1, len(rows) - 1), (len(rows) - 1, 0, len(rows) - 2))


def _is_whole(x: Floats, parts: Floats, units: Floats) -> bool:
    many = (~np.isnan(parts)).sum(0)
    counts = ~np.isnan(x) & (x != 0) & (many >= _FEWEST_PARTS)
    if not counts.any():
        return False
    good, digits = _agreement(x[counts], np.nansum(parts[:, counts], 0), units[counts], many[counts])
    tried = float(np.log10(counts.sum()))
    needed = weights.WHOLE_BLOCK_DIGITS + tried
    if good.all() and len(good) >= _FEWEST_AGREEING and digits.sum() >= needed + 1 and independent(parts[:, counts]):
        return True
    return bool(digits.max() >= weights.ONE_COLUMN_DIGITS + tried and digits.sum() >= needed and good.any())


def _agreement(x: Floats, total: Floats, units: Floats, many: Ints) -> tuple[Flags, Floats]:
    """Where numbers equal sums of `many` numbers within what rounding explains, and how many digits that says."""
    step = np.minimum(units, last_place(x))
    room = np.minimum(0.5 * step * (np.sqrt(many) + 1), 0.004 * np.abs(x)) + 1e-9
    good = (np.abs(x - total) <= room) & (x != 0)
    return good, np.log10(1 + np.abs(x) / np.maximum(2 * room, units)) * good


def distant_sums(values: Floats, units: Floats, known: Flags) -> Flags:
    """Which of the rows sum up a run of rows elsewhere in the table, in three quarters of their columns.

    `values`, `units` and `known` are as for `whole_sums`; the rows in `known` are skipped, as totals and as parts.
    """
    found, free = np.zeros(len(values), np.bool_), np.flatnonzero(~known)
    if not _FEWEST_ROWS <= len(free) <= _MOST_ROWS or values.shape[1] < 2:
        return found
    windows = _Windows(values[free])
    for at, i in enumerate(free.tolist()):
        found[i] = windows.hold(at, values[i], units)
    return found


class _Windows:
    """All runs of two rows or more, and their sums."""

    def __init__(self, parts: Floats) -> None:
        self._parts = parts
        present = ~np.isnan(parts)
        zero = np.zeros((1, parts.shape[1]))
        sums = np.concatenate([zero, np.cumsum(np.where(present, parts, 0), 0)])
        many = np.concatenate([zero, np.cumsum(present, 0)]).astype(np.int64)
        self._first, self._after = np.triu_indices(len(sums), 2)
        self._sums, self._many = sums[self._after] - sums[self._first], many[self._after] - many[self._first]
        self._certain = float(np.log10(len(self._first))) + weights.DISTANT_DIGITS

    def hold(self, at: int, x: Floats, units: Floats) -> bool:
        """Whether a run without row `at` adds up to `x`, to more digits than chance would give."""
        columns = np.flatnonzero(~np.isnan(x) & (x != 0))
        said = np.log10(1 + np.abs(x[columns]) / units[columns])
        if len(columns) < 2 or said.sum() < self._certain:
            return False
        best = columns[int(said.argmax())]
        near = np.flatnonzero(np.abs(self._sums[:, best] - x[best]) <= 0.004 * abs(x[best]))
        near = near[(self._first[near] > at) | (self._after[near] <= at)]
        alike = np.abs(self._sums[np.ix_(near, columns)] - x[columns]) <= 0.004 * np.abs(x[columns])
        summed = (self._many[np.ix_(near, columns)] >= 2).sum(1)
        near = near[alike.sum(1) >= np.maximum(2, weights.DISTANT_SHARE * summed)]
        return any(self._adds_up(w, x[columns], units[columns], columns) for w in near.tolist())

    def _adds_up(self, window: int, x: Floats, units: Floats, columns: Ints) -> bool:
        many = self._many[window, columns]
        good, digits = _agreement(x, self._sums[window, columns], units, np.maximum(many, 1))
        good &= many >= 2
        if good.sum() < max(2, weights.DISTANT_SHARE * (many >= 2).sum()) or digits[good].sum() < self._certain:
            return False
        return independent(self._parts[self._first[window] : self._after[window], columns[good]])
