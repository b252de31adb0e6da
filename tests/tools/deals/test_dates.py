"""Dates in text, serial numbers, and which of day and month comes first."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.deals.books import issues, listed, values
from tools.deals.dates import AmbiguousDateError, day_first_in, read_date


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-01-20", dt.date(2026, 1, 20)),
        ("January-20-2026", dt.date(2026, 1, 20)),
        ("Jan 20, 2026", dt.date(2026, 1, 20)),
        ("20-Jan-26", dt.date(2026, 1, 20)),
        ("20. Januar 2026", dt.date(2026, 1, 20)),
        ("Tue, 20 Jan 2026", dt.date(2026, 1, 20)),
        ("2026-01-20T10:30:00", dt.date(2026, 1, 20)),
        ("20260120", dt.date(2026, 1, 20)),
        ("20/01/2026", dt.date(2026, 1, 20)),
        ("1/20/26", dt.date(2026, 1, 20)),
        ("31.12.2029", dt.date(2029, 12, 31)),
    ],
)
def test_common_ways_to_write_a_day_are_read(text: str, day: dt.date) -> None:
    """Names in several languages, ISO, and numbers of which one can only be the day."""
    assert read_date(text, None) == day


@pytest.mark.parametrize("text", ["2/30/2024", "Januray 20, 2026", "13/13/2024", "soon", ""])
def test_typos_are_no_dates(text: str) -> None:
    """A day that is not in the calendar is not bent into one."""
    assert read_date(text, True) is None


def test_day_and_month_that_could_be_swapped_are_not_guessed() -> None:
    """One value alone does not tell."""
    with pytest.raises(AmbiguousDateError):
        read_date("3/4/2024", None)


def test_a_column_tells_that_the_day_comes_first() -> None:
    """One 13th in the column settles the others."""
    extraction = listed(["13/09/2020", "10/09/2020"], "Sale Date")
    assert values(extraction, "sale_date") == [dt.date(2020, 9, 13), dt.date(2020, 9, 10)]
    assert not issues(extraction, "date.ambiguous")


def test_another_date_column_of_the_table_tells_too() -> None:
    """A table writes its dates one way."""
    from tests.tools.deals.books import read

    rows = [
        ["Property Name", "City", "Units", "List Date", "Sale Date"],
        ["Heron Point", "Tampa", 10, "25/03/2020", "04/05/2020"],
        ["Union Yard", "Mobile", 12, "02/03/2020", "05/06/2020"],
    ]
    assert values(read(rows), "sale_date") == [dt.date(2020, 5, 4), dt.date(2020, 6, 5)]


def test_a_column_that_contradicts_itself_leaves_the_open_ones_out() -> None:
    """13/04 and 04/13 in one column: 03/04 could be either."""
    extraction = listed(["13/04/2024", "04/13/2024", "03/04/2024"], "Sale Date")
    assert values(extraction, "sale_date") == [dt.date(2024, 4, 13), dt.date(2024, 4, 13), None]
    assert issues(extraction, "date.mixed")[0].cells == ("Deals!E4",)


def test_where_nothing_tells_month_first_is_assumed_and_said() -> None:
    """The assumption is an issue with its cell."""
    extraction = listed(["03/04/2024"], "Sale Date")
    assert values(extraction, "sale_date") == [dt.date(2024, 3, 4)]
    assert issues(extraction, "date.ambiguous")[0].cells == ("Deals!E2",)


def test_serial_numbers_quarters_and_zero_are_told_apart() -> None:
    """45000 is a day, Q1 2025 is none, 0 stands for unknown."""
    extraction = listed([dt.date(2024, 1, 2), 45000, "45000", "Q1 2025", 0, "TBD"], "Sale Date")
    day = dt.date(2023, 3, 15)
    assert values(extraction, "sale_date") == [dt.date(2024, 1, 2), day, day, None, None, None]
    assert issues(extraction, "date.partial")[0].found == "Q1 2025"
    assert len(issues(extraction, "date.serial")[0].cells) == 2


@given(st.dates(dt.date(1950, 1, 1), dt.date(2068, 12, 31)))
def test_days_written_day_first_read_back(day: dt.date) -> None:
    """Given that the day comes first, no day is lost."""
    assert read_date(f"{day.day}/{day.month}/{day.year}", True) == day
    assert day_first_in([f"{day.day}/{day.month}/{day.year}"]) is (
        True if day.day > 12 else None if day.month <= 12 else False
    )


def test_a_short_date_among_years_first_is_left_open() -> None:
    """24/03/04 may begin with the year as the others do, or with the day."""
    extraction = listed(["2024/03/04", "24/03/04", "2024/05/06", "2023/01/02"], "Close Date")
    assert values(extraction, "close_date")[1] is None
    assert issues(extraction, "value.unparsed")
    alone = listed(["04/03/24", "13/03/24", "14/05/24"], "Close Date")
    assert None not in values(alone, "close_date")
