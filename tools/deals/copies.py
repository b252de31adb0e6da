"""Tables that repeat what another table lists: extracts of it, filters beside it, and forms of single deals."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from schemas.ids import normalise_key
from tools.deals.mapping import ColumnView
from tools.deals.table_reading import TableReading

_SHARED_LEAST, _SHARED_SHARE, _COPIED_SHARE = 3, 0.7, 0.95
_NAMED, _MOST_ALIKE = "deal_name", 8


class _Listed:
    """A table's reading with its headers and its columns' values, each looked up once."""

    def __init__(self, reading: TableReading) -> None:
        self.reading = reading
        self.names = [_said(column) for column in reading.columns if column.header]
        self.size = (len(self.names), len(reading.table.record_rows))
        self.known = frozenset(self.names)
        self._held: dict[str, frozenset[object]] = {}
        self._columns = {_said(column): column.values for column in reversed(reading.columns)}

    def held(self, name: str) -> frozenset[object]:
        """The values under a header."""
        if name not in self._held:
            self._held[name] = frozenset(map(_hashable, self._columns[name]))
        return self._held[name]

    def records(self, names: Sequence[str]) -> list[tuple[object, ...]]:
        """The values of each record under some of the headers."""
        return list(zip(*(map(_hashable, self._columns[name]) for name in names), strict=True))


def without_copies(readings: list[TableReading]) -> list[TableReading]:
    """The readings, those that repeat what another table lists marked as no deals."""
    checked: list[TableReading] = []
    listed = {at: _Listed(reading) for at, reading in enumerate(readings) if reading.why_not is None}
    by_size = sorted(listed, key=lambda at: listed[at].size)
    sizes = [listed[at].size for at in by_size]
    for at, reading in enumerate(readings):
        if reading.why_not is None and reading.table.orientation == "rows":
            larger = sorted(by_size[bisect_right(sizes, listed[at].size) :])
            others = (other for other in larger if _repeats(listed[at], listed[other]))
            if (first := next(others, None)) is not None:
                original = readings[first]
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


def _repeats(reading: _Listed, other: _Listed) -> bool:
    """Whether `reading` repeats the larger `other`: its records are there under the same headers, or it filters it."""
    mine = reading.names
    shared = [name for name in mine if name in other.known]
    if other.reading.table.orientation == "columns" or len(shared) < max(_SHARED_LEAST, _SHARED_SHARE * len(mine)):
        return False
    if shared == mine and _beside(reading.reading, other.reading) and _is_filter(reading.reading):
        return True
    if any(reading.held(name) and reading.held(name).isdisjoint(other.held(name)) for name in shared):
        return False
    rows, held = reading.records(shared), set(other.records(shared))
    return sum(row in held for row in rows) >= _COPIED_SHARE * len(rows)


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


def _hashable(value: object) -> object:
    return float(value) if isinstance(value, int) else value
