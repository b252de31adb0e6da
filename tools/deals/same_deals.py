"""Tables that list the same deals: by name with an equal amount or area, or by address."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.deal import Column, Issue, Table

_LEAST = 1000
_AREAS = frozenset({"building_sf", "leased_sf"})
_NO_NAMES = frozenset({"", "vacant", "available", "n a", "na", "tbd", "total", "various"})
#: So many records of one name, and so many tables that hold it, are looked at: the work stays linear.
_MOST_ALIKE, _MOST_HOLDERS = 8, 3
_SHARE, _SHOWN, _CELLS = 0.5, 4, 50
_SEPARATORS = re.compile(r"[\W_]+")

Pair = tuple[int, int]


@dataclass(slots=True)
class _Known:
    """A table's records by what tells them (`n` or `i` with a name or an id, `a` with an address)."""

    table: Table
    column: Column
    places: dict[tuple[str, str], list[int]]
    amounts: list[Column]
    city: Column | None

    def sums(self, record: int) -> set[float]:
        """The amounts and areas of a record that are large enough to tell it."""
        values = (column.values[record] for column in self.amounts)
        return {float(v) for v in values if v is not None and not isinstance(v, str) and abs(v) >= _LEAST}


def same_deals(tables: Sequence[Table]) -> list[Issue]:
    """An issue `double.table` for each group of tables that list the same deals; all of them stay deals."""
    if len(tables) < 2:
        return []
    known = [one for table in tables if (one := _known(table)) is not None]
    found = dict(_matches(known))
    groups: list[set[int]] = []
    for a, b in found:
        joined = [group for group in groups if group & {a, b}]
        groups = [group for group in groups if group not in joined] + [{a, b}.union(*joined)]
    return [_issue(known, sorted(group), found) for group in groups]


def _known(table: Table) -> _Known | None:
    """What tells a table's records; None where neither names, ids nor addresses do."""
    tenants, named = table.column_of("tenant"), table.column_of("deal_name")
    ids, address = table.column_of("source_id"), None if tenants else table.column_of("address")
    first = tenants or named or ids
    column = first or address
    if column is None:
        return None
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for record, value in enumerate(first.values if first else ()):
        if (name := _plain(value)) not in _NO_NAMES:
            places["n" if tenants or named else "i", name].append(record)
    for record, value in enumerate(address.values if address else ()):
        if any(map(str.isdigit, name := _plain(value))):
            places["a", name].append(record)
    amounts = [c for c in table.columns if c.field in _AREAS or (c.field and c.type == "money")]
    return _Known(table, column, places, amounts, table.column_of("city"))


def _plain(value: object) -> str:
    return "" if value is None else _SEPARATORS.sub(" ", str(value).casefold()).strip()


def _matches(known: Sequence[_Known]) -> Iterator[tuple[Pair, list[Pair]]]:
    """The numbers of two tables, and their records that are the same, where most of the smaller one's are."""
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, one in enumerate(known):
        shared = Counter(other for key in one.places for other in holders.get(key, ()))
        for other in sorted(shared):
            pairs = _same(known[other], one)
            fewest = min(len(known[other].table.records), len(one.table.records))
            if min(len({a for a, _ in pairs}), len({b for _, b in pairs})) > _SHARE * fewest:
                yield (other, at), pairs
        for key in one.places:
            if len(holders[key]) < _MOST_HOLDERS:
                holders[key].append(at)


def _same(first: _Known, second: _Known) -> list[Pair]:
    """The records of both that are the same deal, each of the second table's once."""
    found: dict[int, int] = {}
    few, many = sorted((first.places, second.places), key=len)
    for key in [key for key in few if key in many]:
        ours, theirs = first.places[key][:_MOST_ALIKE], second.places[key][:_MOST_ALIKE]
        for b in theirs:
            alike = [a for a in ours if _agree(key[0], first, second, (a, b), len(ours) == len(theirs) == 1)]
            if alike:
                found.setdefault(b, alike[0])
    return [(a, b) for b, a in sorted(found.items())]


def _agree(told: str, first: _Known, second: _Known, pair: Pair, alone: bool) -> bool:
    """Whether two records of one name share an amount, or those of one address stand alone there in one city."""
    if told != "a":
        return not first.sums(pair[0]).isdisjoint(second.sums(pair[1]))
    cities = [_plain(one.city.values[at]) for one, at in zip((first, second), pair, strict=True) if one.city]
    return alone and len({city for city in cities if city}) < 2


def _issue(known: Sequence[_Known], group: Sequence[int], found: dict[Pair, list[Pair]]) -> Issue:
    """What is said of the tables of a group, with the cells of records that stand in two of them."""
    pairs = {pair: records for pair, records in found.items() if pair[0] in group}
    again = {(b, record) for (_, b), records in pairs.items() for _, record in records}
    cells = [
        cell
        for at, ((a, b), records) in enumerate(pairs.items())
        for one, two in records[: max(1, _CELLS // 2 // len(pairs)) if at < _CELLS // 2 else 0]
        for cell in (known[a].table.cell(known[a].column, one), known[b].table.cell(known[b].column, two))
        if cell
    ]
    names = [f"{known[at].table.table_id} ({_where(known[at].table)})" for at in group[:_SHOWN]]
    more = f" and {len(group) - _SHOWN:,} more" if len(group) > _SHOWN else ""
    deals = f"{len(again):,} deals seem" if len(again) > 1 else "One deal seems"
    message = (
        f"{deals} to stand in more than one table, by name and an equal amount or area, or by address: "
        f"{', '.join(names)}{more}; each stays a deal of its own, so sums may count them again: "
        "set aside the tables that only repeat others."
    )
    return Issue("double.table", "warning", message, tuple(cells))


def _where(table: Table) -> str:
    return table.range if table.sheet is None else f"{table.sheet}!{table.range}"
