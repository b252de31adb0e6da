"""What places say: whether they lie in the United States, and the currency that is used there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tools.deals.words import WORDS

_UK_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}", re.IGNORECASE)
_SHARE = 0.8


def in_united_states(states: Iterable[object]) -> bool:
    """Whether nearly all of a column's states are states of the United States."""
    held = {value.strip().upper() for value in set(states) if isinstance(value, str) and value.strip()}
    return bool(held) and sum(value in WORDS.us_states for value in held) >= _SHARE * len(held)


def currency_of_places(
    states: Iterable[object], countries: Sequence[object], postal_codes: Sequence[object]
) -> str | None:
    """The ISO code of the one currency that is used where nearly all deals are; None where that is not plain."""
    if named := {value.strip().casefold() for value in countries if isinstance(value, str)}:
        found = {WORDS.country_currencies.get(name) for name in named}
        return found.pop() if len(found) == 1 else None
    if in_united_states(states):
        return "USD"
    codes = {value.strip() for value in postal_codes if isinstance(value, str)}
    uk = sum(bool(_UK_POSTCODE.fullmatch(code)) for code in codes)
    return "GBP" if codes and uk >= _SHARE * len(codes) else None
