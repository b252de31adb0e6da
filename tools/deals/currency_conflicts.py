"""Currencies that contradict: of a note, a header, a column of currencies and the amounts' own cells, one was taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from schemas.deal import Column, Issue
from tools.deals.currency_signs import CODES, SIGNS, currency_in, is_shared
from tools.deals.findings import MOST_CELLS
from tools.deals.said import as_held
from tools.deals.words import WORDS

_LEAST_SHARE, _MOST_NAMED, _LONGEST_NOTE = 0.5, 4, 300
_ONE = rf"(?:(?:US|U\.S\.)\s?)?(?:(?:{CODES})\b|(?:{SIGNS})(?!\s?(?!000)[\d.]))"
#: What says of the amounts below in which currency they are; "over $10m" says it of none.
_STATED = re.compile(
    rf"\b(?i:in|currency:?|ccy:?)\s+(?:(?:thousands?|millions?|000'?s?|mm?|k)\s+(?:of\s+)?)?{_ONE}"
    rf"|\(\s*{_ONE}(?:[\s,]*(?:in\s+)?(?:thousands?|millions?|000'?s?|mm?|k))?\s*\)|^\W*{_ONE}\W*$"
)
_OF_AMOUNTS = re.compile(r"\b(?:all|amounts?|figures?|prices?|values?|numbers?|currenc\w+)\b", re.IGNORECASE)
Place = Callable[[int], str | None]


def stated_currency(text: str) -> str | None:
    """The currency that a title or a note says the amounts are in: "All figures in GBP", "(€m)"; None without.

    Of a long text its beginning is read.
    """
    match = _STATED.search(text[:_LONGEST_NOTE])
    return currency_in(match[0]) if match else None


def speaks_of_currency(text: str) -> bool:
    """Whether a note anywhere about a table says in which currency its amounts are."""
    return _OF_AMOUNTS.search(text) is not None and stated_currency(text) is not None


def contradicted_note(
    money: Sequence[Column], lines: Sequence[tuple[str, str]], first: Callable[[Column], str | None]
) -> Issue | None:
    """A warning `currency.note` where a line of `lines` (text, cell) states a currency in which no amount is.

    The amounts' headers and cells stand nearer to them: what they show was taken. `first` gives a column's first cell.
    """
    used = {code for column in money for code in (column.currency, *column.currencies.values()) if code}
    for text, cell in lines:
        code = stated_currency(text)
        if code is None or is_shared(code) or not used or code in used or _may_be_dollars(code, text, used):
            continue
        fields = ", ".join(str(column.field) for column in money[:_MOST_NAMED])
        shown = ", ".join(sorted(used))
        message = f"{as_held(text)} says {code}, and {fields} show {shown}: {shown} was taken. Correct what is wrong."
        cells = (one for column in money[:MOST_CELLS] if (one := first(column)))
        return Issue("currency.note", "warning", message, (cell, *cells), code, shown)
    return None


def _may_be_dollars(code: str, text: str, used: Collection[str]) -> bool:
    """Whether a bare $ in `text` may stand for each of the currencies `used`."""
    return code == "USD" and "US" not in text.upper() and {*WORDS.shared_signs["$"]}.issuperset(used)


def contradicted_header(column: Column, stated: str | None, place: Place) -> Issue | None:
    """A warning `currency.conflict` where most cells of a column show another currency than its header; else None.

    `place` gives the cell of a record.
    """
    if stated is None or is_shared(stated) or not column.currencies:
        return None
    held = sum(value is not None for value in column.values)
    others = {r: code for r, code in column.currencies.items() if code and code != stated}
    if len(others) < max(1, _LEAST_SHARE * held) or _may_be_dollars(stated, column.header, {*others.values()}):
        return None
    shown = ", ".join(sorted(set(others.values())))
    message = (
        f"{column.field}: the header says {stated}, and {len(others):,} of {held:,} cells show {shown}; what each cell "
        "shows was taken."
    )
    cells = tuple(cell for r in list(others)[:MOST_CELLS] if (cell := place(r)))
    return Issue("currency.conflict", "warning", message, cells, stated, shown)


def contradicted_column(column: Column, said: Sequence[str | None], place: Place) -> Issue | None:
    """A warning `currency.conflict` where a column of currencies says another one than an amount has; else None."""
    other = [
        r
        for r, code in enumerate(said)
        if code and not is_shared(code) and column.values[r] is not None
        if column.currencies.get(r, column.currency) not in (None, code)
    ]
    if not other:
        return None
    names = ", ".join(sorted({str(said[r]) for r in other}))
    taken = ", ".join(sorted({str(column.currencies.get(r, column.currency)) for r in other}))
    message = (
        f"{column.field}: its header or its cells say {taken}, and the column of currencies {names} for {len(other):,} "
        f"of them; {taken} was taken."
    )
    cells = tuple(cell for r in other[:MOST_CELLS] if (cell := place(r)))
    return Issue("currency.conflict", "warning", message, cells, names, taken)
