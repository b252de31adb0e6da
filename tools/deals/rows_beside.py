"""What the rows of a table hold that are no records of it: notes, hidden rows, and those that go on with records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from schemas.deal import Table
from schemas.workbook import RowClass, column_index
from tools.deals.run_sums import RunSums
from tools.deals.total_amounts import TotalAmounts
from tools.workbook.grid import Sheet


def rows_of(table: Table, row_class: RowClass) -> list[int]:
    """The rows of a class that are no records of the table, in order."""
    spans = (span for span in table.excluded_rows if span.row_class == row_class)
    return sorted({row for span in spans for row in range(span.first, span.last + 1)})


class RowsBeside:
    """The amounts of rows that are no records, in the columns that `readers` read; each row is read once."""

    def __init__(self, table: Table, sheet: Sheet, readers: Mapping[str, TotalAmounts]) -> None:
        self.readers = readers
        self._table, self._sheet = table, sheet
        self._sums: dict[tuple[str, str], RunSums] = {}
        self._filled: dict[str, list[int]] = {}

    def sum(self, place: str, kind: str, first: int, stop: int) -> float:
        """What rows of a kind (`note`, `hidden`, `other`) from `first` up to `stop` hold in a column together."""
        rows = self._rows[kind]
        low, high = bisect_left(rows, first), bisect_left(rows, stop)
        if low >= high:
            return 0.0
        if (place, kind) not in self._sums:
            self._sums[place, kind] = RunSums(np.array([self._amount(place, row) or 0.0 for row in rows], float))
        return self._sums[place, kind].run(low, high)

    def holds(self, place: str, first: int, stop: int) -> bool:
        """Whether a row from `first` up to `stop` that is no record holds an amount: a hidden one, another total."""
        if place not in self._filled:
            records, index, sheet = set(self._table.records), column_index(place), self._sheet
            far = (row for row, column in sheet.strays if column == index)
            others = {row for row in (*range(sheet.top, sheet.bottom + 1), *far) if row not in records}
            self._filled[place] = sorted(row for row in others if self._amount(place, row))
        rows = self._filled[place]
        return bisect_left(rows, first) < bisect_left(rows, stop)

    def _amount(self, place: str, row: int) -> float | None:
        return self.readers[place].read(self._sheet.value(row, column_index(place)))

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        sheet = self._sheet
        hidden = sorted(row for row in sheet.hidden_rows if sheet.top <= row <= sheet.bottom)
        other = [row for row in rows_of(self._table, "other") if row not in sheet.hidden_rows]
        return {"note": rows_of(self._table, "note"), "hidden": hidden, "other": other}
