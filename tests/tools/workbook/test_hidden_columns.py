"""Columns that a sheet hides, told in stretches that may overlap."""

from __future__ import annotations

import random

from tools.workbook.grid import LAST_COLUMN
from tools.workbook.scan import SheetScan


def test_stretches_of_hidden_columns_hide_each_of_theirs() -> None:
    """However they overlap; what no sheet has is hidden nowhere."""
    dice, scan, columns = random.Random(5), SheetScan(), set[int]()
    for _ in range(200):
        first = dice.randrange(LAST_COLUMN + 9)
        last = first + dice.randrange(-2, 300)
        scan.hide_span(first, last)
        columns.update(range(first, min(last, LAST_COLUMN) + 1))
        assert scan.hidden_columns == columns
    scan.hide_columns("0", "3")
    assert {0, 1, 2} <= scan.hidden_columns
