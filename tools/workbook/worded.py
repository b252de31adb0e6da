"""Rows of words that read like headers and are records: what they hold is what their columns hold, and no labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tools.workbook.cells import Flags
from tools.workbook.panel import Panel
from tools.workbook.words import DATE, DECO, NUM, is_unit

_NAMED_SHARE, _LOOK_ROWS, _BODY_WITHIN, _MOST_HEADS, _LONGEST = 0.9, 40, 6, 12, 60
_AMOUNT = r"[$€£¥₹]?\s?\d[\d.,'’]*\s?(?:k|mm?|mn|mio|bn?|million|thousand|cr|x)?\s?%?"
_SIZED = r"(?:\s?/?\s?(?:sf|psf|sq\.? ?ft\.?|rsf|gsf|m2|m²|sqm|acres?|ac\.?|ha|units?|keys?|beds?|rooms?|nnn))"
_UNIT = rf"{_SIZED}?"
_BOUND = r"(?:up to|over|under|from|about|circa|approx\.?|c\.|ca\.|at least|at most|max\.?|min\.?|\+/-|[~<>≤≥±])\s?"
_VALUE = re.compile(
    rf"{_BOUND}{_AMOUNT}{_UNIT}\W{{0,3}}"
    rf"|{_AMOUNT}\s?(?:-|–|—|to)\s?{_AMOUNT}{_UNIT}\W{{0,3}}"
    rf"|{_AMOUNT}{_UNIT}\s?(?:\+|\+/-|±)"
    rf"|{_AMOUNT}{_SIZED}\W{{0,3}}|\d[\d.,]*\s?(?:k|mm?|bn)|[$€£¥₹]\s?\d.*",
    re.IGNORECASE,
)
#: Words for no value yet that are too long, or too rare, for a cell's code.
_NOTHING = re.compile(
    r"tb[acd]\b.*|un(?:priced|disclosed|known)|confidential|negotiable|pending|withheld|vacant|mtm|p\.?o\.?a\.?|auction"
    r"|not (?:yet|priced|disclosed|set|known)|call (?:for|broker|agent)\b.*|(?:best|make an?) offers?"
    r"|(?:price )?(?:up)?on (?:request|application)|inquire.*|subject to offers?",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(\d{1,9})\s?[-–—]\s?(\d{1,9})(\D*)")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def without_worded(panel: Panel, like: Sequence[int]) -> list[int]:
    """Those of the header-like rows `like` that are header: none from the section on whose rows hold values."""
    for at in range(max(0, len(like) - _MOST_HEADS), len(like) - 1):
        head, rest = like[at], like[at + 1 :]
        parted = any(panel.lone[j] for j in range(head + 1, rest[0]) if panel.count[j])
        if parted and all(holds_values(panel, i, [head]) for i in rest):
            return list(like[: at + 1])
    return list(like)


def holds_values(panel: Panel, i: int, heads: Sequence[int]) -> bool:
    """Whether row `i`, which reads like a header below the one of the rows `heads`, holds what records do.

    Its cells and the numbers below it stand in columns that have a name, and its words over numbers are amounts, words
    for no value, or what another row holds in the same column; where two of these are there, some may be unknown.
    """
    named = panel.full[list(heads)].any(0)
    body = next((j for j in range(i + 1, min(i + _BODY_WITHIN, panel.n)) if panel.body_like[j]), None)
    if body is None or any((panel.full[j] & named).sum() < _NAMED_SHARE * panel.count[j] for j in (i, body)):
        return False
    over = np.flatnonzero(panel.texty[i] & panel.numcol).tolist()
    days = _day_columns(panel, i)
    amounts = {j for j in over if is_value(panel.text(i, j)) or (days[j] and _DIGIT.search(panel.text(i, j)))}
    nothing = {j for j in over if _NOTHING.fullmatch(panel.text(i, j)[:_LONGEST])}
    again = _again(panel, i, heads)
    kinds = sum(map(bool, (amounts, again, nothing or panel.na[i], panel.data[i])))
    if kinds < 2 and _are_bands([panel.text(i, j) for j in over]):
        return False
    return kinds > 1 or (kinds > 0 and {*amounts, *again, *nothing}.issuperset(over))


def _day_columns(panel: Panel, i: int) -> Flags:
    """The columns that hold a day in one of the next rows, and no other number."""
    below = panel.codes[i + 1 : i + 1 + _LOOK_ROWS]
    return np.asarray((below == DATE).any(0) & ~((below == NUM) | (below == DECO)).any(0), np.bool_)


def _are_bands(texts: Sequence[str]) -> bool:
    """Whether `texts` are spans of one measure that go on where the one before ended: 0-30, 31-60."""
    spans = [match for text in texts if (match := _SPAN.fullmatch(text))]
    rising = all(int(b[1]) >= int(a[2]) for a, b in pairwise(spans))
    return len(spans) > 1 and rising and len({match[3] for match in spans}) == 1


def is_value(text: str) -> bool:
    """Whether `text` is a range, a bound, or an amount with a unit; spans of years are names, and "$000s" is a unit."""
    short = len(text) <= _LONGEST and not is_unit(text)
    return short and _VALUE.fullmatch(text) is not None and _YEAR.search(text) is None


def _again(panel: Panel, i: int, heads: Sequence[int]) -> set[int]:
    """The columns, but for the first, where a row of numbers near row `i` holds the same text again."""
    near = range(max(heads[-1] + 1, i - _LOOK_ROWS), min(i + _LOOK_ROWS, panel.n))
    others = [j for j in near if panel.body_like[j]]
    columns = np.flatnonzero(panel.texty[i]).tolist()
    return {k for k in columns if k and any(panel.text(j, k) == panel.text(i, k) for j in others if panel.full[j, k])}
