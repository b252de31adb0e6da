"""Scale notes: what "$ in 000s" or "(in millions)" makes of the numbers below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.deals.currency_signs import CODES, SIGNS

THOUSAND, MILLION, BILLION = 1_000, 1_000_000, 1_000_000_000
LAKH, CRORE = 100_000, 10_000_000
_SIGN = rf"(?:{SIGNS}|\b(?:{CODES}))"
#: Millions of money; of a rent it may be "monthly".
BARE_M = r"\(m\)"
#: "In thousands of stores" is about no amount.
_OF_MONEY = rf"(?!\s+of\s+(?!US|U\.S|dollars?|euros?|pounds?|rupees|yen|yuan|local|currency|{SIGNS}|{CODES}))"
_LETTERS = rf"(?:{CODES}|kr)"
_AREA = r"(?:[rgn]{0,2}sf|sq\.?\s?f(?:ee|oo)?t\.?|square f(?:ee|oo)t|sqm|sq\.?\s?m|m2|m²|qm)"
#: Behind such a label stands a scale: "Reporting unit: thousands". Of "Units: 1,000" there may be so many.
_SCALE_LABEL = r"\b(?:scale|multiplier|denomination|(?:reporting|currency|display|presentation)\s+(?:units?|scale))"
_LABEL = rf"(?:{_SCALE_LABEL}|\b(?:units?|amounts?|figures?)|\bunits?\s+of\s+(?:account|measure(?:ment)?))"
_LABELLED = rf"{_LABEL}\s*[:=]\s*(?:in\s+)?(?:{_SIGN}\s*)?"
_IN_DIGITS = rf"{_SCALE_LABEL}\s*[:=]\s*(?:x\s?)?(?:{_SIGN}\s*)?1"
#: Each says its scale wherever it stands in a header or a note.
_SCALES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        THOUSAND,
        (
            rf"\bin\s+(?:US\s?)?\$?\s?thousands?\b{_OF_MONEY}",
            rf"\b(?:{CODES})\s+thousands?\b|,\s*thousands?$",
            r"\bin\s+(?:US\s?)?\$?\s?1[,.' ]000['’]?s?\b",
            r"\(\s*(?:\$\s*)?thousands?\s*\)",
            rf"(?:{SIGNS})\s*(?:in\s+)?thousands?\b",
            rf"(?:\bx|\bin|\(|{_SIGN})\s*[,'’]?000(?:['’]?s)?(?![\d,.])",
            rf"\(?\bx\s?{_SIGN}?\s?1[,.' ]?000\b",
            rf"{_LABELLED}(?:thousands?\b|['’]?000['’]?s?(?![\d,.]))",
            rf"{_IN_DIGITS}[,.' ]?000['’]?s?(?![\d,.])",
            r"\b(?:en|in)\s+(?:milliers|miles|migliaia|duizenden|tausend|tsd)\b",
            r"(?<![\d,.])\b000['’]?s\b",
            rf"\b[TK]{_LETTERS}\b|[Tk]€",
            rf"{_SIGN}\s?k\b|\(k\)|(?:\bR\$|\bBRL)\s?mil\b|(?<=[a-z] )['’]?000$",
            rf"\(\s*(?:k|tds\.?|tsd\.?|thousands?|['’]?000['’]?s?)\s?(?:of\s)?{_AREA}\s*\)|\bksf\b",
        ),
    ),
    (
        MILLION,
        (
            rf"\bin\s+(?:US\s?)?\$?\s?(?:millions?|mio|mn|mm|mil)\b{_OF_MONEY}",
            r"\(\s*(?:(?:US)?\$\s*)?(?:millions?|mm|mn|mil|mio)\s*\)",
            BARE_M,
            r",\s*(?:millions?|mm|mn|mil|mio)\s*\)",
            r"\b(?:en|in)\s+(?:millions|millones|milioni|miljoenen)\b",
            _SIGN + r"\s?,\s?(?:millions?|mm|mn)\b",
            # In Portuguese "R$ mil" is a thousand.
            rf"{_SIGN}(?!(?:(?<=R\$)|(?<=BRL))[\s_]?mil\b)[\s_]?(?:mm|mn|mil|mio|millions?|m)\b(?!\s*/|²|2)",
            rf"(?:^|[\s(_])(?:mm|mn|mil|mio|million)\.?[\s_]?(?:{SIGNS}|{CODES})",
            rf"\(\s*(?:m|mm|mn|mil|mio\.?|millions?)\s?(?:of\s)?{_AREA}\s*\)|\bmm?sf\b",
            rf"{_LABELLED}millions?\b|{_IN_DIGITS}(?:[,.' ]?000){{2}}['’]?s?(?![\d,.])",
            rf"\bm(?:€|£)|\bM{_LETTERS}\b|(?:^|_)(?:{CODES})_m(?:$|_|\b)",
        ),
    ),
    (LAKH, (r"\b(?:in\s+)?lakhs?\b", rf"(?:\bin|{_SIGN})\s*(?:in\s+)?lacs?\b")),
    (CRORE, (r"\b(?:in\s+)?crores?\b", rf"{_SIGN}\s*(?:in\s+)?crs?\b")),
    (
        BILLION,
        (
            r"\bin\s+(?:US\s?)?\$?\s?(?:billions?|bn)\b",
            r"\(\s*(?:\$\s*)?(?:billions?|bn)\s*\)",
            _SIGN + r"\s?(?:bn|billions?)\b",
        ),
    ),
)
_PATTERNS = tuple((factor, re.compile("|".join(parts), re.IGNORECASE)) for factor, parts in _SCALES)
#: What a note or a header leaves out of its scale: "in thousands, except per unit".
EXCEPTION = re.compile(
    r"[,;]?\s*\b(?:except(?:ing|ed|ions?)?|excluding|excl\.|other than|apart from|save for|but not)\b"
    r"(?:\s+for\b)?\s*:?\s*(?P<what>[^;()\[\]]*)",
    re.IGNORECASE,
)
#: What stands before a scale that is denied: "not stated in thousands", "rather than in millions".
_DENIED = re.compile(
    r"(?:\b(?:not|never|neither|nor|nicht|keine|pas|no|non|niet|rather than|instead of)|n['’]t)"
    r"(?:\s+(?:be|been|is|are|in|to|the|stated|shown|given|expressed|reported|presented|quoted|displayed|rounded|denominated"
    r"|US|dollars?|euros?|pounds?|amounts?|figures?|angegeben|expresad[oa]s))*\s*[(\[]?\s*$",
    re.IGNORECASE,
)
_SIZE = r"(?:[rgn]{0,2}sf|sq\.?\s?f(?:ee|oo)?t\.?|square f(?:ee|oo)t(?:age)?|gla|nra|rba|sizes?|areas?)"
_SIZE_SCALE = re.compile(
    rf"(?<!per )(?<!/)\b{_SIZE}\s+(?:and \S+ |is |are |also |both |shown |stated )*\(?in (?:thousands|000'?s)"
    rf"|\b{_SIZE}\s*\((?:000'?s?|thousands)\)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scale:
    """What numbers are multiplied by, and the words that say so."""

    factor: int
    text: str


def scale_in(text: str) -> Scale | None:
    """The scale that `text` states, or None; the largest where it names two."""
    best: Scale | None = None
    for factor, pattern in _PATTERNS:
        match = next((m for m in pattern.finditer(text) if not _is_denied(text, m)), None)
        if match and (best is None or factor > best.factor):
            best = Scale(factor, match[0].strip())
    return best


def _is_denied(text: str, match: re.Match[str]) -> bool:
    return _DENIED.search(text[: match.start()]) is not None


def spoken_scales(text: str) -> list[Scale]:
    """The scales that `text` states, in their order; of two that overlap the larger."""
    matches = ((factor, m) for factor, part in _PATTERNS for m in part.finditer(text) if not _is_denied(text, m))
    found = [(m.start(), m.end(), factor, m[0].strip()) for factor, m in matches]
    kept: list[tuple[int, int, int, str]] = []
    for one in sorted(found, key=lambda said: (-said[2], said[0])):
        if all(one[1] <= other[0] or one[0] >= other[1] for other in kept):
            kept.append(one)
    return [Scale(factor, said) for _, _, factor, said in sorted(kept)]


def size_scale_in(text: str) -> Scale | None:
    """The scale of sizes that a note such as "SF in thousands" states, or None; "except per SF" speaks of none."""
    match = _SIZE_SCALE.search(text)
    return Scale(THOUSAND, match[0].strip()) if match else None
