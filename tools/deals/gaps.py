"""An empty column inside a table whose right part names something of its own: it may be two tables side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index, column_letters
from tools.deals.mapping import ColumnView
from tools.deals.reading import TableReading

_NAMES = frozenset({"deal_name", "address", "tenant"})
_FEWEST_COLUMNS = 2


def issue_of_gap(reading: TableReading) -> Issue | None:
    """A warning `table.beside` where both sides of an empty column name something and are filled in different rows.

    Each row was read as one deal all the same: what a property is and who rents it often stand so.
    """
    table = reading.table
    if table.orientation != "rows" or table.kind != "table":
        return None
    at = [column_index(view.letters) for view in reading.columns]
    for i, (left, right) in enumerate(pairwise(at), 1):
        named = all(_is_named(reading, part) for part in (range(i), range(i, len(at))))
        if right - left < 2 or not named or not set(range(left + 1, right)) - table.sheet.hidden_columns:
            continue
        rows = _apart(table.record_rows, reading.columns[:i], reading.columns[i:])
        if rows:
            parts = [f"{column_letters(a)} to {column_letters(b)}" for a, b in ((at[0], left), (right, at[-1]))]
            count = f"{len(rows):,} row" + ("s hold" if len(rows) > 1 else " holds")
            message = (
                f"An empty column parts columns {parts[0]} from {parts[1]}, and {count} something on one side only: "
                "should these be two tables, no row is one deal."
            )
            cell = cell_address(table.sheet.name, rows[0], right)
            return Issue("table.beside", "warning", message, (cell,))
    return None


def _is_named(reading: TableReading, part: range) -> bool:
    return len(part) >= _FEWEST_COLUMNS and reading.mapped[part[0]].field in _NAMES


def _apart(rows: Sequence[int], left: Sequence[ColumnView], right: Sequence[ColumnView]) -> list[int]:
    """The rows that hold something on one side only."""
    sides = [
        [any(v is not None for v in row) for row in zip(*(c.values for c in side), strict=True)]
        for side in (left, right)
    ]
    return [row for row, a, b in zip(rows, *sides, strict=True) if a != b]
