"""Which totals a sheet states for its records, and which of these each stands for."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from schemas.deal import Column, StatedTotal, Table
from schemas.workbook import column_index, column_letters
from tools.deals.rows_beside import RowsBeside, rows_of
from tools.deals.run_sums import RunSums, Spans
from tools.deals.said import as_held
from tools.deals.sums_above import SumsAbove
from tools.deals.total_amounts import TotalAmounts
from tools.deals.totals import factor_of, is_summed, near
from tools.workbook.grid import LAST_ROW, Sheet
from tools.workbook.statistic_words import STATISTICS

_FEWEST_MEANS, _MOST_SECTIONS = 2, 50
_COMPARED = "difference|variance|delta|change"
_SHARES = r"(?:%|\b(?:percent|pct|share)\b)\W*of\b"
_NO_SUM = re.compile(
    rf"\b(?:weighted|wtd|{_COMPARED}|{'|'.join(sorted(STATISTICS))})\b"
    rf"|{_SHARES}"
    r"|^\W*(?:hi|lo)[^\w$]*(?:$|[\d$])"
    r"|(?:%|\b(?:percent|pct))\W*(?:occupied|vacant|leased)\b|\b(?:occup\w+|vacan\w+|leased)\W*(?:%|percent\b|pct\b|rate\b)",
    re.IGNORECASE,
)
_GRAND = re.compile(r"\b(?:grand|overall|portfolio|all|gesamt\w*|insgesamt|report)\b", re.IGNORECASE)
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)")
_SUM = re.compile(r"\s*(?:SUM|SUBTOTAL)\s*\(", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Group:
    """Records that a total may stand for."""

    words: str
    records: Spans


@dataclass(frozen=True, slots=True)
class _Cell:
    """A total's cell: what it holds, and the records that its formula sums, if it does."""

    column: Column
    found: float
    address: str
    formula: Spans | None


def stated_totals(table: Table, sheet: Sheet, above: SumsAbove | None = None) -> tuple[StatedTotal, ...]:
    """The totals of a table that its sheet states, each with the records that it agrees with, else the likeliest.

    Left out are totals that hold more than records of the table and agree with that: the rows that go on with records,
    or the records of the tables `above` it.
    """
    if table.orientation == "columns":
        return ()
    rows = rows_of(table, "total")
    if not rows:
        return ()
    finder = _Finder(table, sheet, above)
    around = zip(rows, [0, *rows], [*rows[1:], 0], strict=False)
    return tuple(total for row, before, after in around for total in finder.row(row, before, after))


class _Finder:
    def __init__(self, table: Table, sheet: Sheet, above: SumsAbove | None) -> None:
        self.table, self.sheet, self.above = table, sheet, above
        self.rows, self.ends = list(table.records), [*table.records, LAST_ROW + 1]
        self.columns = [column for column in table.columns if is_summed(column)]
        self.factors = {column.place: factor_of(table, column) for column in self.columns}
        self.beside = RowsBeside(table, sheet, {c.place: TotalAmounts(c, self.factors[c.place]) for c in self.columns})
        amounts = {c.place: np.array(c.values, dtype=float) / self.factors[c.place] for c in self.columns}
        self.sums = {place: RunSums(held) for place, held in amounts.items()}
        self.counts = {place: RunSums(np.where(np.isnan(held), 0.0, 1.0)) for place, held in amounts.items()}
        self.sections = _spans_of(table.sections)
        parts = list(self.sections.items())[:_MOST_SECTIONS]
        self.parts = [_Group(f"the records of {as_held(name)}", part) for name, part in parts]
        self.over: dict[str, float] = {}

    def row(self, row: int, before: int, after: int) -> list[StatedTotal]:
        """The totals in `row`; `before` and `after` are the rows of the totals above and below it, 0 for none."""
        label = " ".join(str(v) for v in self._texts(row))
        cells = [] if _NO_SUM.search(label) else self._cells(row)
        groups = [*self._groups(row, before, label), *self._below(row, after)] if cells else []
        if not groups or self._is_mean(cells, groups):
            return []
        agreeing = [sum(self._agrees(cell, group.records) for cell in cells) for group in groups]
        likeliest = groups[int(np.argmax(agreeing))]
        # What a total with more than records may be about: the records of a section too.
        more = [*groups, *self.parts]
        return [
            self._total(cell, more, likeliest, row)
            for cell in cells
            if not self._holds_more(cell, more) and not self._is_adjusted(cell, more, before, row)
        ]

    def _holds_more(self, cell: _Cell, groups: Sequence[_Group]) -> bool:
        """Whether a total agrees with records and the rows that go on with them, or those of the tables above."""
        if cell.formula is not None or any(self._agrees(cell, group.records) for group in groups):
            return False
        over = self._over(cell.column)
        beside = [(self._continued(cell, group.records), group) for group in groups]
        found = [(more, group) for more, group in [*beside, *((over, group) for group in groups)] if more]
        return any(self._near(cell, self._sum(cell, group.records) + more) for more, group in found)

    def _over(self, column: Column) -> float:
        """What the tables above hold in a column, as its cells would."""
        if column.place not in self.over:
            held = self.above.of(column) if self.above else 0.0
            self.over[column.place] = held / self.factors[column.place]
        return self.over[column.place]

    def _is_adjusted(self, cell: _Cell, groups: Sequence[_Group], before: int, row: int) -> bool:
        """Whether a total agrees with records and what the notes since the last total add to them, or take away."""
        step = self.beside.sum(cell.column.place, "note", before + 1, row)
        sums = [self._sum(cell, group.records) for group in groups] if step else []
        return any(self._near(cell, total + sign * step) for total in sums for sign in (1, -1))

    def _continued(self, cell: _Cell, records: Spans) -> float:
        """What the rows hold that go on with the records of a group."""
        rows, place = self.ends, cell.column.place
        return sum(self.beside.sum(place, "other", rows[first] + 1, rows[last + 1]) for first, last in records)

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
        return StatedTotal(
            place, cell.address, cell.found, group.records, group.words, code, self.factors[place], hidden
        )

    def _hidden(self, cell: _Cell, group: _Group, row: int) -> float:
        """What the hidden rows among the records of a group hold."""
        first = self.rows[group.records[0][0]] if group.records else row
        between = (first - 1, row) if first <= row else (row + 1, first)
        return self.beside.sum(cell.column.place, "hidden", *between)

    def _is_mean(self, cells: Sequence[_Cell], groups: Sequence[_Group]) -> bool:
        """Whether the row holds the means of its records, so that nothing in it should be their sum."""
        for group in groups:
            counts = (max(1.0, self.counts[cell.column.place].spans(group.records)) for cell in cells)
            means = [self._sum(cell, group.records) / count for cell, count in zip(cells, counts, strict=True)]
            if sum(self._near(cell, mean) for cell, mean in zip(cells, means, strict=True)) >= _FEWEST_MEANS:
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
            reader = self.beside.readers[column.place]
            amount = reader.read(self.sheet.value(row, index))
            if amount is not None and not reader.open:
                place = f"{column.place}{row}"
                address = place if self.table.sheet is None else f"{self.table.sheet}!{place}"
                found.append(_Cell(column, amount, address, self._formula_records(row, index)))
        return found

    def _formula_records(self, row: int, column: int) -> Spans | None:
        """The records in the range that the cell's SUM names; None where it is no plain sum of its own column."""
        formula = self.sheet.formula(row, column)
        if not formula or not _SUM.match(formula):
            return None
        ranges = _RANGE.findall(formula)
        if len(ranges) != 1 or column_index(ranges[0][0]) != column or column_index(ranges[0][2]) != column:
            return None
        first, last = int(ranges[0][1]), int(ranges[0][3])
        within = self._between(first - 1, last + 1)
        return within if within and not self.beside.holds(column_letters(column), first, last + 1) else None

    def _between(self, above: int, below: int) -> Spans:
        """The records in the rows between two others."""
        first, stop = bisect_right(self.rows, above), bisect_left(self.rows, below)
        return ((first, stop - 1),) if stop > first else ()

    def _groups(self, row: int, before: int, label: str) -> list[_Group]:
        """What the total may stand for, the likeliest first."""
        above = bisect_left(self.rows, row)
        if not above:
            return [_Group("all records below it", self._between(row, LAST_ROW + 1))]
        block = self._between(before, row)
        whole = _Group("all records above it", self._between(0, row))
        groups = [_Group("the records since the total above it", block)] if block and before else []
        section = self.table.sections[above - 1]
        if section is not None:
            mine = tuple((first, min(last, above - 1)) for first, last in self.sections[section] if first < above)
            groups.append(_Group(f"the records of {as_held(section)}", mine))
        return [whole, *groups] if _GRAND.search(label) or not groups else [*groups, whole]

    def _below(self, row: int, after: int) -> list[_Group]:
        """What a total over its records stands for."""
        below = self._between(row, after or LAST_ROW + 1)
        return [_Group("the records below it, up to the next total", below)] if below else []

    def _sum(self, cell: _Cell, records: Spans) -> float:
        return self.sums[cell.column.place].spans(records)

    def _agrees(self, cell: _Cell, records: Spans) -> bool:
        return self._near(cell, self._sum(cell, records))

    def _near(self, cell: _Cell, expected: float) -> bool:
        return near(cell.column, cell.found, expected, self.factors[cell.column.place])


def _spans_of(sections: Sequence[str | None]) -> dict[str, Spans]:
    """The runs of records of each section, first and last of each."""
    found: dict[str, Spans] = {}
    for section, run in groupby(range(len(sections)), sections.__getitem__):
        if section is not None:
            at = list(run)
            found[section] = (*found.get(section, ()), (at[0], at[-1]))
    return found
