"""Which totals a sheet states for its records, and which of these each stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.deal import Column, StatedTotal, Table
from schemas.workbook import RowSpan, column_index, column_letters
from tools.deals.said import as_held
from tools.deals.total_amounts import TotalAmounts
from tools.deals.totals import factor_of, is_summed, near
from tools.workbook.grid import Sheet
from tools.workbook.statistic_words import STATISTICS

_FEWEST_MEANS, _MOST_SECTIONS = 2, 50
_COMPARED = "difference|variance|delta|change"
_SHARES = r"(?:%|\b(?:percent|pct|share)\b)\W*of\b"
_NO_SUM = re.compile(
    rf"\b(?:weighted|wtd|{_COMPARED}|{'|'.join(sorted(STATISTICS))})\b"
    rf"|{_SHARES}"
    r"|(?:%|\b(?:percent|pct))\W*(?:occupied|vacant|leased)\b|\b(?:occup\w+|vacan\w+|leased)\W*(?:%|percent\b|pct\b|rate\b)",
    re.IGNORECASE,
)
_GRAND = re.compile(r"\b(?:grand|overall|portfolio|all|gesamt\w*|insgesamt|report)\b", re.IGNORECASE)
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)")
_SUM = re.compile(r"\s*(?:SUM|SUBTOTAL)\s*\(", re.IGNORECASE)
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Group:
    """Records that a total may stand for."""

    words: str
    records: Bools


@dataclass(frozen=True, slots=True)
class _Cell:
    """A total's cell: what it holds, and the records that its formula sums, if it does."""

    column: Column
    found: float
    address: str
    formula: Bools | None


def stated_totals(table: Table, sheet: Sheet, above: Sequence[Table] = ()) -> tuple[StatedTotal, ...]:
    """The totals of a table that its sheet states, each with the records that it agrees with, else the likeliest.

    Left out are totals that hold more than records of the table and agree with that: the rows that go on with records,
    or the records of the tables `above` it.
    """
    if table.orientation == "columns":
        return ()
    spans = [span for span in table.excluded_rows if span.row_class == "total"]
    rows = sorted({row for span in spans for row in _rows(span)})
    if not rows:
        return ()
    finder = _Finder(table, sheet, above)
    around = zip(rows, [0, *rows], [*rows[1:], 0], strict=False)
    return tuple(total for row, before, after in around for total in finder.row(row, before, after))


class _Finder:
    def __init__(self, table: Table, sheet: Sheet, above: Sequence[Table]) -> None:
        self.table, self.sheet, self.above = table, sheet, above
        self.rows = np.asarray(table.records)
        self.columns = [column for column in table.columns if is_summed(column)]
        self.factors = {column.place: factor_of(table, column) for column in self.columns}
        self.read = {column.place: TotalAmounts(column, self.factors[column.place]) for column in self.columns}
        self.amounts = {c.place: np.array(c.values, dtype=float) / self.factors[c.place] for c in self.columns}

    def row(self, row: int, before: int, after: int) -> list[StatedTotal]:
        """The totals in `row`; `before` and `after` are the rows of the totals above and below it, 0 for none."""
        label = " ".join(str(v) for v in self._texts(row))
        cells = [] if _NO_SUM.search(label) else self._cells(row)
        groups = [*self._groups(row, before, label), *self._below(row, after)]
        if not cells or not groups or self._is_mean(cells, groups):
            return []
        agreeing = [sum(self._agrees(cell, group.records) for cell in cells) for group in groups]
        likeliest = groups[int(np.argmax(agreeing))]
        more = self._more_groups(groups)
        notes = [note for span in self.table.excluded_rows if span.row_class == "note" for note in _rows(span)]
        between = [note for note in notes if before < note < row]
        return [
            self._total(cell, more, likeliest, row)
            for cell in cells
            if not self._holds_more(cell, more) and not self._is_adjusted(cell, more, between)
        ]

    def _more_groups(self, groups: Sequence[_Group]) -> list[_Group]:
        """The groups, and the records of each section: what a total with more than records may be about."""
        sections = self.table.sections
        named = dict.fromkeys(section for section in sections if section is not None)
        parts = {name: np.array([s == name for s in sections], dtype=bool) for name in list(named)[:_MOST_SECTIONS]}
        return [*groups, *(_Group(f"the records of {as_held(name)}", part) for name, part in parts.items())]

    def _holds_more(self, cell: _Cell, groups: Sequence[_Group]) -> bool:
        """Whether a total agrees with records and the rows that go on with them, or those of the tables above."""
        if cell.formula is not None or any(self._agrees(cell, group.records) for group in groups):
            return False
        over = sum(_sum_of(table, cell.column) for table in self.above) / self.factors[cell.column.place]
        beside = [(self._continued(cell, group.records), group) for group in groups]
        found = [(more, group) for more, group in [*beside, *((over, group) for group in groups)] if more]
        return any(self._near(cell, self._sum(cell, group.records) + more) for more, group in found)

    def _is_adjusted(self, cell: _Cell, groups: Sequence[_Group], notes: Sequence[int]) -> bool:
        """Whether a total agrees with records and what the rows `notes` above it add to them, or take away."""
        step = sum(self._amount(cell, row) for row in notes)
        sums = [self._sum(cell, group.records) for group in groups] if step else []
        return any(self._near(cell, total + sign * step) for total in sums for sign in (1, -1))

    def _amount(self, cell: _Cell, row: int) -> float:
        """What another row holds in the column of a total's cell, 0 for nothing."""
        return self.read[cell.column.place].read(self.sheet.value(row, column_index(cell.column.place))) or 0.0

    def _continued(self, cell: _Cell, records: Bools) -> float:
        """What the rows hold that go on with the records of a group."""
        spans = (span for span in self.table.excluded_rows if span.row_class == "other")
        rows = [row for span in spans for row in _rows(span) if row not in self.sheet.hidden_rows]
        owners = np.searchsorted(self.rows, rows) - 1
        mine = [row for row, owner in zip(rows, owners.tolist(), strict=True) if owner >= 0 and records[owner]]
        return sum(self._amount(cell, row) for row in mine)

    def _total(self, cell: _Cell, groups: Sequence[_Group], likeliest: _Group, row: int) -> StatedTotal:
        if cell.formula is not None and not self._agrees(cell, cell.formula):
            return self._stated(cell, _Group("its own formula's range", cell.formula), "total.stale")
        for group in (likeliest, *groups):
            if self._agrees(cell, group.records):
                return self._stated(cell, group)
        for group in groups:
            hidden = self._hidden(cell, group, row)
            if hidden and self._near(cell, self._sum(cell, group.records) + hidden):
                return self._stated(cell, group, hidden=hidden)
        return self._stated(cell, likeliest)

    def _stated(self, cell: _Cell, group: _Group, code: str = "total.mismatch", hidden: float = 0.0) -> StatedTotal:
        place = cell.column.place
        spans = _spans(group.records)
        return StatedTotal(place, cell.address, cell.found, spans, group.words, code, self.factors[place], hidden)

    def _hidden(self, cell: _Cell, group: _Group, row: int) -> float:
        """What the hidden rows among the records of a group hold."""
        first = int(self.rows[group.records].min()) if group.records.any() else row
        between = [hidden for hidden in self.sheet.hidden_rows if first - 1 <= hidden < row or row < hidden < first]
        return sum(self._amount(cell, hidden) for hidden in between)

    def _is_mean(self, cells: Sequence[_Cell], groups: Sequence[_Group]) -> bool:
        """Whether the row holds the means of its records, so that nothing in it should be their sum."""
        for group in groups:
            amounts = [self.amounts[cell.column.place][group.records] for cell in cells]
            means = [np.nansum(held) / max(1, np.count_nonzero(~np.isnan(held))) for held in amounts]
            if sum(self._near(cell, float(mean)) for cell, mean in zip(cells, means, strict=True)) >= _FEWEST_MEANS:
                return True
        return False

    def _texts(self, row: int) -> Sequence[object]:
        at = row - self.sheet.top
        held = (column.values[at] for column in self.sheet.columns if 0 <= at < self.sheet.height)
        return [value for value in held if isinstance(value, str)]

    def _cells(self, row: int) -> list[_Cell]:
        found: list[_Cell] = []
        for column in self.columns:
            index = column_index(column.place)
            reader = self.read[column.place]
            amount = reader.read(self.sheet.value(row, index))
            if amount is not None and not reader.open:
                place = f"{column.place}{row}"
                address = place if self.table.sheet is None else f"{self.table.sheet}!{place}"
                found.append(_Cell(column, amount, address, self._formula_records(row, index)))
        return found

    def _formula_records(self, row: int, column: int) -> Bools | None:
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
        records, read = set(self.rows.tolist()), self.read[column_letters(column)].read
        return any(row not in records and read(self.sheet.value(row, column)) for row in range(first, last + 1))

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
            groups.append(_Group(f"the records of {as_held(sections[last])}", above & mine))
        return [whole, *groups] if _GRAND.search(label) or not groups else [*groups, whole]

    def _below(self, row: int, after: int) -> list[_Group]:
        """What a total over its records stands for."""
        below = (self.rows > row) & ((self.rows < after) | (after == 0))
        return [_Group("the records below it, up to the next total", below)] if below.any() else []

    def _sum(self, cell: _Cell, records: Bools) -> float:
        return float(np.nansum(self.amounts[cell.column.place][records]))

    def _agrees(self, cell: _Cell, records: Bools) -> bool:
        return self._near(cell, self._sum(cell, records))

    def _near(self, cell: _Cell, expected: float) -> bool:
        return near(cell.column, cell.found, expected, self.factors[cell.column.place])


def _rows(span: RowSpan) -> range:
    return range(span.first, span.last + 1)


def _sum_of(table: Table, column: Column) -> float:
    """The sum of a table's column for the same field, or else of the one in the same place that is of the same type."""
    alike = [c for c in table.columns if is_summed(c) and (c.field == column.field or c.place == column.place)]
    best = min(alike, key=lambda c: c.field != column.field, default=None)
    same = best is not None and best.type == column.type
    return float(np.nansum(np.array(best.values, dtype=float))) if best is not None and same else 0.0


def _spans(records: Bools) -> tuple[tuple[int, int], ...]:
    """The runs of records that are marked, first and last of each."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], records, [False])).astype(np.int8)))
    return tuple((int(first), int(last) - 1) for first, last in edges.reshape(-1, 2))
