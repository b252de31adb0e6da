"""Rows that sum up others: by their label, by the formulas in them, and by arithmetic."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from schemas.workbook import RowClass
from tools.workbook.cells import Flags, Floats
from tools.workbook.panel import Panel
from tools.workbook.sums import sums
from tools.workbook.weights import FORMULA_SHARE, MOST_TOTALS
from tools.workbook.window_sums import column_units, distant_sums, whole_sums
from tools.workbook.words import DATE, EMPTY, NA, TEXT

_MOST_COLUMNS = 14
_LONG = 2_000
_MOSTLY, _HALF = 0.7, 0.5
_FIRST_PARTS = 16
_COLUMNS_OF_LONG = 4
# An amount with its scale in words or letters: 2,1 Mio €, $14.2 MM.
_AMOUNT = re.compile(
    r"[^\w\s]{0,3}\s?\d[\d.,' ]*"
    r"(?:mio|mln|mill?i?ons?|mill|mm|mn|m|mrd|bn|billions?|k|tsd|thousands?|lakhs?|crores?|cr)\b"
    r"\.?\s?(?:[^\w\s]|[a-z]{3})?",
    re.IGNORECASE,
)
_LONGEST_AMOUNT = 30
_LARGEST_RATE = 1.5
# A share of a total is none itself, but for the line right under the total or at the end that says how much it is.
_SHARE = re.compile(r"(percent|per cent|pct\.?|share|%)\s*(of|from)\b", re.IGNORECASE)


def mark_totals(panel: Panel, classes: list[RowClass | None], top: int, end: int) -> None:
    """Turns records between rows `top` and `end` into totals where their label, formulas or numbers say so."""
    span = [i for i in range(top, end + 1) if classes[i] == "record"]
    if len(span) < 2:
        return
    rows = _Span(panel, span)
    values = rows.values
    found = {i for i in labelled_totals(panel, span) if not rows.is_named_so(i)}
    found |= _summing(panel, span)
    if values.shape[1] >= 2:
        found |= {span[at] for at in np.flatnonzero(sums(values)).tolist()}
        below = [span[len(span) - 1 - at] for at in np.flatnonzero(sums(values[::-1])).tolist()]
        found |= {i for i in below if not rows.is_dated_record(i)}
    known = np.isin(span, sorted(found))
    units = column_units(values)
    whole = whole_sums(values, units, np.array(span, np.int64), known)
    for at in np.flatnonzero(whole[1:]).tolist():
        whole[at + 1] = not rows.is_dated_record(span[at + 1])
    known |= whole
    distant = distant_sums(values, units, known)
    known |= distant & [not hit or not rows.is_whole_record(span[at]) for at, hit in enumerate(distant.tolist())]
    found = {span[at] for at in np.flatnonzero(known).tolist()}
    found |= _shares(panel, span, found)
    if len(found) <= MOST_TOTALS * len(span):
        for i in found:
            classes[i] = "total"


def labelled_totals(panel: Panel, rows: list[int]) -> set[int]:
    """Those of `rows` that have numbers, or amounts in words, and read like a total."""
    if not panel.cells.total_labels:
        return set()
    return {i for i in rows if panel.is_total(i) and _holds_amount(panel, i) and not _SHARE.search(panel.label(i))}


def _holds_amount(panel: Panel, i: int) -> bool:
    """Whether row `i` holds a number, or one with a scale in words."""
    if panel.has_number[i]:
        return True
    said = panel.said(i)[1:]
    return any(len(text) < _LONGEST_AMOUNT and _AMOUNT.fullmatch(text) for text in said)


class _Span:
    """The rows of a table that may be records or totals, and what most of them hold: worked out once for all.

    `values` are the numbers of these rows in the columns that decide, rows × columns.
    """

    def __init__(self, panel: Panel, rows: list[int]) -> None:
        self.panel, self.rows, self.values = panel, rows, _values(panel, rows)
        codes = panel.codes[rows]
        self._place = {i: at for at, i in enumerate(rows)}
        self._texts, self._dates, self._held = _mostly(codes == TEXT), _mostly(codes == DATE), _mostly(codes > EMPTY)
        self._filled = np.asarray(panel.full[rows].mean(axis=0) >= _MOSTLY, np.bool_)
        self._rising: Flags = np.asarray(~(self.values < 0).any(axis=0), np.bool_)
        blank = np.isnan(self.values)
        self._given = (~blank).sum(axis=0)
        self._largest = np.asarray(np.partition(np.where(blank, -np.inf, self.values), -2, axis=0)[-2:], np.float64)

    def is_named_so(self, i: int) -> bool:
        """Whether row `i` is a record by the name of Total Something: nothing that tells a record is missing in it.

        A total of what stands in the table has no number before its label, no date, city or status of its own. Where
        only words say so, its numbers decide: those of a total are greater than most of its parts', and add up, or else
        all are, or something is blank that the others fill.
        """
        label = self.panel.total_column(i)
        if not self.panel.text(i, label).split()[1:]:
            return False
        words, own = self._telling_columns(label)
        if not _fills(self.panel, i, words, own):
            return False
        at = self._place[i]
        mine = self.values[at]
        if own.any():
            return not self._adds_up(at, mine)
        held = ~np.isnan(mine)
        given = held & (self._given > held)
        if not words.any() or not given.any():
            return False
        # A rate of its own is no sum: what lies among the others says nothing.
        second, largest = self._largest[0], self._largest[1]
        most: Floats = np.asarray(np.where(mine == largest, second, largest), np.float64)
        large = given & (mine > np.maximum(most, _LARGEST_RATE))
        if 2 * large.sum() < given.sum():
            return True
        whole = (given & ~large).any() and self.panel.full[i][self._filled].all()
        return bool(whole and not self._adds_up(at, np.where(large, mine, np.nan)))

    def is_whole_record(self, i: int) -> bool:
        """Whether row `i` misses nothing that tells a record: dates or numbers before its name, or two more texts."""
        words, own = self._telling_columns(int((self.panel.codes[i] == TEXT).argmax()))
        return bool(own.any() or words.sum() > 1) and _fills(self.panel, i, words, own)

    def is_dated_record(self, i: int) -> bool:
        """Whether row `i`, below others that it may sum up, is a record: it has a date and texts as they do."""
        words, own = self._telling_columns(int((self.panel.codes[i] == TEXT).argmax()))
        dated = own & (self.panel.codes[i] == DATE)
        return bool(dated.any() and words.any()) and _fills(self.panel, i, words, own)

    def _telling_columns(self, label: int) -> tuple[Flags, Flags]:
        """Which columns hold texts in most rows, but for the label's, and which dates or numbers before it."""
        words, own = self._texts.copy(), self._held.copy()
        words[label] = own[label:] = False
        return words, (self._dates | own) & ~words

    def _adds_up(self, at: int, x: Floats) -> bool:
        """Whether the rows right above or right below, two or more, add up to most of the numbers in `x`."""
        given = ~np.isnan(x) & (x != 0)
        sides = (self.values[:at][::-1], self.values[at + 1 :])
        return bool(given.any()) and any(_gives(side, x, given, self._rising) for side in sides)


def _gives(parts: Floats, x: Floats, given: Flags, rising: Flags) -> bool:
    """Whether the first of `parts`, two or more, add up to most `given` numbers in `x`.

    Where half of the columns are `rising`, which have no amounts below 0, and past their number, none further on do.
    """
    wanted, rises, run = x[given], rising[given], np.zeros(int(given.sum()))
    slack = 0.001 * np.abs(wanted) + 1e-9
    start, stop = 0, _FIRST_PARTS
    while start < len(parts):
        added = np.nancumsum(np.vstack([run, parts[start:stop, given]]), axis=0)[1:]
        near = (np.abs(added - wanted) <= slack).mean(axis=1) > _HALF
        if near[start == 0 :].any():
            return True
        run = added[-1]
        if (rises & (run > wanted + slack)).mean() >= _HALF:
            return False
        start, stop = stop, 4 * stop
    return False


def _mostly(flags: Flags) -> Flags:
    return np.asarray(flags.mean(axis=0) >= _MOSTLY, np.bool_)


def _fills(panel: Panel, i: int, words: Flags, own: Flags) -> bool:
    codes = panel.codes[i]
    return not ((codes[words] != TEXT).any() or np.isin(codes[own], (EMPTY, NA)).any())


def _summing(panel: Panel, rows: list[int]) -> set[int]:
    """Those of `rows` where enough of the numbers come from formulas that sum up their column."""
    cells = panel.cells
    if not cells.column_sums:
        return set()
    columns, found = set(cells.columns[panel.c0 : panel.c0 + panel.w].tolist()), set[int]()
    for i in rows:
        many = len(columns & cells.column_sums.get(int(cells.rows[panel.r0 + i]), set()))
        if many and many >= FORMULA_SHARE * (~np.isin(panel.codes[i], (EMPTY, NA, TEXT))).sum():
            found.add(i)
    return found


def _shares(panel: Panel, rows: list[int], found: set[int]) -> set[int]:
    """Rows of shares right under a total, or at the end."""
    if not panel.cells.total_labels:
        return set()
    after = {b for a, b in pairwise(rows) if a in found} | {rows[-1]}
    return {i for i in after if panel.has_number[i] and panel.is_total(i) and _SHARE.search(panel.label(i))}


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
