"""The panels of a sheet, side by side, each with its tables one under the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from schemas.workbook import RowClass
from tools.workbook import weights
from tools.workbook.cells import Cells, some
from tools.workbook.lists_beside import is_list_beside
from tools.workbook.orientation import are_pairs, mark_orientation
from tools.workbook.panel import Panel, runs
from tools.workbook.rows import Band, classify
from tools.workbook.segments import row_segments
from tools.workbook.side_titles import title_row, titles_beside
from tools.workbook.summary_beside import is_summary_beside
from tools.workbook.words import DECO, EMPTY, NUM, TEXT, YEAR

_MOST_PANELS = 64
_DEEPEST = 6


@dataclass(slots=True)
class Area:
    """A panel with the class of each row (None for a blank one) and its tables, from top to bottom.

    `beside` says that others lie left or right of it; `above` holds the titles that lie over it and them.
    """

    panel: Panel
    classes: list[RowClass | None]
    bands: list[Band] = field(default_factory=list[Band])
    beside: bool = False
    above: list[Area] = field(default_factory=list["Area"])


def own_titles(left: Panel, right: Panel) -> bool:
    """Whether each side has its own merged title."""
    return any(
        left.same[i]
        and right.same[i]
        and left.label(i) != right.label(i)
        and left.count[i] >= 0.6 * left.w
        and right.count[i] >= 0.6 * right.w
        for i in range(min(left.n, 6))
    )


def stands_alone(left: Panel, right: Panel, gap: int) -> bool:
    """Whether the part right of `gap` empty columns is a table of its own, and not more columns of the same rows."""
    left_rows, right_rows = np.flatnonzero(left.count), np.flatnonzero(right.count)
    both = len(np.intersect1d(left_rows, right_rows))
    union = both / max(1, len(left_rows) + len(right_rows) - both)
    if max(left.w, right.w) > 1 and (is_list_beside(right, left) or is_list_beside(left, right)):
        return True
    if right.w == 1 and left.w > 1:
        return (gap >= 3 and union < 0.5) or is_summary_beside(left, right)
    twins = left.said(int(left_rows[0])) == right.said(int(right_rows[0])) and left.count[left_rows[0]] >= 2
    titles = titles_beside(left, right)
    if twins or own_titles(left, right) or (titles and _same_header(left, right)):
        return True
    if is_summary_beside(left, right):
        return True
    if left.w < 2:
        return False
    if are_pairs(left) and are_pairs(right):
        return True
    left_head, right_head = _head_row(left), _head_row(right)
    evidence = {
        "gap": weights.GAP_COLUMN * min(gap, 3) if gap > 1 else 0.0,
        "both have a header": weights.BOTH_HEADED * (left_head >= 0 and right_head >= 0),
        "headers at different rows": weights.HEADS_IN_DIFFERENT_ROWS * (left_head != right_head),
        "a header beside records": _heads_beside_records(left, left_head, right, right_head),
        "ends apart": weights.ENDS_APART * (abs(int(left_rows[-1]) - int(right_rows[-1])) >= 3),
        "rows differ": weights.ROWS_DIFFER * ((union < 0.8) + (union < 0.6)),
        "own labels": weights.OWN_LABELS * (right.texty[:, 0].sum() >= 0.6 * max(1, int(right.full[:, 0].sum()))),
        "a title over each": titles,
    }
    return sum(evidence.values()) >= (weights.ENOUGH_AT_ONE_COLUMN if gap == 1 else weights.ENOUGH_TO_CUT)


def _same_header(left: Panel, right: Panel) -> bool:
    """Whether the first row of many cells says the same on both sides, column for column."""
    left_head, right_head = _head_row(left), _head_row(right)
    said = [left.text(left_head, j) for j in range(left.w)]
    return left_head == right_head >= 0 and said == [right.text(right_head, j) for j in range(right.w)]


def _heads_beside_records(left: Panel, left_head: int, right: Panel, right_head: int) -> float:
    """How much speaks for it that the lower one of two headers stands beside a record of the other table.

    A record among numbers is told better from a second header row than one of words; words left of numbers are the
    labels of those.
    """
    if min(left_head, right_head) < 0 or left_head == right_head or (left_head > right_head and not _amounts(left)):
        return 0.0
    lower, at, other = (right, right_head, left) if right_head > left_head else (left, left_head, right)
    beside = other.count[at] >= 2 and not other.header_like[at] and not other.units[at] and not other.lone[at]
    topmost = not lower.body_like[:at].any()
    said = weights.HEAD_BESIDE_RECORD + weights.HEAD_BESIDE_NUMBERS * bool(other.numcol.any())
    return said if beside and topmost else 0.0


def _amounts(panel: Panel) -> bool:
    """Whether the panel holds numbers that are no years."""
    return bool(np.isin(panel.codes, (NUM, DECO)).any())


def _head_row(panel: Panel) -> int:
    """The first wide row, if it holds words or years only and wide rows follow; -1 without."""
    wide = np.flatnonzero(~panel.lone & (panel.count >= 0.5 * panel.typical))
    if len(wide) < 3:
        return -1
    first = panel.codes[wide[0]]
    return int(wide[0]) if np.isin(first, (EMPTY, TEXT, YEAR)).all() else -1


def split_columns(panel: Panel) -> list[Panel]:
    """The panel cut at columns that all rows but titles and notes leave empty, where both sides stand alone."""
    wide = ~panel.lone & (panel.count > 0)
    parts = runs(some(panel.full[wide] if wide.any() else panel.full, 0))
    if not 2 <= len(parts) <= _MOST_PANELS:
        return [panel]
    out = [list(parts[0])]
    for a, b in parts[1:]:
        left, right = panel.part(out[-1][0], out[-1][1]), panel.part(a, b)
        if stands_alone(left, right, a - out[-1][1] - 1):
            out.append([a, b])
        else:
            out[-1][1] = b
    if len(out) == 1:
        return [panel]
    edges = [0] + [a for a, _ in out[1:]] + [panel.w]
    return [panel.part(a, b - 1) for a, b in pairwise(edges)]


def find_areas(cells: Cells) -> list[Area]:
    """The areas of a sheet, from top to bottom and left to right; none for an empty sheet."""
    used, lines = np.flatnonzero(some(cells.codes > 0, 0)), np.flatnonzero(some(cells.codes > 0, 1))
    if not len(lines):
        return []
    return _areas(Panel(cells, int(lines[0]), int(lines[-1]), int(used[0]), int(used[-1])), 0)


def _areas(panel: Panel, depth: int) -> list[Area]:
    """The panel cut into parts one under the other, or else side by side, and those again; or read as it is."""
    if depth < _DEEPEST:
        segments = row_segments(panel)
        if len(segments) > 1:
            return [area for first, last in segments for area in _areas(panel.rows(first, last), depth + 1)]
        sides = split_columns(panel)
        if len(sides) > 1:
            return _beside(panel, sides, depth)
    classes, bands = classify(panel)
    for band in bands:
        mark_orientation(panel, band, classes)
    return [Area(panel, classes, bands)]


def _beside(panel: Panel, sides: list[Panel], depth: int) -> list[Area]:
    titles = _titles_over(panel, sides[0].w, title_row(sides[0], sides[1]))
    if titles:
        sides = [side.rows(titles.panel.n, side.n - 1) for side in sides]
    titled = [own_titles(a, b) for a, b in pairwise(sides)]
    areas = [titles] if titles else []
    for at, side in enumerate(sides):
        trimmed = side.trimmed()
        trimmed.own_title = any(titled[max(0, at - 1) : at + 1])
        for area in _areas(trimmed, depth + 1):
            area.beside = True
            area.above += [titles] if titles else []
            areas.append(area)
    return areas


def _titles_over(whole: Panel, width: int, own: int) -> Area | None:
    """The titles at the top that belong to no one panel; None without.

    They are merged over several panels, or stand alone above row `own`, where each panel has a title.
    """
    over: list[int] = []
    for i in whole.filled_rows:
        merged = whole.same[i] and len(runs(whole.full[i])) == 1 and whole.count[i] > width
        if not merged and not (i < own and whole.count[i] == 1):
            break
        over.append(i)
    if not over:
        return None
    top = Panel(whole.cells, whole.r0, whole.r0 + over[-1], whole.c0, whole.c0 + whole.w - 1)
    return Area(top, ["title" if i in over else None for i in range(top.n)])
