"""Numbers written as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.deals.numbers import NotNumber, NumberText, decimal_comma_in, read_number


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("$3.2M", 3_200_000, "USD"),
        ("(1,200)", -1200, None),
        ("$(1,200)", -1200, "USD"),
        ("1,200-", -1200, None),
        ("-$500", -500, "USD"),
        ("1.250.000,00 €", 1_250_000, "EUR"),
        ("€ 1.2 Mio.", 1_200_000, "EUR"),
        ("USD 3.2 million", 3_200_000, "USD"),
        ("CHF 1'200", 1200, "CHF"),
        ("12,34,567", 1_234_567, None),
        ("1 234 567,5", 1_234_567.5, None),
        ("3½", 3.5, None),
        ("1.2E+06", 1_200_000, None),
        ("$1,234.56", 1234.56, "USD"),
    ],
)
def test_money_in_text_is_read_in_full_units(text: str, value: float, currency: str | None) -> None:
    """Signs, magnitudes, brackets and separators of several countries."""
    number = read_number(text, None)
    assert isinstance(number, NumberText)
    assert number.value == pytest.approx(value, rel=1e-12)
    assert number.currency == currency


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("TBD", "placeholder"),
        ("N/A", "placeholder"),
        ("$Confidential", "placeholder"),
        ("—", "placeholder"),
        ("12-15", "range"),
        ("$1.2M - $1.5M", "range"),
        ("540 MW", "unparsed"),
        ("4/1000", "unparsed"),
        ("30X204", "unparsed"),
        ("1,23,4", "unparsed"),
        ("(1,200", "unparsed"),
        ("nan", "unparsed"),
        ("inf", "unparsed"),
        ("1.5.2", "unparsed"),
    ],
)
def test_what_is_no_single_number_is_never_guessed(text: str, why: str) -> None:
    """Each text says why it gives no number."""
    assert read_number(text, None) == NotNumber(why)


def test_a_percentage_with_a_fraction_is_read() -> None:
    """5 1/2% is 5.5 percent."""
    number = read_number("5 1/2%", None)
    assert isinstance(number, NumberText)
    assert (number.value, number.percent) == (5.5, True)


def test_units_and_marks_of_approximation_are_kept_apart_from_the_number() -> None:
    """12,500 SF says its unit, ~12,500 that it is not exact."""
    sized, about = read_number("12,500 SF", False), read_number("~12,500", False)
    assert isinstance(sized, NumberText)
    assert isinstance(about, NumberText)
    assert (sized.value, sized.unit) == (12_500, "sf")
    assert (about.value, about.approximate) == (12_500, True)


def test_a_lone_group_of_three_digits_has_two_readings_until_its_column_tells() -> None:
    """1.250 is 1.25 or 1250; a column with 3.200,50 in it settles that."""
    alone = read_number("1.250", None)
    assert isinstance(alone, NumberText)
    assert (alone.value, alone.other) == (1.25, 1250)
    comma = decimal_comma_in(["1.250", "3.200,50"])
    assert comma is True
    told = read_number("1.250", comma)
    assert isinstance(told, NumberText)
    assert (told.value, told.other) == (1250, None)


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Any text gives a number or a reason."""
    assert isinstance(read_number(text, None), (NumberText, NotNumber))


@given(st.integers(-(10**12), 10**12))
def test_a_number_written_with_commas_reads_back(number: int) -> None:
    """Thousands separators change nothing."""
    read = read_number(f"{number:,}", False)
    assert isinstance(read, NumberText)
    assert read.value == number


@pytest.mark.parametrize(
    ("text", "amount"),
    [("$3,400,000 ($283/SF)", 3_400_000), ("$3.4M ($283 psf)", 3_400_000), ("€3.400.000 (1.200 €/m²)", 3_400_000)],
)
def test_an_amounts_rate_in_brackets_behind_it_is_no_part_of_it(text: str, amount: float) -> None:
    """It is said that something stands behind the number."""
    number = read_number(text, None)
    assert isinstance(number, NumberText)
    assert (number.value, number.beside, number.unit) == (amount, True, None)
