"""Small honest files from which hostile ones are bred."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from functools import lru_cache

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font

from tests.hostile import binary_books, ooxml
from tests.hostile.raw_zip import part, write_zip

LINES: tuple[tuple[object, ...], ...] = (
    ("Elm Court", "12 Elm St", "Springfield", "OH", "02134", 1200, 0.055, "=F6*0.06", dt.date(2024, 3, 1), "Retail"),
    ("Oak House", "5 Oak Rd", "Riverton", "OH", "44101", 2400, "6.1%", 146.4, "3/15/2024", "Office"),
    (
        "Ash Plaza",
        "77 Ash Ave",
        "Laketown",
        "MI",
        "48201",
        "$1.25M",
        5.8,
        "TBD",
        dt.datetime.fromisoformat("2023-12-31T08:30"),
        "Retail",
    ),
    ("Fir Tower", "3 Fir Ln", "Springfield", "OH", None, "(1,200)", "5 1/2%", 80, "31.12.2024", "Flex"),
)
HEADS = ("Property", "Address", "City", "State", "Zip", "Asking Price", "Cap Rate", "NOI", "List Date", "Type")


def portfolio() -> bytes:
    """Title lines, a header of two rows, a section, totals, hidden parts, a comment, formats and formulas."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Comps"
    sheet.append(["Portfolio of the North"])
    sheet.append(["as of March ($ in 000s)"])
    sheet.merge_cells("A1:J1")
    sheet.append([])
    sheet.append(["", "Location", None, None, None, "Financials"])
    sheet.append(list(HEADS))
    for line in LINES:
        sheet.append(list(line))
    sheet.append(["Under contract"])
    for line in LINES[:2]:
        sheet.append(list(line))
    sheet.append(["Total", None, None, None, None, "=SUM(F6:F12)", None, "=SUM(H6:H12)"])
    sheet.append(["Source: broker"])
    for cell in sheet[5]:
        cell.font = Font(bold=True)
        cell.number_format = "@"
    for row in range(6, 13):
        sheet.cell(row, 6).number_format = '"$"#,##0.00'
        sheet.cell(row, 7).number_format = "0.0%"
        sheet.cell(row, 9).number_format = "yyyy-mm-dd"
    sheet.row_dimensions[8].hidden = True
    sheet.column_dimensions["J"].hidden = True
    sheet["A6"].comment = Comment("checked", "somebody")
    other = book.create_sheet("Facts")
    for line in (("Property", "Birch Mall"), ("Purchase Price", 5_000_000), ("Cap Rate", 0.07), ("Units", 120)):
        other.append(list(line))
    book.create_sheet("Notes").sheet_state = "hidden"
    return _saved(book)


def transposed() -> bytes:
    """One deal a column, beside a second table."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for label, *values in zip(HEADS, *LINES, strict=True):
        sheet.append([label, *values, None, label, values[0]])
    return _saved(book)


def _saved(book: openpyxl.Workbook) -> bytes:
    """The same bytes on any day: the times that the file was made at are replaced."""
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as package:
        held = [(entry.filename, package.read(entry)) for entry in package.infolist()]
    made = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
    return write_zip([part(name, made.sub(b"2024-01-01T00:00:00Z", body)) for name, body in held])


def rent_roll_text() -> bytes:
    """A rent roll as a text file."""
    lines = ["Unit,Tenant,SF,Rent,Lease Start,Lease End"]
    lines += [f'{n},"Tenant {n}, Inc.",{900 + n},"${n},250.00",{n}/1/2021,12/31/202{n}' for n in range(1, 7)]
    return "\r\n".join([*lines, "Total,,,9000,,", ""]).encode()


def european_text() -> bytes:
    """The same shape with commas for points, in another encoding."""
    lines = ["Property;City;Purchase Price;Cap Rate;List Date"]
    lines += [f"Straße {n};Köln;1.250.000,{n}0 €;5,{n} %;3{n % 2}.12.2024" for n in range(1, 7)]
    return "\n".join(lines).encode("cp1252")


def linked_strings() -> bytes:
    """A workbook with shared strings, a date format and an error."""
    words = (*ooxml.HEADERS, "List Date", "Elm Court", "Oak House", "Springfield")
    texts = "".join(f"<si><t>{text}</t></si>" for text in words)
    head = "".join(f'<c r="{column}1" t="s"><v>{n}</v></c>' for n, column in enumerate("ABCDE"))
    body = f'<row r="1" spans="1:4">{head}</row>'
    for n in (2, 3):
        body += (
            f'<row r="{n}"><c r="A{n}" t="s"><v>{n + 3}</v></c><c r="B{n}" t="s"><v>7</v></c>'
            f'<c r="C{n}"><v>{n}00000</v></c><c r="D{n}" t="e"><f>1/0</f><v>#DIV/0!</v></c>'
            f'<c r="E{n}" s="1"><v>4500{n}</v></c></row>'
        )
    strings = f'{ooxml.HEAD}<sst xmlns="{ooxml.MAIN}" count="11" uniqueCount="8">{texts}</sst>'
    styles = f'{ooxml.HEAD}<styleSheet xmlns="{ooxml.MAIN}"><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>'
    return ooxml.book({"S": ooxml.sheet(body)}, {"xl/sharedStrings.xml": strings, "xl/styles.xml": styles})


@lru_cache(maxsize=1)
def seeds() -> tuple[tuple[str, bytes], ...]:
    """(name, bytes) of each seed."""
    return (
        ("portfolio.xlsx", portfolio()),
        ("transposed.xlsx", transposed()),
        ("raw.xlsx", ooxml.book({"Comps": ooxml.deals_sheet(), "More": ooxml.deals_sheet()})),
        ("linked.xlsx", linked_strings()),
        ("rent.csv", rent_roll_text()),
        ("objekte.csv", european_text()),
        ("deals.xls", binary_books.xls(binary_books.xls_deals())),
        ("deals.xlsb", binary_books.xlsb(binary_books.xlsb_deals())),
        ("deals.ods", binary_books.ods(binary_books.ods_deals())),
    )
