"""Names that stand on the first row of their group only: the group's other records have them too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index
from tools.deals.findings import MOST_CELLS
from tools.deals.mapping import ColumnView, MappedColumn
from tools.workbook.detect import DetectedTable

#: A field that names a single deal is no group's.
_OF_GROUPS = frozenset(
    {"market", "city", "state", "county", "country", "property_type", "status", "stage", "broker", "seller"}
)


def with_group_names(
    table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> list[ColumnView]:
    """The columns, those at the left that name groups on their first rows filled down, each cited where it stands.

    `table` has its leftmost column's names as sections. A further column is filled in the same way where it has a
    value on each first row of the groups left of it.
    """
    found, heads = list(columns), {0}
    for at, (view, m) in enumerate(zip(columns, mapped, strict=True)):
        named = {record for record, value in enumerate(view.values) if value is not None}
        if view.cells or not view.kinds <= {str, type(None)} or not heads <= named or len(named) == len(view.values):
            break
        if m.field in _OF_GROUPS:
            found[at] = _filled(table, view)
        heads |= named
    return found


def _filled(table: DetectedTable, view: ColumnView) -> ColumnView:
    column, head = column_index(view.letters), 0
    heads: list[int] = []
    for record, value in enumerate(view.values):
        head = head if value is None else record
        heads.append(head)
    cells = tuple((table.record_rows[at], column) for at in heads)
    return replace(view, values=[view.values[at] for at in heads], cells=cells, types=None)


def issue_of_filled(
    table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> Issue | None:
    """An issue `value.group` that names the fields so filled, with the cells that they were taken from."""
    pairs = [(view, m) for view, m in zip(columns, mapped, strict=True) if view.cells]
    if table.orientation != "rows" or table.kind != "table" or not pairs:
        return None
    rows = set(table.record_rows)
    filled = [(view, m) for view, m in pairs if view.cells and rows.issuperset(row for row, _ in view.cells)]
    if not filled:
        return None
    names = ", ".join(str(m.field) for _, m in filled)
    message = f"{names}: a name stands on the first row of its group alone; it was taken for the group's other rows."
    often = Counter(cell for view, _ in filled for cell in view.cells or ())
    cells = [cell for cell, count in often.items() if count > 1]
    return Issue("value.group", "info", message, tuple(cell_address(table.sheet.name, *c) for c in cells[:MOST_CELLS]))
