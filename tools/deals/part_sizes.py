"""How large the amounts of a part of a table are against those of another, and what is said where that is doubtful."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.dictionary import dictionary
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.workbook.detect import DetectedTable

_LIKELY, _SAMPLE, _PLAINLY = 0.45, 400, 5


def sizes_of(table: DetectedTable, first: int, end: int) -> dict[int, float]:
    """The usual size of the amounts in each column of money, of the records at positions `first` to `end` - 1."""
    rows = table.record_rows[first : min(end, first + _SAMPLE)]
    found: dict[int, float] = {}
    for column in money_columns(table):
        values = (table.sheet.value(row, column) for row in rows)
        held = [abs(v) for v in values if isinstance(v, (int, float)) and not isinstance(v, bool) and v]
        if held:
            found[column] = median(held)
    return found


def money_columns(table: DetectedTable) -> list[int]:
    """The shown columns whose headers speak for amounts of money that a scale is about."""
    return [
        column
        for column, header in enumerate(table.headers, table.first_column)
        if column not in table.sheet.hidden_columns and _is_money(header)
    ]


def _is_money(header: str) -> bool:
    scores = header_scores(read_header(header), frozenset())
    best = max(scores, key=lambda name: scores[name], default=None)
    if best is None or scores[best] < _LIKELY:
        return False
    spec = dictionary().fields[best]
    return spec.type == "money" and spec.additive


def times_larger(those: dict[int, float], than: dict[int, float]) -> float | None:
    """How many times larger amounts are, in the middle of the columns that both have; None without such."""
    ratios = [those[column] / than[column] for column in those.keys() & than.keys()]
    return median(ratios) if ratios else None


def are_alike(ratio: float | None, factor: int) -> bool:
    """Whether amounts are so near each other that both must have the same scale of `factor`, or both none."""
    return ratio is not None and math.sqrt(factor) > ratio > 1 / math.sqrt(factor)


def are_in_full(ratio: float | None, factor: int) -> bool:
    """Whether amounts are as much larger than others as full ones are than those of a scale of `factor`."""
    return ratio is not None and factor / _PLAINLY <= ratio <= factor * _PLAINLY


def doubt(table: DetectedTable, first: int, end: int, what: str, cells: Sequence[str]) -> Issue:
    """A warning `scale.parts` about the amounts of the records at positions `first` to `end` - 1."""
    columns = money_columns(table)
    rows = table.record_rows[first:end]
    message = f"Rows {rows[0]} to {rows[-1]}: {what}. Check their amounts."
    places = (cell_address(table.sheet.name, rows[0], column) for column in columns)
    return Issue("scale.parts", "warning", message, (*cells, *places))
