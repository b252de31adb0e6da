"""Tables as understood before any value is normalised: their columns, fields and kind, or why they hold no deals."""

from __future__ import annotations

from dataclasses import replace

from schemas.workbook import Overrides
from tools.deals.bare_rows import leave_bare_out
from tools.deals.charge_lines import charge_lines
from tools.deals.copies import without_copies, without_listed
from tools.deals.crowded import crowded_sheets, unread
from tools.deals.filled_down import with_group_names
from tools.deals.first_records import NO_ROWS, give_back
from tools.deals.groups import continuation_lines, group_sections, without_sentences
from tools.deals.labelled_blocks import with_key_values
from tools.deals.labelled_notes import take_labelled
from tools.deals.lease_lines import RollRows
from tools.deals.left_out import leave_out
from tools.deals.note_places import gather_notes
from tools.deals.notes_touching import take_touching
from tools.deals.nothing_rows import leave_nothing_out
from tools.deals.parting import part_tables
from tools.deals.record_columns import columns_of
from tools.deals.second_labels import take_labels
from tools.deals.second_lines import read_second_lines
from tools.deals.stated_parts import part_as_stated
from tools.deals.table_reading import TableReading, read_table
from tools.deals.tables_below import leave_tables_below_out
from tools.deals.tenant_suites import with_tenants
from tools.deals.turned_reading import read_across, read_turned, read_upright
from tools.deals.two_rows import columns_over_two_rows, half, names_second_rows, stands_in_two_rows
from tools.workbook.detect import DetectedTable, Layout

#: A list of deals has some hundred columns at most, a model of days a thousand or two.
_MOST_COLUMNS = 4_096


def read_tables(layout: Layout, overrides: Overrides) -> list[TableReading]:
    """Every table of a layout as understood, in its order; what `overrides` settles is taken as said."""
    part_tables(layout, overrides.bounds)
    take_labelled(layout)
    gather_notes(layout)
    take_touching(layout)
    doubts = part_as_stated(layout)
    crowded = crowded_sheets(layout)
    readings = without_copies(
        [
            unread(table)
            if table.sheet.name in crowded and table.table_id not in overrides.bounds
            else _read_whole(layout, table, overrides)
            for table in layout.tables
        ]
    )
    readings = [replace(reading, doubts=doubts.get(reading.table.table_id, ())) for reading in readings]
    return without_listed(with_key_values(layout, readings, overrides))


def _read_whole(layout: Layout, table: DetectedTable, overrides: Overrides) -> TableReading:
    """A table as understood, lines that go on with a record left out, and groups as sections."""
    if len(table.headers) > _MOST_COLUMNS:
        about = (table.sheet.name or "", *(text for text, _ in table.note_lines[:12]))
        return TableReading(table, about, (), (), "other", f"it has more than {_MOST_COLUMNS:,} columns")
    if table.orientation == "columns" and table.kind == "table" and table.table_id not in overrides.bounds:
        return read_upright(layout, read_across(table, overrides), overrides)
    bounded = table.table_id in overrides.bounds
    if not bounded and (over := read_second_lines(layout, table, overrides)):
        return replace(over, table=table)
    first = NO_ROWS if bounded else give_back(layout, table)
    first = take_labels(layout, table) if first == NO_ROWS and not bounded else first
    reading = read_table(table, columns_of(table), overrides)
    if reading.why_not is not None:
        return read_turned(reading, overrides) or reading
    if over := _read_over_two_rows(layout, reading, overrides):
        return over
    reading, summary = _without_summary(layout, reading, overrides)
    if not bounded and leave_bare_out(layout, table, reading.columns, reading.mapped):
        reading = read_table(table, columns_of(table), overrides)
    if not bounded and leave_nothing_out(layout, table, reading.columns, reading.mapped):
        reading = read_table(table, columns_of(table), overrides)
    reading = reading if bounded else _without_tables_below(layout, reading, overrides)
    nameless = reading.nameless
    lines = continuation_lines(table, reading.columns, reading.mapped)
    lines = lines or charge_lines(reading.columns, reading.mapped)
    lines = sorted({*lines, *RollRows(reading.columns, reading.mapped).of_leases()})
    others = [row for span in table.excluded if span.row_class == "other" for row in range(span.first, span.last + 1)]
    rows = [row for row in others if row not in table.sheet.hidden_rows]
    if lines:
        rows += [table.record_rows[at] for at in lines]
        leave_out(layout, table, lines, "other")
        reading = read_table(table, columns_of(table), overrides)
    reading = replace(reading, continued=tuple(sorted(rows)), summary=summary, first_records=first, nameless=nameless)
    # A suite without a tenant may be vacant: it belongs to no tenant's group.
    groups = None if reading.mapped[0].field == "tenant" else group_sections(table, reading.columns)
    table.sections = groups or without_sentences(table.sections)
    if groups:
        reading = replace(reading, columns=tuple(with_group_names(table, reading.columns, reading.mapped)))
    return with_tenants(reading)


def _without_tables_below(layout: Layout, reading: TableReading, overrides: Overrides) -> TableReading:
    """A list of deals without small tables of words below it."""
    table = reading.table
    nameless = leave_tables_below_out(layout, table, reading.columns, reading.mapped)
    if nameless is None:
        return reading
    return replace(read_table(table, columns_of(table), overrides), nameless=nameless)


def _without_summary(
    layout: Layout, reading: TableReading, overrides: Overrides
) -> tuple[TableReading, tuple[int, ...]]:
    """A rent roll without its rows of statistics, as notes, and these rows."""
    table = reading.table
    found = RollRows(reading.columns, reading.mapped).of_summary() if table.table_id not in overrides.bounds else []
    if not found:
        return reading, ()
    rows = tuple(table.record_rows[at] for at in found)
    leave_out(layout, table, found, "note")
    return read_table(table, columns_of(table), overrides), rows


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
