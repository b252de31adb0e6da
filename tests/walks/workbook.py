"""The smallest workbook that gives real documents: three deals, with what each document prints of them."""

from __future__ import annotations

import io
from datetime import datetime

import openpyxl

ROWS = (
    ("Deal Name", "City", "State", "Asking Price", "NOI", "Cap Rate", "Building SF"),
    ("Harbor Street", "Dover", "DE", 3_200_000, 176_000, 0.055, 21_000),
    ("Mill Lane", "Salem", "OR", 4_100_000, 254_200, 0.062, 30_500),
    ("Quarry Road", "Barre", "VT", 2_750_000, 178_750, 0.065, 18_200),
)


def small_workbook() -> bytes:
    """The workbook: a title in row 1, headers in row 2, deals in rows 3 to 5; the same bytes on every day."""
    book = openpyxl.Workbook()
    book.properties.created = book.properties.modified = datetime(2026, 1, 1)  # noqa: DTZ001 openpyxl's are without a zone
    sheet = book.active
    assert sheet is not None
    sheet.title = "Deals"
    sheet.append(["Offerings"])
    for row in ROWS:
        sheet.append(row)
    for row in range(3, 6):
        sheet.cell(row, 6).number_format = "0.0%"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
