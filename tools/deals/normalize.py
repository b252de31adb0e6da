"""Values of one column in full units; what cannot be told stays as its cell holds it, with a finding."""

from __future__ import annotations

from collections.abc import Sequence

from tools.deals.amount_column import AmountColumn
from tools.deals.column_context import ColumnContext, Normal
from tools.deals.date_values import date_values
from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.fraction_column import FractionColumn
from tools.deals.text_values import text_values
from tools.deals.year_column import YearColumn


def normalize(spec: FieldSpec, raws: Sequence[object], context: ColumnContext) -> Normal:
    """The values of `raws` as field `spec`; None where missing or not certain."""
    kinds = frozenset(map(type, raws)) if context.kinds is None else context.kinds
    if spec.type == "text":
        return Normal(*text_values(spec, raws, kinds, context.formats, context.header, context.united_states))
    if spec.type == "date":
        likely = context.decimal_comma is True or context.likely_day_first
        days, said = date_values(raws, kinds, context.day_first, context.epoch_1904, likely)
        last = spec.high
        late = [] if last is None else [r for r, day in enumerate(days) if day is not None and day.year > last]
        return Normal(days, said + [Finding("date.implausible", r, str(days[r])) for r in late])
    if spec.type == "fraction":
        return FractionColumn(spec, context, raws, kinds).fractions()
    if spec.type == "year":
        return YearColumn(spec, context, raws, kinds).years()
    return AmountColumn(spec, context, raws, kinds).amounts()
