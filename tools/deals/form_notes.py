"""Notes about forms: each block of labels and values has those over it, and not those over the blocks beside it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from schemas.workbook import Region, cell_address
from tools.deals.mapping import ColumnView
from tools.deals.note_places import notes_on_form
from tools.deals.part_gaps import Line
from tools.deals.scale_notes import read_note
from tools.deals.seen import seen_texts
from tools.deals.statements import Statement, is_statement, stated
from tools.workbook.detect import DetectedTable
from tools.workbook.grid import Sheet

_MOST_CELLS, _REACH, _MOST_LINES = 20_000, 3, 6
#: What speaks of all forms below, and names none: "Areas in sqm".
_GENERAL = re.compile(
    r"\W*(?:note\W+)?(?:all|amounts?|figures?|prices?|values?|areas?|sizes?|currency|units?|scale)\b", re.IGNORECASE
)
_ROW = re.compile(r"\d+$")


class _Note(NamedTuple):
    row: int
    column: int
    line: Line


class FormNotes:
    """The notes on one sheet of forms, and where its blocks end."""

    def __init__(self, sheet: Sheet, regions: Sequence[Region], blocks: Sequence[Sequence[ColumnView]]) -> None:
        rows = [[row for view in block for row, _ in view.cells or ()] for block in blocks]
        self._scales = [(_row(cell), (text, cell)) for text, cell in notes_on_form(sheet, regions)]
        self._top, self._ends = min(map(min, rows)), sorted(map(max, rows))
        self._said = sorted(
            _Note(row, column, (text, cell_address(sheet.name, row, column)))
            for region in regions
            if region.kind in ("title", "notes")
            for row, column, text in seen_texts(sheet, region.range, _MOST_CELLS)
            if stated(text) != Statement()
        )
        over = self._said[: bisect_left(self._said, (self._top,))]
        several = any(self._top < note.row <= self._ends[-1] for note in self._said)
        nearest = over[-1].row if over else 0
        self._common = [n for n in over if not several or n.row < nearest or _is_general(n.line[0])][:_MOST_LINES]

    def of(self, table: DetectedTable) -> tuple[Line, ...]:
        """The lines about a block: those right over it first, then those over all, then other notes on scales."""
        over = bisect_left(self._ends, table.first_row)
        since = self._ends[over - 1] if over else 0
        first = table.first_column - _REACH
        between = self._said[bisect_right(self._said, (since + 1,)) : bisect_left(self._said, (table.first_row,))]
        near = sorted(between, key=lambda note: (note.row, -abs(note.column - table.first_column)))
        within = [note for note in near if first <= note.column <= table.last_column]
        own = list({note.row: note for note in within}.values())[-_MOST_LINES:]
        rows = {note.row for note in own}
        lines = [note.line for note in (*reversed(own), *(n for n in self._common if n.row not in rows))]
        known = {cell for _, cell in lines}
        least = since if any(read_note(note.line[0]) for note in own) else 0
        scales = [
            line
            for row, line in self._scales
            if line[1] not in known and row not in rows and (least < row <= table.last_row or row > self._ends[-1])
        ]
        return (*lines, *scales)


def _is_general(text: str) -> bool:
    return is_statement(text) or _GENERAL.match(text) is not None


def _row(cell: str) -> int:
    match = _ROW.search(cell)
    return int(match[0]) if match else 0
