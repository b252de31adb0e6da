"""Deals with a second line of a few values under the first, each below its label in a header of two rows."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from schemas.workbook import Overrides, column_letters
from tools.deals.header_lines import Row, is_unit_or_type, joined, said_in
from tools.deals.mapping import ColumnView
from tools.deals.numbers import is_amount
from tools.deals.record_columns import columns_of
from tools.deals.second_line_account import may_be_line, move_lines
from tools.deals.table_reading import TableReading, read_table
from tools.deals.uneven_turns import uneven_turns
from tools.workbook.detect import DetectedTable, Layout

_FEWEST_LINES, _LINES_SHARE, _KIND_SHARE = 2, 0.7, 0.75
#: A record's row, and the row of its second line where it has one.
Lines = list[tuple[int, int | None]]


def read_second_lines(layout: Layout, table: DetectedTable, overrides: Overrides) -> TableReading | None:
    """The table with the second lines of its deals as columns of their own; None where it has none such.

    Below a header whose last row fills some columns only, nearly each record is followed by a row that fills no others.
    Both labels of such a column are fields by themselves, and no field is named twice: rows that go on with a record
    under a name over two rows are none such. Where the header's last row fills all columns, the rows are of two sorts,
    and read apart they have more fields; where each record has both, rows are known by their turns alone.
    """
    under = _second_header(table)
    if under is None:
        return None
    heads = [row for row in table.header_rows if row < under]
    labels, second = joined([said_in(table, row) for row in heads]), said_in(table, under)
    if not second.keys() <= labels.keys() or not all(map(_may_name, second.values())):
        return None
    partly = len(second) < len(labels)
    lines = _lines(layout, table, under, set(second)) if partly else uneven_turns(table)
    if lines is None or not _alike(table, lines, second):
        return None
    whole = _whole(table, heads, under, labels, lines)
    reading = read_table(whole, [*columns_of(whole), *_below(whole, second, lines)], overrides)
    named = _all_named(reading, second) if partly else _more_named(reading, table, overrides)
    if reading.why_not is not None or not named:
        return None
    move_lines(layout, table, whole, [row for _, row in lines if row is not None])
    return reading


def _second_header(table: DetectedTable) -> int | None:
    """The last row of the header, or the one right under it that stands as a section; None where that can be none."""
    heads, records = table.header_rows, table.record_rows
    if table.orientation != "rows" or table.kind != "table" or not heads or len(records) < _FEWEST_LINES:
        return None
    under = records[0] - 1
    if under == heads[-1]:
        return under if len(heads) > 1 and heads[-2] == under - 1 else None
    section = any(span.first == under == span.last and span.row_class == "section" for span in table.excluded)
    return under if section and heads[-1] == under - 1 else None


def _may_name(label: str) -> bool:
    return not is_unit_or_type(label) and not is_amount(label)


def _lines(layout: Layout, table: DetectedTable, under: int, columns: set[int]) -> Lines | None:
    """Each record with the row right below it that fills none but `columns`; None where they do not take turns."""
    sparse = {row for row in table.record_rows if set(said_in(table, row)) <= columns}
    records = [row for row in table.record_rows if row not in sparse]
    lines: Lines = []
    for row in records:
        held = set(said_in(table, row + 1))
        below = bool(held) and held <= columns and may_be_line(layout, table, row + 1)
        lines.append((row, row + 1 if below else None))
    found = {row for _, row in lines if row is not None}
    sections = {row for span in table.excluded if span.row_class == "section" for row in (span.first, span.last)}
    if len(found) < max(_FEWEST_LINES, _LINES_SHARE * len(records)):
        return None
    return None if (sparse | sections) - found - {under} else lines


def _alike(table: DetectedTable, lines: Lines, second: Row) -> bool:
    """Whether the second lines hold mostly one kind of values in each column."""
    for column in second:
        held = (table.sheet.value(row, column) for _, row in lines if row is not None)
        kinds = Counter(_kind(value) for value in held if value is not None)
        if not kinds or max(kinds.values()) < _KIND_SHARE * kinds.total():
            return False
    return True


def _kind(value: object) -> str:
    return "date" if isinstance(value, dt.date) else "amount" if is_amount(value) else "text"


def _whole(table: DetectedTable, heads: Sequence[int], under: int, labels: Row, lines: Lines) -> DetectedTable:
    """The table with the first rows as its records, in no section that a second line made."""
    records = [row for row, _ in lines]
    apart = set(said_in(table, under).values())
    parts = [(section or "").split(" / ") for section in table.sections]
    kept = [part for part in parts[0] if part and part not in apart and all(part in each for each in parts)]
    found = {row for _, row in lines if row is not None} | {under}
    return replace(
        table,
        header_rows=(*heads, under),
        headers=[labels.get(at, "") for at in range(table.first_column, table.last_column + 1)],
        first_row=records[0],
        last_row=max(*found, *records),
        record_rows=records,
        sections=[" / ".join(kept) or None] * len(records),
        excluded=tuple(span for span in table.excluded if span.first not in found),
        idle=tuple(row for row in table.idle if row not in found),
        names=tuple(row for row in table.names if row not in found),
    )


def _below(table: DetectedTable, second: Row, lines: Lines) -> Iterator[ColumnView]:
    """The columns of the second lines, with letters right of the table's own."""
    for at, (column, label) in enumerate(sorted(second.items()), table.last_column + 1):
        values = [None if row is None else table.sheet.value(row, column) for _, row in lines]
        cells = tuple((first if row is None else row, column) for first, row in lines)
        yield ColumnView(column_letters(at), label, values, cells)


def _all_named(reading: TableReading, second: Row) -> bool:
    """Whether the columns of second lines, and those above them, all have a field, and no other the same."""
    fields = {m.letters: m.field for m in reading.mapped}
    extra = [column_letters(reading.table.last_column + 1 + at) for at in range(len(second))]
    own = [fields.get(letters) for letters in (*map(column_letters, second), *extra)]
    return None not in own and len(set(own)) == len(own)


def _more_named(reading: TableReading, table: DetectedTable, overrides: Overrides) -> bool:
    """Whether the table has all the fields that it has with a record a row, and more."""
    known = {m.field for m in read_table(table, columns_of(table), overrides).mapped if m.field}
    return known < {m.field for m in reading.mapped if m.field}
