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
from tools.deals.pin_currencies import currency_in_force, currency_meant, mixed, pin_words, with_currency
from tools.deals.pin_values import read_kept, read_written
from tools.deals.which_deal import find_deal, name_of, place_of, records


def read_pin(extraction: Extraction, text: str, reason: str, by: str, decided_on: str, main: str | None = None) -> Pin:
    """The pin that `deal.field=value` asks for; the deal as `find_deal` takes it, which says what `main` is.

    Values are in full units: 5.5% or 0.055, 3200000 or $3.2M, 2025-06-30; nothing after the = empties the field. They
    are read as the cells of the field's column are; an amount without a currency stays in the one that it is in. Raises
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
    texts = [raw for raw in column.raws if isinstance(raw, str)] if column else []
    written = read_written(spec, value.strip(), texts)
    amount = spec.type == "money" and written.value is not None
    code = currency_meant(value.strip(), written.currency, table, column, record) if amount else None
    was, was_code = _read_in_file(extraction, table, record, spec)
    return Pin(
        deal_id=deal_id_at(extraction.source.artifact, table, record),
        field=spec.name,
        value=_canonical(written.value),
        reason=reason,
        by=by,
        decided_on=decided_on,
        was=was,
        cell=None if column is None else table.cell(column, record),
        currency=code,
        was_currency=was_code,
    )


def _read_in_file(extraction: Extraction, table: Table, record: int, spec: FieldSpec) -> tuple[str | None, str | None]:
    """What the file says, and in which currency: what is corrected again was never in it as the first pin put it."""
    identity = deal_id_at(extraction.source.artifact, table, record)
    earlier = next((pin for pin in extraction.pins if (pin.deal_id, pin.field) == (identity, spec.name)), None)
    if earlier is not None:
        return earlier.was, earlier.was_currency
    column = table.column_of(spec.name)
    code = currency_in_force(table, column, record) if spec.type == "money" else None
    return (None, code) if column is None else (_text(field_value(column, record, None)), code)


def in_force(extraction: Extraction, pin: Pin) -> tuple[str | None, str | None]:
    """The text of the value that `pin` would replace as it stands now, None if missing, and its currency.

    Raises InputError `pin.deal` if its deal is not there.
    """
    found = (at for at in records(extraction) if deal_id_at(extraction.source.artifact, *at) == pin.deal_id)
    table, record = next(found, (None, 0))
    if table is None:
        raise _gone(pin)
    column, spec = table.column_of(pin.field), field_spec(pin.field)
    code = currency_in_force(table, column, record) if spec and spec.type == "money" else None
    return None if column is None else _text(field_value(column, record, None)), code


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
        _set(touched[table.table_id], record, spec, pin)
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
    told_before, told_after = mixed(before, after)
    old = dict.fromkeys([*check_values(before, old_warnings), *told_before])
    new = dict.fromkeys([*check_values(after, new_warnings), *told_after])
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


def _set(table: Table, record: int, spec: FieldSpec, pin: Pin) -> None:
    """Puts a pin's value into a table; a field with no column gets one, with no cells behind it."""
    at = next((i for i, column in enumerate(table.columns) if column.field == spec.name), None)
    if at is None:
        empty: list[object] = [None] * len(table.records)
        code = currency_in_force(table, None, record) if spec.type == "money" else None
        made = Column("", spec.name, spec.name, 1.0, spec.type, empty, empty, code, {}, [None] * len(empty))
        table.columns.append(made)
        at = len(table.columns) - 1
    column = table.columns[at]
    values = list(column.values)
    values[record] = read_kept(spec, pin.value)
    currencies = with_currency(column, record, pin)
    table.columns[at] = dataclasses.replace(column, values=values, currencies=currencies)


def _issue(pin: Pin) -> Issue:
    was, value = pin_words(pin)
    message = (
        f"{pin.field} was set to {value or 'missing'} by {pin.by} on {pin.decided_on} "
        f"(it was {'missing' if was is None else was}): {pin.reason}"
    )
    return Issue("pin.applied", "info", message, (pin.cell,) if pin.cell else ())
