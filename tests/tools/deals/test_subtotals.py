"""Sums of groups without a label, or named as their group, are totals; whatever only looks like one stays a deal."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import Rows, issues, read, values

PIPELINE = ["Deal", "Stage", "Price", "Prob."]
STAGES: list[Rows] = [
    [["Larch Plaza", "LOI", 12_500_000, 0.75], ["Rowan Plaza", "LOI", 30_000_000, 0.75]],
    [["Sedge Plaza", "Screening", 9_000_000, 0.1], ["Teasel Plaza", "Screening", 5_250_000, 0.2]],
    [["Umber Plaza", "Closed", 7_250_000, 1]],
]
LIST = ["Property", "City", "Units", "Price"]
CITIES: dict[str, Rows] = {
    "Reno": [["Elm Row", "Reno", 10, 1_000_000], ["Oak Row", "Reno", 20, 2_000_000]],
    "Elko": [["Fir Row", "Elko", 30, 4_500_000], ["Ash Row", "Elko", 35, 5_500_000]],
}
NAMES = [row[0] for rows in CITIES.values() for row in rows]


def summed(rows: Rows, at: int) -> float:
    """The sum of one column of rows."""
    return sum(float(str(row[at])) for row in rows)


def totals(extraction: Extraction) -> list[int]:
    """The rows of class total, in the whole sheet."""
    spans = [s for s in extraction.census[0].rows if s.row_class == "total"]
    return [row for span in spans for row in range(span.first, span.last + 1)]


@pytest.mark.parametrize("headed", [True, False])
@pytest.mark.parametrize("rate", [None, 0.5])
def test_sums_of_groups_without_a_label_are_no_deals(headed: bool, rate: float | None) -> None:
    """One amount each, with section rows and without, with a rate beside them and without; a group of one, too."""
    rows: list[list[object]] = [PIPELINE]
    for group in STAGES:
        rows += [[group[0][1]]] if headed else []
        rows += [*map(list, group), [None, None, summed(group, 2), rate]]
    rows.append(["Vetch Plaza", "Dead", 1_000_000, 0.3])
    extraction = read(rows)
    assert extraction.deal_count == 6
    assert len(totals(extraction)) == 3
    assert not [i for i in extraction.issues if i.code.startswith(("total", "record"))]


def test_sums_of_groups_of_one_are_totals_and_do_not_go_on_with_records() -> None:
    """Two amounts; what a subtotal says again of the only deal of its group is no line of that deal."""
    header = ["Deal", "Stage", "Units", "Price", "Prob."]
    groups: list[Rows] = [
        [["Larch Plaza", "LOI", 12, 12_500_000, 0.75]],
        [["Sedge Plaza", "Screening", 30, 9_000_000, 0.1], ["Teasel Plaza", "Screening", 22, 5_250_000, 0.2]],
        [["Umber Plaza", "Dead", 5, 3_000_000, 0.1]],
    ]
    rows: list[list[object]] = [header]
    for group in groups:
        rows += [*map(list, group), [None, None, summed(group, 2), summed(group, 3)]]
    extraction = read(rows)
    assert totals(extraction) == [3, 6, 8]
    assert not [i for i in extraction.issues if i.code.startswith(("total", "record"))]


def test_a_wrong_sum_without_a_label_is_held_against_its_group() -> None:
    """Where most of the others add up, one that does not is a total all the same, and told."""
    rows: list[list[object]] = [PIPELINE]
    for at, group in enumerate([*STAGES[:2], *([[f"{r[0]} II", *r[1:]] for r in group] for group in STAGES[:2])]):
        rows += [*map(list, group), [None, None, summed(group, 2) + (1_000_000 if at == 1 else 0)]]
    extraction = read([*rows, ["Vetch Plaza", "Dead", 1_000_000, 0.3]])
    assert extraction.deal_count == 9
    assert [(i.cells, i.found) for i in issues(extraction, "total.mismatch")] == [(("Deals!C7",), "15,250,000")]


@pytest.mark.parametrize(
    ("label", "above", "headed"),
    [
        ("{}", False, True),
        ("{}", False, False),
        ("{} Properties", True, False),
        ("{} Properties", False, True),
        ("{}, NV", False, False),
    ],
)
def test_sums_named_as_their_group_are_no_deals(label: str, above: bool, headed: bool) -> None:
    """Below their group and above it, as its section is called or its city; the numbers are small and round."""
    rows: list[list[object]] = [LIST]
    for city, group in CITIES.items():
        rows += [[city]] if headed else []
        total = [label.format(city), None, summed(group, 2), summed(group, 3)]
        rows += [total, *map(list, group)] if above else [*map(list, group), total]
    extraction = read(rows)
    assert values(extraction, "deal_name") == NAMES
    assert len(totals(extraction)) == 2
    assert not [i for i in extraction.issues if i.code.startswith(("total", "record"))]


def test_a_group_named_in_another_column_than_the_deals_is_summed_up_there() -> None:
    """As a pivot table writes it, with nothing in the column of names."""
    rows = [LIST]
    for city, group in CITIES.items():
        rows += [*map(list, group), [None, city, summed(group, 2), summed(group, 3)]]
    assert values(read(rows), "deal_name") == NAMES


def test_one_group_under_its_sum_is_read() -> None:
    """Two deals and nothing else."""
    group = CITIES["Reno"]
    extraction = read([LIST, ["Reno Properties", None, summed(group, 2), summed(group, 3)], *group])
    assert values(extraction, "deal_name") == NAMES[:2]


@pytest.mark.parametrize(
    "row",
    [
        ["Yew Row", None, 30, 3_000_000],
        [None, None, 30, 3_000_100],
        [None, None, 31, 3_000_000],
        ["Reno Row", None, 30, 3_100_000],
        ["Reno Row", "Elko", 30, 3_000_000],
    ],
)
def test_what_only_looks_like_a_sum_of_a_group_stays_a_deal(row: list[object]) -> None:
    """Sums of columns that are multiples of one another say little; a wrong one says nothing."""
    assert read([LIST, *CITIES["Reno"], row, *CITIES["Elko"]]).deal_count == 5


def test_vacant_units_without_a_tenant_are_no_sums_of_those_above() -> None:
    """Though the second is as large as the two before it."""
    header = ["Tenant", "Suite", "SF", "Expiry"]
    rows: Rows = [
        ["Anvil Coffee", 101, 400, "2026-01-31"],
        ["Brass Books", 102, 500, "2026-02-28"],
        [None, 103, 900, None],
        ["Copper Gym", 104, 700, "2026-03-31"],
        ["Dye Works", 105, 650, "2026-04-30"],
    ]
    assert len(read([header, *rows]).tables[0].records) == 5
