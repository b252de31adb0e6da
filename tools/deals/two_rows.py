"""Tables whose deals seem to stand over two rows each: they are read one deal a row, and it is said."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.numbers import is_amount
from tools.deals.reading import TableReading

_FEWEST_ROWS, _FEWEST_COLUMNS = 6, 2
_MOSTLY, _SHARE, _SAMPLE = 0.9, 0.4, 200
_SIZES = (2, 1_000, 100_000)


def issue_of_two_rows(reading: TableReading) -> Issue | None:
    """An issue `record.rows` where every second row holds other kinds of values than those between; else None."""
    table = reading.table
    rows = table.record_rows[:_SAMPLE]
    if table.orientation != "rows" or len(rows) < _FEWEST_ROWS or len(table.record_rows) % 2:
        return None
    if any(below - above != 1 for above, below in zip(rows[::2], rows[1::2], strict=False)):
        return None
    kinds = [[_kind(value) for value in view.values[: len(rows)]] for view in reading.columns if not view.cells]
    turns = sum(_takes_turns(each) for each in kinds)
    if turns < max(_FEWEST_COLUMNS, _SHARE * len(kinds)):
        return None
    message = (
        f"Rows {rows[0]} and {rows[1]}, and so on, hold other kinds of values in turn, as where a deal stands over two "
        "rows; each row was read as a deal of its own. Should that be wrong, put each deal into one row."
    )
    cells = tuple(cell_address(table.sheet.name, row, table.first_column) for row in rows[:2])
    return Issue("record.rows", "error", message, cells)


def _kind(value: object) -> str:
    """What a cell holds: nothing, a day, a text, or a number of some size, as prices and rates are of two."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"number {bisect_right(_SIZES, abs(value))}"
    return "date" if isinstance(value, dt.date) else "amount" if is_amount(value) else "text"


def _takes_turns(kinds: Sequence[str]) -> bool:
    """Whether nearly all first rows hold one kind of value, and nearly all second rows another."""
    (first, firsts), (second, seconds) = (Counter(kinds[at::2]).most_common(1)[0] for at in (0, 1))
    return first != second and min(firsts, seconds) >= _MOSTLY * (len(kinds) // 2)
