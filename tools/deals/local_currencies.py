"""Amounts in local currency, which is that of each deal's place; and a currency shown for the first amount alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from schemas.deal import Column, Issue
from tools.deals.column_context import Normal
from tools.deals.currency_signs import currency_of_format
from tools.deals.findings import MOST_CELLS
from tools.deals.formats import Formats

_SEVERAL = 2
_MONEY = r"(?:currenc(?:y|ies)|ccy|curr)\b\.?"
_LOCAL = re.compile(
    rf"\(\s*(?:in\s+)?(?:local(?:\s+{_MONEY})?|LCU|LCY|LC)\s*(?:[,;][^)]*)?\)|\blocal\s+{_MONEY}|\b(?-i:LCU|LCY)\b",
    re.IGNORECASE,
)


def settle_local(
    money: Sequence[Column], places: Sequence[str | None], cell_of: Callable[[Column, int], str | None]
) -> list[Issue]:
    """Gives amounts whose header says that they are in local currency that of their place, none where none tells.

    `places` has the currency of each record's place. Issues say what was taken, and what was not.
    """
    issues: list[Issue] = []
    for column in money:
        if column.currency is not None or _LOCAL.search(column.header) is None:
            continue
        held = [record for record, value in enumerate(column.values) if value is not None]
        own = {record: column.currencies.get(record) or places[record] for record in held}
        column.currencies = own
        untold = [record for record, code in own.items() if code is None]
        issues += [_issue(column, own, untold, cell_of)] if held else []
    return issues


def _issue(
    column: Column, own: dict[int, str | None], untold: Sequence[int], cell_of: Callable[[Column, int], str | None]
) -> Issue:
    cells = tuple(cell for record in (untold or [*own])[:MOST_CELLS] if (cell := cell_of(column, record)))
    if untold:
        message = (
            f"{column.field}: in local currency, and nothing tells which for {len(untold):,} of {len(own):,} amounts; "
            "none was taken for these."
        )
        return Issue("currency.partial", "warning", message, cells)
    codes = ", ".join(sorted({code for code in own.values() if code}))
    message = f"{column.field}: in local currency; that of each deal's country was taken ({codes})."
    return Issue("currency.assumed", "info", message, cells)


def shown_first_alone(formats: Formats, normal: Normal) -> bool:
    """Whether of several amounts the first alone shows a currency, by its sign or its number format."""
    held = (record for record, value in enumerate(normal.values) if value is not None)
    by_format = [currency_of_format(code) for code in formats.codes]
    ids: list[int] = formats.ids.tolist() if by_format else []
    shown = (bool(normal.currencies.get(record) or (ids and by_format[ids[record]])) for record in held)
    return next(shown, False) and not next(shown, True) and not any(shown)


def keep_to_first(money: Sequence[Column], alone: Collection[str]) -> None:
    """Leaves a currency to the first amount that alone shows it, where other amounts of the deals are in several.

    Else accountants give the first a sign for all below it. `alone` are the places of columns with such a first amount.
    """
    mixed = any(len({code for code in (c.currency, *c.currencies.values()) if code}) > 1 for c in money)
    for column in money if mixed else ():
        if column.place in alone and column.currency is not None and not column.currencies:
            first = next(record for record, value in enumerate(column.values) if value is not None)
            column.currency, column.currencies = None, {first: column.currency}
