"""Columns that only tell a property's buildings apart: their numbers, letters and ranges, which name no deal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.deals.header_match import spell
from tools.deals.header_text import Header
from tools.deals.profile import sample
from tools.workbook.words import as_seen

_WORDS = frozenset({"building", "buildings", "bldg", "bldgs", "no", "number", "#"})
_MARKED_SHARE = 0.7
_ONE = r"(?:[A-Z]{1,2}[-\s]?)?\d{1,3}[A-Z]?|[A-Z]"
_MARK = re.compile(
    rf"(?:(?:bldgs?|buildings?)\b\.?\s*|#\s*)*(?:{_ONE})(?:\s*(?:[-–—&,/+]|\bto\b|\band\b)\s*(?:{_ONE}))*",
    re.IGNORECASE,
)


def marks_buildings(header: Header, values: Sequence[object]) -> bool:
    """Whether a column called building and no more holds marks such as 3, A, B-2, 1–4, Bldg 12 in most cells."""
    tokens = {part for token in header.tokens for part in spell(token)}
    if not tokens or not tokens <= _WORDS:
        return False
    held = [str(int(v)) if isinstance(v, float) and v.is_integer() else str(v) for v in sample(values)]
    marked = sum(_MARK.fullmatch(as_seen(text).strip()) is not None for text in held)
    return bool(held) and marked >= _MARKED_SHARE * len(held)
