"""Sheets of more tables than any list or set of forms has: none of these is read."""

from __future__ import annotations

from collections import Counter

from tools.deals.table_reading import TableReading
from tools.workbook.detect import DetectedTable, Layout

#: Far above what an honest sheet holds, blocks of labels and values or lists with headers that differ; reading as many
#: takes some seconds.
_MOST_FORMS, _MOST_LISTS = 2_500, 750


def crowded_sheets(layout: Layout) -> frozenset[str | None]:
    """The names of the sheets with more tables than are read."""
    counts = Counter((table.sheet.name, table.kind) for table in layout.tables)
    most = {"key_value": _MOST_FORMS, "table": _MOST_LISTS}
    return frozenset(name for (name, kind), count in counts.items() if count > most[kind])


def unread(table: DetectedTable) -> TableReading:
    """The reading of a table on such a sheet: no deals, and why."""
    why = (
        f"its sheet has more than {_MOST_LISTS:,} tables with headers of their own, or {_MOST_FORMS:,} forms; "
        "spread them over several sheets and send it again"
    )
    return TableReading(table, (table.sheet.name or "",), (), (), "other", why)
