"""Terms of leases in years or months, where their header does not say which."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import issues, read, values
from tests.tools.deals.columns import COMPANIES

YEARS = [5, 10, 7, 3, 15, 5]
START = dt.date(2020, 1, 1)


def leases(terms: list[Any], header: str = "Lease Term", dates: bool = False) -> Extraction:
    """Leases with their terms and, where asked for, the dates from 2020 that these reach to in years."""
    rows: list[list[Any]] = [["Tenant", "SF", "Rent PSF", header, *(["Lease Start", "Lease Expiry"] if dates else [])]]
    for tenant, term, years in zip(COMPANIES, terms, YEARS, strict=False):
        ends = [START, dt.date(2020 + years, 1, 1) - dt.timedelta(days=1)] if dates else []
        rows.append([tenant, 1_000, 30.5, term, *ends])
    return read(rows)


def test_dates_beside_a_term_tell_its_unit() -> None:
    """Years where the term is as many years from start to end, months where as many months; neither is a guess."""
    for terms in (YEARS, [12 * n for n in YEARS]):
        extraction = leases(terms, dates=True)
        assert values(extraction, "lease_term_months") == [12 * n for n in YEARS]
        assert not issues(extraction, "term.unit")


@pytest.mark.parametrize(
    ("terms", "months", "assumed"),
    [
        (YEARS, [60, 120, 84, 36, 180, 60], "years"),
        ([5.5, 10, 7, 3, 15, 5], [66, 120, 84, 36, 180, 60], "years"),
        ([12, 12, 6, 15, 12, 12], [12, 12, 6, 15, 12, 12], "months"),
        ([60, 120, 84, 36, 180, 12], [60, 120, 84, 36, 180, 12], None),
        ([60, 120, 84, 36, 180, 10], [60, 120, 84, 36, 180, 10], "months"),
        ([5, 10, 10, 15, 5, 99], [60, 120, 120, 180, 60, 1188], "years"),
    ],
)
def test_the_size_of_terms_tells_their_unit_and_that_is_said(
    terms: list[float], months: list[float], assumed: str | None
) -> None:
    """Few leases run for more than thirty years, and flats are let for one; what is more than that is months."""
    extraction = leases(terms)
    assert values(extraction, "lease_term_months") == months
    assert [f"{assumed} were assumed" in issue.message for issue in issues(extraction, "term.unit")] == (
        [True] if assumed else []
    )


def test_bare_terms_beside_one_in_years_are_years_too() -> None:
    """One that says months keeps them, and makes the rest a guess."""
    mixed = leases(["5 years", 10, 7, 3, "60 months", 5])
    assert values(mixed, "lease_term_months") == [60, 120, 84, 36, 60, 60]
    assert issues(mixed, "term.unit")
    extraction = leases(["5 years", 10, 7, 3, "15 yrs", 5])
    assert values(extraction, "lease_term_months") == [60, 120, 84, 36, 180, 60]
    assert not issues(extraction, "term.unit")


@pytest.mark.parametrize("header", ["Lease Term (Yrs)", "Lease Term - Years", "Lease Term Yrs", "Lease Length (years)"])
def test_a_header_that_says_years_is_taken_at_its_word(header: str) -> None:
    """However it writes them; nothing is left to say."""
    extraction = leases(["60 months", *YEARS[1:]], header)
    assert values(extraction, "lease_term_months") == [60, 120, 84, 36, 180, 60]
    assert not issues(extraction, "term.unit")
