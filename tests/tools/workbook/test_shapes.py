"""Shapes that sheets of deals come in, each made here: blocks beside and above a table, split headers, groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.tools.workbook.books import HEADER, deals, layout, xlsx
from tools.workbook.detect import Layout, detect_tables
from tools.workbook.open import open_workbook

TENANTS = ["Tenant", "Suite", "Rent", "Area"]
LEASES = [[f"Shop {n}", f"#{n}", 1000.5 * n + n * n, 99 * n + 7] for n in range(1, 9)]
PIVOT = [["Row Labels", "Sum of Price"], ["Austin", 5_119_201], ["Reno", 7_230_417], ["Grand Total", 12_349_618]]


def beside(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]], lower: int, gap: int = 1) -> list[list[Any]]:
    """Two blocks side by side, `gap` empty columns between; the right one starts `lower` rows lower, or higher."""
    starts = max(0, -lower), max(0, lower)
    width, other = max(map(len, left)), max(map(len, right))
    left, right = [[*row, *[None] * (width - len(row))] for row in left], [*right]
    sides = ([[None] * width] * starts[0] + [*left], [[None] * other] * starts[1] + [*right])
    height = max(map(len, sides))
    padded = [side + [[None] * len(side[-1])] * (height - len(side)) for side in sides]
    return [[*a, *[None] * gap, *b] for a, b in zip(*padded, strict=True)]


def places(found: Layout) -> list[tuple[tuple[int, ...], int, int, int]]:
    """Header rows, first and last column, and number of records of each table, from left to right."""
    tables = sorted(found.tables, key=lambda t: (t.first_column, t.first_row))
    return [(t.header_rows, t.first_column, t.last_column, len(t.record_rows)) for t in tables]


@pytest.mark.parametrize("lower", [1, 2, 5, -1, -3])
def test_tables_beside_one_another_with_headers_in_different_rows_are_two_even_with_one_empty_column(
    lower: int,
) -> None:
    """A header beside a record of the other table heads a table of its own."""
    heads = (1 + max(0, -lower),), (1 + max(0, lower),)
    found = layout(beside([HEADER, *deals(8)], [TENANTS, *LEASES], lower))
    assert places(found) == [(heads[0], 0, 3, 8), (heads[1], 5, 8, 8)]


def test_a_table_beside_another_under_a_title_of_its_own_is_one_more() -> None:
    """The title moves its header down."""
    found = layout(beside([HEADER, *deals(8)], [["Leases", None, None, None], TENANTS, *LEASES], 1))
    assert places(found) == [((1,), 0, 3, 8), ((3,), 5, 8, 8)]
    assert [(region.kind, region.range) for region in found.regions if region.kind == "title"] == [("title", "F2")]


def test_columns_beside_an_empty_one_with_header_and_rows_alike_stay_one_table() -> None:
    """A spacer between what a property is and who rents it: nothing tells it from two tables."""
    assert places(layout(beside([HEADER, *deals(8)], [TENANTS, *LEASES], 0))) == [((1,), 0, 8, 8)]


def test_a_header_of_two_rows_with_names_at_different_heights_is_no_table_beside_another() -> None:
    """Names in the first row left of a spacer, in the second right of it."""
    rows = [["Deal", "City", None, "Pricing", "Pricing"], [None, None, None, "Price", "Rate"]]
    rows += [[a, b, None, c, d] for a, b, c, d in deals(8)]
    assert places(layout(rows)) == [((1, 2), 0, 4, 8)]


@pytest.mark.parametrize(("lower", "gap"), [(0, 1), (2, 1), (2, 2), (0, 3)])
def test_a_pivot_pasted_beside_the_list_is_a_table_with_a_total(lower: int, gap: int) -> None:
    """Two columns wide, shorter than the list, wherever it starts."""
    found = layout(beside([HEADER, *deals(9)], PIVOT, lower, gap))
    assert places(found) == [((1,), 0, 3, 9), ((1 + lower,), 4 + gap, 5 + gap, 2)]


def test_key_figures_above_a_list_are_a_block_of_labels_and_values() -> None:
    """Count, sum and mean of what is listed below: one of a kind each, no list."""
    rows = [["Volume", 123_456_789], ["Deals", 8], ["Mean rate", 0.055], [None], HEADER, *deals(8)]
    found = layout(rows)
    assert [(region.kind, region.range) for region in found.regions] == [("key_value", "A1:B3"), ("table", "A5:D13")]
    assert len(found.tables[1].record_rows) == 8


def test_key_figures_in_a_row_above_a_list_are_no_part_of_it() -> None:
    """Names over values, a blank row, then the list with its own header."""
    rows = [["Volume", "Deals", "Mean rate"], [123_456_789, 8, 0.055], [None], HEADER, *deals(8)]
    assert places(layout(rows))[1] == ((4,), 0, 3, 8)


def test_forms_side_by_side_are_a_block_each() -> None:
    """Labels and values twice, one empty column between, all rows the same."""
    left = [["Property", "Elm Court"], ["City", "Reno"], ["Built", "2001-05-01"], ["Units", "44"], ["Class", "B"]]
    right = [["Price", "$4,100,000"], ["Cap rate", "5.5%"], ["Sold", "2020-02-03"], ["Type", "Office"], ["Beds", "9"]]
    found = layout(beside(left, right, 0))
    assert [(region.kind, region.range) for region in found.regions] == [("key_value", "A1:B5"), ("key_value", "D1:E5")]


def test_forms_under_one_another_are_a_block_each() -> None:
    """The same labels again after a blank row."""
    form = [["Property", "Elm Court"], ["Price", "$4,100,000"], ["Cap rate", "5.5%"], ["Built", "2001-05-01"]]
    found = layout([*form, [None], *[[label, value.replace("1", "2")] for label, value in form]])
    assert [(region.kind, region.range) for region in found.regions] == [("key_value", "A1:B4"), ("key_value", "A6:B9")]


def test_formats_tell_a_form_of_plain_numbers_from_a_list() -> None:
    """Three numbers under one another: dollars, a share, a count."""

    def style(book: Any) -> None:
        for cell, code in (("B1", "$#,##0"), ("B2", "0.0%"), ("B3", "0")):
            book.active[cell].number_format = code

    data = xlsx(("Deals", [["Price", 4100], ["Leased", 0.94], ["Suites", 44]]), change=style)
    assert [table.kind for table in detect_tables(open_workbook(data, "x.xlsx")).tables] == ["key_value"]


@pytest.mark.parametrize(
    "numbers", [["(1)", "(2)", "(3)", "(4)"], [1, 2, 3, 4], ["[A]", "[B]", "[C]", "[D]"], ["A", "B", "C", "D"]]
)
def test_a_row_that_numbers_the_columns_belongs_to_the_header(numbers: list[Any]) -> None:
    """As forms of authorities have it; no deal is called 1, in city 2, for 3."""
    (table,) = layout([HEADER, numbers, *deals(8)]).tables
    assert (table.header_rows, table.record_rows) == ((1, 2), list(range(3, 11)))


def test_a_first_record_of_small_numbers_is_no_row_of_column_numbers() -> None:
    """The count starts elsewhere, or not every column is part of it."""
    rows = [["Deal", "Beds", "Baths", "Floors"], ["Elm", 1, 2, 3], ["Oak", 2, 2, 1], ["Ash", 3, 1, 2], ["Fir", 1, 1, 1]]
    (table,) = layout(rows).tables
    assert table.record_rows == [2, 3, 4, 5]


@pytest.mark.parametrize("line", [["----", "----", "-----", "----"], ["=" * 9] * 4, ["Region", "------", "--", "--"]])
def test_a_line_drawn_under_the_names_belongs_to_the_header(line: list[str]) -> None:
    """A print-out's rule, with a label in it or not."""
    (table,) = layout([HEADER, line, *deals(8)]).tables
    assert (table.header_rows, len(table.record_rows)) == ((1, 2), 8)


def test_a_first_record_without_any_value_yet_is_a_record() -> None:
    """A dash a column is what an analyst writes for nothing yet."""
    (table,) = layout([HEADER, ["Elm Court", "Reno", "-", "-"], *deals(8)]).tables
    assert (table.header_rows, len(table.record_rows)) == ((1,), 9)


def test_one_name_over_every_other_column_is_header_and_no_title() -> None:
    """The same words apart from one another are no merged title."""
    rows = [
        [None, "Sales", None, "Sales", None, "Sales", None],
        [None],
        ["Shop", "Store", "Web", "Store", "Web", "Store", "Web"],
        *([f"Shop {n}", *(977 * n * k + k * k for k in range(1, 7))] for n in range(1, 9)),
    ]
    (table,) = layout(rows).tables
    assert table.header_rows == (1, 3)


def test_a_name_over_a_run_of_years_that_comes_again_is_header_though_a_blank_row_follows() -> None:
    """Years twice: the second run is in other dollars, as the lone name over it says."""
    rows = [
        [None, None, None, None, "In 2000 dollars"],
        [None],
        ["Sector", 2019, 2020, 2021, 2019, 2020, 2021],
        *([f"Sector {n}", *(977.5 * n * k + k * k for k in range(1, 7))] for n in range(1, 9)),
    ]
    (table,) = layout(rows).tables
    assert table.header_rows == (1, 3)


def test_the_label_columns_name_may_stand_over_a_row_of_units_that_has_a_label_of_its_own() -> None:
    """Names, then the label column's name by itself, then the units."""
    rows = [[None, "Owned", "Vacant"], [None], ["Area"], [None], ["Unit", "(percent)", "(percent)"]]
    rows += [[f"Area {n}", 60.5 + n * n % 7, 4.1 + n % 5] for n in range(1, 12)]
    (table,) = layout(rows).tables
    assert table.header_rows == (1, 3, 5)


def test_a_groups_name_on_its_first_row_only_parts_nothing() -> None:
    """The records below lean on the name above; all are records of one table."""
    rows = [["Region", *HEADER]]
    rows += [[("West" if n == 0 else "East" if n == 4 else None), *deal] for n, deal in enumerate(deals(8))]
    (table,) = layout(rows).tables
    assert (table.header_rows, table.record_rows) == ((1,), list(range(2, 10)))


def test_the_charge_lines_of_a_unit_stay_in_its_table() -> None:
    """A unit's first line names it, its further charges only say what they are."""
    rows: list[list[Any]] = [["Unit", "Tenant", "Code", "Amount"]]
    for n in range(1, 7):
        rows += [[f"{100 + n}", f"Firm {n}", "rent", 1200 + 37 * n], [None, None, "cam", 110 + 7 * n * n]]
        rows += [[None, None, "tax", 45 + n]] if n % 2 else []
    (table,) = layout(rows).tables
    assert (table.header_rows, len(table.record_rows)) == ((1,), 15)


def test_records_of_which_little_is_known_go_on_with_the_table_after_a_blank_row() -> None:
    """A name and a city under names and cities: the list's tail, and no table of two columns."""
    header = [*HEADER, "Broker", "Closed", "Units", "Built"]
    full = [[*deal, "Agency", f"2023-0{n}-05", 40 + n, 1990 + n] for n, deal in enumerate(deals(6), 1)]
    early = [[f"Court {n}", "Reno"] for n in range(1, 5)]
    (table,) = layout([header, *full, [None], *early]).tables
    assert table.record_rows == [2, 3, 4, 5, 6, 7, 9, 10, 11, 12]


def test_a_list_of_labels_and_amounts_under_a_wide_table_is_a_table_of_its_own() -> None:
    """Amounts where the table above has cities."""
    header = [*HEADER, "Broker", "Closed", "Units", "Built"]
    full = [[*deal, "Agency", f"2023-0{n}-05", 40 + n, 1990 + n] for n, deal in enumerate(deals(6), 1)]
    found = layout([header, *full, [None], *[[f"Cost {n}", 1000 + 37 * n * n] for n in range(1, 5)]])
    assert [len(table.record_rows) for table in found.tables] == [6, 4]


@pytest.mark.parametrize(("over", "heads"), [("List of what we looked at", (2,)), ("Property", (1, 2))])
def test_a_cell_over_an_unnamed_label_column_is_its_name_if_it_is_short_and_a_title_otherwise(
    over: str, heads: tuple[int, ...]
) -> None:
    """The header leaves the first cell empty; what stands over it may be either."""
    (table,) = layout([[over], [None, *HEADER[1:]], *deals(8)]).tables
    assert table.header_rows == heads


SALES = [[f"{n} Elm", "Plano", 1_000_000 * n + 17 * n * n, 0.05 + n / 1000] for n in range(1, 5)]
FUND = ["Property", "State", "Price", "Units"]


@pytest.mark.parametrize("top", [[], [["Market ($ in 000s)"], []]])
@pytest.mark.parametrize("after", [[], [[None]]])
def test_tables_beside_one_another_with_a_title_over_each_are_two_even_with_one_empty_column(
    top: list[list[Any]], after: list[list[Any]]
) -> None:
    """Funds with the same header; sales beside leases, whose titles share a word; and a page title over both."""
    funds = beside([["Fund I"], *after, FUND, *SALES], [["Fund II"], *after, FUND, *SALES[:2]], 0)
    comps = beside(
        [["Sale Comps"], *after, ["Address", "City", "Price", "Cap"], *SALES],
        [["Lease Comps"], *after, TENANTS, *LEASES[:4]],
        0,
    )
    head = len(top) + len(after) + 2
    assert places(layout([*top, *funds])) == [((head,), 0, 3, 4), ((head,), 5, 8, 2)]
    found = layout([*top, *comps])
    assert places(found) == [((head,), 0, 3, 4), ((head,), 5, 8, 4)]
    assert all("Market ($ in 000s)" in dict(table.note_lines) for table in found.tables if top)


def test_titles_that_share_no_word_part_tables_of_which_one_ends_lower() -> None:
    """Equally long ones may be groups of columns; a total after a blank row is no hole in a table."""
    sales, leases = [["2024 Sales"], ["Address", "City", "Price", "Cap"], *SALES], [["Tenancy"], TENANTS, *LEASES[:4]]
    assert places(layout(beside(sales, leases, 0))) == [((1, 2), 0, 8, 4)]
    assert places(layout(beside(sales, leases[:-1], 0))) == [((2,), 0, 3, 4), ((2,), 5, 8, 3)]
    closed = [*leases, [], ["Average", None, 2507.5, 254.5]]
    assert places(layout(beside(sales, closed, 0))) == [((2,), 0, 3, 4), ((2,), 5, 8, 4)]


def test_names_of_groups_of_columns_parted_by_a_narrow_empty_one_cut_no_table() -> None:
    """Property Information, Lease Information; the lease is known of some properties only."""
    leases: list[list[Any]] = [TENANTS, LEASES[0], [None] * 4, LEASES[2], LEASES[3]]
    rows = beside(
        [["Property Information"], ["Address", "City", "Price", "Cap"], *SALES], [["Lease Information"], *leases], 0
    )
    assert places(layout(rows)) == [((1, 2), 0, 8, 4)]


def test_units_under_names_that_are_merged_down_to_them_belong_to_the_header() -> None:
    """Hotel and City stand in three merged rows; the units stand in the last of these, beside them."""
    rows: list[list[Any]] = [
        ["Hotel", "City", "TTM", None, "Plan", None],
        [None, None, "Occ.", "NOI", "Occ.", "NOI"],
        [None, None, "%", "$000", "%", "$000"],
        *([f"Inn {n}", "Erie", 60.5 + n, 1400 + 37 * n, 63.5 + n, 1500 + 41 * n * n] for n in range(1, 5)),
    ]

    def merge(book: Any) -> None:
        for place in ("A1:A3", "B1:B3", "C1:D1", "E1:F1"):
            book["Deals"].merge_cells(place)

    (table,) = detect_tables(open_workbook(xlsx(("Deals", rows), change=merge), "x.xlsx")).tables
    assert table.header_rows == (1, 2, 3)
    assert table.headers[3] == "TTM / NOI / $000"
    assert table.record_rows == [4, 5, 6, 7]


def test_a_header_with_its_names_in_another_order_heads_the_next_table_without_a_blank_row() -> None:
    """Two exports pasted one under the other, and a title between them or none."""
    first, again = ["Address", "City", "Price", "Cap"], ["Address", "Price", "Cap", "City"]
    turned = [[name, price, cap, city] for name, city, price, cap in SALES]
    tight = layout([first, *SALES, again, *turned]).tables
    assert [(t.header_rows, t.record_rows) for t in tight] == [((1,), [2, 3, 4, 5]), ((6,), [7, 8, 9, 10])]
    titled = layout([first, *SALES, ["Closed"], again, *turned])
    assert [t.header_rows for t in titled.tables] == [(1,), (7,)]
    assert titled.tables[1].note_lines == (("Closed", "A6"),)


def test_an_average_above_the_header_hides_no_header() -> None:
    """It sums up what stands below; the names come next."""
    found = layout([["Average", None, 2_500_000, 0.052], ["Address", "City", "Price", "Cap"], *SALES])
    (table,) = found.tables
    assert (table.header_rows, table.record_rows) == ((2,), [3, 4, 5, 6])
    assert found.census[0].rows[0].row_class == "total"


STEPS = ["Rent Steps", "Charge", "Type", "Area", "From", "To", "Monthly"]


def stepped(*, records: int = 3, blank: bool = True) -> list[list[Any]]:
    """A tenancy schedule with a block of rent steps, under a header of its own, below each tenant."""
    rows: list[list[Any]] = [["Unit", "Lease", "Type", "Area", "From", "To", "Monthly"], ["Current leases"]]
    gap: list[list[Any]] = [[]] if blank else []
    for n in range(1, records + 1):
        rows.append([f"A{n}", f"Shop {n}", "Net", 1000 * n + 7, "2024-02-01", "2029-01-31", 2000 * n + 3])
        steps = [
            [None, "base", "Net", 1000 * n + 7, f"202{y}-02-01", f"202{y + 1}-01-31", 1900 * n + y] for y in (4, 5)
        ]
        rows += [*gap, STEPS, *steps, *gap]
    return [*rows, ["Total", None, None, 6021, None, None, 12_009]]


@pytest.mark.parametrize("blank", [True, False])
def test_details_under_each_record_with_a_header_of_their_own_are_no_records_and_cut_no_table(blank: bool) -> None:
    """Their rows are accounted for as something else, and excluded from the table around them."""
    rows = stepped(blank=blank)
    units = [at for at, row in enumerate(rows, 1) if row[:1] in (["A1"], ["A2"], ["A3"])]
    steps = [at for at, row in enumerate(rows, 1) if row == STEPS or row[1:2] == ["base"]]
    found = layout(rows)
    (table,) = found.tables
    assert table.record_rows == units
    assert table.sections == ["Current leases"] * 3
    others = [s for s in table.excluded if s.row_class == "other"]
    assert [row for s in others for row in range(s.first, s.last + 1)] == steps
    spans = [s for s in found.census[0].rows if s.row_class == "other"]
    assert [row for s in spans for row in range(s.first, s.last + 1)] == steps


def test_details_under_one_record_only_are_told_by_the_records_going_on_below() -> None:
    """As they were above; a header whose columns are numbered, or that names but the first one anew, starts a table."""
    once = [row for row in stepped() if row != STEPS and row[1:2] != ["base"]]
    at = next(i for i, row in enumerate(once) if row[:1] == ["A2"]) + 1
    steps = [[None, "base", "Net", 907, "2024-02-01", "2025-01-31", 1904]]
    (table,) = layout([*once[:at], [], STEPS, *steps, [], *once[at:]]).tables
    assert len(table.record_rows) == 3
    tail = ["Assets", *HEADER[1:]]
    listed = [HEADER, *deals(4), [], ["Turbines", *HEADER[1:]], *([None, *deal[1:]] for deal in deals(3)), []]
    (table,) = layout([*listed, tail, *deals(3)]).tables
    assert len(table.record_rows) == 10
    numbered: list[list[Any]] = [[None, 1, 2, 3, 4, 5, 6]]
    assert len(layout([*once[:at], [], STEPS, *numbered, [], *once[at:]]).tables) == 2


def test_tables_under_one_another_with_the_same_header_are_no_details() -> None:
    """No record of another table stands between them; their rows are records."""
    rows = [row for row in stepped() if row[:1] not in (["A2"], ["A3"])]
    assert sum(len(table.record_rows) for table in layout(rows).tables) == 7


@pytest.mark.parametrize("apart", [[], [[]], [["2023 Sales"]]])
@pytest.mark.parametrize(("first", "then"), [(1, 0), (0, 1), (3, 0)])
def test_the_same_header_in_other_columns_heads_a_table_of_its_own(
    apart: list[list[Any]], first: int, then: int
) -> None:
    """Its records stand under it, and none is read by the columns of the table above."""
    upper = [[None] * first + row for row in [HEADER, *deals(4)[:2]]]
    lower = [[None] * then + row for row in [*apart, HEADER, *deals(4)[2:]]]
    found = layout([*upper, *lower]).tables
    assert [(t.first_column, len(t.record_rows)) for t in found] == [(first, 2), (then, 2)]


def test_a_header_that_comes_again_in_other_columns_than_its_records_names_nothing() -> None:
    """The records go on under the first one."""
    (table,) = layout([HEADER, *deals(4)[:2], [], [None, *HEADER], *deals(4)[2:]]).tables
    assert table.header_rows == (1,)
    assert len(table.record_rows) == 4
