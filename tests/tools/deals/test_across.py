"""Tables with a property a column: columns of units and of totals beside them are no properties."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest

from tests.tools.deals.books import Rows, issues, read, values

NAMES, CITIES = ["Heron Point", "Cedar Hollow", "Union Yard"], ["Tampa", "Macon", "Mobile"]
ROWS: Rows = (
    ["Property", *NAMES],
    ["City", *CITIES],
    ["Square Feet", 10_000, 20_000, 30_000],
    ["Purchase Price", 1_000, 2_000, 3_300],
    ["Cap Rate", 6.0, 6.5, 6.1],
    ["NOI", 60, 130, 201],
)
MEANS = ["Average", None, 20_000, 2_100, 6.2, 130.3]
UNITS = [None, None, "SF", "$000", "%", "$000"]


def with_column(at: int, cells: Sequence[object]) -> list[list[object]]:
    """The rows with another column before the one at `at`."""
    return [[*row[:at], cell, *row[at:]] for row, cell in zip(ROWS, cells, strict=True)]


def test_a_column_of_units_speaks_of_its_rows() -> None:
    """Thousands become dollars, percents fractions; the column is no deal."""
    extraction = read(with_column(1, UNITS))
    assert values(extraction, "deal_name") == NAMES
    assert values(extraction, "price") == [1_000_000, 2_000_000, 3_300_000]
    assert values(extraction, "cap_rate") == [0.06, 0.065, 0.061]


@pytest.mark.parametrize("name", ["Total", "Total / Avg.", "Portfolio", None])
def test_a_column_of_totals_is_no_deal_and_is_told(name: str | None) -> None:
    """By its name, or by its sums where its name says nothing."""
    extraction = read(with_column(4, [name, None, 60_000, 6_300, 6.2, 391]))
    assert values(extraction, "deal_name") == NAMES
    assert issues(extraction, "total.column")[0].cells == ("Deals!E1",)


@pytest.mark.parametrize("name", ["Total", "Total/Avg", "Portfolio"])
def test_a_column_of_totals_before_the_properties_is_no_deal_and_is_told(name: str) -> None:
    """With its averages, and with those at the other end."""
    extraction = read(with_column(1, [name, None, 60_000, 6_300, 6.2, 391]))
    assert values(extraction, "deal_name") == NAMES
    assert issues(extraction, "total.column")[0].cells == ("Deals!B1",)
    both = [
        [*row, mean] for row, mean in zip(with_column(1, ["Total", None, 60_000, 6_300, None, 391]), MEANS, strict=True)
    ]
    assert values(read(both), "deal_name") == NAMES


@pytest.mark.parametrize("name", ["Prairie Hub", "Total Wine Plaza"])
def test_a_first_property_that_is_no_sum_stays(name: str) -> None:
    """Nothing is left out where nothing is a total."""
    extraction = read(with_column(1, [name, "Joliet", 61_000, 5_000, 6.2, 310]))
    assert values(extraction, "deal_name") == [name, *NAMES]


def test_totals_and_averages_beside_units_are_left_out_together() -> None:
    """Units on the left, a total and an average on the right."""
    rows = [[*row, total, None] for row, total in zip(with_column(1, UNITS), ["Total", *[None] * 5], strict=True)]
    rows[0][-1], rows[3][-1] = "Average", 2_100
    assert values(read(rows), "deal_name") == NAMES


@pytest.mark.parametrize("name", ["Prairie Hub", "Total Wine Plaza"])
def test_a_last_property_that_is_no_sum_stays(name: str) -> None:
    """Nothing is left out where nothing is a total."""
    extraction = read(with_column(4, [name, "Joliet", 61_000, 5_000, 6.2, 310]))
    assert values(extraction, "deal_name") == [*NAMES, name]
    assert not issues(extraction, "total.column")


def test_a_row_of_numbers_over_the_names_and_a_total_are_no_deals() -> None:
    """The names stand in the second row; the total has none."""
    rows = [["Metric", "Deal 1", "Deal 2", "Deal 3", "Total"]]
    rows += [[*row, total] for row, total in zip(ROWS, ["", "", 60_000, 6_300, None, 391], strict=True)]
    extraction = read(rows)
    assert values(extraction, "deal_name") == NAMES
    assert issues(extraction, "total.column")[0].cells == ("Deals!E1",)


def test_a_column_of_units_with_its_own_name_is_no_deal() -> None:
    """Its name is no unit of the deals' names."""
    extraction = read(with_column(1, ["Unit", *UNITS[1:]]))
    assert values(extraction, "deal_name") == NAMES
    assert values(extraction, "price") == [1_000_000, 2_000_000, 3_300_000]


def test_a_property_with_a_name_and_a_city_is_no_total_of_the_others() -> None:
    """That its figures happen to be their sums makes it none."""
    extraction = read(with_column(4, ["Prairie Hub", "Joliet", 60_000, 6_300, 6.2, 391]))
    assert values(extraction, "deal_name") == [*NAMES, "Prairie Hub"]


LABELLED: Rows = (
    ["City", "Reno", "Reno", "Elko"],
    ["Sale Price", 5e6, 6e6, 7e6],
    ["Cap Rate", 0.05, 0.06, 0.055],
    ["Units", 10, 20, 30],
)


@pytest.mark.parametrize("corner", [None, "Metric", "Item", "Key Metrics", "Attribute", "Description"])
def test_names_over_the_columns_are_the_deals_names_whatever_stands_in_the_corner(corner: str | None) -> None:
    """Told in an issue of no weight, as no label says so."""
    extraction = read([[corner, *NAMES], *LABELLED])
    assert values(extraction, "deal_name") == NAMES
    assert values(extraction, "sale_price") == [5e6, 6e6, 7e6]
    (said,) = issues(extraction, "name.top")
    assert (said.severity, said.cells) == ("info", ("Deals!B1",))


@pytest.mark.parametrize(
    "more",
    [
        [
            ["Address", "1 Dock St", "2 Mill St", "3 Rail St"],
            ["Year Built", 1990, 2000, 2010],
            ["Buyer", "A", "B", "C"],
        ],
        [["State", "NV", "NV", "NV"], ["NOI", 250_000, 360_000, 385_000]],
        [
            ["Sale Date", dt.date(2024, 1, 1), dt.date(2024, 2, 1), dt.date(2024, 3, 1)],
            ["Buyer", "A Co", "B Co", "C Co"],
        ],
    ],
)
def test_names_over_the_columns_are_read_where_more_rows_say_that_records_run_across(more: Rows) -> None:
    """The row that looks like a header holds them, and lines of sections may part it from the fields."""
    for rows in ([[None, *NAMES], *LABELLED, *more], [["Sales"], [], [None, *NAMES], ["Place"], *LABELLED, *more]):
        assert values(read(rows), "deal_name") == NAMES


def test_names_that_begin_like_months_are_names() -> None:
    """Augusta is no August."""
    assert values(read([[None, "Augusta", "Decatur", "Mayfair"], *LABELLED]), "deal_name")[0] == "Augusta"


@pytest.mark.parametrize("more", [[], [["Buyer", "A", "B", "C", None], ["Built", 1990, 2000, 2010, None]]])
def test_an_average_beside_names_without_a_label_is_no_deal(more: Rows) -> None:
    """It is left out and told."""
    means = ["Average", None, 6e6, 0.055, 20]
    rows = [[*row, mean] for row, mean in zip([[None, *NAMES], *LABELLED], means, strict=True)]
    extraction = read([*rows, *more])
    assert values(extraction, "deal_name") == NAMES
    assert issues(extraction, "total.column")


@pytest.mark.parametrize(
    "over",
    [
        ["2022", "2023", "2024"],
        ["Low", "Average", "High"],
        ["Base", "Upside", "Downside"],
        ["Actual", "Budget", "Variance"],
        ["T-12", "Pro Forma", "Year 1"],
        ["TBD", "N/A", "Pending"],
    ],
)
def test_times_statistics_and_cases_over_columns_are_no_deals(over: list[str]) -> None:
    """What stands below them would be deals under names."""
    assert read([[None, *over], *LABELLED]).deal_count == 0


@pytest.mark.parametrize(
    "rows",
    [
        [["Purchase Price", 5e6, 5e6, 5e6], ["Cap Rate", 0.05, 0.06, 0.07], ["Units", 9, 9, 9], ["NOI", 1e5, 2e5, 3e5]],
        [["Units", 10, 20, 30], ["SF", 700, 900, 1100], ["Rent", 1000, 1200, 1400], ["Occupancy", 0.9, 0.95, 0.97]],
        [["Loan Amount", 5e6, 6e6, 7e6], ["Rate", 0.05, 0.06, 0.07], ["LTV", 0.6, 0.65, 0.7], ["DSCR", 1.2, 1.3, 1.4]],
    ],
)
def test_columns_that_differ_in_nothing_that_deals_do_are_none(rows: Rows) -> None:
    """Offers for one property, kinds of its units, quotes of lenders."""
    assert read([[None, "First", "Second", "Third"], *rows]).deal_count == 0


def test_numbers_of_comparables_are_no_names_where_addresses_are() -> None:
    """The address names each; the number stays out of the way."""
    addresses = ["1 Dock St", "2 Mill St", "3 Rail St"]
    extraction = read([[None, "Comp 1", "Comp 2", "Comp 3"], ["Address", *addresses], *LABELLED])
    assert values(extraction, "address") == addresses
    assert not issues(extraction, "name.top")


def test_a_short_list_whose_first_deals_hold_amounts_in_words_has_a_record_a_row() -> None:
    """Words and numbers agree along its rows, not down its columns; its header tells which way it runs."""
    words = [["Ash", "$1.2MM", "Negotiable"], ["Oak", "POA", "$1.2MM"]]
    numbers = [["Cedar", 530_692, 3_531_996], ["Maple", 441_027, 7_662_330], ["Elm", 383_858, 5_912_941]]
    extraction = read([["Property", "NOI", "Asking Price"], ["Listed"], *words, ["Quiet"], *numbers])
    assert values(extraction, "deal_name") == ["Ash", "Oak", "Cedar", "Maple", "Elm"]
    assert values(extraction, "noi") == [1_200_000, None, 530_692, 441_027, 383_858]
    assert [deal.section for deal in extraction.deals()] == ["Listed", "Listed", "Quiet", "Quiet", "Quiet"]
