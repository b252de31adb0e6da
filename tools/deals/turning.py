"""Tables laid out as lists whose first column names fields: a property a column, as its meaning shows."""

from __future__ import annotations

from dataclasses import replace

from tools.workbook.detect import DetectedTable

_MOST_FIELDS, _FEWEST_RECORDS, _LONGEST_LABEL = 200, 2, 300


def turned(table: DetectedTable) -> DetectedTable | None:
    """The table with a record a column and its first column's texts as headers; None where it cannot be one."""
    sheet = table.sheet
    top = min((*table.header_rows, table.first_row))
    rows = range(top, table.last_row + 1)
    if table.orientation != "rows" or table.kind != "table" or len(rows) > _MOST_FIELDS:
        return None
    columns = [
        column
        for column in range(table.first_column + 1, table.last_column + 1)
        if column not in sheet.hidden_columns and any(sheet.value(row, column) is not None for row in rows)
    ]
    if len(columns) < _FEWEST_RECORDS:
        return None
    labels = (sheet.value(row, table.first_column) for row in rows)
    return replace(
        table,
        orientation="columns",
        header_rows=(),
        first_row=top,
        record_rows=columns,
        sections=[None] * len(columns),
        headers=[" ".join(str(label).split())[:_LONGEST_LABEL] if label is not None else "" for label in labels],
        excluded=(),
    )
