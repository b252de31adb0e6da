"""Columns headed only "Year" or "Vintage" whose years are those of sales, loans or funds, not of buildings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from schemas.workbook import Candidate
from tools.deals.dictionary import dictionary
from tools.deals.header_text import Header
from tools.deals.profile import Profile

#: What makes the years under each word doubtful: the fields and words beside it.
_BESIDE = {
    "year": frozenset({"sale_price", "sale_date", "close_date"}),
    "vintage": frozenset({"stage", "probability", "loan_amount", "original_balance", "fund"}),
}
_DATES = ("sale_date", "close_date", "origination_date")
#: Buildings of a list are seldom all so new, and built within so few years.
_NEW, _WITHIN, _FEWEST, _MOSTLY = 2000, 12, 3, 0.7
#: Too little to take it for a field, enough to ask.
_OPEN = 0.5


def without_sale_years(
    columns: Sequence[Sequence[object]],
    headers: Sequence[Header],
    profiles: Sequence[Profile],
    weighed: Sequence[tuple[Candidate, ...]],
) -> list[tuple[Candidate, ...]]:
    """The candidates; late years of sales under a bare "Year" are none of buildings, unless dates beside deny it."""
    found = list(weighed)
    first = {candidates[0].field: at for at, candidates in reversed(list(enumerate(weighed))) if candidates}
    beside = {*first, *(token for header in headers for token in header.tokens)}
    dates = next((columns[first[name]] for name in _DATES if name in first), None)
    for at, (header, seen) in enumerate(zip(headers, profiles, strict=True)):
        word = bare_year(header)
        if word and is_late(seen) and beside & _BESIDE[word] and not _differ(columns[at], dates):
            found[at] = tuple(replace(c, score=_OPEN) if c.field == "year_built" else c for c in weighed[at])
    return found


def bare_year(header: Header) -> str | None:
    """The word of a header that says no more than `year` or `vintage`, else None."""
    words = set(header.tokens) - (dictionary().neutral - {"year"})
    return next(iter(words)) if len(words) == 1 and words <= _BESIDE.keys() else None


def is_late(seen: Profile) -> bool:
    """Whether all numbers of a column are late years close to each other."""
    years = [number for number in seen.numbers if number]
    whole = len(years) >= _FEWEST and len(years) == seen.count and all(year == int(year) for year in years)
    return whole and min(years) >= _NEW and max(years) - min(years) <= _WITHIN and max(years) <= 2100


def _differ(years: Sequence[object], dates: Sequence[object] | None) -> bool:
    """Whether the years are mostly others than those of the dates beside them."""
    pairs = [
        (year, date.year)
        for year, date in zip(years, dates or (), strict=False)
        if isinstance(year, (int, float)) and isinstance(date, dt.date)
    ]
    return bool(pairs) and sum(year != of_date for year, of_date in pairs) > _MOSTLY * len(pairs)
