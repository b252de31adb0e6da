"""Values in cells merged over several records: one amount for all of them, or one that each has?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index
from tools.deals.findings import MOST_CELLS
from tools.deals.said import as_held
from tools.deals.table_reading import TableReading


def merged_over(reading: TableReading) -> dict[tuple[int, int], tuple[str, range]]:
    """(row, column) of each such cell, in order, with its field and the records (by number) that it is merged over.

    A merged cell's value belongs to its first row; what it means for the others no program tells.
    """
    table = reading.table
    if table.orientation != "rows" or not table.sheet.merges:
        return {}
    fields = {column_index(m.letters): m.field for m in reading.mapped if m.field is not None}
    found: dict[tuple[int, int], tuple[str, range]] = {}
    for top, left, bottom, _ in sorted(table.sheet.merges):
        over = range(bisect_left(table.record_rows, top), bisect_right(table.record_rows, bottom))
        if len(over) > 1 and left in fields and table.sheet.value(top, left) is not None:
            found[top, left] = fields[left], over
    return found


def issue_of_merged(reading: TableReading, found: Mapping[tuple[int, int], tuple[str, range]]) -> Issue:
    """An issue `value.merged` that names the cells, at least one."""
    table = reading.table
    (row, column), (field, over) = next(iter(found.items()))
    held = as_held(table.sheet.value(row, column))
    counted = f"{len(found):,} times" if len(found) > 1 else "once"
    message = (
        f"{', '.join(dict.fromkeys(name for name, _ in found.values()))}: a cell merged over several deals, "
        f"{counted} (such as {held} over rows {table.record_rows[over[0]]} to "
        f"{table.record_rows[over[-1]]}, {field}); it was read for the first of them alone."
    )
    cells = tuple(cell_address(table.sheet.name, *place) for place in list(found)[:MOST_CELLS])
    return Issue("value.merged", "warning", message, cells)


def marks_of_merged(found: Mapping[tuple[int, int], tuple[str, range]]) -> Sequence[tuple[int, str]]:
    """A warning for each record that a merged cell lies over."""
    return [(record, f"value.merged: {field}") for field, over in found.values() for record in over]
