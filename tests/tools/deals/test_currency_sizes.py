"""Amounts in yen, won and their like: as many as they are, they are plausible, and their columns have their fields."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import column, issues, read

YEN = [84_150_000_000, 61_575_000_000, 41_025_000_000]


@pytest.mark.parametrize(
    ("header", "shown", "title"),
    [
        ("Sale Price (JPY)", "", ""),
        ("Sale Price", "[$¥-411]#,##0", ""),
        ("Sale Price (KRW)", "", ""),
        ("Sale Price", "", "All figures in JPY"),
    ],
)
def test_amounts_in_small_units_are_plausible(header: str, shown: str, title: str) -> None:
    """Whatever says the currency: the header, the number formats or a title."""
    rows = [[f"Tower {at}", "Osaka", price] for at, price in enumerate(YEN)]
    formats = {f"C{row}": shown for row in (4, 5, 6)} if shown else None
    extraction = read([[title], [], ["Property", "City", header], *rows], formats)
    assert list(column(extraction, "sale_price").values) == YEN
    assert not issues(extraction, "value.implausible")


def test_the_same_amounts_in_dollars_are_not_plausible_and_told() -> None:
    """Their column keeps the field that its header names."""
    rows = [[f"Tower {at}", "Reno", price] for at, price in enumerate(YEN)]
    extraction = read([["Property", "City", "Sale Price ($)"], *rows])
    assert list(column(extraction, "sale_price").values) == YEN
    assert len(issues(extraction, "value.implausible")[0].cells) == len(YEN)


def test_yen_too_many_for_yen_are_told_too() -> None:
    """The range is wider, and still one."""
    rows = [[f"Tower {at}", "Osaka", price] for at, price in enumerate([*YEN, 9e15])]
    assert issues(read([["Property", "City", "Sale Price (JPY)"], *rows]), "value.implausible")[0].cells == (
        "Deals!C5",
    )
