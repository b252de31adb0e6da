"""The account of rows that are second lines of a table's records: their classes, and the regions that they lie in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from schemas.workbook import Region, RowClass, RowSpan, SheetCensus
from tools.workbook.detect import DetectedTable, Layout

_RANGE = re.compile(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?")
_MAY_BE: frozenset[RowClass] = frozenset(("record", "section", "note", "other"))


def may_be_line(layout: Layout, table: DetectedTable, row: int) -> bool:
    """Whether a row is seen, and is this table's or a note's, over the whole width of the sheet."""
    spans = [
        span
        for census in layout.census
        if census.sheet == table.sheet.name
        for span in census.rows
        if span.first <= row <= span.last
    ]
    if len(spans) != 1 or spans[0].columns is not None or row in table.sheet.hidden_rows:
        return False
    return spans[0].row_class in _MAY_BE and spans[0].table_id in (None, table.table_id)


def move_lines(layout: Layout, table: DetectedTable, whole: DetectedTable, rows: Sequence[int]) -> None:
    """Makes `table` what `whole` says, and `rows` lines of its records, in it and in the account of `layout`."""
    spans = (RowSpan(table.sheet.name, row, row, "other", table.table_id) for row in rows)
    table.excluded = tuple(sorted((*whole.excluded, *spans), key=lambda span: span.first))
    table.header_rows, table.headers = whole.header_rows, whole.headers
    table.first_row, table.last_row = whole.first_row, whole.last_row
    table.record_rows, table.sections = whole.record_rows, whole.sections
    table.idle, table.names = whole.idle, whole.names
    classes: dict[int, RowClass] = {**dict.fromkeys(rows, "other"), whole.header_rows[-1]: "header"}
    layout.census = tuple(_reclassed(census, table, classes) for census in layout.census)
    layout.regions = tuple(kept for region in layout.regions for kept in _regions(region, table))


def _reclassed(census: SheetCensus, table: DetectedTable, classes: dict[int, RowClass]) -> SheetCensus:
    if census.sheet != table.sheet.name:
        return census
    return replace(census, rows=tuple(piece for span in census.rows for piece in _cut(span, table, classes)))


def _cut(span: RowSpan, table: DetectedTable, classes: dict[int, RowClass]) -> Iterator[RowSpan]:
    """The span in pieces: rows with a class of their own, and what lies between, from its first row that is filled."""
    start = span.first
    for row in sorted(row for row in classes if span.first <= row <= span.last and classes[row] != span.row_class):
        if start < row:
            yield replace(span, first=start, last=row - 1)
        yield replace(span, first=row, last=row, row_class=classes[row], table_id=table.table_id)
        start = row + 1
    while span.first < start < span.last and not _filled(table, start):
        start += 1
    if start <= span.last:
        yield replace(span, first=start)


def _filled(table: DetectedTable, row: int) -> bool:
    sheet = table.sheet
    return any(sheet.value(row, column) is not None for column in range(sheet.left, sheet.left + len(sheet.columns)))


def _regions(region: Region, table: DetectedTable) -> Iterator[Region]:
    """The region: the table's own down to its last line, others on the sheet without the rows that it takes."""
    match = _RANGE.fullmatch(region.range)
    if region.sheet != table.sheet.name or match is None:
        yield region
        return
    left, top, right, bottom = match[1], int(match[2]), match[3] or match[1], int(match[4] or match[2])
    if region.table_id == table.table_id:
        own = f"{left}{top}:{right}{max(bottom, table.last_row)}"
        heads = tuple(row for row in table.header_rows if top <= row <= bottom)
        yield replace(region, range=own, header_rows=heads)
    elif not table.first_row <= top <= table.last_row:
        yield region
    elif bottom > table.last_row:
        yield replace(region, range=f"{left}{table.last_row + 1}:{right}{bottom}")
