"""Totals and subtotals as checks: each must be the sum of the records that it stands for, to $1.00 or 0.1 %."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.deal import Column, Issue, Table
from schemas.workbook import column_index
from tools.deals.dictionary import dictionary
from tools.deals.numbers import NumberText, read_number
from tools.deals.reading import TableReading
from tools.deals.words import WORDS
from tools.workbook.grid import Sheet

_RELATIVE, _MONEY = 0.001, 1.0
_FEWEST_SUMMED, _FEWEST_COLUMNS = 4, 2
_NO_SUM = re.compile(rf"\b(?:weighted|wtd|{'|'.join(sorted(WORDS.statistics))})\b", re.IGNORECASE)
_GRAND = re.compile(r"\b(?:grand|overall|portfolio|all|gesamt\w*|insgesamt|report)\b", re.IGNORECASE)
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)")
_SUM = re.compile(r"\s*(?:SUM|SUBTOTAL)\s*\(", re.IGNORECASE)
_SUMMED = ("money", "number", "count")
_RATIO_UNITS = ("ratio", "months", "per_sf", "per_unit")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Group:
    """Records that a total may stand for."""

    words: str
    records: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Cell:
    """A total's cell: what it holds, and the records that its formula sums, if it does."""

    column: Column
    found: float
    address: str
    formula: NDArray[np.bool_] | None


def check_totals(table: Table, reading: TableReading) -> list[Issue]:
    """Issues `total.mismatch`, `total.hidden`, `total.stale` and `total.unmarked`, each with what its records give."""
    if table.orientation == "columns":
        return []
    spans = [span for span in table.excluded_rows if span.row_class == "total"]
    checker = _Totals(table, reading.table.sheet)
    rows = sorted({row for span in spans for row in range(span.first, span.last + 1)})
    issues = checker.unmarked()
    for at, row in enumerate(rows):
        issues += checker.row(row, rows[at - 1] if at else 0)
    return issues


class _Totals:
    def __init__(self, table: Table, sheet: Sheet) -> None:
        self.table, self.sheet = table, sheet
        self.rows = np.asarray(table.records)
        self.columns = [column for column in table.columns if _summed(column)]
        self.amounts = {column.place: _raw_amounts(table, column) for column in self.columns}

    def row(self, row: int, before: int) -> list[Issue]:
        """The issues of the total in `row`; `before` is the row of the total above it, 0 for none."""
        label = " ".join(str(v) for v in self._texts(row))
        cells = [] if _NO_SUM.search(label) else self._cells(row)
        groups = self._groups(row, before, label)
        if not cells or not groups or self._is_mean(cells, groups):
            return []
        agreeing = [sum(self._agrees(cell, group.records) for cell in cells) for group in groups]
        group = groups[int(np.argmax(agreeing))]
        issues: list[Issue] = []
        for cell in cells:
            if cell.formula is not None and not self._agrees(cell, cell.formula):
                issues.append(self._issue("total.stale", cell, cell.formula, "its own formula's range"))
            elif not any(self._agrees(cell, other.records) for other in groups):
                issues.append(self._unlike(cell, groups, group, row))
        return issues

    def _is_mean(self, cells: Sequence[_Cell], groups: Sequence[_Group]) -> bool:
        """Whether the row holds the means of its records, so that nothing in it should be their sum."""
        for group in groups:
            amounts = [self.amounts[cell.column.place][group.records] for cell in cells]
            means = [np.nansum(held) / max(1, np.count_nonzero(~np.isnan(held))) for held in amounts]
            if sum(self._near(cell, float(mean)) for cell, mean in zip(cells, means, strict=True)) >= _FEWEST_COLUMNS:
                return True
        return False

    def _unlike(self, cell: _Cell, groups: Sequence[_Group], group: _Group, row: int) -> Issue:
        """The issue of a total unlike its records: that it counts hidden rows, where that explains it."""
        index = column_index(cell.column.place)
        for other in groups:
            first = int(self.rows[other.records].min()) if other.records.any() else row
            between = [hidden for hidden in self.sheet.hidden_rows if first - 1 <= hidden < row or row < hidden < first]
            hidden_sum = sum(_amount(self.sheet.value(hidden, index)) or 0.0 for hidden in between)
            if hidden_sum and self._near(cell, self._sum(cell, other.records) + hidden_sum):
                return self._issue("total.hidden", cell, other.records, f"without hidden rows, {other.words}")
        return self._issue("total.mismatch", cell, group.records, group.words)

    def unmarked(self) -> list[Issue]:
        """An issue on a record that holds the sum of all others in two columns or more: a total that nothing marks."""
        sums: Counter[int] = Counter()
        for amounts in self.amounts.values():
            half = float(np.nansum(amounts)) / 2
            if half > 0 and np.count_nonzero(amounts > 0) >= _FEWEST_SUMMED:
                sums.update(np.flatnonzero(np.abs(amounts - half) <= _RELATIVE * half).tolist())
        found = [record for record, count in sums.items() if count >= _FEWEST_COLUMNS]
        if len(found) != 1:
            return []
        row = int(self.rows[found[0]])
        cells = tuple(cell for column in self.columns if (cell := self.table.cell(column, found[0])))
        message = f"Row {row} holds the sum of all other rows; it looks like a total but was read as a deal."
        return [Issue("total.unmarked", "error", message, cells)]

    def _texts(self, row: int) -> Sequence[object]:
        at = row - self.sheet.top
        return [v for v in self.sheet.rows[at] if isinstance(v, str)] if 0 <= at < self.sheet.height else []

    def _cells(self, row: int) -> list[_Cell]:
        found: list[_Cell] = []
        for column in self.columns:
            index = column_index(column.place)
            amount = _amount(self.sheet.value(row, index))
            if amount is not None:
                place = f"{column.place}{row}"
                address = place if self.table.sheet is None else f"{self.table.sheet}!{place}"
                found.append(_Cell(column, amount, address, self._formula_records(row, index)))
        return found

    def _formula_records(self, row: int, column: int) -> NDArray[np.bool_] | None:
        """The records in the range that the cell's SUM names; None where it is no plain sum of its own column."""
        formula = self.sheet.formula(row, column)
        if not formula or not _SUM.match(formula):
            return None
        ranges = _RANGE.findall(formula)
        if len(ranges) != 1 or column_index(ranges[0][0]) != column or column_index(ranges[0][2]) != column:
            return None
        first, last = int(ranges[0][1]), int(ranges[0][3])
        within = (self.rows >= first) & (self.rows <= last)
        return within if within.any() and not self._others_within(first, last, column) else None

    def _others_within(self, first: int, last: int, column: int) -> bool:
        """Whether the range holds numbers in rows that are no records: hidden ones, or other totals."""
        records = set(self.rows.tolist())
        return any(row not in records and _amount(self.sheet.value(row, column)) for row in range(first, last + 1))

    def _groups(self, row: int, before: int, label: str) -> list[_Group]:
        """What the total may stand for, the likeliest first."""
        above = self.rows < row
        if not above.any():
            return [_Group("all records below it", self.rows > row)]
        block = above & (self.rows > before)
        whole = _Group("all records above it", above)
        groups = [_Group("the records since the total above it", block)] if block.any() and before else []
        sections = self.table.sections
        last = int(np.flatnonzero(above)[-1])
        if sections[last] is not None:
            mine = np.array([s == sections[last] for s in sections], dtype=bool)
            groups.append(_Group(f"the records of {sections[last]!r}", above & mine))
        return [whole, *groups] if _GRAND.search(label) or not groups else [*groups, whole]

    def _sum(self, cell: _Cell, records: NDArray[np.bool_]) -> float:
        return float(np.nansum(self.amounts[cell.column.place][records]))

    def _agrees(self, cell: _Cell, records: NDArray[np.bool_]) -> bool:
        return self._near(cell, self._sum(cell, records))

    def _near(self, cell: _Cell, expected: float) -> bool:
        least = _MONEY / self.table.scale.get(cell.column.place, 1) if cell.column.type == "money" else 0.0
        tolerance = 0.0 if cell.column.type == "count" else max(least, _RELATIVE * abs(expected))
        return abs(cell.found - expected) <= tolerance + 1e-9

    def _issue(self, code: str, cell: _Cell, records: NDArray[np.bool_], words: str) -> Issue:
        expected, what = self._sum(cell, records), cell.column.field or cell.column.header
        message = f"The total of {what} says {_number(cell.found)}; {words} give {_number(expected)}."
        severity = "warning" if code == "total.hidden" else "error"
        return Issue(code, severity, message, (cell.address,), _number(expected), _number(cell.found))


def _summed(column: Column) -> bool:
    spec = dictionary().fields.get(column.field or "")
    return spec is not None and spec.type in _SUMMED and spec.additive and spec.unit not in _RATIO_UNITS


def _amount(value: object) -> float | None:
    if isinstance(value, str):
        number = read_number(value, False)
        return number.value if isinstance(number, NumberText) and not number.percent else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _raw_amounts(table: Table, column: Column) -> Floats:
    """The amounts of a column as its cells write them, before any scale."""
    scale = table.scale.get(column.place, 1)
    if set(map(type, column.raws)) <= {int, float, type(None)}:
        return np.array(column.raws, dtype=float)
    return np.array(column.values, dtype=float) / scale


def _number(value: float) -> str:
    return f"{value:,.2f}".removesuffix(".00")
