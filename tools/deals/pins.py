"""A person's corrected values: read from what they wrote, and put over what the file says."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterator

from schemas.deal import Column, Extraction, FieldValue, Issue, Pin, Table, deal_id_at, field_value
from schemas.errors import InputError
from schemas.ids import normalise_key
from schemas.workbook import column_letters
from tools.deals.dates import AmbiguousDateError, read_date
from tools.deals.dictionary import FieldSpec, dictionary, field_spec
from tools.deals.document import value_plain
from tools.deals.numbers import NotNumber, read_number, whole
from tools.deals.percent import hundredth

_PLACE = re.compile(r"(?:(?P<sheet>.+)!)?(?P<at>\d+|[A-Z]{1,3})")
Found = tuple[Table, int]


def read_pin(extraction: Extraction, text: str, reason: str, by: str, decided_on: str) -> Pin:
    """The pin that `deal.field=value` asks for; the deal by its id, its row (`Comps!6` or `6`) or its name when unique.

    Values are in full units: 5.5% or 0.055, 3200000 or $3.2M, 2025-06-30; nothing after the = empties the field. Raises
    InputError (`pin.form`, `pin.field`, `pin.deal`, `pin.ambiguous`, `pin.value`) with what to write instead.
    """
    left, equals, value = text.partition("=")
    deal, dot, name = left.rpartition(".")
    if not (equals and dot and deal.strip() and name.strip()):
        raise InputError("pin.form", f"{text!r} is no correction; write deal.field=value, such as 6.noi=450000.")
    spec = field_spec(name.strip())
    if spec is None:
        known = ", ".join(sorted(dictionary().fields))
        raise InputError("pin.field", f"{name.strip()!r} is no field of a deal; the fields are {known}.")
    table, record = find_deal(extraction, deal.strip())
    column = table.column_of(spec.name)
    was = None if column is None else _text(field_value(column, record, None))
    return Pin(
        deal_id=deal_id_at(extraction.source.artifact, table, record),
        field=spec.name,
        value=_canonical(parse_value(spec, value.strip())),
        reason=reason,
        by=by,
        decided_on=decided_on,
        was=was,
        cell=None if column is None else table.cell(column, record),
    )


def find_deal(extraction: Extraction, said: str) -> Found:
    """The one deal that `said` names; raises InputError `pin.deal` for none, `pin.ambiguous` for several."""
    found = [at for at in _records(extraction) if _id(extraction, at) == said]
    found = found or [at for at in _records(extraction) if _at_place(at, said)]
    found = found or [at for at in _records(extraction) if _named(at, normalise_key(said))]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError("pin.deal", f"No deal is called {said!r}; give its id, its row (Comps!6) or its full name.")
    places = ", ".join(_place(at) for at in found[:6])
    raise InputError("pin.ambiguous", f"{said!r} is {len(found)} deals ({places}); give the row of the one you mean.")


def _records(extraction: Extraction) -> Iterator[Found]:
    return ((table, record) for table in extraction.tables for record in range(len(table.records)))


def _id(extraction: Extraction, at: Found) -> str:
    return deal_id_at(extraction.source.artifact, *at)


def _place(at: Found) -> str:
    table, record = at
    where = table.records[record]
    name = column_letters(where) if table.orientation == "columns" else str(where)
    return name if table.sheet is None else f"{table.sheet}!{name}"


def _at_place(at: Found, said: str) -> bool:
    match = _PLACE.fullmatch(said)
    if match is None:
        return False
    sheet, _, name = _place(at).rpartition("!")
    return name == match["at"] and (match["sheet"] is None or match["sheet"].strip("'").casefold() == sheet.casefold())


def _named(at: Found, wanted: str) -> bool:
    table, record = at
    columns = (table.column_of(name) for name in ("deal_name", "source_id", "address", "tenant"))
    return any(
        c is not None and c.values[record] is not None and normalise_key(str(c.values[record])) == wanted
        for c in columns
    )


def parse_value(spec: FieldSpec, text: str) -> str | int | float | dt.date | None:
    """`text` as a value of the field, in full units; raises InputError `pin.value` where it is none."""
    if not text:
        return None
    if spec.type == "text":
        return text
    if spec.type == "date":
        return _date(spec, text)
    number = read_number(text, False)
    if (
        isinstance(number, NotNumber)
        or (number.percent and spec.type != "fraction")
        or number.unit not in (None, spec.unit)
    ):
        raise _bad(spec, text)
    if spec.type == "fraction":
        value = hundredth(number.value) if number.percent else number.value
        if not number.percent and not spec.plausible(value) and spec.plausible(value / 100):
            raise InputError(
                "pin.value", f"{text} for {spec.name}: write {text}% or {hundredth(value)}, so that it is certain."
            )
        return value
    value = whole(number.value)
    if spec.type in ("count", "year") and not isinstance(value, int):
        raise _bad(spec, text)
    return value


def _date(spec: FieldSpec, text: str) -> dt.date:
    try:
        day = read_date(text, None)
    except AmbiguousDateError:
        day = None
    if day is None:
        raise _bad(spec, text)
    return day


_EXAMPLES = {
    "money": "3200000",
    "fraction": "5.5%",
    "number": "12500",
    "count": "54",
    "year": "1985",
    "date": "2025-06-30",
    "text": "",
}


def _bad(spec: FieldSpec, text: str) -> InputError:
    return InputError(
        "pin.value", f"{text!r} is no value for {spec.name}; write it in full, such as {_EXAMPLES[spec.type]}."
    )


def _canonical(value: object) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    return "" if value is None else str(value)


def _text(value: FieldValue) -> str | None:
    plain = value_plain(value)["value"]
    return None if plain is None else str(plain)


def apply_pins(extraction: Extraction, pins: tuple[Pin, ...]) -> Extraction:
    """The extraction with `pins` over its values, later ones over earlier; its own pins and raw values stay.

    Raises InputError `pin.deal` for a deal, `pin.field` for a field, that is not there.
    """
    places = {deal_id_at(extraction.source.artifact, *at): at for at in _records(extraction)}
    tables = {table.table_id: _copied(table) for table in extraction.tables}
    for pin in pins:
        if pin.deal_id not in places:
            raise InputError(
                "pin.deal", f"The deal {pin.deal_id} that {pin.field} was set for is not in this workbook."
            )
        spec = field_spec(pin.field)
        if spec is None:
            raise InputError("pin.field", f"{pin.field!r} is no field of a deal.")
        table, record = places[pin.deal_id]
        _set(tables[table.table_id], record, spec, parse_value(spec, pin.value))
    kept = {(pin.deal_id, pin.field): pin for pin in (*extraction.pins, *pins)}
    issues = tuple(issue for issue in extraction.issues if issue.code != "pin.applied")
    said = tuple(_issue(pin) for pin in kept.values())
    return dataclasses.replace(
        extraction, tables=list(tables.values()), pins=tuple(kept.values()), issues=issues + said
    )


def _copied(table: Table) -> Table:
    return dataclasses.replace(table, columns=list(table.columns))


def _set(table: Table, record: int, spec: FieldSpec, value: object) -> None:
    """Puts a value into a table; a field with no column gets one, with no cells behind it."""
    at = next((i for i, column in enumerate(table.columns) if column.field == spec.name), None)
    if at is None:
        empty: list[object] = [None] * len(table.records)
        made = Column(
            "", spec.name, spec.name, 1.0, spec.type, empty, empty, _currency(table, spec), {}, [None] * len(empty)
        )
        table.columns.append(made)
        at = len(table.columns) - 1
    values = list(table.columns[at].values)
    values[record] = value
    table.columns[at] = dataclasses.replace(table.columns[at], values=values)


def _currency(table: Table, spec: FieldSpec) -> str | None:
    if spec.type != "money":
        return None
    return next((column.currency for column in table.columns if column.field and column.currency), None)


def _issue(pin: Pin) -> Issue:
    was = "missing" if pin.was is None else pin.was
    message = (
        f"{pin.field} was set to {pin.value or 'missing'} by {pin.by} on {pin.decided_on} (it was {was}): {pin.reason}"
    )
    return Issue("pin.applied", "info", message, (pin.cell,) if pin.cell else ())
