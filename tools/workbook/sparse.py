"""Workbooks that calamine cannot read well: cells so far apart that no block can span them, parts in unusual places.

The bulk of a sheet comes in a block, the rest one by one.
"""

from __future__ import annotations

import datetime as dt
import io
import warnings
from typing import Any

import openpyxl

from tools.workbook import refusal
from tools.workbook.assemble import Places
from tools.workbook.columns import BlockColumn
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import CellError
from tools.workbook.scan import SheetScan
from tools.workbook.values import Block

_BLOCK_CELLS = 4_000_000
_MOST_CELLS = 1_000_000


def read_sparse(data: bytes, filename: str, scans: dict[str, SheetScan]) -> list[tuple[str, Block, Places]]:
    """The name, block and strays of each sheet, read by openpyxl, which keeps cells one by one.

    Raises InputError for a million cells or more.
    """
    if sum(scan.cells for scan in scans.values()) > _MOST_CELLS:
        raise refusal.unsafe(filename, f"scatters more than {_MOST_CELLS:,} cells over whole sheets")
    try:
        with warnings.catch_warnings():
            # What openpyxl finds missing in styles and the like is none of our readers' concern.
            warnings.simplefilter("ignore")
            book: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    except Exception as error:
        raise refusal.truncated(filename) from error
    if any(name not in book.sheetnames for name in scans):
        raise refusal.truncated(filename)
    return [(name, *split_places(_values(book[name]), scan)) for name, scan in scans.items()]


def _values(source: Any) -> Places:
    values: Places = {}
    for (row, column), cell in source._cells.items():  # noqa: SLF001 - rows() would visit every empty cell between
        value: object = cell.value
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        if isinstance(value, dt.datetime) and value.time() == dt.time.min:
            value = value.date()
        values[row, column - 1] = CellError(str(value)) if cell.data_type == "e" else value
    return values


def split_places(values: Places, scan: SheetScan) -> tuple[Block, Places]:
    """The bulk of the values as a block, the others by their places; formulas without a value count as places too."""
    places: Places = dict.fromkeys(Formulas(scan.formulas).uncached()) | values
    if not places:
        return Block((), 1, 0), {}
    top, left, bottom, right = _bulk(places)
    columns = [BlockColumn([None] * (bottom - top + 1)) for _ in range(right - left + 1)]
    strays: Places = {}
    for (row, column), value in places.items():
        if top <= row <= bottom and left <= column <= right:
            columns[column - left].put(row - top, value)
        else:
            strays[row, column] = value
    return Block((), top, left, columns=columns), strays


def _bulk(cells: Places) -> tuple[int, int, int, int]:
    """The box that holds most cells: the farthest row or column is dropped until the box is small enough."""
    rows, columns = sorted(row for row, _ in cells) or [1], sorted(column for _, column in cells) or [0]
    while (rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1) > _BLOCK_CELLS:
        tall, wide = rows[-1] - rows[-2] if len(rows) > 1 else 0, columns[-1] - columns[-2] if len(columns) > 1 else 0
        if tall / (rows[-1] - rows[0] + 1) >= wide / (columns[-1] - columns[0] + 1):
            rows.pop()
        else:
            columns.pop()
    return rows[0], columns[0], rows[-1], columns[-1]
