"""Rows that equal the sum of the rows next to them.

Such a row is a total and swallows its parts, so that totals of totals are found. Small numbers add up by chance: the
digits that agree must outweigh the windows tried a hundredfold (measured: no false total on random and cyclic small
integers).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.workbook.cells import Flags, Floats
from tools.workbook.weights import CHANCE_DIGITS, MANY_DIGITS_SHARE, SUMMED_SHARE

REACH = 60
"""Over how many open rows a total is looked for."""
_LENGTHS = np.arange(1, REACH + 1)[:, None]
_SMALL = 20_000
"""Numbers of a block whose columns are faster looked at together than one by one."""


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
    if columns.size <= _SMALL:
        return _few_candidates(columns, total, wanted, step, most)
    if columns.min(initial=0) >= 0:
        return _candidates_of_parts(columns, total, wanted, step, most)
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


def _candidates_of_parts(columns: Floats, total: Floats, wanted: Floats, step: Floats, most: Floats) -> Flags:
    """As `candidates`, where no number is negative: a row that its next rows exceed is no sum of more of them."""
    n = columns.shape[1]
    hit = np.zeros(n, bool)
    # A little more than the slack, which rounding may exceed.
    limit = (wanted * (1 + 1e-9) + most)[: max(1, len(columns) - 1)]
    at = np.arange(n, dtype=np.int64)
    for k in range(2, min(REACH, n - 1) + 1):
        at = at[: np.searchsorted(at, n - k)]
        at = at[(total[: len(limit), at + k + 1] <= limit[:, at]).any(axis=0)]
        miss = np.abs(total[:, at + k + 1] - wanted[:, at])
        room = np.minimum(step[:, at] * (k**0.5 + 1), most[:, at])
        hit[at] |= np.count_nonzero(miss <= room, axis=0) >= 2
    return hit


def _few_candidates(columns: Floats, total: Floats, wanted: Floats, step: Floats, most: Floats) -> Flags:
    """As `candidates`, for so few rows that all columns are looked at in one go."""
    n = columns.shape[1]
    hit = np.zeros(n, bool)
    for k in range(2, min(REACH, n - 1) + 1):
        miss = np.abs(total[:, k + 1 :] - wanted[:, : n - k])
        good = miss <= np.minimum(step[:, : n - k] * (k**0.5 + 1), most[:, : n - k])
        hit[: n - k] |= np.count_nonzero(good, axis=0) >= 2
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
    chance = float(np.log10(REACH * len(values)) + CHANCE_DIGITS)
    stack: list[int] = []
    steps = last_place(values)
    for i in np.flatnonzero(np.cumsum(near)[:-1])[::-1].tolist():
        swallowed = _swallows(values, steps, i, stack, chance)
        if swallowed:
            hits[i] = True
            del stack[-swallowed:]
        stack.append(i)
    return hits


def _swallows(values: Floats, steps: Floats, i: int, stack: list[int], chance: float) -> int:
    """How many of the open rows row `i` is the sum of; 0 for none."""
    own = values[i]
    columns = ((own != 0) & ~np.isnan(own)).nonzero()[0]
    if len(columns) < 2 or len(stack) < 2:
        return 0
    x, step, parts = own[columns], steps[i][columns], values[np.ix_(stack[: -REACH - 1 : -1], columns)]
    known = ~np.isnan(parts)
    many = known.cumsum(0)
    miss = np.abs(np.where(known, parts, 0).cumsum(0) - x)
    room = slack(x, step, _LENGTHS[: len(parts)])
    good = (miss <= room) & (many >= 2)
    if good.sum(1).max() < 2:
        return 0
    digits = (np.log10(1 + np.abs(x) / np.maximum(2 * room, step)) * good).sum(1)
    share = good.sum(1) / np.maximum((many >= 2).sum(1), 1)
    # So many digits agree by no chance, however many columns (percentages, codes) are no sums.
    plenty = (good.sum(1) >= 3) & (digits >= 3 * chance) & (share >= MANY_DIGITS_SHARE)
    share[(good.sum(1) < 2) | ((share < SUMMED_SHARE) & ~plenty) | (digits < chance)] = 0
    best = int(share.argmax())
    return best + 1 if share[best] and independent(parts[: best + 1, good[best]]) else 0


def independent(parts: Floats) -> bool:
    """Whether two of the columns are no multiples of one another: those agree together or not at all."""
    shares = np.nan_to_num(parts) / np.maximum(np.abs(np.nansum(parts, 0)), 1e-12)
    return bool((np.abs(shares - shares[:, :1]) > 1e-6).any())
