"""Tables with a property a column: columns of units and of totals beside them are no properties."""

from __future__ import annotations

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
