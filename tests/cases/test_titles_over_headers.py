"""Titles, dates and notes over the header, and words of a header in them: the header is found all the same."""

from __future__ import annotations

import io

import pytest
from openpyxl import load_workbook

from tests.tools.deals.books import DEALS, HEADER, extract, read, values, xlsx

NAMES = [str(row[0]) for row in DEALS]
TITLES: dict[str, list[list[object]]] = {
    "three lines and a blank": [["Property Sales Report"], ["As of 30 June 2025"], ["Source: public records"], []],
    "three lines and no blank": [["Property Sales Report"], ["As of 30 June 2025"], ["Source: public records"]],
    "a title that names fields": [["Property Name, Address, City and State of all deals"], [], []],
    "a title that is a header's word": [["Property"], [], []],
    "a long note": [
        ["The information herein was taken from sources deemed reliable, but it is not guaranteed. " * 3],
        [],
    ],
    "labels with values": [["Prepared by:", "Research"], ["As of:", "2025-06-30"], ["Fund:", "III"], []],
    "a title in the middle": [[None, None, None, "Portfolio Overview"], []],
    "a title and a note far right": [["Rolling Sales", None, None, None, None, None, None, "Summer 2025"], []],
    "twelve lines": [*([f"Line {i} of the preface"] for i in range(11)), []],
    "blank rows first": [[], [], [], ["Deals"], []],
}


@pytest.mark.parametrize("titles", TITLES)
def test_what_stands_over_the_header_is_no_header_and_no_record(titles: str) -> None:
    """One table, the header in its row, and all four deals."""
    above = TITLES[titles]
    extraction = read([*above, HEADER, *DEALS])
    assert len(extraction.tables) == 1
    assert extraction.tables[0].header_rows == (len(above) + 1,)
    assert values(extraction, "deal_name") == NAMES
    assert values(extraction, "asking_price") == [10_000_000, 4_000_000, 6_000_000, 8_000_000]


@pytest.mark.parametrize("span", ["A1:I1", "A1:D1", "A1:I3"])
def test_a_merged_title_is_a_title(span: str) -> None:
    """Whether it spans the table, a part of it, or several rows."""
    book = load_workbook(io.BytesIO(xlsx({"Deals": [["Property Portfolio"], [], [], [], HEADER, *DEALS]})))
    book["Deals"].merge_cells(span)
    packed = io.BytesIO()
    book.save(packed)
    extraction = extract(packed.getvalue(), "deals.xlsx")
    assert extraction.tables[0].header_rows == (5,)
    assert values(extraction, "deal_name") == NAMES


@pytest.mark.parametrize("corner", [(0, 0), (3, 2), (10, 5)])
def test_a_table_that_starts_anywhere_is_found(corner: tuple[int, int]) -> None:
    """Blank rows and columns before it change nothing but the addresses."""
    down, across = corner
    rows = [*([[]] * down), *([[None] * across + list(row) for row in (HEADER, *DEALS)])]
    extraction = read(rows)
    assert extraction.tables[0].header_rows == (down + 1,)
    assert values(extraction, "deal_name") == NAMES


def test_a_header_that_stands_twice_is_a_header_twice() -> None:
    """A page break in a long print repeats it."""
    extraction = read([["Property Report"], [], HEADER, *DEALS[:2], [], HEADER, *DEALS[2:]])
    assert len(extraction.tables) == 1
    assert values(extraction, "deal_name") == NAMES
