"""Texts that are values of a field and no labels: amounts, ranges, bounds, dates, and words for no value yet."""

from __future__ import annotations

import re

from tools.deals.dates import AmbiguousDateError, is_partial, read_date
from tools.deals.dictionary import FieldSpec
from tools.deals.numbers import NumberText, is_placeholder, read_number
from tools.deals.words import WORDS
from tools.workbook.words import is_unit

_PERIODS = frozenset({"months", "years"})
_YEAR = re.compile(r"\D{0,4}(?:1[89]|20)\d\d\D?")
#: Amounts among words: no more than $3M, 6.25% (projected), TBD by June.
_AMONG_WORDS = re.compile(r"[$€£¥₹]\s?\d|\d\s?%|^(?:tbd|tba|tbc|n/a)\b", re.IGNORECASE)


def is_value_text(text: str, spec: FieldSpec | None) -> bool:
    """Whether `text` is what a cell of field `spec` holds; None is a column whose field is unknown.

    Words are values only where they say that there is none, and what tells of when an amount was is none.
    """
    if is_placeholder(text):
        return True
    kind = spec.type if spec is not None else "number"
    if kind == "text" or is_unit(text) or is_refinement(text, spec):
        return False
    number = read_number(text, None)
    held = isinstance(number, NumberText) or number.why == "range" or _AMONG_WORDS.search(text) is not None
    return held or (kind == "date" and (_is_day(text) or is_partial(text)))


def is_refinement(text: str, spec: FieldSpec | None) -> bool:
    """Whether `text` says of which time or what sort the amounts of field `spec` are: 2024, 12 months, pro forma."""
    kind = spec.type if spec is not None else "number"
    if kind in ("text", "date") or _AMONG_WORDS.search(text):
        return False
    if kind != "year" and (_YEAR.fullmatch(text) or is_partial(text) or _is_day(text)):
        return True
    number = read_number(text, None)
    timed = isinstance(number, NumberText) and number.unit in _PERIODS and (spec is None or spec.unit not in _PERIODS)
    return timed or text.casefold() in WORDS.beside_numbers


def _is_day(text: str) -> bool:
    try:
        return read_date(text, None) is not None
    except AmbiguousDateError:
        return True
