"""Sheets whose cells lie so far apart that no block can span them: the bulk in a block, the rest one by one."""

from __future__ import annotations

import io
from typing import Any
from zipfile import BadZipFile

import openpyxl

from tools.workbook import refusal
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import CellError, Sheet
from tools.workbook.ooxml import Manifest
from tools.workbook.scan import SheetScan

_BLOCK_CELLS = 4_000_000
_MOST_CELLS = 1_000_000


def read_sparse(data: bytes, filename: str, manifest: Manifest, scans: dict[str, SheetScan]) -> list[Sheet]:
    """The worksheets, read by openpyxl, which keeps cells one by one; raises InputError for a million cells or more."""
    if sum(scan.cells for scan in scans.values()) > _MOST_CELLS:
        raise refusal.unsafe(filename, f"scatters more than {_MOST_CELLS:,} cells over whole sheets")
    try:
        book: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, BadZipFile) as error:
        raise refusal.truncated(filename) from error
    visible = {part.name: part.visible for part in manifest.sheets}
    return [_sparse_sheet(book[name], name, visible[name], scan) for name, scan in scans.items()]


def _sparse_sheet(source: Any, name: str, visible: bool, scan: SheetScan) -> Sheet:
    values: dict[tuple[int, int], object] = {}
    for (row, column), cell in source._cells.items():  # noqa: SLF001 - rows() would visit every empty cell between
        value: object = cell.value
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        values[row, column - 1] = CellError(str(value)) if cell.data_type == "e" else value
    top, left, bottom, right = _bulk(values)
    inside = {at: v for at, v in values.items() if top <= at[0] <= bottom and left <= at[1] <= right}
    rows: list[list[object]] = [[None] * (right - left + 1) for _ in range(bottom - top + 1)]
    for (row, column), value in inside.items():
        rows[row - top][column - left] = value
    return Sheet(
        name,
        rows if values else [],
        top,
        left,
        visible,
        frozenset(scan.hidden_rows),
        frozenset(scan.hidden_columns),
        tuple(scan.merges),
        formulas=Formulas(scan.formulas),
        strays={at: v for at, v in values.items() if at not in inside},
    )


def _bulk(cells: dict[tuple[int, int], object]) -> tuple[int, int, int, int]:
    """The box that holds most cells: the farthest row or column is dropped until the box is small enough."""
    rows, columns = sorted(row for row, _ in cells) or [1], sorted(column for _, column in cells) or [0]
    while (rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1) > _BLOCK_CELLS:
        tall, wide = rows[-1] - rows[-2] if len(rows) > 1 else 0, columns[-1] - columns[-2] if len(columns) > 1 else 0
        if tall / (rows[-1] - rows[0] + 1) >= wide / (columns[-1] - columns[0] + 1):
            rows.pop()
        else:
            columns.pop()
    return rows[0], columns[0], rows[-1], columns[-1]
