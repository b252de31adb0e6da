"""Scale notes: what "$ in 000s" or "(in millions)" makes of the numbers below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

THOUSAND, MILLION, BILLION = 1_000, 1_000_000, 1_000_000_000
_SIGN = r"(?:US\s?\$|C\$|A\$|\$|€|£|USD|EUR|GBP|CAD|AUD|CHF)"
#: Millions of money; of a rent it may be "monthly".
BARE_M = r"\(m\)"
_CODE_LOW = r"(?:usd|eur|gbp)"
#: Each says its scale wherever it stands in a header or a note.
_SCALES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        THOUSAND,
        (
            r"\bin\s+(?:US\s?)?\$?\s?thousands?\b",
            r"\(\s*(?:\$\s*)?thousands?\s*\)",
            r"(?:\$|€|£)\s*thousands?\b",
            r"(?:\$|€|£|\bx|\bin|\(|\b(?:USD|EUR|GBP|CHF))\s*[,'’]?000(?:['’]?s)?(?![\d,.])",
            r"\(?\bx\s?1[,.' ]?000\b",
            r"\b(?:en|in)\s+(?:milliers|miles|migliaia|duizenden|tausend|tsd)\b",
            r"(?<![\d,.])\b000['’]?s\b",
            r"\bT(?:€|EUR|USD)\b|T€|\bk(?:EUR|USD|GBP)\b|k€",
            r"(?:\$|€|£)\s?k\b|\b(?:USD|EUR|GBP)\s?k\b|\(k\)",
        ),
    ),
    (
        MILLION,
        (
            r"\bin\s+(?:US\s?)?\$?\s?(?:millions?|mio|mn|mm|mil)\b",
            r"\(\s*(?:(?:US)?\$\s*)?(?:millions?|mm|mn|mil|mio)\s*\)",
            BARE_M,
            r",\s*(?:millions?|mm|mn|mil|mio)\s*\)",
            r"\b(?:en|in)\s+(?:millions|millones|milioni|miljoenen)\b",
            _SIGN + r"\s?,\s?(?:millions?|mm|mn)\b",
            _SIGN + r"[\s_]?(?:mm|mn|mil|mio|millions?|m)\b(?!\s*/|²|2)",
            rf"(?:^|[\s(_])(?:mm|mn|mil|mio|million)\.?[\s_]?(?:\$|€|£|{_CODE_LOW})",
            rf"\bm(?:€|£)|(?:^|_){_CODE_LOW}_m(?:$|_|\b)",
        ),
    ),
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
        match = pattern.search(text)
        if match and (best is None or factor > best.factor):
            best = Scale(factor, match[0].strip())
    return best


def size_scale_in(text: str) -> Scale | None:
    """The scale of sizes that a note such as "SF in thousands" states, or None; "except per SF" speaks of none."""
    match = _SIZE_SCALE.search(text)
    return Scale(THOUSAND, match[0].strip()) if match else None
