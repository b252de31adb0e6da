"""What titles, sections and notes state of the table below or above them, where it changes on the way down."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import Rows, column, issues, read, values
from tools.deals.statements import Statement, stated

HEADER = ["Property", "City", "Sale Price", "Building SF"]
FULL: Rows = [["Heron Point", "Tampa", 4_500_000, 32_000], ["Cedar Hollow", "Macon", 7_250_000, 48_500]]
THOUSANDS: Rows = [["Union Yard", "Mobile", 5_500, 30_000], ["Prairie Hub", "Joliet", 8_250, 42_000]]
LATER: Rows = [["Union Yard", "Mobile", 5_500_000, 30_000], ["Prairie Hub", "Joliet", 8_250_000, 42_000]]
PRICES = [4_500_000, 7_250_000, 5_500_000, 8_250_000]


def prices(rows: Rows) -> list[object]:
    """The prices of all tables, from top to bottom."""
    return [
        price for table in read(rows).tables for c in table.columns if c.field == "sale_price" for price in c.values
    ]


def currencies(rows: Rows) -> list[str | None]:
    """The currency of the prices of each table."""
    return [c.currency for table in read(rows).tables for c in table.columns if c.field == "sale_price"]


@pytest.mark.parametrize(
    "rows",
    [
        [["2022 Sales"], HEADER, *FULL, [], ["2023 Sales ($ in thousands)"], HEADER, *THOUSANDS],
        [["2022 Sales"], HEADER, *FULL, ["2023 Sales ($ in thousands)"], HEADER, *THOUSANDS],
        [["2022 Sales"], HEADER, *FULL, [], ["2023 Sales"], ["($ in thousands)"], HEADER, *THOUSANDS],
        [HEADER, ["2022"], *FULL, ["2023 ($000s)"], *THOUSANDS],
        [HEADER, ["2022 ($)"], *FULL, ["2023 ($000s)"], *THOUSANDS],
        [HEADER, ["2022", None, None, "USD"], *FULL, ["2023", None, None, "$000"], *THOUSANDS],
        [["2022", None, None, "US$"], HEADER, *FULL, [], ["2023", None, None, "US$ thousands"], HEADER, *THOUSANDS],
        [HEADER, [None, None, "($)"], *FULL, [], HEADER, [None, None, "($000s)"], *THOUSANDS],
    ],
)
def test_each_part_has_the_scale_over_it(rows: Rows) -> None:
    """Under a title of its own, a section, or a row of units; and where it stands at the right of its title."""
    assert prices(rows) == PRICES


def test_a_scale_is_not_carried_to_a_part_that_says_otherwise() -> None:
    """In words, or by amounts a thousand times as large, which is told."""
    over: Rows = [["2022 Sales ($ in thousands)"], HEADER, *THOUSANDS, []]
    assert prices([*over, ["2023 Sales ($)"], HEADER, *FULL]) == [*PRICES[2:], *PRICES[:2]]
    silent: Rows = [*over, ["2023 Sales"], HEADER, *FULL]
    assert prices(silent) == [*PRICES[2:], *PRICES[:2]]
    assert [i.cells for i in issues(read(silent), "scale.parts")] == [("Deals!A1", "Deals!A6", "Deals!C8")]


def test_a_scale_holds_for_sections_that_say_nothing() -> None:
    """The table stays whole, and nothing is told."""
    rows: Rows = [["Sales ($000s)"], HEADER, *THOUSANDS, [], ["Mobile"], HEADER, *THOUSANDS]
    extraction = read(rows)
    assert prices(rows) == PRICES[2:] * 2
    assert len(extraction.tables) == 1
    assert not issues(extraction, "scale.parts")


def test_amounts_in_full_that_are_like_those_in_thousands_are_told() -> None:
    """The first part states no scale, and the second one does for the same sizes."""
    rows: Rows = [["2022 Sales"], HEADER, *THOUSANDS, [], ["2023 Sales ($000s)"], HEADER, *THOUSANDS]
    assert issues(read(rows), "scale.parts")


@pytest.mark.parametrize(
    "rows",
    [
        [["US Comps (USD)"], HEADER, *FULL, [], ["European Comps (EUR)"], HEADER, *LATER],
        [["US Comps"], HEADER, *FULL, [], ["European Comps – EUR"], HEADER, *LATER],
        [HEADER, ["US (USD)"], *FULL, ["Europe (€)"], *LATER],
        [["Comps (USD)"], [], ["United States"], HEADER, *FULL, [], ["Europe, in EUR"], HEADER, *LATER],
    ],
)
def test_each_part_has_the_currency_over_it(rows: Rows) -> None:
    """A title over all of them counts where none of its own does."""
    first, second = currencies(rows)
    assert first == ("USD" if "USD" in str(rows[:3]) else None)
    assert (second, prices(rows)) == ("EUR", PRICES)


@pytest.mark.parametrize("over", [True, False])
def test_a_scale_of_the_whole_holds_for_parts_that_state_currencies(over: bool) -> None:
    """It stands above all of them, or below."""
    parts: Rows = [["US (USD)"], HEADER, *THOUSANDS, [], ["Europe (EUR)"], HEADER, *THOUSANDS]
    rows = [["Comps (in thousands)"], [], *parts] if over else [*parts, ["All figures in thousands"]]
    assert (prices(rows), currencies(rows)) == (PRICES[2:] * 2, ["USD", "EUR"])


def test_units_under_each_header_are_its_own() -> None:
    """They are no deal, and euros and square metres are not read as dollars and square feet."""
    head = ["Property", "City", "Sale Price", "Area"]
    rows: Rows = [head, [None, None, "USD", "SF"], *FULL, [], head, [None, None, "EUR", "sqm"], *LATER]
    extraction = read(rows)
    assert (currencies(rows), prices(rows)) == (["USD", "EUR"], PRICES)
    areas = [v for table in extraction.tables for c in table.columns if c.field == "building_sf" for v in c.values]
    assert areas == pytest.approx([32_000, 48_500, 322_917.31, 452_084.24])
    assert [table.header_rows for table in extraction.tables] == [(1, 2), (6, 7)]


def test_areas_are_in_the_unit_of_their_title() -> None:
    """Of one table, and of the second of two."""
    head = ["Property", "City", "Price", "Area"]
    metric: Rows = [["Germany (areas in sqm)"], head, ["Heron Hof", "Bonn", 1_500_000, 3000]]
    metric = [*metric, ["Cedar Hof", "Kiel", 2_500_000, 4000]]
    assert values(read(metric), "building_sf") == pytest.approx([32_291.73, 43_055.64])
    both = read([["US (areas in SF)"], head, *FULL, [], *metric])
    areas = [v for table in both.tables for c in table.columns if c.field == "building_sf" for v in c.values]
    assert areas == pytest.approx([32_000, 48_500, 32_291.73, 43_055.64])


def test_rents_are_for_the_period_of_their_title() -> None:
    """Those of the second title are monthly ones."""
    head = ["Tenant", "Suite", "SF", "Rent"]
    rows: Rows = [["Annual rents"], head, ["Acme Shoes", "100", 5000, 120_000], ["Acme Books", "110", 1200, 36_000], []]
    rows = [*rows, ["Monthly rents"], head, ["Acme Toys", "120", 900, 2250], ["Acme Tea", "130", 1000, 2500]]
    fields = [[c.field for c in table.columns][-1] for table in read(rows).tables]
    assert fields == ["rent_annual", "rent_monthly"]


@pytest.mark.parametrize(
    "note", ["Prices in $000s", "($ in thousands)", "$000s", "All figures in thousands of dollars", "EUR in thousands"]
)
def test_a_note_right_below_the_last_row_is_about_the_table(note: str) -> None:
    """Its row is a note, and no section."""
    extraction = read([HEADER, *THOUSANDS, [note]])
    assert values(extraction, "sale_price") == PRICES[2:]
    assert [(span.first, span.row_class) for span in extraction.tables[0].excluded_rows] == [(4, "note")]
    assert extraction.tables[0].scale_cell == "Deals!A4"
    assert not issues(extraction, "section.empty")


@pytest.mark.parametrize("gap", [0, 1, 2])
def test_a_note_beside_the_header_is_about_the_table(gap: int) -> None:
    """It heads no column."""
    extraction = read([[*HEADER, *[None] * gap, "($ in thousands)"], *THOUSANDS])
    assert values(extraction, "sale_price") == PRICES[2:]
    assert [c.header for c in extraction.tables[0].columns] == HEADER


@pytest.mark.parametrize("header", ["Amount ($000s)", "Value (in thousands)", "Amount USD 000s"])
def test_an_empty_column_in_thousands_says_nothing_of_others(header: str) -> None:
    """It is a column, though nobody has filled it."""
    extraction = read([[*HEADER, header], *FULL])
    assert values(extraction, "sale_price") == PRICES[:2]


def test_a_note_under_the_header_is_no_section() -> None:
    """It scales the whole table."""
    extraction = read([HEADER, ["($ in thousands)"], *THOUSANDS])
    assert values(extraction, "sale_price") == PRICES[2:]
    assert set(extraction.tables[0].sections) == {None}


def test_a_note_below_gives_the_currency() -> None:
    """Right below the last row."""
    assert column(read([HEADER, *FULL, ["All prices in EUR"]]), "sale_price").currency == "EUR"


@pytest.mark.parametrize("sections", [("Under $5M", "Over $10M"), ("Retail", "Over $10 million"), ("2022", "2023")])
def test_sections_that_state_nothing_leave_the_table_whole(sections: tuple[str, str]) -> None:
    """Sizes of deals in their names are no currencies of the amounts."""
    extraction = read([HEADER, [sections[0]], *FULL, [sections[1]], *LATER])
    assert len(extraction.tables) == 1
    assert [*extraction.tables[0].sections] == [sections[0]] * 2 + [sections[1]] * 2
    assert stated(sections[1]) == Statement()


@pytest.mark.parametrize(
    "rows",
    [
        [["All figures in $000"], [], ["US"], HEADER, *THOUSANDS, [], ["UK (£000)"], HEADER, *THOUSANDS],
        [["All figures in $000"], [], HEADER, ["US"], *THOUSANDS, ["UK (£000)"], *THOUSANDS],
        [["All figures in $000"], [], HEADER, ["US"], *THOUSANDS, ["Britain (£ '000)"], *THOUSANDS],
    ],
)
def test_a_part_in_another_currency_has_it_with_the_scale_right_behind_the_sign(rows: Rows) -> None:
    """In figures, as "£000" has it, which is no amount of nothing."""
    assert currencies(rows) == ["USD", "GBP"]
    assert prices(rows) == PRICES[2:] * 2


@pytest.mark.parametrize("blank", [1, 2])
def test_a_title_over_the_first_column_of_a_shifted_table_is_no_part_of_its_header(blank: int) -> None:
    """Its currency is that of the table."""
    first: Rows = [["US Portfolio ($)"], [*HEADER, "State", "NOI"], *[[*row, "TX", 300_000] for row in FULL]]
    lower: Rows = [["Germany (EUR)"], [*HEADER, "NOI"], *[[*row, 300_000] for row in LATER]]
    rows: Rows = [*first, *[[None] * blank + row for row in map(list, lower)]]
    assert currencies(rows) == ["USD", "EUR"]
    assert read(rows).tables[1].columns[0].header == "Property"
