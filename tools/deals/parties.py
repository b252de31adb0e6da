"""Tables whose rows are parties with what they did in all: a client with its number of deals is no deal."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.workbook import Candidate
from tools.deals.dictionary import dictionary
from tools.deals.header_text import Header
from tools.deals.profile import Profile

_PARTIES = frozenset({"buyer", "seller", "broker", "lender"})
_FEWEST_ROWS, _DISTINCT, _SEVERAL = 3, 0.9, 0.2


def deal_count_column(headers: Sequence[Header], profiles: Sequence[Profile]) -> int | None:
    """The index of the column that counts the deals of each row, None where there is none."""
    known = dictionary()
    for at, (header, seen) in enumerate(zip(headers, profiles, strict=True)):
        words = set(header.tokens) - known.neutral
        if words and words <= known.deal_counts | {"number", "count"} and words & known.deal_counts:
            whole = all(v == int(v) and v >= 0 for v in seen.numbers)
            several = sum(v > 1 for v in seen.numbers) >= _SEVERAL * seen.count
            if seen.count >= _FEWEST_ROWS and seen.numeric >= 0.9 and whole and several:
                return at
    return None


def name_parties(
    headers: Sequence[Header], profiles: Sequence[Profile], weighed: Sequence[tuple[Candidate, ...]]
) -> list[tuple[Candidate, ...]]:
    """The candidates; where rows count deals, the likeliest column of distinct parties names its row, as no buyer."""
    found = list(weighed)
    if deal_count_column(headers, profiles) is None or _names_deals(found):
        return found
    parties = [
        (candidates[0].score, -at)
        for at, candidates in enumerate(found)
        if candidates and candidates[0].field in _PARTIES and profiles[at].distinct >= _DISTINCT
    ]
    if parties:
        score, at = max(parties)
        field = found[-at][0].field
        found = [tuple(c for c in candidates if c.field != field) for candidates in found]
        found[-at] = (Candidate("deal_name", score, f"the {field} that each row counts deals of"),)
    return found


def _names_deals(weighed: Sequence[tuple[Candidate, ...]]) -> bool:
    return any(c.field == "deal_name" and c.score >= 0.7 for candidates in weighed for c in candidates[:1])
