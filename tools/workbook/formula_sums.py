"""Cells whose formula sums up their own column, as =SUM(F4:F19) and =AVERAGE(F4:F19) in column F do."""

from __future__ import annotations

import re

from schemas.workbook import column_index
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import Sheet

_STATISTICS = "SUM|SUBTOTAL|AGGREGATE|AVERAGE|MEDIAN|MIN|MAX|COUNTA?"
_RANGE = r"\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})"
_SUM = re.compile(rf"\s*\+?(?:{_STATISTICS})\s*\((?:\d+\s*[,;]\s*){{0,2}}{_RANGE}", re.IGNORECASE)
_LONGEST = 300


def column_sums(sheet: Sheet) -> dict[int, set[int]]:
    """By 1-based row, the 0-based columns that hold a sum, or another statistic, of two rows or more of the column."""
    formulas = sheet.formulas
    shared = isinstance(formulas, Formulas)
    found: dict[int, set[int]] = {}
    for at in formulas:
        # A shared formula is looked at where it is written: working it out for each cell takes long.
        text = formulas.origin(*at)[1] if shared else formulas[at]
        if len(text) <= _LONGEST and _SUM.match(text) and _sums_own(formulas[at], *at):
            found.setdefault(at[0], set()).add(at[1])
    return found


def _sums_own(formula: str, row: int, column: int) -> bool:
    match = _SUM.match(formula)
    if match is None:
        return False
    first, last = sorted((int(match[2]), int(match[4])))
    return column_index(match[1]) == column == column_index(match[3]) and first < last and not first <= row <= last
