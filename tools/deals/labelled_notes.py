"""Scales that stand in two cells over a table, a label and what it says: "Units" beside "thousands"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.workbook import cell_address
from tools.deals.scale import scale_in
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.grid import Sheet

_ROWS, _COLUMNS, _REACH, _LONGEST = 10, 60, 2, 40
#: A block of labels over a list is no wider.
_BLOCK = 4
_LABEL = re.compile(r"[\w ]{4,30}[:=]?")
_ROW = re.compile(r"\d+$")
Pair = tuple[int, int, int, str]


def take_labelled(layout: Layout) -> None:
    """Adds to each table's lines the scales in two cells over it; a header that holds one has it no more."""
    for table in layout.tables:
        if table.orientation != "rows" or table.kind != "table" or not table.header_rows:
            continue
        for row, label, column, text in _pairs(table, _first_row(table, layout.tables)):
            _lift(table, row, label, column)
            cells = {cell_address(table.sheet.name, row, at) for at in (label, column)}
            lines = [line for line in table.note_lines if line[1] not in cells]
            over = sum(_row(cell) <= row for _, cell in lines)
            line = (text, cell_address(table.sheet.name, row, column))
            table.note_lines = (*lines[:over], line, *lines[over:])


def _first_row(table: DetectedTable, tables: Sequence[DetectedTable]) -> int:
    """The first row over a table that may be about it: none of another list's."""
    top = table.header_rows[0]
    over = [
        other.last_row + 1
        for other in tables
        if other.sheet is table.sheet and other.last_row < top and other.last_column - other.first_column >= _BLOCK
    ]
    return max([1, top - _ROWS, *over])


def _pairs(table: DetectedTable, first: int) -> Iterator[Pair]:
    """Row, column of the label, column of the value, and both as one text, of each pair that states a scale."""
    sheet, last = table.sheet, min(table.last_column, table.first_column + _COLUMNS) + _REACH
    for row in (row for row in range(first, table.header_rows[-1]) if row not in sheet.hidden_rows):
        for column in (c for c in range(table.first_column, last + 1) if c not in sheet.hidden_columns):
            label = sheet.value(row, column)
            if isinstance(label, str) and _LABEL.fullmatch(label.strip()):
                at = _beside(sheet, row, column)
                value = _text(sheet.value(row, at)) if at else ""
                said = f"{label.strip().rstrip(':= ')}: {value}"
                scale = scale_in(said) if value else None
                if at and scale and scale.text == said:
                    yield row, column, at, said


def _beside(sheet: Sheet, row: int, column: int) -> int | None:
    """The next column that holds something in a row."""
    return next((c for c in range(column + 1, column + _REACH + 1) if sheet.value(row, c) is not None), None)


def _text(value: object) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:,.0f}"
    return " ".join(value.split()) if isinstance(value, str) and len(value) <= _LONGEST else ""


def _lift(table: DetectedTable, row: int, label: int, column: int) -> None:
    """Takes the pair in one of a header's upper rows out of its columns' headers."""
    if row not in table.header_rows:
        return
    for at in (label, column):
        level = f"{_text(table.sheet.value(row, at))} / "
        table.headers[:] = [header.removeprefix(level) for header in table.headers]


def _row(cell: str) -> int:
    match = _ROW.search(cell)
    return int(match[0]) if match else 0
