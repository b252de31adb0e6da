"""Labels and values of a form that have no field but stand in one column with those that have: they are the deal's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from schemas.workbook import RowSpan
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.table_reading import TableReading
from tools.workbook.detect import Layout
from tools.workbook.grid import Sheet

_FEWEST_FIELDS = 3
Place = tuple[int, int]


def with_plain_pairs(kept: TableReading, whole: TableReading) -> TableReading:
    """A block's reading `kept` with the pairs of `whole` that go on a column of labels which have fields.

    Such a pair stands row by row above or below one with a field, nothing else beside it. What a label says again is
    left out; nothing is asked about the others.
    """
    sheet = kept.table.sheet
    fielded = {_cell(view) for view, m in zip(kept.columns, kept.mapped, strict=True) if m.field and view.header}
    places = {_cell(view) for view in whole.columns}
    alone = {_cell(view) for view in whole.columns if _stands_alone(sheet, view, places)}
    reached = set(_reached(fielded & alone, alone)) - {*kept.again}
    taken = {id(view) for view in kept.columns}
    columns: list[ColumnView] = []
    mapped: list[MappedColumn] = []
    known = dict(zip(map(id, kept.columns), kept.mapped, strict=True))
    for view, m in zip(whole.columns, whole.mapped, strict=True):
        if id(view) in taken:
            columns.append(view)
            mapped.append(known[id(view)])
        elif m.field is None and _cell(view) in reached:
            columns.append(view)
            mapped.append(replace(m, candidates=()))
    return replace(kept, columns=tuple(columns), mapped=tuple(mapped))


def _cell(view: ColumnView) -> Place:
    return view.cells[0] if view.cells else (0, 0)


def _stands_alone(sheet: Sheet, view: ColumnView, places: Collection[Place]) -> bool:
    """Whether a value stands right of its label, and beside both there is nothing but other pairs, at `places`."""
    if not view.cells or not view.header:
        return False
    row, column = view.cells[0]
    label = sheet.value(row, column - 1)
    if not isinstance(label, str) or label.rstrip(" :") != view.header:
        return False
    before = sheet.value(row, column - 2) is None or (row, column - 2) in places
    return before and (sheet.value(row, column + 1) is None or (row, column + 2) in places)


def _reached(fielded: Collection[Place], alone: Collection[Place]) -> Iterator[Place]:
    """The places that stand one below the other with those of fields, in columns that have several or beside those."""
    columns = {column: {row for row, at in fielded if at == column} for column in {column for _, column in fielded}}
    main = {row for rows in columns.values() if len(rows) >= _FEWEST_FIELDS for row in rows}
    for column, rows in columns.items():
        held = {row for row, at in alone if at == column}
        if len(rows) < _FEWEST_FIELDS:
            held &= set(range(min(main), max(main) + 1)) if main else set()
        for run in _runs(held):
            if not rows.isdisjoint(run):
                yield from ((row, column) for row in run)


def _runs(rows: Collection[int]) -> Iterator[list[int]]:
    """Rows that stand one right below the other, run by run."""
    for _, run in groupby(enumerate(sorted(rows)), lambda item: item[1] - item[0]):
        yield [row for _, row in run]


def give_census(layout: Layout, sheet: Sheet, within: Mapping[str, Sequence[TableReading]]) -> None:
    """Gives the rows of tables that hold blocks to these, in the account of their sheet; `within` is by table id."""

    def given(span: RowSpan) -> RowSpan:
        blocks = within.get(span.table_id or "")
        if not blocks:
            return span
        over = [b.table for b in blocks if b.table.first_row <= span.last and span.first <= b.table.last_row]
        return replace(span, table_id=(over or [blocks[0].table])[0].table_id)

    layout.census = tuple(
        replace(census, rows=tuple(map(given, census.rows))) if census.sheet == sheet.name else census
        for census in layout.census
    )
