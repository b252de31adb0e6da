"""Notes, headers, number formats and columns of currencies that contradict: what stands nearest is taken, and told."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import column, issues, read, values
from tools.deals.currency_conflicts import stated_currency

ROWS = [["Oak Plaza", "X", 56_100_000], ["Fir Plaza", "X", 41_050_000], ["Ash Plaza", "X", 27_350_000]]
EURO = "[$€-2] #,##0"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("All figures in GBP", "GBP"),
        ("Deals, amounts in £", "GBP"),
        ("Portfolio (€m)", "EUR"),
        ("(in US$ 000s)", "USD"),
        ("Currency: CHF", "CHF"),
        ("USD", "USD"),
        ("Deals over $10m", None),
        ("In $10m steps", None),
        ("Closed in Europe", None),
    ],
)
def test_a_note_states_a_currency_only_where_it_says_that_amounts_are_in_it(text: str, code: str | None) -> None:
    """An amount in a title is none of that."""
    assert stated_currency(text) == code


@pytest.mark.parametrize(("header", "shown", "code"), [("Price ($)", "", "USD"), ("Price", EURO, "EUR")])
def test_a_note_against_headers_and_formats_is_told_with_its_cell(header: str, shown: str, code: str) -> None:
    """What stands nearer to the amounts was taken."""
    formats = {f"C{row}": shown for row in (4, 5, 6)} if shown else None
    extraction = read([["All figures in GBP"], [], ["Property", "City", header], *ROWS], formats)
    assert column(extraction, "price").currency == code
    (said,) = issues(extraction, "currency.note")
    assert (said.severity, said.cells, said.expected, said.found) == (
        "warning",
        ("Deals!A1", "Deals!C4"),
        "GBP",
        code,
    )


@pytest.mark.parametrize("note", ["All figures in $", "All figures in GBP", "Deals over $10m"])
def test_a_note_that_contradicts_nothing_is_no_issue(note: str) -> None:
    """A bare $ may be that of Canada, and amounts that show no currency have the note's."""
    header = "Price" if "GBP" in note else "Price (CAD)"
    extraction = read([[note], [], ["Property", "City", header], *ROWS])
    assert column(extraction, "price").currency == ("GBP" if "GBP" in note else "CAD")
    assert not issues(extraction, "currency.note")


def test_a_note_below_the_table_says_the_currency_too() -> None:
    """Where the amounts show none."""
    extraction = read([["Property", "City", "Price"], *ROWS, [], ["Note: all amounts in EUR"]])
    assert column(extraction, "price").currency == "EUR"


def test_a_header_against_its_cells_is_told() -> None:
    """The cells' currency was taken."""
    extraction = read([["Property", "City", "Price ($)"], *ROWS], {f"C{row}": EURO for row in (2, 3, 4)})
    assert {deal.fields["price"].currency for deal in extraction.deals()} == {"EUR"}
    (said,) = issues(extraction, "currency.conflict")
    assert (said.severity, said.expected, said.found) == ("warning", "USD", "EUR")
    assert not issues(extraction, "currency.mixed")


@pytest.mark.parametrize(
    ("header", "codes", "taken"),
    [
        ("Price ($)", ["CAD", "CAD", "CAD"], ["CAD", "CAD", "CAD"]),
        ("Price ($)", ["CAD", "USD", "AUD"], ["CAD", "USD", "AUD"]),
        ("Price (USD)", ["CAD", "CAD", "USD"], ["USD", "USD", "USD"]),
        ("Price ($)", ["EUR", "EUR", "USD"], ["USD", "USD", "USD"]),
    ],
)
def test_a_column_of_currencies_says_whose_dollars_they_are(header: str, codes: list[str], taken: list[str]) -> None:
    """It contradicts a header that names another currency: that is told."""
    rows = [[name, "X", code, price] for (name, _, price), code in zip(ROWS, codes, strict=True)]
    extraction = read([["Property", "City", "Currency", header], *rows])
    assert [deal.fields["price"].currency for deal in extraction.deals()] == taken
    assert bool(issues(extraction, "currency.conflict")) == (taken != codes)
    assert values(extraction, "price") == [row[2] for row in ROWS]
