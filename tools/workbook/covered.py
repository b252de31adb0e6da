"""The cells that merged ones cover: what they hold is kept in the file, and no program shows it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.workbook.grid import Sheet


def cover(sheet: Sheet) -> None:
    """Moves what stands under merged cells out of the sheet's values, into `covered`.

    A merged cell shows its first cell and no other, be that one empty. Those of several ranges that lie over each other
    are first cells all the same.
    """
    under = _under(sheet) if sheet.merges and sheet.columns else None
    if under is None:
        return
    found = dict(sheet.covered)
    for across in np.flatnonzero(under.any(0)).tolist():
        column = sheet.columns[across]
        for at in np.flatnonzero(under[:, across]).tolist():
            if column.values[at] is not None:
                found[sheet.top + at, sheet.left + across] = column.values[at]
                column.put(at, None)
    sheet.covered = found


def _under(sheet: Sheet) -> NDArray[np.bool_] | None:
    """Which cells of the block a merged one covers; None where it holds no cell of any."""
    merges = np.array(sheet.merges, np.int64) - (sheet.top, sheet.left, sheet.top, sheet.left)
    corners = np.clip(merges, 0, (sheet.height - 1, sheet.width - 1) * 2)
    touches = (merges[:, 0] < sheet.height) & (merges[:, 1] < sheet.width) & (merges[:, 2:] >= 0).all(1)
    top, left, bottom, right = corners[touches].T
    if not len(top):
        return None
    # One more at each first corner and one less beyond each last: the sums of all before a cell are how many hold it.
    counts = np.zeros((sheet.height + 1, sheet.width + 1), np.int32)
    for rows, columns, step in (
        (top, left, 1),
        (bottom + 1, left, -1),
        (top, right + 1, -1),
        (bottom + 1, right + 1, 1),
    ):
        np.add.at(counts, (rows, columns), step)
    for axis in (0, 1):
        np.cumsum(counts, axis, out=counts)
    under = counts[:-1, :-1] > 0
    first = merges[touches][:, :2]
    shown = first[(first >= 0).all(1)]
    under[shown[:, 0], shown[:, 1]] = False
    return under
