"""Tables side by side taken for one: the same columns again, deals of another kind, labels with values beside deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from schemas.ids import normalise_key
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED
from tools.deals.turning import upright
from tools.workbook.detect import DetectedTable

_MOST_PARTS, _MOST_ROWS, _FEWEST_LABELS, _FEWEST_COLUMNS, _SHARE = 20, 200, 3, 2, 0.7
_LONGEST_LABEL = 60
_NAMES = frozenset({"deal_name", "address", "tenant", "source_id"})
PRICED = frozenset({"sale_price", "asking_price", "price", "sale_date", "cap_rate", "noi"})
LEASED = frozenset({"rent_annual", "rent_monthly", "rent_psf", "lease_start", "lease_expiry"})
_UNIT = frozenset({"tenant", "suite"})
Span = tuple[int, int]


def parts_beside(table: DetectedTable) -> list[DetectedTable]:
    """The tables that stand side by side in one with a record a row; the table alone where it is one."""
    said = [" ".join(header.split()).casefold() for header in table.headers]
    starts = _starts_again(said) or _starts_of_another_kind(table, said)
    first = table.first_column
    columns = [first, *(first + at for at in starts), table.last_column + 1]
    return [part_in(table, a, b - 1) for a, b in pairwise(columns)] if starts else [table]


def _starts_again(said: Sequence[str]) -> list[int]:
    """Where the header says the same columns again, the first of which name something."""
    at = [i for i, text in enumerate(said) if text]
    named = [said[i] for i in at]
    period = next(
        (p for p in range(2, len(named) // 2 + 1) if len(named) % p == 0 and named == named[:p] * (len(named) // p)), 0
    )
    names = period and max(_scores(named[0]).get(name, 0.0) for name in _NAMES) >= MAPPED
    if not names or len(named) // period > _MOST_PARTS or len(set(named[:period])) < period:
        return []
    return at[period::period]


def _starts_of_another_kind(table: DetectedTable, said: Sequence[str]) -> list[int]:
    """Where, behind an empty column, other things are listed than before it: the units of a house beside sales.

    The first column's own name says so too, where it stands there again over other names.
    """
    for at in (at for at in range(2, len(said)) if said[at] and not said[at - 1] and not _holds(table, at - 1)):
        sides = [text for text in said[:at] if text], [text for text in said[at:] if text]
        if min(map(len, sides)) < _FEWEST_COLUMNS:
            continue
        fields = [[_field(text) for text in side] for side in sides]
        again = sides[0][0] == sides[1][0] and fields[0][0] in _NAMES and _differ(table, 0, at)
        if again or _are_sales_and_units(*fields) or _are_sales_and_units(*reversed(fields)):
            return [at]
    return []


def _are_sales_and_units(sales: Sequence[str | None], units: Sequence[str | None]) -> bool:
    """Whether one side prices properties and names no tenant, the other lists tenants by suite with their leases."""
    priced = sales[0] in ("deal_name", "address") and not PRICED.isdisjoint(sales) and _UNIT.isdisjoint(sales)
    return priced and _UNIT.issubset(units) and not LEASED.isdisjoint(units) and PRICED.isdisjoint(units)


def _holds(table: DetectedTable, at: int) -> bool:
    column = table.first_column + at
    return column in table.sheet.hidden_columns or any(_value(table, row, at) is not None for row in table.record_rows)


def _differ(table: DetectedTable, left: int, right: int) -> bool:
    """Whether two columns hold other names in most rows."""
    rows = table.record_rows
    return sum(_value(table, row, left) != _value(table, row, right) for row in rows) > len(rows) / 2


def _value(table: DetectedTable, row: int, at: int) -> object:
    return table.sheet.value(row, table.first_column + at)


def _scores(text: str) -> Mapping[str, float]:
    return header_scores(read_header(text), frozenset())


def _field(text: str) -> str | None:
    scores = _scores(text)
    best = max(scores, key=lambda name: scores[name], default=None)
    return best if best is not None and scores[best] >= MAPPED else None


def part_in(table: DetectedTable, first: int, last: int) -> DetectedTable:
    """The part of a table in columns `first` to `last`, with the records that hold something there."""
    sheet, columns = table.sheet, range(first, last + 1)
    kept = [at for at, row in enumerate(table.record_rows) if any(sheet.value(row, c) is not None for c in columns)]
    rows = [table.record_rows[at] for at in kept]
    return replace(
        table,
        first_column=first,
        last_column=last,
        headers=table.headers[first - table.first_column : last + 1 - table.first_column],
        record_rows=rows,
        sections=[table.sections[at] for at in kept],
        first_row=rows[0] if rows else table.first_row,
        last_row=rows[-1] if rows else table.last_row,
        hidden_columns=tuple(column for column in table.hidden_columns if first <= column <= last),
    )


def parts_at_forms(table: DetectedTable) -> list[DetectedTable]:
    """The table cut into blocks of labels with one value each, and what is beside these; alone where it has none."""
    top = min((*table.header_rows, table.first_row))
    rows = range(top, table.last_row + 1)
    if table.kind != "table" or len(rows) > _MOST_ROWS or table.hidden_columns:
        return [table]
    spans = _spans(table, rows)
    forms = [span for span, is_form in spans if is_form]
    if not forms or len(spans) < 2:
        return [table]
    if len(forms) == len(spans):
        return [_as_form(table)]
    base = table if table.orientation == "rows" else upright(table)
    if base is None or len(spans) - len(forms) > 1:
        return [table]
    return [_as_form(part_in(base, *span)) if is_form else part_in(base, *span) for span, is_form in spans]


def _spans(table: DetectedTable, rows: range) -> list[tuple[Span, bool]]:
    """The first and last columns of each block of labels with values, and of what else holds something."""
    found: list[tuple[Span, bool]] = []
    last, at = table.last_column, table.first_column
    held = {c for c in range(at, last + 1) if any(table.sheet.value(row, c) is not None for row in rows)}
    while at <= last:
        if at in held and at + 1 in held and _begins_form(table, rows, at, held, found):
            found.append(((at, at + 1), True))
            at += 2
            continue
        if at in held:
            opened = found and not found[-1][1]
            found[-1 if opened else len(found) :] = [((found[-1][0][0] if opened else at, at), False)]
        at += 1
    return found


def _begins_form(
    table: DetectedTable, rows: range, at: int, held: set[int], found: Sequence[tuple[Span, bool]]
) -> bool:
    """Whether labels stand in column `at`, set apart on the left, and their values, one each, beside them."""
    parted = at - 1 not in held or (bool(found) and found[-1][1])
    if not parted or (at + 2 in held and not _are_labels(table, rows, at + 2)):
        return False
    return _are_labels(table, rows, at) and not _are_labels(table, rows, at + 1)


def _are_labels(table: DetectedTable, rows: range, column: int) -> bool:
    """Whether nearly all that a column holds are names of fields, each once, with a value beside it."""
    sheet = table.sheet
    texts = {row: value for row in rows if (value := sheet.value(row, column)) is not None}
    said = [value for value in texts.values() if isinstance(value, str) and len(value) <= _LONGEST_LABEL]
    if len(said) < max(_FEWEST_LABELS, len(texts)) or len({normalise_key(text) for text in said}) < len(said):
        return False
    valued = sum(sheet.value(row, column + 1) is not None for row in texts)
    return valued >= _SHARE * len(said) and sum(_field(text) is not None for text in said) >= _SHARE * len(said)


def _as_form(table: DetectedTable) -> DetectedTable:
    """The table as labels and values, which no column names."""
    top = min((*table.header_rows, table.first_row))
    rows = [row for row in range(top, table.last_row + 1) if row not in table.sheet.hidden_rows]
    width = table.last_column - table.first_column + 1
    return replace(
        table,
        kind="key_value",
        orientation="rows",
        record_rows=rows,
        sections=[None] * len(rows),
        headers=[""] * width,
        first_row=top,
        header_rows=table.header_rows,
    )
