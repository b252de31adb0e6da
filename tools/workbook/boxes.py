"""The rectangles of a sheet: each filled cell lies in exactly one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schemas.workbook import RegionKind
from tools.workbook.cells import some
from tools.workbook.panel import Panel, runs
from tools.workbook.regions import Area
from tools.workbook.rows import Band


@dataclass(slots=True)
class Box:
    """A region by visible row and column indices, inclusive, `heads` too; `band` is the table that it holds."""

    left: int
    top: int
    right: int
    bottom: int
    kind: RegionKind
    band: Band | None = None
    heads: tuple[int, ...] = ()


def boxes_of(area: Area) -> list[Box]:
    """The boxes of an area's tables, titles and notes."""
    panel, boxes = area.panel, list[Box]()
    for band in area.bands:
        boxes += table_boxes(panel, band)
    inside = {i for band in area.bands for i in range(band.top, band.end + 1)}
    apart = [i for i in panel.filled_rows if i not in inside]
    boxes += loose(panel, [i for i in apart if area.classes[i] == "title"], "title")
    boxes += loose(panel, [i for i in apart if area.classes[i] == "note"], "notes")
    return boxes


def loose(panel: Panel, rows: list[int], kind: RegionKind) -> list[Box]:
    """Titles or notes: a box for each run of `rows` without a blank row; a single row is cut at its holes."""
    boxes: list[Box] = []
    flags = np.zeros(panel.n, np.bool_)
    flags[rows] = True
    for a, b in runs(flags):
        columns = runs(some(panel.full[a : b + 1], 0))
        parts = columns if a == b else [(columns[0][0], columns[-1][1])]
        boxes += [Box(panel.c0 + x, panel.r0 + a, panel.c0 + y, panel.r0 + b, kind) for x, y in parts]
    return boxes


def table_boxes(panel: Panel, band: Band) -> list[Box]:
    """The table, then cells gone astray right of it."""
    full = panel.full[band.top : band.end + 1]
    left, right = table_columns(panel, band)
    heads = tuple(panel.r0 + h for h in sorted({*band.heads, *band.repeats}))
    kind: RegionKind = "key_value" if band.key_value else "table"
    boxes = [Box(panel.c0 + left, panel.r0 + band.top, panel.c0 + right, panel.r0 + band.end, kind, band, heads)]
    for i in np.flatnonzero(full[:, right + 1 :].any(1)).tolist():
        far = np.flatnonzero(full[i, right + 1 :]) + right + 1
        row = panel.r0 + band.top + i
        boxes.append(Box(panel.c0 + int(far[0]), row, panel.c0 + int(far[-1]), row, "other"))
    return boxes


def table_columns(panel: Panel, band: Band) -> tuple[int, int]:
    """The first and last column of a table: in a long one, a last column with one cell and no header is not its own."""
    full = panel.full[band.top : band.end + 1]
    many = full.sum(0)
    headed = some(full[[h - band.top for h in band.heads]], 0) if band.heads else full[0]
    columns = np.flatnonzero(many)
    left, right = int(columns[0]), int(columns[-1])
    while band.end - band.top >= 6 and right > left and many[right] <= 1 and not headed[right]:
        right -= 1
    return left, right
