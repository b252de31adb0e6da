"""Tables whose header and record rows an agent or a person has corrected."""

from __future__ import annotations

import numpy as np

from schemas.workbook import RowClass, TableBounds
from tools.workbook.panel import Panel
from tools.workbook.regions import Area
from tools.workbook.rows import Band
from tools.workbook.tables import Part


def correct(areas: list[Area], parts: list[Part], bounds: TableBounds) -> list[Area]:
    """The areas with the table that `parts` form as `bounds` says; rows that it lets go become titles and notes.

    Bounds that name no filled row of the sheet change nothing. Areas that the new bounds reach into become one.
    """
    first_area, first_band = parts[0]
    cells = first_area.panel.cells
    said = range(min((*bounds.header_rows, bounds.first_row)), bounds.last_row + 1)
    at = np.flatnonzero((cells.rows >= said.start) & (cells.rows < said.stop))
    if not len(at) or bounds.first_row > bounds.last_row:
        return areas
    reached = _reached(areas, [area for area, _ in parts], int(at[0]), int(at[-1]))
    area = reached[0] if len(reached) == 1 else _merged(reached)
    if not _apply(area, {id(band) for _, band in parts}, first_band.table_id, bounds):
        return areas
    return [area if other is reached[0] else other for other in areas if other is reached[0] or other not in reached]


def _reached(areas: list[Area], start: list[Area], top: int, bottom: int) -> list[Area]:
    """The areas of the table, those between rows `top` and `bottom` in its columns, and all in the box around them."""
    found = list({id(area): area for area in start}.values())
    while True:
        left, right = min(a.panel.c0 for a in found), max(a.panel.c0 + a.panel.w for a in found)
        low = min(top, *(a.panel.r0 for a in found))
        high = max(bottom, *(a.panel.r0 + a.panel.n - 1 for a in found))
        more = [a for a in areas if a not in found and _meets(a.panel, low, high, left, right)]
        if not more:
            return sorted(found, key=areas.index)
        found += more


def _meets(panel: Panel, top: int, bottom: int, left: int, right: int) -> bool:
    return panel.r0 <= bottom and panel.r0 + panel.n > top and panel.c0 < right and panel.c0 + panel.w > left


def _merged(areas: list[Area]) -> Area:
    """One area over all of `areas`; where they lie side by side, the widest one's class counts for a row."""
    panels = [area.panel for area in areas]
    r0, c0 = min(p.r0 for p in panels), min(p.c0 for p in panels)
    r1, c1 = max(p.r0 + p.n for p in panels) - 1, max(p.c0 + p.w for p in panels) - 1
    panel = Panel(panels[0].cells, r0, r1, c0, c1)
    classes: list[RowClass | None] = [None] * panel.n
    bands: list[Band] = []
    for area in sorted(areas, key=lambda area: area.panel.w):
        shift = area.panel.r0 - r0
        for i in area.panel.filled_rows:
            classes[i + shift] = area.classes[i]
        for band in area.bands:
            band.top, band.end = band.top + shift, band.end + shift
            band.heads, band.repeats = [h + shift for h in band.heads], [h + shift for h in band.repeats]
            bands.append(band)
    return Area(panel, classes, bands, any(area.beside for area in areas), areas[0].above)


def _apply(area: Area, old: set[int], table_id: str | None, bounds: TableBounds) -> bool:
    """Sets the classes and the band of the table; False where no row is left to be a record."""
    panel = area.panel
    rows = {int(panel.cells.rows[panel.r0 + i]): i for i in panel.filled_rows}
    heads = [rows[h] for h in bounds.header_rows if h in rows]
    inside = [i for r, i in rows.items() if bounds.first_row <= r <= bounds.last_row and i not in heads]
    if not inside:
        return False
    mine = [band for band in area.bands if id(band) in old]
    repeats = {i for band in mine for i in band.repeats}
    top, end = min(heads + inside), max(heads + inside)
    for i in (i for band in mine for i in range(band.top, band.end + 1) if area.classes[i] is not None):
        area.classes[i] = area.classes[i] if i in inside else "title" if i < top else "note"
    for i in inside:
        kept = area.classes[i] in ("section", "total") or i in repeats
        area.classes[i] = area.classes[i] if kept else "record"
    for i in heads:
        area.classes[i] = "header"
    band = Band(top, end, heads, [i for i in inside if area.classes[i] == "header"], table_id=table_id)
    others = [b for b in area.bands if id(b) not in old and (b.end < top or b.top > end)]
    area.bands = sorted([*others, band], key=lambda b: b.top)
    return True
