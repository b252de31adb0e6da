"""What stands between the records of a table: the texts of its sections, titles and notes, and headers come again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from schemas.workbook import RowClass, cell_address
from tools.deals.statements import is_of_amounts, stated
from tools.workbook.detect import DetectedTable

_SPOKEN: frozenset[RowClass] = frozenset({"section", "title", "note"})
Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands before the record at position `record`: lines of (text, cell), and the rows of a header.

    `start` is its first row; `above` are lines right below the record before it, about what stands over them. `ends`
    says that they speak of that alone: what they state doesn't go on below.
    """

    record: int
    start: int
    lines: tuple[Line, ...]
    heads: tuple[int, ...] = ()
    above: tuple[Line, ...] = ()
    ends: bool = False


def gaps_of(table: DetectedTable) -> list[Gap]:
    """The gaps of a table with a record a row that hold something, from top to bottom; none for what ends it."""
    rows: dict[int, list[tuple[int, RowClass]]] = {}
    last = table.record_rows[-1]
    for span in table.excluded:
        if span.row_class in _SPOKEN or span.row_class == "header":
            for row in range(span.first, min(span.last, last) + 1):
                rows.setdefault(bisect_left(table.record_rows, row), []).append((row, span.row_class))
    body = {row for span in table.excluded if span.row_class == "total" for row in range(span.first, span.last + 1)}
    return [_gap(table, record, held, body) for record, held in sorted(rows.items())]


def _gap(table: DetectedTable, record: int, held: Sequence[tuple[int, RowClass]], body: set[int]) -> Gap:
    heads = tuple(row for row, kind in held if kind == "header")
    spoken = [row for row, kind in held if kind != "header"]
    before = {table.record_rows[record - 1]} if record else set[int]()
    taken = [row for row, _ in held]
    above: list[int] = []
    for row in spoken[: len(taken) - 1]:
        texts = [text for text, _ in lines_of(table, row)]
        apart = row + 1 not in taken and row + 1 not in table.record_rows[record : record + 1]
        if not (row - 1 in body | before | {*above} and apart and any(map(is_note, texts))):
            break
        above.append(row)
    kept = [row for row in taken if row not in above]
    return Gap(
        record,
        min(kept),
        tuple(line for row in spoken if row not in above for line in lines_of(table, row)),
        heads,
        tuple(line for row in above for line in lines_of(table, row)),
    )


def is_note(text: str) -> bool:
    """Whether a text states something of amounts, and is the name of none of them."""
    said = stated(text)
    told = said.scale is not None or said.area is not None
    return told and is_of_amounts(text)


def lines_of(table: DetectedTable, row: int) -> list[Line]:
    """The texts of a row that are seen, each once, with their cells."""
    found: dict[str, str] = {}
    for column in range(table.first_column, table.last_column + 1):
        value = None if column in table.sheet.hidden_columns else table.sheet.value(row, column)
        if isinstance(value, str) and value.strip():
            found.setdefault(value, cell_address(table.sheet.name, row, column))
    return list(found.items())
