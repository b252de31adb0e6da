"""Tables as understood before any value is normalised: their columns, fields and kind, or why they hold no deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schemas.ids import normalise_key
from schemas.workbook import Overrides, Region, TableKind, column_letters
from tools.deals.charge_lines import charge_lines
from tools.deals.dictionary import dictionary
from tools.deals.filled_down import with_group_names
from tools.deals.first_records import NO_ROWS, FirstRecords, give_back
from tools.deals.forms import partings, said_again, titles_of
from tools.deals.groups import continuation_lines, group_sections, without_sentences
from tools.deals.key_value import block_table, label_pairs, regions_by_sheet
from tools.deals.kinds import TableView, kind_of, why_no_deals
from tools.deals.left_out import leave_out
from tools.deals.mapping import ColumnView, MappedColumn, map_columns
from tools.deals.note_places import gather_notes, notes_on_form
from tools.deals.parting import part_tables
from tools.deals.places_together import with_states
from tools.deals.shown_units import with_shown_units
from tools.deals.signs_beside import with_signs, with_signs_across, without_idle_signs
from tools.deals.titled import name_of_title
from tools.deals.top_names import named_on_top, with_names_above
from tools.deals.turning import Across, records_alone, turned, upright
from tools.deals.two_rows import columns_over_two_rows, half, names_second_rows, stands_in_two_rows
from tools.deals.years import figure_of
from tools.workbook.columns import BlockColumn
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.grid import Sheet

_FEWEST_PAIRS, _FEWEST_TURNED = 5, 4
_FEWEST_RECORDS, _FEWEST_COLUMNS = 2, 3
_UNNAMED = "it has no header row; put a row over it that names its columns, and send it again"
_NAMES = frozenset({"deal_name", "address", "tenant"})
_SHARED_LEAST, _SHARED_SHARE, _COPIED_SHARE = 3, 0.7, 0.95


@dataclass(frozen=True, slots=True)
class TableReading:
    """A detected table with its columns' values, their fields, and its kind; `why_not` says why it lists no deals.

    `continued` are the rows that go on with the record above them and are no records; `total_columns` (0-based) those
    of a table with a record a column that hold totals; `first_records` header rows that are records, or may be some;
    `again` the (row, column) of values in no field, as another with their label is there.
    """

    table: DetectedTable
    about: tuple[str, ...]
    columns: tuple[ColumnView, ...]
    mapped: tuple[MappedColumn, ...]
    kind: TableKind
    why_not: str | None
    continued: tuple[int, ...] = ()
    total_columns: tuple[int, ...] = ()
    first_records: FirstRecords = NO_ROWS
    again: tuple[tuple[int, int], ...] = ()

    @property
    def range(self) -> str:
        """The table's range, header included: A4:T212."""
        t = self.table
        top = min((*t.header_rows, t.first_row))
        return f"{column_letters(t.first_column)}{top}:{column_letters(t.last_column)}{t.last_row}"


def read_tables(layout: Layout, overrides: Overrides) -> list[TableReading]:
    """Every table of a layout as understood, in its order; what `overrides` settles is taken as said."""
    part_tables(layout, overrides.bounds)
    gather_notes(layout)
    readings = _without_copies([_read_whole(layout, table, overrides) for table in layout.tables])
    return with_key_values(layout, readings, overrides)


def _read_whole(layout: Layout, table: DetectedTable, overrides: Overrides) -> TableReading:
    """A table as understood, lines that go on with a record left out, and groups as sections."""
    if table.orientation == "columns" and table.kind == "table" and table.table_id not in overrides.bounds:
        return _read_upright(layout, _read_across(table, overrides), overrides)
    first = NO_ROWS if table.table_id in overrides.bounds else give_back(layout, table)
    reading = read_table(table, columns_of(table), overrides)
    if reading.why_not is not None:
        return _read_turned(reading, overrides) or reading
    if over := _read_over_two_rows(layout, reading, overrides):
        return over
    lines = continuation_lines(table, reading.columns, reading.mapped)
    lines = lines or charge_lines(reading.columns, reading.mapped)
    others = [row for span in table.excluded if span.row_class == "other" for row in range(span.first, span.last + 1)]
    rows = [row for row in others if row not in table.sheet.hidden_rows]
    if lines:
        rows += [table.record_rows[at] for at in lines]
        leave_out(layout, table, lines, "other")
        reading = read_table(table, columns_of(table), overrides)
    reading = replace(reading, continued=tuple(sorted(rows)), first_records=first)
    groups = group_sections(table, reading.columns)
    table.sections = groups or without_sentences(table.sections)
    if groups:
        return replace(reading, columns=tuple(with_group_names(table, reading.columns, reading.mapped)))
    return reading


def _read_over_two_rows(layout: Layout, reading: TableReading, overrides: Overrides) -> TableReading | None:
    """The table with a deal over two rows each, where its values take turns and more fields speak for it; else None."""
    table = reading.table
    if table.table_id in overrides.bounds or not stands_in_two_rows(table, reading.columns):
        return None
    both = columns_over_two_rows(table, columns_of(table))
    over = read_table(half(table), both, overrides) if names_second_rows(both) else reading
    known = {m.field for m in reading.mapped if m.field}
    if over.why_not is not None or not known < {m.field for m in over.mapped if m.field}:
        return None
    leave_out(layout, table, range(1, len(table.record_rows), 2), "other")
    table.last_row += 1
    return replace(over, table=table)


def _read_turned(reading: TableReading, overrides: Overrides) -> TableReading | None:
    """The table read with a record a column, where it lists deals that way and more fields speak for it; else None."""
    table = reading.table
    across = None if table.table_id in {*overrides.ignored, *overrides.bounds} else turned(table)
    if across is None:
        return None
    other = _read_across(across, overrides)
    known = sum(m.field is not None for m in other.mapped)
    enough = max(_FEWEST_TURNED, 0.5 * len(other.columns), sum(m.field is not None for m in reading.mapped) + 1)
    return other if other.why_not is None and known >= enough and _names_on_top(other) else None


def _read_upright(layout: Layout, reading: TableReading, overrides: Overrides) -> TableReading:
    """The reading of a table with a record a column; with a record a row where only that lists deals, at amounts."""
    table, trial = reading.table, replace(layout)
    rows = None if reading.why_not is None or table.table_id in overrides.ignored else upright(table)
    if rows is None:
        return reading
    first = give_back(trial, rows)
    other = replace(read_table(rows, columns_of(rows), overrides), first_records=first)
    if other.why_not or not any(m.field and dictionary().fields[m.field].type == "money" for m in other.mapped):
        return reading
    layout.regions, layout.census = trial.regions, trial.census
    return other


def _read_across(table: DetectedTable, overrides: Overrides) -> TableReading:
    """A table with a record a column as understood, columns of units and of totals left out."""
    across = records_alone(table)
    above = with_names_above(across.table)
    named = None if above is None else _named_on_top(_read_alone(replace(across, table=above), overrides), overrides)
    if named is not None:
        return named
    reading = _read_alone(across, overrides)
    return _named_on_top(reading, overrides) or reading


def _read_alone(across: Across, overrides: Overrides) -> TableReading:
    columns = [with_signs_across(view, across.table.sheet, across.signs) for view in columns_of(across.table)]
    return replace(read_table(across.table, columns, overrides), total_columns=across.totals)


def _named_on_top(reading: TableReading, overrides: Overrides) -> TableReading | None:
    """The reading with its first row as the deals' names, where no label says which they are; None without such."""
    table_id = reading.table.table_id
    settled = any((table_id, view.letters) in overrides.fields for view in reading.columns[:1])
    mapped = named_on_top(reading.mapped, [view.values for view in reading.columns])
    if mapped is None or settled or table_id in overrides.ignored:
        return None
    view = TableView(reading.about, reading.columns, mapped)
    why_not = reading.why_not and why_no_deals(view)
    return replace(reading, mapped=tuple(mapped), kind=kind_of(view), why_not=why_not)


def _names_on_top(reading: TableReading) -> bool:
    """Whether the first field of a table with a record a column names every record, none as another.

    A row without a field may stand over it, such as one that numbers the deals.
    """
    at = 0 if reading.mapped[0].field else 1
    held = [str(name) for name in reading.columns[at].values if name is not None]
    return reading.mapped[at].field in _NAMES and len(set(held)) == len(held) >= len(reading.table.record_rows)


def read_table(table: DetectedTable, columns: Sequence[ColumnView], overrides: Overrides) -> TableReading:
    """One table as understood, from its columns."""
    about = (table.sheet.name or "", *(text for text, _ in table.note_lines[:12]))
    settled = {letters: field for (table_id, letters), field in overrides.fields.items() if table_id == table.table_id}
    columns = with_shown_units(with_signs(columns, table.record_rows, settled), table)
    columns, mapped = without_idle_signs(*with_states(columns, map_columns(columns, about, settled)))
    view = TableView(about, columns, mapped, table.kind == "key_value")
    ignored = overrides.ignored.get(table.table_id)
    why_not = f"it was set aside: {ignored}" if ignored else None if table.record_rows else "it has no records"
    if why_not is None and not _confirmed(settled, table, overrides):
        why_not = why_no_deals(view)
        why_not = _UNNAMED if why_not and _is_unnamed(table) else why_not
    return TableReading(table, about, tuple(columns), tuple(mapped), kind_of(view), why_not)


def _is_unnamed(table: DetectedTable) -> bool:
    """Whether records stand in columns that no row names."""
    rows = table.orientation == "rows" and table.kind == "table" and len(table.record_rows) >= _FEWEST_RECORDS
    return rows and not table.header_rows and not any(table.headers) and len(table.headers) >= _FEWEST_COLUMNS


def with_key_values(layout: Layout, readings: list[TableReading], overrides: Overrides) -> list[TableReading]:
    """The readings, and those of the properties that sheets describe in labels and values and that list no deals."""
    listing = [r.table.sheet for r in readings if r.why_not is None]
    sheets = {table.sheet.name: table.sheet for table in layout.tables}
    found, number = list(readings), len(readings) + 1
    for name, regions in regions_by_sheet(layout).items():
        sheet = sheets.get(name)
        if sheet is None or any(sheet is one for one in listing):
            continue
        pairs = label_pairs(sheet, regions)
        if len(pairs) >= _FEWEST_PAIRS:
            around = [region for region in layout.regions if region.sheet == name]
            blocks = [
                replace(_labelled_only(block), again=said_again(block.columns, block.mapped))
                if block.why_not is None
                else block
                for block in _read_forms(sheet, pairs, around, number, overrides)
            ]
            number += len(blocks)
            held = [block for block in blocks if block.why_not is None]
            found = [other for other in found if not any(_holds(other.table, block) for block in held)] + blocks
    return [_once(reading, found) for reading in found]


def _read_forms(
    sheet: Sheet, pairs: Sequence[ColumnView], around: Sequence[Region], number: int, overrides: Overrides
) -> list[TableReading]:
    """A sheet's pairs as one block, or as several that each name a property; none where they speak of no deal."""
    for blocks in (*partings(sheet, pairs), [pairs]):
        readings: list[TableReading] = []
        for at, block in enumerate(blocks, number):
            table = block_table(sheet, f"k{at}", block)
            table.note_lines = notes_on_form(sheet, around)
            readings.append(_titled(read_table(table, block, overrides), titles_of(around, block, blocks)))
        deals = sum(reading.why_not is None or reading.table.table_id in overrides.ignored for reading in readings)
        if deals > 1 or (len(blocks) == 1 and readings[0].why_not is None):
            return readings
    return []


def _titled(reading: TableReading, regions: Sequence[Region]) -> TableReading:
    """A block's reading with the name that stands as the title over it, where no label gives one."""
    table = reading.table
    titled = name_of_title(table.sheet, regions, reading.mapped, table.first_row)
    if titled is None:
        return reading
    columns, mapped = (titled[0], *reading.columns), (titled[1], *reading.mapped)
    view = TableView(reading.about, columns, mapped, key_value=True)
    return replace(reading, columns=columns, mapped=mapped, kind=kind_of(view), why_not=why_no_deals(view))


def _holds(table: DetectedTable, block: TableReading) -> bool:
    """Whether every labelled value of a block stands in `table`, which then is no table beside it."""
    cells = [cell for view in block.columns if view.header for cell in view.cells or ()]
    rows = range(min((*table.header_rows, table.first_row)), table.last_row + 1)
    columns = range(table.first_column, table.last_column + 1)
    return table.sheet is block.table.sheet and all(row in rows and column in columns for row, column in cells)


def _once(reading: TableReading, readings: Sequence[TableReading]) -> TableReading:
    """A block's reading, marked as no deal where a block on an earlier sheet speaks of the same property."""
    names = _block_names(reading)
    for other in readings[: readings.index(reading)] if names else ():
        if names & _block_names(other):
            return replace(reading, why_not=f"it speaks of the same property as {other.table.table_id}")
    return reading


def _block_names(reading: TableReading) -> set[str]:
    """The name and address that a block of labels and values gives, none for other tables."""
    if reading.table.kind != "key_value" or reading.why_not is not None:
        return set()
    pairs = zip(reading.columns, reading.mapped, strict=True)
    held = (str(view.values[0]) for view, m in pairs if m.field in ("deal_name", "address"))
    return {normalise_key(text) for text in held}


def _labelled_only(reading: TableReading) -> TableReading:
    """A block's reading without the pairs that have no field: much of a sheet looks like a label and a value.

    Those that give a field's figure for another year stay.
    """
    figures = {figure[0] for m in reading.mapped if m.field and (figure := figure_of(m.header))}
    kept = [
        (view, m)
        for view, m in zip(reading.columns, reading.mapped, strict=True)
        if m.field or ((figure := figure_of(m.header)) and figure[0] in figures)
    ]
    return replace(reading, columns=tuple(view for view, _ in kept), mapped=tuple(m for _, m in kept))


def _confirmed(settled: dict[str, str | None], table: DetectedTable, overrides: Overrides) -> bool:
    """Whether somebody who looked at the table took it for deals: gave fields to its columns, or bounds to it."""
    return table.table_id in overrides.bounds or any(settled.values())


def columns_of(table: DetectedTable) -> list[ColumnView]:
    """The columns of a table (its rows where they hold the fields) with their values, no hidden or empty ones."""
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
    at = [row - sheet.top for row in table.record_rows]
    found: list[ColumnView] = []
    for column, header in enumerate(table.headers, table.first_column):
        if column in sheet.hidden_columns:
            continue
        values, types = _held(sheet.columns[column - sheet.left], at)
        if header or types - {type(None)}:
            found.append(ColumnView(column_letters(column), header, values, types=frozenset(types)))
    return found


def _held(column: BlockColumn, at: Sequence[int]) -> tuple[list[object], set[type]]:
    """The values of a column at rising places `at`, and their types."""
    if not at:
        return [], set()
    start, end = at[0], at[-1] + 1
    if end - start == len(at):
        return column.values[start:end], column.kinds(start, end)
    values = [column.values[i] for i in at]
    return values, set(map(type, values))


def _without_copies(readings: list[TableReading]) -> list[TableReading]:
    """The readings, those that repeat what another table lists marked as no deals."""
    checked: list[TableReading] = []
    for reading in readings:
        if reading.why_not is None and reading.table.orientation == "rows":
            others = [other for other in readings if other is not reading and other.why_not is None]
            original = next((other for other in others if _repeats(reading, other)), None)
            if original is not None:
                why_not = f"it repeats {original.table.table_id}, as a filter or an extract of it"
                checked.append(replace(reading, why_not=why_not))
                continue
        checked.append(reading)
    return checked


def _repeats(reading: TableReading, other: TableReading) -> bool:
    """Whether `reading` repeats `other`: its records are there under the same headers, or it is a filter beside it."""
    mine, theirs = _headers(reading), _headers(other)
    shared = [name for name in mine if name in set(theirs)]
    if other.table.orientation == "columns" or len(shared) < max(_SHARED_LEAST, _SHARED_SHARE * len(mine)):
        return False
    if (len(mine), len(reading.table.record_rows)) >= (len(theirs), len(other.table.record_rows)):
        return False
    if shared == mine and _beside(reading, other) and _is_filter(reading):
        return True
    rows, held = _records(reading, shared), set(_records(other, shared))
    return sum(row in held for row in rows) >= _COPIED_SHARE * len(rows)


def _headers(reading: TableReading) -> list[str]:
    return [_said(column) for column in reading.columns if column.header]


def _beside(reading: TableReading, other: TableReading) -> bool:
    """Whether the table stands to the side of the other one, on the same sheet."""
    a, b = reading.table, other.table
    return a.sheet is b.sheet and a.first_column > b.last_column and a.first_row <= b.last_row


def _is_filter(reading: TableReading) -> bool:
    """Whether the first record looks like the criteria of a filter: mostly blank, or a comparison such as <400000."""
    first = [column.values[0] for column in reading.columns if column.values]
    blank = sum(value is None for value in first) >= 0.5 * len(first)
    return blank or any(isinstance(value, str) and value[:1] in "<>=" for value in first)


def _said(column: ColumnView) -> str:
    return " ".join(column.header.split()).casefold()


def _records(reading: TableReading, names: Sequence[str]) -> list[tuple[object, ...]]:
    by_name = {_said(column): column.values for column in reversed(reading.columns)}
    return list(zip(*(map(_hashable, by_name[name]) for name in names), strict=True))


def _hashable(value: object) -> object:
    return float(value) if isinstance(value, int) else value
