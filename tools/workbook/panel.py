"""A rectangle of a sheet profiled: what each column holds, and what each row says against its columns."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tools.workbook.cells import Cells, Flags
from tools.workbook.remarks import remarked_headings
from tools.workbook.words import (
    DATE,
    DECO,
    EMPTY,
    NA,
    NOTE_RE,
    NUM,
    TEXT,
    YEAR,
    code_of_text,
    is_drawn,
    is_unit,
    numbers_columns,
)

Counts = NDArray[np.int64]
_FIRST_COLUMNS = 4
_TOP_ROWS = 30


class Panel:
    """Rows `r0` to `r1` and columns `c0` to `c1` (inclusive) of `cells`. Row and column indices count within it.

    `count` is the number of cells of a row, `first` the column of its first one. A row is `lone` when it holds one
    cell, one value over several, or is `remarked`: a heading with a remark beside it. `typical` is the median count of
    rows with two cells or more.
    """

    def __init__(self, cells: Cells, r0: int, r1: int, c0: int, c1: int) -> None:
        self.cells, self.r0, self.c0 = cells, r0, c0
        self.own_title = False
        self.codes = cells.codes[r0 : r1 + 1, c0 : c1 + 1]
        self.n, self.w = self.codes.shape
        self.full: Flags = self.codes > EMPTY
        self.count: Counts = self.full.sum(1)
        self.first: Counts = np.where(self.count > 0, self.full.argmax(1), 0)
        dense = self.count[self.count >= 2]
        self.typical = float(np.median(dense)) if len(dense) else 1.0
        self.texty: Flags = self.codes == TEXT
        self._profile_columns(bool(len(dense)))
        self._profile_rows()

    def _profile_columns(self, has_dense: bool) -> None:
        """Which columns hold numbers, and which of those years. Titles and notes don't vote."""
        voting = self.count >= 2 if has_dense else np.ones(self.n, bool)
        votes = self.codes if voting.all() else self.codes[voting]
        tally = [(votes == code).sum(0) for code in range(TEXT + 1)]
        real = tally[NUM] + tally[DECO] + tally[YEAR] + tally[DATE]
        valued = real + tally[NA]
        self.numcol: Flags = (
            (real >= 1) & (valued >= 0.5 * np.maximum(tally[TEXT], 1)) & (valued > 0.34 * (valued + tally[TEXT]))
        )
        years, filled = (self.codes == YEAR).sum(0), self.full.sum(0)
        self.yearcol: Flags = years >= np.maximum(0.6 * filled, 2)

    def _profile_rows(self) -> None:
        """What speaks for a header (text or years over numbers) and what for data, in each row."""
        year = self.codes == YEAR
        hard = (self.codes == NUM) | (self.codes == DECO) | (self.codes == DATE)
        self.has_number: Flags = (year | hard & (self.codes != DATE)).any(1)
        self.over: Counts = (self.texty & self.numcol).sum(1)
        self.years: Counts = (year & ~self.yearcol & self.numcol).sum(1)
        self.data: Counts = ((hard | (year & self.yearcol)) & self.numcol).sum(1)
        self.na: Counts = ((self.codes == NA) & self.numcol).sum(1)
        for i in np.flatnonzero(year.sum(1) >= 3).tolist():
            said = [self._year(i, j) for j in np.flatnonzero(year[i]).tolist()]
            steps = {b - a for a, b in pairwise(said)}
            if len(steps) == 1 and steps != {0}:
                self.years[i], self.data[i] = len(said), int((hard[i] & self.numcol).sum())
        self.same: Flags = self._one_value()
        self.remarked: Flags = remarked_headings(self)
        self.lone: Flags = (self.count == 1) | self.same | self.remarked
        self._weigh_rows()

    def _find_units(self) -> tuple[Flags, Flags]:
        """Rows near the top that belong to a header: units but for a label, column numbers, drawn lines; and the lines.

        Units are ($000s), (%), SF and their like. Names merged down to their row stand beside them.
        """
        found, drawn = np.zeros(self.n, np.bool_), np.zeros(self.n, np.bool_)
        for i in np.flatnonzero(self.count)[:_TOP_ROWS].tolist():
            texts = self._own(i)
            drawn[i] = self.count[i] > 1 and is_drawn(self.said(i))
            units = bool(texts) and (all(map(is_unit, texts)) or self._units_and_years(i, texts))
            found[i] = drawn[i] or units or numbers_columns(self.said(i))
        return found, drawn

    def _units_and_years(self, i: int, texts: Sequence[str]) -> bool:
        """Whether the `texts` of row `i`, which has no label, are units and years, right under a row of words."""
        above = self.codes[i - 1] if i else self.codes[i]
        if not i or self.full[i, 0] or not (np.isin(above, (EMPTY, TEXT, YEAR)).all() and (above == TEXT).any()):
            return False
        years = sum(code_of_text(text) == YEAR for text in texts)
        return 0 < years < len(texts) == years + sum(is_unit(text) for text in texts if code_of_text(text) != YEAR)

    def _own(self, i: int) -> list[str]:
        """The texts of row `i` but for its label and for names merged down from the row above; all if it has one."""
        at = np.flatnonzero(self.full[i]).tolist()
        if len(at) == 1:
            return [self.text(i, at[0])]
        return [self.text(i, j) for j in at if j and (not i or self.text(i, j) != self.text(i - 1, j))]

    def _weigh_rows(self) -> None:
        self.units, self.drawn = self._find_units()
        units = self.units
        self.over = np.where(units, np.maximum(self.over + self.data, 1), self.over)
        self.data, self.na = np.where(units, 0, self.data), np.where(units, 0, self.na)
        evidence = self.over + np.where((self.years >= 2) | (self.over > 0), self.years, 0)
        placed = (self.count > 1) | (self.first > 0) | (self.w == 1)
        self.header_like: Flags = (evidence >= 1) & (self.data <= 0.34 * evidence) & (~self.same | self.drawn) & placed
        known = np.where((self.data == 0) & (self.na >= 2), self.na, self.data)
        few = np.maximum(0.5 * known, 0.5 if self.w > 3 else 0)
        year_heads = (self.years >= 2) & (self.years >= known)
        self.body_like: Flags = (known >= 1) & (self.over <= few) & (self.count >= min(2, self.w)) & ~year_heads
        self.header_like &= ~self.remarked
        self.body_like &= ~self.remarked

    def _year(self, i: int, j: int) -> int:
        digits = re.sub(r"\D", "", self.text(i, j))[:4]
        return int(digits) if digits else 0

    def _one_value(self) -> Flags:
        """Rows of two cells or more that all hold one value: a merged cell, written out."""
        same = np.zeros(self.n, bool)
        low = np.where(self.full, self.codes, 99).min(1, initial=99)
        alike = (self.count >= 2) & (self.codes.max(1, initial=0) == low)
        for i in np.flatnonzero(alike).tolist():
            at = np.flatnonzero(self.full[i]).tolist()
            value = self.text(i, at[0])
            same[i] = all(self.text(i, j) == value for j in at[1:])
        return same

    def part(self, first: int, last: int) -> Panel:
        """The panel of columns `first` to `last` of this one."""
        return Panel(self.cells, self.r0, self.r0 + self.n - 1, self.c0 + first, self.c0 + last)

    def rows(self, first: int, last: int) -> Panel:
        """The panel of rows `first` to `last` of this one, without empty rows and columns around it."""
        full = self.full[first : last + 1]
        rows, columns = np.flatnonzero(full.any(1)), np.flatnonzero(full.any(0))
        if not len(rows):
            return self
        a, b, c, d = int(rows[0]) + first, int(rows[-1]) + first, int(columns[0]), int(columns[-1])
        if (a, b, c, d) == (0, self.n - 1, 0, self.w - 1):
            return self
        return Panel(self.cells, self.r0 + a, self.r0 + b, self.c0 + c, self.c0 + d)

    def trimmed(self) -> Panel:
        """The panel without empty rows and columns around it; itself when there are none, or nothing else."""
        return self.rows(0, self.n - 1)

    def text(self, i: int, j: int) -> str:
        """The stripped text of the cell at `i`, `j`."""
        return self.cells.text(self.r0 + i, self.c0 + j)

    def said(self, i: int) -> tuple[str, ...]:
        """The texts of row `i`, from left to right."""
        return tuple(self.text(i, j) for j in np.flatnonzero(self.full[i]).tolist())

    def label(self, i: int) -> str:
        """The first text of row `i`."""
        return self.text(i, int(self.first[i])) if self.count[i] else ""

    def is_note(self, i: int) -> bool:
        """Whether row `i` reads like a note: a source, a footnote mark, a link."""
        return NOTE_RE.search(self.label(i)) is not None

    def is_total(self, i: int) -> bool:
        """Whether one of the first cells of row `i` reads like the label of a total; in a sparse row, any cell."""
        return self.total_column(i) >= 0

    def total_column(self, i: int) -> int:
        """The column of the cell for which `is_total` says so; -1 without."""
        labels = self.cells.total_labels
        if not labels:
            return -1
        sparse = self.count[i] <= max(2, 0.34 * self.typical)
        at = range(self.w if sparse else min(self.w, _FIRST_COLUMNS))
        held = (j for j in at if self.codes[i, j] == TEXT and self.cells.value(self.r0 + i, self.c0 + j) in labels)
        return next(held, -1)

    @cached_property
    def filled_rows(self) -> list[int]:
        """The rows that hold anything."""
        return np.flatnonzero(self.count).tolist()

    @property
    def rows_aside(self) -> list[int]:
        """The rows that hold details and are read by no table."""
        aside = self.cells.aside
        return [i - self.r0 for i in aside[bisect_left(aside, self.r0) : bisect_left(aside, self.r0 + self.n)]]


def runs(flags: Flags | Sequence[bool]) -> list[tuple[int, int]]:
    """(first, last) of the runs of true values."""
    edge = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, np.int8), [0]])))
    return list(zip(edge[::2].tolist(), (edge[1::2] - 1).tolist(), strict=True))
