"""Reading xlsx and its kin: values by calamine, the rest by one pass of ours over each sheet's XML."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tools.workbook import refusal
from tools.workbook.assemble import Places, assemble
from tools.workbook.dense import Dates, read_dense
from tools.workbook.extent import check_scattering, is_sparse
from tools.workbook.grid import LONGEST_TEXT, Sheet
from tools.workbook.limits import Limits
from tools.workbook.ooxml import Manifest, SheetPart, read_manifest, usual_package
from tools.workbook.package import Package
from tools.workbook.scan import IrregularSheetError, SheetScan, scan_sheet
from tools.workbook.shared_strings import SharedStrings, measure_strings
from tools.workbook.sparse import read_sparse
from tools.workbook.values import Block
from tools.workbook.walk import walk_sheet

_LEAST_CELL_BYTES = len('<c t="s"><v>0</v></c>')


def read_xlsx(data: bytes, package: Package, main: str, limits: Limits) -> tuple[list[Sheet], bool]:
    """The worksheets, and whether dates count from 1904; raises InputError for more than the limits allow."""
    manifest = read_manifest(package, main)
    parts = [part for part in manifest.sheets if part.part is not None and _may_hold_cells(part)]
    if len(manifest.sheets) > limits.sheets:
        raise refusal.unsafe(package.filename, f"has {len(manifest.sheets):,} sheets, more than {limits.sheets:,}")
    if len({sheet.name.lower() for sheet in manifest.sheets}) < len(manifest.sheets):
        raise refusal.truncated(package.filename)
    if len({(part.part or "").lower() for part in parts}) < len(parts):
        raise refusal.unsafe(package.filename, "lists one sheet several times")
    strings = measure_strings(package, manifest.shared_strings)
    if manifest.shared_strings and manifest.shared_strings.lower() in package.odd_parts:
        package.check_form(manifest.shared_strings)
    scans = _scan_all(package, strings, parts, limits)
    marked = strings.marked or any(scan.marked for scan in scans.values())
    is_odd = any(part in package.odd_parts for part in _read_parts(manifest, parts))
    if not manifest.is_usual or marked or is_odd or any(scan.misstated or scan.coded for scan in scans.values()):
        data = usual_package(package, main)
    found = _values(data, package, manifest, scans)
    visible = {sheet.name: sheet.visible for sheet in manifest.sheets}
    sheets = [
        assemble(name, visible[name], block, strays, scans[name], manifest.styles) for name, block, strays in found
    ]
    read = {sheet.name for sheet in sheets}
    if lost := next((part for part in parts if part.is_worksheet and part.name not in read), None):
        raise refusal.lost_sheet(package.filename, lost.name)
    return sheets, manifest.epoch_1904


def _read_parts(manifest: Manifest, parts: list[SheetPart]) -> list[str]:
    """The parts that values come from, in small letters."""
    return [part.lower() for part in (manifest.shared_strings, *(sheet.part for sheet in parts)) if part]


def _may_hold_cells(sheet: SheetPart) -> bool:
    """Whether a sheet is read for cells: what its relation or the name of its part calls one."""
    return sheet.is_worksheet or "sheet" in (sheet.part or "").lower()


def _values(
    data: bytes, package: Package, manifest: Manifest, scans: dict[str, SheetScan]
) -> Iterator[tuple[str, Block, Places]]:
    """(name, block, strays) of each sheet, one after the other."""
    if any(is_sparse(scan) for scan in scans.values()):
        # Comments, drawings and the like are no concern of ours, and openpyxl would build all of them.
        yield from read_sparse(usual_package(package, manifest.main), package.filename, scans)
        return
    unstyled = partial(usual_package, package, manifest.main, styled=False)
    dates = Dates(manifest.styles, manifest.epoch_1904)
    for entry, _, block in read_dense(data, package.filename, lambda entry: scans.get(entry.name), dates, unstyled):
        yield entry.name, block, {}


def _scan_all(package: Package, strings: SharedStrings, parts: list[SheetPart], limits: Limits) -> dict[str, SheetScan]:
    """The scan of each sheet, by name; every part that values are read from has kept its declared size by then."""
    _check_copies(package, strings, [part.part or "" for part in parts], limits)
    scans: dict[str, SheetScan] = {}
    for part in parts:
        scan = scans[part.name] = _scan(package, part.part or "")
        scan.untidy |= strings.blanks or strings.longest_bytes > LONGEST_TEXT
        check_scattering(package.filename, scan)
        if sum(scan.cells for scan in scans.values()) > limits.cells:
            raise refusal.unsafe(package.filename, f"has more than {limits.cells:,} cells")
    return scans


def _check_copies(package: Package, strings: SharedStrings, parts: list[str], limits: Limits) -> None:
    """Raises InputError where the cells would copy more text out of the shared strings than the limits allow."""
    most_cells = sum(package.size_bytes(part) for part in parts) // _LEAST_CELL_BYTES
    if strings.longest_bytes * most_cells > limits.inflated_bytes:
        copied = strings.copied_bytes(package, parts)
        if copied > limits.inflated_bytes:
            raise refusal.unsafe(package.filename, f"repeats its texts up to {copied:,} bytes")


def _scan(package: Package, part: str) -> SheetScan:
    try:
        return scan_sheet(package, part)
    except IrregularSheetError:
        return walk_sheet(package, part)
