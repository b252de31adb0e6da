"""Stated totals compared with what their records give, to $1.00 or 0.1 %; again whenever a value is corrected."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from schemas.deal import Column, Issue, StatedTotal, Table
from tools.deals.dictionary import dictionary
from tools.deals.header_match import CONVERSIONS
from tools.deals.header_text import read_header
from tools.deals.said import plain
from tools.workbook.sums import sums

RELATIVE, MONEY = 0.001, 1.0
_FEWEST_SUMMED, _FEWEST_COLUMNS = 4, 2
_SUMMED = ("money", "number", "count")
_MOST_DIGITS = 1e15
_MOST_COMPARED, _MOST_TOLD = 20_000, 5
_RATIO_UNITS = ("ratio", "months", "per_sf", "per_unit")
Floats = NDArray[np.float64]


def compare_totals(table: Table) -> list[Issue]:
    """Issues `total.mismatch`, `total.stale` and `total.hidden` of the totals that a table's sheet states."""
    held = {total.place for total in table.totals}
    columns = {column.place: column for column in table.columns if column.place in held}
    amounts = {place: np.nan_to_num(np.array(column.values, dtype=float)) for place, column in columns.items()}
    found = (_compared(columns[total.place], amounts[total.place], total) for total in table.totals)
    return [issue for issue in found if issue is not None]


def _compared(column: Column, amounts: Floats, total: StatedTotal) -> Issue | None:
    """The issue of a total that its records, as they are now, do not give."""
    seen = sum(float(amounts[first : last + 1].sum()) for first, last in total.spans) / total.factor
    agrees = near(column, total.found, seen + total.hidden, total.factor)
    if agrees and not total.hidden:
        return None
    what = column.field or column.header
    code, words = ("total.hidden", f"without hidden rows, {total.words}") if agrees else (total.code, total.words)
    message = f"The total of {what} says {_number(total.found)}; {words} give {_number(seen)}."
    severity = "warning" if agrees else "error"
    return Issue(code, severity, message, (total.cell,), _number(seen), _number(total.found))


def near(column: Column, found: float, expected: float, factor: float) -> bool:
    """Whether a total as written is `expected`: counts exactly, money to a dollar, all else to 0.1 %."""
    least = MONEY / factor if column.type == "money" else 0.0
    tolerance = 0.0 if column.type == "count" else max(least, RELATIVE * abs(expected))
    return abs(found - expected) <= tolerance + 1e-9


def unmarked(table: Table) -> list[Issue]:
    """Issues on records that are unmarked totals: one that holds the sums of all others, else those that do of some.

    In two columns at least.
    """
    summed = [column for column in table.columns if is_summed(column)]
    if table.orientation == "columns" or len(summed) < _FEWEST_COLUMNS:
        return []
    amounts = np.array([column.values for column in summed], dtype=float)
    return _sum_of_others(table, summed, amounts) or _sums_above(table, summed, amounts.T)


def _sum_of_others(table: Table, summed: list[Column], amounts: Floats) -> list[Issue]:
    """An issue on the record that holds the sums of all others, if one does; amounts are columns × records."""
    halves: Counter[int] = Counter()
    for values in amounts:
        half = float(np.nansum(values)) / 2
        if half > 0 and np.count_nonzero(values > 0) >= _FEWEST_SUMMED:
            halves.update(np.flatnonzero(np.abs(values - half) <= RELATIVE * half).tolist())
    found = [record for record, count in halves.items() if count >= _FEWEST_COLUMNS]
    if len(found) != 1:
        return []
    row = table.records[found[0]]
    cells = tuple(cell for column in summed if (cell := table.cell(column, found[0])))
    message = f"Row {row} holds the sum of all other rows; it looks like a total but was read as a deal."
    return [Issue("total.unmarked", "error", message, cells)]


def _sums_above(table: Table, summed: list[Column], amounts: Floats) -> list[Issue]:
    """Issues on records that hold the sums of those right above them; amounts are records × columns."""
    if len(table.records) > _MOST_COMPARED:
        return []
    amounts[np.abs(amounts) > _MOST_DIGITS] = np.nan
    # a total or a heading between two records parts them: what comes after it sums nothing before it
    adjacent = np.diff(np.array(table.records), prepend=-1) == 1
    found = len(amounts) - 1 - np.flatnonzero(sums(amounts[::-1]) & adjacent[::-1])
    return [_summed_issue(table, summed, int(record)) for record in found[::-1][:_MOST_TOLD]]


def _summed_issue(table: Table, summed: list[Column], record: int) -> Issue:
    cells = tuple(cell for column in summed if (cell := table.cell(column, record)))
    message = (
        f"Row {table.records[record]} holds the sums of rows right above it, and what tells a deal; read as a deal."
    )
    return Issue("total.unmarked", "warning", message, cells)


def is_summed(column: Column) -> bool:
    """Whether the column's values may be summed up: amounts and sizes, no ratios."""
    spec = dictionary().fields.get(column.field or "")
    return spec is not None and spec.type in _SUMMED and spec.additive and spec.unit not in _RATIO_UNITS


def factor_of(table: Table, column: Column) -> float:
    """What a column's cells are multiplied by to give its values: the scale, and the unit that it is turned from.

    Its numbers tell; where all are texts, the scale and the unit that the header states do.
    """
    pairs = (
        (raw, value)
        for raw, value in zip(column.raws, column.values, strict=True)
        if type(raw) in (int, float) and raw and value
    )
    raw, value = next(pairs, (1, table.scale.get(column.place, 1) * _conversion(column)))
    return float(value) / float(raw)


def _conversion(column: Column) -> float:
    """What the unit in a column's header is multiplied by to give its field's, 1 where it is that unit."""
    spec = dictionary().fields.get(column.field or "")
    own = spec.unit if spec else None
    units = read_header(column.header).units if own else ()
    return next((CONVERSIONS[unit, own] for unit in units if own and (unit, own) in CONVERSIONS), 1.0)


def _number(value: float) -> str:
    return f"{value:,.2f}".removesuffix(".00") if abs(value) < _MOST_DIGITS else plain(value)
