"""Sheets whose formulas all have the value 0: programs write it that work no formula out (XlsxWriter and its kin)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from itertools import islice

from tools.workbook.formula_text import Formulas
from tools.workbook.grid import CellError, Sheet, Workbook

Place = tuple[int, int]
Zeros = Mapping[Place, object]
_SAMPLE = 40
_NOTHING = 1e-6
"""A difference of large amounts that should be nothing leaves crumbs below this."""
_DAY_ZERO_YEARS = (1899, 1900, 1904)


def take_zeros_out(workbook: Workbook) -> dict[int, Zeros]:
    """By the id of each sheet whose formulas all have the stored value 0: what was stored, now taken out of it.

    Whether it was right is told once the formulas have been worked out, by `put_back`.
    """
    found: dict[int, Zeros] = {}
    for sheet in workbook.sheets:
        zeros = _zeros(sheet)
        for row, column in zeros:
            sheet.columns[column - sheet.left].put(row - sheet.top, None)
        if zeros and isinstance(sheet.formulas, Formulas):
            sheet.formulas.zeros = len(zeros)
            found[id(sheet)] = zeros
    return found


def put_back(sheet: Sheet, zeros: Zeros) -> None:
    """Puts the zeros back into the sheet unless some formula has turned out to give something else."""
    worked_out = (sheet.value(*at) for at in zeros if at in sheet.computed)
    if any(not isinstance(value, CellError) and not _is_zero(value) for value in worked_out):
        return
    for (row, column), value in zeros.items():
        sheet.columns[column - sheet.left].put(row - sheet.top, value)
    sheet.computed = sheet.computed - zeros.keys()
    sheet.uncached = sheet.uncached.without(zeros)
    if isinstance(sheet.formulas, Formulas):
        sheet.formulas.zeros = 0


def _zeros(sheet: Sheet) -> Zeros:
    """The stored value of each formula of the sheet, where all are 0; none where any is not."""
    valued = sheet.formulas.valued() if isinstance(sheet.formulas, Formulas) else ()
    spread = islice(valued, 0, None, max(1, len(valued) // _SAMPLE))
    if not valued or not all(_is_zero(sheet.value(*at)) for at in islice(spread, _SAMPLE)):
        return {}
    zeros: dict[Place, object] = {}
    for at in valued:
        value = sheet.value(*at)
        if at in sheet.strays or not _is_zero(value):
            return {}
        zeros[at] = value
    return zeros


def _is_zero(value: object) -> bool:
    """Whether a value is 0, or what a 0 is under a format of dates or times."""
    if isinstance(value, (int, float)):
        return not isinstance(value, bool) and abs(value) < _NOTHING
    if isinstance(value, dt.timedelta):
        return not value
    if isinstance(value, dt.time):
        return value == dt.time.min
    return isinstance(value, dt.date) and value.year in _DAY_ZERO_YEARS and value.month in (1, 12)
