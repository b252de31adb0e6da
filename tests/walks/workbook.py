"""The smallest workbook that gives real documents: three deals, with what each document prints of them."""

from __future__ import annotations

import io
import re
import zipfile

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
    return timeless(stream.getvalue())


def timeless(data: bytes) -> bytes:
    """A workbook without the moment at which it was saved, which openpyxl writes into it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as saved, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as told:
        for name in saved.namelist():
            plain = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"2026-01-01T00:00:00Z", saved.read(name))
            told.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), plain)
    return stream.getvalue()
