"""How far a sheet's cells may reach, told before their values are read into a dense block."""

from __future__ import annotations

from tools.workbook import refusal
from tools.workbook.grid import LAST_COLUMN, LAST_ROW
from tools.workbook.limits import Limits
from tools.workbook.scan import SheetScan

_DENSE_CELLS = 4_000_000
_SPARSENESS = 50
_MOST_SCATTERED, _SCATTERING = 100_000, 20


def area_of(scan: SheetScan) -> int:
    """How many cells the block of a sheet has."""
    if scan.box is None:
        return 0
    top, left, bottom, right = scan.box
    return (bottom - top + 1) * (right - left + 1)


def is_sparse(scan: SheetScan) -> bool:
    """Whether so few cells lie so far apart that a block over all of them would waste memory."""
    area = area_of(scan)
    return area > _DENSE_CELLS and area > _SPARSENESS * scan.cells


def check_area(filename: str, scan: SheetScan, limits: Limits) -> None:
    """Raises InputError for cells beyond the last row or column of any sheet, and for more cells than limits allow."""
    if scan.box is not None and (scan.box[2] > LAST_ROW or scan.box[3] > LAST_COLUMN):
        raise refusal.truncated(filename)
    if area_of(scan) > limits.cells:
        raise refusal.unsafe(filename, f"spans more than {limits.cells:,} cells")


def check_extent(filename: str, scan: SheetScan, limits: Limits) -> None:
    """As `check_area`; raises InputError for a large block with hardly any of its cells filled, too."""
    check_area(filename, scan, limits)
    if is_sparse(scan):
        raise refusal.unsafe(filename, f"spreads {scan.cells:,} cells over {area_of(scan):,}")


def check_scattering(filename: str, scan: SheetScan) -> None:
    """Raises InputError for many cells of which hardly any lie beside one another.

    Rows and columns that are empty throughout don't count: a table with a cell far away from it is none of these.
    """
    if scan.cells <= _MOST_SCATTERED:
        return
    top, _, bottom, _ = scan.box or (0, 0, -1, 0)
    rows, columns = min(scan.filled_rows, bottom - top + 1), scan.filled_columns.count(1)
    if rows * columns > max(_DENSE_CELLS, _SCATTERING * scan.cells):
        raise refusal.unsafe(filename, f"scatters {scan.cells:,} cells over {rows:,} rows and {columns:,} columns")
