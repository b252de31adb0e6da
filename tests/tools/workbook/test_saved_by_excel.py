"""Web archives and Excel's XML of 2003: a workbook's sheets in one text file."""

from __future__ import annotations

import base64
import datetime as dt

import pytest

from schemas.errors import InputError
from tests.hostile import markup_books as books
from tools.workbook.grid import CellError, Sheet
from tools.workbook.limits import Limits
from tools.workbook.open import open_workbook
from tools.workbook.xml_2003 import a1_formula

HIDDEN = "<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>"


def sheets(data: bytes, form: str) -> list[Sheet]:
    """The sheets of a file whose format is found to be `form`."""
    found = open_workbook(data, "deals.xls")
    assert found.source.format == form
    return found.sheets


def test_an_archive_is_read_sheet_by_sheet_under_the_names_of_its_frame() -> None:
    """Number formats come from its style sheet; a hidden sheet is known as hidden."""
    first = books.table([["<td>Köln", books.cell("5.5%", "rate", 0.055)]])
    hidden = "<!--[if gte mso 9]><xml><x:Visible>SheetHidden</x:Visible></xml><![endif]-->" + first
    found = sheets(books.saved_archive([("Comps & more", first), ("Old", hidden)]), "mht")
    assert [(sheet.name, sheet.visible) for sheet in found] == [("Comps & more", True), ("Old", False)]
    assert found[0].rows == [["Köln", 0.055]]
    assert found[0].number_format(1, 1) == "0.0%"


def test_an_archive_of_one_page_or_in_another_coding_is_read_too() -> None:
    """As browsers and mail programs save them."""
    body = books.page(books.plain_table([["a", "b"], ["1", "2"]]))
    head = b"From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: "
    for data in (head + b"base64\r\n\r\n" + base64.encodebytes(body), head + b"8bit\r\n\r\n" + body):
        assert sheets(data, "mht")[0].rows == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (
            b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\n\r\nhello",
            "without a table",
        ),
        (b"MIME-Version: 1.0\r\n", "without a table"),
        (books.archive(*[("a", "text/plain", b"x")] * 40), "more than 30 parts"),
    ],
    ids=["no page", "no part", "many parts"],
)
def test_an_archive_that_holds_no_sheet_is_refused(data: bytes, what: str) -> None:
    """In one sentence."""
    with pytest.raises(InputError, match=what):
        open_workbook(data, "deals.xls", Limits(entries=30))


def test_the_xml_of_2003_is_read_with_its_places_formats_merges_and_formulas() -> None:
    """Cells and rows may say where they stand; formulas count from their own cell."""
    title = books.data("Title", style="bold", more=' ss:MergeAcross="1"')
    rows = [
        f'<Row ss:Index="2">{title}{books.data("x")}</Row>',
        [
            books.data(12.5),
            books.data(0.055, style="rate", more=' ss:Index="4"'),
            books.data("2024-03-01T00:00:00.000", "DateTime"),
            books.data("#N/A", "Error"),
            books.data(1, "Boolean"),
            '<Cell ss:Formula="=R[0]C[-5]+R3C1"/>',
        ],
        '<Row ss:Hidden="1"><Cell><ss:Data ss:Type="String"><B>rich</B> text</ss:Data></Cell></Row>',
    ]
    (found,) = sheets(books.xml_2003(rows, '<Column ss:Index="2" ss:Hidden="1"/>', name="A & B"), "xml")
    assert (found.name, found.visible, found.merges) == ("A & B", True, ((2, 0, 2, 1),))
    assert (found.hidden_rows, found.hidden_columns) == ({4}, {1})
    assert [found.value(2, at) for at in range(3)] == ["Title", None, "x"]
    assert [found.value(3, at) for at in (0, 3, 4, 5, 6)] == [12.5, 0.055, dt.date(2024, 3, 1), CellError("#N/A"), True]
    assert (found.number_format(3, 3), found.bold(2, 0), found.value(4, 0)) == ("0.0%", True, "rich text")
    assert (found.formula(3, 7), found.value(3, 7)) == ("C3+$A$3", 12.5)


def test_cells_of_the_xml_of_2003_without_a_style_have_their_rows_or_columns() -> None:
    """The row's counts before the column's, the cell's own before both."""
    plain, own = books.data(0.055), books.data(0.055, style="price")
    rows = [[books.data(0.5), plain, own], f'<Row ss:StyleID="bold">{books.data(1)}{plain}</Row>']
    columns = '<Column/><Column ss:StyleID="rate" ss:Span="1"/>'
    (found,) = sheets(books.xml_2003(rows, columns), "xml")
    assert [found.number_format(1, at) for at in range(3)] == ["", "0.0%", '"$"#,##0']
    assert (found.bold(2, 1), found.number_format(2, 1)) == (True, "")


def test_rows_and_columns_of_the_xml_of_2003_are_hidden_by_a_word_or_by_having_no_size() -> None:
    """As other programs write it."""
    line = books.data("x")
    rows = [
        f'<Row ss:Hidden="true">{line}</Row>',
        f'<Row ss:Height="0">{line}</Row>',
        f'<Row ss:Height="10">{line}</Row>',
    ]
    (found,) = sheets(
        books.xml_2003(rows, '<Column ss:Width="0"/><Column ss:Hidden="True"/><Column ss:Width="0.5"/>'), "xml"
    )
    assert (found.hidden_rows, found.hidden_columns) == ({1, 2}, {0, 1})


def test_worksheets_of_one_name_are_told_apart() -> None:
    """Cells are cited by the name of their sheet."""
    data = books.xml_2003([[books.data("x")]]).decode()
    sheet = data[data.index("<Worksheet") : data.index("</Workbook>")]
    found = sheets(data.replace(sheet, sheet * 2 + sheet.replace("Deals", "deals")).encode(), "xml")
    assert [one.name for one in found] == ["Deals", "Deals (2)", "deals (3)"]


def test_a_hidden_sheet_of_the_xml_of_2003_is_known_as_hidden() -> None:
    """By its options."""
    (found,) = sheets(books.xml_2003([[books.data("x")]], options=HIDDEN), "xml")
    assert not found.visible


def test_numbers_and_days_that_are_none_stay_text() -> None:
    """Whatever type the file says; a day before 1900 is a time alone."""
    cells = [
        books.data("12x", "Number"),
        books.data("1e999", "Number"),
        books.data("never", "DateTime"),
        books.data("1899-12-31T08:30:00.000", "DateTime"),
    ]
    (found,) = sheets(books.xml_2003([cells]), "xml")
    assert found.rows == [["12x", "1e999", "never", dt.time(8, 30)]]


@pytest.mark.parametrize(
    ("formula", "plain"),
    [
        ("SUM(R[-2]C:R[-1]C)", "SUM(C3:C4)"),
        ("R1C1*RC[-1]", "$A$1*B5"),
        ("IF(R[9999999]C=0,\"RC\",'RC'!RC)", "IF(#REF!=0,\"RC\",'RC'!C5)"),
        ("CIRC+RC(1)", "CIRC+RC(1)"),
    ],
)
def test_relative_references_become_cells(formula: str, plain: str) -> None:
    """As seen from C5; texts, names and functions stay as they are."""
    assert a1_formula(formula, 5, 2) == plain


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: text.replace("<Workbook", "<!DOCTYPE x [<!ENTITY a 'b'>]><Workbook"), "file.unsafe"),
        (lambda text: text[:-30], "file.truncated"),
        (lambda text: text.replace("<Row>", '<Row ss:Index="99999999">'), "file.unsafe"),
        (lambda text: text.replace("<Cell>", '<Cell ss:Index="20000">'), "file.unsafe"),
        (lambda text: text.replace("</Row>", "</Row><Row ss:Index='900000'><Cell ss:Index='9000'>"
                                   "<Data ss:Type='String'>x</Data></Cell></Row>"), "file.unsafe"),
    ],
    ids=["entities", "cut", "row", "column", "far apart"],
)  # fmt: skip
def test_bad_xml_of_2003_is_refused(change: object, code: str) -> None:
    """As any workbook's."""
    assert callable(change)
    text = books.xml_2003([[books.data("Elm"), books.data(5)]]).decode()
    with pytest.raises(InputError) as caught:
        open_workbook(str(change(text)).encode(), "deals.xls")
    assert caught.value.code == code
