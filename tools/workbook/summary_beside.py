"""A summary beside a list, one empty column away: what tells it from more columns of the list's own rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tools.workbook.cells import Floats, some
from tools.workbook.panel import Panel
from tools.workbook.summary_words import closes, counts, is_amount, is_pivots, wholes_among
from tools.workbook.words import DATE, DECO, NUM, TEXT, YEAR

_MOST_LINES, _MOST_RECORDS, _HEAD_ROWS, _FEWEST_LINES = 200, 20_000, 3, 3
_DISTINCT, _DRAWN, _ALIGNED, _NEAR, _ROUNDED, _FEWEST_DIGITS = 0.9, 0.75, 0.5, 0.0005, 0.005, 1000
_MOST_FIGURES, _SCALES = 0.5, (1.0, 1e-3, 1e-6)

_RATINGS = frozenset(["average", "mean", "median"])


def is_summary_beside(left: Panel, right: Panel) -> bool:
    """Whether one of two parts with an empty column between sums the other up, or goes on where that has ended."""
    if min(len(left.filled_rows), len(right.filled_rows)) > 2 * _MOST_LINES:
        return False
    a, b = _Part(left), _Part(right)
    return _sums_up(b, a, leads=False) or _sums_up(a, b, leads=True) or _goes_on_alone(a, b)


class _Part:
    """A part of a table with its lines: rows that hold a text, a year or a day, and a number that is none.

    Where it holds no number, they are all rows of words below the first. `labels` are the first texts of the lines;
    those that stand first in their rows `lead`.
    """

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.hard = np.isin(panel.codes, (NUM, DECO))
        if len(panel.filled_rows) <= _MOST_LINES:
            for i, j in np.argwhere(panel.texty).tolist():
                self.hard[i, j] = is_amount(panel.text(i, j))
        worded = np.isin(panel.codes, (TEXT, YEAR, DATE))
        self.counts = bool(self.hard.any())
        below = np.asarray(np.arange(panel.n) > panel.filled_rows[0], np.bool_)
        told = some(self.hard, 1) if self.counts else below
        lines = np.flatnonzero(some(worded, 1) & told & ~panel.units)[:_MOST_RECORDS]
        at = worded[lines].argmax(1)
        self.lines: list[int] = lines.tolist()
        self.labels = [panel.text(i, j) for i, j in zip(self.lines, at.tolist(), strict=True)]
        self.lead = bool((at == panel.first[lines]).all())

    @cached_property
    def ends(self) -> list[int]:
        """The positions in `lines` of totals and averages, by their labels or, called Total Something, their sums."""
        maybe = wholes_among(self.labels)
        known = {said for said in {*self.labels} if closes(said)}
        found = [at for at, said in enumerate(self.labels) if said in known or said in maybe]
        return [at for at in found if self._is_borne_out(at, self.labels[at], told=self.labels[at] in known)]

    @cached_property
    def own(self) -> list[int]:
        """The positions in `lines` of the others."""
        ends = set(self.ends)
        return [at for at in range(len(self.lines)) if at not in ends]

    @cached_property
    def is_labelled(self) -> bool:
        """Whether each of a few lines has texts of its own, and hardly anything else stands under the first."""
        if not self.own or len(self.lines) > _MOST_LINES:
            return False
        worded = np.isin(self.panel.codes, (TEXT, YEAR, DATE))
        said = {tuple(self.panel.text(i, j) for j in np.flatnonzero(worded[i]).tolist()) for i in self._own_lines}
        below = int((self.panel.count[self.lines[0] :] > 0).sum())
        return len(said) == len(self.own) and len(self.lines) >= _DISTINCT * below

    @property
    def is_block(self) -> bool:
        """Whether nothing parts the lines but a row before the total."""
        return self.lines[-1] - self.lines[0] <= len(self.lines)

    @property
    def _own_lines(self) -> list[int]:
        return [self.lines[at] for at in self.own]

    @cached_property
    def tells_apart(self) -> bool:
        """Whether a column of texts is another in nearly every line but the totals, as names are."""
        lines = self._own_lines
        if len(lines) < 2:
            return False
        columns = np.flatnonzero((self.panel.codes[lines] == TEXT).mean(0) >= _DISTINCT).tolist()
        return any(len({*self.texts(j)}) >= _DISTINCT * len(lines) for j in columns)

    def texts(self, j: int) -> list[str]:
        """The texts of column `j` in the lines that are no totals, in lower case."""
        values = self.panel.cells.column([self.panel.r0 + i for i in self._own_lines], self.panel.c0 + j)
        return [value.strip().casefold() if isinstance(value, str) else "" for value in values]

    def numbers(self, at: Sequence[int]) -> Floats:
        """The numbers of the lines at positions `at`, 0 where there is none."""
        lines = [self.lines[a] for a in at]
        rows = np.array(lines, np.int64) + self.panel.r0
        columns = np.arange(self.panel.w, dtype=np.int64) + self.panel.c0
        return np.where(self.hard[lines], np.nan_to_num(self.panel.cells.number_block(rows, columns)), 0.0)

    @property
    def heads(self) -> list[str]:
        """The texts in the rows right above the lines, in lower case."""
        first = self.lines[0] if self.lines else 0
        rows = [i for i in range(first) if self.panel.count[i]][-_HEAD_ROWS:]
        return [text.casefold() for i in rows for text in self.panel.said(i)]

    def _is_borne_out(self, at: int, label: str, *, told: bool) -> bool:
        """Whether the numbers say what a label may mean: Average is a rating, too, and All Seasons a name."""
        words = label.casefold().split()
        if len(words) == 1 and (words[0] in _RATINGS or not told):
            return self._adds_up(at, mean=True) or (not told and (self._adds_up(at) or self.repeats_itself))
        return told or self._adds_up(at) or self.repeats_itself

    def _adds_up(self, at: int, *, mean: bool = False) -> bool:
        """Whether a number of the line at `at` is the sum of those above it, or the mean."""
        if at < 2:
            return False
        block = self.numbers(range(at + 1))
        parts, said = block[:-1].mean(0) if mean else block[:-1].sum(0), block[-1]
        return bool(((said != 0) & np.isclose(parts, said, rtol=_ROUNDED if mean else _NEAR)).any())

    @property
    def repeats_itself(self) -> bool:
        """Whether the second of two lines has the first one's numbers: a total of one category."""
        if len(self.lines) != _FEWEST_LINES - 1:
            return False
        block = self.numbers(range(len(self.lines)))
        return bool((block[0] == block[1]).all())

    def is_record(self, i: int) -> bool:
        """Whether row `i` is a plain record: filled as most are, unlike the row above, and no total."""
        panel, at = self.panel, self._places.get(i)
        if at is None or at in self.ends or panel.count[i] < 0.5 * panel.typical:
            return False
        if not self.counts and i == self.lines[-1]:
            return False
        return not any(map(closes, panel.said(i))) and panel.said(i) != panel.said(i - 1)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {i: at for at, i in enumerate(self.lines)}


def _sums_up(part: _Part, other: _Part, *, leads: bool) -> bool:
    """Whether `part` is a summary: its total, a pivot's names, the other's categories or the other's sums say so.

    One that `leads` stands left of the other.
    """
    if not part.is_labelled or not other.own:
        return False
    if part.counts and _closes_beside_record(part, other, leads):
        return True
    if not part.is_block:
        return False
    if not part.counts:
        return len(part.own) < len(other.own) and _has_categories(part, other)
    return (
        (other.tells_apart and is_pivots(part.heads, other.heads))
        or _has_categories(part, other)
        or (other.tells_apart and (_has_sums(part, other) or _has_figures(part, other)))
    )


def _closes_beside_record(part: _Part, other: _Part, leads: bool) -> bool:
    """Whether the part's total, first or last, stands beside a plain record, or right below amounts it leaves out.

    A leading part's total is that of its whole row, unless records follow beside.
    """
    if not {0, len(part.lines) - 1}.intersection(part.ends):
        return False
    if len(part.lines) < _FEWEST_LINES and not part.repeats_itself:
        return False
    last, below = part.lines[-1], other.lines[-1]
    if any(other.is_record(part.lines[at]) for at in part.ends):
        return not leads or last < below
    left_out = not other.ends and other.tells_apart and not other.panel.count[last:].any()
    return not leads and part.lead and left_out and len(part.own) == len(other.lines)


def _has_categories(part: _Part, other: _Part) -> bool:
    """Whether the labels are values of a column of the other, each once and in other rows, or with their sums."""
    labels = {part.lines[at]: part.labels[at].casefold() for at in part.own}
    rows = [other.lines[at] for at in other.own]
    for j in np.flatnonzero((other.panel.codes[rows] == TEXT).any(0)).tolist():
        texts = other.texts(j)
        drawn = len({*labels.values()}.intersection(texts))
        if drawn < max(1, _DRAWN * len(labels)):
            continue
        aligned = sum(labels.get(i) == text for i, text in zip(rows, texts, strict=True))
        repeats = len({*texts}) < len(texts)
        few = drawn < (2 if repeats else 3) or (not part.counts and not (repeats and drawn == len(labels)))
        if aligned <= _ALIGNED * len(labels) and not few:
            return True
        if repeats and _groups_agree(part, other, texts):
            return True
    return False


def _groups_agree(part: _Part, other: _Part, texts: Sequence[str]) -> bool:
    """Whether a column holds the sum, mean or count by category of what stands in the other part."""
    keys = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    group = np.array([keys[text] for text in texts])
    own = [at for at in part.own if part.labels[at].casefold() in keys]
    at = np.array([keys[part.labels[o].casefold()] for o in own])
    held = np.bincount(group).astype(np.float64)[at]
    given = part.numbers(own)
    sums = [np.bincount(group, column).astype(np.float64)[at] for column in other.numbers(other.own).T]
    wanted = [held, *sums, *(total / held for total in sums)]
    agree = (_agree(column / scale, w) for column in given.T for w in wanted for scale in _SCALES)
    return bool(held.max() > 1 and any(agree))


def _agree(a: Floats, b: Floats) -> bool:
    if len(b) == 1:
        return bool(b[0] >= _FEWEST_DIGITS and np.isclose(a[0], b[0], rtol=_NEAR, atol=0))
    return bool(b.all() and np.ptp(b) > 0 and np.allclose(a, b, rtol=_ROUNDED, atol=0))


def _has_sums(part: _Part, other: _Part) -> bool:
    """Whether a column adds up to what one of the other does, or counts its records, in more lines or fewer."""
    if len(part.own) < 2 or len(part.own) == len(other.own):
        return False
    ours, theirs = part.numbers(part.own), other.numbers(other.own)
    if (ours.sum(0) == len(other.own)).any() and counts(part.heads):
        return True
    few = min(len(ours), len(theirs))
    return any(
        np.isclose(a.sum(), b.sum() * scale, rtol=_NEAR, atol=0) and not np.allclose(a[:few], b[:few] * scale)
        for a in ours.T
        for b in theirs.T
        for scale in _SCALES
        if b.sum() >= _FEWEST_DIGITS
    )


def _has_figures(part: _Part, other: _Part) -> bool:
    """Whether most lines are a label with one figure of the other: a column's sum or mean, or how many there are."""
    theirs = other.numbers(other.own)
    known = [figure for column in theirs.T for figure in (column.sum(), column.mean()) if figure >= _FEWEST_DIGITS]
    told = counted = 0
    for line in part.numbers(range(len(part.lines))):
        held = line[line != 0]
        if len(held) == 1:
            told += any(np.isclose(held[0], figure * scale, rtol=_NEAR) for figure in known for scale in _SCALES)
            counted += held[0] == len(theirs)
    return told > 0 and 1 < told + counted >= _MOST_FIGURES * len(part.lines)


def _goes_on_alone(left: _Part, right: _Part) -> bool:
    """Whether lines of the right part go on below the left one, each of whose rows is filled."""
    if not (left.counts and right.counts and left.tells_apart and right.is_labelled and right.is_block and right.lead):
        return False
    first, last = left.lines[0], left.lines[-1]
    whole = (left.panel.count[first : last + 1] >= 0.5 * left.panel.typical).all()
    below = [at for at, i in enumerate(right.lines) if i > last and left.panel.count[i] <= 1]
    return bool(whole) and len(below) > 1 and below[0] in right.own
