"""Whether values agree with each other."""

from __future__ import annotations

from schemas.deal import Issue, Table
from tools.deals.reading import TableReading


def check_table(table: Table, reading: TableReading, warnings: dict[int, list[str]]) -> list[Issue]:
    """The issues of a table's arithmetic, order of dates, totals, duplicates and outliers; deals concerned get a warning."""
    return []
