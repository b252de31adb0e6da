"""Properties under their loan, each with its share of the balance: sums count the loan twice, which is said."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import issues, read, values

HEADER = ["Loan #", "Borrower", "Property Name", "City", "Current Balance", "Rate", "Maturity"]
REST = [
    ["1002", "Oak LP", "Oak Row", "Sparks", 7_625_000, 0.0525, dt.date(2027, 9, 1)],
    ["1003", "Pine Inc", "Pine Bay", "Elko", 21_900_000, 0.0455, dt.date(2031, 1, 1)],
]


def tape(whole: object, parts: list[object], amounts: list[object]) -> list[list[object]]:
    """A loan tape whose first loan has parts."""
    loan = [whole, "Maple LLC", "Maple Portfolio", "Various", 11_250_000, 0.0485, dt.date(2028, 6, 1)]
    rows = [
        [part, None, f"Maple Yard {at}", "Reno", amount]
        for at, (part, amount) in enumerate(zip(parts, amounts, strict=True), 1)
    ]
    return [HEADER, loan, *rows, *REST]


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("1001", ["1001.1", "1001.2"]),
        (1001, [1001.1, 1001.2]),
        ("1001", ["1001-A", "1001-B"]),
        ("1001", ["1001a", "1001b"]),
        ("7.00", ["7.01", "7.02"]),
    ],
)
def test_parts_that_add_up_to_the_loan_above_are_named(whole: object, parts: list[object]) -> None:
    """They stay in the list: their cities are known there only."""
    extraction = read(tape(whole, parts, [7_000_000, 4_250_000]))
    assert len(values(extraction, "loan_amount")) == 5
    assert [issue.cells for issue in issues(extraction, "record.parts")] == [("Deals!E3", "Deals!E4")]


@pytest.mark.parametrize(
    ("parts", "amounts"),
    [
        (["1001.1", "1001.2"], [7_000_000, 9_250_000]),
        (["1004", "1005"], [7_000_000, 4_250_000]),
        (["10011", "10012"], [7_000_000, 4_250_000]),
        (["1001.1", "1001.2"], [None, None]),
    ],
)
def test_loans_of_their_own_are_no_parts(parts: list[object], amounts: list[object]) -> None:
    """Notes of other amounts, loans of other numbers, properties without a balance."""
    assert not issues(read(tape("1001", parts, amounts)), "record.parts")
