"""Rows taken out of a table's records after layout: each gets a class in the table's account and in the census."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from schemas.workbook import RowClass, RowSpan, SheetCensus
from tools.workbook.detect import DetectedTable, Layout


def leave_out(layout: Layout, table: DetectedTable, found: Sequence[int], row_class: RowClass) -> None:
    """Turns the records at positions `found` (in order, not all) into rows of `row_class`."""
    rows, out = [table.record_rows[at] for at in found], set(found)
    kept = [at for at in range(len(table.record_rows)) if at not in out]
    table.record_rows = [table.record_rows[at] for at in kept]
    table.sections = [table.sections[at] for at in kept]
    table.first_row, table.last_row = table.record_rows[0], table.record_rows[-1]
    spans = (RowSpan(table.sheet.name, row, row, row_class, table.table_id) for row in rows)
    table.excluded = tuple(sorted((*table.excluded, *spans), key=lambda span: span.first))
    layout.census = tuple(_reclassed(sheet, table, rows, row_class) for sheet in layout.census)


def _reclassed(census: SheetCensus, table: DetectedTable, rows: Sequence[int], row_class: RowClass) -> SheetCensus:
    """The census of the table's sheet with `rows` in their new class."""
    if census.sheet != table.sheet.name:
        return census
    spans: list[RowSpan] = []
    for span in census.rows:
        inside = [row for row in rows if span.first <= row <= span.last]
        mine = span.row_class == "record" and span.table_id == table.table_id and inside
        spans += _cut(span, inside, table.record_rows, row_class) if mine else [span]
    return replace(census, rows=tuple(spans))


def _cut(span: RowSpan, rows: Sequence[int], records: Sequence[int], row_class: RowClass) -> Iterator[RowSpan]:
    """The span in pieces: `rows` in their new class, the `records` before, between and after them as they were."""
    bounds = [span.first - 1, *rows, span.last + 1]
    for before, after in pairwise(bounds):
        a, b = bisect_right(records, before), bisect_left(records, after)
        if a < b:
            yield replace(span, first=records[a], last=records[b - 1])
        if after <= span.last:
            yield replace(span, first=after, last=after, row_class=row_class)
