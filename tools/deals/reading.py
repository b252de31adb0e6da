"""Tables as understood before any value is normalised: their columns, fields and kind, or why they hold no deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schemas.workbook import Overrides, TableKind, column_letters
from tools.deals.key_value import block_table, label_pairs, regions_by_sheet
from tools.deals.kinds import TableView, kind_of, why_no_deals
from tools.deals.mapping import ColumnView, MappedColumn, map_columns
from tools.workbook.detect import DetectedTable, Layout

_FEWEST_PAIRS = 5
_CRITERIA_ROWS, _CRITERIA_FILLED, _COPIED_SHARE = 6, 0.5, 0.5


@dataclass(frozen=True, slots=True)
class TableReading:
    """A detected table with its columns' values, their fields, and its kind; `why_not` says why it lists no deals."""

    table: DetectedTable
    about: tuple[str, ...]
    columns: tuple[ColumnView, ...]
    mapped: tuple[MappedColumn, ...]
    kind: TableKind
    why_not: str | None

    @property
    def range(self) -> str:
        """The table's range, header included: A4:T212."""
        t = self.table
        top = min((*t.header_rows, t.first_row))
        return f"{column_letters(t.first_column)}{top}:{column_letters(t.last_column)}{t.last_row}"


def read_tables(layout: Layout, overrides: Overrides) -> list[TableReading]:
    """Every table of a layout as understood, in its order; what `overrides` settles is taken as said."""
    readings = _without_copies([read_table(table, columns_of(table), overrides) for table in layout.tables])
    return with_key_values(layout, readings, overrides)


def read_table(table: DetectedTable, columns: Sequence[ColumnView], overrides: Overrides) -> TableReading:
    """One table as understood, from its columns."""
    about = (table.sheet.name or "", *(text for text, _ in table.note_lines[:12]))
    settled = {letters: field for (table_id, letters), field in overrides.fields.items() if table_id == table.table_id}
    mapped = map_columns(columns, about, settled)
    view = TableView(about, columns, mapped, table.kind == "key_value")
    ignored = overrides.ignored.get(table.table_id)
    why_not = f"it was set aside: {ignored}" if ignored else None if table.record_rows else "it has no records"
    if why_not is None and not _confirmed(settled, table, overrides):
        why_not = why_no_deals(view)
    return TableReading(table, about, tuple(columns), tuple(mapped), kind_of(view), why_not)


def with_key_values(layout: Layout, readings: list[TableReading], overrides: Overrides) -> list[TableReading]:
    """The readings, and one of each sheet that describes a single property in labels and values and lists no deals."""
    listing = [r.table.sheet for r in readings if r.why_not is None]
    sheets = {table.sheet.name: table.sheet for table in layout.tables}
    found = list(readings)
    for name, regions in regions_by_sheet(layout).items():
        sheet = sheets.get(name)
        if sheet is None or any(sheet is one for one in listing):
            continue
        pairs = label_pairs(sheet, regions)
        if len(pairs) >= _FEWEST_PAIRS:
            reading = read_table(block_table(sheet, f"k{len(found) + 1}", pairs), pairs, overrides)
            found += [] if reading.why_not else [_labelled_only(reading)]
    return found


def _labelled_only(reading: TableReading) -> TableReading:
    """A block's reading without the pairs that no field was found for: much of a sheet looks like a label and a value."""
    kept = [(view, m) for view, m in zip(reading.columns, reading.mapped, strict=True) if m.field]
    return replace(reading, columns=tuple(view for view, _ in kept), mapped=tuple(m for _, m in kept))


def _confirmed(settled: dict[str, str | None], table: DetectedTable, overrides: Overrides) -> bool:
    """Whether somebody who looked at the table took it for deals: gave fields to its columns, or bounds to it."""
    return table.table_id in overrides.bounds or any(settled.values())


def columns_of(table: DetectedTable) -> list[ColumnView]:
    """The columns of a table with their values, hidden and quite empty ones left out; its rows where they hold the fields."""
    return _transposed(table) if table.orientation == "columns" else _columns(table)


def _transposed(table: DetectedTable) -> list[ColumnView]:
    sheet = table.sheet
    found: list[ColumnView] = []
    for row, label in zip(range(table.first_row, table.last_row + 1), table.headers, strict=True):
        cells = tuple((row, column) for column in table.record_rows)
        values = [sheet.value(row, column) for _, column in cells]
        if row not in sheet.hidden_rows and (label or any(value is not None for value in values)):
            found.append(ColumnView(str(row), label.rstrip(" :"), values, cells))
    return found


def _columns(table: DetectedTable) -> list[ColumnView]:
    sheet = table.sheet
    block = [sheet.rows[row - sheet.top] for row in table.record_rows]
    by_column = list(zip(*block, strict=True)) if block else []
    found: list[ColumnView] = []
    for at, header in zip(range(table.first_column, table.last_column + 1), table.headers, strict=True):
        if at in sheet.hidden_columns:
            continue
        values: Sequence[object] = by_column[at - sheet.left] if by_column else ()
        if header or any(value is not None for value in values):
            found.append(ColumnView(column_letters(at), header, values))
    return found


def _without_copies(readings: list[TableReading]) -> list[TableReading]:
    """The readings, those that repeat records of a longer table of the same headers marked as no deals."""
    checked: list[TableReading] = []
    for reading in readings:
        others = [other for other in readings if other is not reading and _longer(other, reading)]
        original = next((other for other in others if _repeats(reading, other)), None)
        if original is not None and reading.why_not is None:
            reading = replace(reading, why_not=f"it repeats records of {original.table.table_id}, as a filter or an extract of it")
        checked.append(reading)
    return checked


def _longer(other: TableReading, reading: TableReading) -> bool:
    return (
        other.table.orientation == "rows"
        and other.table.sheet is reading.table.sheet
        and len(other.table.record_rows) > len(reading.table.record_rows)
        and {_said(c) for c in reading.columns if c.header} <= {_said(c) for c in other.columns}
    )


def _said(column: ColumnView) -> str:
    return " ".join(column.header.split()).casefold()


def _repeats(reading: TableReading, other: TableReading) -> bool:
    """Whether each record of `reading` is one of `other`'s, or `reading` is mostly blank, as the criteria of a filter are."""
    mine = _records(reading, [_said(c) for c in reading.columns])
    filled = sum(value is not None for record in mine for value in record) / max(1, sum(map(len, mine)))
    if len(mine) <= _CRITERIA_ROWS and filled <= _CRITERIA_FILLED:
        return True
    theirs = set(_records(other, [_said(c) for c in reading.columns]))
    return sum(record in theirs for record in mine) >= _COPIED_SHARE * len(mine)


def _records(reading: TableReading, names: Sequence[str]) -> list[tuple[object, ...]]:
    by_name = {_said(column): column.values for column in reversed(reading.columns)}
    return list(zip(*(map(_hashable, by_name[name]) for name in names), strict=True))


def _hashable(value: object) -> object:
    return float(value) if isinstance(value, int) else value
