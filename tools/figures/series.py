"""The numbers of one table, field by field, each with its cell; and what may be computed over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import cached_property

from schemas.deal import Column, Extraction, Pin, Table, deal_id_at
from schemas.figures import Figure, FigureUnit
from schemas.workbook import column_letters
from tools.figures import formats
from tools.figures.text import printable

NAMES = ("deal_name", "tenant", "address", "source_id", "seller", "lender")
"""Fields that can name a deal, best first."""
PLACES = ("suite", "postal_code", "city", "county")
"""Fields that tell where a deal is; the first two that a table has stand in for its name."""


class DealView:
    """The records of one table, by field: Decimals, dates or texts, missing as None, and the cell of each value."""

    def __init__(self, extraction: Extraction, table: Table) -> None:
        self.table = table
        self.filename = extraction.source.filename
        self._artifact = extraction.source.artifact
        self._pins = extraction.pins
        self._numbers: dict[str, list[Decimal | None]] = {}
        self._names: dict[int, str] = {}

    @property
    def count(self) -> int:
        """How many records there are."""
        return len(self.table.records)

    def column(self, name: str) -> Column | None:
        """The column of field `name`, or None."""
        return self._columns.get(name)

    @cached_property
    def _columns(self) -> Mapping[str, Column]:
        """The mapped columns by field, the first of each."""
        return {column.field: column for column in reversed(self.table.columns) if column.field}

    def numbers(self, name: str) -> list[Decimal | None]:
        """The values of field `name` as Decimals; what is no number is None."""
        if name not in self._numbers:
            column = self.column(name)
            self._numbers[name] = [None] * self.count if column is None else [_decimal(v) for v in column.values]
        return self._numbers[name]

    def texts(self, name: str) -> list[str | None]:
        """The values of field `name` as one-line texts, cleaned for print; empty is None."""
        column = self.column(name)
        if column is None:
            return [None] * self.count
        return [None if value is None else printable(value, 200) or None for value in column.values]

    def text(self, name: str, record: int) -> str | None:
        """The text of field `name` in `record`, cleaned for print, or None."""
        column = self.column(name)
        value = None if column is None else column.values[record]
        return None if value is None else printable(value, 200) or None

    def dates(self, name: str) -> list[date | None]:
        """The values of field `name` as days; what is no date is None."""
        column = self.column(name)
        return [None] * self.count if column is None else [_day(value) for value in column.values]

    def raw_text(self, name: str, record: int) -> str | None:
        """What the cell of field `name` holds, if that is text."""
        column = self.column(name)
        raw = None if column is None else column.raws[record]
        return printable(raw, 80) if isinstance(raw, str) and raw.strip() else None

    def present(self, name: str) -> int:
        """How many records have field `name`."""
        column = self.column(name)
        return 0 if column is None else sum(value is not None for value in column.values)

    def cell(self, name: str, record: int) -> str | None:
        """The address of field `name` in `record`, or None."""
        column = self.column(name)
        return None if column is None else self.table.cell(column, record)

    def place(self, record: int) -> str:
        """`r7` or, in a transposed table, `cD`: where `record` lies, for ids."""
        at = self.table.records[record]
        return f"c{column_letters(at)}" if self.table.orientation == "columns" else f"r{at}"

    def where(self, record: int) -> str:
        """`Deals row 7`: where `record` lies, for people."""
        at = self.table.records[record]
        kind = f"column {column_letters(at)}" if self.table.orientation == "columns" else f"row {at}"
        return kind.capitalize() if self.table.sheet is None else f"{printable(self.table.sheet, 40)} {kind}"

    def name(self, record: int) -> str:
        """What to call `record`; where nothing names it, where it lies. Never empty."""
        found = self._names.get(record)
        if found is None:
            texts = (text for name in self.names if (text := self.text(name, record)))
            found = self._names[record] = next(texts, None) or self._placed(record)
        return found

    def _placed(self, record: int) -> str:
        """What to call a record that nothing names: by where it is, and where several are, with its number."""
        place = self._places[record]
        if place:
            return place if self._shared[place] == 1 else f"{place}, No. {record + 1:,}"
        at, sheet = self.table.records[record], self.table.sheet
        kind = f"Column {column_letters(at)}" if self.table.orientation == "columns" else f"Row {at}"
        return kind if sheet is None else f"{kind} of {printable(sheet, 40)}"

    @cached_property
    def _places(self) -> list[str]:
        fields = [self.texts(name) for name in PLACES if self.column(name)]
        if not fields:
            return [""] * self.count
        return [" ".join(text for text in texts[:2] if text) for texts in zip(*fields, strict=True)]

    @cached_property
    def _shared(self) -> Counter[str]:
        """How often each place names a record that nothing else does."""
        return Counter(self._places)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The naming fields of this table, best first."""
        first = "tenant" if self.table.kind in ("rent_roll", "lease_comps") else "deal_name"
        return tuple(sorted((n for n in NAMES if self.column(n)), key=lambda n: (n != first, NAMES.index(n))))

    @cached_property
    def pins(self) -> Mapping[tuple[int, str], Pin]:
        """The pins on this table's values, by record and field."""
        if not self._pins:
            return {}
        wanted = {pin.deal_id for pin in self._pins}
        at = {
            identity: record
            for record in range(self.count)
            if (identity := deal_id_at(self._artifact, self.table, record)) in wanted
        }
        return {(at[pin.deal_id], pin.field): pin for pin in self._pins if pin.deal_id in at}

    def ranges(self, names: Iterable[str], records: Sequence[int]) -> tuple[str, ...]:
        """The cells of fields `names` in `records` (ascending), runs of them as ranges: `Deals!F7:F17`.

        A range runs over records in which the field is missing, never over one that is left out or is no record.
        """
        return tuple(span for name in names if (column := self.column(name)) for span in self._spans(column, records))

    def _spans(self, column: Column, records: Sequence[int]) -> list[str]:
        if column.cells is not None:
            return [cell for record in records if (cell := column.cells[record])]
        spans: list[str] = []
        start = last = None
        for record in records:
            if start is None or last is None or not self._adjoins(column, last, record):
                spans += [self._span(column, start, last)] if start is not None and last is not None else []
                start = record
            last = record
        return [*spans, self._span(column, start, last)] if start is not None and last is not None else spans

    def _adjoins(self, column: Column, last: int, record: int) -> bool:
        rows = self.table.records[record] - self.table.records[last]
        if rows != record - last:
            return False
        return all(value is None for value in column.values[last + 1 : record])

    def _span(self, column: Column, first: int, last: int) -> str:
        start = self.table.cell(column, first) or ""
        end = (self.table.cell(column, last) or "").rpartition("!")[2]
        return start if first == last else f"{start}:{end}"


def _decimal(value: object) -> Decimal | None:
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        exact = Decimal(repr(value))
    except InvalidOperation:
        return None
    return exact if exact.is_finite() else None


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


@dataclass(frozen=True, slots=True)
class Spec:
    """What a number is: its label, its unit, the decimals it is printed with, and for money its currency."""

    label: str
    unit: FigureUnit
    places: int = 0
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One measure over the records of a table, as stated or derived; missing is None.

    `fields` are where stated values come from. `derived` names, record by record, the fields that a computed value
    comes from, by `rule`. Records in `foreign` are in another currency than the spec's: printed, never summed.
    """

    key: str
    spec: Spec
    values: Sequence[Decimal | None]
    fields: tuple[str, ...]
    foreign: Mapping[int, str | None] = field(default_factory=dict[int, "str | None"])
    rule: str = ""
    derived: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])

    @property
    def label(self) -> str:
        """The measure's name in a sentence."""
        return self.spec.label

    @property
    def additive(self) -> bool:
        """Whether a sum of the values means anything."""
        return self.spec.unit in ("money", "sf", "acres", "units", "count")

    @property
    def records(self) -> list[int]:
        """The records that count: a value is there, in the series' own currency."""
        return [i for i, value in enumerate(self.values) if value is not None and i not in self.foreign]

    def currency_of(self, record: int) -> str | None:
        """The currency of the value in `record`."""
        return self.foreign.get(record, self.spec.currency)

    def fields_of(self, record: int) -> tuple[str, ...]:
        """The fields that the value in `record` comes from."""
        return self.derived.get(record, self.fields)


def series_of(view: DealView, key: str, label: str, unit: FigureUnit, candidates: Sequence[str]) -> Series | None:
    """The series of the candidate field that most records have; None when no record has any."""
    best = max(candidates, key=lambda name: sum(v is not None for v in view.numbers(name)))
    values = view.numbers(best)
    if not any(value is not None for value in values):
        return None
    currency, foreign = _currencies(view, best, values) if unit.startswith("money") else (None, {})
    return Series(key, Spec(label, unit, formats.places_of(best, unit), currency), values, (best,), foreign)


def _currencies(
    view: DealView, name: str, values: Sequence[Decimal | None]
) -> tuple[str | None, dict[int, str | None]]:
    """The currency that most values have, and the records in another."""
    column = view.column(name)
    if column is None or not column.currencies:
        return (None if column is None else column.currency), {}
    by_record = {i: column.currencies.get(i, column.currency) for i, value in enumerate(values) if value is not None}
    tally: dict[str | None, int] = {}
    for currency in by_record.values():
        tally[currency] = tally.get(currency, 0) + 1
    main = max(tally, key=lambda currency: (tally[currency], currency == column.currency))
    return main, {record: currency for record, currency in by_record.items() if currency != main}


def derived_series(
    key: str,
    spec: Spec,
    stated: Series | None,
    computed: Sequence[Decimal | None],
    parts: Sequence[Series],
    rule: str,
) -> Series | None:
    """`stated` where it has a value, else `computed` from `parts` by `rule`; None when there is neither anywhere.

    A computed value counts only where all its parts are in one currency; money takes the currency of what it is from.
    """
    own: list[Decimal | None] = list(stated.values) if stated else [None] * len(computed)
    derived: dict[int, tuple[str, ...]] = {}
    for record, value in enumerate(computed):
        if own[record] is None and value is not None and len(_currencies_at(parts, record)) < 2:
            own[record] = value
            derived[record] = tuple(name for part in parts for name in part.fields_of(record))
    if not any(value is not None for value in own):
        return None
    foreign: dict[int, str | None] = {}
    if spec.unit.startswith("money"):
        lead = next((s for s in (stated, *parts) if s and s.spec.currency), None)
        spec = replace(spec, currency=lead.spec.currency) if lead else spec
        unknown = {i for part in parts for i, of in part.foreign.items() if of is None}
        found = ((i, of) for i in derived for of in _currencies_at(parts, i) if of != spec.currency)
        foreign = {i: of for i, of in found if of is not None or i in unknown}
        foreign |= {i: of for i, of in stated.foreign.items() if i not in derived} if stated else {}
    return Series(key, spec, own, stated.fields if stated else (), foreign, rule, derived)


def _currencies_at(parts: Sequence[Series], record: int) -> set[str | None]:
    return {part.currency_of(record) for part in parts if part.spec.unit.startswith("money")}


def figure(
    identity: str,
    spec: Spec,
    value: Decimal | None,
    derivation: str,
    cells: Iterable[str],
    *,
    pinned: bool = False,
) -> Figure:
    """A figure whose text is the sentence form of its value."""
    update = {
        "id": identity, "label": spec.label, "value": value, "unit": spec.unit, "currency": spec.currency,
        "text": formats.spoken(value, spec.unit, spec.currency, spec.places), "derivation": derivation,
        "cells": tuple(dict.fromkeys(cells)), "pinned": pinned,
    }  # fmt: skip
    return _BLANK.revised(update)


_BLANK = Figure(id="blank", label="", value=None, unit="count", text="", derivation="", cells=())
"""What figures are made from."""


def value_figure(view: DealView, series: Series, record: int) -> Figure:
    """The figure of one record's value, stated or derived; a missing one says so, a corrected one says by whom."""
    names = series.fields_of(record)
    cells = [cell for name in names if (cell := view.cell(name, record))]
    rule = series.rule if record in series.derived else "as stated"
    if series.values[record] is None:
        rule = "not provided"
    note = correction(view, names, record)
    if note:
        rule = f"{rule}; {note}" if record in series.derived else note
    identity = f"{view.table.table_id}.{view.place(record)}.{series.key}"
    spec = replace(series.spec, label=f"{view.name(record)}, {series.label}", currency=series.currency_of(record))
    return figure(identity, spec, series.values[record], rule, cells, pinned=note is not None)


def correction(view: DealView, names: Iterable[str], record: int) -> str | None:
    """What a person changed of fields `names` in `record`, in one line as `pin_note` has it; None if nothing."""
    notes = [pin_note(view, pin) for name in names if (pin := view.pins.get((record, name)))]
    return "; ".join(dict.fromkeys(notes)) or None


def pin_note(view: DealView, pin: Pin) -> str:
    """`Deals!I17 read 87.3%; set to 77.3% by an analyst, 28 Nov 2026`: the values as the pinned field prints them."""
    column = view.column(pin.field)
    spec = _printed_as(column) if column else None
    was = "was empty" if pin.was is None else f"read {_as_printed(pin.was, _in_currency(spec, pin.was_currency))}"
    when = formats.day(date.fromisoformat(pin.decided_on[:10]))
    place = f"{printable(pin.cell, 60)} " if pin.cell else ""
    now = _as_printed(pin.value, _in_currency(spec, pin.currency))
    return f"{place}{was}; set to {now} by {printable(pin.by, 40)}, {when}"


def _printed_as(column: Column) -> Spec | None:
    """How a field's own values are printed; None for texts, dates and years, which stand as they are."""
    units: dict[str, FigureUnit] = {"money": "money", "fraction": "fraction", "number": "count", "count": "count"}
    unit = units.get(column.type)
    return Spec("", unit, formats.places_of(column.field or "", unit), column.currency) if unit else None


def _in_currency(spec: Spec | None, code: str | None) -> Spec | None:
    return replace(spec, currency=code) if spec is not None and code is not None else spec


def _as_printed(text: str, spec: Spec | None) -> str:
    """`text` of a pinned value in the field's own format, or as it is if it is no number."""
    if spec is None:
        return printable(text, 40)
    try:
        return formats.full(Decimal(text), spec.unit, spec.currency, spec.places)
    except InvalidOperation:
        return printable(text, 40)
