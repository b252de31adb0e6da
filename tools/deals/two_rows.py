"""Tables whose deals stand over two rows each, the header's labels of the second row under those of the first."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from schemas.workbook import column_index, column_letters
from tools.deals.mapping import ColumnView
from tools.deals.numbers import is_amount
from tools.workbook.detect import DetectedTable

_FEWEST_ROWS, _FEWEST_COLUMNS = 6, 2
_MOSTLY, _SHARE, _SAMPLE = 0.9, 0.4, 200
_SIZES = (2, 1_000, 100_000)


def stands_in_two_rows(table: DetectedTable, columns: Sequence[ColumnView]) -> bool:
    """Whether every second record holds other kinds of values than those between, right below them."""
    rows = table.record_rows[:_SAMPLE]
    if table.orientation != "rows" or len(rows) < _FEWEST_ROWS or len(table.record_rows) % 2:
        return False
    if any(below - above != 1 for above, below in zip(rows[::2], rows[1::2], strict=False)):
        return False
    views = [view for view in columns if not view.cells]
    # Most tables show by their first rows that they are none such.
    if sum(_takes_turns(_kinds(view, _FEWEST_ROWS)) for view in views) < _FEWEST_COLUMNS:
        return False
    kinds = [_kinds(view, len(rows)) for view in views]
    turns = [each for each in kinds if _takes_turns(each)]
    return len(turns) >= max(_FEWEST_COLUMNS, _SHARE * len(kinds)) and any(map(all, turns))


def _kinds(view: ColumnView, many: int) -> list[str]:
    return [_kind(value) for value in view.values[:many]]


def _kind(value: object) -> str:
    """What a cell holds: nothing, a day, a text, or a number of some size, as prices and rates are of two."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"number {bisect_right(_SIZES, abs(value))}"
    return "date" if isinstance(value, dt.date) else "amount" if is_amount(value) else "text"


def _takes_turns(kinds: Sequence[str]) -> bool:
    """Whether nearly all first rows hold one kind of value, and nearly all second rows another."""
    (first, firsts), (second, seconds) = (Counter(kinds[at::2]).most_common(1)[0] for at in (0, 1))
    return first != second and min(firsts, seconds) >= _MOSTLY * (len(kinds) // 2)


def columns_over_two_rows(table: DetectedTable, columns: Sequence[ColumnView]) -> list[ColumnView]:
    """The columns of the first rows, and right of all those of the second rows, which have letters of their own.

    A second row's label is what the header's last row holds, where the one above holds another, or what stands behind
    a slash or a line break.
    """
    lines: tuple[list[ColumnView], list[ColumnView]] = ([], [])
    for at, view in enumerate(columns):
        column = column_index(view.letters)
        for line, label in enumerate(_labels(table, view, column)):
            cells = tuple((row + line, column) for row in table.record_rows[::2])
            values = list(view.values[line::2])
            letters = column_letters(table.last_column + 1 + at) if line else view.letters
            if label or any(value is not None for value in values):
                lines[line].append(ColumnView(letters, label, values, cells))
    return [*lines[0], *lines[1]]


def _labels(table: DetectedTable, view: ColumnView, column: int) -> tuple[str, str]:
    heads = [table.sheet.value(row, column) for row in table.header_rows]
    if len(heads) > 1:
        first, second = ("" if value is None else str(value).strip() for value in heads[-2:])
        return first, second
    first, _, second = (part.strip() for part in view.header.replace("\n", "/").partition("/"))
    return first, f"{first} {second}" if second.casefold().startswith("per ") else second


def names_second_rows(columns: Sequence[ColumnView]) -> bool:
    """Whether most columns of the second rows, as of `columns_over_two_rows`, have a label of their own."""
    rows = [view.cells[0][0] for view in columns if view.cells]
    second = [view for view in columns if view.cells and view.cells[0][0] > min(rows)]
    return sum(bool(view.header) for view in second) > len(second) / 2


def half(table: DetectedTable) -> DetectedTable:
    """The table as if it had the first row of each deal alone."""
    rows, sections = table.record_rows[::2], list(table.sections)[::2]
    return replace(table, record_rows=rows, sections=sections, last_row=rows[-1])
