"""Rows of averages, medians, extremes and sums among the records: what they say of the others is no deal.

A row goes by its label where its numbers bear it out, and without a label by arithmetic alone: where it holds the
mean or the sum of the others in two columns or more, to more digits than chance would give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.deals.left_out import leave_out
from tools.deals.numbers import NumberText, read_number
from tools.deals.words import WORDS
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.totals import last_place

_FEWEST, _SAMPLE, _LABEL_COLUMNS, _LONGEST_LABEL = 3, 64, 3, 60
_EXACT_COLUMNS, _TRIED, _CERTAIN_DIGITS = 2, 3, 2.0
_WORD = re.compile(r"[^\W\d_]+")
_EXTREMES = frozenset({"min", "minimum", "max", "maximum", "high", "highest", "low", "lowest"})
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Label:
    """A row's label: the statistic's words, and whether it says nothing else."""

    words: frozenset[str]
    pure: bool


def leave_out_aggregates(layout: Layout) -> Layout:
    """The layout with rows of aggregates classed as totals: out of the records, in the table's `excluded`."""
    for table in layout.tables:
        if table.kind == "table" and table.orientation == "rows" and len(table.record_rows) > _FEWEST:
            found = _Finder(table).found()
            if found:
                leave_out(layout, table, found, "total")
    return layout


class _Finder:
    def __init__(self, table: DetectedTable) -> None:
        self.table = table
        sheet, rows = table.sheet, table.record_rows
        self.first, self.last = table.first_column - sheet.left, table.last_column - sheet.left
        self.rows = [sheet.rows[row - sheet.top] for row in rows]
        self.out: list[int] = []

    def found(self) -> list[int]:
        """The positions of the aggregates among the records, in order."""
        labels = self._labels()
        starts = self._block_starts()
        for at in sorted({*labels, *self._ends(starts)}):
            start = max((s for s in (*starts, *(o + 1 for o in self.out)) if s <= at), default=0)
            label = labels.get(at)
            if any(self._is_aggregate(at, pool, label) for pool in self._pools(at, start, labels)):
                self.out.append(at)
        return self.out if len(self.out) <= 0.5 * len(self.rows) else []

    def _labels(self) -> dict[int, _Label]:
        found: dict[int, _Label] = {}
        for column in range(self.first, min(self.first + _LABEL_COLUMNS, self.last + 1)):
            values = [row[column] for row in self.rows]
            texts = [text for text in set(values) if type(text) is str and len(text) < _LONGEST_LABEL]
            said = {text: label for text in _spoken(texts) if (label := _label(text))}
            if said:
                found = {at: said[text] for at, text in enumerate(map(str, values)) if text in said} | found
        return found

    def _block_starts(self) -> list[int]:
        """Where a run of records starts: at the top, after a blank row or another row, and with each section."""
        numbers = np.asarray(self.table.record_rows)
        starts = {0, *(np.flatnonzero(np.diff(numbers) > 1) + 1).tolist()}
        if len(set(self.table.sections)) > 1:
            said = self.table.sections
            starts |= {at for at in range(1, len(said)) if said[at] != said[at - 1]}
        return sorted(starts)

    def _ends(self, starts: Sequence[int]) -> Iterator[int]:
        """The last records of runs that are long enough to be summed up, and the last few of all."""
        for start, after in zip(starts, [*starts[1:], len(self.rows)], strict=True):
            if after - start > _FEWEST and self._holds_no_name(after - 1):
                yield after - 1
        yield len(self.rows) - 1

    def _holds_no_name(self, at: int) -> bool:
        """Whether the first column that holds text in most of the records holds none in this one."""
        some = self.rows[:: max(1, len(self.rows) // _SAMPLE)]
        for column in range(self.first, self.last + 1):
            if sum(type(row[column]) is str for row in some) > 0.6 * len(some):
                return self.rows[at][column] is None
        return False

    def _pools(self, at: int, start: int, labels: dict[int, _Label]) -> Iterator[list[int]]:
        """The records that a row may sum up: those of its run, all above it, and those below one that leads."""
        aside = {*self.out, *(other for other, label in labels.items() if label.pure)}
        block = [i for i in range(start, at) if i not in aside]
        above = block if start == 0 else [i for i in range(at) if i not in aside]
        below = [i for i in range(at + 1, len(self.rows)) if i not in aside] if len(above) < _FEWEST - 1 else []
        yield from (pool for pool in (block, above if above != block else [], below) if len(pool) >= _FEWEST - 1)

    def _is_aggregate(self, at: int, pool: Sequence[int], label: _Label | None) -> bool:
        if label is not None:
            return self._bears_out(at, pool, label)
        named = not self._holds_no_name(at)
        if len(pool) < _FEWEST or not self._may_be(at, pool, named):
            return False
        return self._agrees(at, pool, ("sum",) if named else ("sum", "mean"))

    def _may_be(self, at: int, pool: Sequence[int], named: bool) -> bool:
        """Whether a look at some of the pool leaves it open: a sum is no less than its parts."""
        some = pool[:: max(1, len(pool) // _SAMPLE)]
        larger = 0
        for column, x in self._numbers(at):
            parts = [n for i in some if (n := _number(self.rows[i][column])) is not None]
            larger += bool(parts) and abs(x) >= 0.99 * abs(sum(parts))
        return larger >= _EXACT_COLUMNS or not named

    def _bears_out(self, at: int, pool: Sequence[int], label: _Label) -> bool:
        """Whether the numbers are such as the label says, over the records of `pool`."""
        if not label.pure:
            return self._agrees(at, pool, ("mean", "median", "min", "max"), least=1)
        held = [(x, values) for column, x in self._numbers(at) if len(values := self._values(pool, column))]
        if not held:
            return False
        inside = sum(values.min() - 1e-9 <= x <= values.max() + 1e-9 for x, values in held)
        ends = sum(bool(np.isclose(x, (values.min(), values.max())).any()) for x, values in held)
        if label.words & _EXTREMES:
            return ends >= 0.5 * len(held)
        return inside >= 0.5 * len(held) or bool(label.words & WORDS.spreads)

    def _agrees(self, at: int, pool: Sequence[int], statistics: Sequence[str], least: int = _EXACT_COLUMNS) -> bool:
        """Whether the row holds one of the statistics in enough columns, to enough digits."""
        most: tuple[int, float] = (0, 0.0)
        tried = list(self._numbers(at))
        for statistic in statistics:
            shares, digits = list[Floats](), 0.0
            for column, x in tried:
                values = self._values(pool, column)
                if len(values) >= _FEWEST - 1 and x and (said := _digits(x, values, statistic)):
                    share = values / max(np.abs(values).max(), 1e-12)
                    if not any(len(share) == len(one) and np.allclose(share, one, atol=1e-6) for one in shares):
                        shares.append(share)
                        digits += said
            most = max(most, (len(shares), digits))
        return most[0] >= least and most[1] >= _CERTAIN_DIGITS + np.log10(_TRIED * max(1, len(tried)))

    def _numbers(self, at: int) -> Iterator[tuple[int, float]]:
        for column in range(self.first, self.last + 1):
            number = _number(self.rows[at][column])
            if number is not None:
                yield column, number

    def _values(self, pool: Sequence[int], column: int) -> Floats:
        return np.array([n for i in pool if (n := _number(self.rows[i][column])) is not None], float)


def _spoken(texts: Sequence[str]) -> set[str]:
    """Those of `texts` that hold a statistic's word, also inside another word: a cheap look."""
    joined = "\0".join(texts).lower()
    stems = [word for word in WORDS.statistics if word in joined]
    lows = joined.split("\0") if stems else []
    return {text for stem in stems for text, low in zip(texts, lows, strict=False) if stem in low}


def _label(text: str) -> _Label | None:
    """What the text says of statistics, if its first or last word does."""
    words = [word.casefold() for word in _WORD.findall(text)]
    said = frozenset(words) & WORDS.statistics
    if not said:
        return None
    pure = all(word in WORDS.statistics or word in WORDS.beside_statistics for word in words)
    return _Label(said, pure) if pure or words[-1] in said or words[0] in said else None


def _number(value: object) -> float | None:
    if isinstance(value, str):
        number = read_number(value, False)
        return number.value if isinstance(number, NumberText) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _digits(x: float, values: Floats, statistic: str) -> float:
    """To how many digits `x` is the statistic of `values`; 0 where it is not. Constant columns say nothing."""
    if values.min() == values.max():
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        expected = float(
            {"sum": np.sum, "mean": np.mean, "median": np.median, "min": np.min, "max": np.max}[statistic](values)
        )
        step = float(last_place(np.array([x]))[0])
        room = 0.5 * step * (len(values) ** 0.5 + 1 if statistic == "sum" else 1.0)
        room = min(room, 0.004 * abs(x)) + 1e-9
        return float(np.log10(1 + abs(x) / max(2 * room, 1e-12))) if abs(x - expected) <= room else 0.0
