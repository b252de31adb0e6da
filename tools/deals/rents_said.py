"""What a title or a note says of rents: for each unit of an area or for all of it, and of a month or a year."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tools.deals.header_text import read_header, tokenize
from tools.deals.words import WORDS
from tools.workbook.words import as_seen

_LONGEST = 120
_RENTS = frozenset({"rent", "rents", "rental", "rentals", "rentroll", "miete", "mieten"})
#: An amount: "averaging $24.50/SF".
_AMOUNT = re.compile(r"\d(?:[\d.,]*\d)?\s*(?:/|per\b|p\.?s\.?[fm]\b)", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([^()]*)\)")
_WORDS = r"(?:(?:base|contract|current|gross|net|minimum|passing|in-place)\s+){0,2}"
_OF = re.compile(
    rf"\b(?:annual(?:i[sz]ed)?|yearly|monthly)\s+{_WORDS}rents?\b(?!\s*roll)"
    r"|\brents?\b(?!\s*roll)(?:\s+(?:is|are|all|shown|stated|given|in|usd|eur|gbp)\b|[\s:$€£,(/-])*"
    r"(?:annual|yearly|monthly|p\.?a\.?\b|pcm\b|/?\s*(?:yr|year|annum|mo|month)\b|(?:per|a)\s+(?:year|annum|month)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RentsSaid:
    """What is said of rents: `unit` is per_sf or per_sqm, None for a whole rent; `period` annual or monthly."""

    unit: str | None
    period: str | None


@lru_cache(maxsize=4096)
def rents_said(text: str) -> RentsSaid | None:
    """What a title or a note says of the rents about it; None where it says nothing of them."""
    plain = " ".join(as_seen(text).split())
    if len(plain) > _LONGEST or _AMOUNT.search(plain):
        return None
    header, words = read_header(plain), {*re.findall(r"[^\W\d_]+|[$€£]", plain.casefold()), *tokenize(plain)}
    units = header.units & {"per_sf", "per_sqm"}
    if len(units) == 1 and not words & WORDS.by_area and (words & _RENTS or words <= WORDS.in_rent_notes):
        return RentsSaid(next(iter(units)), header.period)
    said = _OF.search(plain)
    inside = _BRACKETED.findall(plain) if words & _RENTS else []
    spoken = [said[0]] if said else [part for part in inside if {*tokenize(part)} <= WORDS.in_rent_notes]
    periods = {period for part in spoken if (period := read_header(part).period)}
    return RentsSaid(None, periods.pop()) if len(periods) == 1 and not header.units else None
