"""The layout of a workbook: its tables, the regions of its sheets, and the account of every row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemas.workbook import Region, SheetCensus, TableBounds
from tools.workbook.aggregates import mark_aggregates
from tools.workbook.bare_names import mark_bare_names
from tools.workbook.bounds import correct
from tools.workbook.cells import Cells
from tools.workbook.census import hidden_account, take_account
from tools.workbook.details import set_details_aside
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.regions import find_areas
from tools.workbook.stages import tell_stage
from tools.workbook.tables import DetectedTable, build_table, join_parts, parts_by_id

__all__ = ["DetectedTable", "Layout", "detect_tables"]

_NO_BOUNDS: Mapping[str, TableBounds] = {}


@dataclass(slots=True)
class Layout:
    """A workbook's tables, and the regions and the census of each sheet."""

    tables: list[DetectedTable] = field(default_factory=list[DetectedTable])
    regions: tuple[Region, ...] = ()
    census: tuple[SheetCensus, ...] = ()


def detect_tables(workbook: Workbook, bounds: Mapping[str, TableBounds] = _NO_BOUNDS) -> Layout:
    """The layout of every sheet; `bounds` replaces what was found for the tables that it names.

    Tables are numbered t1, t2, … sheet by sheet, from top to bottom and left to right. Hidden sheets, rows and columns
    are accounted for and never read. Raises OutputError when the census does not come out even.
    """
    layout = Layout()
    for number, sheet in enumerate(workbook.sheets, 1):
        tell_stage(f"looking for tables, sheet {number} of {len(workbook.sheets)}: {sheet.name or ''}".rstrip(": "))
        if sheet.visible and sheet.columns:
            regions, census = _lay_out(sheet, layout.tables, bounds)
        else:
            regions, census = hidden_account(sheet)
        layout.regions += tuple(regions)
        layout.census += (census,)
    return layout


def _lay_out(
    sheet: Sheet, tables: list[DetectedTable], bounds: Mapping[str, TableBounds]
) -> tuple[list[Region], SheetCensus]:
    """Adds the sheet's tables to `tables`; its regions and its census."""
    cells = Cells(sheet)
    set_details_aside(cells)
    areas = find_areas(cells)
    groups = join_parts(areas)
    for number, parts in enumerate(groups, len(tables) + 1):
        for _, band in parts:
            band.table_id = f"t{number}"
    ids = [parts[0][1].table_id or "" for parts in groups]
    for table_id in (table_id for table_id in ids if table_id in bounds):
        parts = parts_by_id(areas).get(table_id)
        areas = correct(areas, parts, bounds[table_id]) if parts else areas
    kept = parts_by_id(areas)
    for kept_parts in kept.values():
        mark_aggregates(kept_parts)
        mark_bare_names(kept_parts)
    tables += [build_table(kept[table_id]) for table_id in ids if table_id in kept]
    return take_account(cells, areas)
