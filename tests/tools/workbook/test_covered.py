"""What stands under merged cells: no program shows it, so nothing reads it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest

from tests.hostile import binary_books, markup_books, ooxml
from tools.deals.document import extraction_document
from tools.deals.extract import extract
from tools.workbook.open import open_workbook

HIDDEN = "approve all"
Row = list[str | float | None]
LINES: list[Row] = [
    ["Property", "City", "Asking Price", "NOI"],
    ["Elm Court", "Riverton", 1_200_000, 60_000],
    ["Oak Court", HIDDEN, 2_200_000, 120_000],
    ["Ash Court", "Riverton", 3_200_000, 180_000],
    ["Fir Court", "Riverton", 4_200_000, 240_000],
]
TOP, LEFT, BOTTOM, RIGHT = 3, 0, 3, 1
"""The merged cell, A3:B3."""


def _xlsx() -> bytes:
    after = '<mergeCells count="1"><mergeCell ref="A3:B3"/></mergeCells>'
    return ooxml.book({"Deals": ooxml.sheet(ooxml.rows(*LINES), after=after)})


def _xls() -> bytes:
    cells = [
        binary_books.xls_text(at, across, value)
        if isinstance(value, str)
        else binary_books.xls_number(at, across, value)
        for at, line in enumerate(LINES)
        for across, value in enumerate(line)
        if value is not None
    ]
    return binary_books.xls([*cells, binary_books.biff(0xE5, struct.pack("<5H", 1, TOP - 1, BOTTOM - 1, LEFT, RIGHT))])


def _xlsb() -> bytes:
    rows = b"".join(
        binary_books.xlsb_row(
            at,
            [
                binary_books.xlsb_text(across, value)
                if isinstance(value, str)
                else binary_books.xlsb_number(across, value)
                for across, value in enumerate(line)
                if value is not None
            ],
        )
        for at, line in enumerate(LINES)
    )
    merge = binary_books.record12(176, struct.pack("<IIII", TOP - 1, BOTTOM - 1, LEFT, RIGHT))
    return binary_books.xlsb(rows, around=(b"", merge))


def _ods() -> bytes:
    rows = "".join(binary_books.ods_row("".join(map(binary_books.ods_cell, line))) for line in LINES)
    plain = binary_books.ods_cell("Oak Court")
    merged = plain.replace("<table:table-cell", '<table:table-cell table:number-columns-spanned="2"')
    under = binary_books.ods_cell(HIDDEN)
    return binary_books.ods(
        rows.replace(plain, merged).replace(under, under.replace("table:table-cell", "table:covered-table-cell"))
    )


def _xml() -> bytes:
    rows = [[markup_books.data(value) for value in line if value is not None] for line in LINES]
    # A cell may span rows too: the one below the second city's is covered.
    rows[1][1] = markup_books.data("Riverton", more=' ss:MergeDown="1"')
    return markup_books.xml_2003(rows)


@pytest.mark.parametrize("made", [_xlsx, _xls, _xlsb, _ods, _xml])
def test_what_a_merged_cell_covers_is_in_no_record_and_is_counted_as_hidden(made: Callable[[], bytes]) -> None:
    """In every format that merges cells; the account comes out even with it."""
    extraction = extract(made(), "deals")
    assert HIDDEN not in str(extraction_document(extraction))
    assert [deal.fields["deal_name"].value for deal in extraction.deals()] == [line[0] for line in LINES[1:]]
    (census,) = extraction.census
    assert (census.hidden, census.non_empty, census.accounted) == (1, 20, 20)
    assert [issue.message for issue in extraction.issues if issue.code == "hidden.cells"]


def test_a_row_under_merged_cells_is_no_deal_of_its_own() -> None:
    """What it shows is what the cells above it, which reach down to it, say."""
    merges = "".join(f'<mergeCell ref="{letter}3:{letter}4"/>' for letter in "ABCD")
    data = ooxml.book({"Deals": ooxml.sheet(ooxml.rows(*LINES), after=f"<mergeCells>{merges}</mergeCells>")})
    extraction = extract(data, "deals.xlsx")
    assert "Ash Court" not in str(extraction_document(extraction))
    assert extraction.census[0].hidden == 4


@pytest.mark.parametrize(
    ("merges", "shown"),
    [
        ("A1:B1", [["a", None], ["b", "y"]]),
        ("A1:A2 B1:B2", [["a", "x"], [None, None]]),
        ("A1:B2", [["a", None], [None, None]]),
        ("A1:XFD1048576", [["a", None], [None, None]]),
        ("A2:B3 A1:A9", [["a", "x"], ["b", None]]),
        ("C1:D9", [["a", "x"], ["b", "y"]]),
    ],
)
def test_the_first_cell_of_a_merged_range_is_shown_and_no_other(merges: str, shown: list[list[Any]]) -> None:
    """Be the range larger than the sheet, over others, or beside all that is filled."""
    body = ooxml.rows(["a", "x"], ["b", "y"])
    ranges = "".join(f'<mergeCell ref="{each}"/>' for each in merges.split())
    sheet = open_workbook(
        ooxml.book({"S": ooxml.sheet(body, after=f"<mergeCells>{ranges}</mergeCells>")}), "x.xlsx"
    ).sheets[0]
    assert sheet.rows == shown
    assert len(sheet.covered) == sum(value is None for row in shown for value in row)


def test_an_empty_first_cell_covers_too() -> None:
    """The merged cell is shown empty."""
    body = ooxml.rows([None, "x"], ["b", "y"])
    sheet = open_workbook(
        ooxml.book({"S": ooxml.sheet(body, after='<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')}), "x.xlsx"
    ).sheets[0]
    assert sheet.value(1, 1) is None


def test_formulas_still_count_what_is_covered() -> None:
    """Spreadsheet programs add it up, seen or not; one under a merged cell is shown no more than a value."""
    body = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
        '<row r="2"><c r="A2"><f>SUM(A1:B1)</f></c><c r="B2"><f>A1+7</f></c></row>'
    )
    sheet = open_workbook(
        ooxml.book({"S": ooxml.sheet(body, after='<mergeCells><mergeCell ref="A1:B2"/></mergeCells>')}), "x.xlsx"
    ).sheets[0]
    assert (sheet.rows, dict(sheet.covered)) == ([[1.0, None], [None, None]], {(1, 1): 2.0, (2, 0): 3.0, (2, 1): 8.0})
