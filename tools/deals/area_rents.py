"""Rents for each unit of area that are a month's: by what they come to over the area, or else what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from tools.deals.mapping import SETTLED, ColumnView, MappedColumn
from tools.deals.neighbours import is_share_of

MONTHLY = {"per_sf": "per_sf_monthly", "per_sqm": "per_sqm_monthly"}
"""The units of a month's rent by those of a year's."""
#: Rents of German leases are those of a month where nothing else is said.
_OF_A_MONTH = frozenset({"miete", "mieten", "kaltmiete", "nettokaltmiete", "nettomiete", "istmiete", "sollmiete"})
#: What is asked for a month is rarely more in the United States, and for a year rarely less: per SF, and per m².
_MOST_MONTHLY = {"per_sf": 4.0, "per_sqm": 40.0}
_AREAS = ("leased_sf", "building_sf")


def with_monthly_rents(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> list[MappedColumn]:
    """The mapped columns, a rent per area that is a month's by the rents beside it with a header that says so."""
    found = list(mapped)
    for at, m in enumerate(mapped):
        if m.field == "rent_psf" and not m.header.period and _period(columns, mapped, at) == "monthly":
            units = frozenset(MONTHLY.get(unit, unit) for unit in m.header.units or {"per_sf"})
            found[at] = replace(m, header=replace(m.header, units=units))
    return found


def doubtful_rent(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> tuple[MappedColumn, float] | None:
    """The rent per area that may be a month's, read as a year's, with one of its amounts; None where there is none."""
    for at, m in enumerate(mapped):
        units = m.header.units
        if m.field != "rent_psf" or m.header.period or m.confidence == SETTLED or units & set(MONTHLY.values()):
            continue
        rents = [v for v in columns[at].values if isinstance(v, (int, float)) and not isinstance(v, bool) and v > 0]
        most = _MOST_MONTHLY["per_sqm" if "per_sqm" in units else "per_sf"]
        doubtful = bool(rents) and (median(rents) < most or bool(_OF_A_MONTH & set(m.header.tokens)))
        if doubtful and _period(columns, mapped, at) is None:
            return m, rents[0]
    return None


def _period(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn], at: int) -> str | None:
    """Whose rent column `at` comes to over the area: a month's or a year's; None where no rents tell."""
    held: Mapping[str, Sequence[object]] = {m.field: columns[i].values for i, m in enumerate(mapped) if m.field}
    area = next((held[name] for name in _AREAS if name in held), None)
    if area is None:
        return None
    for name, months in (("rent_monthly", 1), ("rent_annual", 12)):
        rents = held.get(name, ())
        each = [value / months if isinstance(value, (int, float)) else None for value in rents]
        if each and is_share_of(columns[at].values, each, area):
            return "monthly"
        yearly = [None if value is None else 12 * value for value in each]
        if yearly and is_share_of(columns[at].values, yearly, area):
            return "annual"
    return None
