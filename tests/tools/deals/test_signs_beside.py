"""Signs in cells of their own beside amounts: these take their currency and unit, and the cites stay with them."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from openpyxl import load_workbook

from schemas.deal import Extraction
from schemas.workbook import Overrides
from tests.tools.deals.books import column, issues, read, values, xlsx
from tools.deals.extract import extract

NAMES = [["Heron Point", "Reno"], ["Cedar Hollow", "Lyon"], ["Union Yard", "Tampa"], ["Prairie Hub", "Bonn"]]
AMOUNTS = [(12_500_000, 700_000), (8_000_000, 500_000), (6_000_000, 330_000), (9_000_000, 520_000)]
PRICES = [price for price, _ in AMOUNTS]


def listing(
    signs: Sequence[str | None], header: Sequence[str | None] = ("Price", None), after: bool = False
) -> list[list[object]]:
    """Four deals with a price over two columns, the sign before it or `after` it, and their NOI."""
    rows: list[list[object]] = [["Property", "City", *header, "NOI"]]
    for name, (price, noi), sign in zip(NAMES, AMOUNTS, signs, strict=True):
        rows.append([*name, *([price, sign] if after else [sign, price]), noi])
    return rows


def merged(rows: Sequence[Sequence[object]], *spans: str) -> Extraction:
    """The extraction of a sheet of `rows` with merged cells."""
    book = load_workbook(io.BytesIO(xlsx({"Deals": rows})))
    for span in spans:
        book["Deals"].merge_cells(span)
    packed = io.BytesIO()
    book.save(packed)
    return extract(packed.getvalue(), "deals.xlsx")


def currencies(extraction: Extraction, field: str = "price") -> list[str | None]:
    """The currency of a field in each deal."""
    return [deal.fields[field].currency for deal in extraction.deals()]


def test_amounts_take_the_sign_that_stands_before_them_under_one_header() -> None:
    """Signs differ from row to row; the cite is the amount's cell, and an issue names those of the signs."""
    extraction = merged(listing(["€", "£", "€", "$"]), "C1:D1")
    assert values(extraction, "price") == PRICES
    assert currencies(extraction) == ["EUR", "GBP", "EUR", "USD"]
    assert next(deal.fields["price"].cell for deal in extraction.deals()) == "Deals!D2"
    assert issues(extraction, "currency.beside")[0].cells == ("Deals!C2", "Deals!C3", "Deals!C4", "Deals!C5")
    assert "Price" not in next(iter(extraction.deals())).extra
    assert {issue.severity for issue in extraction.issues} == {"info"}


@pytest.mark.parametrize("header", [("Price", None), (None, "Price"), ("Price", "Price")])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("sign", ["€", "EUR", "eur"])
def test_the_sign_is_that_of_the_amount_wherever_their_header_stands(
    header: tuple[str | None, str | None], after: bool, sign: str
) -> None:
    """Over the sign, over the amount, or over both, and the sign on either side."""
    extraction = read(listing([sign] * 4, header, after))
    assert values(extraction, "price") == PRICES
    assert currencies(extraction) == ["EUR"] * 4


def test_an_amount_without_a_sign_among_different_ones_takes_none() -> None:
    """It is said to have none, and no other column's sign is its own."""
    extraction = merged(listing(["EUR", "GBP", None, "USD"], after=True), "C1:D1")
    assert currencies(extraction) == ["EUR", "GBP", None, "USD"]
    assert issues(extraction, "currency.partial")[0].severity == "warning"


def test_signs_beside_the_first_amounts_only_are_those_of_their_columns() -> None:
    """As accountants write them, and on the line of the total; what was taken for the others is said."""
    rows: list[list[object]] = [["Property", "Units", "Price", None, "NOI", None]]
    for at, ((name, _), (price, noi)) in enumerate(zip(NAMES, AMOUNTS, strict=True)):
        rows.append([name, 10, None if at else "€", price, None if at else "£", noi])
    extraction = merged([*rows, ["Total", 40, "€", sum(PRICES), "£", 2_050_000]], "C1:D1", "E1:F1")
    assert currencies(extraction) == ["EUR"] * 4
    assert currencies(extraction, "noi") == ["GBP"] * 4
    assert "taken for the 3" in issues(extraction, "currency.beside")[0].message
    assert not issues(extraction, "total.mismatch")


def test_signs_beside_amounts_of_no_field_stay_in_the_deal() -> None:
    """Nothing is lost of what no field takes."""
    rows = [["Property", "City", "Price", "Deposit held", None]]
    rows += [[*name, price, noi, "£"] for name, (price, noi) in zip(NAMES, AMOUNTS, strict=True)]
    extraction = read(rows)
    deal = next(iter(extraction.deals()))
    assert {value.value for value in deal.extra.values()} == {700_000, "£"}


def test_a_column_of_currencies_that_names_its_amount_is_that_amounts_alone() -> None:
    """Where several such columns stand in a table; one called Currency alone is about the record."""
    rows = [["Property", "City", "Price", "Price Currency", "Loan Amount", "Loan Currency"]]
    signs = ["EUR", "GBP", "EUR", "CHF"]
    rows += [[*name, p, sign, n, "USD"] for name, (p, n), sign in zip(NAMES, AMOUNTS, signs, strict=True)]
    extraction = read(rows)
    assert currencies(extraction) == signs
    assert currencies(extraction, "loan_amount") == ["USD"] * 4
    rows = [[*row[:3], row[4], row[3]] for row in rows]
    rows[0][4] = "Currency"
    assert currencies(read(rows), "loan_amount") == signs


def test_a_magnitude_beside_amounts_scales_them_and_their_total() -> None:
    """One for all is the column's scale; different ones are each amount's."""
    rows = [["Property", "City", "Price", None], *([*n, p / 1e6, "M"] for n, p in zip(NAMES, PRICES, strict=True))]
    extraction = merged([*rows, ["Total", None, 35.5, "M"]], "C1:D1")
    assert values(extraction, "price") == PRICES
    assert list(column(extraction, "price").raws) == [12.5, 8, 6, 9]
    assert extraction.tables[0].scale == {"C": 1_000_000}
    assert not issues(extraction, "total.mismatch")
    rows[3][3] = "bn"
    assert values(merged(rows, "C1:D1"), "price") == [12_500_000, 8_000_000, 6_000_000_000, 9_000_000]


def test_brackets_and_percent_signs_in_cells_of_their_own_close_the_amounts_before_them() -> None:
    """As pages of accounts are written: $ | (700,000 | ) and 5.6 | %."""
    rows = [["Property", "City", "Price", None, "NOI", None, None, "Cap Rate", None]]
    rows += [[*NAMES[0], "$", "12,500,000", "$", "(700,000", ")", "-5.6", "%"]]
    rows += [[*NAMES[1], "$", "2,500,000", "$", "100,000", None, "4.0", "%"]]
    extraction = read(rows)
    assert values(extraction, "noi") == [-700_000, 100_000]
    assert values(extraction, "cap_rate") == [-0.056, 0.04]
    assert not issues(extraction, "cap_rate.mismatch")


def test_a_form_with_signs_between_labels_and_amounts_keeps_its_amounts() -> None:
    """The sign is not the value; whether it stands before or behind."""
    rows: list[list[object]] = [["Property Name", "Heron Point"], ["City", "Reno"], ["Asking Price", "€", 12_500_000]]
    rows += [["NOI", 0.7, "M"], ["Loan Amount", 1_000_000, "£"], ["Cap Rate", 0.056], ["Building SF", 50_000]]
    fields = next(iter(read(rows).deals())).fields
    assert (fields["asking_price"].value, fields["asking_price"].currency) == (12_500_000, "EUR")
    assert fields["asking_price"].cell == "Deals!C3"
    assert fields["noi"].value == 700_000
    assert fields["loan_amount"].currency == "GBP"


def test_columns_of_signs_between_deals_that_stand_side_by_side_are_no_deals() -> None:
    """A property a column, each with a column of signs before it."""
    rows: list[list[object]] = [
        ["Property Name", None, "Heron Point", None, "Cedar Hollow", None, "Union Yard"],
        ["City", None, "Reno", None, "Lyon", None, "Tampa"],
        ["Asking Price", "$", 12_500_000, "€", 8_000_000, "$", 6_000_000],
        ["NOI", "$", 700_000, "€", 500_000, "$", 330_000],
        ["Cap Rate", None, 0.056, None, 0.0625, None, 0.055],
        ["Year Built", None, 1999, None, 2001, None, 1980],
        ["Building SF", None, 50_000, None, 20_000, None, 30_000],
    ]
    extraction = read(rows)
    assert values(extraction, "deal_name") == ["Heron Point", "Cedar Hollow", "Union Yard"]
    assert currencies(extraction, "asking_price") == ["USD", "EUR", "USD"]


@pytest.mark.parametrize("classes", [["A", "B", "B", "C"], ["B"] * 4, ["M"] * 4])
def test_letters_in_a_column_of_their_own_name_are_no_magnitudes(classes: list[str]) -> None:
    """The class of a building behind its price multiplies nothing."""
    rows = [["Property", "City", "Price", "Class"]]
    rows += [[*name, price, said] for name, price, said in zip(NAMES, PRICES, classes, strict=True)]
    assert values(read(rows), "price") == PRICES
    assert values(read([["Property", "City", "Price", None], *rows[1:]]), "price") == PRICES


def test_a_sign_beside_a_dash_or_a_word_for_nothing_is_still_a_sign() -> None:
    """Three of four prices are not told; the fourth is in dollars."""
    rows = [["Property", "City", None, "Price"], [*NAMES[0], "$", "12,500,000"], [*NAMES[1], "$", "-"]]
    extraction = read([*rows, [*NAMES[2], "$", "TBD"], [*NAMES[3], None, None]])
    assert currencies(extraction)[0] == "USD"
    assert [c.place for c in extraction.tables[0].columns] == ["A", "B", "D"]


def test_cur_over_codes_is_the_currency_of_the_record() -> None:
    """Though it is short for current over anything else."""
    rows = [["Property", "City", "Price", "Cur."]]
    rows += [
        [*name, price, code] for name, price, code in zip(NAMES, PRICES, ["EUR", "GBP", "EUR", "USD"], strict=True)
    ]
    assert currencies(read(rows)) == ["EUR", "GBP", "EUR", "USD"]


def test_what_somebody_says_about_a_column_of_signs_outranks_its_place() -> None:
    """A column that was given a field, or none, stays one."""
    overrides = Overrides(fields={("t1", "C"): None})
    extraction = read(listing(["€"] * 4, (None, "Price")), overrides=overrides)
    assert [c.place for c in extraction.tables[0].columns] == ["A", "B", "C", "D", "E"]
