"""Rows that sum up others: by their label, and by arithmetic.

A row that equals the sum of the rows under it (or over it) in half of its number columns is a total, and swallows its
parts, so that totals of totals are found. Small numbers add up by chance: the digits that agree must outweigh the
windows tried a hundredfold (measured: no false total on random and cyclic small integers).
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from schemas.workbook import RowClass
from tools.workbook.cells import Flags, Floats
from tools.workbook.panel import Panel

REACH = 60
"""Over how many open rows a total is looked for."""
_MOST_COLUMNS = 14
_LONG = 2_000
_COLUMNS_OF_LONG = 4


def last_place(x: Floats) -> Floats:
    """The unit of the last place that each number shows: 1, 0.1, 0.01 or 0.001."""
    step = np.ones(x.shape)
    for places, unit in ((0, 0.1), (1, 0.01), (2, 0.001)):
        scaled = x * 10.0**places
        step[np.abs(scaled - np.round(scaled)) > 1e-6] = unit
    return step


def slack(x: Floats, step: Floats, k: int | NDArray[np.int64]) -> Floats:
    """How far a sum of `k` rounded numbers may be from `x`: half a unit in the last place each, at most 0.4 %."""
    return np.minimum(0.5 * step * (np.sqrt(k) + 1), 0.004 * np.abs(x) + 1e-9)


def candidates(values: Floats) -> Flags:
    """Rows that equal the sum of the k rows after them in two columns, for some k.

    A nest of totals always has an innermost one that is found here, so a long table of records without any is done.
    """
    n = len(values)
    columns = np.ascontiguousarray(np.where(np.isnan(values), 0, values).T)
    most = 0.004 * np.abs(columns) + 1e-9
    most[columns == 0] = -1.0
    step = 0.5 * last_place(columns)
    total = np.concatenate([np.zeros((len(columns), 1)), np.cumsum(columns, 1)], 1)
    wanted = total[:, 1:] + columns
    hit = np.zeros(n, bool)
    for k in range(2, min(REACH, n - 1) + 1):
        some = np.zeros(n - k, bool)
        for j in range(max(1, len(columns) - 1)):
            miss = np.abs(total[j, k + 1 :] - wanted[j, : n - k])
            some |= miss <= np.minimum(step[j, : n - k] * (k**0.5 + 1), most[j, : n - k])
        at = np.flatnonzero(some)
        miss = np.abs(total[:, at + k + 1] - wanted[:, at])
        room = np.minimum(step[:, at] * (k**0.5 + 1), most[:, at])
        hit[at] |= np.count_nonzero(miss <= room, axis=0) >= 2
    return hit


def sums(values: Floats) -> Flags:
    """Rows that equal the sum of the next open rows in at least half of their number columns (two or more).

    `values` is (rows, columns), NaN where there is no number. From the last row up, with a stack of open rows.
    """
    hits = np.zeros(len(values), bool)
    maybe = candidates(values)
    if not maybe.any():
        return hits
    near = np.zeros(len(values) + 1, np.int64)
    for i in np.flatnonzero(maybe).tolist():
        near[max(0, i - 2 * REACH)] += 1
        near[min(len(values), i + REACH + 1)] -= 1
    chance = float(np.log10(REACH * len(values)) + 2)
    stack: list[int] = []
    for i in np.flatnonzero(np.cumsum(near)[:-1])[::-1].tolist():
        swallowed = _swallows(values, i, stack, chance)
        if swallowed:
            hits[i] = True
            del stack[-swallowed:]
        stack.append(i)
    return hits


def _swallows(values: Floats, i: int, stack: list[int], chance: float) -> int:
    """How many of the open rows row `i` is the sum of; 0 for none."""
    columns = np.flatnonzero(~np.isnan(values[i]) & (values[i] != 0))
    if len(columns) < 2 or len(stack) < 2:
        return 0
    x, parts = values[i][columns], values[stack[: -REACH - 1 : -1]][:, columns]
    known = ~np.isnan(parts)
    many = np.cumsum(known, 0)
    miss = np.abs(np.cumsum(np.where(known, parts, 0), 0) - x)
    step = last_place(x)
    room = slack(x, step, np.arange(1, len(parts) + 1)[:, None])
    good = (miss <= room) & (many >= 2)
    digits = (np.log10(1 + np.abs(x) / np.maximum(2 * room, step)) * good).sum(1)
    share = good.sum(1) / np.maximum((many >= 2).sum(1), 1)
    # So many digits agree by no chance, however many columns (percentages, codes) are no sums.
    plenty = (good.sum(1) >= 3) & (digits >= 3 * chance) & (share >= 0.25)
    share[(good.sum(1) < 2) | ((share < 0.5) & ~plenty) | (digits < chance)] = 0
    best = int(share.argmax())
    return best + 1 if share[best] and _independent(parts[: best + 1, good[best]]) else 0


def _independent(parts: Floats) -> bool:
    """Whether two of the columns are no multiples of one another: those agree together or not at all."""
    shares = np.nan_to_num(parts) / np.maximum(np.abs(np.nansum(parts, 0)), 1e-12)
    return bool((np.abs(shares - shares[:, :1]) > 1e-6).any())


def mark_totals(panel: Panel, classes: list[RowClass | None], top: int, end: int) -> None:
    """Turns records between rows `top` and `end` into totals where their label or their numbers say so."""
    span = [i for i in range(top, end + 1) if classes[i] == "record"]
    if len(span) < 2:
        return
    found = labelled_totals(panel, span)
    values = _values(panel, span)
    if values.shape[1] >= 2:
        found |= {span[at] for at in np.flatnonzero(sums(values)).tolist()}
        found |= {span[len(span) - 1 - at] for at in np.flatnonzero(sums(values[::-1])).tolist()}
        if found:
            found |= _same_labels(panel, span, found)
    if len(found) <= 0.6 * len(span):
        for i in found:
            classes[i] = "total"


def labelled_totals(panel: Panel, rows: list[int]) -> set[int]:
    """Those of `rows` that have numbers and read like a total."""
    if not panel.cells.total_labels:
        return set()
    return {i for i in rows if panel.has_number[i] and panel.is_total(i)}


def _values(panel: Panel, rows: list[int]) -> Floats:
    """The numbers of `rows` in the columns that decide: spread over the table, in a long one those that vary most."""
    columns = np.flatnonzero(panel.numcol & ~panel.yearcol)
    if len(columns) > _MOST_COLUMNS:
        columns = columns[np.linspace(0, len(columns) - 1, _MOST_COLUMNS).astype(int)]
    at = np.array(rows, np.int64) + panel.r0
    if len(rows) > _LONG and len(columns) > _COLUMNS_OF_LONG:
        head = panel.cells.number_block(at[:_LONG], columns + panel.c0)
        varied = sorted(range(len(columns)), key=lambda j: -len(set(head[:, j].tolist())))
        columns = columns[varied[:_COLUMNS_OF_LONG]]
    return panel.cells.number_block(at, columns + panel.c0)


def _same_labels(panel: Panel, rows: list[int], found: set[int]) -> set[int]:
    """Rows with the label of a known total elsewhere, where numbers don't add up (percentages)."""
    label = {i: panel.label(i).lower() for i in rows}
    seen, known = Counter(label.values()), Counter(label[i] for i in found if panel.texty[i, panel.first[i]])
    return {i for i in rows if panel.has_number[i] and 1 < seen[label[i]] <= known[label[i]] / 0.3}
