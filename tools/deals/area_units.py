"""The unit of areas that state none: that of the other cells of their column, or of prices and areas beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tools.deals.mapping import MappedColumn
from tools.deals.numbers import NumberText, read_number

AREA_FIELDS = frozenset({"building_sf", "leased_sf", "land_sf"})
_METRIC, _FEET = frozenset({"sqm", "per_sqm"}), frozenset({"sf", "per_sf"})
_FEET_SAID = re.compile(r"\b(?:sf|sq\.?\s?ft|psf|square f(?:ee|oo)t)\b", re.IGNORECASE)
_MOSTLY = 0.5
_MOST_TEXTS = 2_000


def unit_of_cells(values: Sequence[object]) -> str | None:
    """The one unit that a column's cells state, where half of them or the first do; None without or with several."""
    held = [value for value in values[:_MOST_TEXTS] if value is not None]
    units = units_stated(held)
    stated = Counter(units[value] for value in held if isinstance(value, str) and value in units)
    if len(stated) != 1:
        return None
    first = isinstance(held[0], str) and held[0] in units
    return next(iter(stated)) if first or stated.total() >= _MOSTLY * len(held) else None


def units_stated(values: Sequence[object]) -> dict[str, str]:
    """The units that a column's texts state, by those texts."""
    texts = {value for value in values[:_MOST_TEXTS] if isinstance(value, str)}
    read = {text: read_number(text, None) for text in texts}
    return {text: number.unit for text, number in read.items() if isinstance(number, NumberText) and number.unit}


def unit_of_table(mapped: Sequence[MappedColumn], about: Sequence[str]) -> str | None:
    """`sqm` where headers speak of prices by the square metre or of square metres, and nothing of square feet."""
    said = {unit for m in mapped for unit in (*m.header.units, m.profile.unit) if unit}
    feet = said & _FEET or any(_FEET_SAID.search(text) for text in about)
    return "sqm" if said & _METRIC and not feet else None
