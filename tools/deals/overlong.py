"""Rows of a text file that have more fields than its header: what they hold may stand in wrong columns."""

from __future__ import annotations

from itertools import takewhile

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.findings import MOST_CELLS
from tools.deals.table_reading import TableReading
from tools.workbook.detect import DetectedTable


def overlong(reading: TableReading) -> dict[int, int]:
    """How many fields each record (by its number) of a text file's table has that has more than its header.

    A delimiter inside a value moves all that stands right of it into wrong columns.
    """
    table = reading.table
    sheet = table.sheet
    if table.orientation != "rows" or not table.header_rows:
        return {}
    named = max((at for at, header in enumerate(table.headers, table.first_column) if header), default=sheet.right)
    free = takewhile(lambda at: not _headed(table, at), range(named + 1, sheet.right + 1))
    beyond = [(at, sheet.columns[at - sheet.left].values) for at in free]
    found: dict[int, int] = {}
    for record, row in enumerate(table.record_rows) if beyond else ():
        last = max((at for at, values in beyond if values[row - sheet.top] is not None), default=0)
        if last:
            found[record] = last + 1
    return found


def _headed(table: DetectedTable, column: int) -> bool:
    """Whether a row of the header holds something there: the next table begins."""
    return any(table.sheet.value(row, column) is not None for row in table.header_rows)


def issue_of_overlong(reading: TableReading) -> Issue | None:
    """An issue `record.fields` where rows of a text file have more fields than its header; None where none has."""
    found, table = overlong(reading), reading.table
    if not found:
        return None
    first = next(iter(found))
    named = max(at for at, header in enumerate(table.headers, table.first_column + 1) if header)
    rows = f"{len(found):,} row" + ("s have" if len(found) > 1 else " has")
    message = (
        f"{rows} more fields than the header (row {table.record_rows[first]} has {found[first]}, the header {named}): "
        "a delimiter inside a value? What stands right of it may be in wrong columns; put such values in quotes."
    )
    cells = (cell_address(table.sheet.name, table.record_rows[at], named) for at in list(found)[:MOST_CELLS])
    return Issue("record.fields", "error", message, tuple(cells))
