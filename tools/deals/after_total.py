"""Records under the totals that end a table, or between them, with a name and amounts only: late deals, or no deals."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.numbers import is_amount
from tools.deals.table_reading import TableReading

_MOST, _MOSTLY, _FEWEST_ABOVE = 8, 0.6, 2


def issue_after_total(reading: TableReading) -> Issue | None:
    """An issue `record.after_total` that names such rows; None where there are none, or the table has no total.

    Other records say in words or days what these leave blank. They stay deals: whether they are cannot be told.
    """
    table = reading.table
    totals = [row for span in table.excluded if span.row_class == "total" for row in range(span.first, span.last + 1)]
    first = bisect_right(table.record_rows, max(totals, default=0))
    if table.orientation != "rows" or not totals or first < _FEWEST_ABOVE:
        return None
    told = [view.values for view in reading.columns if _says_in_words(view.values[:first])]
    below = [at for at in range(first, len(table.record_rows)) if _is_bare(told, at)]
    first, after = _between_totals(table.record_rows, totals, told, first), first
    below = [*range(first, after), *below]
    if len(told) < 2 or not below or len(table.record_rows) - first > _MOST:
        return None
    rows = ", ".join(str(table.record_rows[at]) for at in below)
    message = (
        f"Below a total, row {rows} holds a name and amounts at most; read as a deal. Should that be wrong, move it "
        "away from the table."
    )
    cells = tuple(cell_address(table.sheet.name, table.record_rows[at], table.first_column) for at in below)
    return Issue("record.after_total", "warning", message, cells)


def _between_totals(rows: Sequence[int], totals: Sequence[int], told: Sequence[Sequence[object]], last: int) -> int:
    """The first of the records before position `last` between which and a total above stand such rows only."""
    first = at = last
    while at > _FEWEST_ABOVE and _is_bare(told, at - 1):
        at -= 1
        if bisect_right(totals, rows[at - 1]) < bisect_right(totals, rows[at]):
            first = at
    return first


def _is_bare(told: Sequence[Sequence[object]], at: int) -> bool:
    return sum(values[at] is not None for values in told) <= 1


def _says_in_words(values: Sequence[object]) -> bool:
    """Whether most of a column's cells hold texts or days."""
    return sum(value is not None and not is_amount(value) for value in values) >= _MOSTLY * len(values)
