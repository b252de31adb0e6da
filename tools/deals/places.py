"""What places say: whether they lie in the United States, and the currency that is used there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_STATES = frozenset(
    """AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN
    TX UT VT VA WA WV WI WY DC PR""".split()
) | frozenset(
    name.upper()
    for name in """Alabama;Alaska;Arizona;Arkansas;California;Colorado;Connecticut;Delaware;Florida;Georgia;Hawaii;Idaho;Illinois;Indiana;
    Iowa;Kansas;Kentucky;Louisiana;Maine;Maryland;Massachusetts;Michigan;Minnesota;Mississippi;Missouri;Montana;Nebraska;Nevada;
    New Hampshire;New Jersey;New Mexico;New York;North Carolina;North Dakota;Ohio;Oklahoma;Oregon;Pennsylvania;Rhode Island;
    South Carolina;South Dakota;Tennessee;Texas;Utah;Vermont;Virginia;Washington;West Virginia;Wisconsin;Wyoming;
    District of Columbia""".replace("\n", "").split(";")
    for name in (name.strip(),)
)
_UK_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}", re.I)
_COUNTRY_CURRENCIES = {
    "usa": "USD", "us": "USD", "u.s.": "USD", "u.s.a.": "USD", "united states": "USD", "united states of america": "USD",
    "uk": "GBP", "united kingdom": "GBP", "england": "GBP", "scotland": "GBP", "wales": "GBP", "great britain": "GBP",
    "germany": "EUR", "deutschland": "EUR", "de": "EUR", "france": "EUR", "spain": "EUR", "italy": "EUR", "netherlands": "EUR",
    "ireland": "EUR", "austria": "EUR", "belgium": "EUR", "portugal": "EUR", "finland": "EUR", "canada": "CAD", "australia": "AUD",
    "japan": "JPY", "switzerland": "CHF", "sweden": "SEK", "norway": "NOK", "denmark": "DKK", "poland": "PLN",
}
_SHARE = 0.8


def in_united_states(states: Iterable[object]) -> bool:
    """Whether nearly all of a column's states are states of the United States."""
    held = {value.strip().upper() for value in set(states) if isinstance(value, str) and value.strip()}
    return bool(held) and sum(value in _STATES for value in held) >= _SHARE * len(held)


def currency_of_places(states: Iterable[object], countries: Sequence[object], postal_codes: Sequence[object]) -> str | None:
    """The ISO code of the one currency that is used where nearly all deals are; None where that is not plain."""
    if named := {value.strip().casefold() for value in countries if isinstance(value, str)}:
        found = {_COUNTRY_CURRENCIES.get(name) for name in named}
        return found.pop() if len(found) == 1 else None
    if in_united_states(states):
        return "USD"
    codes = {value.strip() for value in postal_codes if isinstance(value, str)}
    uk = sum(bool(_UK_POSTCODE.fullmatch(code)) for code in codes)
    return "GBP" if codes and uk >= _SHARE * len(codes) else None
