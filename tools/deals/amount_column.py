"""A column of money, sizes, counts or ratios in full units of its field."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from tools.deals.area_units import AREA_FIELDS, unit_of_cells, units_stated
from tools.deals.column_context import ColumnContext, Normal
from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.formats import divided_by
from tools.deals.full_amounts import written_in_full
from tools.deals.header_match import CONVERSIONS, VALUE_CONVERSIONS
from tools.deals.number_column import NUMBERS, Bools, Floats, NumberColumn
from tools.deals.numbers import NumberText, clean_float, whole
from tools.deals.scale import THOUSAND, Scale

_SIZES = frozenset({"sf", "units"})


class AmountColumn(NumberColumn):
    """A column of money, sizes, counts or ratios."""

    def __init__(self, spec: FieldSpec, context: ColumnContext, raws: Sequence[object], kinds: frozenset[type]) -> None:
        super().__init__(spec, context, raws, kinds)
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

        self.bare_unit = self._bare_unit()
        self.other_unit = self._other_unit()

    def _other_unit(self) -> str | None:
        """A unit that a few areas state and that is not the one of those without, where their header states none."""
        if self.spec.name not in AREA_FIELDS or self.context.header.units or str not in self.kinds:
            return None
        own = self.bare_unit or self.spec.unit
        return next((unit for unit in sorted({*units_stated(self.raws).values()}) if unit != own), None)

    def _bare_unit(self) -> str | None:
        """The unit of areas that state none where their header does neither; None for the field's own."""
        if self.spec.name not in AREA_FIELDS or self.context.header.units:
            return None
        unit = (unit_of_cells(self.raws) if str in self.kinds else None) or self.context.area_unit
        return unit if (unit, self.spec.unit) in CONVERSIONS else None

    def _scale(self) -> Scale | None:
        """The header's own scale, else that of its band or a note, which do not reach prices per SF or per unit.

        Sizes have the scale that their own header or a note on sizes says, which is never one of money.
        """
        if self.spec.unit in _SIZES:
            said = self.context.header.scale or self.context.size_scale
            lengths = said is not None and said.factor != THOUSAND and (said.text == "(m)" or self.spec.unit == "units")
            return None if lengths or self.context.header.currency else said
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

    def amounts(self) -> Normal:
        """Money, sizes, counts and ratios."""
        array = None
        if self.kinds <= NUMBERS and self.bare_unit is None:
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
        number = self.number(record, raw)
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
        scaled = number.value * factor * (self.convert if full or number.scaled else self.factor)
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
        if unit is None and self.bare_unit is not None:
            self.note("unit.taken", record, self.bare_unit)
            return CONVERSIONS[self.bare_unit, self.spec.unit or ""]
        if unit is None and self.other_unit is not None:
            self.note("unit.mixed", record, self.other_unit)
        if unit is None or unit in (self.spec.unit, self.spec.period):
            return 1 / self.convert if unit is not None and unit == self.spec.unit else 1.0
        factor = VALUE_CONVERSIONS.get(
            (unit, self.spec.unit or ""), VALUE_CONVERSIONS.get((unit, self.spec.period or ""))
        )
        if factor is not None:
            self.note("value.converted", record)
            return factor / self.convert
        self.note("value.unit", record)
        return None

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
