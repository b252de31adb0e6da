"""What stands beside, above or below a list of deals: forms, choices, other tables; each is read as what it is."""

from __future__ import annotations

import datetime as dt

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import Rows, issues, read

DEALS: Rows = (
    ["Property", "City", "Sale Price", "SF"],
    ["Heron Point", "Tampa", 4_500_000, 32_000],
    ["Cedar Hollow", "Macon", 7_250_000, 48_500],
    ["Union Yard", "Mobile", 3_100_000, 21_000],
)
FORM: Rows = (
    ["Property Name", "Prairie Hub"],
    ["Address", "4 Rowell Avenue"],
    ["City", "Joliet"],
    ["Building SF", 45_000],
    ["Asking Price", 6_500_000],
    ["Cap Rate", 0.0675],
    ["NOI", 438_750],
)
UNITS: Rows = (
    ["Suite", "Tenant", "SF", "Lease End", "Annual Rent"],
    ["100", "Kite Foods", 5000, dt.date(2029, 12, 31), 120_000],
    ["110", "Lark Shoes", 1200, dt.date(2026, 5, 31), 36_000],
    ["120", "Tern Gym", 2200, dt.date(2027, 5, 31), 46_000],
)
MONEY: Rows = (["Asking Price", 6_500_000], ["Cap Rate", 0.0675], ["NOI", 438_750], ["Occupancy", 0.93])
PLACE: Rows = (["Property Name", "Prairie Hub"], ["City", "Joliet"], ["State", "IL"], ["Year Built", 1988])
LOAN: Rows = (["Lender", "Kite Bank"], ["Loan Amount", 4_000_000], ["Interest Rate", 0.06], ["LTV", 0.62])


def beside(left: Rows, right: Rows, lower: int = 0, gap: int = 1) -> list[list[object]]:
    """Two blocks side by side, the right one `lower` rows lower."""
    right = [*[[]] * lower, *right]
    width = max(map(len, left))
    padded = [[*row, *[None] * (width - len(row))] for row in [*left, *[[]] * (len(right) - len(left))]]
    return [[*a, *[None] * gap, *b] for a, b in zip(padded, [*right, *[[]] * (len(padded) - len(right))], strict=True)]


def held(extraction: Extraction) -> list[dict[str, object]]:
    """The fields of each deal."""
    return [{name: value.value for name, value in deal.fields.items()} for deal in extraction.deals()]


ALONE, ITS_FORM, ITS_UNITS = held(read(DEALS)), held(read(FORM)), held(read(UNITS))


@pytest.mark.parametrize("table", [DEALS, UNITS], ids=["deals", "units"])
@pytest.mark.parametrize(
    "arrange",
    [
        pytest.param(lambda t: [*FORM, [], *t], id="above"),
        pytest.param(lambda t: [*FORM, *t], id="right above"),
        pytest.param(lambda t: [*t, [], *FORM], id="below"),
        pytest.param(lambda t: [*t, [], ["Summary"], *FORM], id="below with a title"),
        pytest.param(lambda t: beside(FORM, t), id="left"),
        pytest.param(lambda t: beside(FORM, t, 2), id="left and higher"),
        pytest.param(lambda t: beside([["Subject"], *FORM], [["List"], *t]), id="left with titles"),
        pytest.param(lambda t: beside(t, FORM), id="right"),
        pytest.param(lambda t: beside(t, FORM, 2), id="right and lower"),
        pytest.param(lambda t: beside(t, FORM, 0, 2), id="right and farther"),
    ],
)
def test_a_property_in_labels_and_values_around_a_list_is_a_deal_of_its_own(table: Rows, arrange: object) -> None:
    """Its labels become no deals and none of its values a list's, and the list loses nothing."""
    assert callable(arrange)
    found = held(read(arrange(table)))
    assert sorted(map(str, found)) == sorted(map(str, [*held(read(table)), *ITS_FORM]))


def test_a_form_that_repeats_a_listed_deal_is_none_of_its_own() -> None:
    """Details of the deal that was picked, beside the list: said once."""
    picked = [["Property Name", "Heron Point"], ["City", "Tampa"], ["Sale Price", 4_500_000], *FORM[3:4], *FORM[5:]]
    assert held(read([*DEALS, [], *picked])) == ALONE


@pytest.mark.parametrize("lost", [0, 4], ids=["no name", "no price"])
def test_labels_around_a_list_that_name_or_price_no_property_are_told(lost: int) -> None:
    """What a list is about stands over it, too."""
    rows = [row for at, row in enumerate(FORM) if at != lost and not (lost and at > lost) and (lost or at != 1)]
    extraction = read([*rows, ["Client", "Kite"], ["Market", "Reno"], [], *UNITS])
    assert held(extraction) == ITS_UNITS
    assert issues(extraction, "table.no_deals")


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(beside(PLACE, MONEY), id="two"),
        pytest.param(beside(PLACE, MONEY, 0, 0), id="two that touch"),
        pytest.param(beside(PLACE, MONEY[:3]), id="one longer"),
        pytest.param(beside(beside(PLACE, MONEY), LOAN), id="three"),
        pytest.param(beside([["Property"], *PLACE], [["Financials"], *MONEY], 0, 1), id="a title over each"),
        pytest.param(beside([["Property"], [], *PLACE], [["Financials"], [], *MONEY]), id="titles set apart"),
    ],
)
def test_labels_and_values_side_by_side_are_one_property(rows: Rows) -> None:
    """No label is a deal, and no title a name."""
    extraction = read(rows)
    (deal,) = held(extraction)
    assert (deal["deal_name"], deal["city"], deal["asking_price"], deal["noi"]) == (
        "Prairie Hub",
        "Joliet",
        6_500_000,
        438_750,
    )
    assert not issues(extraction, "table.no_deals")


@pytest.mark.parametrize("gap", [1, 2])
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["Property Types", "Retail", "Office", "Industrial", "Hotel", "Land"], id="goes on below"),
        pytest.param(["Status", "Active", "Closed", "Dead", "On Hold"], id="one word more"),
        pytest.param(["Property Types", "Retail", "Office", "Hotel"], id="called types"),
        pytest.param(["Broker List", "Kite", "Lark"], id="called a list"),
    ],
)
def test_a_list_of_choices_beside_deals_gives_them_nothing(words: list[str], gap: int) -> None:
    """It is what a cell may hold, and not what one does."""
    assert held(read(beside(DEALS, [[word] for word in words], 0, gap))) == ALONE


def test_a_list_of_choices_left_of_deals_gives_them_nothing() -> None:
    """It is called a list."""
    assert held(read(beside([["Broker List"], ["Kite"], ["Lark"]], DEALS))) == ALONE


def test_a_word_of_a_kind_for_each_deal_behind_an_empty_column_is_told() -> None:
    """Nothing settles whether they are the deals' own."""
    extraction = read(beside(DEALS, [["Status"], ["Active"], ["Closed"], ["Dead"]]))
    (issue,) = issues(extraction, "table.beside")
    assert issue.cells == ("Deals!F2",)
    assert [deal["status"] for deal in held(extraction)] == ["Active", "Closed", "Dead"]


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param([["Status"], ["Active"], ["Closed"], ["Active"]], id="states"),
        pytest.param([["Broker"], ["Kite"], ["Lark"], ["Tern"]], id="brokers"),
        pytest.param([["Comments"], ["Call back"], ["Sold off market"]], id="comments"),
        pytest.param([["Cap Rate", "NOI"], [0.06, 270_000], [0.05, 362_500], [0.07, 217_000]], id="numbers"),
        pytest.param([["Buyer", "Seller"], ["Kite", "Tern"], ["Lark", "Wren"], ["Rook", "Kite"]], id="parties"),
    ],
)
def test_more_columns_of_deals_behind_a_spacer_stay_theirs_and_nothing_is_told(columns: Rows) -> None:
    """A spacer is usual."""
    extraction = read(beside(DEALS, columns))
    assert len(extraction.tables) == 1
    assert extraction.tables[0].columns[-1].header == columns[0][-1]
    assert not issues(extraction, "table.beside")


@pytest.mark.parametrize(
    "more", [[], [["130", "Wren Cafe", 900, dt.date(2028, 1, 31), 20_000]]], ids=["even", "longer"]
)
def test_units_beside_sales_are_a_table_of_their_own(more: Rows) -> None:
    """A sale has no suite, and a unit no price."""
    for rows in (beside(DEALS, [*UNITS, *more]), beside([*UNITS, *more], DEALS)):
        extraction = read(rows)
        assert len(extraction.tables) == 2
        expected = [*ALONE, *held(read([*UNITS, *more]))]
        assert sorted(map(str, held(extraction))) == sorted(map(str, expected))


def test_names_that_begin_again_behind_an_empty_column_begin_a_table() -> None:
    """Sold and offered, with columns of their own."""
    offered = [
        ["Property", "Units", "Asking Price"],
        ["Elm Court", 20, 2e6],
        ["Oak Row", 30, 3e6],
        ["Fir Hill", 9, 1e6],
    ]
    found = read(beside(DEALS, offered))
    assert [len(table.records) for table in found.tables] == [3, 3]
    assert [deal["deal_name"] for deal in held(found)][3:] == ["Elm Court", "Oak Row", "Fir Hill"]


def test_the_tenant_of_each_sale_behind_an_empty_column_is_told() -> None:
    """Sales of houses with one tenant look so; leases beside them do, too."""
    leases = [["Tenant", "Annual Rent", "Lease End"], *([row[1], row[4], row[3]] for row in UNITS[1:])]
    extraction = read(beside(DEALS, leases))
    assert len(extraction.tables) == 1
    assert issues(extraction, "table.beside")


def test_labels_that_come_again_between_records_in_columns_are_no_deal() -> None:
    """Two blocks with a property a column each, side by side."""
    first = [["Property Name", "Heron Point", "Cedar Hollow"], ["City", "Tampa", "Macon"], ["Asking Price", 5e6, 6e6]]
    second = [["Property Name", "Union Yard", "Prairie Hub"], ["City", "Mobile", "Joliet"], ["Asking Price", 7e6, 8e6]]
    rest = [["NOI", 3e5, 4e5], ["Cap Rate", 0.06, 0.0667]]
    found = held(read(beside([*first, *rest], [*second, *rest])))
    assert [deal["deal_name"] for deal in found] == ["Heron Point", "Cedar Hollow", "Union Yard", "Prairie Hub"]


def test_the_rows_of_a_form_under_a_list_belong_to_the_form() -> None:
    """The account of a sheet's rows names tables that there are, each row once."""
    deals: Rows = [[f"Alder {n}", "Reno", 1_000_000 + 7_919 * n, 60_000 + 31 * n] for n in range(6)]
    form: Rows = [["Property Name", "Heron Point"], ["Address", "1 Dock Street"], ["City", "Tampa"]]
    form += [["Asking Price", 10_000_000], ["NOI", 600_000], ["Building SF", 50_000], ["Year Built", 1999]]
    extraction = read([["Property", "City", "Asking Price", "NOI"], *deals, [], [], [], *form])
    assert extraction.deal_count == 7
    told = {span.table_id for census in extraction.census for span in census.rows}
    assert told == {table.table_id for table in extraction.tables}
