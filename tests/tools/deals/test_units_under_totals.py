"""Vacant suites right under a subtotal are units of their list; what is said of the total there is none."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import read, values

HEADER = ["Suite", "Tenant", "SF", "Lease End", "Annual Rent"]
FIRST = [
    ["100", "Anvil Hardware", 5000, dt.date(2029, 12, 31), 120_000],
    ["110", "Bluebird Nails", 1200, dt.date(2026, 5, 31), 36_000],
    ["Total 1st Floor", None, 6200, None, 156_000],
]
SECOND = ["210", "Cobalt Dental", 2400, dt.date(2027, 2, 28), 60_000]
NAMES = [
    "VACANT",
    "Vacant - leased to Anvil 2025",
    "Vacant Suite",
    "VACANT 120",
    "Vacancy",
    "Discount Mart",
    "Cash & Co",
]


@pytest.mark.parametrize("suites", [str, int])
@pytest.mark.parametrize("rent", [None, 0])
@pytest.mark.parametrize("gap", [[], [[]]])
@pytest.mark.parametrize("name", NAMES)
def test_a_suite_under_a_subtotal_is_a_unit_whatever_stands_for_its_tenant(
    name: str, gap: list[list[object]], rent: object, suites: type
) -> None:
    """Its number tells; that its words are said of totals too does not."""
    unit = ["200", name, 2000, None, rent]
    rows = [*FIRST, *gap, unit, SECOND, ["Total 2nd Floor", None, 4400, None, 60_000]]
    numbered = [[suites(row[0]), *row[1:]] if row and str(row[0]).isdigit() else row for row in rows]
    extraction = read([HEADER, *numbered])
    assert values(extraction, "suite") == ["100", "110", "200", "210"]
    assert values(extraction, "tenant")[2] == name
    assert not [issue for issue in extraction.issues if issue.code.startswith("total")]


@pytest.mark.parametrize("after", [[], [["Grand Total", None, 8200, None, 156_000]]])
def test_a_vacant_suite_that_ends_the_list_is_a_unit(after: list[list[object]]) -> None:
    """Under the last subtotal, with or without a total of all."""
    extraction = read([HEADER, *FIRST, ["200", "VACANT", 2000], *after])
    assert values(extraction, "suite") == ["100", "110", "200"]


def test_a_total_that_counts_no_vacant_suite_is_named() -> None:
    """It does not match what was read."""
    extraction = read([HEADER, *FIRST, ["200", "VACANT", 2000], SECOND, ["Total 2nd Floor", None, 2400, None, 60_000]])
    assert [issue.cells for issue in extraction.issues if issue.code == "total.mismatch"] == [("Deals!C7",)]


def test_vacant_units_among_charge_lines_are_kept() -> None:
    """Each unit's lines end with a total of its own."""
    day = dt.date(2029, 12, 31)
    rows = [
        ["Unit", "Tenant", "SF", "Lease To", "Charge Code", "Monthly Amount"],
        ["100", "Anvil", 5000, day, "RNT", 10_000],
        [None, None, None, None, "CAM", 1500],
        [None, None, None, None, "Total", 11_500],
        ["110", "Bluebird", 1200, day, "RNT", 3000],
        [None, None, None, None, "CAM", 400],
        [None, None, None, None, "Total", 3400],
        ["120", "VACANT", 2000],
        ["130", "Cobalt", 2400, day, "RNT", 5000],
        [None, None, None, None, "CAM", 700],
        [None, None, None, None, "Total", 5700],
    ]
    assert values(read(rows), "suite") == ["100", "110", "120", "130"]


@pytest.mark.parametrize("suite", [[], ["200"]])
def test_a_vacant_unit_is_told_by_a_number_behind_it_or_by_the_units_below_it(suite: list[object]) -> None:
    """Tenants come first, or have no suites."""
    header = ["Tenant", *(["Suite"] if suite else []), "SF", "Lease End", "Annual Rent"]
    units = [[row[1], *([row[0]] if suite else []), *row[2:]] for row in (*FIRST[:2], SECOND)]
    total = ["Total 1st Floor", *([None] if suite else []), 6200, None, 156_000]
    extraction = read([header, *units[:2], total, ["VACANT", *suite, 2000], units[2]])
    assert values(extraction, "tenant") == ["Anvil Hardware", "Bluebird Nails", "VACANT", "Cobalt Dental"]


@pytest.mark.parametrize("label", ["Vacant", "Less: Vacancy", "Vacancy"])
@pytest.mark.parametrize("before", [[None], []])
def test_what_is_vacant_of_a_total_is_no_unit(label: str, before: list[object]) -> None:
    """It has no number of its own, and nothing follows."""
    rows = [*FIRST[:2], SECOND, ["Total", None, 8600, None, 216_000], [*before, label, None, -2000]]
    extraction = read([HEADER, *rows])
    assert values(extraction, "suite") == ["100", "110", "210"]


def test_lines_numbered_on_through_a_total_are_not_taken_for_units() -> None:
    """The total has a line number too."""
    lines = [[at, *row[1:]] for at, row in enumerate((*FIRST[:2], SECOND), 1)]
    rows = [*lines, [4, "Total", 8600, None, 216_000], [5, "Less: Vacancy", None, None, -10_000]]
    assert len(values(read([["#", *HEADER[1:]], *rows]), "tenant")) == 3
