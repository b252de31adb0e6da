"""Rows of averages, medians and extremes among the records: what they say of the others is no record of its own.

A row goes by its label where its numbers bear it out, and without a label or a name by arithmetic alone: where it holds
the mean of the others in two columns or more, to more digits than chance would give. Rows that are labelled as
statistics and nothing else may be as many as they like; there may be more of them than deals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from schemas.workbook import RowClass
from tools.workbook.cells import Cells, Flags, Floats
from tools.workbook.closing import closing_rows
from tools.workbook.regions import Area
from tools.workbook.rows import Band
from tools.workbook.statistic_words import EXTREMES, SPREADS, StatisticLabel, spoken, statistic_label
from tools.workbook.subtotals import subtotal_rows
from tools.workbook.sums import last_place
from tools.workbook.tables import Part
from tools.workbook.weights import CHANCE_DIGITS, MOST_STATISTICS, STATISTIC_SHARE
from tools.workbook.words import TEXT

_FEWEST, _SAMPLE, _LABEL_COLUMNS, _LONGEST_LABEL = 3, 64, 3, 60
_EXACT_COLUMNS, _TRIED = 2, 3
_RANGE = re.compile(
    r"[^\d\n]{0,4}\d[\d.,' ]*[^\d\n]{0,12}(?:-|\u2013|\u2014|to|bis|\u00e0|a)[^\d\n]{0,4}\d[\d.,' ]*\D{0,12}"
)


def mark_aggregates(parts: Sequence[Part]) -> None:
    """Turns the records of a table that are aggregates of the others, or only close the list, into totals or notes."""
    if any(band.across or band.key_value for _, band in parts):
        return
    panels = [area.panel for area, _ in parts]
    columns = range(min(p.c0 for p in panels), max(p.c0 + p.w for p in panels))
    places = _records(parts)
    if len(places) >= _FEWEST:
        known = sum(area.classes[band.top : band.end + 1].count("total") for area, band in parts)
        _mark(places, dict.fromkeys(subtotal_rows(panels[0].cells, _rows(places), columns, known), "total"))
        places = _records(parts)
        _mark(places, dict.fromkeys(_Finder(panels[0].cells, _rows(places), columns).found(), "total"))
        places = _records(parts)
        after_total = set(_under_totals(places))
        totals = [area.panel.r0 + i for area, band in parts for i in _totals(area, band)]
        _mark(places, closing_rows(panels[0].cells, _rows(places), columns, after_total, totals))


def _records(parts: Sequence[Part]) -> list[tuple[Area, int]]:
    return [(area, i) for area, band in parts for i in range(band.top, band.end + 1) if area.classes[i] == "record"]


def _totals(area: Area, band: Band) -> Iterator[int]:
    return (i for i in range(band.top, band.end + 1) if area.classes[i] == "total")


def _under_totals(places: Sequence[tuple[Area, int]]) -> Iterator[int]:
    """The positions that stand right under a total, or under blank rows below one."""
    if not any("total" in area.classes for area in {id(area): area for area, _ in places}.values()):
        return
    for at, (area, i) in enumerate(places):
        above = i - 1
        while above >= 0 and area.classes[above] is None:
            above -= 1
        if above >= 0 and area.classes[above] == "total":
            yield at


def _rows(places: Sequence[tuple[Area, int]]) -> list[int]:
    return [area.panel.r0 + i for area, i in places]


def _mark(places: Sequence[tuple[Area, int]], found: Mapping[int, RowClass]) -> None:
    for at, row_class in found.items():
        area, i = places[at]
        area.classes[i] = row_class


class _Finder:
    """Looks for aggregates among the records of a table, at visible rows `rows` and visible columns `columns`."""

    def __init__(self, cells: Cells, rows: Sequence[int], columns: range) -> None:
        self._cells, self._rows, self._columns = cells, rows, columns
        self._out: list[int] = []

    def found(self) -> list[int]:
        """The positions of the aggregates among the records, in order; where half were, only the well labelled."""
        labels = self._labels()
        starts = [0, *(np.flatnonzero(np.diff(self._rows) > 1) + 1).tolist()]
        for at in sorted({*labels, *self._ends(starts)}):
            start = max((s for s in (*starts, *(o + 1 for o in self._out)) if s <= at), default=0)
            if any(self._is_aggregate(at, pool, labels.get(at)) for pool in self._pools(at, start, labels)):
                self._out.append(at)
        guessed = [at for at in self._out if at not in labels or not (labels[at].pure or labels[at].measured)]
        if len(guessed) <= MOST_STATISTICS * (len(self._rows) - len(self._out) + len(guessed)):
            return self._out
        return [at for at in self._out if at not in guessed]

    def _labels(self) -> dict[int, StatisticLabel]:
        found: dict[int, StatisticLabel] = {}
        for j in self._columns[:_LABEL_COLUMNS]:
            values = self._cells.column(self._rows, j)
            some = {*values[:_SAMPLE]}
            differ = 2 * len(some) > len(values[:_SAMPLE])
            texts = [t for t in (values if differ else {*values}) if isinstance(t, str) and len(t) < _LONGEST_LABEL]
            said = {text: label for text in spoken(texts) if (label := statistic_label(text))}
            if said:
                found = {at: said[text] for at, text in enumerate(map(str, values)) if text in said} | found
        return found

    def _ends(self, starts: Sequence[int]) -> Iterator[int]:
        """The last records of runs that are long enough to be summed up, and the last one of all, without a name."""
        for start, after in zip(starts, [*starts[1:], len(self._rows)], strict=True):
            if (after - start > _FEWEST or after == len(self._rows)) and self._holds_no_name(after - 1):
                yield after - 1

    @cached_property
    def _name_column(self) -> int | None:
        """The first column that holds text in most of the records."""
        return next((j for j in self._columns if self._worded[j]), None)

    @cached_property
    def _worded(self) -> Flags:
        """Which columns hold text in most of the records."""
        some = np.array(self._rows)[:: max(1, len(self._rows) // _SAMPLE)]
        return np.asarray((self._cells.codes[some] == TEXT).sum(0) > 0.6 * len(some), np.bool_)

    def _holds_no_name(self, at: int) -> bool:
        return self._name_column is not None and not self._cells.codes[self._rows[at], self._name_column]

    def _pools(self, at: int, start: int, labels: dict[int, StatisticLabel]) -> Iterator[list[int]]:
        """The records that a row may speak of: those of its run, all above it, and those below one that leads."""
        aside = {*self._out, *(other for other, label in labels.items() if label.pure)}
        block = [i for i in range(start, at) if i not in aside]
        above = block if start == 0 else [i for i in range(at) if i not in aside]
        below = [i for i in range(at + 1, len(self._rows)) if i not in aside] if len(above) < _FEWEST - 1 else []
        yield from (pool for pool in (block, above if above != block else [], below) if len(pool) >= _FEWEST - 1)

    def _is_aggregate(self, at: int, pool: Sequence[int], label: StatisticLabel | None) -> bool:
        if label is None:
            return len(pool) >= _FEWEST and self._agrees(at, pool, ("mean",), _EXACT_COLUMNS)
        if label.pure and not self._is_named(at):
            return self._bears_out(at, pool, label)
        if label.measured and self._is_lone_figure(at) and not self._is_named(at) and self._bears_out(at, pool, label):
            return True
        return self._agrees(at, pool, ("mean", "median", "min", "max"), 1)

    def _bears_out(self, at: int, pool: Sequence[int], label: StatisticLabel) -> bool:
        """Whether the numbers are such as a label that says nothing else says, over the records of `pool`."""
        held = [(x, values) for j, x in self._numbers(at) if len(values := self._values(pool, j))]
        if not held:
            return bool(label.words & SPREADS) and self._holds_ranges(at)
        inside = sum(
            values.min() - 1e-9 <= x <= values.max() + 1e-9 or (label.sums and _is_sum(x, values)) for x, values in held
        )
        ends = sum(bool(np.isclose(x, (values.min(), values.max())).any()) for x, values in held)
        if label.words & EXTREMES:
            return ends >= STATISTIC_SHARE * len(held)
        return inside >= STATISTIC_SHARE * len(held) or bool(label.words & SPREADS)

    def _holds_ranges(self, at: int) -> bool:
        """Whether all that the row holds but its label are ranges written as text: 10 - 40, $1m to $4m."""
        row = self._rows[at]
        said = [self._cells.text(row, j) for j in self._columns if self._cells.filled[row, j]]
        return len(said) > 1 and all(len(text) < _LONGEST_LABEL and _RANGE.fullmatch(text) for text in said[1:])

    def _is_lone_figure(self, at: int) -> bool:
        """Whether the row holds one number at most, where the record that leads the list holds more."""
        return len(list(self._numbers(at))) <= 1 < len(list(self._numbers(0)))

    def _is_named(self, at: int) -> bool:
        """Whether the row holds a text beside its label in each column where most records do: a deal of that name."""
        codes = self._cells.codes[self._rows[at], self._columns.start : self._columns.stop]
        worded = self._worded[self._columns.start : self._columns.stop]
        return bool(worded.sum() > 1 and (codes[worded] == TEXT).all())

    def _agrees(self, at: int, pool: Sequence[int], statistics: Sequence[str], least: int) -> bool:
        """Whether the row holds one of the statistics in `least` columns that differ, to enough digits."""
        tried = [(x, values) for j, x in self._numbers(at) if x and len(values := self._values(pool, j)) >= _FEWEST - 1]
        needed = CHANCE_DIGITS + np.log10(_TRIED * max(1, len(tried)))
        for statistic in statistics:
            shares, digits = list[Floats](), 0.0
            for x, values in tried:
                said = _digits(x, values, statistic)
                share = values / max(np.abs(values).max(), 1e-12)
                if said and not any(len(share) == len(one) and np.allclose(share, one, atol=1e-6) for one in shares):
                    shares.append(share)
                    digits += said
            if len(shares) >= least and digits >= needed:
                return True
        return False

    def _numbers(self, at: int) -> Iterator[tuple[int, float]]:
        for j in self._columns:
            number = self._cells.number(self._rows[at], j)
            if not np.isnan(number):
                yield j, number

    def _values(self, pool: Sequence[int], j: int) -> Floats:
        numbers = self._cells.number_block(np.array(self._rows)[list(pool)], np.array([j]))[:, 0]
        return numbers[~np.isnan(numbers)]


def _is_sum(x: float, values: Floats) -> bool:
    return bool(abs(values.sum() - x) <= 0.001 * abs(x) + 1e-9)


def _digits(x: float, values: Floats, statistic: str) -> float:
    """To how many digits `x` is the statistic of `values`; 0 where it is not. Constant columns say nothing."""
    if values.min() == values.max():
        return 0.0
    expected = float({"mean": np.mean, "median": np.median, "min": np.min, "max": np.max}[statistic](values))
    step = float(last_place(np.array([x]))[0])
    room = min(step, 0.004 * abs(x)) + 1e-9
    return float(np.log10(1 + abs(x) / max(2 * room, 1e-12))) if abs(x - expected) <= room else 0.0
