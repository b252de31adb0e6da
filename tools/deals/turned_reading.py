"""Tables with a record a column as understood, and those that are read so, or upright, as more speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schemas.workbook import Overrides
from tools.deals.dictionary import dictionary
from tools.deals.first_records import give_back
from tools.deals.key_value import is_label
from tools.deals.kinds import TableView, kind_of, why_no_deals
from tools.deals.record_columns import columns_of
from tools.deals.signs_beside import with_signs_across
from tools.deals.table_reading import TableReading, read_table
from tools.deals.top_names import named_on_top, with_names_above
from tools.deals.turning import Across, records_alone, turned, upright
from tools.workbook.detect import DetectedTable, Layout

_FEWEST_TURNED = 4
_NAMES = frozenset({"deal_name", "address", "tenant"})


def read_turned(reading: TableReading, overrides: Overrides) -> TableReading | None:
    """The table read with a record a column, where it lists deals that way and more fields speak for it; else None."""
    table = reading.table
    across = None if table.table_id in {*overrides.ignored, *overrides.bounds} else turned(table)
    if across is None:
        return None
    other = read_across(across, overrides)
    known = sum(m.field is not None for m in other.mapped)
    enough = max(_FEWEST_TURNED, 0.5 * len(other.columns), sum(m.field is not None for m in reading.mapped) + 1)
    return other if other.why_not is None and known >= enough and _names_on_top(other) else None


def read_upright(layout: Layout, reading: TableReading, overrides: Overrides) -> TableReading:
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


def read_across(table: DetectedTable, overrides: Overrides) -> TableReading:
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
    """Whether the first field of a table with a record a column names each record, none as another, no record labels.

    A row without a field may stand over it, such as one that numbers the deals.
    """
    at = 0 if reading.mapped[0].field else 1
    held = [str(name) for name in reading.columns[at].values if name is not None]
    if any(_are_labels([view.values[r] for view in reading.columns]) for r in range(len(reading.table.record_rows))):
        return False
    return reading.mapped[at].field in _NAMES and len(set(held)) == len(held) >= len(reading.table.record_rows)


def _are_labels(values: Sequence[object]) -> bool:
    """Whether most of what a record holds is what fields are called: the labels of the values right of it."""
    held = [value for value in values if value is not None]
    return sum(isinstance(value, str) and is_label(value) for value in held) > 0.5 * len(held)
