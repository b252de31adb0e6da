"""The tables of a workbook: where each lies, its headers, its records, and what is left out of them and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from schemas.workbook import Orientation, Region, RowSpan, SheetCensus, TableBounds, column_letters
from tools.workbook.grid import Sheet, Workbook


@dataclass(slots=True)
class DetectedTable:
    """A table's place and rows (1-based), its columns (0-based); `sections` has one entry a record row."""

    table_id: str
    sheet: Sheet
    header_rows: tuple[int, ...]
    first_row: int
    last_row: int
    first_column: int
    last_column: int
    record_rows: list[int]
    sections: list[str | None]
    headers: list[str]
    excluded: tuple[RowSpan, ...] = ()
    note_lines: tuple[tuple[str, str], ...] = ()
    orientation: Orientation = "rows"
    kind: Literal["table", "key_value"] = "table"


@dataclass(slots=True)
class Layout:
    """A workbook's tables, and the regions and the account of rows that they leave."""

    tables: list[DetectedTable] = field(default_factory=list[DetectedTable])
    regions: tuple[Region, ...] = ()
    census: tuple[SheetCensus, ...] = ()


def detect_tables(workbook: Workbook, bounds: Mapping[str, TableBounds] | None = None) -> Layout:
    """The layout of every sheet; `bounds` replaces what was found for the tables that it names."""
    layout = Layout()
    for sheet in workbook.sheets:
        full = [i for i, row in enumerate(sheet.rows) if sum(v is not None for v in row) > 1]
        if len(full) < 2 or not sheet.visible:
            continue
        table_id = f"t{len(layout.tables) + 1}"
        said = (bounds or {}).get(table_id)
        heads = said.header_rows if said else (sheet.top + full[0],)
        first = said.first_row if said else sheet.top + full[1]
        last = said.last_row if said else sheet.top + full[-1]
        records = [sheet.top + i for i in full if first <= sheet.top + i <= last]
        headers = [
            " / ".join(str(v) for h in heads if (v := sheet.value(h, c)) is not None)
            for c in range(sheet.left, sheet.right + 1)
        ]
        layout.tables.append(
            DetectedTable(
                table_id, sheet, heads, first, last, sheet.left, sheet.right, records, [None] * len(records), headers
            )
        )
        place = f"{column_letters(sheet.left)}{heads[0]}:{column_letters(sheet.right)}{last}"
        layout.regions += (Region(sheet.name, place, "table", heads, table_id),)
    return layout
