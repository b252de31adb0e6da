"""Portfolios whose properties stand below them as deals of their own: their amounts add up to the portfolio's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index
from tools.deals.dictionary import dictionary
from tools.deals.findings import MOST_CELLS
from tools.deals.mapping import ColumnView
from tools.deals.numbers import NumberText, read_number
from tools.deals.table_reading import TableReading

_RELATIVE, _FEWEST, _MOST_PARTS, _MOST_RECORDS, _MOST_NAMED = 0.001, 2, 60, 20_000, 6
_SUMMED = frozenset({"money", "count", "number"})
_PORTFOLIO = re.compile(
    r"\b(?:portfolio|package|pool|combined|both|\d+[- ](?:properties|assets|buildings|loans|notes|sites|pack))\b",
    re.IGNORECASE,
)


def issue_of_portfolios(reading: TableReading) -> Issue | None:
    """An issue `record.parts` where rows right below a portfolio add up to it in two columns: sums count them twice.

    The portfolio is called so, or has none of the places that each of them has: round numbers add up by chance.
    """
    table, known = reading.table, dictionary().fields
    if table.orientation != "rows" or table.kind != "table" or len(table.record_rows) > _MOST_RECORDS:
        return None
    views = {m.field: view for view, m in zip(reading.columns, reading.mapped, strict=True) if m.field}
    summed = [view for name, view in views.items() if known[name].type in _SUMMED and known[name].additive]
    names = [view for name, view in views.items() if known[name].identity and not known[name].place]
    places = [view for name, view in views.items() if known[name].place]
    if len(summed) < _FEWEST or any(view.cells for view in reading.columns):
        return None
    amounts = [[_amount(value) for value in view.values] for view in summed]
    found, at = list[int](), 0
    while at < len(table.record_rows) - _FEWEST:
        parts = _parts(amounts, at) if _is_portfolio(names, places, at) else range(0)
        found += parts
        at = parts.stop if parts else at + 1
    return _told(reading, found, summed[0]) if found else None


def _told(reading: TableReading, found: Sequence[int], view: ColumnView) -> Issue:
    rows = [reading.table.record_rows[at] for at in found]
    named = ", ".join(map(str, rows[:_MOST_NAMED])) + (" and others" if len(rows) > _MOST_NAMED else "")
    message = (
        f"Row {named}: parts of the portfolio above, as their amounts add up to its own. Each was read as a deal, so "
        "sums over the table count these amounts twice; send the list without its parts."
    )
    column = column_index(view.letters)
    cells = tuple(cell_address(reading.table.sheet.name, row, column) for row in rows[:MOST_CELLS])
    return Issue("record.parts", "warning", message, cells)


def _is_portfolio(names: Sequence[ColumnView], places: Sequence[ColumnView], at: int) -> bool:
    """Whether a record is called a portfolio, or has no place where the next two have one."""
    called = any(isinstance(text := view.values[at], str) and _PORTFOLIO.search(text) for view in names)
    below = range(at + 1, at + 1 + _FEWEST)
    return called or any(view.values[at] is None and all(view.values[i] is not None for i in below) for view in places)


def _parts(amounts: Sequence[Sequence[float | None]], at: int) -> range:
    """The records right below the one at `at`, two or more, that add up to it in two columns; empty if none do."""
    wholes = [column[at] for column in amounts]
    held = [i for i, whole in enumerate(wholes) if whole]
    sums, counts = dict.fromkeys(held, 0.0), dict.fromkeys(held, 0)
    for below in range(at + 1, min(at + 1 + _MOST_PARTS, len(amounts[0]))):
        for i in held:
            part = amounts[i][below]
            sums[i] += part or 0.0
            counts[i] += part is not None
        agree = [i for i in held if counts[i] >= _FEWEST and abs(sums[i] - (wholes[i] or 0.0)) <= _tolerance(wholes[i])]
        if len(agree) >= _FEWEST:
            return range(at + 1, below + 1)
    return range(0)


def _tolerance(whole: float | None) -> float:
    return _RELATIVE * abs(whole or 0.0)


def _amount(value: object) -> float | None:
    if isinstance(value, str):
        read = read_number(value, decimal_comma=False)
        return read.value if isinstance(read, NumberText) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
