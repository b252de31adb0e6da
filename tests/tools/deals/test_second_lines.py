"""Deals with a second line of a few values, each below its label in a header of two rows."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import issues, read, values

LEASES = [["Elm Tea", "100", 5000, dt.date(2020, 1, 1), 120_000], ["Oak Ink", "110", 1200, dt.date(2021, 6, 1), 36_000]]
SALES = [
    ["Alder Court", 4_500_000, dt.date(2023, 1, 1), "Heron One LLC"],
    ["Birch Row", 7_250_000, dt.date(2023, 2, 1), "Heron Two LLC"],
    ["Cedar Yard", 3_100_000, dt.date(2023, 3, 1), "Heron Three LLC"],
    ["Dogwood Park", 12_800_000, dt.date(2023, 4, 1), "Heron Four LLC"],
]
HEAD = ["Property", "Sale Price", "Sale Date", "Buyer"]


def under(records: list[list[Any]], lines: list[list[Any]]) -> list[list[Any]]:
    """Each record with its line, where it has one."""
    return [row for pair in zip(records, lines, strict=True) for row in pair if row]


def classes(extraction: Extraction) -> list[tuple[int, int, str]]:
    """The rows of the sheet with their classes."""
    return [(span.first, span.last, span.row_class) for span in extraction.census[0].rows]


def test_the_end_of_a_lease_below_its_start_is_its_expiry() -> None:
    """Two records suffice, and no end is a section."""
    head = [["Tenant", "Suite", "SF", "Lease Start", "Annual Rent"], [None, None, None, "Lease End"]]
    ends = [[None, None, None, dt.date(2029, 12, 31)], [None, None, None, dt.date(2026, 5, 31)]]
    extraction = read([*head, *under(LEASES, ends)])
    assert values(extraction, "lease_start") == [dt.date(2020, 1, 1), dt.date(2021, 6, 1)]
    assert values(extraction, "lease_expiry") == [dt.date(2029, 12, 31), dt.date(2026, 5, 31)]
    deals = list(extraction.deals())
    assert [deal.fields["lease_expiry"].cell.partition("!")[2] for deal in deals] == ["D4", "D6"]
    assert [deal.section for deal in deals] == [None, None]
    kinds = ["header", "record", "other", "record", "other"]
    assert [kind for _, _, kind in classes(extraction)] == kinds
    assert [issue.severity for issue in issues(extraction, "record.rows")] == ["info"]
    assert not [issue for issue in extraction.issues if issue.severity != "info"]


@pytest.mark.parametrize(("at", "label", "field"), [(3, "Seller", "seller"), (0, "Address", "address")])
@pytest.mark.parametrize("after", [[], [[], ["Source: county records, as filed."]]])
def test_texts_below_texts_are_a_field_of_their_own(at: int, label: str, field: str, after: list[list[Any]]) -> None:
    """None of them is the section of the next deal, nor a note below the last; a note further below stays one."""
    texts = [f"{number} Mill Street" for number in range(len(SALES))]
    lines = [[None] * at + [text] for text in texts]
    extraction = read([HEAD, [None] * at + [label], *under(SALES, lines), *after])
    assert values(extraction, field) == texts
    assert values(extraction, "buyer") == [row[3] for row in SALES]
    assert [deal.section for deal in extraction.deals()] == [None] * len(SALES)
    assert sum(kind == "note" for _, _, kind in classes(extraction)) == bool(after)
    assert not issues(extraction, "section.empty")
    assert not issues(extraction, "value.group")


@pytest.mark.parametrize("without", range(4))
def test_a_deal_may_lack_its_second_line(without: int) -> None:
    """Its field is missing, and no other deal's moves."""
    lines: list[list[Any]] = [[None, None, None, f"Otter {at} LLC"] for at in range(len(SALES))]
    lines[without] = []
    extraction = read([HEAD, [None, None, None, "Seller"], *under(SALES, lines)])
    sellers = [None if at == without else f"Otter {at} LLC" for at in range(len(SALES))]
    assert [deal.fields["seller"].value for deal in extraction.deals()] == sellers


@pytest.mark.parametrize(
    "second",
    [[None, "($)"], ["Name"], [None, None, "Closed"], [None, "Price", "Date", None]],
)
def test_rows_of_sections_under_a_name_over_two_rows_stay_sections(second: list[Any]) -> None:
    """The header's last row only says more of the names above; a group stands over each record."""
    groups = [[name] for name in ("Retail", "Office", "Hotels", "Land")]
    extraction = read([HEAD, second, *under(groups, SALES)])
    assert extraction.deal_count == len(SALES)
    assert [(deal.section or "").rpartition(" / ")[2] for deal in extraction.deals()] == [row[0] for row in groups]
    assert not issues(extraction, "record.rows")


def test_charges_below_a_tenant_under_names_over_two_rows_are_no_fields_of_their_own() -> None:
    """What the second row of the header holds completes the names above it."""
    head = [["Tenant", "SF", "Charge", "Rent"], [None, None, "Type", "Monthly"]]
    records = [[f"Tenant {at}", 1000 + at, "Base", 900 + at] for at in range(4)]
    extraction = read([*head, *under(records, [[None, None, "CAM", 90 + at] for at in range(4)])])
    assert extraction.deal_count == len(records)
    assert not issues(extraction, "record.rows")


WIDE = [
    ["Property", "Sale Price", "Cap Rate", "Sale Date", "SF"],
    ["Address", "Buyer", "Seller", "Type", "Year Built"],
]
PARTS = [[name, price, 0.055 + at / 1000, day, 21_000 + at] for at, (name, price, day, _) in enumerate(SALES * 2)]


def wide_lines(*without: int) -> list[list[Any]]:
    """The second lines of all deals but those `without` one."""
    return [
        [] if at in without else [f"{at} Mill Street", f"Heron {at} LLC", f"Otter {at} LLC", "Retail", 1990 + at]
        for at in range(len(PARTS))
    ]


@pytest.mark.parametrize("without", [(0,), (1,), (4,), (7,), (2, 5), (2, 3), (0, 7)])
def test_deals_over_two_rows_of_other_values_may_lack_the_second(without: tuple[int, ...]) -> None:
    """Each deal keeps its own, and the turns are told where they are whole."""
    extraction = read([*WIDE, *under(PARTS, wide_lines(*without))])
    deals = list(extraction.deals())
    assert values(extraction, "deal_name") == [row[0] for row in PARTS]
    assert values(extraction, "cap_rate") == [row[2] for row in PARTS]
    assert [at for at, deal in enumerate(deals) if deal.fields["seller"].value is None] == list(without)
    last = max(set(range(len(PARTS))) - set(without))
    assert (deals[last].fields["seller"].value, deals[last].fields["year_built"].value) == (
        f"Otter {last} LLC",
        1990 + last,
    )
    (said,) = issues(extraction, "record.rows")
    first = 3 if 0 not in without else 4
    assert (said.severity, said.message.partition(" are")[0]) == ("info", f"Rows {first} and {first + 1}")


def test_one_row_a_deal_under_names_over_two_rows_stays_so() -> None:
    """Values of other kinds here and there make no second lines."""
    head = [["Property", "Sale", "Cap", "Sale", "Square"], ["Name", "Price", "Rate", "Date", "Feet"]]
    loose = [["Elm Hall", "Undisclosed", "n/a", "Q1 2023", "TBD"], *PARTS]
    extraction = read([*head, PARTS[0], *loose, loose[0]])
    assert extraction.deal_count == len(PARTS) + 3
    assert not issues(extraction, "record.rows")
