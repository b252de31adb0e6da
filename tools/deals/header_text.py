"""What a header's words say: its tokens with abbreviations spelt out, its unit, scale, currency and period."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tools.deals.currency_signs import CODES, SIGNS, currency_in, currency_of_sign
from tools.deals.dictionary import dictionary
from tools.deals.scale import EXCEPTION, Scale, scale_in
from tools.workbook.words import as_seen

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2,})")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[$€£%#]")
#: What French and Italian leave of "de" and the like before a vowel.
_ELIDED = re.compile(r"^(?:d|l|all|dell|nell|qu)['’](?=\w{2})")
#: How much is read of a header, guidance under it and all, and of a title or note.
_LONGEST_HEADER, _LONGEST_NOTE = 200, 2000
#: How much is read of all headers of a table; and of each at least.
_ALL_HEADERS, _SHORTEST_READ = 100_000, 16
_FILLER = frozenset({"a", "an", "and", "or", "the", "of"})
_PER = r"(?:/|\bper\b|\bp\.)\s*"
_SF = r"sq\.?\s*f(?:ee|oo)?t\b|square f(?:ee|oo)t\b|s\.f\.|ft2|ft²"
#: Canonical unit and how headers write it.
_UNIT_TEXTS = {
    "per_sf": _PER + rf"(?:r?n?g?sf\b|{_SF}|area\b|foot\b)|\bp\.?s\.?f\b",
    "per_sqm": _PER + r"(?:m2\b|m²|sqm\b|sq\.? ?m\b|(?:qm|kvm)\b)|\bpsm\b",
    "per_unit": _PER + r"(?:units?|doors?|keys?|beds?|rooms?|apt|pads?|sites?)\b",
    "per_acre": _PER + r"(?:acres?\b|ac\b|ha\b)",
    "sqm": r"\bm2\b|m²|\bsqm\b|\bsq\.? ?m(?:eters?|etres?)?\b|\bsquare met(?:er|re)s?\b|\b(?:qm|kvm|neliöt?)\b",
    "sf": r"\b(?:[rng]{0,2}|k|mm?)sf\b|\bsq\.?\s*f(?:ee|oo)?t\b|\bsquare f(?:ee|oo)t(?:age)?\b|\bsqft\b"
    r"|\bs\.f\.|ft2\b|ft²",
    "sqyd": r"\bsq\.?\s*y(?:ar)?ds?\b|\bsquare yards?\b|\bsqyds?\b|\bgaj\b",
    "tsubo": r"\btsubo\b|\bpyeong\b|\bpyung\b|坪|평",
    "hectares": r"\bhectares?\b|\(ha\.?\)",
    "acres": r"\bacres?\b|\bacreage\b|\(ac\.?\)|\b(?:land|lot|site|area|size)\b.*\bac\b",
    "years": r"\((?:in )?(?:years?|yrs?\.?)\)|\bin years\b|\b(?:term|length|laufzeit)[\s,:–-]+(?:years|yrs\.?|jahre)$",
    "months": r"\((?:in )?(?:months?|mos?\.?)\)|\bmonths\b",
}
_UNITS = tuple((name, re.compile(text, re.IGNORECASE)) for name, text in _UNIT_TEXTS.items())
_PERIOD_TEXTS = {
    "monthly": r"\bmonthly\b|" + _PER + r"(?:mo|month|mth)\b|\bp\.?c?m\.?\b|\bmo\b(?!n)"
    r"|\bmtl\b|\bmonatlich|(?:/\s*|\b(?:pro|je) )monat\b",
    "annual": r"\bannual(?:ly|i[sz]ed)?\b|" + _PER + r"(?:yr|year|annum)\b|\bp\.?a\.?\b|\byearly\b|\bann\b"
    r"|\bj(?:ä|ae)hrlich|(?:/\s*|\b(?:pro|je) )jahr\b|m²\s*/\s*a\b",
}
_PERIODS = tuple((name, re.compile(text, re.IGNORECASE)) for name, text in _PERIOD_TEXTS.items())
_ROUND = str.maketrans("[]", "()")
_BRACKETED = re.compile(r"\([^()]*\)")
_BRACKETED_UNIT = re.compile(r"[(\[][^()\[\]]{0,24}[)\]]")
#: A slash that means "per".
_SLASH = re.compile(
    r"/(?=\s*(?:r?n?g?sf|sq|square|area|units?|doors?|keys?|beds?|rooms?|acres?|m2|m²|sqm|qm|mo|month|yr|year)\b)",
    re.IGNORECASE,
)
#: A scale after a currency, as in total_usd_m, or after a currency sign.
_SCALES = r"m|mm|mn|mil|mio|k|bn|000s?|millions?|thousands?|billions?|crores?|crs?|lakhs?|lacs?"
_TRAILING_SCALE = re.compile(
    rf"(?<=\w )(?:(?:{CODES}|rs|kr|(?:us )?\$|€|£) (?:in )?(?:{_SCALES})|[mtk](?:{CODES}|kr)|(?:{CODES})(?:k|m|mn|bn)"
    rf"|\$ in (?:{_SCALES})|(?:in )?(?:crores?|lakhs?)|000)$",
    re.IGNORECASE,
)
#: An amount over a size, written with blanks around the slash: no two levels of a header.
_PER_LEVEL = re.compile(
    r"(\b(?:price|pricing|rent|cost|basis|rate|noi|value|valuation|amount|balance|loan|debt|equity|proceeds|expenses?|opex"
    r"|capex|taxes|insurance|ask(?:ing)?|guidance|list|bid|offer|consideration|income|revenue|psf|miete|preis)|[$€£])"
    r"\s+/\s+(?=(?:r?n?g?sf|sq|square|area|units?|doors?|keys?|beds?|rooms?|acres?|m2|m²|qm|sqm|mo|month|yr|year)\b)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\b(?:pct|percent|percentage|perc)\b", re.IGNORECASE)
#: TRY and RON are words in small letters, and so are shorter ones of other lists.
_NO_WORD_CODES = CODES.replace("TRY|", "").replace("RON|", "")
_CODES = re.compile(rf"\b[mtk]?({_NO_WORD_CODES})(?:[mk]|_\w*)?\b", re.IGNORECASE)
#: Whatever the currency, a header names the same field: "price usd" stands for all.
_ANY_CODE = re.compile(rf"\b(?:{_NO_WORD_CODES})\b", re.IGNORECASE)
_NO_WORDS = re.compile(r"\b(?:in|mo|month|yr|year|s|m|k|x|ac|ha)\b", re.IGNORECASE)
#: A year of a plan in brackets: (Year 3).
_NUMBERED_YEAR = re.compile(r"\s*(?:year|yr\.?)\s*\d{1,2}\s*", re.IGNORECASE)
_TERMS = frozenset({"months", "years", "year", "month", "yrs"})
#: A scale behind other words in brackets, as in (local, mm).
_BESIDE_SCALE = re.compile(r",\s*(?:000'?s|mm|mn|mil|millions?|thousands?)\s*$", re.IGNORECASE)
_BARE_SCALE = re.compile(rf"(?:in )?(?:{SIGNS})\s?(?:in )?(?:000'?s?|{_SCALES})", re.IGNORECASE)
#: A scale in figures, of which no word is left.
_IN_FIGURES = re.compile(r"\bin\s+(?:US\s?)?\$?\s?1[,.' ]?000['’]?s?\b", re.IGNORECASE)
#: Initials with dots: N.O.I., S.F.
_INITIALS = re.compile(r"(?<![^\W_])(?:[A-Za-z]\.){1,5}[A-Za-z](?:\.|(?![^\W_]))")
#: The mark of a footnote at a header's end.
_FOOTNOTE = re.compile(r"(?<=[^\W\d]) ?\(\d{1,2}\)$")
#: A level of a header that is nothing but a scale, under what it scales.
_SCALE_LEVEL = re.compile(r"['’]?000['’]?s?|thousands?|millions?|mm|mn|mil|mio|bn|billions?|k|m", re.IGNORECASE)
_SCALE_WORDS = re.compile(
    rf"\b(?:000'?s?|{_SCALES}|us|rs|kr|tsd|tds|[mtk]?(?:{CODES}|kr)[mk]?|yuan|rmb|yen|rupees|kronor)\b\.?|\b[A-Z]{{1,2}}(?=\$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Header:
    """A header as understood. `tokens` are its words spelt out, `last` those of its lowest level alone.

    `scale` and `currency` are what the lowest level states, `band_scale` and `band_currency` what the levels above do:
    "Financials ($000s)" over "Cap rate" makes no amount of the latter.
    """

    text: str
    tokens: tuple[str, ...]
    last: tuple[str, ...] = ()
    units: frozenset[str] = field(default_factory=frozenset[str])
    percent: bool = False
    scale: Scale | None = None
    currency: str | None = None
    band_scale: Scale | None = None
    band_currency: str | None = None
    period: str | None = None


def letters_read(columns: int) -> int:
    """How many letters of each header are read where so many columns have one; fewer than usual in no table of deals.

    A few thousand headers of a page each would cost more than all else in their sheet.
    """
    return min(_LONGEST_HEADER, max(_SHORTEST_READ, _ALL_HEADERS // max(1, columns)))


def read_header(text: str) -> Header:
    """What `text` says; levels of a header over several rows are joined by " / ". Of a long text, its beginning."""
    said = _read_header(text[:_LONGEST_HEADER])
    return said if said.text == text else replace(said, text=text)


@lru_cache(maxsize=8192)
def _read_header(text: str) -> Header:
    plain = _PER_LEVEL.sub(r"\1/", " ".join(as_seen(text).replace("_", " ").translate(_ROUND).split()))
    joined = _FOOTNOTE.sub("", _BRACKETED.sub(_without_exception, plain))
    levels = [level for level in joined.split(" / ") if level.strip()]
    levels = levels[:1] + [f"({level})" if _SCALE_LEVEL.fullmatch(level.strip()) else level for level in levels[1:]]
    named = [level for at, level in enumerate(levels) if not _only_unit(level) and not (at and _is_currency(level))]
    named = named or levels
    own = " ".join(named[-1:] + [level for level in levels if level not in named])
    band = " ".join(named[:-1])
    return Header(
        text=text,
        tokens=tuple(token for level in named for token in tokenize(level)),
        last=tokenize(named[-1]) if named else (),
        units=_sole(frozenset(unit for level in levels for unit, pattern in _UNITS if pattern.search(level))),
        percent="%" in joined or bool(_PERCENT.search(joined)),
        scale=scale_in(own),
        currency=_currency(own),
        band_scale=scale_in(band),
        band_currency=_currency(band),
        period=next((name for name, pattern in _PERIODS if any(pattern.search(level) for level in levels)), None),
    )


def _without_exception(match: re.Match[str]) -> str:
    """A scale in brackets without what it leaves out."""
    return EXCEPTION.sub("", match[0]) if scale_in(EXCEPTION.split(match[0])[0]) else match[0]


def _currency(text: str) -> str | None:
    return currency_in(text) or currency_in(" ".join(_CODES.findall(text)).upper())


def _is_currency(level: str) -> bool:
    """Whether a level of a header is nothing but a currency: a row of units stands under the header."""
    return currency_of_sign(level.strip(" ()[]")) is not None


def _only_unit(level: str) -> bool:
    """Whether a level of a header says nothing but a unit or a scale: "($000s)"."""
    return bool(_BARE_SCALE.fullmatch(level.strip())) or not _words(_BRACKETED_UNIT.sub(_keep_words, level))


def _sole(units: frozenset[str]) -> frozenset[str]:
    """`units` without those that only stand inside a wider one (the sf of "per sf")."""
    inside = {"per_sf": "sf", "per_sqm": "sqm", "per_acre": "acres"}
    return units - {inside[unit] for unit in units if unit in inside}


def tokenize(text: str) -> tuple[str, ...]:
    """The words of `text`: lower case, abbreviations spelt out, units in brackets left out unless nothing is left.

    Those of its beginning where it is longer than any title or note.
    """
    return _tokenize(text[:_LONGEST_NOTE])


@lru_cache(maxsize=16384)
def _tokenize(text: str) -> tuple[str, ...]:
    bare = _BRACKETED_UNIT.sub(_keep_words, text)
    return _words(bare) or _words(text)


def _keep_words(match: re.Match[str]) -> str:
    inside = match[0][1:-1]
    rest = _SCALE_WORDS.sub("", inside)
    for name, pattern in _UNITS:
        rest = pattern.sub(" " if name in ("per_sf", "per_unit", "sf", "acres") else rest and " ", rest)
    unit_kept = " ".join(name.replace("_", " ") for name, pattern in _UNITS if pattern.search(inside))
    letters = re.sub(r"[^A-Za-z]", "", _NO_WORDS.sub("", rest))
    if _NUMBERED_YEAR.fullmatch(inside) or (letters and letters.casefold() not in _TERMS):
        return f" {_BESIDE_SCALE.sub('', inside)} "
    return f" {unit_kept} " if unit_kept.startswith("per") else " "


def _words(text: str) -> tuple[str, ...]:
    spelt = dictionary().tokens
    per = _SLASH.sub(" per ", _INITIALS.sub(_without_dots, _IN_FIGURES.sub(" ", text)))
    lows = ("percent" if word == "%" else _plain(word) for word in _WORD.findall(_CAMEL.sub(" ", per)))
    found = [part for low in lows for part in spelt.get(low, low).split() if part not in _FILLER]
    joined = " ".join(found)
    joined = re.sub(r"\brate cap\b", "ratecap", re.sub(r"\bt 12\b", "t12", joined))
    joined = re.sub(r"\bsquare (?:feet|foot|ft|footage)\b|\bsf ft\b", "sf", joined)
    joined = re.sub(r"\bpsf\b|\bpsm\b|\bper (?:sqm|sq m|m2|m²|qm|square met(?:er|re)s?)\b", "per sf", joined)
    joined = _TRAILING_SCALE.sub("", _ANY_CODE.sub("usd", joined))
    return tuple(token for token in joined.split() if token not in ("$", "€", "£") or len(found) <= 3)


def _without_dots(match: re.Match[str]) -> str:
    return match[0].replace(".", "")


def _plain(word: str) -> str:
    """A word in lower case without accents: people leave them out, and file formats lose them."""
    parts = unicodedata.normalize("NFD", _ELIDED.sub("", word.casefold()))
    return "".join(part for part in parts if not unicodedata.combining(part))
