"""Opening a file by what it holds, whatever its name says."""

from __future__ import annotations

import hashlib

from schemas.workbook import SourceFile
from tools.workbook import refusal, sniff
from tools.workbook.covered import cover
from tools.workbook.delimited import read_delimited
from tools.workbook.formulas import fill_uncached
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.limits import DEFAULT_LIMITS, Limits
from tools.workbook.ooxml import format_of, main_part
from tools.workbook.package import Package
from tools.workbook.scanned import read_scanned
from tools.workbook.stages import tell_stage
from tools.workbook.xlsx import read_xlsx

__all__ = ["DEFAULT_LIMITS", "Limits", "open_workbook"]


def open_workbook(data: bytes, filename: str, limits: Limits = DEFAULT_LIMITS) -> Workbook:
    """The workbook in `data`, formulas without a stored value computed where they are plain.

    What stands under merged cells is set aside, as no program shows it.
    `filename` serves for messages only. Raises InputError (`file.empty`, `file.too_large`, `file.encrypted`,
    `file.truncated`, `file.html`, `file.not_workbook`, `file.unsafe`) with a sentence that says what to do.
    """
    if len(data) > limits.file_bytes:
        size = f"is larger than {limits.file_bytes:,} bytes"
        raise refusal.refusal("file.too_large", filename, size, "save the sheets with the deals as a new workbook")
    tell_stage("opening it")
    kind = sniff.kind_of(data, filename)
    epoch_1904 = False
    if kind == "text":
        form, sheets = "csv", [read_delimited(data, filename, limits)]
    elif kind in ("html", "mht", "xml"):
        form, sheets = kind, _read_markup(kind, data, filename, limits)
    elif kind == "biff":
        from tools.workbook.biff import scan_xls
        from tools.workbook.compound import check_chains

        check_chains(data, filename)
        form, (sheets, epoch_1904) = "xls", read_scanned(data, filename, limits, scan_xls(data, filename, limits))
    else:
        form, sheets, epoch_1904 = _read_package(data, filename, limits)
    source = SourceFile(filename, hashlib.sha256(data).hexdigest(), len(data), form, filename)
    workbook = Workbook(source, sheets, epoch_1904)
    tell_stage("working out formulas that have no value")
    fill_uncached(workbook)
    for sheet in sheets:
        cover(sheet)
    return workbook


def _read_markup(kind: sniff.Kind, data: bytes, filename: str, limits: Limits) -> list[Sheet]:
    if kind == "xml":
        from tools.workbook.xml_2003 import read_xml_2003

        return read_xml_2003(data, filename, limits)
    from tools.workbook.web_archive import read_archive
    from tools.workbook.web_page import read_page

    return read_page(data, filename, limits) if kind == "html" else read_archive(data, filename, limits)


def _read_package(data: bytes, filename: str, limits: Limits) -> tuple[str, list[Sheet], bool]:
    package = Package(data, filename, limits)
    main = main_part(package)
    if main is None:
        if (
            "content.xml" in package
            and "mimetype" in package
            and b"spreadsheet" in package.read("mimetype", is_xml=False)
        ):
            from tools.workbook.ods import read_ods

            return "ods", *read_ods(data, package, limits)
        raise refusal.not_workbook(filename, "is a zip archive that holds no workbook of its own")
    if main.lower().endswith(".bin"):
        from tools.workbook.xlsb import scan_xlsb

        return "xlsb", *read_scanned(data, filename, limits, scan_xlsb(package, main, limits))
    sheets, epoch_1904 = read_xlsx(data, package, main, limits)
    return format_of(package), sheets, epoch_1904
