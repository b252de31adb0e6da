"""Which deal a person means: by its id, its row, its number in the documents, or its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.deal import Extraction, Table, deal_id_at
from schemas.errors import InputError
from schemas.ids import normalise_key
from schemas.workbook import column_letters

Found = tuple[Table, int]
"""A table and the number (0-based) of a record in it."""
_PLACE = re.compile(r"(?:(?P<sheet>.*)!|row\s+)?(?P<at>\d+|[A-Z]{1,3})")
_NUMBER = re.compile(r"#\s*(\d+)")
_NAMES = ("deal_name", "source_id", "address", "tenant")


def records(extraction: Extraction) -> Iterator[Found]:
    """Each record of each table."""
    return ((table, record) for table in extraction.tables for record in range(len(table.records)))


def find_deal(extraction: Extraction, said: str, main: str | None = None) -> Found:
    """The one deal that `said` names; raises InputError `pin.deal` for none, `pin.ambiguous` for several.

    `main` is the id of the table whose deals the documents number (`#12`), in the order of the sheet; a single table is
    that by itself. A bare `12` could be a row or such a number: it is the row only where nothing else is 12.
    """
    numbered = _main(extraction, main)
    if match := _NUMBER.fullmatch(said):
        return _numbered(numbered, int(match[1]))
    found = [at for at in records(extraction) if deal_id_at(extraction.source.artifact, *at) == said]
    if not found and said.isdecimal():
        return _by_digits(extraction, said, numbered)
    found = found or [at for at in records(extraction) if _at_place(at, said)]
    found = found or [at for at in records(extraction) if _named(at, normalise_key(said))]
    return _only(found, said)


def _main(extraction: Extraction, main: str | None) -> Table | None:
    if main is None and len(extraction.tables) == 1:
        return extraction.tables[0]
    return next((table for table in extraction.tables if table.table_id == main), None)


def _numbered(table: Table | None, number: int) -> Found:
    if table is None or not 1 <= number <= len(table.records):
        known = f"they go from 1 to {len(table.records)}" if table else "nothing is numbered here"
        raise InputError("pin.deal", f"No deal is number {number} in the documents; {known}.")
    return table, number - 1


def _by_digits(extraction: Extraction, said: str, numbered: Table | None) -> Found:
    rows = [at for at in records(extraction) if _at_place(at, said)]
    called = [at for at in records(extraction) if _named(at, normalise_key(said)) and at not in rows]
    number = int(said)
    if numbered is None or not 1 <= number <= len(numbered.records):
        return _only(rows + called, said)
    ours = (numbered, number - 1)
    if [*rows, *called] == [ours]:
        return ours
    ways = [f"'#{said}' for {name_of(ours)}, which is number {said} in the documents"]
    ways = [f"'{place_of(at)}' for {name_of(at)}, which stands in that row" for at in rows] + ways
    ways += [f"'{place_of(at)}' for what is called {said}" for at in called if at != ours]
    raise InputError("pin.ambiguous", f"{said} is a row and a number; write {', or '.join(ways)}.")


def _only(found: list[Found], said: str) -> Found:
    if len(found) == 1:
        return found[0]
    if not found:
        ways = "its row ('Comps!6'), its number in the documents ('#6') or its full name"
        raise InputError("pin.deal", f"No deal is called {said!r}; give {ways}.")
    places = ", ".join(f"'{place_of(at)}'" for at in found[:6])
    raise InputError("pin.ambiguous", f"{said!r} is {len(found)} deals ({places}); give the row of the one you mean.")


def place_of(at: Found) -> str:
    """Where a deal stands, as it can be written: `Comps!6`, a column as `Comps!D`, without sheets `row 6`."""
    place = _place(at)
    return place if at[0].sheet is not None else f"row {place}"


def name_of(at: Found) -> str:
    """What a deal is called, or where it stands if it has no name."""
    table, record = at
    columns = (table.column_of(name) for name in _NAMES)
    return next((str(c.values[record]) for c in columns if c and c.values[record] is not None), place_of(at))


def _place(at: Found) -> str:
    table, record = at
    where = table.records[record]
    name = column_letters(where) if table.orientation == "columns" else str(where)
    return name if table.sheet is None else f"{table.sheet}!{name}"


def _at_place(at: Found, said: str) -> bool:
    match = _PLACE.fullmatch(said)
    if match is None:
        return False
    sheet, _, name = _place(at).rpartition("!")
    named = match["sheet"]
    return name == match["at"] and (named is None or named.strip("'").casefold() == sheet.casefold())


def _named(at: Found, wanted: str) -> bool:
    table, record = at
    columns = (table.column_of(name) for name in _NAMES)
    return any(
        c is not None and c.values[record] is not None and normalise_key(str(c.values[record])) == wanted
        for c in columns
    )
