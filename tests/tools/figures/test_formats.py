"""Numbers as printed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from tools.figures import formats


def test_halves_are_rounded_up_as_a_spreadsheet_does() -> None:
    """Python's own formatting gives 302 for 302.5."""
    assert formats.number(Decimal("302.5")) == "303"
    assert formats.percent(Decimal("0.0625"), 1) == "6.3%"
    assert formats.number(Decimal("-0.4")) == "0"


def test_negative_amounts_stand_in_brackets_and_changes_have_a_true_minus() -> None:
    """Amounts and changes are told apart at a glance."""
    assert formats.money(Decimal(-18400), "USD") == "($18,400)"
    assert formats.short_money(Decimal(-2610000), "USD") == "($2.61M)"
    assert formats.change(Decimal("-0.119")) == "−11.9%"
    assert formats.basis_points(Decimal("0.0025")).startswith("+25")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("359700000", "$359.7M"),
        ("2609400", "$2.61M"),
        ("412300", "$412,300"),
        ("1240000000", "$1.24B"),
        ("999600000", "$1.00B"),
        ("9996000", "$10.0M"),
    ],
)
def test_sentences_get_short_money(value: str, text: str) -> None:
    """Three or four digits, whatever the size."""
    assert formats.short_money(Decimal(value), "USD") == text


def test_missing_is_said_and_never_zero() -> None:
    """Every function says n/p for a value that is not provided."""
    assert {
        formats.number(None),
        formats.money(None, "USD"),
        formats.short_money(None, "USD"),
        formats.percent(None),
        formats.day(None),
        formats.month(None),
        formats.plain(None, "fraction", 2),
        formats.spoken(None, "money", "USD", 0),
        formats.full(None, "sf", None, 0),
        formats.scaled(None, formats.Scale("$M", 10**6, 2)),
    } == {"n/p"}


def test_a_money_column_keeps_two_digits_of_its_smallest_amount() -> None:
    """A column of millions with one of ten thousand is printed in thousands."""
    assert formats.money_scale([Decimal(56_100_000), Decimal(17_950_000), None], "USD").head == "$M"
    assert formats.money_scale([Decimal(3_282_300), Decimal(50_000)], "USD").head == "$000"
    assert formats.money_scale([Decimal(3_282_300), Decimal(5)], "USD") == formats.Scale("$", 1, 0)
    assert formats.money_scale([], "CHF").head == "CHF"


def test_a_currency_that_the_file_does_not_name_gets_no_sign() -> None:
    """A dollar sign would be a guess."""
    assert formats.money(Decimal(1500), None) == "1,500"
    assert formats.money(Decimal(1500), "CHF") == "CHF\u00a01,500"


def test_units_stand_with_their_numbers() -> None:
    """The number and its unit can't be parted by a line's end."""
    assert formats.spoken(Decimal(2_246_400), "sf", None, 0) == "2.25M\u00a0SF"
    assert formats.full(Decimal(2_246_400), "sf", None, 0) == "2,246,400\u00a0SF"
    assert formats.spoken(Decimal("1.347"), "ratio", None, 2) == "1.35x"
    assert formats.spoken(Decimal("17.5"), "money_per_sf", "USD", 2) == "$17.50/SF"
    assert formats.day(date(2026, 9, 30)) == "30 Sep 2026"


def test_numbers_beyond_all_sense_are_still_printed() -> None:
    """A cell may hold 1e300; the document is made all the same."""
    assert formats.number(Decimal("1e300")) == "1.00E+300"


@pytest.mark.parametrize(
    ("held", "printed"),
    [
        (5.0, "5"), (1.842857143, "1.8429"), (0.0031797309278350514, "0.00318"), (50718.49195035178, "50718.49"),
        (2021, "2021"), (-0.5, "-0.5"), (Decimal(100), "100"), (0.0, "0"), (float("inf"), "inf"),
    ],
)  # fmt: skip
def test_a_number_of_no_known_meaning_stands_as_its_cell_shows_it(held: float, printed: str) -> None:
    """No float's tail, nothing grouped, a whole number whole."""
    assert formats.as_held(held) == printed
