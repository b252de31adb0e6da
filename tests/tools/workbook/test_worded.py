"""Deals of which only ranges, bounds and words are known, under a section: they are no header of another table."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.workbook.books import layout
from tools.workbook.worded import is_value

HEAD = ["Deal", "Stage", "Price ($M)", "Prob.", "Close", "Source"]
BLUE = ["Project Blue", "LOI", 12.5, 0.75, dt.date(2024, 9, 30), "Kite"]
PINK = ["Project Pink", "Screen", 5.25, 0.2, dt.date(2024, 12, 1), "Off market"]
RANGES = ["Project Gold", "Screen", "8-10", "10-25%", "TBD", "Lark"]
BOUNDS = ["Project Red", "Screen", "Up to $5M", "50%+", "TBD", "Lark"]
WORDS = ["Project Sage", "Screen", "Unpriced", "Low", "TBD", "Wren"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([BLUE], [RANGES, PINK]),
        ([BLUE], [RANGES, BOUNDS, PINK]),
        ([BLUE], [WORDS, PINK]),
        ([RANGES], [BLUE, PINK]),
        ([RANGES, BOUNDS], [BLUE, PINK]),
        ([WORDS], [BOUNDS, PINK]),
    ],
)
def test_deals_of_words_that_come_first_in_a_section_go_on_with_the_table(
    first: list[list[object]], second: list[list[object]]
) -> None:
    """One table under its header, each deal in its section."""
    (table,) = layout([["Deal Pipeline"], HEAD, ["Under LOI"], *first, ["Screening"], *second]).tables
    assert table.header_rows == (2,)
    assert table.sections == ["Under LOI"] * len(first) + ["Screening"] * len(second)


def test_a_narrow_list_with_a_deal_of_ranges_is_one_table() -> None:
    """Nothing but ranges under the labels of numbers tells."""
    rows = [["Deal", "Price ($M)", "Cap"], ["LOI"], ["Blue", 12.5, 0.06], ["Lead"], ["Gold", "8-10", "5-6%"]]
    (table,) = layout([*rows, ["Pink", 5, 0.05]]).tables
    assert table.record_rows == [3, 5, 6]


@pytest.mark.parametrize(
    "first",
    [
        ["Elm", "Call for offers", "12,000 SF", "Q4 2024"],
        ["Elm", "Confidential", "+/- 5,000 SF", "MTM"],
        ["Elm", "POA", "12K", "Mid 2025"],
        ["Elm", "TBD by June", 9_000, "2024"],
    ],
)
def test_words_for_no_value_measures_and_loose_dates_after_a_section_are_a_deal(first: list[object]) -> None:
    """All under a header that names their columns, over rows of numbers and days."""
    rest = [["Oak", 2_500_000, 11_750, dt.date(2024, 6, 1)], ["Ash", 3_100_000, 14_020, dt.date(2025, 2, 1)]]
    (table,) = layout([["Property", "Ask", "Area", "Closing"], ["Retail"], first, ["Office"], *rest]).tables
    assert (table.header_rows, table.record_rows) == ((1,), [3, 5, 6])


@pytest.mark.parametrize(
    "header",
    [["Property", "City", "Sale Price", "Rate"], ["Tenant", "Code", "0-30", "31-60"], ["Fund", "Code", "2023", "2024"]],
)
def test_a_header_of_labels_under_a_lone_line_starts_a_table(header: list[object]) -> None:
    """Names, spans that go on from one another, and years."""
    rows = [["Deal", "Stage", "Price", "Prob."], ["Blue", "LOI", 12.5, 0.5], ["Red", "Lead", 2.5, 0.25], ["Others"]]
    found = layout([*rows, header, ["A", "x1", 5.5, 5], ["B", "x2", 6.5, 6.1], ["C", "x3", 7.5, 5.3]])
    assert [table.header_rows for table in found.tables] == [(1,), (5,)]


def test_a_second_header_row_of_words_stays_one() -> None:
    """A lone title above it makes it no record."""
    rows = [
        ["Deal", "City", "Price", "Rate"],
        ["($M)"],
        ["Name", "Town", "Ask", "Going in"],
        ["Blue", "Reno", 12.5, 0.5],
    ]
    assert layout([*rows, ["Red", "Elko", 3.5, 0.25]]).tables[0].header_rows[-1] == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8-10", True),
        ("$1.2-1.4M", True),
        ("5.5% to 6%", True),
        ("Up to $2M", True),
        ("<6%", True),
        ("12,000 SF+", True),
        ("12,000 SF", True),
        ("12K", True),
        ("+/- 5,000 SF", True),
        ("$25.00/SF NNN", True),
        ("$000s", False),
        ("2019-2020", False),
        ("1-5 years", False),
        ("Q1-Q2", False),
        ("Price 1", False),
        ("9" * 5000, False),
    ],
)
def test_ranges_bounds_and_amounts_are_values(text: str, said: bool) -> None:
    """Spans of years or of time, names and endless digits are none."""
    assert is_value(text) is said
