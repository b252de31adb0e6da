"""Cells merged over several deals: the value is the first one's, and whoever reads the others is told."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from schemas.deal import Extraction
from tests.tools.deals.books import DEALS, HEADER, issues, values
from tools.deals.extract import extract


def merged(*ranges: str) -> Extraction:
    """The extraction of a list of deals with cells merged, those under the first emptied as programs do."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (HEADER, *DEALS):
        sheet.append(list(row))
    for one in ranges:
        sheet.merge_cells(one)
    packed = io.BytesIO()
    book.save(packed)
    return extract(packed.getvalue(), "deals.xlsx")


def test_an_amount_merged_over_two_deals_is_told_and_marks_both() -> None:
    """It may be the price of both together."""
    extraction = merged("E3:E4")
    (said,) = issues(extraction, "value.merged")
    assert said.cells == ("Sheet!E3",)
    assert "over rows 3 to 4" in said.message
    table = extraction.tables[0]
    name = table.columns[4].field
    assert name is not None
    assert values(extraction, name)[2] is None
    assert [any(mark.startswith("value.merged") for mark in table.warnings.get(at, ())) for at in range(4)] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("ranges", [(), ("E1:F1",), ("B3:C3",), ("A6:A9",)])
def test_other_merges_are_not(ranges: tuple[str, ...]) -> None:
    """Those of headers, across, and below the table."""
    assert not issues(merged(*ranges), "value.merged")
