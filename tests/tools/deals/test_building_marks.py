"""Columns of building numbers, letters and ranges: another column names the deals where one does."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import read, values

NAMES = ["Alder Creek", "Alder Creek", "Alder Creek", "Dunmore Crossing"]
STREETS = ["4100 Quarry Bend Road", "880 Oxbow Lane", "2215 Lantern Hill", "1507 Split Rail Drive"]
PRICES = [56_100_000, 41_050_000, 27_350_000, 20_150_000]
MARKS = (["1–4", "A", "3", "B-2"], ["Bldg 1-4", "Building A", "Bldg. 7", "Building 12"], [1, 2, 3, "4 & 5"])


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("header", ["Name", "Site", "Campus", "Park", "Property", "Asset"])
def test_a_property_is_called_by_its_name_and_not_by_its_buildings(marks: list[object], header: str) -> None:
    """However often the name stands there, as it does for each building of a park."""
    rows = [[mark, name, "Reno", price, price / 200] for mark, name, price in zip(marks, NAMES, PRICES, strict=True)]
    extraction = read([["Building", header, "City", "Asking Price", "SF"], *rows])
    assert values(extraction, "deal_name") == NAMES


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("header", ["Address", "Location"])
def test_where_no_column_gives_names_addresses_stand_for_the_deals(marks: list[object], header: str) -> None:
    """The marks of buildings stay in no field."""
    rows = [[mark, street, price, price / 200] for mark, street, price in zip(marks, STREETS, PRICES, strict=True)]
    extraction = read([["Building", header, "Asking Price", "SF"], *rows])
    assert values(extraction, "address") == STREETS
    assert extraction.tables[0].column_of("deal_name") is None


def test_buildings_with_names_are_called_by_them() -> None:
    """The column is no list of marks."""
    named = ["Alder Hall", "Bellwether Commons", "Cobalt 3", "Dunmore Crossing"]
    rows = [[name, street, price] for name, street, price in zip(named, STREETS, PRICES, strict=True)]
    assert values(read([["Building", "Address", "Asking Price"], *rows]), "deal_name") == named


def test_marks_alone_name_the_buildings_of_one_address() -> None:
    """Where addresses repeat, the marks are what tells the deals apart."""
    rows = [[mark, STREETS[0], price, 9_000] for mark, price in zip(MARKS[1], PRICES, strict=True)]
    extraction = read([["Building", "Address", "Asking Price", "SF"], *rows])
    assert values(extraction, "deal_name") == MARKS[1]
