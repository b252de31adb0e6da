"""Tables as those who map them need them: headers, record rows and their sections, what is left out, notes above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from schemas.workbook import Orientation, RowClass, RowSpan, TableBounds, cell_address
from tools.workbook.boxes import table_columns
from tools.workbook.grid import Sheet
from tools.workbook.panel import Panel
from tools.workbook.regions import Area
from tools.workbook.rows import Band

_LONGEST_HEADER = 300


@dataclass(slots=True)
class DetectedTable:
    """A table's place (1-based rows, 0-based columns), its headers and its records.

    `orientation` "rows": `record_rows` are row numbers, `headers` has one entry a column from `first_column` to
    `last_column` (hidden ones too, with their own header). "columns": `record_rows` are 0-based indices of the value
    columns, `headers` has one entry a row from `first_row` to `last_row`, and the labels stand in `first_column`.
    `sections` has one entry a record. `excluded` are the rows in between that are no records.
    `note_lines` are (text, cell) of the titles and notes over it, where scale notes stand.
    """

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
    hidden_columns: tuple[int, ...] = field(default=())


def join_bands(area: Area) -> list[list[Band]]:
    """The area's tables: bands under one another that repeat the same header are one table."""
    groups: list[list[Band]] = []
    for band in area.bands:
        last = groups[-1][0] if groups else None
        if last is not None and last.heads and _heading(area.panel, last) == _heading(area.panel, band):
            groups[-1].append(band)
        else:
            groups.append([band])
    return groups


def _heading(panel: Panel, band: Band) -> list[list[str]]:
    return [[panel.text(i, j).lower() for j in range(panel.w)] for i in band.heads]


def correct(area: Area, bands: list[Band], bounds: TableBounds) -> None:
    """Sets the header and record rows of a table as `bounds` says; rows that it lets go become titles and notes."""
    panel = area.panel
    rows = {int(number): i - panel.r0 for i, number in enumerate(panel.cells.rows.tolist())}
    heads = [rows[h] for h in bounds.header_rows if 0 <= rows.get(h, -1) < panel.n]
    inside = [
        i for r, i in rows.items() if bounds.first_row <= r <= bounds.last_row and 0 <= i < panel.n and i not in heads
    ]
    inside = [i for i in inside if panel.count[i]]
    if not inside:
        return
    old = range(bands[0].top, bands[-1].end + 1)
    for i in old:
        if area.classes[i] is not None and i not in inside:
            area.classes[i] = "title" if i < inside[0] else "note"
    for i in inside:
        kept = area.classes[i] in ("section", "total") or any(i in band.repeats for band in bands)
        area.classes[i] = area.classes[i] if kept else "record"
    for i in heads:
        area.classes[i] = "header"
    top, end = min(heads + inside), max(heads + inside)
    band = Band(top, end, heads, [i for i in inside if area.classes[i] == "header"], table_id=bands[0].table_id)
    area.bands = sorted([b for b in area.bands if b.end < top or b.top > end] + [band], key=lambda b: b.top)


def build_table(area: Area, bands: Sequence[Band]) -> DetectedTable:
    """The table that `bands` of `area` form."""
    panel, band = area.panel, bands[0]
    columns = [table_columns(panel, b) for b in bands]
    left, right = min(a for a, _ in columns), max(b for _, b in columns)
    numbers = panel.cells.columns
    first, last = int(numbers[panel.c0 + left]), int(numbers[panel.c0 + right])
    records, sections = _records(area, bands)
    sheet = panel.cells.sheet
    table = DetectedTable(
        band.table_id or "",
        sheet,
        tuple(_row(panel, h) for h in band.heads),
        records[0] if records else _row(panel, band.top),
        records[-1] if records else _row(panel, bands[-1].end),
        first,
        last,
        records,
        sections,
        _headers(panel, band, first, last),
        hidden_columns=tuple(c for c in range(first, last + 1) if c in sheet.hidden_columns),
    )
    table.excluded = _excluded(area, bands, table)
    table.note_lines = tuple(_note_lines(area, band))
    return table


def _row(panel: Panel, i: int) -> int:
    return int(panel.cells.rows[panel.r0 + i])


def _headers(panel: Panel, band: Band, first: int, last: int) -> list[str]:
    """The header of each sheet column from `first` to `last`: the texts of its header rows, joined, none twice."""
    cells = panel.cells
    at = {int(number): j for j, number in enumerate(cells.columns.tolist())}
    headers: list[str] = []
    for column in range(first, last + 1):
        texts: list[str] = []
        for i in band.heads:
            j = at.get(column)
            raw = cells.text(panel.r0 + i, j) if j is not None else str(cells.sheet.value(_row(panel, i), column) or "")
            text = " ".join(raw.split())[:_LONGEST_HEADER]
            if text and text not in texts:
                texts.append(text)
        headers.append(" / ".join(texts))
    return headers


def _records(area: Area, bands: Sequence[Band]) -> tuple[list[int], list[str | None]]:
    """The row numbers of the records, and the section that each stands in."""
    panel, records, sections = area.panel, list[int](), list[str | None]()
    numbers = panel.cells.rows[panel.r0 : panel.r0 + panel.n].tolist()
    open_sections: list[tuple[tuple[object, ...], str]] = []
    section, start = None, bands[0].top
    for band in bands:
        for i in range(start, band.end + 1):
            kind = area.classes[i]
            if kind == "record":
                records.append(numbers[i])
                sections.append(section)
            elif kind == "section" or (kind == "title" and band is not bands[0]):
                _open_section(open_sections, panel, i)
                section = " / ".join(text for _, text in open_sections) or None
        start = band.end + 1
    return records, sections


def _open_section(sections: list[tuple[tuple[object, ...], str]], panel: Panel, i: int) -> None:
    """Puts row `i` on the stack of open sections; it closes the one that looks like it, and those inside that one."""
    j = int(panel.first[i])
    text = " ".join(panel.text(i, j).split())[:_LONGEST_HEADER]
    cells = panel.cells
    bold = cells.sheet.bold(int(cells.rows[panel.r0 + i]), int(cells.columns[panel.c0 + j]))
    look = (j, bold, text.isupper(), text.endswith(":"), bool(panel.same[i]))
    alike = next((at for at, (other, _) in enumerate(sections) if other == look), None)
    if alike is not None:
        del sections[alike:]
    elif sections and len(sections) > 2:
        sections.clear()
    sections.append((look, text.rstrip(":")))


def _excluded(area: Area, bands: Sequence[Band], table: DetectedTable) -> tuple[RowSpan, ...]:
    """The rows of the table that are no records, as spans of one class; hidden ones as "other"."""
    panel, spans, sheet = area.panel, list[RowSpan](), table.sheet
    found: list[tuple[int, RowClass]] = []
    for i in range(bands[0].top, bands[-1].end + 1):
        kind = area.classes[i]
        if kind is not None and kind != "record" and i not in bands[0].heads:
            found.append((_row(panel, i), kind))
    last = _row(panel, bands[-1].end)
    hidden = [row for row in sheet.hidden_rows if table.first_row < row < last and _has_value(table, row)]
    found.extend((row, "other") for row in hidden)
    for row, kind in sorted(found):
        if spans and spans[-1].last == row - 1 and spans[-1].row_class == kind:
            spans[-1] = RowSpan(sheet.name, spans[-1].first, row, kind, table.table_id)
        else:
            spans.append(RowSpan(sheet.name, row, row, kind, table.table_id))
    return tuple(spans)


def _has_value(table: DetectedTable, row: int) -> bool:
    return any(table.sheet.value(row, c) is not None for c in range(table.first_column, table.last_column + 1))


def _note_lines(area: Area, band: Band) -> list[tuple[str, str]]:
    """The texts over the table: titles over all panels, then the titles and notes since the table before."""
    lines: list[tuple[str, str]] = []
    for other in area.above:
        lines += [line for i in other.panel.filled_rows for line in _texts(other.panel, i)]
    panel = area.panel
    start = max((b.end + 1 for b in area.bands if b.end < band.top), default=0)
    for i in range(start, band.top):
        if area.classes[i] in ("title", "note"):
            lines += _texts(panel, i)
    return lines


def _texts(panel: Panel, i: int) -> list[tuple[str, str]]:
    """The texts of row `i` that are its own, with their cells."""
    cells, found = panel.cells, list[tuple[str, str]]()
    for j in np.flatnonzero(cells.filled[panel.r0 + i, panel.c0 : panel.c0 + panel.w]).tolist():
        address = cell_address(cells.sheet.name, _row(panel, i), int(cells.columns[panel.c0 + j]))
        found.append((panel.text(i, j), address))
    return found
