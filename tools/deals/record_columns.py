"""The columns of a table, or its rows where those hold the fields, with the values of its records."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.workbook import column_letters
from tools.deals.mapping import ColumnView
from tools.workbook.columns import BlockColumn
from tools.workbook.detect import DetectedTable


def columns_of(table: DetectedTable) -> list[ColumnView]:
    """The columns of a table (its rows where they hold the fields) with their values, no hidden or empty ones."""
    return _transposed(table) if table.orientation == "columns" else _columns(table)


def _transposed(table: DetectedTable) -> list[ColumnView]:
    sheet = table.sheet
    found: list[ColumnView] = []
    for row, label in zip(range(table.first_row, table.last_row + 1), table.headers, strict=True):
        cells = tuple((row, column) for column in table.record_rows)
        values = [sheet.value(row, column) for _, column in cells]
        if row not in sheet.hidden_rows and (label or any(value is not None for value in values)):
            found.append(ColumnView(str(row), label.rstrip(" :"), values, cells))
    return found


def _columns(table: DetectedTable) -> list[ColumnView]:
    sheet = table.sheet
    at = [row - sheet.top for row in table.record_rows]
    found: list[ColumnView] = []
    for column, header in enumerate(table.headers, table.first_column):
        if column in sheet.hidden_columns:
            continue
        values, types = _held(sheet.columns[column - sheet.left], at)
        if header or types - {type(None)}:
            found.append(ColumnView(column_letters(column), header, values, types=frozenset(types)))
    return found


def _held(column: BlockColumn, at: Sequence[int]) -> tuple[list[object], set[type]]:
    """The values of a column at rising places `at`, and their types."""
    if not at:
        return [], set()
    start, end = at[0], at[-1] + 1
    if end - start == len(at):
        return column.values[start:end], column.kinds(start, end)
    values = [column.values[i] for i in at]
    return values, set(map(type, values))
