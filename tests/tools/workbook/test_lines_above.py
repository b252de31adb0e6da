"""Lines that stand right over a header and name none of its columns: key figures, days, clients, sums."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.tools.workbook.books import HEADER, deals, layout

DAY = dt.date(2024, 1, 1)
FIGURES = [["Total Volume", 14_850_000], ["Avg Cap", 0.063], ["Comps", 3]]


@pytest.mark.parametrize("blank", [[], [[]]])
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([["Total Volume", "Avg Cap", "Comps"], [14_850_000, 0.063, 3]], id="figures in a row"),
        pytest.param([["Sales"], ["Total Volume", "Avg Cap", "Comps"], [14_850_000, 0.063, 3]], id="titled figures"),
        pytest.param(FIGURES, id="figures one under the other"),
        pytest.param(FIGURES[-1:], id="one figure"),
        pytest.param([[None, None, *line] for line in FIGURES], id="figures at the right"),
        pytest.param([["Client: Kite Capital", None, "Date:", DAY], ["Analyst: K", None, "Rev:", 2]], id="client"),
        pytest.param([["Client:", "Kite", "Market:", "Reno"], ["Sector:", "Retail", "Phase:", "A"]], id="words"),
        pytest.param([["Rent Roll", None, DAY]], id="a day beside the title"),
        pytest.param([["Rent Roll", None, "As of:", DAY]], id="a day with its label"),
        pytest.param([["Rent Roll", None, "As of 1/1/2024"]], id="a day in words"),
        pytest.param([["Heron Point"], ["Rent Roll", None, None, DAY]], id="a title over the day"),
        pytest.param([[None, None, None, DAY]], id="a day alone"),
        pytest.param([[None, None, 14_850_000, 0.063]], id="sums without a label"),
    ],
)
def test_lines_with_values_over_a_header_that_names_all_columns_are_no_part_of_it(
    lines: list[list[Any]], blank: list[list[Any]]
) -> None:
    """The columns keep their own names, and all records stay."""
    for records in (deals(2), deals(8)):
        found = layout([*lines, *blank, HEADER, *records]).tables[-1]
        assert found.header_rows == (len(lines) + len(blank) + 1,)
        assert found.headers == HEADER
        assert len(found.record_rows) == len(records)


@pytest.mark.parametrize(
    "over",
    [
        pytest.param([None, None, "Pricing", "Pricing"], id="a group of columns"),
        pytest.param([None, None, "($000s)", "(%)"], id="units"),
        pytest.param([1, 2, 3, 4], id="numbers of columns"),
    ],
)
def test_what_names_columns_over_a_header_stays_header(over: list[Any]) -> None:
    """Groups, units and numbers of columns speak of what stands below them."""
    assert layout([over, HEADER, *deals(4)]).tables[0].header_rows == (1, 2)


def test_days_over_names_that_come_again_tell_them_apart() -> None:
    """Rent by day: without it two columns have one name."""
    rows = [[None, None, DAY, dt.date(2025, 1, 1)], ["Deal", "City", "Rent", "Rent"], *deals(4)]
    assert layout(rows).tables[0].header_rows == (1, 2)
