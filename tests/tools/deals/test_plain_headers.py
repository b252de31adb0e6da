"""Headers whose meaning their neighbours or the way they are written make plain."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import Rows, deal, issues, listed, read, values
from tests.tools.deals.columns import fields_of

LEASES = {"Tenant": "tenant", "Suite": "suite", "Monthly Rent": "rent_monthly", "SF": "leased_sf"}
LOANS = {"Loan ID": "source_id", "Borrower": "deal_name", "Cur UPB": "loan_amount", "LTV": "ltv", "Orig Date": "-date"}
PARTIES = {"Property": "deal_name", "Sale Price": "sale_price", "Sale Date": "sale_date", "City": "city"}


@pytest.mark.parametrize("term", ["Term (mo)", "ORIG_TERM", "Original Term"])
def test_a_term_among_leases_is_a_lease_term_and_among_loans_is_none(term: str) -> None:
    """The other headers say whose term it is."""
    assert fields_of(LEASES | {term: "lease_term_months"})[0][term] == "lease_term_months"
    assert fields_of(LOANS | {term: "lease_term_months"})[0][term] is None


@pytest.mark.parametrize("parties", ["Buyer / Seller", "Buyer/Seller", "Purchaser / Vendor", "Landlord/Tenant"])
def test_two_parties_in_a_column_are_neither_of_them(parties: str) -> None:
    """The column stays as it is, in no field."""
    assert fields_of(PARTIES | {parties: "buyer"})[0][parties] is None


@pytest.mark.parametrize("header", ["Guidance / Door", "Guidance/Door", "Ask / Unit", "$ / Key"])
def test_an_amount_by_the_door_is_no_asking_price(header: str) -> None:
    """Whatever blanks stand around the slash."""
    extraction = listed(["$200k", "~$210,000", 195_000], header)
    assert values(extraction, "price_per_unit") == [200_000, 210_000, 195_000]
    assert extraction.tables[0].column_of("asking_price") is None


def test_the_amount_of_an_opportunity_outranks_its_expected_revenue() -> None:
    """The latter is the amount weighed by its probability; alone it is what there is."""
    plain = {"Opportunity Name": "deal_name", "Stage": "stage", "Probability (%)": "probability"}
    fields, _ = fields_of(plain | {"Expected Revenue": "deal_value", "Amount": "deal_value"})
    assert (fields["Amount"], fields["Expected Revenue"]) == ("deal_value", None)
    assert fields_of(plain | {"Expected Revenue": "deal_value"})[0]["Expected Revenue"] == "deal_value"


def test_a_column_of_cities_under_city_and_state_is_one_of_cities() -> None:
    """Half a header does not make cities states."""
    assert fields_of({"Property": "deal_name", "City / State": "city", "Price": "price"})[0]["City / State"] == "city"


def test_a_scale_on_its_own_level_or_behind_other_words_scales() -> None:
    """Price over $000, and a price in local millions."""
    rows = [["Property", "City", "Price (local, mm)"], ["A", "Reno", 1.5], ["B", "Reno", 2.5]]
    assert values(read(rows), "price") == [1_500_000, 2_500_000]
    rows = [["Property", "City", "Price"], ["", "", "$000"], ["A", "Reno", 1500], ["B", "Reno", 2500]]
    assert values(read(rows), "price") == [1_500_000, 2_500_000]


def test_marks_of_footnotes_change_neither_header_nor_value() -> None:
    """The values' marks are told."""
    extraction = listed(["95.0% (3)", "90%", "88.5% †"], "% Leased (2)")
    assert values(extraction, "occupancy") == [0.95, 0.9, 0.885]
    assert len(issues(extraction, "value.qualified")[0].cells) == 2


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        (("NOI 2023", "NOI 2024", "NOI 2025E"), "NOI 2024"),
        (("2025 Budget NOI", "2024 NOI"), "2024 NOI"),
        (("NOI FY23", "NOI FY24"), "NOI FY24"),
        (("NOI 2026E", "NOI 2025E"), "NOI 2025E"),
    ],
)
def test_of_several_years_the_newest_that_is_no_estimate_is_taken_and_told(
    headers: tuple[str, ...], taken: str
) -> None:
    """The others stay in no field; the issue names all of them."""
    rows = [
        ["Property", "City", "Price", *headers],
        *(["A", "Reno", n, *[n * 0.06] * len(headers)] for n in (1e6, 2e6)),
    ]
    extraction = read(rows)
    assert [c.header for c in extraction.tables[0].columns if c.field == "noi"] == [taken]
    assert len(issues(extraction, "column.years")[0].cells) == len(headers)


def test_a_figure_of_no_year_outranks_those_of_years() -> None:
    """And nothing is asked then."""
    extraction = read([["Property", "City", "NOI 2023", "NOI"], ["A", "Reno", 1e5, 2e5], ["B", "Reno", 1e5, 2e5]])
    assert values(extraction, "noi") == [2e5, 2e5]
    assert not issues(extraction, "column.years")


def test_a_property_sheet_with_a_figure_of_two_years_tells_which_was_taken() -> None:
    """In a block of labels and values the cells of both are named, and the other one is kept."""
    rows: list[list[object]] = [
        ["Property Name", "Elm Court"],
        ["Address", "1 Elm Street"],
        ["City, State", "Reno, NV"],
    ]
    more: Rows = [["Purchase Price", 5_000_000], ["NOI 2023", 300_000], ["NOI 2024", 320_000], ["Units", 50]]
    extraction = read([*rows, *more])
    assert (values(extraction, "noi"), values(extraction, "state")) == ([320_000], ["NV"])
    assert set(issues(extraction, "column.years")[0].cells) == {"Deals!B5", "Deals!B6"}
    assert issues(extraction, "column.split")[0].cells == ("Deals!B3",)
    assert deal(extraction).extra["NOI 2023"].value == 300_000


@pytest.mark.parametrize(
    ("values_held", "field"),
    [
        (["22,000 SF", "98,400 SF", "14,250 sq. ft."], "building_sf"),
        (["2.5 acres", "3 ac", "1.25 acres"], "land_acres"),
        (["22,000 SF", "24 units", "3 acres"], None),
    ],
)
def test_a_size_is_what_the_units_in_its_cells_say(values_held: list[object], field: str | None) -> None:
    """Feet are a building's, acres a site's; a mix stays in no field."""
    assert listed(values_held, "Size").tables[0].columns[4].field == field


def test_a_group_s_word_over_units_leaves_them_units() -> None:
    """Size stands over Units and Building SF; "Unit size" in one header would be something else."""
    rows: list[list[object]] = [
        ["Property", None, "Size", None, "Pricing"],
        ["Property Name", "City", "Units", "Building SF", "Asking Price"],
    ]
    rows += [[f"Place {i}", "Reno", 10 * i, 9_000 * i, 1_000_000 * i] for i in range(1, 6)]
    assert values(read(rows), "units") == [10, 20, 30, 40, 50]


@pytest.mark.parametrize("header", ["Price $", "Price €", "$ Price", "Price (£)"])
def test_a_sign_beside_a_weak_word_takes_nothing_from_it(header: str) -> None:
    """It says no more than that the column holds money."""
    assert fields_of({"Property": "deal_name", "City": "city", header: "price"})[0][header] == "price"


@pytest.mark.parametrize("unit", ["'000", "000", "thousands", "$ 000s"])
def test_a_row_of_units_under_the_header_may_be_nothing_but_a_scale(unit: str) -> None:
    """What stands there scales the amounts of its column, and of no other."""
    rows: Rows = [["Property", "NOI", "Price"], [None, None, unit]]
    extraction = read([*rows, *([f"Harrow Street {at}", 600_000 + at, 9_000 + at] for at in range(5))])
    assert values(extraction, "price")[:2] == [9_000_000, 9_001_000]
    assert values(extraction, "noi")[0] == 600_000
