"""The values of a block column by column, with what was learnt of them while they were at hand.

Values lie all over memory, and a pass over millions of them mostly waits for it. So their types are noted, and texts
that come again kept once, as each few rows come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

Kinds = frozenset[type]
Run = tuple[int, int, Kinds]
Known = dict[object, object]
_CHUNK_ROWS = 256
_TEXTS: Kinds = frozenset({str, type(None)})
_TRIED_ROWS = 2 * _CHUNK_ROWS
"""After so many rows, texts are looked up only where half of them were there before."""


@dataclass(slots=True)
class BlockColumn:
    """A column's values; `runs` are (start, end, the types in between), end exclusive, None where not known.

    `repeats` says that many of its texts stand in several cells.
    """

    values: list[object]
    runs: list[Run] | None = None
    repeats: bool = False

    def put(self, at: int, value: object) -> None:
        """Puts `value` at `at`, counted from the block's first row."""
        self.values[at] = value
        self.runs = None

    def known_runs(self) -> list[Run]:
        """The runs from the first value to the last, found out where they are not known."""
        if self.runs is None:
            self.runs = []
            for start in range(0, len(self.values), _CHUNK_ROWS):
                part = self.values[start : start + _CHUNK_ROWS]
                _add_run(self.runs, start, start + len(part), frozenset(map(type, part)))
        return self.runs

    def kinds(self, start: int, end: int) -> set[type]:
        """The types of the values from `start` to before `end`."""
        found: set[type] = set()
        for a, b, kinds in self.known_runs():
            if a < end and start < b and not kinds <= found:
                found |= kinds if start <= a and b <= end else set(map(type, self.values[max(a, start) : min(b, end)]))
        return found


def by_column(rows: Iterable[Sequence[object]], width: int, blank: str | None = None) -> list[BlockColumn]:
    """The columns of `rows`, which are `width` wide; the text `blank` counts as no value."""
    columns = [BlockColumn([], []) for _ in range(width)]
    known: list[Known | None] = [{} for _ in range(width)]
    coming, start = iter(rows), 0
    while chunk := list(islice(coming, _CHUNK_ROWS)):
        end = start + len(chunk)
        for column, part, texts in zip(columns, zip(*chunk, strict=True), known, strict=True):
            values, kinds = _tidied(part, blank, texts)
            column.values.extend(values)
            _add_run(column.known_runs(), start, end, kinds)
        if end == _TRIED_ROWS:
            known = [texts if texts and 2 * len(texts) <= end else None for texts in known]
            for column, texts in zip(columns, known, strict=True):
                column.repeats = texts is not None
        start = end
    return columns


def _tidied(part: Sequence[object], blank: str | None, known: Known | None) -> tuple[Iterable[object], Kinds]:
    """The values of `part` with None for `blank` and each text of `known` once, and their types."""
    kinds = frozenset(map(type, part))
    if str in kinds:
        if blank is not None and blank in part:
            part = [None if value == blank else value for value in part]
            kinds = frozenset(map(type, part))
        if known is not None and kinds <= _TEXTS:
            return map(known.setdefault, part, part), kinds
    return part, kinds


def _add_run(runs: list[Run], start: int, end: int, kinds: Kinds) -> None:
    """Adds the next run to `runs`, to the last one where the types are the same."""
    if runs and runs[-1][2] == kinds:
        start = runs.pop()[0]
    runs.append((start, end, kinds))
