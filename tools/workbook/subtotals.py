"""Sums of groups among the records that no word for a total marks: without a name, or named as their group is.

Where a group begins and ends is told by blank rows, sections and totals, and by the rows in question themselves. So a
row is compared with few runs of records only, and one column that adds up says much; a label that says nothing of the
group needs two, none of which is a multiple of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from tools.workbook.cells import Cells, Flags, Floats, Ints
from tools.workbook.sums import independent, last_place, slack
from tools.workbook.words import DATE, TEXT

_FEWEST, _MOSTLY, _MOST_SHARE, _PROVEN_SHARE, _TRIED = 3, 0.5, 0.5, 0.75, 200
_LARGEST_RATE = 1.5
_ROWS_ABOVE, _LONGEST_NAME = 3, 80
_WORD = re.compile(r"[^\W_]+")
_WHOLE = re.compile(
    r"\W*(?:(?:the|our|entire|whole|all|combined|overall|consolidated|aggregate)\W+)*"
    r"(?:portfolio|fund|pool|overall|combined|consolidated|aggregate|together|"
    r"(?:all|combined)\W+(?:properties|assets|deals|loans|units|tenants|leases|groups|regions|markets|stages))\W*",
    re.IGNORECASE,
)


def subtotal_rows(cells: Cells, rows: Sequence[int], columns: range, known: int) -> list[int]:
    """The positions among the records at visible `rows` of those that sum up a group of the others, in order.

    `known` is how many totals the table has besides.
    """
    if len(rows) < _FEWEST:
        return []
    finder = _Subtotals(cells, rows, columns, known)
    return sorted(finder.found(finder.nameless, named=False) | finder.found(finder.bare, named=True))


class _Subtotals:
    def __init__(self, cells: Cells, rows: Sequence[int], columns: range, known: int) -> None:
        self._known = known
        self._cells, self._rows, self._columns = cells, np.array(rows, np.int64), columns
        codes = cells.codes[np.ix_(rows, columns)]
        self._told: Flags = (codes == TEXT) | (codes == DATE)
        self._held = self._told.sum(axis=1)
        self._telling = np.flatnonzero(self._told.mean(axis=0) >= _MOSTLY)
        self._starts: Ints = np.concatenate([[0], np.flatnonzero(np.diff(self._rows) > 1) + 1])

    @cached_property
    def _numbers(self) -> Floats:
        return self._cells.number_block(self._rows, np.array(self._columns))

    @cached_property
    def nameless(self) -> Ints:
        """The rows without text, date or anything before the column that names records; none if they are most."""
        if not len(self._telling):
            return np.zeros(0, np.int64)
        at = np.flatnonzero(self._held == 0)
        left = self._columns.start
        before = self._cells.filled[self._rows[at], left : left + int(self._telling[0]) + 1]
        at = at[~before.any(axis=1)]
        return at if len(at) <= _MOST_SHARE * len(self._rows) else at[:0]

    @cached_property
    def bare(self) -> Ints:
        """The rows that hold a label alone where records hold more; where they don't, those named as a section is."""
        if not len(self._telling):
            return np.zeros(0, np.int64)
        if len(self._telling) > 1:
            at = np.flatnonzero((self._held == 1) & self._told[:, self._telling].any(axis=1))
        else:
            sections = {_words(text) for start in self._starts.tolist() for text in self._over(start)}
            labels = self._cells.column(self._rows.tolist(), self._columns[int(self._telling[0])]) if sections else []
            named = [at for at, label in enumerate(labels) if isinstance(label, str) and _words(label) in sections]
            at = np.array(named, np.int64)
        return at if len(at) <= _MOST_SHARE * len(self._rows) else at[:0]

    def found(self, candidates: Ints, named: bool) -> set[int]:
        """Those of the rows that are sums of their groups, and where most are, those that are wrong."""
        sums, repeats = set[int](), set[int]()
        for tried, at in enumerate(candidates.tolist()):
            if tried > _TRIED and not sums and not repeats:
                break
            pools = list(self._pools(at, candidates))
            if any(self._is_sum(at, pool, named) for pool in pools if len(pool) > 1):
                sums.add(at)
            elif any(self._is_sum(at, pool, named) for pool in pools if len(pool) == 1):
                repeats.add(at)
        out = sums | repeats if len(sums) + len(repeats) + self._known > 1 else sums
        return out | (set() if named or not out else self._alike(out, candidates))

    def _alike(self, out: set[int], candidates: Ints) -> set[int]:
        """The nameless rows that fill the columns that most sums among them fill."""
        filled = ~np.isnan(self._numbers)
        shapes = {at: filled[at].tobytes() for at in candidates.tolist()}
        known = {shapes[at] for at in out}
        alike = {at for at, shape in shapes.items() if shape in known}
        return alike if len(out) >= _PROVEN_SHARE * len(alike) else set()

    def _pools(self, at: int, candidates: Ints) -> Iterator[Ints]:
        """The runs of records that a row may sum up: of its group above it or below it, and all above it."""
        start = int(self._starts[np.searchsorted(self._starts, at, "right") - 1])
        if start == at and at:
            start = int(self._starts[np.searchsorted(self._starts, at - 1, "right") - 1])
        after = int(np.append(self._starts, len(self._rows))[np.searchsorted(self._starts, at, "right")])
        place = int(np.searchsorted(candidates, at))
        before = int(candidates[place - 1]) if place else -1
        behind = int(candidates[place + 1]) if place + 1 < len(candidates) else len(self._rows)
        seen: set[tuple[int, int]] = set()
        for first, last in (
            (max(start, before + 1), at),
            (start, at),
            (0, at),
            (at + 1, min(after, behind)),
            (at + 1, after),
        ):
            if last > first and (first, last) not in seen:
                seen.add((first, last))
                yield np.setdiff1d(np.arange(first, last), candidates, assume_unique=True)

    def _is_sum(self, at: int, pool: Ints, named: bool) -> bool:
        """Whether the row is the sum of the records of `pool`, in half of its numbers; the others are rates or a count.

        Of one record it says what that one says.
        """
        x = self._numbers[at]
        given = ~np.isnan(x) & (x != 0)
        if not given.any():
            return False
        parts, x = self._numbers[np.ix_(pool, np.flatnonzero(given))], x[given]
        many = (~np.isnan(parts)).sum(axis=0)
        miss = np.abs(np.nansum(parts, axis=0) - x)
        good = (miss <= slack(x, last_place(x), len(pool))) & (many >= min(2, len(pool)))
        others = x[~good & (x != len(pool))]
        if 2 * len(others) > len(x) or not good.any() or (others[others == np.round(others)] > _LARGEST_RATE).any():
            return False
        enough = good.sum() > 1 and len(pool) > 1 and independent(parts[:, good])
        return not named or enough or self._speaks_of(at, pool)

    def _speaks_of(self, at: int, pool: Ints) -> bool:
        """Whether the row's label names the group, or says that it is about all."""
        own = int(np.flatnonzero(self._told[at])[0])
        label = self._cells.text(int(self._rows[at]), self._columns[own])
        if _WHOLE.fullmatch(label):
            return True
        names = self._over(min(at, int(pool[0])))
        # The column of names holds another in each row; any other that holds one value tells the group.
        for j in self._telling[self._telling != own].tolist() if own == self._telling[0] else self._telling.tolist():
            said = {self._cells.text(row, self._columns[j]) for row in self._rows[pool].tolist()}
            names += said if len(said) == 1 else ()
        words = _words(label)
        return bool(words) and any(words <= name or name <= words for name in map(_words, names) if name)

    def _over(self, at: int) -> list[str]:
        """The lone texts in the rows right over a record that are no records."""
        found: list[str] = []
        row = int(self._rows[at]) - 1
        until = int(self._rows[at - 1]) if at else -1
        for i in range(row, max(until, row - _ROWS_ABOVE), -1):
            held = [j for j in self._columns if self._cells.filled[i, j]]
            if len(held) == 1 and self._cells.codes[i, held[0]] == TEXT:
                found.append(self._cells.text(i, held[0])[:_LONGEST_NAME])
        return found


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
