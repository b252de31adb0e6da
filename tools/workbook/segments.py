"""Where a new table starts below another: the rows of a panel cut at blank rows that part unlike blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.workbook.cells import Flags
from tools.workbook.panel import Counts, Panel, runs
from tools.workbook.words import DATE, DECO, NUM, TEXT, YEAR

_LOOK_ROWS = 12
_HEADER_ROWS = 3
_NARROW = 3
_FEWEST_LABELS = 3
_FEWEST_NAMES = 3


class _Above:
    """What the rows since the last cut have held, column by column."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self.rows = 0
        self.filled: Counts = np.zeros(panel.w, np.int64)
        self.numbers: Counts = np.zeros(panel.w, np.int64)
        self.hard: Counts = np.zeros(panel.w, np.int64)
        self.heads: list[int] = []
        self.last = -1
        self.block: Sequence[int] = ()

    def add(self, rows: Sequence[int]) -> None:
        """Takes in wide rows."""
        if self.rows < _HEADER_ROWS:
            self.heads += rows[: _HEADER_ROWS - self.rows]
        part = self._panel.codes[list(rows)]
        self.filled += (part > 0).sum(0)
        self.numbers += _is_number(part).sum(0)
        self.hard += (_is_number(part) & (part != YEAR)).sum(0)
        self.rows += len(rows)
        self.last = rows[-1]
        self.block = rows

    @property
    def is_table(self) -> bool:
        """Whether there are records by now, and not only the rows of a header that blank rows part."""
        if self.rows < 2:
            return False
        return bool((self.hard >= 2).any()) or int((self.filled >= max(4, 0.7 * self.rows)).sum()) >= 2

    @property
    def number_columns(self) -> Flags:
        """The columns that hold numbers, and hardly anything else."""
        return np.asarray((self.numbers >= 2) & (self.numbers >= 0.75 * self.filled), np.bool_)


def _is_number(codes: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> Flags:
    return np.asarray((codes == NUM) | (codes == DECO) | (codes == DATE) | (codes == YEAR), np.bool_)


def row_segments(panel: Panel) -> list[tuple[int, int]]:
    """The (first, last) row of each part of the panel that is to be read by itself, from top to bottom."""
    blocks = runs(panel.count > 0)
    reordered = _reordered(panel)
    if len(blocks) < 2 or reordered:
        return list(zip([0, *reordered], [*(start - 1 for start in reordered), panel.n - 1], strict=True))
    wide_rows = np.flatnonzero(~panel.lone & (panel.count > 0))
    starts, above, pending = [0], _Above(panel), -1
    for first, last in blocks:
        a, b = np.searchsorted(wide_rows, (first, last + 1)).tolist()
        if a == b:
            pending = first if pending < 0 else pending
            continue
        # A short block may be a header that a blank row parts from its records: only then look beyond it.
        ahead = wide_rows[a : a + _LOOK_ROWS if b - a <= _HEADER_ROWS else min(b, a + _LOOK_ROWS)].tolist()
        if above.is_table and _starts_anew(panel, above, ahead, wide_rows[a:b].tolist()):
            starts.append(_title_start(panel, pending, first))
            above = _Above(panel)
        above.add(wide_rows[a:b].tolist())
        pending = -1
    return list(zip(starts, [start - 1 for start in starts[1:]] + [panel.n - 1], strict=True))


def _reordered(panel: Panel) -> list[int]:
    """The rows where a header comes again with its names in other columns, or where the titles above it begin."""
    found, latest = list[int](), dict[tuple[str, ...], int]()
    for i in np.flatnonzero(panel.header_like & (panel.count >= _FEWEST_NAMES)).tolist():
        said = panel.said(i)
        names = tuple(sorted(said))
        before = latest.get(names, i)
        if panel.said(before) != said or is_shifted(panel, before, i):
            start = i
            while start > 1 and panel.lone[start - 1] and panel.count[start - 1] and not panel.is_note(start - 1):
                start -= 1
            found.append(start)
        latest[names] = i
    return found


def is_shifted(panel: Panel, before: int, i: int) -> bool:
    """Whether header row `i`, which says what row `before` does, says it in other columns, as do the rows below it."""
    new, old = panel.full[i], panel.full[before]
    below = panel.full[i + 1 : i + 1 + _LOOK_ROWS]
    return bool((new != old).any() and (below & new).sum() > (below & old).sum())


def _title_start(panel: Panel, pending: int, first: int) -> int:
    """The row where the next part begins: lone rows before it are its titles, unless they read like notes."""
    if pending < 0:
        return first
    at = [i for i in range(pending, first) if panel.count[i]]
    while at and panel.is_note(at[0]):
        at.pop(0)
    return at[0] if at else first


def _starts_anew(panel: Panel, above: _Above, ahead: Sequence[int], block: Sequence[int]) -> bool:
    """Whether the block is no continuation: it has a header of its own, other columns, or words where numbers were."""
    return (
        _has_own_header(panel, above, ahead)
        or _leaves_columns(panel, above, block)
        or _narrows(panel, above, block)
        or _clashes(panel, above, block)
        or _is_next_form(panel, above.block, block)
    )


def _has_own_header(panel: Panel, above: _Above, ahead: Sequence[int]) -> bool:
    """Whether one of the first rows has words (or years) over columns that hold numbers below it."""
    codes = panel.codes[list(ahead)]
    for at in range(min(_HEADER_ROWS, len(ahead) - 1)):
        below = codes[at + 1 :]
        numbers, filled = _is_number(below).sum(0), (below > 0).sum(0)
        columns = (numbers >= np.maximum(0.5 * filled, 1)) & (filled >= 0.3 * len(below))
        row = codes[at]
        over = np.flatnonzero((row == TEXT) & columns).tolist()
        words = len(over)
        data = int((((row == NUM) | (row == DECO) | (row == DATE)) & columns).sum())
        if data:
            return False
        years = int(((row == YEAR) & columns).sum())
        narrow = words == 1 and len(below) >= 2 and columns.sum() == 1 and (codes > 0).any(0).sum() <= _NARROW
        varied = words < 2 or len({panel.text(ahead[at], j) for j in over}) > 1
        if (words + years >= max(2, 0.5 * int(columns.sum())) and varied) or narrow:
            said = panel.said(ahead[at])
            alike = [i for i in above.heads if panel.said(i) == said]
            return not alike or panel.is_total(above.last) or is_shifted(panel, alike[0], ahead[at])
    return False


def _leaves_columns(panel: Panel, above: _Above, block: Sequence[int]) -> bool:
    """Whether most of the block lies in columns that were empty before."""
    filled = (panel.codes[list(block)] > 0).sum(0)
    used = filled >= max(1, 0.5 * len(block))
    fresh = int((used & (above.filled == 0)).sum())
    return fresh >= 2 and fresh >= 0.4 * int(used.sum())


def _narrows(panel: Panel, above: _Above, block: Sequence[int]) -> bool:
    """Whether all rows of the block fill the same few of the columns that were filled before."""
    if len(block) < 3:
        return False
    filled = (panel.codes[list(block)] > 0).sum(0)
    used, before = filled > 0, above.filled >= 0.5 * above.rows
    steady = int(filled.sum()) >= 0.8 * len(block) * int(used.sum())
    if not (steady and used.sum() >= 2 and used.sum() <= 0.5 * before.sum()):
        return False
    # Words under words and numbers under numbers go on with the table: records of which little is known yet.
    numbers = _is_number(panel.codes[list(block)]).sum(0) > 0.5 * filled
    return bool((used & (above.filled > 0) & (numbers != (above.numbers > 0.5 * above.filled))).any())


def _is_next_form(panel: Panel, before: Sequence[int], block: Sequence[int]) -> bool:
    """Whether the block is a form with the labels of the one before it: two columns, labels that all differ."""
    if panel.w != 2 or len(block) < _FEWEST_LABELS or not panel.texty[list(block), 0].all():
        return False
    labels = [panel.text(i, 0) for i in block]
    return labels == [panel.text(i, 0) for i in before] and len(set(labels)) == len(labels)


def _clashes(panel: Panel, above: _Above, block: Sequence[int]) -> bool:
    """Whether the block has words in most of the columns that held numbers."""
    columns = above.number_columns
    part = panel.codes[list(block)][:, columns]
    filled, words = (part > 0).sum(0), (part == TEXT).sum(0)
    met, worded = int((filled >= 2).sum()), int(((filled >= 2) & (words >= 0.8 * filled)).sum())
    return worded >= max(1, 0.6 * met) and (worded >= 2 or int(columns.sum()) == 1)
