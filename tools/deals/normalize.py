"""Values of one column in full units; what cannot be told stays as its cell holds it, with a finding."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tools.deals.date_values import date_values
from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.formats import Formats, divided_by
from tools.deals.full_amounts import written_in_full
from tools.deals.header_match import CONVERSIONS, VALUE_CONVERSIONS
from tools.deals.header_text import Header
from tools.deals.numbers import NotNumber, NumberText, clean_float, decimal_comma_in, read_number, whole
from tools.deals.percent import check_certain, fits, hundredth, resolve_bare, shows_percent
from tools.deals.profile import TWO_YEARS
from tools.deals.scale import THOUSAND, Scale
from tools.deals.text_values import text_values
from tools.workbook.grid import CellError
from tools.workbook.words import as_seen

Formatting = Callable[[], Formats | None]
_SIZES = frozenset({"sf", "units"})
_NUMBERS = frozenset({float, int, type(None)})
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_PLAIN_DECIMAL = re.compile(r"-?\d+(?:\.(?:\d{1,2}|\d{4,}))?")
_SPAN = re.compile(r"\d\s*[-–]")
_YEAR_IN_TEXT = re.compile(r"(?:c(?:irc)?a?\.?\s*)?((?:1[5-9]|20)\d{2})s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ColumnContext:
    """What stands around values: their header, the scale over their table, how it writes numbers and dates.

    `formats` gives the number formats when it is called, None where there are none; `size_scale` is that of a note on
    sizes; `united_states` says that postal codes are ZIP codes; `kinds` are the types of the values where known.
    """

    header: Header
    formats: Formatting = lambda: None
    note_scale: Scale | None = None
    size_scale: Scale | None = None
    decimal_comma: bool | None = None
    day_first: bool | None = None
    epoch_1904: bool = False
    united_states: bool = False
    kinds: frozenset[type] | None = None


@dataclass(slots=True)
class Normal:
    """A column's values in full units, one a record, with what was found on the way; `scale` is what was applied."""

    values: Sequence[Any]
    findings: list[Finding] = field(default_factory=list[Finding])
    currencies: dict[int, str] = field(default_factory=dict[int, str])
    scale: Scale | None = None


def normalize(spec: FieldSpec, raws: Sequence[object], context: ColumnContext) -> Normal:
    """The values of `raws` as field `spec`; None where missing or not certain."""
    kinds = frozenset(map(type, raws)) if context.kinds is None else context.kinds
    if spec.type == "text":
        return Normal(*text_values(spec, raws, kinds, context.formats, context.header, context.united_states))
    if spec.type == "date":
        days, said = date_values(raws, kinds, context.day_first, context.epoch_1904, context.decimal_comma is True)
        last = spec.high
        late = [] if last is None else [r for r, day in enumerate(days) if day is not None and day.year > last]
        return Normal(days, said + [Finding("date.implausible", r, str(days[r])) for r in late])
    reader = _Reader(spec, context, raws, kinds)
    if spec.type == "fraction":
        return reader.fractions()
    if spec.type == "year":
        return reader.years()
    return reader.amounts()


class _Reader:
    """Reads one column of numbers; each distinct text is read once."""

    def __init__(self, spec: FieldSpec, context: ColumnContext, raws: Sequence[object], kinds: frozenset[type]) -> None:
        self.spec, self.context, self.raws, self.kinds = spec, context, raws, kinds
        texts = [raw for raw in raws if isinstance(raw, str)] if str in self.kinds else []
        said = decimal_comma_in(dict.fromkeys(texts)) if texts else None
        self.comma = context.decimal_comma if said is None else said
        self.findings: list[Finding] = []
        self.currencies: dict[int, str] = {}
        self._seen: dict[str, NumberText | NotNumber] = {}
        self.scale = self._scale()
        self.shown = self._shown_scaled()
        self.in_full: frozenset[str] = frozenset()
        self.convert = next(
            (
                factor
                for (unit, own), factor in CONVERSIONS.items()
                if own == spec.unit and unit in context.header.units
            ),
            1.0,
        )

    def _scale(self) -> Scale | None:
        """The header's own scale, else that of its band or a note, which do not reach prices per SF or per unit.

        Sizes have the scale that their own header or a note on sizes says, which is never one of money.
        """
        if self.spec.unit in _SIZES:
            said = self.context.header.scale or self.context.size_scale
            return said if said and said.factor == THOUSAND and not self.context.header.currency else None
        if self.spec.type != "money":
            return None
        around = self.context.header.band_scale or self.context.note_scale
        own = self.context.header.scale
        if own is not None and own.text.casefold() == "(m)" and "rent" in self.context.header.tokens:
            own = None
        return own or (around if self.spec.additive else None)

    def _shown_scaled(self) -> Bools | None:
        """Which records a number format shows in the scale that the header states: their numbers are full amounts."""
        formats = self.context.formats() if self.scale and self.kinds & {int, float} else None
        if self.scale is None or formats is None:
            return None
        factor = self.scale.factor
        numbers = np.array([isinstance(raw, (int, float)) for raw in self.raws], dtype=bool)
        shown = formats.mask(lambda code: divided_by(code) == factor) & numbers
        if not shown.any():
            return None
        for record in np.flatnonzero(shown).tolist():
            self.note("scale.shown", record)
        if shown[numbers].all() and str not in self.kinds:
            self.scale = None
        return shown

    @property
    def factor(self) -> float:
        """What bare numbers are multiplied by."""
        return (self.scale.factor if self.scale else 1) * self.convert

    def note(self, code: str, record: int, expected: object = None) -> None:
        """Keeps a finding about a record."""
        self.findings.append(Finding(code, record, self.raws[record], expected))

    def amounts(self) -> Normal:
        """Money, sizes, counts and ratios."""
        array = None
        if self.kinds <= _NUMBERS:
            array = self._all_numbers()
            values = self._whole_where_whole(array)
        else:
            if self.scale and str in self.kinds:
                self.in_full = written_in_full(self.raws, self.scale.factor, self.comma)
            values = [None if raw is None else self._amount(record, raw) for record, raw in enumerate(self.raws)]
        if self.convert != 1.0:
            self._note_conversion(values)
        self._check_range(values, np.array(values, dtype=float) if array is None else array)
        return Normal(values, self.findings, self.currencies, self.scale)

    def _all_numbers(self) -> Floats:
        """The fast path: a column of numbers alone, scaled at once."""
        array = np.array(self.raws, dtype=float)
        if self.factor != 1:
            with np.errstate(over="ignore"):
                factors = self.factor if self.shown is None else np.where(self.shown, self.convert, self.factor)
                array = np.round(array * factors, 6 if self.factor > 1 else 9)
            for record in np.flatnonzero(np.isinf(array)).tolist():
                self.note("value.unparsed", record)
                array[record] = np.nan
        return array

    def _whole_where_whole(self, array: Floats) -> list[Any]:
        """The numbers of an array, those that are whole as whole numbers, None for NaN."""
        held = ~np.isnan(array)
        is_whole = held & (array == np.floor(array)) & (np.abs(array) < 2**53)
        if self.spec.type == "count":
            for record in np.flatnonzero(held & ~is_whole):
                self.note("value.not_whole", int(record))
        values: list[Any] = array.tolist()
        if is_whole.all():
            return array.astype(np.int64).tolist()
        for record, value in zip(
            np.flatnonzero(is_whole).tolist(), array[is_whole].astype(np.int64).tolist(), strict=True
        ):
            values[record] = value
        for record in np.flatnonzero(~held).tolist():
            values[record] = None
        return values

    def _amount(self, record: int, raw: object) -> float | int | None:
        number = self._number(record, raw)
        if number is None:
            return None
        if number.percent:
            self.note("value.unit", record)
            return None
        factor = self._unit_factor(record, number)
        if factor is None:
            return None
        if number.currency:
            self.currencies[record] = number.currency
        full = isinstance(raw, str) and raw in self.in_full and not number.scaled
        if full:
            self.note("scale.full", record)
        full = full or (self.shown is not None and bool(self.shown[record]))
        scaled = number.value * (factor if number.scaled else factor * (self.convert if full else self.factor))
        if math.isinf(scaled):
            self.note("value.unparsed", record)
            return None
        value = whole(clean_float(scaled))
        if self.spec.type == "count" and isinstance(value, float):
            self.note("value.not_whole", record)
        return value

    def _unit_factor(self, record: int, number: NumberText) -> float | None:
        """What a value with a unit of its own is multiplied by; None where that unit is not the field's."""
        unit = number.unit
        if unit is None or unit in (self.spec.unit, self.spec.period):
            return 1.0
        factor = VALUE_CONVERSIONS.get(
            (unit, self.spec.unit or ""), VALUE_CONVERSIONS.get((unit, self.spec.period or ""))
        )
        if factor is not None:
            self.note("value.converted", record)
            return factor / self.convert
        self.note("value.unit", record)
        return None

    def _number(self, record: int, raw: object) -> NumberText | None:
        """The number in a cell, or None with a finding that says why there is none."""
        if isinstance(raw, bool):
            self.note("value.boolean", record)
        elif isinstance(raw, (int, float)):
            return NumberText(float(raw))
        elif isinstance(raw, CellError):
            self.findings.append(Finding("value.error", record, raw.code))
        elif isinstance(raw, str):
            return self._read(record, raw)
        else:
            self.note("value.unparsed", record)
        return None

    def _read(self, record: int, text: str) -> NumberText | None:
        if _PLAIN_DECIMAL.fullmatch(text):
            return NumberText(float(text))
        found = self._seen.get(text)
        if found is None:
            found = self._seen[text] = self._settle(read_number(text, self.comma))
        if isinstance(found, NotNumber):
            self.note(f"value.{found.why}", record)
            return None
        if found.other is not None:
            self.note("number.ambiguous", record)
            return None
        if found.approximate:
            self.note("value.approximate", record)
        if found.scaled:
            self.note("value.magnitude", record)
        if found.beside:
            self.note("value.qualified", record)
        return found

    def _settle(self, found: NumberText | NotNumber) -> NumberText | NotNumber:
        """Of two readings, the one that the field's range, or the common way of writing thousands, leaves."""
        if isinstance(found, NotNumber) or found.other is None:
            return found
        factor = 0.01 if self.spec.type == "fraction" else self.factor
        likely = [v for v in (found.value, found.other) if self.spec.plausible(abs(v) * factor)]
        if len(likely) == 1:
            return replace(found, value=likely[0], other=None)
        grouped = abs(found.value) > abs(found.other)
        if grouped and self.comma is not True:
            return replace(found, other=None)
        return found

    def _check_range(self, values: Sequence[Any], array: Floats) -> None:
        """Notes values outside the field's range, and a scale that makes all of them so; `array` holds the same."""
        array = np.abs(array) if self.spec.type == "money" and self.spec.negative else array
        with np.errstate(invalid="ignore"):
            low = array < self.spec.low if self.spec.low is not None else np.zeros(len(array), bool)
            high = array > self.spec.high if self.spec.high is not None else np.zeros(len(array), bool)
        scaled = self.factor > 1 and self.scale is not None
        for record in np.flatnonzero(low | high).tolist():
            if values[record] == 0:
                self.note("value.zero", record)
                continue
            unscaled = scaled and bool(high[record]) and self.spec.plausible(values[record] / self.factor)
            self.note("scale.conflict" if unscaled else "value.implausible", record)
        if self.spec.type in ("count", "number") and (self.spec.low or 0) > 0:
            for record in np.flatnonzero(array == 0).tolist():
                cast("list[Any]", values)[record] = None

    def _note_conversion(self, values: Sequence[object]) -> None:
        held = [record for record, value in enumerate(values) if value is not None]
        unit = ", ".join(sorted(self.context.header.units))
        self.findings.extend(Finding("value.converted", record, unit) for record in held[:1])

    def fractions(self) -> Normal:
        """Percentages as fractions."""
        formats = self.context.formats() if self.kinds & {float, int} else None
        shown = formats.mask(shows_percent) if formats else np.zeros(len(self.raws), bool)
        if self.kinds <= _NUMBERS:
            numbers = np.array(self.raws, dtype=float)
            values = np.where(shown, numbers, np.nan)
        else:
            numbers, values = self._mixed_fractions(shown)
        certain = ~np.isnan(values)
        plausible = fits(self.spec, values) & (values != 0)
        for record in np.flatnonzero(certain & ~plausible).tolist():
            self.findings += check_certain(self.spec, record, float(values[record]), self.raws[record])
        sure = any(not isinstance(self.raws[record], str) for record in np.flatnonzero(plausible).tolist())
        bare = np.where(np.isnan(values), numbers, np.nan)
        resolved, findings = resolve_bare(self.spec, bare, sure)
        merged = np.where(np.isnan(values), resolved, values)
        self.findings += [Finding(f.code, f.record, self.raws[f.record], f.expected) for f in findings]
        return Normal(_with_none(merged), self.findings)

    def _mixed_fractions(self, shown: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Bare numbers, and fractions that are certain; both NaN where there is none."""
        numbers, values = np.full(len(self.raws), np.nan), np.full(len(self.raws), np.nan)
        for record, raw in enumerate(self.raws):
            number = None if raw is None else self._number(record, raw)
            if number is None:
                continue
            if number.unit is not None and number.unit != "bps":
                self.note("value.unit", record)
            elif number.percent or number.unit == "bps":
                values[record] = hundredth(number.value) if number.percent else clean_float(number.value / 10_000)
            elif shown[record] and not isinstance(raw, str):
                values[record] = number.value
            else:
                numbers[record] = number.value
        return numbers, values

    def years(self) -> Normal:
        """Years as whole numbers; zero stands for unknown."""
        if self.kinds <= _NUMBERS:
            array = np.array(self.raws, dtype=float)
            low, high = self.spec.low or 0, self.spec.high or 9999
            if not ((array != np.floor(array)) | (array < low) | (array > high)).any():
                return Normal(_whole_or_none(array), self.findings)
        return Normal(
            [None if raw is None else self._year(record, raw) for record, raw in enumerate(self.raws)], self.findings
        )

    def _two_years(self, text: str) -> re.Match[str] | None:
        """When it was built and renovated, in one cell; a dash is that of a span, unless the header speaks of both."""
        both = "renovated" in self.context.header.tokens
        return TWO_YEARS.fullmatch(text) if both or not _SPAN.search(text) else None

    def _year(self, record: int, raw: object) -> int | None:
        if isinstance(raw, dt.date):
            return raw.year
        if isinstance(raw, str) and (two := self._two_years(raw)):
            self.note("value.qualified", record)
            return int(two[2 if self.spec.name == "year_renovated" else 1])
        if isinstance(raw, str) and (match := _YEAR_IN_TEXT.fullmatch(as_seen(raw).strip())):
            if not as_seen(raw).strip().isdigit():
                self.note("value.approximate", record)
            return int(match[1])
        number = self._number(record, raw)
        if number is None:
            return None
        if number.value == 0:
            self.note("value.zero", record)
            return None
        if number.value != int(number.value) or not self.spec.plausible(number.value):
            self.note("value.implausible", record)
            return None
        return int(number.value)


def _whole_or_none(array: Floats) -> list[Any]:
    """The whole numbers of an array, None for NaN."""
    missing = np.isnan(array)
    values: list[Any] = np.where(missing, 0, array).astype(np.int64).tolist()
    for record in np.flatnonzero(missing).tolist():
        values[record] = None
    return values


def _with_none(array: Floats) -> list[Any]:
    """The numbers of an array, None for NaN."""
    values: list[Any] = array.tolist()
    for record in np.flatnonzero(np.isnan(array)).tolist():
        values[record] = None
    return values
