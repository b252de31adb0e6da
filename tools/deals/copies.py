"""Tables that repeat what another table lists: extracts of it, filters beside it, and forms of single deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from schemas.ids import normalise_key
from tools.deals.mapping import ColumnView
from tools.deals.table_reading import TableReading

_SHARED_LEAST, _SHARED_SHARE, _COPIED_SHARE = 3, 0.7, 0.95
_NAMED, _MOST_ALIKE = "deal_name", 8


def without_copies(readings: list[TableReading]) -> list[TableReading]:
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


def without_listed(readings: list[TableReading]) -> list[TableReading]:
    """The readings, the forms of single deals that say nothing but what a list says of the deal marked as no deals."""
    forms = {at for at, r in enumerate(readings) if r.why_not is None and r.table.kind == "key_value"}
    if not forms:
        return readings
    listed: dict[str, list[tuple[TableReading, int]]] = defaultdict(list)
    for reading in (r for at, r in enumerate(readings) if r.why_not is None and at not in forms):
        for record, value in enumerate(_by_field(reading).get(_NAMED, ())):
            if value is not None and len(places := listed[normalise_key(str(value))]) < _MOST_ALIKE:
                places.append((reading, record))
    return [_unless_listed(r, listed) if at in forms else r for at, r in enumerate(readings)]


def _unless_listed(form: TableReading, listed: dict[str, list[tuple[TableReading, int]]]) -> TableReading:
    """A form's reading, marked as no deal where a record of its name holds each of its values under the same field."""
    pairs = zip(form.columns, form.mapped, strict=True)
    said = [(m.field, view.values[0]) for view, m in pairs if view.values and view.values[0] is not None]
    names = [normalise_key(str(value)) for field, value in said if field == _NAMED]
    for reading, record in listed.get(names[0], ()) if names and len(said) >= _SHARED_LEAST else ():
        held = _by_field(reading)
        if all(field in held and _alike(held[field][record], value) for field, value in said):
            return replace(form, why_not=f"it repeats a deal of {reading.table.table_id}")
    return form


def _by_field(reading: TableReading) -> dict[str | None, Sequence[object]]:
    pairs = zip(reading.columns, reading.mapped, strict=True)
    return {m.field: view.values for view, m in pairs if m.field}


def _alike(one: object, other: object) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
    return one == other


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
