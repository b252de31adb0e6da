"""Columns of signs beside columns of amounts: they give these their currency or unit, and are no field of their own."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from schemas.workbook import column_index
from tools.deals.dictionary import dictionary
from tools.deals.header_text import read_header, tokenize
from tools.deals.mapping import ColumnView, MappedColumn, SignsBeside
from tools.deals.numbers import NumberText, is_placeholder, read_number
from tools.deals.places import CURRENCY_ALONE, CURRENCY_WORDS
from tools.deals.profile import profile
from tools.deals.sign_kinds import (
    KINDS,
    SignKind,
    currency_beside,
    is_absent,
    is_sign,
    likely_field,
    plain_sign,
    sign_kind,
    suits,
)
from tools.deals.units_joined import with_units
from tools.workbook.grid import Sheet

_SAMPLED, _AMOUNTS_SHARE, _MOST_WITHOUT = 60, 0.6, 0.5
#: Letters that are more than a magnitude where the header does not bind them to an amount: a class, a unit.
_LETTERS = frozenset({"b", "cr"})
_FULL = 1e6
_SAME, _BAND, _UNSAID = 3, 2, 1
_NO_MONEY = -1
#: What a column of units is called beside what it is the unit of.
_UNIT_WORDS = frozenset(
    {"unit", "units", "uom", "measure", "measurement", "period", "frequency", "freq", "basis", "per", "type"}
)
#: What names amounts of any sort: "area unit" behind a building's size.
_SORTS = frozenset(
    {"area", "size", "building", "land", "lot", "site", "space", "floor", "rent", "price", "rate", "term", "lease"}
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A column of signs and the amounts that it may belong to, by index; the larger `worth`, the likelier."""

    worth: tuple[int, int, float]
    sign: int
    amount: int


def with_signs(columns: Sequence[ColumnView], rows: Sequence[int], settled: Container[str] = ()) -> list[ColumnView]:
    """The columns of a table with a record a row, those of signs joined with their amounts; `rows` are the records'.

    Columns whose letters are in `settled` are what somebody said, and stay.
    """
    views = enumerate(columns)
    kinds = {at: kind for at, view in views if view.letters not in settled and (kind := _kind(view)) is not None}
    if not kinds:
        return list(columns)
    headers = _headers(columns, kinds)
    found = list(columns)
    taken: set[int] = set()
    used: set[tuple[int, str]] = set()
    for pair in _pairs(columns, kinds, headers):
        role = "currency" if kinds[pair.sign].kind == "currency" else "unit"
        if pair.sign not in taken and (pair.amount, role) not in used:
            taken.add(pair.sign)
            used.add((pair.amount, role))
            signs = columns[pair.sign]
            own = found[pair.amount].header or headers[pair.sign] or ""
            at = column_index(signs.letters)
            texts = {r: plain_sign(text) for r, text in enumerate(signs.values) if text is not None}
            cells = {r: (rows[r], at) for r in texts}
            found[pair.amount] = _joined(replace(found[pair.amount], header=own), texts, kinds[pair.sign], cells, signs)
    return [view for at, view in enumerate(found) if at not in taken]


def without_idle_signs(
    columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> tuple[list[ColumnView], list[MappedColumn]]:
    """The columns as mapped, with those of signs back beside amounts that are of no field of money: nothing is lost."""
    views, fields = list[ColumnView](), list[MappedColumn]()
    for view, m in zip(columns, mapped, strict=True):
        kept, alone = _without_idle(view, dictionary().fields[m.field].type if m.field else None)
        pairs = [(kept, m), *((one, _idle(one)) for one in alone)]
        for one, said in sorted(pairs, key=lambda pair: column_index(pair[0].letters)) if alone else pairs:
            views.append(one)
            fields.append(said)
    return views, fields


def _without_idle(view: ColumnView, field_type: str | None) -> tuple[ColumnView, list[ColumnView]]:
    """A column without the signs that say nothing of a field of that type, and their columns."""
    alone: list[ColumnView] = []
    if view.apart is not None and field_type in (None, "text"):
        was, column = view.apart
        alone.append(column)
        view = replace(
            view, values=was.values, raws=was.raws, types=was.types, scale=None, unit=None, period=None, apart=None
        )
        view = replace(view, unread=())
    if view.signs is not None and view.signs.column is not None and field_type != "money":
        alone.append(view.signs.column)
        view = replace(view, signs=None, unread=())
    return view, alone


def _idle(column: ColumnView) -> MappedColumn:
    return MappedColumn(column.letters, read_header(column.header), None, 1.0, (), profile(column.values))


def _kind(view: ColumnView) -> SignKind | None:
    """What a column's texts are, nearly all of them; None for anything else."""
    if view.cells is not None or not view.kinds <= {str, type(None)} or str not in view.kinds:
        return None
    return sign_kind(text for text in view.values if text is not None)


def _headers(columns: Sequence[ColumnView], kinds: Mapping[int, SignKind]) -> dict[int, str | None]:
    """What the header of each column of signs says of its amounts: "" for nothing, None where it is about records.

    "Currency" alone over codes is about all amounts of a record; "Price currency" and "Loan currency" are not.
    """
    words_of = {at: tokenize(columns[at].header) for at in kinds}
    about = [at for at, words in words_of.items() if CURRENCY_WORDS & set(words) or words in CURRENCY_ALONE]
    found: dict[int, str | None] = {}
    for at, (kind, _) in kinds.items():
        levels = [level for level in columns[at].header.split(" / ") if not KINDS[kind](level.strip())]
        found[at] = " / ".join(levels)
        if kind != "currency" and set(tokenize(levels[-1] if levels else "")) & _UNIT_WORDS:
            found[at] = _unit_of(columns[at].header, columns[at - 1].header if at else "")
        if at in about:
            said = " ".join(word for word in words_of[at] if word not in CURRENCY_WORDS)
            alone = len(about) == 1 or words_of[at] in CURRENCY_ALONE
            found[at] = None if alone or not said else said
    return found


def _unit_of(header: str, amounts: str) -> str | None:
    """The header of the amounts that a column of units such as "Area unit" belongs to; None where it names others."""
    words = set(tokenize(header)) - _UNIT_WORDS
    return amounts if words <= {*tokenize(amounts), *_SORTS} else None


def _pairs(
    columns: Sequence[ColumnView], kinds: Mapping[int, SignKind], headers: Mapping[int, str | None]
) -> list[_Pair]:
    """The pairs of neighbours that may belong together, the likeliest first."""
    amounts = {at for sign in kinds for at in (sign - 1, sign + 1) if _holds_amounts(columns, at, kinds)}
    found: list[_Pair] = []
    for sign, (kind, _) in kinds.items():
        sides = (sign + 1, sign - 1) if kind == "currency" else (sign - 1,)
        for at in (at for at in sides if at in amounts):
            worth = _worth(columns, sign, at, kind, headers[sign])
            if worth is not None:
                found.append(_Pair(worth, sign, at))
    # Signs of one table stand on one side: a tie goes to where more of them find an amount, else before it.
    money = [pair for pair in found if kinds[pair.sign].kind == "currency"]
    before = sum(pair.amount > pair.sign for pair in money)
    after = len(money) - before
    found.sort(key=lambda pair: (pair.worth, (pair.amount > pair.sign) == (before >= after)), reverse=True)
    return found


def _holds_amounts(columns: Sequence[ColumnView], at: int, kinds: Mapping[int, SignKind]) -> bool:
    if not 0 <= at < len(columns) or at in kinds:
        return False
    told = (v for v in columns[at].values if v is not None and not (isinstance(v, str) and is_placeholder(v)))
    held = list(islice(told, _SAMPLED))
    numbers = sum(map(is_amount, held))
    return bool(held) and numbers >= _AMOUNTS_SHARE * len(held)


def is_amount(value: object) -> bool:
    """Whether a cell holds a number, or text that is one but for what may close it in the next cell."""
    if isinstance(value, str):
        return isinstance(read_number(value.removeprefix("("), None), NumberText)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _worth(
    columns: Sequence[ColumnView], sign: int, at: int, kind: str, said: str | None
) -> tuple[int, int, float] | None:
    """How much speaks for a pair: what the headers say, whether the amounts are money, signs beside no amount."""
    header = columns[at].header
    if said is None:
        return None
    bound = _bound(said, header, kind)
    money = _money(header) if kind == "currency" else 0
    held = [r for r, text in enumerate(columns[sign].values) if text is not None]
    alone = sum(columns[at].values[r] is None for r in held) / len(held)
    loose = kind == "magnitude" and _is_loose(columns[at], columns[sign])
    if kind == "unit" and not suits({plain_sign(text) for text in set(columns[sign].values) if text}, header):
        return None
    if not bound or alone > _MOST_WITHOUT or (bound == _UNSAID and (money == _NO_MONEY or loose)):
        return None
    return bound, money, -alone


def _is_loose(amounts: ColumnView, signs: ColumnView) -> bool:
    """Whether magnitudes under no header may be something else: letters, or beside amounts that are full already."""
    units = {plain_sign(text).casefold() for text in set(signs.values) if text is not None}
    numbers = (abs(value) for value in amounts.values if isinstance(value, (int, float)))
    return bool(units & _LETTERS) or max(numbers, default=0) >= _FULL


def _bound(said: str, header: str, kind: str) -> int:
    """How the header of signs binds them to the amounts under `header`; 0 where it names something else."""
    if not said:
        return _UNSAID
    own, theirs = said.casefold(), header.casefold()
    if own == theirs:
        return _SAME
    heads = theirs.startswith((f"{own} / ", f"{own} ")) or (kind == "currency" and not header)
    return _BAND if heads else 0


def _money(header: str) -> int:
    """1 for a header of amounts of money, -1 for one of anything else, 0 for one that says neither."""
    spec = likely_field(header)
    return 0 if spec is None else 1 if spec.type == "money" else _NO_MONEY


def with_signs_across(view: ColumnView, sheet: Sheet, beside: Mapping[int, int]) -> ColumnView:
    """A field of a table with a record a column, with the signs in the columns that `beside` names for its records'."""
    if not beside or view.cells is None:
        return view
    cells = {r: (row, beside[column]) for r, (row, column) in enumerate(view.cells) if column in beside}
    texts = {r: text for r, at in cells.items() if (text := sign_in(sheet.value(*at)))}
    kind = next((kind for kind, holds in KINDS.items() if texts and all(map(holds, texts.values()))), None)
    unfit = kind == "unit" and not suits(texts.values(), view.header)
    return view if kind is None or unfit else _joined(view, texts, SignKind(kind), cells)


def with_sign(view: ColumnView, text: str, cell: tuple[int, int]) -> ColumnView:
    """A column of one value with the sign `text` that stands in `cell` beside it."""
    kind = next(kind for kind, holds in KINDS.items() if holds(text))
    unfit = kind == "unit" and not suits((text,), view.header)
    return view if unfit else _joined(view, {0: text}, SignKind(kind), {0: cell})


def sign_in(value: object) -> str | None:
    """The currency sign, magnitude, unit or ending that a cell holds and nothing else; None for anything else."""
    text = plain_sign(value) if isinstance(value, str) else ""
    return text if is_sign(text) else None


def _joined(
    amounts: ColumnView,
    texts: Mapping[int, str],
    kind: SignKind,
    cells: Mapping[int, tuple[int, int]],
    column: ColumnView | None = None,
) -> ColumnView:
    """The amounts with what the `texts` in `cells` beside them say, by record."""
    unread = tuple(cells[r] for r, text in texts.items() if text in kind.odd)
    amounts = replace(amounts, unread=amounts.unread + unread)
    codes = {r: code for r, text in texts.items() if (code := currency_beside(text))}
    if kind.kind == "currency":
        return replace(amounts, signs=SignsBeside(codes, cells, column))
    joined = with_units(amounts, {r: text for r, text in texts.items() if not is_absent(text)}, kind.kind)
    if column is not None:
        joined = replace(joined, apart=(amounts, column))
    if codes and kind.kind == "magnitude" and amounts.signs is None:
        return replace(joined, signs=SignsBeside(codes, cells))
    return joined
