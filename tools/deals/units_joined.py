"""Amounts with the unit, period or magnitude that stands beside them or that their number format shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tools.deals.header_text import read_header
from tools.deals.mapping import ColumnView
from tools.deals.scale import Scale
from tools.deals.sign_kinds import AREAS, PERIODS, TERMS, factor_of, said_by

#: Units that a whole column may have as if its header said so.
_OF_COLUMNS = AREAS | TERMS | {"per_sf", "per_sqm"}


def with_units(amounts: ColumnView, texts: Mapping[int, str], kind: str) -> ColumnView:
    """The amounts with the `texts` behind them, by record: one for all is the column's, else each is its value's."""
    held = [record for record, value in enumerate(amounts.values) if value is not None]
    said = {texts.get(record, "").casefold() for record in held}
    if kind != "ending" and len(said) == 1 and "" not in said:
        whole = _of_column(amounts, texts[held[0]])
        if whole is not None:
            return whole
    values = list(_joined(amounts.values, texts))
    return replace(amounts, values=values, raws=amounts.values if amounts.raws is None else amounts.raws, types=None)


def _of_column(amounts: ColumnView, text: str) -> ColumnView | None:
    """The amounts with a unit or scale that all of them have; None where each value must say it."""
    if factor := factor_of(text):
        return replace(amounts, scale=Scale(factor, text))
    number = said_by(text)
    if number is None or number.percent or number.currency:
        return None
    if number.unit in _OF_COLUMNS:
        return replace(amounts, unit=number.unit)
    rent = "rent" in read_header(amounts.header).tokens and not read_header(amounts.header).units
    return replace(amounts, period=number.unit) if number.unit in PERIODS and rent else None


def _joined(values: Sequence[object], texts: Mapping[int, str]) -> Iterator[object]:
    """The amounts, each with the text behind it."""
    for record, value in enumerate(values):
        behind = texts.get(record)
        shown = f"{value:.15g}" if isinstance(value, (int, float)) else value
        if behind is None or not isinstance(shown, str):
            yield value
        else:
            yield shown + behind if behind[0] in ")%" else f"{shown} {behind}"
