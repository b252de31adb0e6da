"""What titles over blocks side by side say: that each block is a table, or only which columns belong together."""

from __future__ import annotations

import re

import numpy as np

from tools.workbook import weights
from tools.workbook.panel import Panel, runs
from tools.workbook.statistic_words import statistic_label
from tools.workbook.words import totals_among

_TOP_ROWS = 6
_WORD = re.compile(r"[^\W\d_]{3,}")
# Words in the names of groups of columns: Property Information, Lease Information.
_OF_GROUPS = frozenset(["info", "information", "details", "data", "metrics", "terms", "summary", "the", "and", "for"])


def titles_beside(left: Panel, right: Panel) -> float:
    """How much speaks for two tables because a title of its own stands over each; 0 without, or where rows have holes.

    Names of groups of columns stand over the columns of one table, too, whose right part may be filled in some rows
    only.
    """
    title = title_row(left, right)
    if title < 0:
        return 0.0
    if _has_holes(left, title) or _has_holes(right, title):
        return 0.0
    shared = _words(left.label(title)) & _words(right.label(title)) - _OF_GROUPS
    ends = [int(np.flatnonzero(panel.count)[-1]) for panel in (left, right)]
    return weights.TITLE_OVER_EACH + weights.TITLES_ALIKE * bool(shared) + weights.ONE_LONGER * (ends[0] != ends[1])


def _has_holes(panel: Panel, title: int) -> bool:
    """Whether blank rows part the rows below the title, but for one before a total or an average at the end."""
    blocks = runs(panel.count[_next_row(panel, title) :] > 0)
    last = panel.label(int(np.flatnonzero(panel.count)[-1]))
    closed = bool(totals_among([last])) or statistic_label(last) is not None
    return len(blocks) > (2 if closed and blocks[-1][0] == blocks[-1][1] else 1)


def title_row(left: Panel, right: Panel) -> int:
    """The row that holds a title of its own on each side; -1 without."""
    rows = range(min(left.n, _TOP_ROWS))
    return next((i for i in rows if _is_titled(left, i) and _is_titled(right, i)), -1)


def _is_titled(panel: Panel, i: int) -> bool:
    """Whether row `i` holds one text, over the first column, and wider rows lie below it."""
    below = _next_row(panel, i)
    return bool(panel.count[i] == 1 and panel.texty[i, 0] and below < panel.n and panel.count[below] > 1)


def _next_row(panel: Panel, i: int) -> int:
    later = np.flatnonzero(panel.count[i + 1 :])
    return i + 1 + int(later[0]) if len(later) else panel.n


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
