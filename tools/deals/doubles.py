"""Records that stand twice, and amounts that are a thousand times off their column."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from schemas.deal import Column, Issue, Table
from schemas.ids import normalise_key
from tools.deals.dictionary import dictionary
from tools.deals.said import as_held, plain, said

_MOST_ISSUES = 25
_FEWEST_VALUES = 8
#: What a slip is moved to lies within so many times the middle of its column, or it is something else: a nominal rent.
_FROM_MIDDLE = 100
#: In columns of a few values.
_FEWEST_OTHERS, _ALIKE, _NEAR = 2, 10.0, 2.0
_ALONE, _REACH, _MOST_SHARE = 50.0, 5.0, 0.02


def check_doubles(table: Table) -> list[Issue]:
    """Issues on identical records (`double.record`) and ids that stand twice (`double.id`); all stay deals."""
    mapped = [column for column in table.columns if column.field]
    if not mapped or len(table.records) < 2:
        return []
    if any(len(set(column.raws)) == len(column.raws) for column in _likely_keys(table)):
        return _double_ids(table, set())
    same = _same(table)
    issues = [_double(table, mapped[0], found) for found in same[:_MOST_ISSUES]]
    if len(same) > _MOST_ISSUES:
        message = f"{len(same) - _MOST_ISSUES:,} more groups of records are identical; each stays a deal."
        issues.append(Issue("double.record", "warning", message))
    twins = {record for found in same for record in found}
    return issues + _double_ids(table, twins)


def _same(table: Table) -> list[list[int]]:
    """The groups of identical records; records are compared in full only where their hashes meet.

    A formula without a stored value is compared by what it was worked out to; records without any value are none.
    """
    lines = zip(*(column.raws for column in table.columns), strict=True)
    hashes = np.fromiter(map(hash, lines), dtype=np.int64, count=len(table.records))
    _, first, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for record in np.flatnonzero(counts[first] > 1).tolist():
        held = tuple(_held(column, record) for column in table.columns)
        if any(value is not None for value in held):
            groups[held].append(record)
    return [found for found in groups.values() if len(found) > 1]


def _held(column: Column, record: int) -> object:
    raw = column.raws[record]
    return column.values[record] if raw is None else raw


def _likely_keys(table: Table) -> list[Column]:
    """The columns likeliest to tell every record from every other, those first."""
    named = [column for name in ("source_id", "deal_name", "address", "tenant") if (column := table.column_of(name))]
    return named + [column for column in table.columns if column.type == "money"][:3]


def _double(table: Table, column: Column, found: list[int]) -> Issue:
    cells = tuple(cell for record in found if (cell := table.cell(column, record)))
    places = ", ".join(str(table.records[record]) for record in found[:8])
    message = f"{len(found)} records are identical (rows {places}); each stays a deal of its own."
    return Issue("double.record", "warning", message, cells[:50])


def _double_ids(table: Table, twins: set[int]) -> list[Issue]:
    column = table.column_of("source_id")
    if column is None:
        return []
    if len(set(column.values)) == len(column.values):
        return []
    by_id: dict[str, list[int]] = defaultdict(list)
    for record, value in enumerate(column.values):
        if value is not None and record not in twins:
            by_id[normalise_key(str(value))].append(record)
    again = [found for found in by_id.values() if len(found) > 1]
    if not again:
        return []
    cells = tuple(cell for found in again for record in found if (cell := table.cell(column, record)))
    first = column.values[again[0][0]]
    message = f"{len(again):,} ids stand on more than one record (such as {as_held(first)}); each record stays a deal."
    return [Issue("double.id", "info", message, cells[:50])]


def check_magnitudes(table: Table, warnings: dict[int, list[str]]) -> list[Issue]:
    """Issues (`slip.thousandfold`) on amounts far from their column that a factor of a thousand would bring into it."""
    issues: list[Issue] = []
    for column in table.columns:
        if (
            column.field is None
            or column.type not in ("money", "number")
            or not dictionary().fields[column.field].additive
        ):
            continue
        array = np.array(column.values, dtype=float)
        for record, moved in _slipped(array):
            issues.append(_slip(table, column, record, moved))
            warnings.setdefault(record, []).append(f"slip.thousandfold: {column.field}")
    return issues[:_MOST_ISSUES]


def _slipped(array: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Records whose amount stands alone, far from all others, with that amount a thousand times larger or smaller."""
    with np.errstate(invalid="ignore"):
        held = np.flatnonzero(array > 0)
    if len(held) < _FEWEST_VALUES:
        return _slipped_of_few(array, held.tolist())
    if array[held].max() <= array[held].min() * _ALONE:
        return []
    order = held[np.argsort(array[held], kind="stable")]
    most = max(1, int(len(held) * _MOST_SHARE))
    lowest, highest = array[order[0]], array[order[-1]]
    found: list[tuple[int, float]] = []
    for count in range(1, most + 1):
        below, above = array[order[count]], array[order[-count - 1]]
        if below > array[order[count - 1]] * _ALONE and array[order[count - 1]] * 1000 <= highest * _REACH:
            found += [(int(r), float(array[r] * 1000)) for r in order[:count]]
        if array[order[-count]] > above * _ALONE and array[order[-count]] / 1000 >= lowest / _REACH:
            found += [(int(r), float(array[r] / 1000)) for r in order[-count:]]
    middle = float(np.median(array[held]))
    return sorted({(r, moved) for r, moved in found if middle / _FROM_MIDDLE <= moved <= middle * _FROM_MIDDLE})


def _slipped_of_few(array: NDArray[np.float64], held: list[int]) -> list[tuple[int, float]]:
    """The one record that slipped in a short column: the others are alike, and moved it is like them."""
    for record in held:
        others = [array[other] for other in held if other != record]
        if len(others) < _FEWEST_OTHERS or max(others) > min(others) * _ALIKE:
            continue
        for moved in (float(array[record] * 1000), float(array[record] / 1000)):
            if min(others) / _NEAR <= moved <= max(others) * _NEAR:
                return [(record, moved)]
    return []


def _slip(table: Table, column: Column, record: int, moved: float) -> Issue:
    cell = table.cell(column, record)
    found = column.values[record]
    shown, fit = said(found, column.field), said(moved, column.field)
    message = f"{column.field} is {shown}, a thousand times off the rest of its column; {fit} would fit."
    return Issue("slip.thousandfold", "warning", message, (cell,) if cell else (), f"{moved:.10g}", plain(found))
