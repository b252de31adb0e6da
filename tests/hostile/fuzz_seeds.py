"""Small honest files from which hostile ones are bred."""

from __future__ import annotations

import datetime as dt
import io
import re
import struct
import zipfile
from functools import lru_cache

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font

from tests.hostile import binary_books as books
from tests.hostile import markup_books as markup
from tests.hostile import ooxml
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


_FORMATS = ("0.0%", '"$"#,##0, bold', "yyyy-mm-dd", "[h]:mm")


def styled_xls() -> bytes:
    """An xls table with styles, dates, errors, hidden rows and columns, and a merge."""
    cells = [books.xls_text(0, at, text, 2) for at, text in enumerate((*ooxml.HEADERS, "List Date"))]
    for row, deal in enumerate(ooxml.DEALS * 3, 1):
        values = [*zip(deal, (0, 0, 2, 1), strict=True), (45_000.5 + row, 3)]
        cells += [
            books.xls_text(row, at, str(v), style) if isinstance(v, str) else books.xls_number(row, at, float(v), style)
            for at, (v, style) in enumerate(values)
        ]
    run = b"".join(struct.pack("<HI", style, (7 << 2) | 2) for style in range(5))
    more = [
        books.biff(0x208, struct.pack("<HHHHHHI", 2, 0, 5, 300, 0, 0, 0x20)),
        books.biff(0x7D, struct.pack("<HHHHHH", 1, 1, 2000, 0, 1, 0)),
        books.biff(0x205, struct.pack("<HHHBB", 8, 4, 0, 0x2A, 1)),
        books.biff(0x06, struct.pack("<HHHBxBxxxHHIH", 9, 4, 0, 2, 0x07, 0xFFFF, 0, 0, 0)),
        books.biff(0xBD, struct.pack("<HH", 10, 0) + run + struct.pack("<H", 4)),
        books.biff(0xE5, struct.pack("<HHHHH", 1, 11, 11, 0, 1)),
    ]
    return books.xls([*cells, *more], [books.biff(0x22, b"\1\0"), *books.xls_styles(*_FORMATS)])


def styled_xlsb() -> bytes:
    """The same as xlsb."""
    rows = [books.xlsb_row(0, [books.xlsb_text(at, text, 2) for at, text in enumerate((*ooxml.HEADERS, "List Date"))])]
    for row, deal in enumerate(ooxml.DEALS * 3, 1):
        values = [*zip(deal, (0, 0, 2, 1), strict=True), (45_000.5 + row, 3)]
        cells = [
            books.xlsb_text(at, v, style) if isinstance(v, str) else books.xlsb_number(at, float(v), style)
            for at, (v, style) in enumerate(values)
        ]
        rows.append(books.xlsb_row(row, [*cells, books.record12(3, struct.pack("<IIB", 5, 0, 0x17))]))
    columns = books.record12(60, struct.pack("<IIIIH", 1, 1, 2000, 0, 1))
    merge = books.record12(176, struct.pack("<IIII", 8, 8, 0, 1))
    return books.xlsb(b"".join(rows), more=[books.xlsb_styles(*_FORMATS)], around=(columns, merge), epoch_1904=True)


def styled_ods() -> bytes:
    """An ods table with styles, a formula, an error, a merge, repeats, and rows and columns that are hidden."""
    names = {
        "style": "style",
        "number": "datastyle",
        "fo": "xsl-fo-compatible",
        "office": "office",
        "table": "table",
        "text": "text",
    }
    spaces = " ".join(f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for p, n in names.items())
    styles = (
        '<number:percentage-style style:name="N1"><number:number number:decimal-places="1"/>'
        "<number:text>%</number:text></number:percentage-style>"
        '<style:style style:name="c1" style:family="table-cell" style:data-style-name="N1">'
        '<style:text-properties fo:font-weight="bold"/></style:style>'
    )
    formula = '<table:table-cell table:formula="of:=SUM([.C2:.C3];1)" office:value-type="float" office:value="3"/>'
    failing = formula.replace('"float" office:value="3"/>', '"string"><text:p>#DIV/0!</text:p></table:table-cell>')
    rate = '<table:table-cell table:style-name="c1" office:value-type="percentage" office:value="0.055"/>'
    day = (
        '<table:table-cell office:value-type="date" office:date-value="2024-02-29" table:number-columns-repeated="2"/>'
    )
    merged = books.ods_cell("x").replace(" office", ' table:number-columns-spanned="2" office', 1)
    rows = books.ods_deals() + books.ods_row(merged + formula + failing + rate + day)
    rows += books.ods_row(rate, 2).replace("<table:table-row", '<table:table-row table:visibility="collapse"')
    columns = (
        '<table:table-column/><table:table-column table:visibility="collapse" table:default-cell-style-name="c1"/>'
    )
    return books.ods(
        part(
            "content.xml",
            f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
            f'<office:body><office:spreadsheet><table:table table:name="S">{columns}{rows}</table:table>'
            "</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
    )


def looked_up() -> bytes:
    """A workbook of look-ups and conditional sums that no program has computed, and of totals that are stale."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for line in (("Property", "Price", "Type", "Rate"), ("Elm", 120, "Retail", 0.05), ("Oak", 80, "Office", 0.06)):
        sheet.append(line)
    formulas = (
        'VLOOKUP("oak",A2:D3,2,FALSE)',
        'INDEX(B2:B3,MATCH("Elm",A2:A3,0))',
        'XLOOKUP("Oak",A2:A3,B2:B3,-1)',
        'SUMIFS(B2:B3,C2:C3,"ret*",B2:B3,">=100")',
        'SUMPRODUCT((C2:C3="retail")*B2:B3,--(D2:D3>0))',
        "SUBTOTAL(109,B2:B3)+SUBTOTAL(9,B2:B3)",
        "ROUND(IFERROR(B2/B3,0)%,2)^2&C2",
    )
    for formula in formulas:
        sheet.append([f"={formula}", f"={formula}"])
    sheet.append(["Total", "=SUM(B2:B3)", None, "=SUMPRODUCT(B2:B3,D2:D3)/SUM(B2:B3)"])
    return _saved(book)


def saved_page() -> str:
    """A table as Excel writes it into a page: titles, a header of two rows, formats, what is hidden, a nested table."""
    heads = "<tr><th rowspan=2>Property</th><th colspan=2>Money</th><th rowspan=2>Type</th></tr>"
    heads += "<tr><th>Price</th><th>Cap Rate</th></tr>"
    rows = [
        [
            markup.cell(name),
            markup.cell(f"${n}00,000", "price", n * 100_000),
            markup.cell("5.5%", "rate", 0.055),
            "<td>x",
        ]
        for n, name in enumerate(("Elm &amp; Co", "Oak<br>House", "Fir"), 1)
    ]
    hidden = "<tr style='display:none'><td>Ash<td x:err='#REF!'>#REF!<td style=\"display:none\">1<td x:bool=TRUE>y</tr>"
    body = markup.table(rows).replace("<table>", f"<table><col span=3><col style='display:none'>{heads}")
    return f"<h1>Comps</h1><p>($ in 000s)<br>{body.replace('</table>', hidden + '</table>')}<p>Source: us"


def old_xml() -> bytes:
    """Excel's XML of 2003 with formats, merges, formulas and hidden rows."""
    rows: list[list[str] | str] = [[markup.data(head, style="bold") for head in ("Property", "Price", "Rate", "Day")]]
    rows += [
        [
            markup.data(name),
            markup.data(n * 100_000, style="price"),
            markup.data(0.05, style="rate"),
            markup.data("2024-03-01T00:00:00.000", "DateTime", "day"),
        ]
        for n, name in enumerate(("Elm", "Oak", "Fir"), 1)
    ]
    total = '<Cell ss:MergeAcross="1"/><Cell ss:Index="4" ss:Formula="=SUM(R[-3]C[-2]:R[-1]C[-2])"/>'
    rows += [f'<Row ss:Index="9" ss:Hidden="1">{total}{markup.data("#N/A", "Error")}</Row>']
    return markup.xml_2003(rows, '<Column ss:Index="2" ss:Span="1" ss:Hidden="1"/>')


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
        ("deals.xls", books.xls(books.xls_deals())),
        ("deals.xlsb", books.xlsb(books.xlsb_deals())),
        ("deals.ods", books.ods(books.ods_deals())),
        ("styled.xls", styled_xls()),
        ("styled.xlsb", styled_xlsb()),
        ("styled.ods", styled_ods()),
        ("formulas.xlsx", looked_up()),
        ("page.xls", markup.page(saved_page(), markup.sheet_names(("Comps", "")))),
        ("archive.xls", markup.saved_archive([("Comps", saved_page()), ("More", saved_page())])),
        ("old.xls", old_xml()),
    )
