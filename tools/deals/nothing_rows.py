"""Rows that say in every cell that there is nothing yet: N/A, TBD, a dash. They are no deals, and that is told."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.dictionary import dictionary
from tools.deals.findings import MOST_CELLS
from tools.deals.left_out import leave_out
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.table_reading import TableReading
from tools.deals.text_values import NOTHING
from tools.workbook.detect import DetectedTable, Layout


def leave_nothing_out(
    layout: Layout, table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> bool:
    """Takes such rows out of the records of a table with names, as notes; whether there were any."""
    known = dictionary().fields
    names = [v for v, m in zip(columns, mapped, strict=True) if m.field and known[m.field].identity]
    if table.orientation != "rows" or table.kind != "table" or not names or any(view.cells for view in columns):
        return False
    maybe = [at for at, value in enumerate(names[0].values) if _is_nothing(value)]
    found = [at for at in maybe if all(view.values[at] is None or _is_nothing(view.values[at]) for view in columns)]
    if not found or len(found) == len(table.record_rows):
        return False
    leave_out(layout, table, found, "note")
    return True


def issue_of_nothing(reading: TableReading) -> Issue | None:
    """An issue `value.placeholder` that names the rows left out for it; None where there are none."""
    table = reading.table
    if table.orientation != "rows" or table.kind != "table":
        return None
    notes = [row for span in table.excluded if span.row_class == "note" for row in range(span.first, span.last + 1)]
    rows = [row for row in notes if _says_nothing(table, row)]
    if not rows:
        return None
    said = f"Row {rows[0]} says" if len(rows) == 1 else f"{len(rows):,} rows say"
    message = f"{said} in every cell that there is no value yet; no deal. Should it be one, give its name."
    cells = tuple(cell_address(table.sheet.name, row, table.first_column) for row in rows[:MOST_CELLS])
    return Issue("value.placeholder", "info", message, cells)


def _says_nothing(table: DetectedTable, row: int) -> bool:
    values = (table.sheet.value(row, column) for column in range(table.first_column, table.last_column + 1))
    held = [value for value in values if value is not None]
    return bool(held) and all(map(_is_nothing, held))


def _is_nothing(value: object) -> bool:
    return isinstance(value, str) and value.strip().casefold() in NOTHING
