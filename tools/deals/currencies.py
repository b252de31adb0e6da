"""The currency of each amount: what its cell, its column, its record, its table and its place show, in this order."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from schemas.deal import Column, Issue
from tools.deals.column_context import Normal
from tools.deals.currency_signs import currency_of_format, is_shared, settled
from tools.deals.findings import MOST_CELLS, Finding
from tools.deals.formats import Formats
from tools.deals.mapping import MappedColumn, SignsBeside
from tools.deals.words import WORDS

_COLUMN_SHARE = 0.5


def shown_currency(
    mapped: MappedColumn,
    formats: Formats,
    normal: Normal,
    by_record: Sequence[str | None] | None,
    signs: SignsBeside | None = None,
) -> tuple[str | None, dict[int, str]]:
    """A column's currency, by its header, its values' signs and its number formats; and the records that differ.

    A sign that several currencies share stands in the place of a code, for `settle_shared`.

    `by_record` is what a column of currencies says. Where only a few cells show one, it is that of these alone, and
    the column's is None; that of the first record, which accountants give a sign for all below it, is the column's.
    `signs` in cells beside the values count as the values' own; an empty cell among different ones says nothing.
    """
    if signs:
        normal.currencies = {r: c for r, c in signs.codes.items() if normal.values[r] is not None} | normal.currencies
    stated = mapped.header.currency or mapped.header.band_currency
    if by_record is not None and stated is None:
        said = {r: settled(code, [by_record[r]]) or code for r, code in normal.currencies.items()}
        return _by_record(dict(enumerate(by_record)) | said, normal)
    by_format = [currency_of_format(code) for code in formats.codes]
    if not normal.currencies and len(set(by_format)) <= 1:
        alone = by_format[0] if by_format else None
        if alone is None or stated in (None, alone):
            return stated or alone, {}
    ids: list[int] = formats.ids.tolist()
    said = {record: code for record, at in enumerate(ids) if (code := by_format[at])} | normal.currencies
    common = stated or _of_column(said, normal, signs is not None)
    return common, _others(common, said, normal)


def _of_column(said: Mapping[int, str], normal: Normal, apart: bool) -> str | None:
    """The currency that half of the values show, or the first alone; None where it is only that of a few.

    Of signs that stand `apart` from the values, different ones speak for the column only where no value has none.
    """
    held = [record for record, value in enumerate(normal.values) if value is not None]
    shown = Counter(said[record] for record in held if record in said)
    code, count = (shown or Counter(said.values())).most_common(1)[0]
    if shown.total() == len(held):
        return code
    on_top = bool(held) and held[0] in said and len(shown) == 1
    return code if on_top or (count >= _COLUMN_SHARE * len(held) and not (apart and len(shown) > 1)) else None


def _by_record(said: Mapping[int, str | None], normal: Normal) -> tuple[str | None, dict[int, str]]:
    """The currency of most records, and that of those whose value is in another one."""
    held = Counter(code for record, code in said.items() if code and normal.values[record] is not None)
    common = held.most_common(1)[0][0] if held else None
    return common, _others(common, said, normal)


def _others(common: str | None, said: Mapping[int, str | None], normal: Normal) -> dict[int, str]:
    """The records with a value in another currency than `common`."""
    return {r: c for r, c in sorted(said.items()) if c and c != common and normal.values[r] is not None}


def settle_shared(column: Column, hints: Sequence[str | None]) -> list[Finding]:
    """Puts codes for the signs that several currencies share, and says which amounts have none: nothing tells it.

    What the column shows elsewhere tells, else the first of `hints` that uses the sign.
    """
    signs = {r: sign for r, sign in column.currencies.items() if is_shared(sign)}
    if is_shared(column.currency):
        held = [r for r, value in enumerate(column.values) if value is not None and r not in column.currencies]
        signs |= dict.fromkeys(held, column.currency)
    elif not signs:
        return []
    others = [code for code in column.currencies.values() if not is_shared(code)]
    hints = [None if is_shared(column.currency) else column.currency, *others, *hints]
    column.currency = settled(column.currency, hints)
    codes = {r: settled(code, hints) for r, code in column.currencies.items()}
    untold = {r: sign for r, sign in sorted(signs.items()) if codes.get(r, column.currency) is None}
    column.currencies = codes | dict.fromkeys(untold)
    return [
        Finding("currency.ambiguous" if _is_sign(sign) else "currency.unread", r, sign) for r, sign in untold.items()
    ]


def _is_sign(text: str | None) -> bool:
    """Whether a text is a currency's sign, if only one of several currencies or of none that is known."""
    return text in WORDS.shared_signs or any(unicodedata.category(letter) == "Sc" for letter in text or "")


def all_untold(column: Column) -> bool:
    """Whether each amount shows a sign, and none of them tells its currency."""
    held = [record for record, value in enumerate(column.values) if value is not None]
    return bool(held) and all(column.currencies.get(record, "") is None for record in held)


def give_to_records(money: Sequence[Column]) -> None:
    """Amounts without a currency in columns without one: that of their record, where another of its amounts shows one.

    Only what a cell shows for its record alone counts, so that an amount in pounds among dollars has its NOI in pounds.
    """
    said: dict[int, set[str]] = {}
    for column in money:
        for record, code in ((r, c) for r, c in column.currencies.items() if c):
            said.setdefault(record, set()).add(code)
    for column in (c for c in money if c.currency is None):
        more = {
            record: next(iter(codes))
            for record, codes in said.items()
            if len(codes) == 1 and column.values[record] is not None
        }
        column.currencies = dict(sorted((more | dict(column.currencies)).items()))


def shown_beside(column: Column, signs: SignsBeside, address: Callable[[int, int], str]) -> Issue:
    """The issue `currency.beside` of a column whose currency stands in cells beside it, which it names."""
    shown = [record for record in signs.codes if column.values[record] is not None]
    said = ", ".join(sorted({signs.codes[record] for record in shown}))
    amounts = f"{len(shown):,} amount" + ("s" if len(shown) != 1 else "")
    message = f"{column.field}: the currency of {amounts} stands in a cell beside it ({said})."
    told = {*shown, *column.currencies}
    without = sum(value is not None and record not in told for record, value in enumerate(column.values))
    if without and column.currency and not is_shared(column.currency):
        message = f"{message[:-1]}; {column.currency} was taken for the {without:,} without one as well."
    return Issue("currency.beside", "info", message, tuple(address(*signs.cells[r]) for r in shown[:MOST_CELLS]))


def unread_beside(what: str, cells: Sequence[tuple[int, int]], address: Callable[[int, int], str]) -> Issue:
    """The issue `beside.unread` of a column beside which `cells` hold neither a currency nor a unit."""
    count = f"{len(cells):,} cell" + ("s" if len(cells) != 1 else "")
    message = f"{what}: {count} beside it, where currencies or units stand, hold none that is known; check the amounts."
    return Issue("beside.unread", "warning", message, tuple(address(*cell) for cell in cells[:MOST_CELLS]))


def partly_shown(column: Column, default: str | None, cell_of: Callable[[int], str | None]) -> Issue:
    """The issue `currency.partial` of a column where only a few cells show a currency, in which the others are now."""
    held = sum(value is not None for value in column.values)
    shown = {record: code for record, code in column.currencies.items() if code}
    codes = ", ".join(sorted(set(shown.values())))
    others = f"{default} was taken for the others" if default else "the others have none"
    message = f"{column.field}: {len(shown):,} of {held:,} amounts show a currency ({codes}); {others}."
    cells = (cell for record in list(shown)[:MOST_CELLS] if (cell := cell_of(record)))
    return Issue("currency.partial", "warning", message, tuple(cells))
