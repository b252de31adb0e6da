"""The currency of a corrected amount: what its text shows, else the one that the amount is in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from schemas.deal import Column, Issue, Pin, Table
from schemas.errors import InputError
from tools.deals.currency_signs import is_shared, settled
from tools.deals.findings import Finding, issue_of

_DOLLAR = "$"
_NAMED_DOLLAR = re.compile(r"[A-Z]\$|\bUSD\b|\bUS\b|dollar", re.IGNORECASE)


def currency_in_force(table: Table, column: Column | None, record: int) -> str | None:
    """The currency of an amount as it stands: its own, its column's, or that of the table's other amounts."""
    if column is not None:
        return column.currencies.get(record, column.currency)
    return next((one.currency for one in table.columns if one.field and one.currency), None)


def currency_meant(text: str, shown: str | None, table: Table, column: Column | None, record: int) -> str | None:
    """The currency of the amount that `text` writes; `shown` is the code or the shared sign that was read in it.

    A bare $ is the dollar that the amount is in. Raises InputError `pin.value` for a sign that could be of several.
    """
    now = currency_in_force(table, column, record)
    if shown is None:
        return now
    sign = _DOLLAR if shown == "USD" and not _NAMED_DOLLAR.search(text) else shown
    found = settled(sign, (now, *(one.currency for one in table.columns)))
    if found is None and sign == _DOLLAR:
        return shown
    if found is None:
        raise InputError(
            "pin.value", f"{text}: {sign} stands for several currencies; write the code, such as NOK 3200000."
        )
    return found


def with_currency(column: Column, record: int, pin: Pin) -> Mapping[int, str | None]:
    """The currencies of a column's records that differ from its own, with `record` in that of `pin`.

    They stay as they are where the pin knows none; what is emptied has none.
    """
    code = pin.currency
    if code is None and pin.value:
        return column.currencies
    others = {at: other for at, other in column.currencies.items() if at != record}
    return others if code is None or code == column.currency else dict(sorted((others | {record: code}).items()))


def mixed(before: Table, after: Table) -> tuple[list[Issue], list[Issue]]:
    """The issues `currency.mixed` of the columns whose currencies differ in two states of a table: old ones and new."""
    old = {column.field: column for column in before.columns if column.field}
    pairs = [(old.get(column.field or ""), column) for column in after.columns if column.field]
    changed = [(was, now) for was, now in pairs if dict(was.currencies if was else {}) != dict(now.currencies)]
    return [one for was, _ in changed if was for one in _mixed(before, was)], [
        one for _, now in changed for one in _mixed(after, now)
    ]


def _mixed(table: Table, column: Column) -> Iterator[Issue]:
    found = [Finding("currency.mixed", at, code) for at, code in column.currencies.items() if code]
    if found:
        yield issue_of("currency.mixed", str(column.field), found, (table.cell(column, one.record) for one in found))


def pin_words(pin: Pin) -> tuple[str | None, str]:
    """The value that a pin replaced, None if missing, and its own; amounts with their currencies where these differ."""
    if pin.currency == pin.was_currency:
        return pin.was, pin.value
    return (pin.was and _in(pin.was_currency, pin.was)), _in(pin.currency, pin.value)


def _in(code: str | None, text: str) -> str:
    return f"{code} {text}" if code and text and not is_shared(code) else text
