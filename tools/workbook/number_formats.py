"""What a number format shows: dates, years, plain numbers."""

from __future__ import annotations

import re

_DATE_LETTER = re.compile(r"[ymdhs]", re.IGNORECASE)
_DAY_LETTER = re.compile(r"[yd]", re.IGNORECASE)
_DIGITS_FIRST = re.compile(r"[^ymdhs0#?]*[0#?]", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|General', re.IGNORECASE)
_YEAR_FORMATS = frozenset({"", "0", "@", "0000", "#", "####"})


def is_date_format(code: str) -> bool:
    """Whether number format `code` shows a date or time."""
    return _DATE_LETTER.search(_bare(code)) is not None and not is_number_with_letters(code)


def is_number_with_letters(code: str) -> bool:
    """Whether `code` shows a number and letters that should be quoted, `#,##0 sf`: no date has digits before it."""
    bare = _bare(code)
    return _DIGITS_FIRST.match(bare) is not None and _DATE_LETTER.search(bare) is not None


def shows_day(code: str) -> bool:
    """Whether number format `code` shows days or years, and not times alone."""
    return _DAY_LETTER.search(_bare(code)) is not None


def is_elapsed_format(code: str) -> bool:
    """Whether number format `code` shows a span of time: `[h]:mm`."""
    return _ELAPSED.search(code.partition(";")[0]) is not None


def may_show_year(code: str) -> bool:
    """Whether a number shown by `code` may be a year: no separators, decimals, currency or percent sign."""
    return code in _YEAR_FORMATS or is_date_format(code)


def _bare(code: str) -> str:
    """The part of `code` for positive numbers, without its literals, colours and conditions."""
    return _LITERAL.sub("", code.partition(";")[0])
