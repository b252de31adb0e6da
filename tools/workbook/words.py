"""What single cell texts look like: numbers with ornaments, dates, words for "nothing", totals, notes."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence

import numpy as np

# What a cell is, as far as layout goes. DECO is a number with ornaments: $1,200, (3.5%), 12±3.
EMPTY, NUM, YEAR, DATE, DECO, NA, TEXT = range(7)

_NOTHING = """- -- --- – — .. ... … . * ** x nan null none tbd nd n/a na n.a. (na) (x) (z) (d) (s) (b)
#n/a #div/0! #value! #ref! #name? #num! #null! dnr"""
_NA_WORDS = frozenset(_NOTHING.split()) | {"not available", "not applicable"}
_SHAPE = re.compile(
    r"(?P<year>\(?(?:1[89]|20)\d\d(?:\.0)?\)?(?:\s*\\\d+|\s?[*†])?$)"
    r"|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$)"
    r"|(?P<date>(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d(?::\d\d)?)(?:[ T].*)?$)"
    r"|(?P<deco>[<>~≈±+(−-]?\s*[$€£¥]?\s*[<>+−-]?\(?\d[\d, .\u00a0]*(?:±[\d.]+)?\)?\s*[%‰*]?\)?"
    r"\s*(?:\\\d+|[a-z]\b)?$|\\\d+$)"
)
_DATE = re.compile(r"(?P<date>(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d(?::\d\d)?)[ T].*$)")
_CODE_OF_SHAPE = {"year": YEAR, "number": NUM, "date": DATE, "deco": DECO}
_STARTERS = frozenset("0123456789-+.($€£<>~\\±−¥≈")
# A text that starts otherwise is plain text: most are, and need no closer look.
_SUSPECT = _STARTERS | {word[0] for word in _NA_WORDS} | {word[0].upper() for word in _NA_WORDS}
_DIGITS = frozenset("0123456789")
_NA_STARTS = frozenset(word[:2] for word in _NA_WORDS)
# Marks that are not seen: a soft hyphen, blanks of no width, marks of direction, of byte order, and of joining.
_MARKS = "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
# Signs, digits and stops in the width of East Asian letters.
_WIDE = dict(zip(map(ord, "＄￡￠％（），．－＋／０１２３４５６７８９"), "$£¢%(),.-+/0123456789", strict=True))
_AS_SEEN: dict[int, str | None] = {**dict.fromkeys(map(ord, _MARKS)), **_WIDE}
SUSPECT = _SUSPECT | {"", *map(chr, _AS_SEEN), *filter(str.isspace, map(chr, range(0x3001)))}
"""With what a text begins, or doesn't, whose code must be looked at: any other is plain text."""
LARGEST = 1e100
"""Layout adds numbers up and compares them; no sum of numbers up to this one is infinite."""
_LONGEST_TOTAL = 60
_LONGEST_UNIT = 24
# A scale, though it reads like a number.
_SCALES = ("(1,000)", "(000)", "(1000)", "(000s)", "(1,000s)", "000s", "000's", "1,000s")
_THOUSANDS = frozenset(
    {*_SCALES, *(f"{sign}{scale}" for sign in "$€£" for scale in ("000", "000s", "000's", "1,000s"))}
)
_LONG_RULE = 4
_RULE = re.compile(r"[-=_–—.\s]+")
# Longer texts are no numbers; the patterns would take time that grows with the square of their length.
_LONGEST_NUMBER = 255

TOTAL_RE = re.compile(
    r"^\W*(grand |(sub|sous)-? ?)?totals?\b|\b(sub-? ?)?totals?\W*(\\?\d+)?$|\b(zwischen|teil|gesamt|end)?summe\W*$|"
    r"^\W*((zwischen|teil|gesamt|end)?summe|gesamt|insgesamt|zusammen|totaux|ensemble|(sub)?totale|"
    r"totaal|celkem|součet|razem|ogółem|suma|yhteensä|toplam|genel toplam|jumlah|összesen|итого|всего|сумма|"
    r"合計|合计|总计|小计|小計|総計)\b",
    re.IGNORECASE,
)
# One of these is in every text that TOTAL_RE finds: a cheap look before the pattern.
_STEMS = """total summe gesamt zusammen totaux ensemble totaal celkem součet razem ogółem suma yhteensä toplam jumlah
összesen итого всего сумма 合計 合计 总计 小计 小計 総計"""
_TOTAL_STEMS = tuple(_STEMS.split())
_SHARED_ROOTS = ("tota", "sum", "sam")
_TOTAL_ROOTS = (*_SHARED_ROOTS, *(stem for stem in _TOTAL_STEMS if not any(root in stem for root in _SHARED_ROOTS)))
NOTE_RE = re.compile(
    r"^\W{0,3}(sources?\b|notes?\b|footnotes?\b|symbols?\b|quelle|anmerkung|fuente|nota\b|fonte|zdroj|pozn|источник|"
    r"примечани|for more|see also|data source|prepared|last updated?|updated|date run|includes |excludes )|"
    r"^\(?[a-z0-9]{1,2}\)\s|^\d{1,2}/\s|^[*†‡§¹²³]+(\s?\w|$)|^\\\d|^\[\d+\]|^(-|–)+\s*represents|"
    r"^\w{1,4}\s*[=:]\s*(not|less|data|fewer|no)\b|https?://|www\.",
    re.IGNORECASE,
)
UNIT_RE = re.compile(
    r"\W*((in|us|cdn)\W*)?([$€£¥%#]|usd|eur|gbp|cad|aud|'?0{3}'?s?|(?<=\()1[,.]?000'?s?(?=\))|thousands?|mill?ions?|mm?|bn|mio|k|tsd|"
    r"sq\.?\s?(ft|feet|m|mi)\.?|sf|psf|gsf|rsf|nsf|m2|m²|ha|acres?|ac|km|ft|y(ea)?rs?|months?|mos?|days?|units?|beds?|"
    r"persons?|pct|percent|prozent|kg|tons?|tonnes?|per\s\w+)"
    r"(\W*(/|per|in)?\s*([$€£%]|0{3}'?s?|000s|thousands?|millions?|sf|psf|sq\.?\s?ft\.?|unit|month|mo|y(ea)?r|acre|m2))?\W*",
    re.IGNORECASE,
)


def as_seen(text: str) -> str:
    """`text` without the marks in it that nobody sees, and in letters of usual width.

    Programs leave such marks in numbers, dates and headers.
    """
    return text if text.isascii() else text.translate(_AS_SEEN)


def code_of_text(text: str) -> int:
    """The code of a cell text."""
    text = as_seen(text).strip()
    if not text or text[0] not in _SUSPECT or len(text) > _LONGEST_NUMBER:
        return TEXT if text else EMPTY
    if text.isdecimal() and len(text) != 4:
        return NUM
    if text[0] in _STARTERS:
        if text in _THOUSANDS:
            return TEXT
        # Ending in letters, it is no number: an address, or a date with words after it.
        match = (_DATE if text[-2:].isalpha() else _SHAPE).match(text)
        if match is not None and match.lastgroup is not None:
            return _CODE_OF_SHAPE[match.lastgroup]
    return NA if len(text) <= 14 and text.lower() in _NA_WORDS else TEXT


def codes_of_texts(texts: Iterable[str]) -> dict[str, int]:
    """The codes of those of `texts` that may be more than plain text; all others have TEXT."""
    found: dict[str, int] = {}
    for text in texts:
        first = text[:1]
        if first not in SUSPECT:
            continue
        if first in _DIGITS:
            if text[-2:].isalpha() and _DATE.match(text) is None:
                continue
            if text.isdecimal() and len(text) != 4 and len(text) <= _LONGEST_NUMBER:
                found[text] = NUM
                continue
        elif text[:2].isalpha() and text[1:2] and text[:2].lower() not in _NA_STARTS:
            continue
        found[text] = code_of_text(text)
    return found


def is_unit(text: str) -> bool:
    """Whether `text` names a unit or a scale: ($000s), %, SF, (gallons per person)."""
    return len(text) <= _LONGEST_UNIT and (UNIT_RE.fullmatch(text) is not None or _in_brackets(text))


def _in_brackets(text: str) -> bool:
    return text.startswith("(") and text.endswith(")") and code_of_text(text) == TEXT


def numbers_columns(texts: Sequence[str]) -> bool:
    """Whether `texts` number columns: (1) (2) (3), [A] [B] [C], or 1 2 3 4 without brackets."""
    bare = [text.strip("()[] .").removesuffix(".0").upper() for text in texts]
    bracketed = all(text[:1] in "([" for text in texts)
    if len(bare) < (3 if bracketed else 4):
        return False
    letters = [chr(65 + at) for at in range(min(len(bare), 26))]
    return bare in ([str(at + 1) for at in range(len(bare))], letters)


def is_drawn(texts: Sequence[str]) -> bool:
    """Whether `texts` draw a line: nothing but dashes and the like, or such beside a label, one of them long."""
    rules = [_RULE.fullmatch(text) is not None for text in texts]
    long = any(rule and len(text) >= _LONG_RULE for rule, text in zip(rules, texts, strict=True))
    return all(rules) or (len(rules) > 2 and all(rules[1:]) and long)


def number_of_text(text: str) -> float:
    """The number in a text of code NUM, YEAR or DECO, cut to LARGEST; NaN where it is unclear."""
    try:
        number = float(as_seen(text))
    except ValueError:
        bare = re.sub(r"[^\d.\-]", "", text.replace("(", "-"))
        number = float(bare) if re.fullmatch(r"-?(\d+\.?\d*|\.\d+)", bare) else float("nan")
    return math.copysign(min(abs(number), LARGEST), number)


def numbers_of_texts(texts: Sequence[str]) -> list[float]:
    """The number in each of `texts`, as `number_of_text` gives it."""
    try:
        return np.clip(np.array(list(map(float, texts)), np.float64), -LARGEST, LARGEST).tolist()
    except ValueError:
        return [number_of_text(text.strip()) for text in texts]


def totals_among(texts: Collection[str]) -> frozenset[str]:
    """Those of `texts` that read like the label of a total. The pattern is tried only where one of its stems stands."""
    listed = list(texts)
    joined = "\0".join(listed).lower()
    if joined.count("\0") >= len(listed):  # some text has one of its own
        joined = "\0".join(text.replace("\0", " ") for text in listed).lower()
    plain = joined.isascii()
    roots = [root for root in _TOTAL_ROOTS if not (plain and not root.isascii()) and root in joined]
    stems = [stem for stem in _TOTAL_STEMS if any(root in stem for root in roots) and stem in joined]
    starts = np.cumsum([0] + [len(text) + 1 for text in joined.split("\0")]) if stems else np.zeros(1, np.int64)
    found: set[int] = set()
    for stem in stems:
        at = joined.find(stem)
        while at >= 0:
            found.add(int(np.searchsorted(starts, at, "right")) - 1)
            at = joined.find(stem, at + 1)
    labels = (listed[index] for index in found if len(listed[index]) < _LONGEST_TOTAL)
    return frozenset(label for label in labels if TOTAL_RE.search(label.strip()))
