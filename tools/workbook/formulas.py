"""Values of formulas: plain arithmetic, sums, means, rounding, conditions, exact look-ups.

What is more than that, refers to itself, or leads to cells that are, keeps no value; its formula stays known.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from tools.workbook.formula_values import FORMULA_COST, MOST_CELLS, Evaluator
from tools.workbook.grid import Sheet, Workbook


def fill_uncached(workbook: Workbook) -> None:
    """Puts the value of each plain formula that has none into its sheet, and notes it in the sheet's `computed`."""
    evaluator = Evaluator(workbook, MOST_CELLS)
    for sheet in workbook.sheets:
        done: set[tuple[int, int]] = set()
        # A chain of formulas may run down the sheet or up it: the second visit finds those that the first could not.
        found = list(islice(sheet.uncached, MOST_CELLS // FORMULA_COST))
        for cells in (found, found[::-1]) if found else ():
            evaluator.start_visit()
            for row, column in cells:
                if evaluator.is_spent:
                    break
                if (row, column) in done:
                    continue
                value = evaluator.value(sheet, row, column)
                if value is not None:
                    sheet.columns[column - sheet.left].put(row - sheet.top, value)
                    done.add((row, column))
        sheet.computed = frozenset(done)
        sheet.uncached = sheet.uncached.without(done)


def recompute(workbook: Workbook, sheet: Sheet, cells: Iterable[tuple[int, int]]) -> dict[tuple[int, int], object]:
    """What the formulas in `cells` give now, from the values that the file holds; those that are not plain left out."""
    evaluator, found = Evaluator(workbook), dict[tuple[int, int], object]()
    for row, column in cells:
        if (row, column) in sheet.formulas:
            value = evaluator.value(sheet, row, column)
            if value is not None:
                found[row, column] = value
    return found
