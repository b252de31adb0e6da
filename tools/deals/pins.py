"""A person's corrected values: read from what they wrote, and put over what the file says."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable

from schemas.deal import Column, Extraction, FieldValue, Issue, Pin, Table, deal_id_at, field_value
from schemas.errors import InputError
from tools.deals.check import check_values
from tools.deals.dictionary import FieldSpec, dictionary, field_spec
from tools.deals.document import value_plain
from tools.deals.pin_values import parse_value
from tools.deals.which_deal import find_deal, name_of, place_of, records


def read_pin(extraction: Extraction, text: str, reason: str, by: str, decided_on: str, main: str | None = None) -> Pin:
    """The pin that `deal.field=value` asks for; the deal as `find_deal` takes it, which says what `main` is.

    Values are in full units: 5.5% or 0.055, 3200000 or $3.2M, 2025-06-30; nothing after the = empties the field. Raises
    InputError (`pin.form`, `pin.field`, `pin.deal`, `pin.ambiguous`, `pin.value`) with what to write instead.
    """
    left, equals, value = text.partition("=")
    deal, dot, name = left.rpartition(".")
    if not (equals and dot and deal.strip() and name.strip()):
        raise InputError(
            "pin.form", f"{text!r} is no correction; write deal.field=value, such as 'Comps!6.noi=450000'."
        )
    spec = field_spec(name.strip())
    if spec is None:
        known = ", ".join(sorted(dictionary().fields))
        raise InputError("pin.field", f"{name.strip()!r} is no field of a deal; the fields are {known}.")
    table, record = find_deal(extraction, deal.strip(), main)
    column = table.column_of(spec.name)
    was = None if column is None else _text(field_value(column, record, None))
    identity = deal_id_at(extraction.source.artifact, table, record)
    # What is corrected again was never in the file as the first correction put it.
    earlier = next((pin for pin in extraction.pins if (pin.deal_id, pin.field) == (identity, spec.name)), None)
    was = was if earlier is None else earlier.was
    return Pin(
        deal_id=identity,
        field=spec.name,
        value=_canonical(parse_value(spec, value.strip())),
        reason=reason,
        by=by,
        decided_on=decided_on,
        was=was,
        cell=None if column is None else table.cell(column, record),
    )


def _canonical(value: object) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    return "" if value is None else str(value)


def _text(value: FieldValue) -> str | None:
    plain = value_plain(value)["value"]
    return None if plain is None else str(plain)


def pin_place(extraction: Extraction, pin: Pin) -> tuple[str, str]:
    """The name of the pin's deal and the place where it stands; raises InputError `pin.deal` if it is not there."""
    for at in records(extraction):
        if deal_id_at(extraction.source.artifact, *at) == pin.deal_id:
            return name_of(at), place_of(at)
    raise _gone(pin)


def _gone(pin: Pin) -> InputError:
    return InputError("pin.deal", f"The deal {pin.deal_id} that {pin.field} was set for is not in this workbook.")


def apply_pins(extraction: Extraction, pins: tuple[Pin, ...]) -> Extraction:
    """The extraction with `pins` over its values, later ones over earlier; its own pins and raw values stay.

    What the new values agree or disagree with is checked again, and the issues and warnings are those of the values as
    they are now. Raises InputError `pin.deal` for a deal, `pin.field` for a field, that is not there.
    """
    places = {deal_id_at(extraction.source.artifact, *at): at for at in records(extraction)}
    tables = {table.table_id: table for table in extraction.tables}
    touched: dict[str, Table] = {}
    for pin in pins:
        if pin.deal_id not in places:
            raise _gone(pin)
        spec = field_spec(pin.field)
        if spec is None:
            raise InputError("pin.field", f"{pin.field!r} is no field of a deal.")
        table, record = places[pin.deal_id]
        if table.table_id not in touched:
            touched[table.table_id] = _copied(table)
        _set(touched[table.table_id], record, spec, parse_value(spec, pin.value))
    issues = extraction.issues
    for name, table in touched.items():
        issues = _checked_again(tables[name], table, issues)
    kept = {(pin.deal_id, pin.field): pin for pin in (*extraction.pins, *pins)}
    said = tuple(_issue(pin) for pin in kept.values())
    others = tuple(issue for issue in issues if issue.code != "pin.applied")
    return dataclasses.replace(
        extraction, tables=list((tables | touched).values()), pins=tuple(kept.values()), issues=others + said
    )


def _checked_again(before: Table, after: Table, issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """The issues with those of the values as they were taken out, and those of the values as they are put in.

    `after` is given its warnings likewise. What both tables have keeps its place.
    """
    old_warnings: dict[int, list[str]] = {}
    new_warnings: dict[int, list[str]] = {}
    old = dict.fromkeys(check_values(before, old_warnings))
    new = dict.fromkeys(check_values(after, new_warnings))
    after.warnings = _warnings(before, old_warnings, new_warnings)
    known = tuple(issue for issue in issues if issue not in old or issue in new)
    return known + tuple(issue for issue in new if issue not in known)


def _warnings(before: Table, old: dict[int, list[str]], new: dict[int, list[str]]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for record in sorted({*before.warnings, *new}):
        gone, come = set(old.get(record, ())), new.get(record, [])
        kept = [text for text in before.warnings.get(record, ()) if text not in gone or text in come]
        said = tuple(dict.fromkeys([*kept, *come]))
        if said:
            found[record] = said
    return found


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
