"""Currencies: one cell's is its own, half of a column's the column's, that of the first cell the one of all below."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

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


def in_format(code: str, *prices: object, header: str = "Asking Price") -> list[str | None]:
    """The currencies of prices shown in number format `code`, of deals at places that tell none."""
    prices = prices or (1_000_000, 2_000_000, 3_000_000)
    return currencies(listed(prices, header, code))


@pytest.mark.parametrize(
    ("code", "currency"),
    [
        ("[$$-1009]#,##0", "CAD"),
        ("[$$-C09]#,##0", "AUD"),
        ("[$$-80A]#,##0", "MXN"),
        ("[$$-1409]#,##0", "NZD"),
        ("[$$-1004]#,##0", "SGD"),
        ("[$$-409]#,##0", "USD"),
        ("[$$-en-CA]#,##0", "CAD"),
        ("[$$-407]#,##0", "USD"),
        ("[$$-FFF9]#,##0", "USD"),
        ("[$¥-804]#,##0", "CNY"),
        ("[$¥-411]#,##0", "JPY"),
        ("#,##0 [$kr-41D]", "SEK"),
        ("#,##0\\ [$kr.-406]", "DKK"),
        ("[$kr-414]\\ #,##0", "NOK"),
        ("[$R-1C09] #,##0", "ZAR"),
        ("[$R$-416] #,##0", "BRL"),
        ("[$NT$-404]#,##0", "TWD"),
        ("[$₹-4009] #,##0", "INR"),
        ("[$CHF] #,##0", "CHF"),
        ('#,##0\\ "zł"', "PLN"),
        ('"Rs" #,##0', "INR"),
    ],
)
def test_the_locale_in_a_number_format_says_which_currency_a_shared_sign_means(code: str, currency: str) -> None:
    """A dollar sign is that of its locale; a sign that the locale does not use is what it always is."""
    assert in_format(code) == [currency] * 3


@pytest.mark.parametrize("code", ['_-* #,##0\\ "kr"_-', "[$₦-46A]#,##0"])
def test_a_sign_that_nothing_settles_gives_no_currency_and_an_issue(code: str) -> None:
    """Never the currency of another column, or of the place."""
    extraction = read(with_prices(*(row[4] for row in DEALS)), {f"E{row}": code for row in range(2, 6)})
    assert currencies(extraction) == [None] * 4
    assert currencies(extraction, "noi") == ["USD"] * 4
    assert len(issues(extraction, "currency.ambiguous")[0].cells) == 4
    assert not issues(extraction, "currency.partial")


def test_a_shared_word_means_what_its_header_says() -> None:
    """Crowns in a column of Swedish ones."""
    assert in_format("", "1,500,000 kr", "2,500,000 kr", header="Asking Price (SEK)") == ["SEK"] * 2


def test_amounts_with_another_sign_are_not_taken_for_the_majority_s() -> None:
    """Złoty, rupees and crowns of some country in a column of euros."""
    extraction = listed(
        ["€1,000,000", "€2,000,000", "€3,000,000", "€4,000,000", "1,500,000 zł", "Rs. 1,500,000", "1,500,000 kr"],
        "Asking Price",
    )
    assert currencies(extraction) == ["EUR"] * 4 + ["PLN", "INR", None]
    assert issues(extraction, "currency.ambiguous")[0].cells == ("Deals!E8",)
