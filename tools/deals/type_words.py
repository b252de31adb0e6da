"""Columns of types by their words: NNN is a type of lease, a renewal one of deals, and neither is one of properties."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from schemas.workbook import Candidate
from tools.deals.profile import sample
from tools.deals.words import WORDS
from tools.workbook.words import as_seen

_TYPES = frozenset({"property_type", "property_subtype"})
_MOSTLY, _FEWEST, _SURE = 0.75, 2, 0.86
_NOTHING: tuple[Candidate, ...] = ()


def settle_types(
    columns: Sequence[Sequence[object]], weighed: Sequence[tuple[Candidate, ...]]
) -> list[tuple[Candidate, ...]]:
    """The candidates; a column of types of leases or deals, by its values, holds no types of properties."""
    return [
        _settled(values, candidates) if _TYPES & {c.field for c in candidates} else candidates
        for values, candidates in zip(columns, weighed, strict=True)
    ]


def _settled(values: Sequence[object], candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    texts = [as_seen(value).strip().casefold() for value in sample(values) if isinstance(value, str)]
    leases = len(texts) >= _FEWEST and _mostly(texts, WORDS.lease_types)
    if not leases and not (len(texts) >= _FEWEST and _mostly(texts, WORDS.deal_types)):
        return candidates
    others = tuple(c for c in candidates if c.field not in _TYPES and c.field != "lease_type")
    held = (Candidate("lease_type", _SURE, "its values are types of leases"),) if leases else _NOTHING
    return tuple(sorted((*held, *others), key=lambda c: (-c.score, c.field)))


def _mostly(texts: Sequence[str], words: Collection[str]) -> bool:
    return sum(text in words for text in texts) >= _MOSTLY * len(texts)
