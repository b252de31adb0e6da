"""The panels of a sheet, side by side, each with its tables one under the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from schemas.workbook import RowClass
from tools.workbook.cells import Cells, some
from tools.workbook.panel import Panel, runs
from tools.workbook.rows import Band, classify


@dataclass(slots=True)
class Area:
    """A panel with the class of each row (None for a blank one) and its tables, from top to bottom.

    An area `over` others holds the titles that are merged across several panels.
    """

    panel: Panel
    classes: list[RowClass | None]
    bands: list[Band] = field(default_factory=list[Band])
    over: bool = False


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
    """Whether the part right of an empty column is a table of its own, and not more columns of the same rows."""
    left_rows, right_rows = np.flatnonzero(left.count), np.flatnonzero(right.count)
    both = len(np.intersect1d(left_rows, right_rows))
    union = both / max(1, len(left_rows) + len(right_rows) - both)
    overlap = both / max(1, min(len(left_rows), len(right_rows)))
    if right.w == 1 and left.w > 1:
        return gap >= 3 and union < 0.5
    key = bool(right.w >= 2 and right.texty[:, 0].sum() >= 0.6 * max(1, int(right.full[:, 0].sum())))
    twins = left.said(int(left_rows[0])) == right.said(int(right_rows[0])) and left.count[left_rows[0]] >= 2
    ends_apart = abs(int(left_rows[-1]) - int(right_rows[-1])) >= 3
    if own_titles(left, right) or twins or (key and union < 0.8 and ends_apart):
        return True
    if union >= 0.8:
        return bool(key and gap >= 2 and left.body_like.any() and right.body_like.any() and left.w >= 2)
    return bool((key or gap >= 2) and (overlap < 0.8 or union < 0.6) and left.w >= 2)


def split_columns(cells: Cells, r0: int, r1: int, c0: int, c1: int) -> list[tuple[int, int]]:
    """Column spans: cut where all rows but titles and notes are empty, if both sides stand alone."""
    panel = Panel(cells, r0, r1, c0, c1)
    wide = ~panel.lone & (panel.count > 0)
    parts = runs(some(panel.full[wide] if wide.any() else panel.full, 0))
    if not 2 <= len(parts) <= 64:
        return [(c0, c1)]
    out = [list(parts[0])]
    for a, b in parts[1:]:
        left = Panel(cells, r0, r1, c0 + out[-1][0], c0 + out[-1][1])
        right = Panel(cells, r0, r1, c0 + a, c0 + b)
        if stands_alone(left, right, a - out[-1][1] - 1):
            out.append([a, b])
        else:
            out[-1][1] = b
    edges = [0] + [a for a, _ in out[1:]] + [panel.w]
    return [(c0 + a, c0 + b - 1) for a, b in pairwise(edges)]


def find_areas(cells: Cells) -> list[Area]:
    """The panels of a sheet, from left to right, after the titles that lie over several; none for an empty sheet."""
    used, lines = np.flatnonzero((cells.codes > 0).any(0)), np.flatnonzero((cells.codes > 0).any(1))
    if not len(lines):
        return []
    r0, r1, c0, c1 = int(lines[0]), int(lines[-1]), int(used[0]), int(used[-1])
    parts = split_columns(cells, r0, r1, c0, c1)
    areas: list[Area] = []
    if len(parts) > 1:
        titles = _titles_over(Panel(cells, r0, r1, c0, c1), parts[0][1] - parts[0][0] + 1)
        areas += [titles] if titles else []
        r0 += titles.panel.n if titles else 0
    sides = [Panel(cells, r0, r1, a, b) for a, b in parts]
    titled = [own_titles(a, b) for a, b in pairwise(sides)]
    for at, panel in enumerate(sides):
        panel.own_title = any(titled[max(0, at - 1) : at + 1])
        areas.append(Area(panel, *classify(panel)))
    return areas


def _titles_over(whole: Panel, width: int) -> Area | None:
    """The titles at the top that are merged over several panels and so belong to none; None without."""
    over: list[int] = []
    for i in whole.filled_rows:
        if not whole.same[i] or len(runs(whole.full[i])) > 1 or whole.count[i] <= width:
            break
        over.append(i)
    if not over:
        return None
    top = Panel(whole.cells, whole.r0, whole.r0 + over[-1], whole.c0, whole.c0 + whole.w - 1)
    return Area(top, ["title" if i in over else None for i in range(top.n)], over=True)
