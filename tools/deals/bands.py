"""Bands: a header cell that heads the columns to its right as well, though its sheet merges none of them."""

from __future__ import annotations

from schemas.workbook import cell_address, column_index
from tools.deals.mapping import ColumnView
from tools.deals.scale import Scale, scale_in
from tools.workbook.detect import DetectedTable


def spilled_scale(table: DetectedTable, view: ColumnView) -> Scale | None:
    """The scale of a band that starts left of the column and runs on over blank cells to it; None for none.

    Where a sheet merges the cells of its bands, their reach is known, and the header says it already.
    """
    if view.cells is not None or len(table.header_rows) < 2:
        return None
    column = column_index(view.letters)
    notes = {cell for _, cell in table.note_lines}
    for row in table.header_rows[-2::-1]:
        if any(top <= row <= bottom for top, _, bottom, _ in table.sheet.merges):
            continue
        for at in range(column, table.first_column - 1, -1):
            value = table.sheet.value(row, at)
            if value is not None:
                lifted = cell_address(table.sheet.name, row, at) in notes
                scale = scale_in(value) if isinstance(value, str) and at < column and not lifted else None
                if scale:
                    return scale
                break
    return None
