"""One table as understood: its columns, their fields and its kind, or why it lists no deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.deal import Issue
from schemas.workbook import Overrides, TableKind, column_letters
from tools.deals.area_rents import with_monthly_rents
from tools.deals.first_records import NO_ROWS, FirstRecords
from tools.deals.kinds import TableView, kind_of, why_no_deals
from tools.deals.mapping import ColumnView, MappedColumn, map_columns
from tools.deals.places_together import with_states
from tools.deals.shown_units import with_shown_units
from tools.deals.signs_beside import with_signs, without_idle_signs
from tools.deals.term_units import with_term_units
from tools.deals.titled_areas import with_titled_areas
from tools.deals.titled_rents import with_titled_rents
from tools.workbook.detect import DetectedTable

_FEWEST_RECORDS, _FEWEST_COLUMNS = 2, 3
_LABELS = "it holds labels with their values that make up no deal of their own"
_UNNAMED = "it has no header row; put a row over it that names its columns, and send it again"


@dataclass(frozen=True, slots=True)
class TableReading:
    """A detected table with its columns' values, their fields, and its kind; `why_not` says why it lists no deals.

    `continued` are the rows that go on with the record above them and are no records, `summary` those that say how
    much of a list is let; `total_columns` (0-based) those of a table with a record a column that hold totals;
    `first_records` header rows that are records, or may be some; `again` the (row, column) of values in no field, as
    another with their label is there; `doubts` what is doubtful of titles and sections on the way down;
    `nameless` the rows at the end that hold no name and no figure, and are no records.
    """

    table: DetectedTable
    about: tuple[str, ...]
    columns: tuple[ColumnView, ...]
    mapped: tuple[MappedColumn, ...]
    kind: TableKind
    why_not: str | None
    continued: tuple[int, ...] = ()
    summary: tuple[int, ...] = ()
    total_columns: tuple[int, ...] = ()
    first_records: FirstRecords = NO_ROWS
    again: tuple[tuple[int, int], ...] = ()
    doubts: tuple[Issue, ...] = ()
    nameless: tuple[int, ...] = ()

    @property
    def range(self) -> str:
        """The table's range, header included: A4:T212."""
        t = self.table
        top = min((*t.header_rows, t.first_row))
        return f"{column_letters(t.first_column)}{top}:{column_letters(t.last_column)}{t.last_row}"


def read_table(table: DetectedTable, columns: Sequence[ColumnView], overrides: Overrides) -> TableReading:
    """One table as understood, from its columns."""
    about = (table.sheet.name or "", *(text for text, _ in table.note_lines[:12]))
    settled = {letters: field for (table_id, letters), field in overrides.fields.items() if table_id == table.table_id}
    columns = with_titled_areas(with_shown_units(with_signs(columns, table.record_rows, settled), table), table)
    columns = with_titled_rents(columns, table)
    columns, mapped = without_idle_signs(*with_states(columns, map_columns(columns, about, settled)))
    mapped = with_monthly_rents(columns, with_term_units(columns, mapped))
    view = TableView(about, columns, mapped, table.kind == "key_value")
    ignored = overrides.ignored.get(table.table_id)
    why_not = f"it was set aside: {ignored}" if ignored else None if table.record_rows else "it has no records"
    if why_not is None and not _confirmed(settled, table, overrides):
        why_not = why_no_deals(view)
        why_not = _UNNAMED if why_not and _is_unnamed(table) else why_not
        why_not = _LABELS if why_not and table.kind == "key_value" and table.orientation == "rows" else why_not
    return TableReading(table, about, tuple(columns), tuple(mapped), kind_of(view), why_not)


def _is_unnamed(table: DetectedTable) -> bool:
    """Whether records stand in columns that no row names."""
    rows = table.orientation == "rows" and table.kind == "table" and len(table.record_rows) >= _FEWEST_RECORDS
    return rows and not table.header_rows and not any(table.headers) and len(table.headers) >= _FEWEST_COLUMNS


def _confirmed(settled: dict[str, str | None], table: DetectedTable, overrides: Overrides) -> bool:
    """Whether somebody who looked at the table took it for deals: gave fields to its columns, or bounds to it."""
    return table.table_id in overrides.bounds or any(settled.values())
