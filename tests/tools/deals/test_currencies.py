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


@pytest.mark.parametrize(
    ("header", "value", "price", "currency"),
    [
        ("Price (SEK m)", 12.5, 12_500_000, "SEK"),
        ("Price AED mn", 12.5, 12_500_000, "AED"),
        ("Price (PLN k)", 12_500, 12_500_000, "PLN"),
        ("Price (SEK '000)", 12_500, 12_500_000, "SEK"),
        ("Price US$ 000", 12_500, 12_500_000, "USD"),
        ("Price 000", 12_500, 12_500_000, None),
        ("Price (HKD in millions)", 12.5, 12_500_000, "HKD"),
        ("Price (¥ mn)", 1_250, 1_250_000_000, "JPY"),
        ("Price (R$ mil)", 12_500, 12_500_000, "BRL"),
        ("Price (INR Lakhs)", 125, 12_500_000, "INR"),
        ("Price (Rs. in Lacs)", 125, 12_500_000, "INR"),
        ("Price (₹ Cr)", 1.25, 12_500_000, "INR"),
        ("Price INR crore", 1.25, 12_500_000, "INR"),
        ("Price, MSEK", 12.5, 12_500_000, "SEK"),
        ("Price (TSEK)", 12_500, 12_500_000, "SEK"),
        ("Price (KUSD)", 12_500, 12_500_000, "USD"),
        ("Price EURk", 12_500, 12_500_000, "EUR"),
        ("Price (MYR)", 12_500_000, 12_500_000, "MYR"),
        ("Price CHF", 12_500_000, 12_500_000, "CHF"),
    ],
)
def test_a_header_names_a_price_in_any_currency_and_scale(
    header: str, value: float, price: int, currency: str | None
) -> None:
    """Whether the code stands in brackets, behind a comma or in one word with its scale."""
    extraction = listed([value * step for step in (1, 1.2, 0.8, 2, 0.7)], header)
    first = next(iter(extraction.deals())).fields["price"]
    assert first.value == price
    if currency is not None:
        assert first.currency == currency


@pytest.mark.parametrize("header", ["Market", "Years m", "Lot (m²)", "Try", "Members 000s mm"])
def test_no_letters_of_other_words_are_a_currency_with_a_scale(header: str) -> None:
    """The last two letters of years, and a word that is a code too."""
    assert "price" not in next(iter(listed([1, 2, 3, 4, 5], header).deals())).fields


@pytest.mark.parametrize(
    ("header", "field", "value", "found"),
    [
        ("Area (tsubo)", "building_sf", 1_000, 35_583.17),
        ("Area (pyeong)", "building_sf", 1_000, 35_583.17),
        ("Area (sq yd)", "building_sf", 1_000, 9_000),
        ("GLA (k SF)", "building_sf", 120, 120_000),
        ("Price per sqm (SEK)", "price_per_sf", 10_000, 929.03),
        ("Price/m²", "price_per_sf", 10_000, 929.03),
    ],
)
def test_areas_of_other_countries_are_converted(header: str, field: str, value: float, found: float) -> None:
    """A thousand tsubo are no thousand square feet."""
    first = next(iter(listed([value * step for step in (1, 1.2, 0.8, 2, 0.7)], header).deals()))
    assert float(first.fields[field].value) == pytest.approx(found, rel=1e-5)


@pytest.mark.parametrize(
    ("place", "where", "codes"),
    [
        ("Country", ["Canada", "Australia"], ["CAD", "AUD"]),
        ("Province", ["ON", "AB"], ["CAD", "CAD"]),
        ("State", ["NSW", "Queensland"], ["AUD", "AUD"]),
        ("State", ["CA", "WA"], ["USD", "USD"]),
        ("Country", ["Germany", "Canada"], ["USD", "CAD"]),
    ],
)
def test_a_bare_dollar_is_the_one_of_its_place(place: str, where: list[str], codes: list[str]) -> None:
    """Canada's and Australia's have the same sign; it is told."""
    rows = [[name, "Elmstadt", at, "$1,200,000"] for name, at in zip(["Elm Plaza", "Oak Plaza"], where, strict=True)]
    extraction = read([["Property", "City", place, "Asking Price"], *rows])
    assert currencies(extraction) == codes
    assert bool(issues(extraction, "currency.assumed")) == (codes != ["USD", "USD"])


@pytest.mark.parametrize(("header", "amount"), [("Asking Price (US$)", "$1,200,000"), ("Asking Price", "US$1,200,000")])
def test_a_dollar_that_is_said_to_be_american_stays_so(header: str, amount: str) -> None:
    """Whatever the place."""
    rows = [["Elm Plaza", "Toronto", "Canada", amount], ["Oak Plaza", "Toronto", "Canada", amount]]
    assert currencies(read([["Property", "City", "Country", header], *rows])) == ["USD", "USD"]
