"""Amounts in several currencies: none is divided by, ranked among or drawn against one in another."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import pytest
from pptx import Presentation

from schemas.deal import Extraction
from schemas.documents import DocumentOrder, Emphasis
from tests.extractions import Cell, Sheet, build
from tests.tools.memo import reading
from tools.deck.check import printed_texts
from tools.deck.render import render_deck
from tools.figures.findings import share_of
from tools.figures.measures import Portfolio, portfolio
from tools.figures.quality import quality
from tools.figures.risks import risk
from tools.figures.sensitivity import sensitivity
from tools.memo.cover import height_of

AS_OF = date(2026, 11, 30)
FOREIGN = ("Delta Plaza", "Eps Plaza")


def money(value: int, currency: str | None = None) -> Cell:
    """An amount, in a currency of its own where one is named."""
    return Cell(value, value, currency)


def three_and_two() -> Extraction:
    """Three properties in dollars, one in euros and, with the largest numbers by far, one in kroner."""
    rows = [
        {"deal_name": "Alpha Plaza", "asking_price": 1_000_000, "noi": 60_000, "building_sf": 10_000},
        {"deal_name": "Beta Plaza", "asking_price": 2_000_000, "noi": 120_000, "building_sf": 20_000},
        {"deal_name": "Gamma Plaza", "asking_price": 3_000_000, "noi": 180_000, "building_sf": 30_000},
        {"deal_name": "Delta Plaza", "asking_price": money(6_000_000, "EUR"), "noi": money(360_000, "EUR"),
         "building_sf": 40_000},
        {"deal_name": "Eps Plaza", "asking_price": money(50_000_000, "NOK"), "noi": money(3_000_000, "NOK"),
         "building_sf": 40_000},
    ]  # fmt: skip
    return build(Sheet("offering_list", rows))


def crossed() -> Extraction:
    """Prices mostly in dollars and NOI mostly in euros, so that the two totals are in two currencies."""
    rows = [
        {"deal_name": f"Plaza {n}", "asking_price": money(1_000_000, "USD" if n < 3 else "EUR"),
         "noi": money(60_000, "USD" if n < 2 else "EUR"), "building_sf": 10_000}
        for n in range(5)
    ]  # fmt: skip
    return build(Sheet("offering_list", rows))


def measured(extraction: Extraction) -> Portfolio:
    """The portfolio as of the tests' day."""
    return portfolio(extraction, AS_OF)


@pytest.mark.parametrize("key", ["noi", "price"])
def test_an_amount_in_another_currency_has_no_share_of_the_total(key: str) -> None:
    """Kroner over dollars is no share; dollars over dollars is."""
    found = measured(three_and_two())
    shares = [share_of(found, found.measures[key], record) for record in range(5)]
    assert [one is not None for one in shares] == [True, True, True, False, False]


def test_sums_are_only_divided_where_both_are_in_one_currency() -> None:
    """A deal with its price in dollars and its NOI in euros is in no cap rate, whichever currency leads."""
    found = measured(crossed())
    assert (found.measures["price"].spec.currency, found.measures["noi"].spec.currency) == ("USD", "EUR")
    assert not found.totals["cap_rate"].derivation.startswith("Σ")
    assert sensitivity(found) is None


def test_a_derived_amount_is_in_the_currency_that_it_is_derived_from() -> None:
    """Prices per SF stated in dollars do not make dollars of one computed from euros."""
    rows = [
        {"deal_name": f"Plaza {n}", "asking_price": money(1_000_000), "building_sf": 10_000, "price_per_sf": 100}
        for n in range(3)
    ]
    rows.append({"deal_name": "Delta", "asking_price": money(9_000_000, "EUR"), "building_sf": 10_000})
    series = measured(build(Sheet("offering_list", rows))).measures["price_psf"]
    assert (series.values[3], series.currency_of(3), series.records) == (Decimal(900), "EUR", [0, 1, 2])


def test_blocks_are_as_high_as_amounts_of_one_currency_only() -> None:
    """An amount in kroner is drawn as one that is not known, and the note says so."""
    lead = measured(three_and_two()).measures["noi"]
    assert [height_of(lead, record) for record in range(5)] == [60_000.0, 120_000.0, 180_000.0, 0.0, 0.0]


@pytest.mark.parametrize("emphasis", ["income", "price"])
def test_no_document_sets_another_currency_against_a_total(emphasis: Emphasis) -> None:
    """No line of deck or memorandum that names a deal in another currency gives a share, a rank or that it leads."""
    extraction = three_and_two()
    order = DocumentOrder(kind="deck", title="Project Tamarack", emphasis=emphasis)
    deck = Presentation(io.BytesIO(render_deck(extraction, order, AS_OF).draft))
    said = [words for slide in deck.slides for words in printed_texts(slide)]
    memo = reading.rendered(extraction, emphasis)
    said += [line for page in reading.page_texts(memo.draft) for line in page.splitlines()]
    told = [words for words in said if any(name in words for name in FOREIGN)]
    words = ("of NOI", "of the price", "of the total", "leads", "greatest", "largest", "alone")
    wrong = [line for line in told if any(word in line for word in words) and "%" in line]
    assert told
    assert not wrong


def test_totals_that_leave_currencies_out_say_so() -> None:
    """Beside the number that a total stands for, and in what its shares are of."""
    memo = reading.rendered(three_and_two())
    text = " ".join(" ".join(page.split()) for page in reading.page_texts(memo.draft))
    assert "3 of 5 properties, 2 in another currency" in text
    assert "of NOI in USD" in text


def test_a_value_in_another_currency_is_no_gap() -> None:
    """Every property has a price; that two are not in dollars is said elsewhere."""
    checks = {check.name.text: check for check in quality(measured(three_and_two())).checks}
    assert checks["Measures without a gap"].detail.text == "nothing is missing"


def test_shares_of_several_deals_say_which_currency_they_are_of() -> None:
    """Loans in arrears, some of them in kroner: the share and the largest are of those in dollars."""
    rows = [
        {"deal_name": f"Loan {n}", "loan_amount": money(1_000_000 + n, "NOK" if n > 6 else None),
         "interest_rate": 0.05, "ltv": 0.8, "status": "Delinquent" if n in (2, 9) else "Current"}
        for n in range(10)
    ]  # fmt: skip
    found = measured(build(Sheet("loan_tape", rows)))
    said = risk(found, "income").words.text
    assert "of the balance in USD; the largest in USD is Loan 2" in said


def test_one_currency_among_amounts_of_none_is_carried_into_what_is_derived() -> None:
    """A price in euros beside prices without a currency gives euros per SF, which are not among the others."""
    rows = [
        {"deal_name": f"Plaza {n}", "asking_price": money(1_000_000, "EUR" if n == 2 else None), "building_sf": 10_000}
        for n in range(3)
    ]
    series = measured(build(Sheet("offering_list", rows, currency=None))).measures["price_psf"]
    assert (series.currency_of(2), series.records) == ("EUR", [0, 1])
