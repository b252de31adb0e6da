"""xls and xlsb files: what is read beside their values."""

from __future__ import annotations

import contextlib
import datetime as dt
import struct
from collections.abc import Iterable

import pytest

from schemas.errors import InputError
from tests.hostile import binary_books as books
from tools.deals.extract import extract
from tools.workbook.grid import CellError, Sheet
from tools.workbook.open import open_workbook

FORMATS = ("0.0%", '"$"#,##0, bold', "yyyy-mm-dd", "[h]:mm", "0.00")
PERCENT, PRICE, DAY, SPAN, PLAIN = range(1, 6)
FORMS = ("xls", "xlsb")
Cell = tuple[object, int]


def book(form: str, rows: Iterable[Iterable[Cell]], epoch_1904: bool = False) -> bytes:
    """A file of `rows` of (value, style), in either form."""
    lines = [list(row) for row in rows]
    if form == "xls":
        text, number = books.xls_text, books.xls_number
        cells = [
            (text if isinstance(value, str) else number)(row, at, value, style)
            for row, line in enumerate(lines)
            for at, (value, style) in enumerate(line)
            if value is not None
        ]
        return books.xls(cells, [books.biff(0x22, struct.pack("<H", epoch_1904)), *books.xls_styles(*FORMATS)])
    body = b"".join(
        books.xlsb_row(
            row,
            [
                books.xlsb_text(at, value, style) if isinstance(value, str) else books.xlsb_number(at, value, style)
                for at, (value, style) in enumerate(line)
                if value is not None
            ],
        )
        for row, line in enumerate(lines)
    )
    return books.xlsb(body, more=[books.xlsb_styles(*FORMATS)], epoch_1904=epoch_1904)


def opened(form: str, rows: Iterable[Iterable[Cell]], epoch_1904: bool = False) -> Sheet:
    """The sheet of such a file."""
    found = open_workbook(book(form, rows, epoch_1904), "deals.dat")
    assert (found.source.format, found.epoch_1904) == (form, epoch_1904)
    return found.sheets[0]


@pytest.mark.parametrize("form", FORMS)
def test_number_formats_and_bold_are_known_for_each_cell(form: str) -> None:
    """A rate stays 0.055 and says that it is shown as 5.5 %."""
    sheet = opened(form, [[("Deal", 2), ("Rate", 0)], [("Elm", 0), (0.055, PERCENT), (3_200_000, PRICE)]])
    assert (sheet.value(2, 1), sheet.number_format(2, 1), sheet.number_format(2, 2)) == (0.055, "0.0%", '"$"#,##0')
    assert (sheet.number_format(1, 1), sheet.bold(1, 0), sheet.bold(2, 1)) == ("", True, False)


@pytest.mark.parametrize("form", FORMS)
def test_a_percentage_of_any_header_is_a_fraction(form: str) -> None:
    """Whatever the header says or leaves out, the format decides what 0.055 and 1.5 are."""
    heads = ("Property", "Asking Price", "Cap Rate", "Occupancy")
    rows = [
        [(head, 0) for head in heads],
        *([(f"{name} Court", 0), (1_200_000 + at, PRICE), (round(0.05 + at / 1000, 3), PERCENT), (1, PERCENT)]
          for at, name in enumerate(("Elm", "Oak", "Ash", "Fir"))),
    ]  # fmt: skip
    deals = list(extract(book(form, rows), "deals.dat").deals())
    assert [float(deal.fields["cap_rate"].value) for deal in deals] == [0.05, 0.051, 0.052, 0.053]
    assert {float(deal.fields["occupancy"].value) for deal in deals} == {1.0}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("epoch_1904", [False, True])
def test_dates_are_the_days_that_the_format_shows(form: str, epoch_1904: bool) -> None:
    """Serials count from 1900 or from 1904; numbers under other formats stay numbers."""
    serial = 45_351 - (1_462 if epoch_1904 else 0)
    sheet = opened(form, [[(serial, DAY), (serial + 0.25, DAY), (1.5, SPAN), (serial, PLAIN)]], epoch_1904)
    day = dt.date(2024, 2, 29)
    assert sheet.rows == [[day, dt.datetime(2024, 2, 29, 6), dt.timedelta(hours=36), serial]]  # noqa: DTZ001 - cells have no zone


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("serial", [-1.0, -0.5, 0.5, 99_999_999.0, 1e300, -1e300])
def test_a_date_that_is_none_is_a_number_and_spoils_nothing(form: str, serial: float) -> None:
    """Spreadsheets show ##### there; the other cells are read, dates among them."""
    sheet = opened(form, [[("Elm", 0), (45_351, DAY)], [("Oak", 0), (serial, DAY)]])
    assert sheet.rows == [["Elm", dt.date(2024, 2, 29)], ["Oak", serial]]


def test_hidden_rows_and_columns_of_xls_are_known() -> None:
    """By their flags, and by having no height or width; merges, errors and sheets too."""
    records = [
        books.biff(0x208, struct.pack("<HHHHHHI", 1, 0, 3, 300, 0, 0, 0x20)),
        books.biff(0x208, struct.pack("<HHHHHHI", 2, 0, 3, 0, 0, 0, 0)),
        books.biff(0x208, struct.pack("<HHHHHHI", 0, 0, 3, 300, 0, 0, 0)),
        books.biff(0x7D, struct.pack("<HHHHHH", 1, 1, 2000, 0, 1, 0)),
        books.biff(0x7D, struct.pack("<HHHHHH", 2, 3, 2000, 0, 0, 0)),
        *(books.xls_text(row, column, "x") for row in range(4) for column in range(4)),
        books.biff(0x205, struct.pack("<HHHBB", 1, 4, 0, 0x2A, 1)),
        books.biff(0x205, struct.pack("<HHHBB", 2, 4, 0, 1, 0)),
        books.biff(0x06, struct.pack("<HHHBxBxxxHHIH", 3, 4, 0, 2, 0x07, 0xFFFF, 0, 0, 0)),
        books.biff(0xE5, struct.pack("<HHHHH", 1, 0, 0, 0, 1)),
    ]
    sheet = open_workbook(books.xls(records), "x.xls").sheets[0]
    assert (sheet.hidden_rows, sheet.hidden_columns, sheet.merges) == ({2, 3}, {1}, ((1, 0, 1, 1),))
    assert [sheet.value(row, 4) for row in range(1, 5)] == [None, CellError("#N/A"), True, CellError("#DIV/0!")]


def test_many_numbers_in_one_xls_record_have_their_styles() -> None:
    """A run of compressed numbers: each with a style of its own."""
    run = b"".join(struct.pack("<HI", style, (value << 2) | 2) for style, value in ((PRICE, 7), (PERCENT, 9)))
    records = [books.biff(0xBD, struct.pack("<HH", 0, 0) + run + struct.pack("<H", 1))]
    sheet = open_workbook(books.xls(records, books.xls_styles(*FORMATS)), "x.xls").sheets[0]
    assert (sheet.rows, sheet.number_format(1, 0), sheet.number_format(1, 1)) == ([[7, 9]], '"$"#,##0', "0.0%")


def test_hidden_rows_and_columns_of_xlsb_are_known() -> None:
    """By their flags, and by having no size; merges and errors too."""
    body = b"".join(
        books.record12(0, struct.pack("<IIHBBB", row, 0, height, 0, hidden, 0) + bytes(4))
        + b"".join(books.xlsb_text(column, "x") for column in range(5))
        + books.record12(3, struct.pack("<IIB", 5, 0, 0x17))
        for row, (hidden, height) in enumerate(((0, 300), (0x10, 300), (0x20, 300), (0, 0)))
    )
    columns = ((1, 1, 2000, 1), (2, 3, 2000, 2), (4, 4, 0, 0))
    listed = b"".join(
        books.record12(60, struct.pack("<IIIIH", a, b, width, 0, flags)) for a, b, width, flags in columns
    )
    merge = books.record12(176, struct.pack("<IIII", 0, 0, 2, 3))
    sheet = open_workbook(books.xlsb(body, around=(listed, merge)), "x.xlsb").sheets[0]
    assert (sheet.hidden_rows, sheet.hidden_columns, sheet.merges) == ({2, 4}, {1, 4}, ((1, 2, 1, 3),))
    assert sheet.value(3, 5) == CellError("#REF!")


@pytest.mark.parametrize("form", FORMS)
def test_what_is_hidden_is_no_deal_and_is_listed(form: str) -> None:
    """A hidden row of an xls or xlsb file is left out and counted as such."""
    heads = ("Property", "Asking Price", "Cap Rate")
    values = [heads, *((f"{name} Court", 1_000_000 + 70_001 * at, 0.05) for at, name in enumerate("ABCDE"))]
    if form == "xls":
        cells = [
            (books.xls_text if isinstance(v, str) else books.xls_number)(row, at, v)
            for row, line in enumerate(values)
            for at, v in enumerate(line)
        ]
        data = books.xls([books.biff(0x208, struct.pack("<HHHHHHI", 2, 0, 3, 300, 0, 0, 0x20)), *cells])
    else:
        lines = (
            books.record12(0, struct.pack("<IIHBBB", row, 0, 300, 0, 0x10 * (row == 2), 0) + bytes(4))
            + b"".join(
                books.xlsb_text(at, v) if isinstance(v, str) else books.xlsb_number(at, float(v))
                for at, v in enumerate(line)
            )
            for row, line in enumerate(values)
        )
        data = books.xlsb(b"".join(lines))
    made = extract(data, f"deals.{form}")
    assert made.deal_count == 4
    assert made.census[0].hidden == 3


@pytest.mark.parametrize("cut", range(2_600, 4_600, 200))
def test_an_xls_file_with_broken_records_is_read_as_far_as_its_values_go(cut: int) -> None:
    """Records that say more than they hold end the pass, not the reading."""
    data = bytearray(book("xls", [[("Elm", 0), (0.05, PERCENT)], [("Oak", 0), (0.06, PERCENT)]]))
    data[cut : cut + 2] = b"\xff\xff"
    with contextlib.suppress(InputError):
        assert len(open_workbook(bytes(data), "x.xls").sheets) == 1


def test_an_xls_file_that_breaks_off_in_a_sheet_with_a_date_that_is_none_is_refused() -> None:
    """The date needs a copy without formats, and of a stream that is shorter than it says none can be made."""
    data = book("xls", [[("Elm", 0), (-1.0, DAY)]])
    with pytest.raises(InputError) as refused:
        open_workbook(data[:-4], "x.xls")
    assert refused.value.code == "file.truncated"
