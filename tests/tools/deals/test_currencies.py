"""Currencies: one cell's is its own, half of a column's the column's, that of the first cell the one of all below."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.deal import Extraction
from tests.tools.deals.books import DEALS, HEADER, issues, listed, read

POUNDS, EUROS = "£7,250,000", "[$€-407] #,##0"


def currencies(extraction: Extraction, field: str = "asking_price") -> list[str | None]:
    """The currency of a field in each deal that has it."""
    return [deal.fields[field].currency for deal in extraction.deals() if field in deal.fields]


def with_prices(*prices: object) -> Sequence[Sequence[object]]:
    """The deals, all in the United States, with other prices."""
    return [HEADER, *([*row[:4], price, *row[5:]] for row, price in zip(DEALS, prices, strict=True))]


def test_an_amount_with_another_sign_leaves_the_others_in_the_currency_of_their_place() -> None:
    """Three prices without a sign in the United States and one in pounds, whose NOI is in pounds as well."""
    extraction = read(with_prices(10_000_000, 4_000_000, POUNDS, 8_000_000))
    assert currencies(extraction) == ["USD", "USD", "GBP", "USD"]
    assert currencies(extraction, "noi") == ["USD", "USD", "GBP", "USD"]
    assert issues(extraction, "currency.partial")[0].cells == ("Deals!E4",)


def test_where_no_place_tells_the_currency_only_the_amounts_that_show_one_have_one() -> None:
    """One format in euros among four plain numbers."""
    extraction = listed([1_000_000, 2_000_000, 3_000_000, 4_000_000], "Asking Price")
    assert currencies(extraction) == [None] * 4
    rows = [["Property Name", "City", "Asking Price"], *([f"Place {i}", "Reno", i * 1_000_000] for i in range(1, 5))]
    extraction = read(rows, {"C5": EUROS})
    assert currencies(extraction) == [None, None, None, "EUR"]
    assert "1 of 4" in issues(extraction, "currency.partial")[0].message


def test_a_sign_on_the_first_amount_alone_is_that_of_the_column() -> None:
    """As accountants write columns."""
    extraction = listed(["€1,000,000", 2_000_000, 3_000_000, 4_000_000], "Asking Price")
    assert currencies(extraction) == ["EUR"] * 4
    assert not issues(extraction, "currency.partial")


def test_half_of_a_column_speaks_for_it() -> None:
    """And those in another currency keep theirs."""
    extraction = listed([1_000_000, "€2,000,000", "€3,000,000", "€1,500,000", POUNDS], "Asking Price")
    assert currencies(extraction) == ["EUR", "EUR", "EUR", "EUR", "GBP"]
    assert issues(extraction, "currency.mixed")
