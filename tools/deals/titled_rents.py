"""Rents whose header says neither their period nor that they are for each unit of area, where a title says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from tools.deals.area_rents import MONTHLY
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import ColumnView
from tools.deals.rents_said import RentsSaid, rents_said
from tools.workbook.detect import DetectedTable

_WHOLE = frozenset({"rent_monthly", "rent_annual"})
_PER_AREA = frozenset({"per_sf", "per_sqm"})
_LIKELY = 0.42
#: No more is asked for the unit of an area: larger amounts are whole rents, whatever a title says.
_MOST = {"per_sf": 300.0, "per_sqm": 3_000.0}
_LEAST_A_YEAR = 1.0
"""Less than a dollar for the square foot is no year's rent, though a title speaks of years."""


def with_titled_rents(columns: Sequence[ColumnView], table: DetectedTable) -> list[ColumnView]:
    """The columns, those of rents as the nearest title says them: "Rent roll (rents $/SF/yr)", "Annual rents".

    Amounts too large for the unit of an area, or too small for a year, are left as their header says.
    """
    said = next((one for text, _ in reversed(table.note_lines) if (one := rents_said(text))), None)
    if said is None or table.kind == "key_value":
        return list(columns)
    headers = [read_header(view.header) for view in columns]
    if said.unit and any(header.units & _PER_AREA and "rent" in header.tokens for header in headers):
        return list(columns)
    areas = next(
        (v.values for v, h in zip(columns, headers, strict=True) if "sf" in h.tokens or "area" in h.tokens), ()
    )
    return [_as_said(view, said, areas) if _is_plain_rent(view) else view for view in columns]


def _is_plain_rent(view: ColumnView) -> bool:
    """Whether a header speaks for a rent, and neither it nor what stands beside its values for a period or a unit."""
    header = read_header(view.header)
    if view.unit or view.period or view.apart or header.units or header.period or header.percent:
        return False
    scores = header_scores(header, frozenset())
    best = max(scores, key=lambda name: scores[name], default=None)
    return best in _WHOLE and scores[best] >= _LIKELY


def _as_said(view: ColumnView, said: RentsSaid, areas: Sequence[object]) -> ColumnView:
    rents = _numbers(view.values)
    if not rents:
        return view
    if said.unit is None:
        sizes = _numbers(areas)
        small = bool(sizes) and median(rents) < _LEAST_A_YEAR * median(sizes)
        return view if said.period == "annual" and small else replace(view, period=said.period)
    if median(rents) > _MOST[said.unit]:
        return view
    unit = MONTHLY[said.unit] if said.period == "monthly" else said.unit
    return replace(view, unit=unit, period="rent per sf annual" if said.period == "annual" else "rent per sf")


def _numbers(values: Sequence[object]) -> list[float]:
    return [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool) and v > 0]
