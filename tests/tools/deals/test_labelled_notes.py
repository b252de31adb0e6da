"""Scales that stand behind a label over a list: in one cell, or in two."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import Rows, read, values
from tools.deals.scale import scale_in

LIST: Rows = [
    ["Property", "City", "Sale Price", "NOI"],
    ["Heron Point", "Tampa", 4_500, 315],
    ["Cedar Hollow", "Macon", 7_250, 500],
]


@pytest.mark.parametrize("gap", [[], [[]]])
@pytest.mark.parametrize(
    "block",
    [
        [["Units: thousands"]],
        [["Currency: USD; Units: 000"]],
        [["x $1,000"]],
        [["Units", "thousands"]],
        [["Scale:", "Thousands", "Currency", "USD"]],
        [["Scale", "1,000"]],
        [["Scale", 1000]],
        [["Currency", "USD", None, "Reporting unit", "Thousands"]],
        [["Deal pipeline"], [], ["As of", "2024-06-30"], ["Currency", "USD"], ["Units", "000s"], ["Desk", "East"]],
    ],
)
def test_a_scale_behind_its_label_holds_for_the_list_below(block: Rows, gap: Rows) -> None:
    """With an empty row between, or right over the header, which it is no part of."""
    extraction = read([*block, *gap, *LIST])
    assert values(extraction, "sale_price") == [4_500_000, 7_250_000]
    assert values(extraction, "deal_name") == ["Heron Point", "Cedar Hollow"]


@pytest.mark.parametrize(
    "block",
    [
        [["Units", 120]],
        [["Units", "1,000"]],
        [["Units: 1,000"]],
        [["Units", 1000], ["Scale", "large"]],
        [["Scale: 1:500"]],
        [["Units", "mixed"]],
    ],
)
def test_a_number_of_units_is_no_scale(block: Rows) -> None:
    """Even of a thousand of them."""
    assert values(read([*block, [], *LIST]), "sale_price") == [4_500, 7_250]


def test_a_block_of_labels_over_another_list_is_not_about_the_one_below() -> None:
    """It stands over the first."""
    wide = ["Property", "City", "Sale Price", "NOI", "Year Built"]
    first: Rows = [
        ["Units", "thousands"],
        wide,
        ["Union Yard", "Mobile", 5_500, 300, 1990],
        ["X1", "Joliet", 8_250, 400, 1991],
    ]
    lower: Rows = [["Tenant", "Suite", "SF", "Monthly Rent"], ["Acme", "1", 1200, 3000], ["Zeta", "2", 900, 2500]]
    tables = read([*first, [], [], *lower]).tables
    assert [c.values for t in tables for c in t.columns if c.field in ("sale_price", "rent_monthly")] == [
        [5_500_000, 8_250_000],
        [3000, 2500],
    ]


@pytest.mark.parametrize("text", ["Units: 4", "Units: 1,000", "Scale: 1:1000", "Amounts: 000123", "Thousand Oaks"])
def test_other_labels_state_no_scale(text: str) -> None:
    """Counts, maps and codes."""
    assert scale_in(text) is None
