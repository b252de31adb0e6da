"""Forms whose labels and values stand in one cell each, "Price: $3,400,000": nothing is read of them, which is told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.findings import MOST_CELLS
from tools.deals.key_value import is_label
from tools.deals.said import as_held
from tools.workbook.detect import Layout
from tools.workbook.grid import Sheet, Workbook

_FEWEST, _MOST_ROWS, _MOST_COLUMNS, _LONGEST = 3, 500, 50, 300
_JOINED = re.compile(r"\s*([^\W\d][^:]{1,40}):\s*\S")


def joined_labels(workbook: Workbook, layout: Layout) -> list[Issue]:
    """An issue `table.no_deals` for each visible sheet without a table that is such a form, with its cells."""
    held = {id(table.sheet) for table in layout.tables}
    found = (list(_joined(sheet)) for sheet in workbook.sheets if sheet.visible and id(sheet) not in held)
    return [_issue(cells) for cells in found if len(cells) >= _FEWEST]


def _joined(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Address and text of each cell that holds what a field is called, a colon and more; none where they are few."""
    for column in range(sheet.left, min(sheet.right, sheet.left + _MOST_COLUMNS) + 1):
        for row in range(sheet.top, min(sheet.bottom, sheet.top + _MOST_ROWS) + 1):
            text = sheet.value(row, column)
            match = _JOINED.match(text) if isinstance(text, str) and len(text) <= _LONGEST else None
            if match and row not in sheet.hidden_rows and column not in sheet.hidden_columns and is_label(match[1]):
                yield cell_address(sheet.name, row, column), str(text)


def _issue(cells: list[tuple[str, str]]) -> Issue:
    where, text = cells[0]
    message = (
        f"The form at {where} lists no deals: labels and values stand in one cell each, such as {as_held(text)}; put "
        "each value into the cell right of its label."
    )
    return Issue("table.no_deals", "info", message, tuple(cell for cell, _ in cells)[:MOST_CELLS])
