"""Rows and cells that say that there is nothing yet."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import DEALS, HEADER, issues, read, values

NAMES = [row[0] for row in DEALS]


@pytest.mark.parametrize("word", ["N/A", "TBD", "n.a.", "None"])
@pytest.mark.parametrize("at", [2, 4])
def test_a_row_that_says_nothing_in_every_cell_is_no_deal_and_is_told(word: str, at: int) -> None:
    """The deals around it are read; the row is named."""
    rows = [*DEALS[:at], [word] * len(HEADER), *DEALS[at:]]
    extraction = read([HEADER, *rows])
    assert values(extraction, "deal_name") == NAMES
    assert f"Deals!A{at + 2}" in [cell for issue in issues(extraction, "value.placeholder") for cell in issue.cells]


def test_a_place_that_is_not_known_yet_is_missing() -> None:
    """A deal with a price has none of the cities called N/A."""
    rows = [*DEALS[:3], ["Prairie Hub", "TBD", "N/A", *DEALS[3][3:]]]
    extraction = read([HEADER, *rows])
    assert values(extraction, "city") == ["Tampa", "Macon", "Mobile", None]
    assert values(extraction, "address")[3] is None
    told = {cell for issue in issues(extraction, "value.placeholder") for cell in issue.cells}
    assert {"Deals!B5", "Deals!C5"} <= told


def test_a_deal_without_a_name_yet_stays_a_deal() -> None:
    """Its other cells tell of it."""
    extraction = read([HEADER, *DEALS[:3], ["TBD", *DEALS[3][1:]]])
    assert values(extraction, "deal_name") == [*NAMES[:3], None]
