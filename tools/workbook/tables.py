"""Tables as those who map them need them: headers, record rows and their sections, what is left out, notes above."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from schemas.workbook import Orientation, RowClass, RowSpan, cell_address
from tools.workbook.boxes import table_columns
from tools.workbook.grid import Sheet
from tools.workbook.panel import Panel
from tools.workbook.regions import Area
from tools.workbook.rows import Band
from tools.workbook.stage_words import is_stage

_LONGEST_HEADER = 300
_FEWEST_SHARED = 4
_FEWEST_GROUPS = 2
_PAGE = re.compile(r"\W*(?:page|seite|pg\.?)\s*\d{1,5}(?:\s*(?:of|von|/)\s*\d{1,5})?\W*", re.IGNORECASE)
_CONTINUED = re.compile(
    r"\s*(?:[-–—,]\s*|[(\[]\s*)(?:continued|cont['’]?d|cont|fortsetzung)\.?\s*[)\]]?$", re.IGNORECASE
)


@dataclass(slots=True)
class DetectedTable:
    """A table's place (1-based rows, 0-based columns), its headers and its records.

    `orientation` "rows": `record_rows` are row numbers, `headers` has one entry a column from `first_column` to
    `last_column` (hidden ones too, with their own header). "columns": `record_rows` are 0-based indices of the value
    columns, `headers` has one entry a row from `first_row` to `last_row`, and the labels stand in `first_column`.
    A `key_value` table is a block of labels with one column of values: each row is a field; what it means together
    with the blocks beside it is for those to say who know fields.
    `sections` has one entry a record; `idle` are the rows of sections that no record stands in, `names` those of
    records that hold a name alone, as sections do. `excluded` are the rows in between that are no records.
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
    idle: tuple[int, ...] = ()
    names: tuple[int, ...] = ()


Part = tuple[Area, Band]
Heading = tuple[tuple[int, tuple[str, ...]], ...]


def join_parts(areas: Sequence[Area]) -> list[list[Part]]:
    """The tables of a sheet in reading order, each as its parts: under one another, with the same header over them.

    The name over the label column may differ from part to part: it is then the section of that part's records.
    """
    parts = [(area, band) for area in areas for band in area.bands]
    parts.sort(key=lambda part: (part[0].panel.r0 + part[1].top, part[0].panel.c0))
    groups: list[list[Part]] = []
    latest: dict[Heading, list[Part]] = {}
    for part in parts:
        key = _shared_heading(part)
        home = latest.get(key) if key else None
        if home is not None and _end(home[-1]) < _end(part):
            home.append(part)
        else:
            groups.append([part])
            latest[key] = groups[-1]
    return groups


def parts_by_id(areas: Sequence[Area]) -> dict[str, list[Part]]:
    """The parts of each table that has an id, from top to bottom."""
    found: dict[str, list[Part]] = {}
    for area in areas:
        for band in area.bands:
            if band.table_id is not None:
                found.setdefault(band.table_id, []).append((area, band))
    return found


def _end(part: Part) -> int:
    return part[0].panel.r0 + part[1].end


def _heading(part: Part) -> dict[int, tuple[str, ...]]:
    """The header of each column that has one, in lower case."""
    area, band = part
    panel = area.panel
    columns = np.flatnonzero(panel.full[band.heads].any(0)).tolist() if band.heads else []
    return {panel.c0 + j: tuple(panel.text(i, j).lower() for i in band.heads) for j in columns}


def _shared_heading(part: Part) -> Heading:
    """What the headers of a table's parts must share: all of it, but for the name of the label column in a wide one."""
    heading = _heading(part)
    columns = sorted(heading)
    return tuple((c, () if at == 0 and len(columns) >= _FEWEST_SHARED else heading[c]) for at, c in enumerate(columns))


def build_table(parts: Sequence[Part]) -> DetectedTable:
    """The table that `parts` form, one under the other."""
    (area, band), (last_area, last_band) = parts[0], parts[-1]
    panel, sheet = area.panel, area.panel.cells.sheet
    columns = [table_columns(a.panel, b) for a, b in parts]
    left = min(a.panel.c0 + at for (a, _), (at, _) in zip(parts, columns, strict=True))
    right = max(a.panel.c0 + at for (a, _), (_, at) in zip(parts, columns, strict=True))
    first, last = int(panel.cells.columns[left]), int(panel.cells.columns[right])
    records, sections, idle = _records(parts)
    table = DetectedTable(
        band.table_id or "",
        sheet,
        tuple(_row(panel, h) for h in band.heads),
        records[0] if records else _row(panel, band.top),
        records[-1] if records else _row(last_area.panel, last_band.end),
        first,
        last,
        records,
        sections,
        _headers(panel, band, first, last),
        hidden_columns=tuple(c for c in range(first, last + 1) if c in sheet.hidden_columns),
        idle=idle,
        names=tuple(_row(a.panel, i) for a, b in parts for i in b.names),
    )
    if band.key_value:
        table.kind = "key_value"
    elif band.across and len(parts) == 1:
        _turn(area, band, table)
    table.excluded = _excluded(parts, table)
    table.note_lines = tuple(_note_lines(area, band))
    return table


def _turn(area: Area, band: Band, table: DetectedTable) -> None:
    """Turns the table to a record a column: the rows under its header are its fields, named by the first column."""
    panel, sheet = area.panel, table.sheet
    table.orientation = "columns"
    # A header row whose first cell names it is a field like the others: the names of the records.
    fields = [h for h in band.heads if panel.full[h, 0]]
    table.header_rows = tuple(_row(panel, h) for h in band.heads if h not in fields)
    rows = [
        _row(panel, i) for i in panel.filled_rows if band.top <= i <= band.end and (i in fields or i not in band.heads)
    ]
    table.first_row, table.last_row = rows[0], rows[-1]
    columns = range(table.first_column + 1, table.last_column + 1)
    filled = [c for c in columns if any(sheet.value(r, c) is not None or (r, c) in sheet.uncached for r in rows)]
    table.record_rows = [c for c in filled if c not in sheet.hidden_columns]
    table.sections = [None] * len(table.record_rows)
    labels = (sheet.value(row, table.first_column) for row in range(table.first_row, table.last_row + 1))
    table.headers = [" ".join(str(label).split())[:_LONGEST_HEADER] if label is not None else "" for label in labels]


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


def _records(parts: Sequence[Part]) -> tuple[list[int], list[str | None], tuple[int, ...]]:
    """The row numbers of the records, the section that each stands in, and the rows of sections without a record."""
    records, sections, idle = list[int](), list[str | None](), set[int]()
    open_sections: list[tuple[tuple[object, ...], str, int]] = []
    named = len({_heading(part).get(min(_heading(part), default=0)) for part in parts}) > 1
    section, before = None, None
    for area, band in parts:
        panel = area.panel
        opening = _opening_totals(area, band)
        numbers = panel.cells.rows[panel.r0 : panel.r0 + panel.n].tolist()
        start = band.top if before is None else 0 if before[0] is not area else before[1].end + 1
        for i in range(start, band.end + 1):
            kind = area.classes[i]
            names_part = named and band.heads and i == band.heads[-1]
            if kind == "record":
                records.append(numbers[i])
                sections.append(section)
                if idle:
                    idle.difference_update(row for _, _, row in open_sections)
            elif kind == "section" or names_part or i in opening or (kind == "title" and before is not None):
                _open_section(open_sections, panel, i)
                section = " / ".join(text for _, text, _ in open_sections) or None
                idle |= {row for _, _, row in open_sections[-1:] if kind == "section" and row == numbers[i]}
        before = area, band
    return records, sections, tuple(sorted(idle))


def _opening_totals(area: Area, band: Band) -> set[int]:
    """The totals that name the group below them, as an outline's do: the first comes before all records, others follow.

    None of them is labelled as a total, and none is followed by another.
    """
    panel = area.panel
    first = next((area.classes[i] for i in range(band.top, band.end + 1) if area.classes[i] != "header"), None)
    if first != "total":
        return set()
    kinds = [(i, area.classes[i]) for i in panel.filled_rows if band.top <= i <= band.end and i not in band.heads]
    opening = [i for (i, kind), (_, after) in pairwise(kinds) if kind == "total" and after == "record"]
    named = all(panel.texty[i, panel.first[i]] and not panel.is_total(i) for i in opening)
    leads = len(opening) >= _FEWEST_GROUPS and kinds[0][0] == opening[0]
    return set(opening) if named and leads else set()


def _open_section(sections: list[tuple[tuple[object, ...], str, int]], panel: Panel, i: int) -> None:
    """Puts row `i` on the stack of open sections; it closes the one that looks like it, and those inside that one.

    The number of a page opens none, and what goes on from the page before keeps its name.
    """
    j = int(panel.first[i])
    text = _CONTINUED.sub("", " ".join(panel.text(i, j).split())[:_LONGEST_HEADER])
    if not text or _PAGE.fullmatch(text):
        return
    cells = panel.cells
    bold = cells.sheet.bold(int(cells.rows[panel.r0 + i]), int(cells.columns[panel.c0 + j]))
    look = (j, bold, text.isupper(), text.endswith(":"), bool(panel.same[i]))
    alike = next((at for at, (other, _, _) in enumerate(sections) if other == look), None)
    if alike is None and is_stage(text):
        alike = _stage_before(sections, _row(panel, i))
    if alike is not None:
        del sections[alike:]
    elif sections and len(sections) > 2:
        sections.clear()
    sections.append((look, text.rstrip(":"), _row(panel, i)))


def _stage_before(sections: list[tuple[tuple[object, ...], str, int]], row: int) -> int | None:
    """The open section that a stage at a row closes whatever its look: LOI and Lead are headings of one kind.

    None of those right under which another heading stands: Acquisitions over Under Contract holds it.
    """
    below = [*(own for _, _, own in sections[1:]), row]
    return next((at for at, (_, said, own) in enumerate(sections) if is_stage(said) and below[at] > own + 1), None)


def _excluded(parts: Sequence[Part], table: DetectedTable) -> tuple[RowSpan, ...]:
    """The rows of the table that are no records, as spans of one class; hidden ones as "other"."""
    spans, sheet = list[RowSpan](), table.sheet
    found: list[tuple[int, RowClass]] = []
    top, last = _row(parts[0][0].panel, parts[0][1].top), _row(parts[-1][0].panel, parts[-1][1].end)
    for area in {id(area): area for area, _ in parts}.values():
        for i, kind in enumerate(area.classes):
            if kind is not None and kind != "record":
                row = _row(area.panel, i)
                if top <= row <= last and row not in table.header_rows and area.panel.count[i]:
                    found.append((row, kind))
    aside = {_row(area.panel, i) for area, _ in parts for i in area.panel.rows_aside}
    found.extend((row, "other") for row in aside if top <= row <= last)
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
