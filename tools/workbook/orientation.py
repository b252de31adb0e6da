"""Which way a table runs: a record a row, or a record a column, as in labels with their values beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from schemas.workbook import RowClass
from tools.workbook import weights
from tools.workbook.number_formats import is_date_format
from tools.workbook.panel import Panel
from tools.workbook.rows import Band
from tools.workbook.words import DATE, NA, TEXT

_MOST_VALUES = 12
_MOST_ROWS = 150
_LONGEST_LABEL = 60
_SIZES_APART = 10_000


def mark_orientation(panel: Panel, band: Band, classes: list[RowClass | None]) -> None:
    """Marks the band when its first column labels values of many kinds: as `across`, and `key_value` for one column.

    Down a column of records the kinds of value agree (money under money); down a block of labels they don't, but along
    its rows they do. Weighed by the most common kind's share, over cells that hold something.
    """
    labelled = [h for h in band.heads[1:] if panel.full[h, 0]]
    rows = [i for i in range(band.top, band.end + 1) if classes[i] in ("record", "total", "section") or i in labelled]
    columns = np.flatnonzero(panel.full[rows].any(0)).tolist() if rows else []
    values = columns[1:]
    if not 3 <= len(rows) <= _MOST_ROWS or not 1 <= len(values) <= _MOST_VALUES:
        return
    if not _are_labels(panel, rows, columns[0]):
        return
    kinds = [[_kind(panel, i, j) for j in values] for i in rows]
    down = _agreement([[line[at] for line in kinds] for at in range(len(values))])
    if len(values) == 1:
        apart = not band.heads and _differ_in_size(panel, rows, values[0])
        band.across = band.key_value = down <= weights.DOWN_A_FORM or apart or _end_in_colons(panel, rows, columns[0])
    else:
        agreeing = sum(len(set(line) - {""}) == 1 for line in kinds)
        band.across = down <= weights.DOWN_ACROSS and agreeing >= 4 and _agreement(kinds) >= weights.ALONG_ACROSS
    if band.across:
        band.heads = [h for h in band.heads if h not in labelled]
        for i in labelled:
            classes[i] = "record"


def are_pairs(panel: Panel) -> bool:
    """Whether the panel is two columns of labels and of values of many kinds, and nothing else."""
    rows = panel.filled_rows
    if panel.w != 2 or not 3 <= len(rows) <= _MOST_ROWS or not _are_labels(panel, rows, 0):
        return False
    return _agreement([[_kind(panel, i, 1) for i in rows]]) <= weights.DOWN_A_FORM or _end_in_colons(panel, rows, 0)


def _differ_in_size(panel: Panel, rows: Sequence[int], column: int) -> bool:
    """Whether the column's numbers are of no one measure: the largest is ten thousand times the smallest, or more."""
    sizes = [abs(panel.cells.number(panel.r0 + i, panel.c0 + column)) for i in rows]
    held = [size for size in sizes if size > 0]
    return len(held) > 1 and max(held) >= _SIZES_APART * min(held)


def _are_labels(panel: Panel, rows: Sequence[int], column: int) -> bool:
    """Whether the column holds short words that all differ."""
    texts = [panel.text(i, column) for i in rows if panel.codes[i, column] == TEXT]
    short = sum(len(text) <= _LONGEST_LABEL for text in texts)
    return short >= weights.LABELS_SHARE * len(rows) and len(set(texts)) >= weights.LABELS_SHARE * len(texts)


def _end_in_colons(panel: Panel, rows: Sequence[int], column: int) -> bool:
    return sum(panel.text(i, column).endswith(":") for i in rows) >= weights.COLONS_SHARE * len(rows)


def _agreement(lines: Sequence[Sequence[str]]) -> float:
    """The mean share of the most common kind along each line, over its cells that hold something."""
    shares: list[float] = []
    for line in lines:
        held = [kind for kind in line if kind]
        if held:
            shares.append(Counter(held).most_common(1)[0][1] / len(held))
    return sum(shares) / len(shares) if shares else 1.0


def _kind(panel: Panel, i: int, j: int) -> str:
    """What kind of value the cell holds: text, date, percent, money or number; "" for nothing."""
    code = int(panel.codes[i, j])
    if not code or code == NA:
        return ""
    if code == TEXT:
        return "text"
    cells = panel.cells
    shown = cells.sheet.number_format(int(cells.rows[panel.r0 + i]), int(cells.columns[panel.c0 + j]))
    if code == DATE or is_date_format(shown):
        return "date"
    marks = shown + panel.text(i, j)
    if "%" in marks:
        return "percent"
    return "money" if any(sign in marks for sign in "$€£¥") else "number"
