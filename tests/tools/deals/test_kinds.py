"""Kinds of deal tables, and tables that list none."""

from __future__ import annotations

import datetime as dt

import pytest

from schemas.errors import InputError
from tests.tools.deals.books import DEALS, HEADER, Rows, deal, read, xlsx
from tools.deals.extract import extract, require_deals

TENANTS: Rows = (
    ["Suite", "Tenant", "Area (SF)", "Lease Start", "Lease End", "Monthly Rent", "Annual Rent"],
    ["100", "Quill Freight", 5000, dt.date(2020, 1, 1), dt.date(2027, 1, 1), 10_000, 120_000],
    ["200", "Fern Grocers", 4000, dt.date(2021, 1, 1), dt.date(2028, 1, 1), 8_000, 96_000],
)
LOANS: Rows = (
    ["Loan ID", "Property Name", "Current Balance", "Note Rate", "LTV", "DSCR", "Maturity Date"],
    ["L1", "Heron Point", 6_000_000, 0.06, 0.6, 1.4, dt.date(2030, 1, 1)],
    ["L2", "Union Yard", 4_000_000, 0.055, 0.65, 1.3, dt.date(2031, 1, 1)],
)
SALES: Rows = (
    ["Property", "City", "Sale Price", "Sale Date", "Buyer", "Seller", "Cap Rate"],
    ["Heron Point", "Tampa", 6_000_000, dt.date(2024, 1, 1), "Alder Co", "Birch Co", 0.06],
    ["Union Yard", "Mobile", 4_000_000, dt.date(2024, 2, 1), "Cedar Co", "Dogwood Co", 0.065],
)
PIPELINE: Rows = (
    ["Deal Name", "Stage", "Probability", "Deal Value", "Expected Close"],
    ["Heron Point", "LOI", 0.5, 6_000_000, dt.date(2026, 1, 1)],
    ["Union Yard", "Lead", 0.1, 4_000_000, dt.date(2026, 5, 1)],
)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (TENANTS, "rent_roll"),
        (LOANS, "loan_tape"),
        (SALES, "sale_comps"),
        (PIPELINE, "pipeline"),
        ((HEADER, *DEALS), "offering_list"),
    ],
)
def test_the_kind_follows_from_the_fields(rows: Rows, kind: str) -> None:
    """No name of a sheet is needed."""
    assert [table.kind for table in read(rows).tables] == [kind]


FLIGHTS: Rows = (
    ["Deal", "Airline", "Departure", "Arrival", "Fare", "Price"],
    ["Spring break", "Skylark", "MIA", "LAX", "basic", 199],
    ["Last minute", "Wren Air", "JFK", "SFO", "basic", 249],
)
SERIES: Rows = (
    ["Quarter", "Vacancy Rate", "Asking Rent", "Net Absorption"],
    *([f"Q{1 + i % 4} {2020 + i // 4}", 0.05 + i / 1000, 21.5 + i, 1000 * i] for i in range(12)),
)
STATEMENT: Rows = (
    ["Line", "2021", "2022", "2023", "2024"],
    ["Rental income", 100, 110, 120, 130],
    ["Operating expenses", 40, 42, 44, 46],
    ["NOI", 60, 68, 76, 84],
)
LOOKUP: Rows = (["Website ID", "Yardi Code"], [381, "abc"], [382, "abd"], [383, "abe"])
PIVOT: Rows = (["Row Labels", "Sum of Price", "Count of Deals"], ["Office", 5_000_000, 3], ["Retail", 7_000_000, 4])
RETURNS: Rows = (
    ["Fund", "Income Return", "Appreciation", "Total Return", "Since Inception"],
    ["Core One", 0.04, 0.01, 0.05, 0.07],
    ["Core Two", 0.05, -0.01, 0.04, 0.06],
)
CONTACTS: Rows = (["Name", "Email", "Phone", "City"], ["Rowan", "r@example.com", "555-0100", "Reno"])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (FLIGHTS, "travel"),
        (SERIES, "no column names|periods"),
        (STATEMENT, "periods|statement|no column names"),
        (LOOKUP, "no column holds a price"),
        (PIVOT, "pivot"),
        (RETURNS, "returns"),
        (CONTACTS, "no column|too few"),
    ],
)
def test_tables_that_are_no_deals_give_none_and_say_why(rows: Rows, why: str) -> None:
    """The issue names the range and the reason; asking for deals is a clear refusal."""
    extraction = read(rows)
    assert extraction.deal_count == 0
    found = [issue for issue in extraction.issues if issue.code == "table.no_deals"]
    assert len(found) == 1
    assert any(part in found[0].message for part in why.split("|")), found[0].message
    with pytest.raises(InputError) as refused:
        require_deals(extraction)
    assert refused.value.code == "file.no_deals"
    told = refused.value.message
    assert told.startswith(f"deals.xlsx holds no deals ({found[0].cells[0]}: ")
    assert any(part in told for part in why.split("|"))
    assert told.count("no deals") == 1


def test_a_look_up_beside_deals_takes_nothing_from_them() -> None:
    """Two sheets, one of deals."""
    extraction = extract(xlsx({"Codes": LOOKUP, "Deals": (HEADER, *DEALS)}), "book.xlsx")
    assert [table.sheet for table in extraction.tables] == ["Deals"]
    require_deals(extraction)


def test_a_sheet_of_excluded_deals_is_left_out() -> None:
    """Its own name says that they were set aside."""
    extraction = extract(xlsx({"Deals": (HEADER, *DEALS), "Excluded": (HEADER, *DEALS[:2])}), "book.xlsx")
    assert [table.sheet for table in extraction.tables] == ["Deals"]


def test_an_extract_of_a_list_is_not_counted_twice() -> None:
    """A second sheet that repeats some rows under the same headers."""
    extraction = extract(xlsx({"Deals": (HEADER, *DEALS), "Top": (HEADER, *DEALS[:3])}), "book.xlsx")
    assert extraction.deal_count == len(DEALS)
    assert any("repeats t1" in issue.message for issue in extraction.issues)


def test_a_filter_beside_a_list_is_no_list() -> None:
    """Criteria and the rows they found, to the right of the data."""
    plain = [*HEADER[:5], None, *HEADER[:5]]
    criteria = [None, None, None, None, "<7000000"]
    rows = [
        plain,
        [*DEALS[0][:5], None, *criteria],
        *([*row[:5], None, *DEALS[i][:5]] for i, row in enumerate(DEALS[1:3])),
    ]
    rows += [[*DEALS[3][:5]]]
    extraction = read(rows)
    assert [table.range for table in extraction.tables] == ["A1:E5"]


def test_a_sheet_of_labels_and_values_is_one_deal_with_its_cells() -> None:
    """Blocks side by side describe one property."""
    rows = [
        ["Property Summary"],
        [],
        ["Property Name", "Heron Point", None, "Total Units", 120, None, "Guidance Price", 38_000_000],
        ["Street Address", "1 Dock Street", None, "Occupancy", 0.945, None, "NOI", 2_090_000],
        ["City", "Tampa", None, "Year Built", 1985, None, "Cap Rate", 0.055],
        ["State", "FL"],
    ]
    extraction = read(rows)
    found = deal(extraction)
    assert extraction.deal_count == 1
    assert (found.row, found.column) == (None, "B")
    expected = {
        "deal_name": ("Heron Point", "Deals!B3"),
        "units": ("120", "Deals!E3"),
        "asking_price": ("38000000", "Deals!H3"),
        "noi": ("2090000", "Deals!H4"),
        "cap_rate": ("0.055", "Deals!H5"),
    }
    held = {name: (str(value.value), value.cell) for name, value in found.fields.items()}
    assert {name: held.get(name) for name in expected} == expected
