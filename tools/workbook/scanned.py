"""Reading xls, xlsb and ods: values by calamine, the rest as a pass over the file has found it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tools.workbook import refusal
from tools.workbook.assemble import assemble
from tools.workbook.dense import Dates, read_dense
from tools.workbook.grid import Sheet
from tools.workbook.limits import Limits
from tools.workbook.scan import SheetScan
from tools.workbook.values import SheetEntry


@dataclass(frozen=True, slots=True)
class BookScan:
    """What a pass found: a scan for each sheet in the file's order, styles, the date system.

    `unstyled` makes a copy of the file in which dates are plain numbers; None where dates are no numbers anyway. `data`
    is a copy to read instead of the file, whose texts lack raised marks and what is struck out; None without such.
    """

    sheets: Sequence[SheetScan] = ()
    dates: Dates = field(default_factory=Dates)
    unstyled: Callable[[], bytes] | None = None
    data: bytes | None = None


def read_scanned(data: bytes, filename: str, limits: Limits, found: BookScan | None) -> tuple[list[Sheet], bool]:
    """The worksheets, and whether dates count from 1904; of the values alone where there is no scan."""
    found = found or BookScan()
    sheets, cells = list[Sheet](), 0
    if len(found.sheets) > limits.sheets:
        raise refusal.unsafe(filename, f"has {len(found.sheets):,} sheets, more than {limits.sheets:,}")

    def scan_of(entry: SheetEntry) -> SheetScan:
        if entry.index >= limits.sheets:
            raise refusal.unsafe(filename, f"has more than {limits.sheets:,} sheets")
        return found.sheets[entry.index] if entry.index < len(found.sheets) else SheetScan(cells=1, untidy=True)

    for entry, scan, block in read_dense(found.data or data, filename, scan_of, found.dates, found.unstyled):
        cells += block.height * len(block.columns)
        if cells > limits.cells:
            raise refusal.unsafe(filename, f"has more than {limits.cells:,} cells")
        scan.merges = scan.merges or list(block.merges)
        sheets.append(assemble(entry.name, entry.visible, block, {}, scan, found.dates.styles))
    return sheets, found.dates.epoch_1904
