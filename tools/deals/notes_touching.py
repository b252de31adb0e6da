"""Notes on scales and currencies that touch a table: right below its last row, or beside its header; lines about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from schemas.workbook import RowClass, RowSpan, cell_address
from tools.deals.part_gaps import Line, lines_of
from tools.deals.scale_notes import is_bare, read_note
from tools.deals.statements import is_of_amounts, stated
from tools.workbook.detect import DetectedTable, Layout

_SPOKEN: frozenset[RowClass] = frozenset({"section", "title", "note"})
_MOST_BELOW = 12
#: "Amount ($000s)" names a column, if one without values; "Amounts in $000s" names none.
_NAMED = re.compile(
    r"\W*(?:amounts?|values?|numbers?|figures?|data|money)\W*(?:[(\[$€£0-9]|[A-Z]{3}\b|$)", re.IGNORECASE
)


def take_touching(layout: Layout) -> None:
    """Adds the notes that touch a table to its lines, and calls their rows notes; a header that holds one loses it."""
    for table in layout.tables:
        if table.orientation == "rows" and table.kind == "table" and table.record_rows:
            rows = {row: lines for row in _below(table) if (lines := _notes(lines_of(table, row)))}
            known = {cell for _, cell in table.note_lines}
            found = [line for row in reversed(rows) for line in rows[row] if line[1] not in known]
            table.note_lines = (*found, *table.note_lines, *_beside(table))
            table.idle = tuple(row for row in table.idle if not _notes(lines_of(table, row)))
            if rows:
                _call_notes(layout, table, frozenset(rows))


def _below(table: DetectedTable) -> list[int]:
    """The rows of words that the table holds below its last record."""
    spans = (span for span in table.excluded if span.row_class in _SPOKEN and span.last > table.record_rows[-1])
    rows = [row for span in spans for row in range(max(span.first, table.record_rows[-1] + 1), span.last + 1)]
    return rows[:_MOST_BELOW]


def _notes(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if read_note(line[0]) or (stated(line[0]).currency and is_of_amounts(line[0]))]


def _beside(table: DetectedTable) -> Iterator[Line]:
    """The note in a header cell over a column of no values, or beside a record in a column without a header."""
    sheet = table.sheet
    for at, column in enumerate(range(table.first_column, table.last_column + 1)):
        header = table.headers[at]
        if column in sheet.hidden_columns or (header and (not is_bare(header) or _NAMED.match(header))):
            continue
        values = sheet.columns[column - sheet.left].values
        held = {row: value for row in table.record_rows if (value := values[row - sheet.top]) is not None}
        if header and not held:
            row = next((r for r in table.header_rows if sheet.value(r, column) is not None), None)
            if row is not None:
                table.headers[at] = ""
                yield header, cell_address(sheet.name, row, column)
        elif not header and len(held) == 1:
            row, value = next(iter(held.items()))
            if isinstance(value, str) and is_bare(value):
                yield value, cell_address(sheet.name, row, column)


def _call_notes(layout: Layout, table: DetectedTable, rows: frozenset[int]) -> None:
    """Gives rows of a table's account the class of notes."""
    table.excluded = tuple(piece for span in table.excluded for piece in _pieces(span, rows))
    layout.census = tuple(
        replace(census, rows=tuple(piece for span in census.rows for piece in _noted(span, table, rows)))
        if census.sheet == table.sheet.name
        else census
        for census in layout.census
    )


def _noted(span: RowSpan, table: DetectedTable, rows: frozenset[int]) -> Iterator[RowSpan]:
    mine = span.table_id == table.table_id and span.row_class in _SPOKEN
    yield from _pieces(span, rows) if mine else [span]


def _pieces(span: RowSpan, rows: frozenset[int]) -> Iterator[RowSpan]:
    """A span cut around `rows`, which are notes."""
    start = span.first
    for row in sorted(row for row in rows if span.first <= row <= span.last):
        if start < row:
            yield replace(span, first=start, last=row - 1)
        yield replace(span, first=row, last=row, row_class="note")
        start = row + 1
    if start <= span.last:
        yield replace(span, first=start)
