"""Finding tables: where they lie, what heads them, which rows are records."""

from __future__ import annotations

import pytest

from schemas.workbook import TableBounds
from tests.tools.workbook.books import HEADER, deals, grid, layout
from tools.workbook.detect import detect_tables


def classes(rows: list[list[object]]) -> dict[int, str]:
    """The class of each row of a sheet with one table across."""
    (census,) = layout(rows).census
    return {row: span.row_class for span in census.rows for row in range(span.first, span.last + 1)}


def test_a_plain_table_has_the_first_row_as_header_and_every_other_row_as_record() -> None:
    """Nothing to peel: one region, one header row, all records."""
    (table,) = layout([HEADER, *deals(5)]).tables
    assert (table.header_rows, table.record_rows) == ((1,), [2, 3, 4, 5, 6])
    assert table.headers == HEADER
    assert (table.first_column, table.last_column, table.orientation, table.kind) == (0, 3, "rows", "table")


def test_title_rows_over_the_header_are_titles_whether_a_blank_row_follows_or_not() -> None:
    """A title glued to the header is still no header, even when it holds a header's words."""
    for gap in ([], [[None]]):
        found = layout([["Property list of the fund"], ["as of March"], *gap, HEADER, *deals(6)])
        (table,) = found.tables
        assert table.header_rows == (3 + len(gap),)
        assert [text for text, _ in table.note_lines] == ["Property list of the fund", "as of March"]
        assert [cell for _, cell in table.note_lines] == ["A1", "A2"]


def test_a_title_merged_over_the_table_is_a_title() -> None:
    """One value over all columns, as a merged cell comes written out, heads the table from outside."""
    (table,) = layout([["Fund deals"] * 4, HEADER, *deals(6)]).tables
    assert table.header_rows == (2,)


def test_two_header_rows_are_joined_column_by_column() -> None:
    """A spanner row over the column names is part of the header."""
    rows = [[None, None, "Pricing", "Pricing"], HEADER, *deals(6)]
    (table,) = layout(rows).tables
    assert table.header_rows == (1, 2)
    assert table.headers == ["Deal", "City", "Pricing / Price", "Pricing / Rate"]


def test_three_header_rows_with_words_split_over_them_are_joined() -> None:
    """A report writer's header: each name broken over rows."""
    rows = [[None, None, "Asking", "Cap"], [None, None, "Price", "Rate"], ["Deal", "City", "(000s)", "(%)"], *deals(7)]
    (table,) = layout(rows).tables
    assert table.header_rows == (1, 2, 3)
    assert table.headers[2:] == ["Asking / Price / (000s)", "Cap / Rate / (%)"]


def test_a_row_of_units_under_the_names_belongs_to_the_header() -> None:
    """($) and (%) under the names are no record, though (000) reads like a number."""
    (table,) = layout([HEADER, [None, None, "(000)", "(%)"], *deals(6)]).tables
    assert table.header_rows == (1, 2)
    assert len(table.record_rows) == 6


def test_a_row_of_units_and_years_under_the_names_belongs_to_the_header() -> None:
    """Years typed as text and a scale stand under the names, where the label column is empty."""
    rows = [["Name", "City", "Price", "NOI", "NOI"], [None, None, "$000", "2024", "2025"]]
    found = layout([*rows, *([f"Place {n}", "Reno", 1000 * n, 60 * n, 66 * n] for n in range(1, 5))])
    assert found.tables[0].header_rows == (1, 2)
    assert found.tables[0].headers == ["Name", "City", "Price / $000", "NOI / 2024", "NOI / 2025"]


def test_a_record_without_a_name_that_holds_a_unit_and_years_is_no_header() -> None:
    """Under other records it is one of them."""
    rows = [["Name", "Unit", "Built", "Sold"], *([f"Place {n}", "ha", 1990 + n, 2010 + n] for n in range(4))]
    found = layout([*rows, [None, "ha", 1999, 2020], ["Place 9", "ha", 1991, 2021]])
    assert found.tables[0].header_rows == (1,)
    assert len(found.tables[0].record_rows) == 6


def test_section_rows_become_the_section_of_the_records_under_them() -> None:
    """A lone label inside a table heads what follows it and is no record."""
    rows = [HEADER, ["Under contract"], *deals(3), ["Closed"], *deals(2, 4)]
    (table,) = layout(rows).tables
    assert table.record_rows == [3, 4, 5, 7, 8]
    assert table.sections == ["Under contract"] * 3 + ["Closed"] * 2
    assert [(span.first, span.row_class) for span in table.excluded] == [(2, "section"), (6, "section")]


def test_a_sections_own_sections_are_joined_and_closed_by_their_like() -> None:
    """Two levels of labels, told apart by how they look."""
    rows = [HEADER, ["WEST"], ["Office"], *deals(2), ["Retail"], *deals(2, 3), ["EAST"], ["Office"], *deals(2, 5)]
    (table,) = layout(rows).tables
    assert table.sections == ["WEST / Office"] * 2 + ["WEST / Retail"] * 2 + ["EAST / Office"] * 2


def test_totals_are_found_by_label_and_are_no_records() -> None:
    """Subtotals and a grand total, whatever their place."""
    a, b = deals(3), deals(3, 4)
    sums = [[label, None, sum(r[2] for r in part), None] for label, part in (("Subtotal", a), ("Subtotal", b))]
    rows = [HEADER, *a, sums[0], *b, sums[1], ["Grand total", None, sums[0][2] + sums[1][2], None]]
    (table,) = layout(rows).tables
    assert table.record_rows == [2, 3, 4, 6, 7, 8]
    assert [(span.first, span.last, span.row_class) for span in table.excluded] == [(5, 5, "total"), (9, 10, "total")]


def test_totals_without_a_label_of_that_name_are_found_by_arithmetic() -> None:
    """A row that equals the sum of those above it in its columns is a total, whatever it is called."""
    names = ["Deal", "Price", "Income", "Area"]
    parts = [[f"Plaza {n}", 1_048_613 + 977 * n**3, 80_141 + 331 * n * n, 10_007 + 53 * n] for n in range(1, 8)]
    whole: list[object] = ["Portfolio", *(sum(part[j] for part in parts) for j in (1, 2, 3))]
    (table,) = layout([names, *parts, whole]).tables
    assert table.record_rows == list(range(2, 9))
    assert [(span.first, span.row_class) for span in table.excluded] == [(9, "total")]


def test_small_numbers_that_add_up_by_chance_make_no_total() -> None:
    """Cyclic small integers are full of sums that mean nothing."""
    rows = [["Deal", "Beds", "Baths", "Floors"], *([f"Plaza {n}", n % 5, n % 3, n % 4] for n in range(300))]
    (table,) = layout(rows).tables
    assert len(table.record_rows) == 300


def test_a_total_after_a_blank_row_still_closes_its_table() -> None:
    """The blank row above a total does not make it a note."""
    rows = [HEADER, *deals(4), [None], ["Total", None, sum(r[2] for r in deals(4)), None]]
    assert classes(rows)[7] == "total"


def test_blank_rows_inside_a_table_never_end_it() -> None:
    """A gap of one row or of six hundred is a gap, no end."""
    rows = [HEADER, *deals(5), *[[None]] * 600, *deals(5, 6)]
    (table,) = layout(rows).tables
    assert table.record_rows == [2, 3, 4, 5, 6, *range(607, 612)]


def test_a_blank_row_after_each_record_keeps_one_table() -> None:
    """Reports that space their records out."""
    rows: list[list[object]] = [list(HEADER)]
    for deal in deals(30):
        rows += [[None], deal]
    (table,) = layout(rows).tables
    assert table.record_rows == list(range(3, 63, 2))


def test_a_header_that_comes_again_inside_its_table_is_a_header() -> None:
    """Page breaks of a printed report."""
    (table,) = layout([HEADER, *deals(4), HEADER, *deals(4, 5)]).tables
    assert table.record_rows == [2, 3, 4, 5, 7, 8, 9, 10]
    assert [(span.first, span.row_class) for span in table.excluded] == [(6, "header")]


def test_tables_under_one_another_with_their_own_headers_are_two() -> None:
    """Stacked, a blank row between, other names and other columns."""
    other = [
        ["Tenant", "Suite", "Start", "Rent", "Area"],
        *([f"Shop {n}", f"#{n}", 2020 + n, 1000.5 * n, 99 * n] for n in range(1, 6)),
    ]
    found = layout([HEADER, *deals(5), [None], ["Leases"], *other])
    assert [(t.table_id, t.header_rows, len(t.record_rows)) for t in found.tables] == [("t1", (1,), 5), ("t2", (9,), 5)]
    assert found.tables[1].note_lines == (("Leases", "A8"),)


def test_a_table_of_words_under_a_table_of_numbers_is_its_own() -> None:
    """No numbers tell its header apart; its words where numbers were do."""
    words = [
        ["Person", "Office", "Phone", "Mail"],
        *([f"Analyst {n}", "North wing", f"x{n}", f"a{n}@firm"] for n in range(5)),
    ]
    found = layout([HEADER, *deals(5), [None], [None], *words])
    assert [t.header_rows for t in found.tables] == [(1,), (9,)]


def test_the_same_header_after_a_blank_row_goes_on_with_the_table_under_a_new_section() -> None:
    """One list in blocks, each block's name standing where the label column's name was."""
    blocks: list[list[object]] = []
    for at, name in enumerate(("Plants", "Turbines", "Loans")):
        blocks += [[name, "City", "Price", "Rate"], *deals(4, 1 + 4 * at), [None], [None]]
    (table,) = layout(blocks).tables
    assert len(table.record_rows) == 12
    assert table.sections == ["Plants"] * 4 + ["Turbines"] * 4 + ["Loans"] * 4


def test_tables_side_by_side_are_two_and_their_rows_carry_columns() -> None:
    """Two empty columns, other names, other lengths."""
    right = [["Broker", "Fee"], *([f"Agency {n}", 1000 * n + 7] for n in range(1, 10))]
    left = [HEADER, *deals(5), *[[None] * 4] * 4]
    found = layout([[*a, None, None, *b] for a, b in zip(left, right, strict=True)])
    assert [(t.first_column, t.last_column, len(t.record_rows)) for t in found.tables] == [(0, 3, 5), (6, 7, 9)]
    assert {span.columns for span in found.census[0].rows} == {"A:D", "G:H"}


def test_an_empty_column_alone_does_not_cut_a_table() -> None:
    """A spacer column between names and figures of the same rows."""
    rows = [[a, b, None, c, d] for a, b, c, d in [HEADER, *deals(8)]]
    (table,) = layout(rows).tables
    assert (table.first_column, table.last_column) == (0, 4)
    assert table.headers == ["Deal", "City", "", "Price", "Rate"]


def test_tables_in_a_square_are_found_each() -> None:
    """Two side by side and two under them: cut across, then down."""
    pair = [["Agency", "Fee"], *([f"Agency {n}", 1000 * n + 7] for n in range(1, 6))]
    top = [[*a, None, None, *b] for a, b in zip([HEADER, *deals(5)], pair, strict=True)]
    low = [["Lender", "Rate", "Loan"], *([f"Bank {n}", 0.03 + n / 900, 5_000_111 * n] for n in range(1, 7))]
    found = layout([*top, [None], [None], *low])
    assert [(t.header_rows, t.first_column, len(t.record_rows)) for t in found.tables] == [
        ((1,), 0, 5),
        ((1,), 6, 5),
        ((9,), 0, 6),
    ]


def test_labels_with_values_beside_them_are_a_key_value_block() -> None:
    """Values of many kinds down one column: a form, no list."""
    rows = [
        ["Property", "Elm Court"],
        ["Price", "$4,100,000"],
        ["Cap rate", "5.5%"],
        ["Built", "2001-05-01"],
        ["Units", "44"],
    ]
    found = layout(rows)
    assert [t.kind for t in found.tables] == ["key_value"]
    assert [(region.kind, region.range) for region in found.regions] == [("key_value", "A1:B5")]


def test_a_list_of_names_and_amounts_is_no_key_value_block() -> None:
    """Two columns alone don't make a form: the values are of one kind."""
    (table,) = layout([["Tenant", "Rent"], *([f"Shop {n}", 1000 + n * 37] for n in range(9))]).tables
    assert table.kind == "table"
    assert table.header_rows == (1,)


def test_a_comparison_with_a_deal_a_column_runs_across() -> None:
    """Kinds agree along rows and not down columns."""
    rows = [
        ["Field", "Comp 1", "Comp 2", "Comp 3"],
        ["City", "Austin", "Reno", "Tulsa"],
        ["Price", "$1,200,000", "$2,500,000", "$3,100,000"],
        ["Cap rate", "5.1%", "6.2%", "5.9%"],
        ["Sold", "2023-01-05", "2023-02-07", "2022-11-30"],
        ["Type", "Office", "Retail", "Office"],
        ["Units", "12", "45", "31"],
    ]
    (table,) = layout(rows).tables
    assert (table.orientation, table.record_rows) == ("columns", [1, 2, 3])
    assert table.headers == ["Field", "City", "Price", "Cap rate", "Sold", "Type", "Units"]
    assert (table.first_row, table.last_row, table.header_rows) == (1, 7, ())


def test_notes_under_a_table_are_notes() -> None:
    """A source line, glued to the records or set apart."""
    for gap in ([], [[None]]):
        found = classes([HEADER, *deals(5), *gap, ["Source: county records, own reading"]])
        assert found[7 + len(gap)] == "note"


def test_a_note_row_right_under_the_header_is_no_record() -> None:
    """A disclaimer in the first line of the data."""
    found = classes(
        [HEADER, ["In line with local rules some sales are not part of this download, as owners asked us"], *deals(6)]
    )
    assert found[2] != "record"
    assert found[3] == "record"


def test_corrected_bounds_replace_header_and_records_and_the_account_stays_even() -> None:
    """What a person says about a table holds, and the rows that it lets go are notes."""
    workbook = grid([["Fund"], HEADER, *deals(6)])
    found = detect_tables(workbook, {"t1": TableBounds((2,), 4, 6)})
    (table,) = found.tables
    assert (table.table_id, table.header_rows, table.record_rows) == ("t1", (2,), [4, 5, 6])
    (census,) = found.census
    assert census.accounted == census.non_empty
    assert {span.row_class for span in census.rows if span.first in (3, 7)} == {"note"}


def test_corrected_bounds_may_reach_over_what_was_taken_for_another_table() -> None:
    """Bounds that span two found tables make them one."""
    other = [["Tenant", "Suite", "Start", "Rent"], *([f"Shop {n}", f"#{n}", 2020 + n, 1000.5 * n] for n in range(1, 6))]
    workbook = grid([HEADER, *deals(5), [None], *other])
    assert len(detect_tables(workbook).tables) == 2
    found = detect_tables(workbook, {"t1": TableBounds((1,), 2, 13)})
    assert [(t.table_id, t.last_row) for t in found.tables] == [("t1", 13)]


def test_bounds_that_name_no_filled_row_change_nothing() -> None:
    """A slip of an agent's costs nothing."""
    workbook = grid([HEADER, *deals(5)])
    (table,) = detect_tables(workbook, {"t1": TableBounds((90,), 91, 99), "t9": TableBounds((1,), 2, 3)}).tables
    assert table.record_rows == [2, 3, 4, 5, 6]


def test_twins_stay_two_records() -> None:
    """Two rows that say the same are two deals: identity is the place."""
    (table,) = layout([HEADER, *deals(3), *deals(3)]).tables
    assert len(table.record_rows) == 6


@pytest.mark.timeout(10)
def test_a_thousand_stacked_tables_take_linear_time() -> None:
    """A table a few rows long, a thousand times."""
    rows: list[list[object]] = []
    for n in range(1000):
        rows += [[f"Deal {n}", "Price", "Rate"], ["A", n, 0.05], ["B", n + 1, 0.06], [None]]
    found = layout(rows)
    assert sum(len(table.record_rows) for table in found.tables) == 2000
