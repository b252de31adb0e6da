"""What a title, a section or a note states of the amounts about it: scale, currency, unit of areas, period of rents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from tools.deals.currency_signs import CODES, SIGNS, currency_in, is_shared
from tools.deals.header_text import read_header, tokenize
from tools.deals.rents_said import rents_said
from tools.deals.scale import spoken_scales
from tools.deals.scale_notes import LONGEST_NOTE, NoteScale, is_bare, read_note
from tools.workbook.words import as_seen, is_unit

FULL = NoteScale()
"""The scale of what states a currency and no scale: "(EUR)", "in dollars"."""
_SCALED = r"(?i:thousands?|millions?|billions?|['’]?000['’]?s?|mm?|k|bn|mn|mio)"
_SPELT = r"(?i:dollars|euros?|pounds|francs|rupees|kronor|kroner|yen)\b"
_ONE = rf"(?:(?:US|U\.S\.)\s?)?(?:(?:{CODES})\b|(?:{SIGNS})(?!\s?(?!['’]?000s?\b)[\d.])|{_SPELT})"
_WITH_SCALE = rf"{_ONE}(?:[\s,/]*(?i:in\s+)?{_SCALED})?"
_AMOUNTS = r"(?i:(?:all|amounts?|prices?|figures?|values?|rents?|in|are|shown|whole|actual)\s+)*"
#: A currency in brackets, after "in", after a stroke or a comma at the end, or by itself.
_CURRENCY = re.compile(
    rf"[(\[,;]\s*{_AMOUNTS}{_WITH_SCALE}\s*(?=[)\],;])"
    rf"|\b(?i:in|currency:?|ccy:?)\s+(?:{_SCALED}\s+(?:of\s+)?)?{_ONE}"
    rf"|\s[-–—|:]\s*{_WITH_SCALE}\s*$|,\s*{_ONE}\s*$|^\W*{_WITH_SCALE}\W*$"
)
_AREAS = frozenset({"sqm", "sf", "sqyd", "tsubo"})
_AREA = re.compile(
    r"\b(?:areas?|sizes?|surfaces?|gla|nla|gia|gba|nia|rba)\b[\s:]*(?:(?:is|are|all|measured|given|shown|stated|in)\s+)*"
    r"(?P<unit>[^\d,;()\[\]]{2,20}[²2]?)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_PIECES = re.compile(r"[,;&]|\band\b", re.IGNORECASE)
_OF_AMOUNTS = re.compile(r"\b(?:all|amounts?|figures?|prices?|values?|rents?|numbers?|areas?)\b", re.IGNORECASE)
_RENTS = frozenset({"rent", "rents", "rental", "rentals", "income", "charges", "payments", "payment"})


@dataclass(frozen=True, slots=True)
class Statement:
    """What is stated, None for what is not; `scale` is FULL where a currency is, and no scale.

    `period` is that of rents: annual or monthly, with the unit of area that they are for: "annual per_sf", "per_sqm".
    """

    scale: NoteScale | None = None
    currency: str | None = None
    area: str | None = None
    period: str | None = None

    def over(self, before: Statement) -> Statement:
        """This statement, and what `before` states beside it; a currency without a scale leaves that before it."""
        return Statement(
            self.scale if self.scale not in (None, FULL) else before.scale or self.scale,
            self.currency or before.currency,
            self.area or before.area,
            self.period or before.period,
        )


@lru_cache(maxsize=4096)
def stated(text: str) -> Statement:
    """What `text` states; a long text states nothing."""
    plain = " ".join(as_seen(text).split())
    if len(plain) > LONGEST_NOTE:
        return Statement()
    match = _CURRENCY.search(plain)
    code = currency_in(match[0]) if match else None
    note = read_note(plain)
    scale = replace(note, mark=None) if note else FULL if match else None
    header = read_header(plain)
    rents = _RENTS & {*tokenize(plain)} or any(read_header(part).period for part in _BRACKETED.findall(plain))
    period = header.period if rents else None
    if (said := rents_said(plain)) and said.unit:
        period = f"{said.period or ''} {said.unit}".strip()
    return Statement(scale, None if is_shared(code) else code, area_stated(plain), period)


def all_stated(texts: Iterable[str]) -> Statement:
    """What several texts state together; the later ones stand nearer."""
    found = Statement()
    for text in texts:
        found = stated(text).over(found)
    return found


def area_stated(text: str) -> str | None:
    """The unit in which a title or note says that areas are: "Germany (areas in sqm)", "(EUR, m²)"; None without."""
    said = [match["unit"] for match in _AREA.finditer(text)]
    inside = (part for part in [*_BRACKETED.findall(text), text] if "/" not in part)
    pieces = (piece for part in inside for piece in _PIECES.split(part))
    said += [bare for piece in pieces if is_unit(bare := re.sub(r"^\W*(?:in|all)\s+", "", piece).strip())]
    units = {unit for one in said for unit in read_header(one).units & _AREAS}
    return units.pop() if len(units) == 1 else None


def is_statement(text: str) -> bool:
    """Whether a text only states a scale, a currency or a unit, and names nothing: "($ in thousands)", "EUR"."""
    plain = " ".join(as_seen(text).split())
    rest = plain
    for scale in spoken_scales(plain):
        rest = rest.replace(scale.text, " ")
    bare = is_bare(plain) and not any(map(str.isdigit, rest))
    return bare or is_unit(plain) or _CURRENCY.fullmatch(plain) is not None


def is_of_amounts(text: str) -> bool:
    """Whether a text that states something only speaks of amounts, and is no title or name: "Prices in $000s"."""
    return is_statement(text) or _OF_AMOUNTS.search(text) is not None
