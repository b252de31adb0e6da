"""Columns that give the same figure for several years: the newest year that is no estimate stands for the deal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.workbook import Candidate
from tools.deals.header_text import Header

_YEAR = re.compile(r"(?:fy|cy)?((?:19|20)\d{2})(a|e|f|p|b|est|proj)?|(?:fy|cy)(\d{2})(a|e|f|p|b)?")
_ESTIMATES = frozenset(
    {"estimated", "budget", "budgeted", "projected", "forecast", "forecasted", "proforma", "projection"}
)
_BESIDE = _ESTIMATES | {"actual", "fy", "cy", "year", "fiscal", "calendar"}
_CENTURY = 2000
Figure = tuple[tuple[str, ...], int, bool]
"""What a header names without its year, the year, and whether that is one of estimates."""


def figure_of(header: Header) -> Figure | None:
    """The figure and year that a header names; None for one of no year, or of several."""
    found = [match for token in header.tokens if (match := _YEAR.fullmatch(token))]
    if len(found) != 1:
        return None
    match = found[0]
    name = tuple(token for token in header.tokens if token != match[0] and token not in _BESIDE)
    mark = match[2] or match[4] or ""
    estimated = mark not in ("", "a") or bool(_ESTIMATES & set(header.tokens))
    return (name, int(match[1] or _CENTURY + int(match[3])), estimated) if name else None


def prefer_newest(headers: Sequence[Header], weighed: Sequence[tuple[Candidate, ...]]) -> list[tuple[Candidate, ...]]:
    """The candidates; of columns that give one figure for several years, only one keeps its field.

    It is that of the newest year that is none of estimates, else that of the first.
    """
    found = list(weighed)
    by_figure: dict[tuple[str, ...], list[tuple[bool, int, int]]] = {}
    for at, header in enumerate(headers):
        figure = figure_of(header)
        if figure and weighed[at]:
            by_figure.setdefault(figure[0], []).append((not figure[2], -figure[1] if figure[2] else figure[1], at))
    for years in by_figure.values():
        newest = max(years)[2]
        for _, _, at in years:
            if at != newest:
                fields = {c.field for c in weighed[newest]}
                found[at] = tuple(c for c in weighed[at] if c.field not in fields)
    return found
