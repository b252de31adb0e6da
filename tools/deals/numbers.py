"""Numbers written as text: currency, scale, separators, brackets, fractions, percent signs and units, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tools.deals.scale import BILLION, MILLION, THOUSAND, currency_in

_PLACEHOLDERS = frozenset(
    """tbd tba tbc n/a na n.a. n.a n/av nav n/ap nap none null nil - -- --- – — . … ... ? ?? x confidential undisclosed
    unknown unpriced negotiable various varies pending restricted private withheld blank unavailable open""".split()
) | {
    "not disclosed", "not available", "not applicable", "not reported", "not provided", "to be determined", "to be announced",
    "tbd by market", "by market", "market", "call for price", "call for offers", "call for pricing", "price on request",
    "upon request", "on request", "best offer", "n / a", "not stated", "no data", "not given", "request for offers", "rfo",
    "auf anfrage", "k.a.", "k. a.", "nd", "s/o", "sin dato",
}
_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")
_SIGNS = r"US\$|CA?\$|AU?\$|NZ\$|HK\$|S\$|R\$|MX\$|[$€£¥₹₽₩₪₺]|zł|kr\b|USD|EUR|GBP|CAD|AUD|NZD|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|SGD|HKD|AED|SAR|RUB|TRY|KRW|ILS|HUF|RON"
_QUALIFIER = r"~|≈|±|\+/-|>=|<=|≥|≤|>|<|approx(?:imately|\.)?|about|circa|ca\.|c\.|up to|over|under|est(?:imated|\.)?|from|starting at"
_CORE = r"\d[\d.,'’ ]*\d|\d|[.,]\d+"
_UNIT_WORDS: dict[str, str] = {
    "sf": "sf", "sqft": "sf", "sq ft": "sf", "sq. ft.": "sf", "sq. ft": "sf", "sq.ft.": "sf", "square feet": "sf", "rsf": "sf", "gsf": "sf",
    "nrsf": "sf", "ft2": "sf", "ft²": "sf", "sqm": "sqm", "m2": "sqm", "m²": "sqm", "qm": "sqm", "sq m": "sqm", "acres": "acres",
    "acre": "acres", "ac": "acres", "ac.": "acres", "ha": "hectares", "hectares": "hectares", "units": "units", "unit": "units",
    "doors": "units", "keys": "units", "beds": "units", "apts": "units", "rooms": "units", "x": "ratio", "months": "months",
    "month": "months", "mos": "months", "mo": "months", "mths": "months", "years": "years", "year": "years", "yrs": "years", "yr": "years",
    "psf": "per_sf", "/sf": "per_sf", "per sf": "per_sf", "/ sf": "per_sf", "/sq ft": "per_sf", "/sqft": "per_sf",
    "per square foot": "per_sf", "/unit": "per_unit", "per unit": "per_unit", "/door": "per_unit", "/key": "per_unit", "/mo": "monthly",
    "/month": "monthly", "per month": "monthly", "pcm": "monthly", "/yr": "annual", "/year": "annual", "per year": "annual", "pa": "annual",
    "p.a.": "annual", "per annum": "annual", "bps": "bps", "bp": "bps",
}
_MAGNITUDES: dict[str, int] = {
    "k": THOUSAND, "thousand": THOUSAND, "tsd": THOUSAND, "tsd.": THOUSAND, "m": MILLION, "mm": MILLION, "mn": MILLION, "mil": MILLION,
    "mill": MILLION, "million": MILLION, "millions": MILLION, "mio": MILLION, "mio.": MILLION, "b": BILLION, "bn": BILLION,
    "billion": BILLION, "mrd": BILLION, "mrd.": BILLION, "lakh": 100_000, "lakhs": 100_000, "crore": 10_000_000, "cr": 10_000_000,
    "crores": 10_000_000,
}


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_NUMBER = re.compile(
    rf"(?P<qualifier>(?:{_QUALIFIER})\s*)?(?P<minus>[-−–]\s*)?(?P<open>\(\s*)?(?P<sign>{_SIGNS})?\s*(?P<minus2>[-−]\s*)?(?P<open2>\(\s*)?"
    rf"(?P<core>{_CORE})(?P<fraction>\s+\d{{1,2}}/\d{{1,2}}|[½¼¾⅓⅔⅛⅜⅝⅞])?\s*"
    rf"(?P<magnitude>(?:{_either(_MAGNITUDES)})(?![A-Za-z²2]))?\s*(?P<percent>%|percent\b|pct\b)?\s*(?P<close2>\)\s*)?(?P<sign2>{_SIGNS})?\s*"
    rf"(?P<unit>(?:{_either(_UNIT_WORDS)})(?![A-Za-z²2]))?\s*(?P<close>\)\s*)?(?P<trailing>-|\+|\*|CR)?",
    re.I,
)
_RANGE = re.compile(rf"\s*(?:{_SIGNS})?\s*[\d.,]+\s*[a-z%]{{0,7}}\s*(?:-|–|—|\bto\b)\s*(?:{_SIGNS})?\s*[\d.,]+\s*[a-z%./ ]{{0,14}}", re.I)
_SCIENTIFIC = re.compile(r"-?\d(?:\.\d+)?E[+-]?\d{1,2}", re.I)
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number read from text: `value` with its scale applied, before any percent sign is; `other` where separators allow two readings."""

    value: float
    percent: bool = False
    currency: str | None = None
    unit: str | None = None
    scaled: bool = False
    approximate: bool = False
    other: float | None = None


@dataclass(frozen=True, slots=True)
class NotNumber:
    """Why a text is no number: `placeholder`, `range` or `unparsed`."""

    why: str


def is_placeholder(text: str) -> bool:
    """Whether `text` stands for a value that is not given: TBD, N/A, $Confidential, a dash."""
    folded = _SPACES.sub(" ", text).strip().casefold()
    return folded in _PLACEHOLDERS or folded.lstrip("$€£ ").strip("*()[]") in _PLACEHOLDERS


def read_number(text: str, decimal_comma: bool | None) -> NumberText | NotNumber:
    """The number that `text` holds; `decimal_comma` is what its column uses, None where nothing tells."""
    plain = _SPACES.sub(" ", text).strip().strip("'").strip()
    if is_placeholder(plain):
        return NotNumber("placeholder")
    if _SCIENTIFIC.fullmatch(plain):
        return NumberText(clean_float(float(plain)))
    match = _NUMBER.fullmatch(plain)
    if match is None or bool(match["open"] or match["open2"]) != bool(match["close"] or match["close2"]):
        return NotNumber("range" if _RANGE.fullmatch(plain) else "unparsed")
    core = _read_core(match["core"], decimal_comma)
    return NotNumber("unparsed") if core is None else _finish(match, *core)


def _finish(match: re.Match[str], value: float, other: float | None) -> NumberText:
    factor = _MAGNITUDES[match["magnitude"].casefold()] if match["magnitude"] else 1
    if match["minus"] or match["minus2"] or match["open"] or match["open2"] or match["trailing"] in ("-", "CR"):
        factor = -factor
    value = clean_float((value + _fraction(match["fraction"])) * factor)
    sign = match["sign"] or match["sign2"]
    return NumberText(
        value,
        percent=bool(match["percent"]),
        currency=currency_in(sign.upper() if sign.isalpha() else sign) if sign else None,
        unit=_UNIT_WORDS[_SPACES.sub(" ", match["unit"]).casefold()] if match["unit"] else None,
        scaled=bool(match["magnitude"]),
        approximate=bool(match["qualifier"]) or match["trailing"] in ("+", "*"),
        other=None if other is None else clean_float(other * factor),
    )


def _fraction(text: str | None) -> float:
    if not text:
        return 0.0
    if text in _VULGAR:
        return _VULGAR[text]
    above, _, below = text.strip().partition("/")
    return int(above) / int(below) if int(below) else 0.0


def _read_core(core: str, decimal_comma: bool | None) -> tuple[float, float | None] | None:
    """The value of digits with separators, and the other reading where both are well formed."""
    if core.isdigit():
        return float(core), None
    dot, comma = _plain(core, ".", ","), _plain(core, ",", ".")
    if dot is None or comma is None or dot == comma:
        found = dot if dot is not None else comma
        return None if found is None else (found, None)
    if decimal_comma is None:
        return dot, comma
    return (comma if decimal_comma else dot), None


def _plain(core: str, decimal: str, group: str) -> float | None:
    """`core` read with `decimal` as the decimal sign; None where its groups are not of three digits."""
    whole, mark, rest = core.partition(decimal)
    if mark and not rest.isdigit():
        return None
    groups = re.split(rf"[{re.escape(group)}'’ ]", whole)
    if len(groups) > 1 and (not 1 <= len(groups[0]) <= 3 or any(len(g) != 3 for g in groups[1:]) or groups[0] == "0"):
        if not (group == "," and _lakh(groups)):
            return None
    digits = "".join(groups)
    return float(f"{digits or 0}.{rest or 0}") if (digits + rest).isdigit() else None


def _lakh(groups: list[str]) -> bool:
    """Whether groups follow the Indian way: 12,34,567."""
    return len(groups) > 2 and len(groups[-1]) == 3 and all(len(g) == 2 for g in groups[1:-1]) and 1 <= len(groups[0]) <= 2


def decimal_comma_in(texts: Iterable[str]) -> bool | None:
    """Whether number texts of one column write the decimal sign as a comma; None where none of them tells."""
    comma = dot = 0
    for text in texts:
        core = re.search(_CORE, text)
        if core is None or core[0].isdigit():
            continue
        as_dot, as_comma = _plain(core[0], ".", ","), _plain(core[0], ",", ".")
        comma += as_dot is None and as_comma is not None
        dot += as_comma is None and as_dot is not None
    return None if comma == dot else comma > dot


def clean_float(value: float) -> float:
    """`value` at 15 significant digits: what a decimal multiplication would have given."""
    return float(f"{value:.15g}")


def whole(value: float) -> int | float:
    """`value` as an int where it is whole."""
    return int(value) if value == int(value) else value
