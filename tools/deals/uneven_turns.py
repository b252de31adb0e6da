"""Records over two rows of other kinds of values each, where some records lack their second row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from tools.deals.numbers import is_amount
from tools.workbook.detect import DetectedTable

_FEWEST_ROWS, _FEWEST_COLUMNS, _SHARE, _CLEAR, _MOST_LACKING = 5, 2, 0.4, 0.75, 0.3
_FIRST_LINE = 4


def uneven_turns(table: DetectedTable) -> list[tuple[int, int | None]] | None:
    """Each record's row with that of its second line, None where it has none; None where rows take no such turns.

    Rows are told apart by the columns that hold another kind of value in the first row than in the second. Each row is
    clearly of one of both sorts, and two of the second never follow one another.
    """
    rows = table.record_rows
    if len(rows) < _FEWEST_ROWS or rows[-1] - rows[0] != len(rows) - 1:
        return None
    first = _kinds(table, rows[0])
    for row in rows[1:_FIRST_LINE]:
        second = _kinds(table, row)
        telling = [at for at in first if at in second and first[at] != second[at]]
        if len(telling) >= max(_FEWEST_COLUMNS, _SHARE * len(first.keys() | second.keys())):
            return _in_turn(table, first, second, telling)
    return None


def _in_turn(
    table: DetectedTable, first: Mapping[int, str], second: Mapping[int, str], telling: Sequence[int]
) -> list[tuple[int, int | None]] | None:
    """The rows as of `uneven_turns`: few first rows lack the second, but some do; None where one is of neither sort."""
    lines: list[tuple[int, int | None]] = []
    for row in table.record_rows:
        is_second = _is_second(_kinds(table, row), first, second, telling)
        if is_second is None or (is_second and (not lines or lines[-1][1] is not None)):
            return None
        if is_second:
            lines[-1] = (lines[-1][0], row)
        else:
            lines.append((row, None))
    lacking = sum(below is None for _, below in lines)
    return lines if 0 < lacking <= _MOST_LACKING * len(lines) else None


def _kinds(table: DetectedTable, row: int) -> dict[int, str]:
    held = {at: table.sheet.value(row, at) for at in range(table.first_column, table.last_column + 1)}
    return {at: _kind(value) for at, value in held.items() if value is not None}


def _kind(value: object) -> str:
    return "date" if isinstance(value, dt.date) else "amount" if is_amount(value) else "text"


def _is_second(
    kinds: Mapping[int, str], first: Mapping[int, str], second: Mapping[int, str], telling: Sequence[int]
) -> bool | None:
    """Whether a row holds what the second row does where both differ; None where that is not clear."""
    held = [at for at in telling if at in kinds]
    for pattern, answer in ((first, False), (second, True)):
        alike = sum(kinds[at] == pattern[at] for at in held)
        if len(held) >= _FEWEST_COLUMNS and alike >= _CLEAR * len(held):
            return answer
    return None
