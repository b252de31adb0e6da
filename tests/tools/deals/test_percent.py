"""Percentages: 5.5 or 0.055, by format, header and what is plausible."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import deal, issues, listed, read, values
from tools.deals.percent import shows_percent


@pytest.mark.parametrize(
    ("held", "header", "shown"),
    [
        (0.055, "Cap Rate", "0.0%"),
        (0.055, "Cap Rate", ""),
        ("5.5%", "Cap Rate", ""),
        ("5 1/2%", "Cap Rate", ""),
        (5.5, "Cap Rate (%)", ""),
        (5.5, "Cap %", ""),
        (5.5, "Cap Rate", '0.0"%"'),
        ("550 bps", "Cap Rate", ""),
    ],
)
def test_each_way_to_write_five_and_a_half_percent_is_a_fraction(held: object, header: str, shown: str) -> None:
    """Formats, signs, headers and basis points come to 0.055."""
    assert values(listed([held, held], header, shown), "cap_rate") == [0.055, 0.055]


def test_a_painted_percent_sign_does_not_multiply() -> None:
    """A quoted or escaped % in a number format is text."""
    assert shows_percent("0.0%")
    assert not shows_percent('0.0"%"')
    assert not shows_percent(r"0.0\%")


def test_a_mix_in_one_column_is_resolved_value_by_value_and_reported() -> None:
    """The odd one out is read by what is plausible, and named."""
    extraction = listed([6.1, 5.5, 0.065, 7.25], "Cap Rate")
    assert values(extraction, "cap_rate") == [0.061, 0.055, 0.065, 0.0725]
    mixed = issues(extraction, "percent.mixed")
    assert [issue.cells for issue in mixed] == [("Deals!E4",)]
    assert any("percent.mixed" in warning for warning in deal(extraction, 2).warnings)


def test_a_fraction_and_percents_in_an_occupancy_column_are_both_right() -> None:
    """95 and 0.97 stand side by side in real lists."""
    assert values(listed([95, 88, 0.97, 100], "Occupancy"), "occupancy") == [0.95, 0.88, 0.97, 1.0]


def test_a_value_that_fits_both_ways_is_left_open() -> None:
    """In a column of 10, 50 and 90 a lone 1 may be one per cent or certain."""
    extraction = listed([10, 50, 90, 1], "Probability")
    assert values(extraction, "probability") == [0.1, 0.5, 0.9, None]
    assert issues(extraction, "percent.ambiguous")[0].cells == ("Deals!E5",)


def test_a_percent_format_over_five_is_named_a_hundredfold_slip() -> None:
    """The cell shows 550.0%: the value stays as stored, the slip and what would fit are said."""
    extraction = listed([5.5, 0.06], "Cap Rate", "0.0%")
    assert values(extraction, "cap_rate") == [5.5, 0.06]
    slip = issues(extraction, "slip.hundredfold")[0]
    assert (slip.cells, slip.expected) == (("Deals!E2",), "0.055")


def test_zero_stays_zero() -> None:
    """An empty building is 0, not missing, and no style of percentages."""
    assert values(listed([0, 95, 90], "Occupancy"), "occupancy") == [0, 0.95, 0.9]


def test_formats_decide_cell_by_cell() -> None:
    """A percent format on one cell and none on the next."""
    rows = [["Property Name", "City", "Units", "Cap Rate"], ["A", "Reno", 3, 0.055], ["B", "Reno", 4, 6.5]]
    assert values(read(rows, {"D2": "0.00%"}), "cap_rate") == [0.055, 0.065]


@pytest.mark.parametrize(
    ("rates", "fractions", "code"),
    [
        ([0.055, 0.0625, 0.06, 0.0575, 0.05, 6], [0.055, 0.0625, 0.06, 0.0575, 0.05, 0.06], "percent.mixed"),
        ([0.055, 0.06, 0.5], [0.055, 0.06, 0.5], "slip.hundredfold"),
        ([0.055, 0.06, 0.12, 0.3], [0.055, 0.06, 0.12, 0.3], "slip.hundredfold"),
        ([5.5, 6.25, 7], [0.055, 0.0625, 0.07], None),
    ],
)
def test_one_stray_rate_does_not_move_the_others(rates: list[float], fractions: list[float], code: str | None) -> None:
    """What most of the column plainly is stays so, and the one that differs is told."""
    rows = [[f"L-{at}", f"Elm {at}", 1_000_000 + 13_000 * at, rate] for at, rate in enumerate(rates)]
    extraction = read([["Loan ID", "Property", "Loan Amount", "Interest Rate"], *rows])
    assert values(extraction, "interest_rate") == fractions
    assert [issue.code for issue in extraction.issues if issue.code.startswith(("percent", "slip"))] == (
        [code] if code else []
    )
