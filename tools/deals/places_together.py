"""Columns that hold a city with its state: each a column of cities and one of states, over the same cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.deals.mapping import SETTLED, ColumnView, MappedColumn
from tools.deals.profile import profile
from tools.deals.words import WORDS

_TOGETHER = re.compile(r"\s*([^,\d]{2,40}?)\s*,\s*([A-Za-z][A-Za-z. ]*?)\.?(?:,?\s+(\d{5}(?:-\d{4})?))?\s*")
_FROM = frozenset({"city", "market"})
_FEWEST = 2
Columns = tuple[list[ColumnView], list[MappedColumn]]


def with_states(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> Columns:
    """The columns; one of "City, ST" in every cell becomes two or, where ZIP codes follow, three.

    It does so only where no other column holds what its parts would be, and where its states are states.
    """
    views, fields = list(columns), list(mapped)
    taken = {m.field for m in mapped}
    for at, (view, m) in enumerate(zip(columns, mapped, strict=True)):
        of_market = m.field == "market" and ("city" in taken or m.confidence == SETTLED)
        if m.field not in _FROM or "state" in taken or of_market:
            continue
        parts = _parts(view)
        if parts is None:
            continue
        names = ["city", "state"] + (["postal_code"] if "postal_code" not in taken and any(parts[2]) else [])
        split = [replace(view, values=values, raws=view.values, types=None) for values in parts[: len(names)]]
        views[at : at + 1] = split
        fields[at : at + 1] = [
            replace(m, field=name, profile=profile(one.values)) for name, one in zip(names, split, strict=True)
        ]
        break
    return views, fields


def _parts(view: ColumnView) -> tuple[list[str | None], list[str | None], list[str | None]] | None:
    """The cities, states and ZIP codes of a column; None where any cell that is filled is no "City, ST"."""
    found: list[tuple[str | None, str | None, str | None]] = []
    for value in view.values:
        match = _TOGETHER.fullmatch(value) if isinstance(value, str) else None
        if value is not None and (match is None or match[2].replace(".", "").upper() not in WORDS.us_states):
            return None
        found.append((match[1], match[2].replace(".", ""), match[3]) if match else (None, None, None))
    if sum(city is not None for city, _, _ in found) < min(_FEWEST, len(found)):
        return None
    return [city for city, _, _ in found], [state for _, state, _ in found], [code for _, _, code in found]
