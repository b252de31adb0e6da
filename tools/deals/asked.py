"""Prices per size and cap rates that are asked, where the table gives those that were paid as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schemas.workbook import Candidate
from tools.deals.header_text import Header

_FIELDS = frozenset({"price_per_sf", "price_per_unit", "cap_rate"})
_ASKED = frozenset({"ask", "asking", "asked", "list", "listing", "listed", "guide", "guidance", "offering", "quoted"})
_LIKELY, _BEHIND = 0.6, 0.02


def prefer_paid(headers: Sequence[Header], weighed: Sequence[tuple[Candidate, ...]]) -> list[tuple[Candidate, ...]]:
    """The candidates; of columns for one field, those that were asked stand behind the others."""
    found = list(weighed)
    first = [candidates[0] if candidates else None for candidates in weighed]
    for field in _FIELDS:
        likely = [(at, c.score) for at, c in enumerate(first) if c and c.field == field and c.score >= _LIKELY]
        paid = [score for at, score in likely if not _ASKED & set(headers[at].tokens)]
        for at, score in likely if paid else ():
            if _ASKED & set(headers[at].tokens):
                behind = replace(weighed[at][0], score=round(min(score, max(paid) - _BEHIND), 3))
                found[at] = (behind, *weighed[at][1:])
    return found
