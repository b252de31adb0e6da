"""Small workbooks for tests: written by openpyxl, or part by part where openpyxl would not write such a thing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import openpyxl

from schemas.workbook import SourceFile
from tools.workbook.detect import Layout, detect_tables
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.open import open_workbook

Row = Sequence[Any]
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def xlsx(*sheets: tuple[str, Sequence[Row]], change: Callable[[Any], None] | None = None) -> bytes:
    """A workbook of the sheets (name, rows); `change` gets the openpyxl workbook before it is saved."""
    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    if change:
        change(book)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def parts(data: bytes) -> dict[str, bytes]:
    """The parts of a zip package."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def packed(content: Mapping[str, bytes]) -> bytes:
    """A zip package of the parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in content.items():
            package.writestr(name, data)
    return stream.getvalue()


def raw_sheet(sheet_xml: str, **extra: bytes) -> bytes:
    """A workbook of one sheet, Deals, whose part is exactly `sheet_xml`; `extra` replaces parts by their last name."""
    content = parts(xlsx(("Deals", [])))
    content["xl/worksheets/sheet1.xml"] = sheet_xml.encode()
    for name, data in extra.items():
        target = next(part for part in content if part.rpartition("/")[2].partition(".")[0] == name)
        content[target] = data
    return packed(content)


def rewritten(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The package with one part changed."""
    content = parts(data)
    content[part] = change(content[part])
    return packed(content)


def grid(rows: Sequence[Row]) -> Workbook:
    """A workbook of one unnamed sheet holding `rows`, as a CSV file would give it."""
    width = max(map(len, rows))
    padded: list[list[object]] = [[*row, *[None] * (width - len(row))] for row in rows]
    return Workbook(SourceFile("x.csv", "", 0, "csv", "x.csv"), [Sheet(None, padded)])


def layout(rows: Sequence[Row]) -> Layout:
    """The layout of a sheet of `rows`."""
    return detect_tables(grid(rows))


def opened(data: bytes, name: str = "deals.xlsx") -> Sheet:
    """The first sheet of the workbook in `data`."""
    return open_workbook(data, name).sheets[0]


def deals(count: int, start: int = 1) -> list[list[Any]]:
    """Records of deals: name, city, price, rate; no two alike, and no sums among them."""
    cities = ("Austin", "Reno", "Tulsa", "Boise", "Akron")
    return [
        [f"Plaza {n}", cities[n % 5], 1_000_003 + 37_117 * n * n, 0.05 + (n * 7 % 13) / 1000]
        for n in range(start, start + count)
    ]


HEADER = ["Deal", "City", "Price", "Rate"]
