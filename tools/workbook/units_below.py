"""Units right under a total that hold little but a number of their own: vacant suites, and tenants without a lease."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np

from tools.workbook.cells import Cells, Flags, Ints
from tools.workbook.words import DATE, DECO, EMPTY, NUM, TEXT, YEAR

_MOSTLY = 0.6
_NUMBERS = (NUM, DECO, YEAR, DATE)
_VACANT = re.compile(r"\W*(?:vacant|leerstehend|vacío|vacio|sfitto|leegstaand)\b", re.IGNORECASE)


class Units:
    """Tells, of the records at visible `rows`, those that are units of a list whose `totals` stand in other rows."""

    def __init__(self, cells: Cells, rows: Sequence[int], columns: range, totals: Sequence[int]) -> None:
        self._cells, self._rows, self._columns, self._totals = cells, np.array(rows, np.int64), columns, totals

    def holds(self, at: int, bare: Collection[int]) -> bool:
        """Whether the row has the number of a unit before its label; a vacant one may have it behind, or none.

        One without a number is told by the records right below it: what is said of a total stands before none.
        `bare` are the positions of rows that hold as little.
        """
        codes = self._cells.codes[self._rows[at], self._columns.start : self._columns.stop]
        labels = np.flatnonzero(codes == TEXT)
        if not len(labels):
            return False
        own = int(labels[0])
        if (self._numbering[0] & (codes != EMPTY))[:own].any():
            return True
        label = self._cells.text(int(self._rows[at]), self._columns[own])
        behind = bool((self._numbering[1] & (codes != EMPTY))[own + 1 :].any())
        return _VACANT.match(label) is not None and (behind or self._leads(at, bare))

    def _leads(self, at: int, bare: Collection[int]) -> bool:
        """Whether records follow without a gap, whatever vacant units lie between."""
        while at + 1 < len(self._rows) and self._rows[at + 1] == self._rows[at] + 1:
            at += 1
            if at not in bare:
                return True
        return False

    @cached_property
    def _numbering(self) -> tuple[Flags, Flags]:
        """The columns that most records fill with whole numbers or codes and no total does; those where all differ."""
        codes = self._block(self._rows)
        kept = (codes != EMPTY).mean(axis=0) >= _MOSTLY
        if len(self._totals):
            kept &= ~np.isin(self._block(np.array(self._totals, np.int64)), _NUMBERS).any(axis=0)
        differ = kept.copy()
        for j in np.flatnonzero(kept).tolist():
            values = [v for v in self._cells.column(self._rows.tolist(), self._columns[j]) if v is not None]
            kept[j] = all(isinstance(v, str) or (isinstance(v, (int, float)) and v == int(v)) for v in values)
            differ[j] = kept[j] and len(set(values)) == len(values)
        return kept, differ

    def _block(self, rows: Ints) -> Ints:
        return np.asarray(self._cells.codes[rows, self._columns.start : self._columns.stop], np.int64)
