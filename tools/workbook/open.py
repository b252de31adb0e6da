"""Opening a file by what it holds, whatever its name says."""

from __future__ import annotations

import csv
import hashlib
import io

import python_calamine

from schemas.errors import InputError
from schemas.workbook import SourceFile
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.limits import DEFAULT_LIMITS, Limits

__all__ = ["DEFAULT_LIMITS", "Limits", "open_workbook"]


def open_workbook(data: bytes, filename: str, limits: Limits = DEFAULT_LIMITS) -> Workbook:
    """The workbook in `data`; `filename` serves for messages only.

    Raises InputError (`file.empty`, `file.too_large`, `file.encrypted`, `file.truncated`, `file.html`,
    `file.not_workbook`, `file.unsafe`) with a sentence that names the file and what to do.
    """
    if not data:
        raise InputError("file.empty", f"{filename} is empty (0 bytes); export it again and send that.")
    if data[:4] == b"PK\x03\x04":
        form, sheets = "xlsx", _calamine_sheets(data, filename)
    elif data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        form, sheets = "xls", _calamine_sheets(data, filename)
    else:
        form, sheets = "csv", [_csv_sheet(data)]
    source = SourceFile(filename, hashlib.sha256(data).hexdigest(), len(data), form, filename)
    return Workbook(source, sheets)


def _calamine_sheets(data: bytes, filename: str) -> list[Sheet]:
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except (python_calamine.CalamineError, OSError) as error:
        raise InputError(
            "file.not_workbook", f"{filename} is no workbook that can be read; save it as .xlsx and send that."
        ) from error
    found: list[Sheet] = []
    for meta in book.sheets_metadata:
        if meta.typ is not python_calamine.SheetTypeEnum.WorkSheet:
            continue
        sheet = book.get_sheet_by_name(meta.name)
        top, left = sheet.start or (0, 0)
        rows: list[list[object]] = [[None if v == "" else v for v in row] for row in sheet.to_python()]
        merges = tuple((a + 1, b, c + 1, d) for (a, b), (c, d) in sheet.merged_cell_ranges or [])
        visible = meta.visible is python_calamine.SheetVisibleEnum.Visible
        found.append(Sheet(meta.name, rows, top + 1, left, visible, merges=merges))
    return found


def _csv_sheet(data: bytes) -> Sheet:
    text = data.decode("utf-8-sig", errors="replace")
    lines = list(csv.reader(io.StringIO(text)))
    width = max(map(len, lines), default=0)
    return Sheet(None, [[v or None for v in line] + [None] * (width - len(line)) for line in lines])
