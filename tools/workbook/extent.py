"""How far a sheet's cells may reach, told before their values are read into a dense block."""

from __future__ import annotations

from tools.workbook import refusal
from tools.workbook.limits import Limits
from tools.workbook.scan import SheetScan

# As for xlsx, but where no cells are read one by one, a block that hardly anything fills can't be read at all.
_DENSE_CELLS = 4_000_000
_SPARSENESS = 50


def check_area(filename: str, scan: SheetScan, limits: Limits) -> int:
    """How many cells the block has; raises InputError for more than the limits allow."""
    if scan.box is None:
        return 0
    top, left, bottom, right = scan.box
    area = (bottom - top + 1) * (right - left + 1)
    if area > limits.cells:
        raise refusal.unsafe(filename, f"spans more than {limits.cells:,} cells")
    return area


def check_extent(filename: str, scan: SheetScan, limits: Limits) -> None:
    """As `check_area`; raises InputError for a large block with hardly any of its cells filled, too."""
    area = check_area(filename, scan, limits)
    if area > _DENSE_CELLS and area > _SPARSENESS * scan.cells:
        raise refusal.unsafe(filename, f"spreads {scan.cells:,} cells over {area:,}")
