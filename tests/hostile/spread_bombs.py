"""Half a million cells spread over so many places that a block over all of them is the bomb, in each format."""

from __future__ import annotations

from schemas.workbook import column_letters
from tests.hostile import binary_books as books
from tests.hostile import markup_books, ooxml
from tests.hostile.bomb import Bomb

_CELLS = 500_000


def xlsx(columns: int, cells: int = _CELLS) -> bytes:
    """Honest deals, and a cell in each of `cells` rows below them, each in the next of `columns` columns."""
    letters = [column_letters(1 + n) for n in range(columns)]
    more = "".join(f'<row r="{n}"><c r="{letters[n % columns]}{n}"><v>{n}</v></c></row>' for n in range(9, 9 + cells))
    return ooxml.book({"Comps": ooxml.deals_sheet(more=more)})


def headed(columns: int) -> bytes:
    """Ten rows under `columns` headers, which stand in merged groups of three."""
    letters = [column_letters(at) for at in range(columns)]
    groups = "".join(ooxml.cell(f"{letters[at]}1", f"Group {at} price") for at in range(2, columns, 3))
    names = "".join(ooxml.cell(f"{one}2", f"Metric {at} units") for at, one in enumerate(letters))
    held = ["".join(ooxml.cell(f"{one}{n}", at % 977 * n) for at, one in enumerate(letters)) for n in range(3, 13)]
    lines = (f'<row r="{n}">{cells}</row>' for n, cells in enumerate(held, 3))
    spans = [f'<mergeCell ref="{letters[at]}1:{letters[at + 2]}1"/>' for at in range(2, columns - 2, 3)]
    body = f'<row r="1">{groups}</row><row r="2">{names}</row>{"".join(lines)}'
    return ooxml.book({"Comps": ooxml.sheet(body, after=f"<mergeCells>{''.join(spans)}</mergeCells>")})


def walked() -> bytes:
    """The same in a part that is walked, as it holds a comment."""
    more = "".join(f'<row r="{n}"><c r="{column_letters(n % 40)}{n}"><v>{n}</v></c></row>' for n in range(9, 200_009))
    return ooxml.book({"Comps": ooxml.deals_sheet(before="<!-- -->", more=more)})


def xls() -> bytes:
    """As many cells as an xls sheet has rows, twice over, in all of its columns."""
    places = ((n // 2, n * 37 % 256) for n in range(20, 131_072))
    return books.xls([*books.xls_deals(), *(books.xls_number(row, column, 1.0) for row, column in places)])


def xlsb() -> bytes:
    """The same in records."""
    rows = (books.xlsb_row(n, [books.xlsb_number(n % 40, n)]) for n in range(9, _CELLS))
    return books.xlsb(books.xlsb_deals() + b"".join(rows))


def ods() -> bytes:
    """The same in an ods file, with what is empty before each cell told as one."""
    rows = (books.ods_row(books.ods_cell(None, 1 + n % 40) + books.ods_cell(n)) for n in range(_CELLS))
    return books.ods(books.ods_deals() + "".join(rows))


def xml_2003() -> bytes:
    """The same in Excel's XML."""
    cell = '<Row><Cell ss:Index="{}"><Data ss:Type="Number">1</Data></Cell></Row>'
    return markup_books.xml_2003([cell.format(1 + n % 40) for n in range(_CELLS)])


def page() -> bytes:
    """The same in a page."""
    cell = "<tr><td colspan={}><td>1</tr>"
    return markup_books.page(f"<table>{''.join(cell.format(1 + n % 40) for n in range(_CELLS))}</table>")


BOMBS = (
    Bomb("15,000 columns under merged headers", lambda: headed(15_000), deals=0, long=True, cheap=True),
    Bomb("500,000 cells over 20 million", lambda: xlsx(40)),
    Bomb("500,000 cells over 12 million", lambda: xlsx(25)),
    Bomb("500,000 cells over all columns", lambda: xlsx(16_383), long=True),
    Bomb("100,000 cells over four million", lambda: xlsx(40, 99_000), deals=2, long=True),
    Bomb("200,000 cells over 8 million, walked", walked, long=True),
    Bomb("xls, 131,000 cells over 16 million", xls, "deals.xls"),
    Bomb("xlsb, 500,000 cells over 20 million", xlsb, "deals.xlsb", long=True),
    Bomb("ods, 500,000 cells over 20 million", ods, "deals.ods", long=True),
    Bomb("XML, 500,000 cells over 20 million", xml_2003, "deals.xls", long=True),
    Bomb("a page of 500,000 cells over 20 million", page, "deals.xls", long=True),
)
