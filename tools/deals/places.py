"""Where deals are, and in which currency: by their places, or by a column that names it for each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tools.deals.currency_signs import currency_in, currency_of_sign
from tools.deals.words import WORDS

_UK_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}", re.IGNORECASE)
_CANADIAN_POSTCODE = re.compile(r"[A-Z]\d[A-Z] ?\d[A-Z]\d", re.IGNORECASE)
#: States of Australia, and territories of two countries, that are called like others elsewhere.
_CALLED_ALIKE = frozenset({"WA", "SA", "NT"})
#: Where dates are written with the month or the year first, or either way.
_NOT_DAY_FIRST = frozenset({"USD", "CAD", "PHP", "JPY", "CNY", "KRW", "TWD", "HUF", "SEK"})
_SHARE, _MOSTLY, _MOST_CODES = 0.8, 0.6, 500
#: What a column that names currencies is called.
CURRENCY_WORDS = frozenset(
    {"currency", "ccy", "curr", "crncy", "iso", "wahrung", "devise", "monnaie", "moneda", "divisa", "valuta"}
)
_MOST_WORDS = 2
_DOLLAR_COUNTRIES = tuple(
    (name, code)
    for name, code in WORDS.country_currencies.items()
    if code in WORDS.shared_signs["$"] and code != "USD" and len(name) > _MOST_WORDS * 2
)
#: What may be short for it where nothing stands beside it, and currencies below: "Cur." reads as current elsewhere.
CURRENCY_ALONE = frozenset({("current",), ("fx",), ("money",)})


def currencies_of(headers: Sequence[Sequence[str]], columns: Sequence[Sequence[object]]) -> Sequence[str | None] | None:
    """The currency of each record, from a column of codes and signs; None where there is none.

    `headers` are the words of each column's header. A cell that says something else is its text in small letters.
    """
    for words, values in zip(headers, columns, strict=True):
        if (set(words) & CURRENCY_WORDS and len(words) <= _MOST_WORDS) or tuple(words) in CURRENCY_ALONE:
            codes = [None if value is None else _currency(str(value)) for value in values]
            told = sum(value is not None for value in values)
            if any(codes) and sum(map(bool, codes)) >= _MOSTLY * told:
                pairs = zip(codes, values, strict=True)
                return [code or (None if value is None else str(value).strip().casefold()) for code, value in pairs]
    return None


def _currency(text: str) -> str | None:
    return currency_of_sign(text) or currency_in(text.strip().upper())


def in_united_states(states: Iterable[object]) -> bool:
    """Whether nearly all of a column's states are states of the United States."""
    held = {value.strip().upper() for value in set(states) if isinstance(value, str) and value.strip()}
    return bool(held) and sum(value in WORDS.us_states for value in held) >= _SHARE * len(held)


def currency_of_places(
    states: Sequence[object], countries: Sequence[object], postal_codes: Sequence[object]
) -> str | None:
    """The ISO code of the one currency that is used where nearly all deals are; None where that is not plain."""
    if named := {value.strip().casefold() for value in countries if isinstance(value, str)}:
        found = {WORDS.country_currencies.get(name) for name in named}
        return found.pop() if len(found) == 1 else None
    if in_united_states(states):
        return "USD"
    if (code := _of_states(states)) is not None:
        return code
    return _of_postal_codes(postal_codes)


def _of_postal_codes(postal_codes: Sequence[object]) -> str | None:
    """The currency of the country that writes nearly all postal codes so."""
    some = postal_codes[:: max(1, len(postal_codes) // _MOST_CODES)]
    codes = {value.strip() for value in some if isinstance(value, str)}
    for currency, form in (("GBP", _UK_POSTCODE), ("CAD", _CANADIAN_POSTCODE)):
        if codes and sum(bool(form.fullmatch(code)) for code in codes) >= _SHARE * len(codes):
            return currency
    return None


def puts_day_first(code: str | None) -> bool:
    """Whether dates are written with the day first where a currency is used."""
    return code is not None and code not in _NOT_DAY_FIRST and code in WORDS.currency_codes


def currency_of_titles(titles: Iterable[str]) -> str | None:
    """The currency of the one country with a dollar of its own that titles name; None for none or several."""
    found = {code for text in titles for name, code in _DOLLAR_COUNTRIES if _names(name, text.casefold())}
    return found.pop() if len(found) == 1 else None


def _names(country: str, text: str) -> bool:
    return re.search(rf"(?<!new )(?<![^\W_]){re.escape(country)}(?![^\W_])", text) is not None


def _of_states(states: Sequence[object]) -> str | None:
    """The currency of the provinces or states of another country where nearly all deals are."""
    held = {value.strip().upper() for value in set(states) if isinstance(value, str) and value.strip()}
    held -= _CALLED_ALIKE
    found = Counter(WORDS.states_abroad[value] for value in held if value in WORDS.states_abroad)
    code, count = found.most_common(1)[0] if found else (None, 0)
    return code if count >= _SHARE * len(held) else None


def currencies_of_records(
    states: Sequence[object], countries: Sequence[object], many: int, others: tuple[Sequence[object], Sequence[str]]
) -> list[str | None]:
    """The currency that is used in the country of each of so many records, else in its state, or None.

    `others` are postal codes and titles, which tell where nothing else does.
    """
    if not any({*countries}):
        postal, titles = others
        told = _of_states(states) or _of_postal_codes(postal)
        return [told or (None if any({*states}) else currency_of_titles(titles))] * many
    told = {value: WORDS.country_currencies.get(str(value).strip().casefold()) for value in {*countries}}
    return [told[value] for value in countries]
