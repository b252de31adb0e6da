"""Where notes on scales stand: in a header's upper rows, below a table, on a form; all become lines about the table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.workbook import Region, cell_address
from tools.deals.currency_conflicts import speaks_of_currency
from tools.deals.dictionary import dictionary
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.scale_notes import is_bare, read_note
from tools.deals.seen import seen_texts
from tools.deals.statements import Statement, stated
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.grid import Sheet

_RANGE = re.compile(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?")
_MOST_CELLS, _REACH = 20_000, 3


def gather_notes(layout: Layout) -> None:
    """Adds to each table's lines the notes on scales and currencies below it, and those on scales in its header.

    What a header holds is its no more.
    """
    for table in layout.tables:
        _lift(table)
    claimed = {cell for table in layout.tables for _, cell in table.note_lines}
    for region in layout.regions:
        if region.kind != "notes":
            continue
        for table in _above(layout.tables, region):
            lines = [(text, cell) for text, cell in _scale_lines(table.sheet, region) if cell not in claimed]
            table.note_lines = (*lines, *table.note_lines)


def notes_on_form(sheet: Sheet, regions: Sequence[Region]) -> tuple[tuple[str, str], ...]:
    """The notes on scales among a sheet's titles and notes, and those that stand alone between labels and values."""
    found: list[tuple[str, str]] = []
    for region in regions:
        apart = region.kind in ("title", "notes")
        for row, column, text in seen_texts(sheet, region.range, _MOST_CELLS):
            beside = any(sheet.value(row, column + step) is not None for step in range(1, _REACH + 1))
            if (apart and read_note(text)) or (not beside and is_bare(text)):
                found.append((text, cell_address(sheet.name, row, column)))
    return tuple(found)


def _lift(table: DetectedTable) -> None:
    """Takes the note that stands alone, or beside a title, in an upper row of a header out of its column's header."""
    sheet = table.sheet
    if table.orientation != "rows" or table.kind != "table":
        return
    for row in table.header_rows[:-1]:
        columns = range(table.first_column, table.last_column + 1)
        held = [(c, value) for c in columns if (value := sheet.value(row, c)) is not None]
        notes = [(c, value) for c, value in held if isinstance(value, str) and is_bare(value)]
        merged = any(top <= row <= bottom for top, _, bottom, _ in sheet.merges)
        notes = notes or _title(table, row, held)
        if len(notes) != 1 or len(held) > 2 or held[-1] != notes[0] or merged:
            continue
        column, text = notes[0]
        at = column - table.first_column
        joined = " ".join(text.split())
        table.headers[at] = table.headers[at].removeprefix(joined).removeprefix(" / ")
        table.note_lines = (*table.note_lines, (text, cell_address(sheet.name, row, column)))


def _title(table: DetectedTable, row: int, held: Sequence[tuple[int, object]]) -> list[tuple[int, str]]:
    """The title alone in a header's first row, over the column of names: "Germany (EUR)" over "Property"."""
    column, text = held[0] if len(held) == 1 else (-1, None)
    if row != table.header_rows[0] or column != table.first_column or not isinstance(text, str):
        return []
    below = table.headers[0].removeprefix(" ".join(text.split())).removeprefix(" / ")
    if below == table.headers[0] or stated(text) == Statement():
        return []
    scores = header_scores(read_header(below), frozenset())
    best = max(scores, key=lambda name: scores[name], default=None)
    return [(column, text)] if best is not None and dictionary().fields[best].type == "text" else []


def _above(tables: Sequence[DetectedTable], region: Region) -> list[DetectedTable]:
    """The tables right above a region of notes."""
    match = _RANGE.fullmatch(region.range)
    if match is None:
        return []
    row = int(match[2])
    over = [table for table in tables if table.sheet.name == region.sheet and table.last_row < row]
    lowest = max((table.first_row for table in over), default=0)
    return [table for table in over if table.last_row >= lowest]


def _scale_lines(sheet: Sheet, region: Region) -> list[tuple[str, str]]:
    texts = seen_texts(sheet, region.range, _MOST_CELLS)
    return [
        (text, cell_address(sheet.name, row, column))
        for row, column, text in texts
        if read_note(text) or speaks_of_currency(text)
    ]
