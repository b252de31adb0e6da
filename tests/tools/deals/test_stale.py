"""Totals whose stored value is not what their formula gives: told with what is stored and what it should be."""

from __future__ import annotations

import io
from typing import Any

import pytest
import xlsxwriter

from schemas.deal import Issue
from tools.deals.extract import extract

DEALS = [
    ("Elm Court", 1_200_000, 0.05),
    ("Oak House", 2_400_000, 0.06),
    ("Ash Plaza", 900_000, 0.07),
    ("Fir Tower", 3_100_000, 0.055),
]


def stale(price: str, price_stored: float, rate: str = "", rate_stored: float = 0.0) -> list[Issue]:
    """The issues of a list whose total row has the formulas with the stored values."""
    stream = io.BytesIO()
    book: Any = xlsxwriter.Workbook(stream)
    sheet = book.add_worksheet("Deals")
    for row, line in enumerate([("Property", "Purchase Price", "Cap Rate"), *DEALS]):
        sheet.write_row(row, 0, line)
    sheet.write(5, 0, "Total")
    sheet.write_formula(5, 1, f"={price}", None, price_stored)
    if rate:
        sheet.write_formula(5, 2, f"={rate}", None, rate_stored)
    book.close()
    return [issue for issue in extract(stream.getvalue(), "deals.xlsx").issues if issue.code == "formula.stale"]


@pytest.mark.parametrize("formula", ["B2+B3+B4+B5", "SUMPRODUCT(B2:B5)", 'SUMIF(B2:B5,">0")', "ROUND(SUM(B2:B4)+B5,0)"])
def test_a_total_of_any_plain_formula_is_worked_out_again(formula: str) -> None:
    """One deal was changed after the last calculation: the cell, what it says and what it should say."""
    (issue,) = stale(formula, 7_500_000.0)
    assert (issue.cells, issue.expected, issue.found) == (("Deals!B6",), "7600000", "7500000")
    assert issue.message == (
        "The total of price says 7,500,000; its formula gives 7,600,000 with the cells as they are now."
    )


def test_a_weighted_mean_beside_a_sound_total_is_found_alone() -> None:
    """Ratios in a total's row are worked out as well; a right total is no issue."""
    rate = "SUMPRODUCT(B2:B5,C2:C5)/SUM(B2:B5)"
    (issue,) = stale("SUM(B2:B5)", 7_600_000.0, rate, 0.061)
    assert issue.cells == ("Deals!C6",)
    assert float(issue.expected or 0) == pytest.approx((60_000 + 144_000 + 63_000 + 170_500) / 7_600_000)


@pytest.mark.parametrize(
    ("formula", "stored"),
    [
        ("SUM(B2:B5)", 7_600_000.0),
        ("SUM(B2:B5)", 7_600_000.0000001),
        ("SUM(B2:B5)+NOW()", 1.0),
        ("OFFSET(B1,1,0)", 5.0),
    ],
)
def test_sound_totals_and_formulas_that_are_not_plain_are_no_issue(formula: str, stored: float) -> None:
    """Nothing is said of what can't be worked out."""
    assert stale(formula, stored) == []


def test_a_stale_sum_of_the_records_is_told_once() -> None:
    """The comparison with the records tells of it already."""
    assert stale("SUM(B2:B5)", 7_500_000.0) == []
