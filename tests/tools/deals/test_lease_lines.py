"""Rows of a rent roll that name no tenant: options, steps, other income and statistics are no leases."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import issues, read, values
from tools.deals.lease_lines import RollRows
from tools.deals.mapping import ColumnView, map_columns

HEADER = ["Suite", "Tenant", "SF", "Lease Start", "Lease End", "Annual Rent"]
ANVIL = ["100", "Anvil Hardware", 5000, dt.date(2020, 1, 1), dt.date(2029, 12, 31), 120_000]
BLUE = ["110", "Bluebird Nails", 1200, dt.date(2021, 6, 1), dt.date(2026, 5, 31), 36_000]
COBALT = ["130", "Cobalt Dental", 2400, dt.date(2022, 3, 1), dt.date(2027, 2, 28), 60_000]
NAMES = ["Anvil Hardware", "Bluebird Nails", "Cobalt Dental"]
OPTIONS = """Option 1: 5 yrs|Renewal Option|Option 2|1st Option|2nd Renewal Option|Opt. 1|(2) 5-yr options|Renewal 1|
Extension Term 2|Options: 2x5|5-Year Renewal Option|Option to renew|- Option 1|Two 5-year options"""
STEPS = """Year 2|Years 6-10|Months 13-24|Yr. 3|Lease Year 4|Step 2|Step 1/1/2025|Rent Step|Increase 1/1/2026|
Escalation|Effective 1/1/2025|Eff. Jan 2026|Period 2|CPI Increase|From 1/1/2026"""
TENANTS = """Option Care Health|Options Clinic|Extension Cord Inc|Year Round Sports|Step Ahead Daycare|Future Fitness|
Month End LLC|Period Furniture|Five Below Zero|24 Hour Gym|Parking Pros|Vacant Lot Brewing|Occupied Minds"""


def listed(texts: str) -> list[str]:
    """The texts, which bars part."""
    return texts.replace("\n", "").split("|")


def lines(label: str, suite: object = None, area: object = None) -> list[int]:
    """The positions of lines of leases in a roll with one row of that label and a rent."""
    rows = [ANVIL, [suite, label, area, dt.date(2030, 1, 1), None, 130_000], BLUE]
    columns = [ColumnView("ABCDEF"[at], name, [row[at] for row in rows]) for at, name in enumerate(HEADER)]
    return RollRows(columns, map_columns(columns, ())).of_leases()


def test_every_way_to_write_an_option_or_a_step_is_a_line_of_its_lease() -> None:
    """With its suite again or without; a unit or an area of its own makes it a tenant."""
    for label in (*listed(OPTIONS), *listed(STEPS)):
        assert lines(label) == lines(label, "100") == lines(label, "100", 5000) == [1], label
        assert lines(label, "105", 900) == lines(label, None, 900) == [], label


def test_tenants_with_such_words_in_their_names_are_tenants() -> None:
    """Even where their suite and area are not known."""
    assert [name for name in listed(TENANTS) if lines(name)] == []


def test_options_and_steps_are_told_and_add_no_rent() -> None:
    """Each tenant keeps one record."""
    option = [None, "Option 1: 5 yrs", None, dt.date(2030, 1, 1), dt.date(2034, 12, 31), 130_000]
    step = [None, "Year 2", None, dt.date(2025, 1, 1), None, 37_000]
    extraction = read([HEADER, ANVIL, option, BLUE, step, COBALT])
    assert values(extraction, "tenant") == NAMES
    assert [issue.cells for issue in issues(extraction, "record.continued")] == [("Deals!A3", "Deals!A5")]


def test_income_beside_rents_is_no_tenant_and_belongs_to_the_total() -> None:
    """Reimbursements and the like stand before it."""
    more = [[None, "Reimbursements", None, None, None, 45_000], [None, "Parking Income", None, None, None, 6000]]
    extraction = read([HEADER, ANVIL, BLUE, COBALT, *more, ["Total", None, 8600, None, None, 267_000]])
    assert values(extraction, "tenant") == NAMES
    assert not issues(extraction, "total.mismatch")
    assert issues(extraction, "record.continued")


@pytest.mark.parametrize("gap", [[], [[]]])
@pytest.mark.parametrize(
    "labels", [("Leased SF", "Vacant SF"), ("Occupied", "Vacant"), ("Occupied Area", "Vacant Area"), ("GLA",)]
)
def test_how_much_is_let_is_no_tenant(labels: tuple[str, ...], gap: list[list[object]]) -> None:
    """What is left out is said."""
    rows = [[None, label, 8600 - 1000 * at] for at, label in enumerate(labels)]
    extraction = read([HEADER, ANVIL, BLUE, COBALT, *gap, *rows])
    assert values(extraction, "tenant") == NAMES
    assert len(issues(extraction, "record.summary")[0].cells) == len(labels)


@pytest.mark.parametrize("rows", [[["120", "Vacant", 2000]], [["120", "Vacant", 2000], ["140", "Available", 900]]])
def test_vacant_units_are_units(rows: list[list[object]]) -> None:
    """Each has a number."""
    extraction = read([HEADER, ANVIL, BLUE, *rows, COBALT])
    assert len(values(extraction, "tenant")) == 3 + len(rows)
    assert not issues(extraction, "record.summary")


def test_a_vacant_unit_without_a_number_is_a_unit_where_nothing_says_what_is_occupied() -> None:
    """It stands alone."""
    assert len(values(read([HEADER, ANVIL, BLUE, COBALT, [None, "Vacant", 2000]]), "tenant")) == 4
