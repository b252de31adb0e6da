"""How much of each header is read: all of an honest one, less where thousands stand side by side."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import read
from tools.deals.header_text import letters_read


def test_headers_are_read_as_far_as_ever_in_any_table_of_deals() -> None:
    """Up to 500 columns; in wider tables all headers together are held to what those have."""
    assert letters_read(0) == letters_read(1) == letters_read(500) == 200
    assert letters_read(2000) == 50
    assert letters_read(16_384) >= 16


@pytest.mark.parametrize(("columns", "deals"), [(40, 3), (41, 0)])
def test_a_table_of_more_columns_than_any_list_gives_no_deals_and_says_so(
    columns: int, deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no list of deals, and would take a reader's time."""
    monkeypatch.setattr("tools.deals.reading._MOST_COLUMNS", 40)
    header = ["Property", "City", "Sale Price", *(f"Metric {n}" for n in range(columns - 3))]
    rows = [[f"Maple Court {n}", "Austin", 1_000_000 + n, *range(columns - 3)] for n in range(3)]
    extraction = read([header, *rows])
    assert extraction.deal_count == deals
    said = [issue.message for issue in extraction.issues if issue.code == "table.no_deals"]
    assert ("more than 40 columns" in "".join(said)) == (not deals)
