"""Opening a file by what it holds, whatever its name says."""

from __future__ import annotations

import hashlib

from schemas.workbook import SourceFile
from tools.workbook import refusal, sniff
from tools.workbook.binary_extent import check_ods, check_xlsb
from tools.workbook.delimited import read_delimited
from tools.workbook.formulas import fill_uncached
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.limits import DEFAULT_LIMITS, Limits
from tools.workbook.ooxml import format_of, main_part
from tools.workbook.package import Package
from tools.workbook.values import ValueReader, blank_to_none
from tools.workbook.xlsx import read_xlsx

__all__ = ["DEFAULT_LIMITS", "Limits", "open_workbook"]


def open_workbook(data: bytes, filename: str, limits: Limits = DEFAULT_LIMITS) -> Workbook:
    """The workbook in `data`, formulas without a stored value computed where they are plain.

    `filename` serves for messages only. Raises InputError (`file.empty`, `file.too_large`, `file.encrypted`,
    `file.truncated`, `file.html`, `file.not_workbook`, `file.unsafe`) with a sentence that says what to do.
    """
    if len(data) > limits.file_bytes:
        size = f"is larger than {limits.file_bytes:,} bytes"
        raise refusal.refusal("file.too_large", filename, size, "save the sheets with the deals as a new workbook")
    kind = sniff.kind_of(data, filename)
    epoch_1904 = False
    if kind == "text":
        form, sheets = "csv", [read_delimited(data, filename, limits)]
    elif kind == "biff":
        form, sheets = "xls", _read_plain(data, filename, limits)
    else:
        form, sheets, epoch_1904 = _read_package(data, filename, limits)
    source = SourceFile(filename, hashlib.sha256(data).hexdigest(), len(data), form, filename)
    workbook = Workbook(source, sheets, epoch_1904)
    fill_uncached(workbook)
    return workbook


def _read_package(data: bytes, filename: str, limits: Limits) -> tuple[str, list[Sheet], bool]:
    package = Package(data, filename, limits)
    main = main_part(package)
    if main is None:
        if (
            "content.xml" in package
            and "mimetype" in package
            and b"spreadsheet" in package.read("mimetype", is_xml=False)
        ):
            check_ods(package, limits)
            return "ods", _read_plain(data, filename, limits), False
        raise refusal.not_workbook(filename, "is a zip archive that holds no workbook of its own")
    if main.lower().endswith(".bin"):
        check_xlsb(package, limits)
        return "xlsb", _read_plain(data, filename, limits), False
    sheets, epoch_1904 = read_xlsx(data, package, main, limits)
    return format_of(package), sheets, epoch_1904


def _read_plain(data: bytes, filename: str, limits: Limits) -> list[Sheet]:
    """The sheets of a format of which values alone are read."""
    reader = ValueReader(data, filename)
    entries, sheets = reader.entries(), list[Sheet]()
    if len(entries) > limits.sheets:
        raise refusal.unsafe(filename, f"has {len(entries):,} sheets, more than {limits.sheets:,}")
    cells = 0
    for entry in entries:
        block = reader.block(entry.index)
        for row in block.rows:
            blank_to_none(row)
        cells += len(block.rows) * len(block.rows[0]) if block.rows else 0
        if cells > limits.cells:
            raise refusal.unsafe(filename, f"has more than {limits.cells:,} cells")
        sheets.append(Sheet(entry.name, block.rows, block.top, block.left, entry.visible, merges=block.merges))
    return sheets
