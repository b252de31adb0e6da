"""Small tables of words below a list of deals, and lists of choices that end below it."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import DEALS, HEADER, Rows, issues, read, values

NAMES = [row[0] for row in DEALS]
DUE: Rows = (["Ridge Terrace", "9 Ridge Way", "Reno"], ["Summit Yard", "4 Summit Road", "Boise"])


@pytest.mark.parametrize(
    "below",
    [
        [["Contact", "Firm", "Phone"], ["Desk One", "Acme Realty", "512-555-0100"]],
        [["Desk One", "Acme Realty", "512-555-0100"], ["Desk Two", "Acme Realty", "512-555-0101"]],
        [["Broker", "Email"], ["Acme Realty", "deals@acme.example"], ["Beta Realty", "call first"]],
        [["Status", "Meaning"], ["Active", "On the market"], ["LOI", "Letter of intent signed"]],
        [["Abbreviation", "Definition"], ["NNN", "Triple net"], ["GL", "Ground lease"]],
        [["Watchlist", "Reason"], ["Heron Point", "Anchor leaving"]],
        [["Prepared by", "Acme Realty"], ["Source", "County records"], ["As of", "May 2024"]],
        [["Status", "Meaning"], ["Active", "On the market"], [], ["Contact", "Firm"], ["Desk One", "Acme Realty"]],
    ],
)
def test_a_table_of_words_below_the_deals_holds_none(below: Rows) -> None:
    """Its labels tell it, or the numbers of phones; several may follow."""
    extraction = read([HEADER, *DEALS, [], *below])
    assert values(extraction, "deal_name") == NAMES
    assert not [issue for issue in extraction.issues if issue.severity != "info"]


def test_deals_of_which_only_words_are_known_stay_deals_after_a_blank_row_and_are_told() -> None:
    """Nothing tells them from rows of another table."""
    extraction = read([HEADER, *DEALS, [], *DUE])
    assert values(extraction, "deal_name") == [*NAMES, *(row[0] for row in DUE)]
    assert [issue.cells for issue in issues(extraction, "record.name_only")] == [("Deals!A7", "Deals!A8")]


@pytest.mark.parametrize(
    "below",
    [
        [["Ridge Terrace", "9 Ridge Way", "Reno", "NV", 3_000_000]],
        [["Ridge Terrace", "9 Ridge Way", "Reno", "NV", "TBD", None, None, 20_000]],
        [["Status", "9 Ridge Way", "Reno", "NV", 3_000_000, 180_000, 0.06]],
    ],
)
def test_deals_with_a_figure_stay_deals_after_a_blank_row(below: Rows) -> None:
    """However they are called; nothing is told."""
    extraction = read([HEADER, *DEALS, [], *below])
    assert values(extraction, "deal_name") == [*NAMES, *(row[0] for row in below)]
    assert not issues(extraction, "record.name_only")


def test_a_list_of_choices_that_ends_below_the_deals_gives_none_and_is_told() -> None:
    """A row with neither a name nor a figure is no deal; what stands beside the deals may be about none of them."""
    beside = [["Active", "Office"], ["Pending", "Retail"], ["Closed", "Land"], ["Dead", "Hotel"], ["Sold", "Flex"]]
    rows = [[*row, *choice] for row, choice in zip([*DEALS, [None] * len(HEADER)], beside, strict=True)]
    extraction = read([[*HEADER, "Status", "Property Type"], *rows])
    assert values(extraction, "deal_name") == NAMES
    assert [issue.cells for issue in issues(extraction, "table.beside")] == [("Deals!J6", "Deals!K6")]


def test_a_unit_without_a_tenant_at_the_end_stays_a_unit() -> None:
    """Its suite tells it."""
    header = ["Suite", "Tenant", "Lease Type", "Leased SF", "Annual Rent", "Lease Expiry"]
    rows = [[f"A{n}", f"Tenant {n}", "NNN", 1_000 + n, 20_000 + n, "2027-05-31"] for n in range(1, 6)]
    extraction = read([header, *rows, ["A6", None, "Vacant"]])
    assert values(extraction, "suite") == ["A1", "A2", "A3", "A4", "A5", "A6"]
