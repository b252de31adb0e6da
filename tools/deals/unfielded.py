"""Records of which no field is filled: they count as deals, and nothing is known of them."""

from __future__ import annotations

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.findings import MOST_CELLS
from tools.deals.table_reading import TableReading

_MOST_NAMED = 8


def issue_of_unfielded(reading: TableReading) -> Issue | None:
    """An issue `record.unfielded` that names the rows that fill only columns without a field; None without any."""
    table = reading.table
    if table.orientation != "rows" or table.kind != "table" or any(view.cells for view in reading.columns):
        return None
    mapped = [view for view, m in zip(reading.columns, reading.mapped, strict=True) if m.field]
    if any(type(None) not in view.kinds for view in mapped):
        return None
    held = [view.values for view in mapped]
    bare = [row for at, row in enumerate(table.record_rows) if all(values[at] is None for values in held)]
    if not held or not bare:
        return None
    rows = ", ".join(map(str, bare[:_MOST_NAMED])) + (" and others" if len(bare) > _MOST_NAMED else "")
    message = (
        f"Of the deal in row {rows} no field is filled: all that it holds is in columns without one. Should it be no "
        "deal, move it away from the table."
    )
    cells = tuple(cell_address(table.sheet.name, row, table.first_column) for row in bare[:MOST_CELLS])
    return Issue("record.unfielded", "warning", message, cells)
