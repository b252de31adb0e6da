"""Scale notes and currencies: what "$ in 000s", "(in millions)" or "EUR" makes of the numbers below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

THOUSAND, MILLION, BILLION = 1_000, 1_000_000, 1_000_000_000
_CURRENCY_SIGN = r"(?:US\s?\$|C\$|A\$|\$|€|£|USD|EUR|GBP|CAD|AUD|CHF|T€)"
#: Each says its scale wherever it stands in a header or a note.
_SCALES: tuple[tuple[int, re.Pattern[str]], ...] = (
    (THOUSAND, re.compile(r"\bin\s+(?:US\s?)?\$?\s?thousands?\b|\(\s*(?:\$\s*)?thousands?\s*\)|(?:\$|€|£)\s*thousands?\b", re.I)),
    (THOUSAND, re.compile(r"(?<![\d,.])(?:\$|€|£|x|in|\(|\s|^)\s*\(?\s*,?0{3}(?:['’]?s)?\s*\)?(?![\d,.])", re.I)),
    (THOUSAND, re.compile(r"\bT(?:€|EUR|USD)\b|T€|\bk(?:EUR|USD|GBP)\b|k€|\((?:\$|€|£)\s?k\)|(?:\$|€|£)k\b|\b(?:USD|EUR|GBP)\s?k\b", re.I)),
    (MILLION, re.compile(r"\bin\s+(?:US\s?)?\$?\s?(?:millions?|mio|mn|mm|mil)\b|\(\s*(?:(?:US)?\$\s*)?(?:millions?|mm|mn|mil|mio)\s*\)", re.I)),
    (MILLION, re.compile(_CURRENCY_SIGN + r"[\s_]?(?:mm|mn|mil|mio|millions?|m)\b(?!\s*/|²|2)", re.I)),
    (MILLION, re.compile(r"(?:^|[\s(_])(?:mm|mn|mil|mio|million)[\s_]?(?:\$|€|£|usd|eur|gbp)|\bm(?:€|£)|(?:^|_)(?:usd|eur|gbp)_m(?:$|_|\b)", re.I)),
    (BILLION, re.compile(r"\bin\s+(?:US\s?)?\$?\s?(?:billions?|bn)\b|\(\s*(?:\$\s*)?(?:billions?|bn)\s*\)|" + _CURRENCY_SIGN + r"\s?(?:bn|billions?)\b", re.I)),
)
_CODES = ("USD", "EUR", "GBP", "CAD", "AUD", "NZD", "CHF", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "BRL",
          "MXN", "ZAR", "SGD", "HKD", "AED", "SAR", "RUB", "TRY", "KRW", "ILS", "HUF", "RON")
_CODE = re.compile(r"(?<![A-Za-z])(?:" + "|".join(_CODES) + r")(?![A-Za-z])")
_LONG_SIGNS = (("US$", "USD"), ("C$", "CAD"), ("CA$", "CAD"), ("A$", "AUD"), ("AU$", "AUD"), ("NZ$", "NZD"), ("HK$", "HKD"),
               ("S$", "SGD"), ("R$", "BRL"), ("MX$", "MXN"))
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₪": "ILS", "zł": "PLN", "₺": "TRY"}


@dataclass(frozen=True, slots=True)
class Scale:
    """What numbers are multiplied by, and the words that say so."""

    factor: int
    text: str


def scale_in(text: str) -> Scale | None:
    """The scale that `text` states, or None; the largest where it names two."""
    best: Scale | None = None
    for factor, pattern in _SCALES:
        match = pattern.search(text)
        if match and (best is None or factor > best.factor):
            best = Scale(factor, match[0].strip())
    return best


def currency_in(text: str) -> str | None:
    """The ISO code of the currency that `text` names by code or sign, or None; a bare $ is USD."""
    if match := _CODE.search(text):
        return match[0]
    for sign, code in _LONG_SIGNS:
        if sign in text:
            return code
    return next((code for sign, code in _SIGNS.items() if sign in text), None)


def currency_of_format(number_format: str) -> str | None:
    """The ISO code of the currency in a number format such as `[$€-407] #,##0`, or None."""
    if not number_format:
        return None
    for inside in re.findall(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]", number_format):
        if inside.strip() and (code := currency_in(inside.upper() if inside.isalpha() else inside)):
            return code
    bare = re.sub(r"\[[^\]]*\]", "", number_format)
    return currency_in(bare.replace('"', "").replace("\\", ""))
