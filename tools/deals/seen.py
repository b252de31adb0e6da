"""The texts of a part of a sheet that a reader of the sheet sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.workbook import column_index
from tools.workbook.grid import Sheet

_RANGE = re.compile(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?")


def seen_texts(
    sheet: Sheet, place: str, most_cells: int, last_row: int | None = None
) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of each cell of the range `place` that holds one and is not hidden, down to `last_row`.

    A range of more than `most_cells` gives none: it is no title, note or block of labels.
    """
    match = _RANGE.fullmatch(place)
    if match is None:
        return
    left, top = column_index(match[1]), int(match[2])
    right, bottom = column_index(match[3] or match[1]), int(match[4] or match[2])
    bottom = bottom if last_row is None else min(bottom, last_row)
    if (right - left + 1) * (bottom - top + 1) > most_cells:
        return
    for row in (row for row in range(top, bottom + 1) if row not in sheet.hidden_rows):
        for column in (column for column in range(left, right + 1) if column not in sheet.hidden_columns):
            if isinstance(value := sheet.value(row, column), str):
                yield row, column, value
