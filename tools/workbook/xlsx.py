"""Reading xlsx and its kin: values by calamine, the rest by one pass of ours over each sheet's XML."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.workbook import refusal
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import CellError, CellStyle, Sheet
from tools.workbook.limits import Limits
from tools.workbook.ooxml import Manifest, SheetPart, read_manifest, usual_package
from tools.workbook.package import Package
from tools.workbook.scan import IrregularSheetError, SheetScan, scan_sheet
from tools.workbook.shared_strings import SharedStrings, measure_strings
from tools.workbook.sparse import Places, read_sparse
from tools.workbook.values import Block, ValueReader, blank_to_none
from tools.workbook.walk import walk_sheet

_DENSE_CELLS = 4_000_000
_SPARSENESS = 50
_LEAST_CELL_BYTES = len('<c t="s"><v>0</v></c>')


def read_xlsx(data: bytes, package: Package, main: str, limits: Limits) -> tuple[list[Sheet], bool]:
    """The worksheets, and whether dates count from 1904; raises InputError for more than the limits allow."""
    manifest = read_manifest(package, main)
    parts = [part for part in manifest.sheets if part.part is not None and "sheet" in part.part.lower()]
    if len(manifest.sheets) > limits.sheets:
        raise refusal.unsafe(package.filename, f"has {len(manifest.sheets):,} sheets, more than {limits.sheets:,}")
    if len({sheet.name.lower() for sheet in manifest.sheets}) < len(manifest.sheets):
        raise refusal.truncated(package.filename)
    scans = _scan_all(package, manifest, parts, limits)
    if not manifest.is_usual:
        data = usual_package(package, main)
    visible = {sheet.name: sheet.visible for sheet in manifest.sheets}
    found: dict[str, tuple[Block, Places]]
    if any(_is_sparse(scan) for scan in scans.values()):
        found = read_sparse(data, package.filename, scans)
    else:
        found = {name: (block, {}) for name, block in _dense(data, package.filename, scans).items()}
    sheets = [
        _assemble(name, visible[name], block, strays, scans[name], manifest.styles)
        for name, (block, strays) in found.items()
    ]
    return sheets, manifest.epoch_1904


def _dense(data: bytes, filename: str, scans: dict[str, SheetScan]) -> dict[str, Block]:
    """The block of each sheet, read by calamine."""
    reader = ValueReader(data, filename)
    entries = [entry for entry in reader.entries() if entry.name in scans]
    return {entry.name: reader.block(entry.index) if scans[entry.name].cells else Block([], 1, 0) for entry in entries}


def _scan_all(package: Package, manifest: Manifest, parts: list[SheetPart], limits: Limits) -> dict[str, SheetScan]:
    """The scan of each sheet, by name; every part that values are read from has kept its declared size by then."""
    strings = measure_strings(package, manifest.shared_strings)
    _check_copies(package, strings, [part.part or "" for part in parts], limits)
    scans: dict[str, SheetScan] = {}
    for part in parts:
        scan = scans[part.name] = _scan(package, part.part or "")
        scan.blanks |= strings.blanks
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


def _is_sparse(scan: SheetScan) -> bool:
    """Whether so few cells lie so far apart that a block over all of them would waste memory."""
    if scan.box is None:
        return False
    top, left, bottom, right = scan.box
    area = (bottom - top + 1) * (right - left + 1)
    return area > _DENSE_CELLS and area > _SPARSENESS * scan.cells


def _assemble(
    name: str, visible: bool, block: Block, strays: Places, scan: SheetScan, table: tuple[CellStyle, ...]
) -> Sheet:
    """The sheet of `block`, widened to cells whose formula has no value, with what the pass found."""
    if scan.blanks:
        for row in block.rows:
            blank_to_none(row)
    formulas = Formulas(scan.formulas)
    uncached = [at for at in formulas.uncached() if at not in strays]
    errors = {at: code for at, code in scan.errors.items() if at not in strays}
    _widen(block, uncached + list(errors))
    for (row, column), code in errors.items():
        block.rows[row - block.top][column - block.left] = CellError(code)
    return Sheet(
        name,
        block.rows,
        block.top,
        block.left,
        visible,
        frozenset(scan.hidden_rows),
        frozenset(scan.hidden_columns),
        tuple(scan.merges),
        _style_block(block, scan, len(table)),
        table,
        formulas,
        frozenset(uncached),
        strays=strays,
    )


def _widen(block: Block, cells: list[tuple[int, int]]) -> None:
    """Pads `block` so that `cells` lie in it."""
    if not cells:
        return
    if not block.rows:
        (block.top, block.left), block.rows = cells[0], [[None]]
    above = max(0, block.top - min(row for row, _ in cells))
    before = max(0, block.left - min(column for _, column in cells))
    width = len(block.rows[0])
    after = max(0, max(column for _, column in cells) - (block.left + width - 1))
    below = max(0, max(row for row, _ in cells) - (block.top + len(block.rows) - 1))
    if before or after:
        block.rows = [[None] * before + row + [None] * after for row in block.rows]
        width += before + after
    head: list[list[object]] = [[None] * width for _ in range(above)]
    tail: list[list[object]] = [[None] * width for _ in range(below)]
    block.rows = head + block.rows + tail
    block.top, block.left = block.top - above, block.left - before


def _style_block(block: Block, scan: SheetScan, known: int) -> NDArray[np.int32]:
    """The style numbers in the block's shape; a number that no style has counts as 0."""
    height, width = len(block.rows), len(block.rows[0]) if block.rows else 0
    styles = np.zeros((height, width) if known else (0, 0), np.int32)
    for rows, columns, numbers in scan.styled if known else ():
        at, across = rows - block.top, columns - block.left
        inside = (at >= 0) & (at < height) & (across >= 0) & (across < width) & (numbers >= 0) & (numbers < known)
        styles[at[inside], across[inside]] = numbers[inside]
    return styles
