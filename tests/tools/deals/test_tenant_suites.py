"""Suites on rows of their own without the tenant's name: further ones of the tenant above, or vacant."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import deal, issues, read, values

HEADER = ["Tenant", "Suite", "SF", "Annual Rent", "Lease Expiry"]
DAY = "2027-01-31"
ROLL: list[list[object]] = [
    ["Kite Foods", "100", 5_000, 120_000, DAY],
    [None, "110", 3_000, 90_000, DAY],
    [None, "115", 1_000, 30_000, DAY],
    ["Lark Shoes", "120", 2_000, 50_000, "2028-06-30"],
    ["Owl Books", "130", 2_500, 60_000, "2029-06-30"],
]
TOLD = ["Kite Foods", "Kite Foods", "Kite Foods", "Lark Shoes", "Owl Books"]


def turned(rows: list[list[object]], order: list[int]) -> list[list[object]]:
    """The rows with their columns in another order."""
    return [[row[at] for at in order] for row in rows]


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [1, 0, 2, 3, 4], [1, 2, 3, 4, 0]])
def test_a_suite_that_ends_with_the_one_above_has_its_tenant(order: list[int]) -> None:
    """The name is cited where it stands, and it is told."""
    extraction = read(turned([HEADER, *ROLL], order))
    assert values(extraction, "tenant") == TOLD
    assert deal(extraction, 2).fields["tenant"].cell == f"Deals!{'ABCDE'[order.index(0)]}2"
    assert [issue.cells for issue in issues(extraction, "value.group")] == [(f"Deals!{'ABCDE'[order.index(0)]}2",)]
    assert not issues(extraction, "tenant.blank")
    assert set(extraction.tables[0].sections) == {None}


@pytest.mark.parametrize(("rent", "day"), [(None, None), (0, None), (None, DAY)])
def test_a_vacant_suite_never_gets_the_tenant_above(rent: object, day: object) -> None:
    """It bears no rent; nothing is said of it."""
    extraction = read([HEADER, *ROLL[:3], [None, "140", 1_500, rent, day], *ROLL[3:], [None, "150", 900, rent, None]])
    assert values(extraction, "tenant") == [*TOLD[:3], None, *TOLD[3:], None]
    assert not issues(extraction, "tenant.blank")


@pytest.mark.parametrize("day", [None, "2031-12-31"])
def test_a_suite_with_rent_and_other_days_is_told_and_left(day: object) -> None:
    """The rent may be asked for, or a lease of somebody else."""
    extraction = read([HEADER, *ROLL[3:], [None, "140", 1_500, 40_000, day]])
    assert values(extraction, "tenant") == ["Lark Shoes", "Owl Books", None]
    (said,) = issues(extraction, "tenant.blank")
    assert (said.severity, said.cells) == ("warning", ("Deals!A4",))


def test_what_is_vacant_above_is_no_tenant() -> None:
    """The word for it is not handed down."""
    extraction = read([HEADER, *ROLL[3:], ["Vacant", "140", 900, 20_000, DAY], [None, "141", 900, 20_000, DAY]])
    assert values(extraction, "tenant")[2:] == ["Vacant", None]
    assert issues(extraction, "tenant.blank")


def test_the_tenant_of_one_property_is_not_that_of_the_next() -> None:
    """Even where both leases end on the same day."""
    rows = [["Alder Hall", *row] for row in ROLL[:3]] + [["Cobalt Hall", None, "1", 900, 20_000, DAY]]
    extraction = read([["Property", *HEADER], *rows])
    assert values(extraction, "tenant") == [*TOLD[:3], None]


def test_leases_that_only_begin_together_are_not_one() -> None:
    """In a new building all have begun on the same day: the suites stay without a tenant, and that is told."""
    start = "2024-01-01"
    rows = [[*row[:4], start] for row in ROLL]
    extraction = read([[*HEADER[:4], "Lease Start"], *rows])
    assert values(extraction, "tenant") == ["Kite Foods", None, None, "Lark Shoes", "Owl Books"]
    assert issues(extraction, "tenant.blank")
