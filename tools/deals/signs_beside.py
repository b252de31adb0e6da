"""Columns of signs beside columns of amounts: they give these their currency or unit, and are no field of their own."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from schemas.workbook import column_index
from tools.deals.currency_signs import currency_of_sign
from tools.deals.dictionary import dictionary
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header, tokenize
from tools.deals.mapping import ColumnView, MappedColumn, SignsBeside
from tools.deals.numbers import NumberText, is_placeholder, read_number
from tools.deals.places import CURRENCY_WORDS
from tools.deals.profile import profile
from tools.deals.scale import Scale
from tools.deals.words import WORDS
from tools.workbook.grid import Sheet
from tools.workbook.words import as_seen

_SAMPLED, _AMOUNTS_SHARE, _MOST_WITHOUT = 60, 0.6, 0.5
#: What closes or goes on with an amount: bookkeeping programs put it in a cell of its own, so that digits stay aligned.
_ENDINGS = frozenset({")", "%", ")%", "%)"})
#: Letters that are more than a magnitude where the header does not bind them to an amount: a class, a unit.
_LETTERS = frozenset({"b", "cr"})
_FULL = 1e6
_SAME, _BAND, _UNSAID = 3, 2, 1
_NO_MONEY = -1


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
        role = "currency" if kinds[pair.sign] == "currency" else "unit"
        if pair.sign not in taken and (pair.amount, role) not in used:
            taken.add(pair.sign)
            used.add((pair.amount, role))
            signs = columns[pair.sign]
            own = found[pair.amount].header or headers[pair.sign] or ""
            at = column_index(signs.letters)
            texts = {r: _plain(text) for r, text in enumerate(signs.values) if text is not None}
            cells = {r: (rows[r], at) for r in texts}
            found[pair.amount] = _joined(replace(found[pair.amount], header=own), texts, kinds[pair.sign], cells, signs)
    return [view for at, view in enumerate(found) if at not in taken]


def without_idle_signs(
    columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> tuple[list[ColumnView], list[MappedColumn]]:
    """The columns as mapped, with those of signs back beside amounts that are of no field of money: nothing is lost."""
    views, fields = list[ColumnView](), list[MappedColumn]()
    for view, m in zip(columns, mapped, strict=True):
        alone = view.signs.column if view.signs else None
        if alone is None or (m.field and dictionary().fields[m.field].type == "money"):
            views.append(view)
            fields.append(m)
            continue
        idle = MappedColumn(alone.letters, read_header(alone.header), None, 1.0, (), profile(alone.values))
        pairs = [(replace(view, signs=None), m), (alone, idle)]
        for one, said in sorted(pairs, key=lambda pair: column_index(pair[0].letters)):
            views.append(one)
            fields.append(said)
    return views, fields


def _kind(view: ColumnView) -> str | None:
    """What a column's texts all are: `currency`, `magnitude` or `ending`; None for anything else."""
    if view.cells is not None or not view.kinds <= {str, type(None)} or str not in view.kinds:
        return None
    first = next(text for text in view.values if text is not None)
    found = next((kind for kind, holds in _KINDS.items() if holds(_plain(first))), None)
    texts = {_plain(text) for text in set(view.values) if text is not None} if found else set[str]()
    return found if found and all(map(_KINDS[found], texts)) else None


def _plain(text: object) -> str:
    return as_seen(str(text)).strip()


_KINDS: Mapping[str, Callable[[str], bool]] = {
    "currency": lambda text: len(text) <= 6 and currency_of_sign(text) is not None,
    "magnitude": lambda text: text.casefold() in WORDS.magnitudes,
    "ending": lambda text: text in _ENDINGS,
}


def _headers(columns: Sequence[ColumnView], kinds: Mapping[int, str]) -> dict[int, str | None]:
    """What the header of each column of signs says of its amounts: "" for nothing, None where it is about records.

    "Currency" alone over codes is about all amounts of a record; "Price currency" and "Loan currency" are not.
    """
    about = [at for at in kinds if CURRENCY_WORDS & set(tokenize(columns[at].header))]
    found: dict[int, str | None] = {}
    for at, kind in kinds.items():
        levels = (level for level in columns[at].header.split(" / ") if not _KINDS[kind](level.strip()))
        found[at] = " / ".join(levels)
        if at in about:
            words = [word for word in columns[at].header.split() if not CURRENCY_WORDS & set(tokenize(word))]
            found[at] = " ".join(words) if len(about) > 1 and words else None
    return found


def _pairs(columns: Sequence[ColumnView], kinds: Mapping[int, str], headers: Mapping[int, str | None]) -> list[_Pair]:
    """The pairs of neighbours that may belong together, the likeliest first."""
    amounts = {at for sign in kinds for at in (sign - 1, sign + 1) if _holds_amounts(columns, at, kinds)}
    found: list[_Pair] = []
    for sign, kind in kinds.items():
        sides = (sign + 1, sign - 1) if kind == "currency" else (sign - 1,)
        for at in (at for at in sides if at in amounts):
            worth = _worth(columns, sign, at, kind, headers[sign])
            if worth is not None:
                found.append(_Pair(worth, sign, at))
    # Signs of one table stand on one side: a tie goes to where more of them find an amount, else before it.
    money = [pair for pair in found if kinds[pair.sign] == "currency"]
    before = sum(pair.amount > pair.sign for pair in money)
    after = len(money) - before
    found.sort(key=lambda pair: (pair.worth, (pair.amount > pair.sign) == (before >= after)), reverse=True)
    return found


def _holds_amounts(columns: Sequence[ColumnView], at: int, kinds: Mapping[int, str]) -> bool:
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
    if not bound or alone > _MOST_WITHOUT or (bound == _UNSAID and (money == _NO_MONEY or loose)):
        return None
    return bound, money, -alone


def _is_loose(amounts: ColumnView, signs: ColumnView) -> bool:
    """Whether magnitudes under no header may be something else: letters, or beside amounts that are full already."""
    units = {_plain(text).casefold() for text in set(signs.values) if text is not None}
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
    scores = header_scores(read_header(header), frozenset())
    if not scores:
        return 0
    best = max(scores, key=lambda name: scores[name])
    return 1 if dictionary().fields[best].type == "money" else _NO_MONEY


def with_signs_across(view: ColumnView, sheet: Sheet, beside: Mapping[int, int]) -> ColumnView:
    """A field of a table with a record a column, with the signs in the columns that `beside` names for its records'."""
    if not beside or view.cells is None:
        return view
    cells = {r: (row, beside[column]) for r, (row, column) in enumerate(view.cells) if column in beside}
    texts = {r: text for r, at in cells.items() if (text := sign_in(sheet.value(*at)))}
    kind = next((kind for kind, holds in _KINDS.items() if texts and all(map(holds, texts.values()))), None)
    return view if kind is None else _joined(view, texts, kind, cells)


def with_sign(view: ColumnView, text: str, cell: tuple[int, int]) -> ColumnView:
    """A column of one value with the sign `text` that stands in `cell` beside it."""
    kind = next(kind for kind, holds in _KINDS.items() if holds(text))
    return _joined(view, {0: text}, kind, {0: cell})


def sign_in(value: object) -> str | None:
    """The currency sign, magnitude or ending that a cell holds and nothing else; None for anything else."""
    text = _plain(value) if isinstance(value, str) else ""
    return text if any(holds(text) for holds in _KINDS.values()) else None


def _joined(
    amounts: ColumnView,
    texts: Mapping[int, str],
    kind: str,
    cells: Mapping[int, tuple[int, int]],
    column: ColumnView | None = None,
) -> ColumnView:
    """The amounts with what the `texts` in `cells` beside them say, by record."""
    if kind == "currency":
        codes = {r: code for r, text in texts.items() if (code := currency_of_sign(text))}
        return replace(amounts, signs=SignsBeside(codes, cells, column))
    held = [r for r, value in enumerate(amounts.values) if value is not None]
    units = {texts.get(r, "").casefold() for r in held}
    if kind == "magnitude" and len(units) == 1 and "" not in units:
        unit = texts[held[0]]
        return replace(amounts, scale=Scale(WORDS.magnitudes[unit.casefold()], unit))
    values = list(_with_endings(amounts.values, texts))
    raws = amounts.values if amounts.raws is None else amounts.raws
    return replace(amounts, values=values, raws=raws, types=None)


def _with_endings(values: Sequence[object], texts: Mapping[int, str]) -> Iterator[object]:
    """The amounts, each with the text behind it."""
    for record, value in enumerate(values):
        ending = texts.get(record)
        shown = f"{value:.15g}" if isinstance(value, (int, float)) else value
        yield value if ending is None or not isinstance(shown, str) else shown + ending
