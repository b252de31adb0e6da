"""The cells of a range as formulas see them, taken column by column where each is what it holds."""

from __future__ import annotations

from typing import cast

from tools.workbook.formula_functions import Scalar
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import Sheet

_HELD = frozenset({type(None), float, int, str, bool})


def held_range(sheet: Sheet, top: int, left: int, bottom: int, right: int) -> list[list[Scalar]] | None:
    """The lines of a range within the sheet's block; None where a cell may be more than the value that it holds.

    Such are errors, days and times, cells under merged ones, and those of formulas that are worked out when asked for.
    """
    within = sheet.top <= top and bottom <= sheet.bottom and sheet.left <= left and right <= sheet.right
    blank = isinstance(sheet.formulas, Formulas) and bool(len(sheet.formulas.blank))
    if not within or blank or sheet.strays or sheet.covered or len(sheet.uncached):
        return None
    columns: list[list[object]] = []
    for column in sheet.columns[left - sheet.left : right - sheet.left + 1]:
        values = column.values[top - sheet.top : bottom - sheet.top + 1]
        kinds = set(map(type, values))
        if not kinds <= _HELD:
            return None
        columns.append([float(v) if type(v) is int else v for v in values] if int in kinds else values)
    return cast("list[list[Scalar]]", [list(line) for line in zip(*columns, strict=True)])
