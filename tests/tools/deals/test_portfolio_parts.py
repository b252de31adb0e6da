"""Portfolios with their properties below them."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import issues, read, values

HEADER = ["Property", "City", "Units", "Price", "Cap Rate", "NOI"]
PARTS = [
    ["Palm Villas", "Mesa", 200, 30_000_000, 0.055, 1_650_000],
    ["Cactus Run", "Tempe", 180, 27_000_000, 0.055, 1_485_000],
    ["Desert Sky", "Chandler", 120, 18_000_000, 0.055, 990_000],
]
OTHERS = [
    ["Oak Terrace", "Dallas", 150, 20_000_000, 0.060, 1_200_000],
    ["Elm Terrace", "Austin", 100, 15_000_000, 0.060, 900_000],
]


@pytest.mark.parametrize("name", ["Sunbelt Portfolio", "Sunbelt (2 properties)", "Sunbelt"])
def test_properties_that_add_up_to_the_portfolio_above_them_are_told(name: str) -> None:
    """All are read, and the rows that count twice are named."""
    rows = [[name, None, 500, 75_000_000, 0.055, 4_125_000], *PARTS, *OTHERS]
    extraction = read([HEADER, *rows])
    assert values(extraction, "units") == [500, 200, 180, 120, 150, 100]
    assert [issue.cells for issue in issues(extraction, "record.parts")] == [("Deals!C3", "Deals!C4", "Deals!C5")]


@pytest.mark.parametrize(
    "whole",
    [
        ["Sunbelt Court", "Yuma", 500, 75_000_000, 0.055, 4_125_000],
        ["Sunbelt Portfolio", None, 380, 61_000_000, 0.035, 2_150_000],
    ],
)
def test_deals_that_add_up_by_chance_are_no_parts(whole: list[object]) -> None:
    """A deal with a city of its own; or one column alone that agrees."""
    assert not issues(read([HEADER, whole, *PARTS, *OTHERS]), "record.parts")
