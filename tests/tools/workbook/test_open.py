"""Opening files: what is read of a workbook, whatever writer made it and whatever its name says."""

from __future__ import annotations

import datetime as dt
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font
from openpyxl.workbook.properties import CalcProperties

from schemas.errors import InputError
from tests.tools.workbook.books import HEADER, MAIN, deals, opened, packed, parts, raw_sheet, rewritten, xlsx
from tools.workbook.detect import detect_tables
from tools.workbook.grid import CellError
from tools.workbook.limits import Limits
from tools.workbook.open import open_workbook

SHEET = "xl/worksheets/sheet1.xml"


def table(*cells: str) -> str:
    """A sheet part of the rows `cells`."""
    return f'<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData>{"".join(cells)}</sheetData></worksheet>'


def percent_in_b(book: Any) -> None:
    """Shows column B as percentages."""
    for cell in book.active["B"]:
        cell.number_format = "0.0%"


def plain() -> bytes:
    """A workbook of one ordinary table."""
    return xlsx(("Deals", [HEADER, *deals(5)]))


def test_values_come_typed_and_in_their_places() -> None:
    """Text, number, date, time, truth and nothing, in a block that starts where the first value stands."""
    day = dt.datetime(2024, 3, 1, tzinfo=None)  # noqa: DTZ001 - cells have no time zone
    sheet = opened(xlsx(("Deals", [[], [None, "a", 1.5, day, dt.time(3, 4), True, None, "  "], [None, None, "z"]])))
    assert (sheet.top, sheet.left, sheet.bottom) == (2, 1, 3)
    assert [sheet.value(2, c) for c in range(8)] == [
        None,
        "a",
        1.5,
        dt.date(2024, 3, 1),
        dt.time(3, 4),
        True,
        None,
        None,
    ]
    assert sheet.value(99, 99) is None


def test_formats_are_told_by_content() -> None:
    """The declared content type names the format; the file's name does not."""
    data = plain()
    macro = rewritten(
        data,
        "[Content_Types].xml",
        lambda x: x.replace(
            b"openxmlformats-officedocument.spreadsheetml.sheet.main", b"ms-excel.sheet.macroEnabled.main"
        ),
    )
    template = rewritten(
        data, "[Content_Types].xml", lambda x: x.replace(b"spreadsheetml.sheet.main", b"spreadsheetml.template.main")
    )
    found = [open_workbook(d, "deals.csv").source.format for d in (data, macro, template, b"a,b\n1,2\n")]
    assert found == ["xlsx", "xlsm", "xltx", "csv"]


def test_number_formats_and_bold_are_known_for_each_cell() -> None:
    """What calamine does not tell: 0.055 shown as a percentage stays 0.055, and says how it is shown."""

    def style(book: Any) -> None:
        sheet = book.active
        sheet["B2"].number_format, sheet["C2"].number_format = "0.0%", "$#,##0"
        sheet["A1"].font = Font(bold=True)

    sheet = opened(xlsx(("Deals", [["Deal", "Rate", "Price"], ["Plaza", 0.055, 3_200_000]]), change=style))
    assert (sheet.value(2, 1), sheet.number_format(2, 1), sheet.number_format(2, 2)) == (0.055, "0.0%", "$#,##0")
    assert (sheet.number_format(2, 0), sheet.number_format(90, 90)) == ("", "")
    assert (sheet.bold(1, 0), sheet.bold(2, 0)) == (True, False)


def test_hidden_rows_columns_and_sheets_are_known() -> None:
    """By their flag, and by having no height or width."""

    def hide(book: Any) -> None:
        sheet = book.worksheets[0]
        sheet.row_dimensions[3].hidden = True
        sheet.row_dimensions[5].height = 0
        sheet.column_dimensions["C"].hidden = True
        book.worksheets[1].sheet_state = "veryHidden"

    data = xlsx(("Deals", [HEADER, *deals(5)]), ("Notes", [["x"]]), change=hide)
    data = rewritten(data, SHEET, lambda x: x.replace(b'<row r="5"', b'<row r="5" ht="0" customHeight="1"'))
    book = open_workbook(data, "x.xlsx")
    assert book.sheets[0].hidden_rows == {3, 5}
    assert book.sheets[0].hidden_columns == {2}
    assert [sheet.visible for sheet in book.sheets] == [True, False]


@pytest.mark.parametrize("size", ['"0"', '"0.0"', '"0.00"', '"0" hidden="0"'])
@pytest.mark.parametrize("walked", ["", "<!-- walked -->"])
def test_rows_and_columns_of_no_size_are_hidden(size: str, walked: str) -> None:
    """However the nothing is written, in either pass; those with some size, however small, are not."""
    rows = [f'<row r="{n}"{height}><c r="A{n}"><v>{n}</v></c></row>' for n, height in ((1, ""), (2, f" ht={size}"))]
    small = '<row r="3" ht="0.75"><c r="A3"><v>3</v></c></row>'
    columns = f'<cols><col min="2" max="3" width={size}/><col min="4" max="4" width="0.5"/></cols>'
    sheet = opened(
        raw_sheet(
            f'<worksheet xmlns="{MAIN}">{walked}{columns}<sheetData>{"".join(rows)}{small}</sheetData></worksheet>'
        )
    )
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({2}, {1, 2})


def test_merged_ranges_are_known_and_their_values_stay_in_one_cell() -> None:
    """A merge says how far a label reaches; it doubles nothing."""
    sheet = opened(xlsx(("Deals", [["Fund"], *deals(2)]), change=lambda book: book.active.merge_cells("A1:D1")))
    assert sheet.merges == ((1, 0, 1, 3),)
    assert sheet.value(1, 1) is None


@pytest.mark.parametrize(
    "dimension",
    [
        b"",
        b'<dimension ref="A1"/>',
        b'<dimension ref="A1:XFD1048576"/>',
        b'<dimension ref="Z90"/>',
        b'<dimension ref=""/>',
        b"<dimension ref=''></dimension>",
        b"<dimension/>",
        b'<dimension ref="A1:"/>',
        b'<dimension ref="none"/>',
        b'<dimension ref="ZZZ0:A99999999999"/>',
        b'<!-- walked --><dimension ref=""/>',
    ],
)
def test_a_declared_dimension_is_never_believed(dimension: bytes) -> None:
    """Missing, too small, too large, elsewhere, no range at all: the cells decide."""
    data = plain()
    before, _, rest = parts(data)[SHEET].partition(b"<dimension")
    changed = rewritten(data, SHEET, lambda _: before + dimension + rest.partition(b"/>")[2])
    assert opened(changed).rows == opened(data).rows


def test_inline_strings_are_read() -> None:
    """Cells that hold their text themselves."""
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>Elm &amp; Oak</t></is></c><c r="B1"><v>7</v></c></row>'
    assert opened(raw_sheet(table(row))).rows == [["Elm & Oak", 7.0]]


def test_cells_without_references_are_read_in_order() -> None:
    """Some writers leave out the row numbers and cell references."""
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>"
    sheet = opened(raw_sheet(table(rows)))
    assert (sheet.value(1, 0), sheet.value(1, 1), sheet.value(2, 0)) == (1.0, 2.0, 3.0)


def test_prefixed_names_comments_and_other_quotes_are_read_alike() -> None:
    """What XML allows and some writers do: a prefix, a comment between cells, single quotes."""
    prefixed = (
        f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row r="1" hidden="1"><x:c r="A1"><x:v>4</x:v></x:c></x:row>'
        "</x:sheetData></x:worksheet>"
    )
    commented = table('<!-- of a tool --><row r="1" hidden="1"><c r=\'A1\'><v>4</v></c></row>')
    for xml in (prefixed, commented):
        sheet = opened(raw_sheet(xml))
        assert (sheet.rows, sheet.hidden_rows) == ([[4.0]], {1})


def test_styles_are_found_whatever_attributes_come_first() -> None:
    """The style may follow the type, or stand far from the reference."""
    data = xlsx(("Deals", [["a", 0.5], ["b", 0.25]]), change=percent_in_b)
    swapped = rewritten(
        data,
        SHEET,
        lambda x: x.replace(b'r="B1" s="1" t="n"', b't="n" s="1" r="B1"').replace(b's="1" t="n"', b't="n" s="1"'),
    )
    late = rewritten(data, SHEET, lambda x: x.replace(b's="1" t="n"', b'cm="1" vm="22" ph="false" t="n" s="1"'))
    for changed in (data, swapped, late):
        assert [opened(changed).number_format(r, 1) for r in (1, 2)] == ["0.0%", "0.0%"]


def test_error_cells_say_which_error() -> None:
    """#N/A is no text and no missing value."""
    cells = '<c r="A1" t="e"><v>#N/A</v></c><c r="B1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="C1"><v>1</v></c>'
    assert opened(raw_sheet(table(f'<row r="1">{cells}</row>'))).rows == [
        [CellError("#N/A"), CellError("#DIV/0!"), 1.0]
    ]


@pytest.mark.parametrize("flag", ["1", "true"])
def test_dates_are_the_same_days_in_the_1904_system(flag: str) -> None:
    """1,462 days apart in the file, equal once read, whichever way the flag is written."""
    day = dt.date(2024, 2, 29)
    old = xlsx(("Deals", [["Sold"], [day]]))

    def shift(book: Any) -> None:
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904

    new = xlsx(("Deals", [["Sold"], [day]]), change=shift)
    new = rewritten(new, "xl/workbook.xml", lambda x: x.replace(b'date1904="1"', f'date1904="{flag}"'.encode()))
    assert open_workbook(new, "x.xlsx").epoch_1904
    assert opened(old).value(2, 0) == opened(new).value(2, 0) == day


def test_a_cell_at_the_last_address_costs_no_memory() -> None:
    """A1 and XFD1048576: the block holds one, the other is kept aside, and both are accounted for."""
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    book = open_workbook(raw_sheet(table(rows)), "x.xlsx")
    (sheet,) = book.sheets
    assert (sheet.value(1, 0), sheet.value(1_048_576, 16_383)) == (1, 2)
    assert sheet.height * sheet.width < 5_000_000
    (census,) = detect_tables(book).census
    assert (census.non_empty, census.accounted, census.non_empty_rows) == (2, 2, 2)


def test_formulas_are_known_beside_their_stored_values() -> None:
    """A stored value is believed, and its formula kept; shared ones are worked out for their cell."""
    rows = (
        '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f t="shared" ref="B1:B2" si="0">A1*2</f><v>4</v></c></row>'
        '<row r="2"><c r="A2"><v>3</v></c><c r="B2"><f t="shared" si="0"/><v>6</v></c></row>'
        '<row r="3"><c r="A3" t="str"><f>IF(A1&gt;9,"x","")</f><v></v></c></row>'
    )
    sheet = opened(raw_sheet(table(rows)))
    assert (sheet.formula(1, 1), sheet.formula(2, 1), sheet.formula(3, 0)) == ("A1*2", "A2*2", 'IF(A1>9,"x","")')
    assert sheet.formula(1, 0) is None
    assert not sheet.uncached
    assert not sheet.computed


def test_two_sheets_of_a_workbook_keep_their_order_and_a_chart_sheet_is_none() -> None:
    """Sheets as the workbook lists them."""
    data = xlsx(("Second", [["a"]]), ("First", [["b"]]), change=lambda book: book.create_chartsheet("Chart", 0))
    assert [sheet.name for sheet in open_workbook(data, "x.xlsx").sheets] == ["Second", "First"]


def test_a_workbook_with_more_sheets_or_cells_than_allowed_is_refused() -> None:
    """The limits count before anything is parsed."""
    data = xlsx(*((f"S{n}", [["a", "b"]]) for n in range(4)))
    for limits in (Limits(sheets=3), Limits(cells=7)):
        with pytest.raises(InputError, match="more than") as refused:
            open_workbook(data, "x.xlsx", limits)
        assert refused.value.code == "file.unsafe"


def test_parts_are_found_where_the_package_says() -> None:
    """Neither the folder nor the letter case of a part's name is fixed."""
    content = parts(plain())
    moved = {name.replace("xl/worksheets/", "xl/Sheets/"): data for name, data in content.items()}
    moved["xl/_rels/workbook.xml.rels"] = content["xl/_rels/workbook.xml.rels"].replace(
        b"/xl/worksheets/", b"/XL/sheets/"
    )
    assert opened(packed(moved)).value(1, 0) == "Deal"


def test_parts_in_unusual_places_are_read_with_their_styles() -> None:
    """The package's relations say where the workbook, its styles and its texts lie."""
    content = parts(
        xlsx(
            (
                "Deals",
                [["Sold", "Rate"], [dt.date(2024, 1, 2), 0.055], [None, "=B2*2"]],
            ),
            change=percent_in_b,
        )
    )
    for old, new in (("xl/workbook.xml", "xl/book.xml"), ("xl/styles.xml", "xl/looks.xml")):
        content[new] = content.pop(old)
        last, changed = old.rpartition("/")[2].encode(), new.rpartition("/")[2].encode()
        for name in ("[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels"):
            content[name] = content[name].replace(last, changed)
    content["xl/_rels/book.xml.rels"] = content.pop("xl/_rels/workbook.xml.rels")
    sheet = opened(packed(content))
    assert sheet.rows == [["Sold", "Rate"], [dt.date(2024, 1, 2), 0.055], [None, 0.11]]
    assert sheet.number_format(2, 1) == "0.0%"


def test_a_stream_written_by_openpyxl_with_calculation_settings_is_read() -> None:
    """Settings for recalculation are no reason to doubt stored values."""

    def settings(book: Any) -> None:
        book.calculation = CalcProperties(fullCalcOnLoad=True)

    assert opened(xlsx(("Deals", [HEADER, *deals(2)]), change=settings)).height == 3


@pytest.mark.parametrize("shared", [True, False])
def test_a_text_longer_than_a_cell_holds_is_cut_to_that(shared: bool) -> None:
    """As spreadsheet programs do when they open such a file."""
    long, kept = "x" * 40_000, "y" * 32_767
    if shared:
        strings = f'<sst xmlns="{MAIN}"><si><t>{long}</t></si><si><t>{kept}</t></si></sst>'.encode()
        content = parts(xlsx(("Deals", [["a"]])))
        content["xl/sharedStrings.xml"] = strings
        cells = '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>'
        content[SHEET] = table(f'<row r="1">{cells}</row>').encode()
        data = packed(content)
    else:
        texts = "".join(f'<c r="{at}1" t="inlineStr"><is><t>{t}</t></is></c>' for at, t in (("A", long), ("B", kept)))
        data = raw_sheet(table(f'<row r="1">{texts}</row>'))
    assert opened(data).rows == [["x" * 32_767, kept]]


@pytest.mark.parametrize("serial", ["-1", "0", "0.5", "2958466", "99999999", "1e300", "-1e300"])
@pytest.mark.parametrize("code", ["yyyy-mm-dd", "[h]:mm", "h:mm"])
def test_a_date_that_is_none_spoils_no_other_cell(serial: str, code: str) -> None:
    """Where a spreadsheet shows #####, the number is kept, and the rest of the sheet is read, dates among it."""

    def style(book: Any) -> None:
        sheet = book.active
        for row in (1, 2):
            sheet.cell(row, 2).number_format = "yyyy-mm-dd"
        sheet["B3"].number_format = code

    made = xlsx(("Deals", [["Elm", dt.date(2024, 2, 29)], ["Oak", dt.date(1900, 1, 1)], ["Ash", 7]]), change=style)
    sheet = opened(rewritten(made, SHEET, lambda x: x.replace(b"<v>7</v>", b"<v>" + serial.encode() + b"</v>")))
    assert [sheet.value(row, 1) for row in (1, 2)] == [dt.date(2024, 2, 29), dt.date(1900, 1, 1)]
    if code == "yyyy-mm-dd":
        assert sheet.value(3, 1) == float(serial)
    assert [sheet.value(row, 0) for row in (1, 2, 3)] == ["Elm", "Oak", "Ash"]


def test_strict_workbooks_are_read_like_any_other() -> None:
    """ISO's own names for the same parts: values, dates, formats, what is hidden, formulas."""
    names = {
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main": b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
            b"http://purl.oclc.org/ooxml/officeDocument/relationships"
        ),
    }

    def change(book: Any) -> None:
        book.active.row_dimensions[3].hidden = True
        book.active["B2"].number_format = "0.0%"

    content = parts(
        xlsx(("Deals", [["a", "b", dt.date(2024, 2, 29)], ["x", 0.05], ["y", 1], ["=B2*2"]]), change=change)
    )
    for name, data in content.items():
        for usual, strict in names.items():
            content[name] = content[name].replace(usual, strict)
        assert b"schemas.openxmlformats.org/spreadsheetml" not in content[name] or name == "[Content_Types].xml", data
    sheet = opened(packed(content))
    assert sheet.rows == [["a", "b", dt.date(2024, 2, 29)], ["x", 0.05, None], ["y", 1.0, None], [0.1, None, None]]
    assert (sheet.hidden_rows, sheet.number_format(2, 1)) == ({3}, "0.0%")


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ('t="d"><v>2024-02-29</v>', dt.date(2024, 2, 29)),
        ('t="d"><v>2024-02-29T06:30:00</v>', dt.datetime(2024, 2, 29, 6, 30)),  # noqa: DTZ001 - cells have no time zone
        ('t="b"><v>1</v>', True),
        ('t="b"><v>0</v>', False),
        ('t="str"><f>"a"</f><v>a</v>', "a"),
        ("><v>1E3</v>", 1000.0),
        (
            't="inlineStr"><is><r><t xml:space="preserve">Elm </t></r><r><rPr><b/></rPr><t>Court</t></r></is>',
            "Elm Court",
        ),
        ('t="inlineStr"><is><t>Elm</t><rPh sb="0" eb="1"><t>elm</t></rPh></is>', "Elm"),
        ('t="inlineStr"><is><t>two_x000A_lines</t></is>', "two\nlines"),
    ],
)
def test_cells_of_each_type_are_read(cell: str, value: object) -> None:
    """ISO dates, truth values, a formula's text, rich text, readings aids, escaped letters."""
    (read,) = opened(raw_sheet(table(f'<row r="1"><c r="A1" {cell}</c></row>'))).rows[0]
    assert (read, type(read)) == (value, type(value))


def test_a_link_is_its_text() -> None:
    """Where it leads is neither read nor followed."""

    def link(book: Any) -> None:
        book.active["A1"].hyperlink = "http://127.0.0.1:9/x"
        book.active["A1"].value = "Elm Court"

    assert opened(xlsx(("Deals", [["a", "b"]]), change=link)).rows == [["Elm Court", "b"]]
