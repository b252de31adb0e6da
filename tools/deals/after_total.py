"""Records that stand right under a table's last total with a name and amounts only: late deals, or no deals."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.numbers import is_amount
from tools.deals.reading import TableReading

_MOST, _MOSTLY, _FEWEST_ABOVE = 8, 0.6, 3


def issue_after_total(reading: TableReading) -> Issue | None:
    """An issue `record.after_total` that names such rows; None where there are none, or the table has no total.

    Other records say in words or days what these leave blank. They stay deals: whether they are cannot be told.
    """
    table = reading.table
    totals = [span.last for span in table.excluded if span.row_class == "total"]
    first = bisect_right(table.record_rows, max(totals, default=0))
    below = range(first, len(table.record_rows))
    if table.orientation != "rows" or not totals or first < _FEWEST_ABOVE or not 0 < len(below) <= _MOST:
        return None
    told = [view.values for view in reading.columns if _says_in_words(view.values[:first])]
    bare = [at for at in below if sum(values[at] is not None for values in told) <= 1]
    if len(told) < 2 or not bare:
        return None
    rows = ", ".join(str(table.record_rows[at]) for at in bare)
    message = (
        f"Below the total, row {rows} holds a name and amounts at most; read as a deal. Should that be wrong, move it "
        "away from the table."
    )
    cells = tuple(cell_address(table.sheet.name, table.record_rows[at], table.first_column) for at in bare)
    return Issue("record.after_total", "warning", message, cells)


def _says_in_words(values: Sequence[object]) -> bool:
    """Whether most of a column's cells hold texts or days."""
    return sum(value is not None and not is_amount(value) for value in values) >= _MOSTLY * len(values)
