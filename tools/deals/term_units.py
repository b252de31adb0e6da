"""Whether the terms of leases are years or months where their header does not say: by dates, units and sizes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from tools.deals.dates import read_date
from tools.deals.header_text import read_header
from tools.deals.mapping import SETTLED, ColumnView, MappedColumn
from tools.deals.numbers import NumberText, read_number
from tools.deals.profile import sample

_TERM = "lease_term_months"
_DAYS_A_MONTH, _MOSTLY = 30.44, 0.6
#: Months between the dates for each of a term's numbers: about 12 where it is in years, about one in months.
_IN_YEARS, _IN_MONTHS = (8.0, 18.0), (0.7, 1.4)
#: Leases of more years than the first are rare; beside terms that say "years", than the second.
_MOST_YEARS, _MOST_SAID = 30, 40
#: What flats are let for, in months.
_FLATS = frozenset({6.0, 12.0, 18.0, 24.0})


@dataclass(frozen=True, slots=True)
class TermUnit:
    """The unit of a column's bare terms; `assumed` where only their size tells it."""

    unit: str
    assumed: bool = False


def with_term_units(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> list[MappedColumn]:
    """The mapped columns, terms of leases that are in years with a header that says so."""
    found = list(mapped)
    for at, m in enumerate(mapped):
        told = _unit(columns, mapped, at) if m.field == _TERM else None
        if told is not None and told.unit == "years":
            found[at] = replace(m, header=replace(m.header, units=m.header.units | {"years"}))
    return found


def assumed_term(
    columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> tuple[MappedColumn, str, float] | None:
    """The column of terms whose unit only their size tells, that unit, and one of them; None where there is none."""
    for at, m in enumerate(mapped):
        told = _unit(columns, mapped, at) if m.field == _TERM and m.confidence != SETTLED else None
        if told is not None and told.assumed:
            return m, told.unit, next(n for _, n in _bare(columns[at]))
    return None


def _unit(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn], at: int) -> TermUnit | None:
    """The unit of a column's bare terms; None where its header says it, or none is bare."""
    view = columns[at]
    stated = read_header(view.header).units | ({view.unit} if view.unit else set[str]())
    numbers = [number for _, number in _bare(view)]
    if stated & {"years", "months"} or not numbers:
        return None
    by_dates = _by_dates(columns, mapped, view)
    if by_dates is not None:
        return TermUnit(by_dates)
    said = {n.unit for n in map(_text_number, sample(view.values)) if n is not None and n.unit is not None}
    if len(said & {"years", "months"}) == 1:
        years = "years" in said and max(numbers) <= _MOST_SAID
        return TermUnit("years" if years else "months", assumed="years" in said and not years)
    if median(numbers) > _MOST_YEARS:
        short = {number for number in numbers if number <= _MOST_YEARS}
        return TermUnit("months", assumed=not short <= _FLATS)
    flats = 2 * sum(number in _FLATS for number in numbers) >= len(numbers)
    return TermUnit("months" if flats else "years", assumed=True)


def _bare(view: ColumnView) -> Iterator[tuple[int, float]]:
    """The numbers above zero that stand without a unit, with their records."""
    for record, value in enumerate(view.values):
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
            yield record, float(value)
        elif isinstance(value, str) and (number := _text_number(value)) and number.unit is None and number.value > 0:
            yield record, number.value


def _text_number(value: object) -> NumberText | None:
    number = read_number(value, decimal_comma=None) if isinstance(value, str) else None
    return number if isinstance(number, NumberText) else None


def _by_dates(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn], view: ColumnView) -> str | None:
    """The unit by which most terms reach from the start of their lease to its end."""
    at = {m.field: i for i, m in enumerate(mapped) if m.field in ("lease_start", "lease_expiry")}
    if len(at) < 2:
        return None
    starts, ends = columns[at["lease_start"]].values, columns[at["lease_expiry"]].values
    each = [months / number for r, number in _bare(view) if (months := _months(starts[r], ends[r])) is not None]
    for unit, (low, high) in (("years", _IN_YEARS), ("months", _IN_MONTHS)):
        if each and sum(low <= one <= high for one in each) >= _MOSTLY * len(each):
            return unit
    return None


def _months(start: object, end: object) -> float | None:
    first, last = _day(start), _day(end)
    return None if first is None or last is None or last <= first else (last - first).days / _DAYS_A_MONTH


def _day(value: object) -> dt.date | None:
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, str):
        return read_date(value, day_first=False)
    return value if isinstance(value, dt.date) else None
