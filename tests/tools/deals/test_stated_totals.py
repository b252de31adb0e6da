"""Totals that a sheet states are compared with the records that they stand for, in the unit of their column."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import DEALS, HEADER, issues, read, read_csv

SUMS = [28_000_000, 1_750_000, None, 190_000, None]
NO_SUMS = [500_000, 20_000, None, 900, None]


def test_a_total_in_square_metres_agrees_with_records_turned_into_feet() -> None:
    """Where all of the column's numbers are texts, its header tells the unit."""
    lines = [
        "Objekt;Ort;Fläche m²;Kaufpreis",
        "Haus A;Bonn;12.450,5;1.000.000,00 €",
        "Haus B;Köln;31.200,0;2.000.000,00 €",
    ]
    assert not issues(read_csv("\n".join([*lines, "Summe;;43.650,5;3.000.000,00 €"])), "total.mismatch")
    assert issues(read_csv("\n".join([*lines, "Summe;;53.650,5;3.000.000,00 €"])), "total.mismatch")


def test_totals_over_their_records_are_compared_with_those_below() -> None:
    """Up to the next total; a wrong one is told."""
    west, east = [14_000_000, 900_000, None, 70_000, None], [14_000_000, 850_000, None, 120_000, None]

    def rows(*last: object) -> list[list[object]]:
        tops: list[list[object]] = [[f"{name} Total", None, None, None] for name in ("West", "East")]
        return [[*HEADER], [*tops[0], *west], *map(list, DEALS[:2]), [*tops[1], *last], *map(list, DEALS[2:])]

    assert not issues(read(rows(*east)), "total.mismatch")
    assert issues(read(rows(15_000_000, *east[1:])), "total.mismatch")[0].cells == ("Deals!E5",)


@pytest.mark.parametrize("label", ["Difference", "Variance", "Occupied %", "% Vacant", "Average"])
def test_a_row_that_compares_is_no_sum(label: str) -> None:
    """Nothing in it is held against the records."""
    rows = [HEADER, *DEALS, ["Total", None, None, None, *SUMS], [label, None, None, None, *NO_SUMS]]
    assert not issues(read(rows), "total.mismatch")


def test_a_grand_total_under_two_tables_may_stand_for_both() -> None:
    """Owned and sold properties, each with a total; a wrong grand total is told."""

    def rows(price: float) -> list[list[object]]:
        owned = [
            ["Owned"],
            ["Property", "City", "Price"],
            ["Fox Run", "Akron", 9_200_000],
            ["Mill", "Akron", 6_100_000],
        ]
        sold = [["Sold"], ["Property", "City", "Price", "Closed"], ["Main", "Lima", 7_700_000, "2024-05-01"]]
        sold += [["Gate", "Lima", 13_250_000, "2024-06-01"], ["Total", None, 20_950_000]]
        return [*owned, ["Total", None, 15_300_000], [], *sold, [], ["Grand Total", None, price]]

    assert not issues(read(rows(36_250_000)), "total.mismatch")
    assert [issue.found for issue in issues(read(rows(37_250_000)), "total.mismatch")] == ["37,250,000"]


def test_totals_that_hold_the_rows_that_go_on_with_records_are_right() -> None:
    """Each unit's total counts its further charges, and the last one those of the first section only."""

    def rows(total: float) -> list[list[object]]:
        head = ["Unit", "Tenant", "SF", "Move In", "Charge", "Monthly Rent"]
        now: list[list[object]] = [["Current tenants"]]
        for at, (tenant, rent) in enumerate(
            [("Anvil Coffee", 1195.0), ("Brass Books", 1225.0), ("Copper Gym", 1580.0)]
        ):
            now += [[f"{100 + at}", tenant, 700 + at, "2024-06-01", "rent", rent], [None] * 4 + ["pet", 35.0]]
            now.append([None] * 4 + ["Total", rent + 35])
        future: list[list[object]] = [["Future tenants"], ["103", "Dye Works", 1010, "2025-10-01", "rent", 1615.0]]
        return [head, *now, *future, ["Total", "Kent Plaza", None, None, None, total]]

    assert not issues(read(rows(4105.0)), "total.mismatch")
    assert issues(read(rows(4505.0)), "total.mismatch")


GERMAN = ["Objekt", "Ort", "Kaufpreis"]


@pytest.mark.parametrize(
    ("prices", "total", "wrong"),
    [
        (["1.250", "850"], "2.100", "2.200"),
        (["1.250", "2.850"], "4.100", "4.200"),
        (["1.250,00 €", "850"], "2.100", "2.200"),
        (["350", "850"], "1.200", "1.300"),
        ([1250, 850], "2.100", "2.200"),
        (["1,250", "850"], "2,100", "2,200"),
        (["1.250,5", "850"], "2.100,5", "2.300,5"),
    ],
)
def test_a_total_written_as_text_is_read_with_the_separators_of_its_column(
    prices: list[object], total: str, wrong: str
) -> None:
    """Where no text of a record tells, as what is nearer to their sum; another total is told."""
    rows: list[list[object]] = [[*GERMAN], ["Haus A", "Bonn", prices[0]], ["Haus B", "Bonn", prices[1]]]
    assert not issues(read([*rows, ["Summe", None, total]]), "total.mismatch")
    assert issues(read([*rows, ["Summe", None, wrong]]), "total.mismatch")


@pytest.mark.parametrize("total", ["2.100", "2.100,0", "2,1 Mio €"])
def test_a_total_in_thousands_is_held_against_records_in_thousands(total: str) -> None:
    """A total with a scale of its own is in full; under a title that says thousands."""
    rows: list[list[object]] = [["Bestand in TEUR"], [], [*GERMAN], ["Haus A", "Bonn", "1.250,0"]]
    rows.append(["Haus B", "Bonn", "850,0"])
    assert not issues(read([*rows, ["Summe", None, total]]), "total.mismatch")
    assert issues(read([*rows, ["Summe", None, total.replace("1", "3")]]), "total.mismatch")


def test_a_total_over_records_that_were_not_read_is_held_against_nothing() -> None:
    """Thousands or decimals of thousands? What is not taken is told, and no sum of it is known."""
    rows = [["Bestand in TEUR"], [], GERMAN, ["Haus A", "Bonn", "1.250"], ["Haus B", "Bonn", "850"]]
    extraction = read([*rows, ["Summe", None, "2.100"]])
    assert not issues(extraction, "total.mismatch")
    assert issues(extraction, "number.ambiguous")
