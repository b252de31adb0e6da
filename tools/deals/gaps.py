"""An empty column inside a table whose right part names something of its own: it may be two tables side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index, column_letters
from tools.deals.beside import LEASED, PRICED
from tools.deals.mapping import ColumnView
from tools.deals.table_reading import TableReading
from tools.workbook.summary_words import closes

_NAMES = frozenset({"deal_name", "address", "tenant"})
_CHOSEN = frozenset({"property_type", "property_subtype", "lease_type", "status", "stage", "sector"})
_FEWEST_COLUMNS, _FEWEST_ROWS = 2, 2
_YEARS = range(1900, 2100)


def issue_of_gap(reading: TableReading) -> Issue | None:
    """A warning `table.beside` where an empty column may part two tables; each row was read as one deal all the same.

    Both sides name something and are filled in different rows, or the right one looks like a summary: labels and
    numbers that end before the deals or after, or come to a total of their own, or years in a row; or the right one
    holds words to choose from, each once, or leases beside prices.
    """
    table = reading.table
    if table.orientation != "rows" or table.kind != "table":
        return None
    at = [column_index(view.letters) for view in reading.columns]
    for i, (left, right) in enumerate(pairwise(at), 1):
        if right - left < 2 or not set(range(left + 1, right)) - table.sheet.hidden_columns:
            continue
        sides = reading.columns[:i], reading.columns[i:]
        if said := _suspicion(reading, *sides):
            row, why = said
            parts = [f"{column_letters(a)} to {column_letters(b)}" for a, b in ((at[0], left), (right, at[-1]))]
            message = (
                f"An empty column parts columns {parts[0]} from {parts[1]}, and {why}: "
                "should these be two tables, no row is one deal."
            )
            return Issue("table.beside", "warning", message, (cell_address(table.sheet.name, row, right),))
    return None


def _suspicion(
    reading: TableReading, left: Sequence[ColumnView], right: Sequence[ColumnView]
) -> tuple[int, str] | None:
    """The first row that looks like two tables beside each other, and why; None where nothing does."""
    rows = reading.table.record_rows
    apart = _apart(rows, left, right)
    if apart and (_are_named(reading, len(left)) or _ends_elsewhere(rows, apart, right)):
        return apart[0], f"{len(apart):,} row{'s hold' if len(apart) > 1 else ' holds'} something on one side only"
    if total := _second_total(reading, left, right):
        return total, f"row {total} is called a total on both sides"
    if _are_years(right):
        return rows[0], "the right ones begin with years in a row"
    if _are_choices(reading, right):
        return rows[0], "the right one holds each of its words once, as a list of choices does"
    if _are_leases(reading, len(left)):
        return rows[0], "the right ones list leases beside prices"
    return None


def _are_named(reading: TableReading, first: int) -> bool:
    """Whether the columns before `first` and those from it on each begin with a name."""
    ends = (0, first), (first, len(reading.columns))
    return all(b - a >= _FEWEST_COLUMNS and reading.mapped[a].field in _NAMES for a, b in ends)


def _apart(rows: Sequence[int], left: Sequence[ColumnView], right: Sequence[ColumnView]) -> list[int]:
    """The rows that hold something on one side only."""
    return [row for row, a, b in zip(rows, _filled(left), _filled(right), strict=True) if a != b]


def _filled(side: Sequence[ColumnView]) -> list[bool]:
    return [any(value is not None for value in row) for row in zip(*(view.values for view in side), strict=True)]


def _ends_elsewhere(rows: Sequence[int], apart: Sequence[int], right: Sequence[ColumnView]) -> bool:
    """Whether one side is whole down to where it ends before the other, and the right one begins with labels."""
    shared = len(rows) - len(apart)
    if list(apart) != list(rows[shared:]) or len({*_filled(right)[shared:]}) > 1 or len(right) < _FEWEST_COLUMNS:
        return False
    labels = [value for value in right[0].values if value is not None]
    named = all(isinstance(value, str) or _is_year(value) for value in labels) and len({*labels}) == len(labels)
    whole = all(value is not None for view in right[:_FEWEST_COLUMNS] for value in view.values[:shared])
    return shared >= _FEWEST_ROWS and named and whole


def _second_total(reading: TableReading, left: Sequence[ColumnView], right: Sequence[ColumnView]) -> int | None:
    """The first row of totals that is labelled so on both sides."""
    sheet = reading.table.sheet
    spans = [span for span in reading.table.excluded if span.row_class == "total"]
    for row in (row for span in spans for row in range(span.first, span.last + 1)):
        held = [[sheet.value(row, column_index(view.letters)) for view in side] for side in (left, right[:1])]
        if all(any(isinstance(value, str) and closes(value) for value in side) for side in held):
            return row
    return None


def _are_years(right: Sequence[ColumnView]) -> bool:
    """Whether the first column counts years, one a row, with numbers beside it."""
    years = [int(value) for value in right[0].values if isinstance(value, int | float) and _is_year(value)]
    counted = _FEWEST_ROWS < len(years) == len(right[0].values) and len(right) > 1
    return counted and years == list(range(years[0], years[0] + len(years)))


def _are_choices(reading: TableReading, right: Sequence[ColumnView]) -> bool:
    """Whether the only column holds words that others have over and over, each once: a list of types, or of stages."""
    words = [value for value in right[0].values if value is not None]
    once = all(isinstance(word, str) for word in words) and len({*words}) == len(words) > _FEWEST_ROWS
    return len(right) == 1 and once and reading.mapped[-1].field in _CHOSEN


def _are_leases(reading: TableReading, first: int) -> bool:
    """Whether the columns before `first` price properties, and those from it on begin with tenants and their leases."""
    left, right = ([m.field for m in side] for side in (reading.mapped[:first], reading.mapped[first:]))
    return (
        left[0] in ("deal_name", "address")
        and not PRICED.isdisjoint(left)
        and right[0] == "tenant"
        and len(right) > _FEWEST_COLUMNS
        and not LEASED.isdisjoint(right)
    )


def _is_year(value: object) -> bool:
    return isinstance(value, int | float) and value in _YEARS
