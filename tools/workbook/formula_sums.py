"""Cells whose formula sums up their own column, as =SUM(F4:F19), =AVERAGE(F4:F19) and =F20+F31 in column F do."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from schemas.workbook import column_index
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import Sheet
from tools.workbook.place_set import Keys, parted

_STATISTICS = "SUM|SUBTOTAL|AGGREGATE|AVERAGE|MEDIAN|MIN|MAX|COUNTA?"
_RANGE = r"(\$?)([A-Z]{1,3})(\$?)(\d{1,7}):(\$?)([A-Z]{1,3})(\$?)(\d{1,7})"
_SUM = re.compile(rf"<\s*\+?(?:{_STATISTICS})\s*\((?:\d+\s*[,;]\s*){{0,2}}{_RANGE}".encode(), re.IGNORECASE)
_CELL = r"(\$?)([A-Z]{1,3})\$?(\d{1,7})"
_ADDENDS = re.compile(_CELL)
_ADDED = re.compile(rf"<\s*\+?((?:{_CELL}\s*\+\s*){{1,40}}{_CELL})\s*(?=<)".encode(), re.IGNORECASE)
_LONGEST = 300
_NONE: Keys = np.zeros(0, np.int64)


def column_sums(sheet: Sheet) -> dict[int, set[int]]:
    """By 1-based row, the 0-based columns that hold a sum, or another statistic, of two rows or more of the column."""
    formulas = sheet.formulas
    found: dict[int, set[int]] = {}
    if not isinstance(formulas, Formulas):
        return found
    # All texts are searched at once; a shared formula where it is written.
    for match in _SUM.finditer(formulas.texts):
        if formulas.texts.find(b"<", match.end(), match.start() + _LONGEST + 2) >= 0:
            for row, column in _summing(formulas, match):
                found.setdefault(row, set()).add(column)
    for match in _ADDED.finditer(formulas.texts):
        for row, column in _adding(formulas, match):
            found.setdefault(row, set()).add(column)
    return found


def _adding(formulas: Formulas, match: re.Match[bytes]) -> Iterator[tuple[int, int]]:
    """The places of the formulas that share the addition in `match` of other cells of their own column."""
    number = formulas.written_at(match.start() + 1)
    if number < 0:
        return
    row, column = formulas.place(number)
    parts = _ADDENDS.findall(match[1].decode())
    others = {int(other) for _, _, other in parts}
    if any(column_index(letters) != column for _, letters, _ in parts) or row in others or len(others) < len(parts):
        return
    numbers = formulas.sharers(number)
    yield (row, column)
    if len(numbers) and not any(fixed for fixed, _, _ in parts):
        rows, columns = parted(formulas.keys_[numbers])
        yield from zip(rows.tolist(), columns.tolist(), strict=True)


def _summing(formulas: Formulas, match: re.Match[bytes]) -> Iterator[tuple[int, int]]:
    """The places of the formulas that share the sum in `match` and sum their own column."""
    number = formulas.written_at(match.start() + 1)
    numbers = formulas.sharers(number) if number >= 0 else _NONE
    if not len(numbers):
        # Nobody shares it: most formulas, and arrays of one cost ten times as much.
        row, column = formulas.place(number) if number >= 0 else (0, -1)
        top, bottom = sorted((int(match[4]), int(match[8])))
        if column_index(match[2].decode()) == column == column_index(match[6].decode()) and top < bottom:
            yield from [(row, column)] if not top <= row <= bottom else ()
        return
    rows, columns = parted(formulas.keys_[numbers])
    first, last = _end(match, 1, rows, columns), _end(match, 5, rows, columns)
    above, below = np.minimum(first[0], last[0]), np.maximum(first[0], last[0])
    own = (first[1] == columns) & (last[1] == columns) & (above < below) & ((rows < above) | (rows > below))
    yield from zip(rows[own].tolist(), columns[own].tolist(), strict=True)


def _end(match: re.Match[bytes], at: int, rows: Keys, columns: Keys) -> tuple[Keys, Keys]:
    """Row and column of a range's end, whose first part is group `at`, as each formula means it; the first wrote it."""
    column, row = column_index(match[at + 1].decode()), int(match[at + 3])
    return (
        row + (np.zeros_like(rows) if match[at + 2] else rows - rows[0]),
        column + (np.zeros_like(columns) if match[at] else columns - columns[0]),
    )
