"""Small workbooks made in memory for the tests of extraction."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook

from schemas.deal import Column, Deal, Extraction, Issue
from schemas.workbook import Overrides
from tools.deals.extract import extract

Rows = Sequence[Sequence[object]]
HEADER = ["Property Name", "Address", "City", "State", "Asking Price", "NOI", "Cap Rate", "Building SF", "Price/SF"]
DEALS: Rows = (
    ["Heron Point", "1 Dock Street", "Tampa", "FL", 10_000_000, 600_000, 0.06, 50_000, 200],
    ["Cedar Hollow", "2 Mill Lane", "Macon", "GA", 4_000_000, 300_000, 0.075, 20_000, 200],
    ["Union Yard", "3 Rail Court", "Mobile", "AL", 6_000_000, 330_000, 0.055, 40_000, 150],
    ["Prairie Hub", "4 Rowell Avenue", "Joliet", "IL", 8_000_000, 520_000, 0.065, 80_000, 100],
)


def xlsx(sheets: Mapping[str, Rows], formats: Mapping[str, str] | None = None) -> bytes:
    """An xlsx of `sheets`, first cell at A1; `formats` gives number formats by address, `Sheet!A1`."""
    book = Workbook()
    book.remove(book.active)  # pyright: ignore[reportArgumentType] a new book has a sheet
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    for address, code in (formats or {}).items():
        name, _, cell = address.rpartition("!")
        book[name][cell].number_format = code
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def read(rows: Rows, formats: Mapping[str, str] | None = None, overrides: Overrides | None = None) -> Extraction:
    """The extraction of one sheet, Deals, of `rows`; `formats` by address in it."""
    named = {f"Deals!{cell}": code for cell, code in (formats or {}).items()}
    return extract(xlsx({"Deals": rows}, named), "deals.xlsx", overrides=overrides)


def read_csv(text: str) -> Extraction:
    """The extraction of a CSV file."""
    return extract(text.encode(), "deals.csv")


def listed(values: Sequence[object], header: str, formats: str = "") -> Extraction:
    """The extraction of a plain list of deals whose fifth column is `header` with `values`, in one number format."""
    rows: list[list[object]] = [["Property Name", "Address", "City", "Units", header]]
    rows += [[f"Place {i}", f"{i + 1} Main Street", "Reno", 10 + i, value] for i, value in enumerate(values)]
    shown = {f"E{i + 2}": formats for i in range(len(values))} if formats else None
    return read(rows, shown)


def column(extraction: Extraction, field: str) -> Column:
    """The column of a field in the first table."""
    found = extraction.tables[0].column_of(field)
    assert found is not None, [c.header for c in extraction.tables[0].columns]
    return found


def values(extraction: Extraction, field: str) -> list[Any]:
    """The values of a field in the first table."""
    return list(column(extraction, field).values)


def issues(extraction: Extraction, code: str) -> list[Issue]:
    """The issues of one code."""
    return [issue for issue in extraction.issues if issue.code == code]


def deal(extraction: Extraction, number: int = 0) -> Deal:
    """Deal number `number` (0-based)."""
    return list(extraction.deals())[number]
