"""The account of a table cut at rows: its regions, its rows in the census, and its excluded rows, part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from schemas.workbook import Region, RowSpan
from tools.workbook.detect import DetectedTable, Layout

_RANGE = re.compile(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?")


def cut_account(layout: Layout, whole: str, sheet: str | None, parts: Sequence[tuple[int, DetectedTable]]) -> None:
    """Gives the regions and rows of table `whole` to its parts, each with the row where it starts."""
    layout.regions = tuple(
        piece
        for region in layout.regions
        for piece in (_regions(region, parts) if region.table_id == whole else [region])
    )
    layout.census = tuple(
        replace(
            census,
            rows=tuple(
                piece for span in census.rows for piece in (pieces(span, parts) if span.table_id == whole else [span])
            ),
        )
        if census.sheet == sheet
        else census
        for census in layout.census
    )


def pieces(span: RowSpan, parts: Sequence[tuple[int, DetectedTable]]) -> Iterator[RowSpan]:
    """A span of rows, cut where parts start."""
    for first, last, part in _cut(span.first, span.last, parts):
        yield replace(span, first=first, last=last, table_id=part.table_id)


def _regions(region: Region, parts: Sequence[tuple[int, DetectedTable]]) -> Iterator[Region]:
    match = _RANGE.fullmatch(region.range)
    if match is None:
        yield region
        return
    right = match[3] or match[1]
    for first, last, part in _cut(int(match[2]), int(match[4] or match[2]), parts):
        heads = {*region.header_rows, *part.header_rows}
        own = tuple(row for row in sorted(heads) if first <= row <= last)
        yield replace(region, range=f"{match[1]}{first}:{right}{last}", header_rows=own, table_id=part.table_id)


def _cut(first: int, last: int, parts: Sequence[tuple[int, DetectedTable]]) -> Iterator[tuple[int, int, DetectedTable]]:
    """Rows `first` to `last` in pieces, each with the part that it is in."""
    starts = [0, *(start for start, _ in parts[1:]), last + 1]
    for (start, end), (_, part) in zip(pairwise(starts), parts, strict=True):
        a, b = max(first, start), min(last, end - 1)
        if a <= b:
            yield a, b, part
