"""Numbers written as text, with their currency, scale, sign, percent sign and unit; or why a text is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tools.deals.currency_signs import currency_of_sign
from tools.deals.words import WORDS
from tools.workbook.words import as_seen

_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")
_QUALIFIERS = (
    r"~|≈|±|\+/-|>=|<=|≥|≤|>|<|approx(?:imately|\.)?|about|circa|ca\.|c\.|up to|over|under|est(?:imated|\.)?|from"
    r"|starting at|oieo|oiro|offers (?:in excess|in the region) of|offers over|in (?:excess|the region) of"
)
_CORE = r"\d[\d.,'’ ]*\d|\d|[.,]\d+"


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


#: Signs that are other words outside of numbers.
_FRANCS = ("Fr.", "SFr.")
_CURRENCIES = (*WORDS.currency_signs, *_FRANCS, *WORDS.shared_signs, *WORDS.currency_codes)
_SIGNS = rf"(?:{_either(_CURRENCIES)})(?:(?<=[^\W\d_])(?![^\W\d_])\.?|(?<=[^\w]))"
_PARTS = (
    rf"(?P<qualifier>(?:{_QUALIFIERS})\s*)?",
    rf"(?P<minus>[-−–]\s*)?(?P<open>\(\s*)?(?P<sign>{_SIGNS})?\s*(?P<minus2>[-−]\s*)?(?P<open2>\(\s*)?",
    rf"(?P<core>{_CORE})(?P<fraction>\s+\d{{1,2}}/\d{{1,2}}|-\d/[2-8]|[½¼¾⅓⅔⅛⅜⅝⅞])?\s*",
    rf"(?P<magnitude>(?:{_either(WORDS.magnitudes)})(?![A-Za-z²2]))?\s*(?P<percent>%|percent\b|pct\b)?\s*",
    rf"(?P<close2>\)\s*)?(?P<sign2>{_SIGNS})?\s*(?P<unit>(?:{_either(WORDS.units)})(?![A-Za-z²2]))?\s*",
    r"(?P<close>\)\s*)?(?P<trailing>\+/-|±|-|\+|\*|CR)?",
    rf"(?P<beside>[,;]?\s*\(?(?:{_either(WORDS.beside_numbers)})\.?\)?)?",
)
_NUMBER = re.compile("".join(_PARTS), re.IGNORECASE)
_BESIDES = (*_CURRENCIES, *WORDS.magnitudes, *WORDS.units, *WORDS.beside_numbers)
_SAID = _either({*re.findall("[a-z]+", " ".join((*_BESIDES, _QUALIFIERS, "percent pct cr")).casefold())})
#: Small letters that are words which stand in numbers, or begin like two of them.
_SAID_IN_NUMBERS = re.compile(rf"(?:[^a-z]++|(?>(?:{_SAID})(?:(?![a-z])|(?:{_SAID})))[a-z]*+)*+")
_RANGE = re.compile(
    rf"\s*(?:{_SIGNS})?\s*[\d.,]+\s*[a-z%]{{0,7}}\s*(?:-|–|—|\bto\b)\s*(?:{_SIGNS})?\s*[\d.,]+\s*[a-z%./ ]{{0,14}}",
    re.IGNORECASE,
)
#: A dash for the cents, as in 3.200,- or 3'200.--
_NO_CENTS = re.compile(r"(?<=\d)[.,](?:--?|–|—)(?=\s|$|[€A-Z])", re.IGNORECASE)
#: The mark of a footnote behind a number: $22.0 (4).
_FOOTNOTE = re.compile(
    r"(?<=[\d%A-Za-z]) \(\d{1,2}\)$|(?<=[\d%A-Za-z]) ?(?:[†‡§]|\[\d{1,2}\])$|(?<=[0-9%)])[¹²³⁴⁵⁶⁷⁸⁹]{1,2}$"
)
#: An amount's rate in brackets behind it: $3,400,000 ($283/SF).
_RATE_BEHIND = re.compile(
    r"(?<=[\dA-Za-z]) ?[(\[] ?[$€£]?\d[\d.,]* ?[$€£]? ?"
    r"(?:(?:/|per) ?(?:sq\.? ?(?:ft|m)\.?|sf|m2|m²|sqm|units?|keys?|rooms?|beds?|doors?|pads?|acres?|ac)|p(?:sf|sm))"
    r"[)\]]$",
    re.IGNORECASE,
)
_FOOTNOTE_ENDS = (")", "]", "†", "‡", "§", *"¹²³⁴⁵⁶⁷⁸⁹")
_DIGIT = re.compile(r"\d")
_FIRST_CORE = re.compile(_CORE)
_CENTS = re.compile(r"\d{3}[.,]\d{2}$")
_MOST_CRORES = 100_000
#: A thousand in some languages, a million in others.
_MIL = re.compile(r"(?<![^\W\d_])mil(?![^\W\d_])", re.IGNORECASE)
_MIL_LANGUAGES = re.compile(r"milh(?:ão|ões|oes)\b|mill(?:ón|on|ones)\b", re.IGNORECASE)
_SCIENTIFIC = re.compile(r"-?\d(?:\.\d+)?E[+-]?\d{1,2}", re.IGNORECASE)
_VULGAR = {"½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8}


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number read from text: `value` with its own scale applied, its percent sign not.

    `other` is the second reading of separators that allow two; `beside` tells of words behind it that change nothing.
    """

    value: float
    percent: bool = False
    currency: str | None = None
    unit: str | None = None
    scaled: bool = False
    approximate: bool = False
    other: float | None = None
    beside: bool = False


@dataclass(frozen=True, slots=True)
class NotNumber:
    """Why a text is no number: `placeholder`, `range` or `unparsed`; in a column also `mil`."""

    why: str


def is_placeholder(text: str) -> bool:
    """Whether `text` stands for a value that is not given: TBD, N/A, $Confidential, a dash."""
    folded = _spaced(text).strip().casefold()
    return folded in WORDS.placeholders or folded.lstrip("$€£ ").strip("*()[]") in WORDS.placeholders


def _spaced(text: str) -> str:
    """`text` as it is seen, with a single blank for any run of them."""
    tidy = text.isascii() and text.isprintable() and "  " not in text
    return text if tidy else _SPACES.sub(" ", as_seen(text))


def read_number(text: str, decimal_comma: bool | None) -> NumberText | NotNumber:
    """The number that `text` holds; `decimal_comma` is what its column uses, None where nothing tells."""
    spaced = _spaced(text).strip().strip("'").strip()
    spaced = _NO_CENTS.sub("", spaced) if "." in spaced or "," in spaced else spaced
    plain = _RATE_BEHIND.sub("", _FOOTNOTE.sub("", spaced)) if spaced.endswith(_FOOTNOTE_ENDS) else spaced
    if is_placeholder(plain):
        return NotNumber("placeholder")
    if (plain.isdecimal() and plain == spaced) or _SCIENTIFIC.fullmatch(plain):
        return NumberText(clean_float(float(plain)))
    match = _NUMBER.fullmatch(plain) if _may_be_number(plain) else None
    if match is None or bool(match["open"] or match["open2"]) != bool(match["close"] or match["close2"]):
        return NotNumber("range" if _RANGE.fullmatch(plain) else "unparsed")
    core = _read_core(match["core"], decimal_comma)
    return NotNumber("unparsed") if core is None else _finish(match, *core, marked=plain != spaced)


def is_amount(value: object) -> bool:
    """Whether a cell holds a number, or a text that is one."""
    if isinstance(value, str):
        return isinstance(read_number(value, decimal_comma=False), NumberText)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _may_be_number(text: str) -> bool:
    """Whether a cheap look leaves it open that `text` is a number: addresses begin with digits and are none."""
    if _DIGIT.search(text) is None:
        return False
    return not (text[0].isdecimal() and text.isascii()) or _SAID_IN_NUMBERS.fullmatch(text.lower()) is not None


def _finish(match: re.Match[str], value: float, other: float | None, marked: bool) -> NumberText:
    sign = match["sign"] or match["sign2"]
    currency = currency_of_sign(sign) if sign else None
    credit = _is_credit(match["magnitude"], match["core"], value, currency)
    magnitude = None if credit else match["magnitude"]
    factor = WORDS.magnitudes[magnitude.casefold()] if magnitude else 1
    below = match["minus"] or match["minus2"] or match["open"] or match["open2"]
    if below or credit or match["trailing"] in ("-", "CR"):
        factor = -factor
    value = clean_float((value + _fraction(match["fraction"])) * factor)
    return NumberText(
        value,
        percent=bool(match["percent"]),
        currency=currency,
        unit=WORDS.units[_SPACES.sub(" ", match["unit"]).casefold()] if match["unit"] else None,
        scaled=bool(magnitude),
        approximate=bool(match["qualifier"]) or match["trailing"] in ("+", "*", "+/-", "±"),
        beside=bool(match["beside"]) or marked,
        other=None if other is None else clean_float(other * factor),
    )


def _is_credit(magnitude: str | None, core: str, value: float, currency: str | None) -> bool:
    """Whether "CR" behind a number says that it is a credit: nobody writes 4,000,000.00 crores."""
    if magnitude not in ("CR", "Cr") or currency == "INR":
        return False
    return value >= _MOST_CRORES or (magnitude == "CR" and bool(_CENTS.search(core)))


def _fraction(text: str | None) -> float:
    if not text:
        return 0.0
    if text in _VULGAR:
        return _VULGAR[text]
    above, _, below = text.strip(" -").partition("/")
    return int(above) / int(below) if int(below) else 0.0


def _read_core(core: str, decimal_comma: bool | None) -> tuple[float, float | None] | None:
    """The value of digits with separators, and the other reading where both are well formed."""
    if core.isdecimal():
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
    if mark and not rest.isdecimal():
        return None
    groups = re.split(rf"[{re.escape(group)}'’ ]", whole)
    if len(groups) > 1 and not _thousands(groups) and not (group == "," and _lakh(groups)):
        return None
    digits = "".join(groups)
    return float(f"{digits or 0}.{rest or 0}") if (digits + rest).isdecimal() else None


def _thousands(groups: list[str]) -> bool:
    """Whether groups are of three digits each, the first of one to three and no lone zero."""
    return 1 <= len(groups[0]) <= 3 and groups[0] != "0" and all(len(group) == 3 for group in groups[1:])


def _lakh(groups: list[str]) -> bool:
    """Whether groups follow the Indian way: 12,34,567."""
    first, *middle, last = groups
    return bool(middle) and len(last) == 3 and all(len(group) == 2 for group in middle) and 1 <= len(first) <= 2


def says_mil(text: str) -> bool:
    """Whether the amount in `text` is in mil, a million in English; in Portuguese and Spanish it is a thousand."""
    return _MIL.search(text) is not None


def mil_is_thousand(amounts: Iterable[str], headers: Iterable[str]) -> bool:
    """Whether a table's headers, or the amounts of a column, are written in a language where mil is a thousand."""
    words = {word for text in headers for word in re.findall(r"[^\W\d_]+", text.casefold())}
    return not words.isdisjoint(WORDS.mil_words) or any(_MIL_LANGUAGES.search(text) for text in amounts)


def decimal_comma_in(texts: Iterable[str]) -> bool | None:
    """Whether number texts of one column write the decimal sign as a comma; None where none of them tells."""
    comma = dot = 0
    for text in texts:
        core = _FIRST_CORE.search(as_seen(text))
        if core is None or core[0].isdecimal():
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
