"""The account: every filled cell in exactly one region, every filled row with a class, hidden ones counted apart."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import OutputError
from schemas.workbook import Region, column_index
from tests.tools.workbook.books import HEADER, deals, grid, layout, xlsx
from tools.workbook import census
from tools.workbook.detect import Layout, detect_tables
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.open import open_workbook
from tools.workbook.structure import structure, structure_document

CELL = st.one_of(
    st.none(),
    st.none(),
    st.sampled_from(
        ["Total", "Elm", "n/a", "2020", "5.5%", "$1,200", "Source: x", "Price", "lower", "A:", "(000s)", "1/2/2023"]
    ),
    st.integers(0, 99).map(float),
    st.sampled_from([2019.0, 2020.0, 2021.0]),
)
SHEETS = st.integers(1, 8).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=24)
)


def box(region: Region) -> tuple[int, int, int, int]:
    """First row, first column, last row, last column of a region."""
    match = re.fullmatch(r"([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?", region.range)
    assert match is not None
    return int(match[2]), column_index(match[1]), int(match[4] or match[2]), column_index(match[3] or match[1])


def check(found: Layout, sheet: Sheet) -> None:
    """Every filled cell lies in one region, every filled row has one class in each span of columns."""
    filled = {
        (sheet.top + i, sheet.left + j) for i, row in enumerate(sheet.rows) for j, v in enumerate(row) if v is not None
    }
    boxes = [box(region) for region in found.regions]
    for row, column in filled:
        assert sum(a <= row <= c and b <= column <= d for a, b, c, d in boxes) == 1
    spans = [span for one in found.census for span in one.rows]
    for row in {row for row, _ in filled}:
        classes = [span for span in spans if span.first <= row <= span.last]
        assert classes
        assert len({span.columns for span in classes}) == len(classes)
    (one,) = found.census
    assert (one.non_empty, one.accounted) == (len(filled), len(filled))
    assert one.non_empty_rows == one.accounted_rows == len({row for row, _ in filled})
    for table in found.tables:
        assert len(table.sections) == len(table.record_rows)
        assert len(set(table.record_rows)) == len(table.record_rows)
        if table.orientation == "rows":
            assert len(table.headers) == table.last_column - table.first_column + 1
        else:
            assert len(table.headers) == table.last_row - table.first_row + 1


@given(SHEETS)
@settings(max_examples=150, deadline=None)
def test_every_cell_of_any_sheet_lies_in_one_region_and_every_row_has_a_class(rows: list[list[object]]) -> None:
    """Whatever stands where: nothing is left out, nothing is counted twice."""
    workbook = grid(rows)
    check(detect_tables(workbook), workbook.sheets[0])


@given(SHEETS, st.sets(st.integers(1, 24)), st.sets(st.integers(0, 7)))
@settings(max_examples=100, deadline=None)
def test_the_account_stays_even_with_hidden_rows_and_columns(
    rows: list[list[object]], hidden_rows: set[int], hidden_columns: set[int]
) -> None:
    """Hidden rows are never records, and still accounted for."""
    workbook = grid(rows)
    sheet = workbook.sheets[0]
    sheet.hidden_rows, sheet.hidden_columns = frozenset(hidden_rows), frozenset(hidden_columns)
    found = detect_tables(workbook)
    (one,) = found.census
    assert one.accounted == one.non_empty
    assert one.accounted_rows == one.non_empty_rows
    for table in found.tables:
        places = table.record_rows
        assert not set(places) & (hidden_rows if table.orientation == "rows" else hidden_columns)


def test_hidden_rows_columns_and_sheets_are_counted_apart_and_never_read() -> None:
    """A hidden deal is no record, its text heads nothing, and its cells are counted as hidden."""

    def hide(book: Any) -> None:
        sheet = book.worksheets[0]
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["D"].hidden = True
        book.worksheets[1].sheet_state = "hidden"

    rows = [HEADER, *deals(5)]
    found = detect_tables(open_workbook(xlsx(("Deals", rows), ("Old", rows), change=hide), "x.xlsx"))
    (table,) = found.tables
    assert table.record_rows == [2, 3, 5, 6]
    assert [(span.first, span.row_class) for span in table.excluded] == [(4, "other")]
    assert (table.last_column, table.headers) == (2, HEADER[:3])
    shown, hidden = found.census
    assert (shown.hidden, shown.non_empty, hidden.hidden, hidden.non_empty) == (4 + 5, 24, 24, 24)
    assert {span.row_class for span in hidden.rows} == {"other"}


def test_hidden_columns_inside_a_table_keep_their_header_and_are_named() -> None:
    """A table goes on behind a hidden column."""
    data = xlsx(
        ("D", [HEADER, *deals(5)]), change=lambda book: setattr(book.active.column_dimensions["B"], "hidden", True)
    )
    (table,) = detect_tables(open_workbook(data, "x.xlsx")).tables
    assert (table.first_column, table.last_column, table.hidden_columns) == (0, 3, (1,))
    assert table.headers == HEADER


def test_an_account_that_does_not_come_out_even_is_our_fault_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A region too few must not pass."""
    monkeypatch.setattr(census, "_enter_rest", lambda account: account)
    monkeypatch.setattr(census, "boxes_of", lambda _: [])
    with pytest.raises(OutputError, match="0 of 24 cells") as failed:
        layout([HEADER, *deals(5)])
    assert failed.value.code == "census.mismatch"


def test_an_account_that_does_not_come_out_even_names_no_sheet_that_has_no_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Texts and pages of one table have none."""
    monkeypatch.setattr(census, "_enter_rest", lambda account: account)
    monkeypatch.setattr(census, "boxes_of", lambda _: [])
    with pytest.raises(OutputError, match=r"^The sheet: 0 of 4 cells") as failed:
        detect_tables(open_workbook(b"Property,Price\nElm,5\n", "deals.csv"))
    assert "None" not in failed.value.message


def test_merged_labels_reach_over_their_span_and_are_counted_once() -> None:
    """A spanner merged over two columns heads both, and is one cell of the account."""
    rows = [[None, None, "Pricing", None], HEADER, *deals(6)]
    data = xlsx(("Deals", rows), change=lambda book: book.active.merge_cells("C1:D1"))
    found = detect_tables(open_workbook(data, "x.xlsx"))
    assert found.tables[0].headers == ["Deal", "City", "Pricing / Price", "Pricing / Rate"]
    assert found.tables[0].header_rows == (1, 2)
    assert found.census[0].non_empty == 1 + 4 + 24


def test_an_empty_sheet_has_an_even_account_of_nothing() -> None:
    """No cells, no regions, no rows."""
    found = detect_tables(Workbook(grid([["x"]]).source, [Sheet("Empty", [])]))
    assert (found.tables, found.regions) == ([], ())
    assert (found.census[0].non_empty, found.census[0].rows) == (0, ())


def test_the_structure_document_says_where_everything_lies() -> None:
    """File, regions and rows as plain values, in the order of the sheet."""
    data = b"Fund deals,,\n,,\nDeal,Price,Rate\nElm,1200,0.05\nOak,1900,0.06\nAsh,2750,0.07\n"
    assert structure_document(structure(data, "deals.csv")) == {
        "file": "deals.csv",
        "regions": [
            {"sheet": None, "range": "A3:C6", "kind": "table", "header_rows": [3]},
            {"sheet": None, "range": "A1", "kind": "title", "header_rows": []},
        ],
        "rows": [
            {"sheet": None, "first": 1, "last": 1, "class": "title"},
            {"sheet": None, "first": 3, "last": 3, "class": "header"},
            {"sheet": None, "first": 4, "last": 6, "class": "record"},
        ],
        "hidden": [],
    }
