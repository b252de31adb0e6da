"""Whose dollars a bare $ shows: where the deals are elsewhere than in the United States, those of that place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from schemas.deal import Column, Issue
from tools.deals.formats import Formats
from tools.deals.words import WORDS

#: What says that the dollars are those of the United States; 409 is the language identifier of English there.
_AMERICAN = re.compile(r"US\s?\$|\bUSD\b|\bU\.?S\.? dollars?\b|\$-(?:0*409|en-US)\b", re.IGNORECASE)


def dollars_of_places(
    money: Sequence[Column],
    places: Sequence[str | None],
    formats: Sequence[Formats],
    about: Sequence[str],
    why: str = "that is where the deals are",
) -> list[Issue]:
    """Issues `currency.assumed` of columns whose bare $ now stands for the dollars of its record's place.

    `places` is the currency that is used where each record is, or that it is in as `why` says. What says that it is in
    US dollars stays so.
    """
    if not {*places} & {*WORDS.shared_signs["$"]} - {"USD"}:
        return []
    local = {record: code for record, code in enumerate(places) if code in WORDS.shared_signs["$"] and code != "USD"}
    if any(_AMERICAN.search(text) for text in about):
        return []
    found = (_moved(column, local, shown, why) for column, shown in zip(money, formats, strict=True))
    return [issue for issue in found if issue is not None]


def _moved(column: Column, local: dict[int, str], formats: Formats, why: str) -> Issue | None:
    shown = {column.currency, *column.currencies.values()}
    if "USD" not in shown or _AMERICAN.search(column.header):
        return None
    american = {at for at, code in enumerate(formats.codes) if _AMERICAN.search(code)}
    ids = formats.ids.tolist()
    moved = {
        record: code
        for record, code in local.items()
        if column.values[record] is not None
        and column.currencies.get(record, column.currency) == "USD"
        and ids[record] not in american
        and not _AMERICAN.search(str(column.raws[record]))
    }
    if not moved:
        return None
    others = {record: code for record, code in column.currencies.items() if record not in moved}
    common = Counter(moved.values()).most_common(1)[0][0]
    held = sum(value is not None for value in column.values)
    if len(moved) + len(others) == held:
        column.currency = common
    column.currencies = dict(sorted((others | moved).items()))
    if column.currency == common:
        column.currencies = {record: code for record, code in column.currencies.items() if code != common}
    codes = ", ".join(sorted(set(moved.values())))
    message = f"{column.field}: $ was taken for {codes}, as {why}."
    return Issue("currency.assumed", "info", message)
