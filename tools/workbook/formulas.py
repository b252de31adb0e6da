"""Values of formulas: plain arithmetic, sums, means, rounding, conditions, exact look-ups.

What is more than that, refers to itself, or leads to cells that are, keeps no value; its formula stays known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from tools.workbook.formula_text import Formulas
from tools.workbook.formula_values import FORMULA_COST, MOST_CELLS, Evaluator
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.never_worked_out import put_back, take_zeros_out
from tools.workbook.place_set import PlaceSet


def fill_uncached(workbook: Workbook) -> None:
    """Puts the value of each plain formula that has none into its sheet, and notes it in the sheet's `computed`.

    The empty text stored for a formula counts as none, and so does the 0 of a program that works nothing out: where
    every formula of a sheet has it, and some give something else.
    """
    zeros = take_zeros_out(workbook)
    is_worked_out = any(_is_worked_out(sheet) for sheet in workbook.sheets)
    evaluator = Evaluator(workbook, MOST_CELLS, believes_empty=is_worked_out)
    empty = {id(sheet): _empty_texts(sheet) for sheet in workbook.sheets}
    for sheet in workbook.sheets:
        places = [*zeros.get(id(sheet), ()), *empty[id(sheet)]]
        sheet.uncached = PlaceSet.of([*sheet.uncached, *places]) if places else sheet.uncached
    for sheet in workbook.sheets:
        _fill(sheet, evaluator)
        if is_worked_out:
            sheet.uncached = sheet.uncached.without(empty[id(sheet)])
        if id(sheet) in zeros:
            put_back(sheet, zeros[id(sheet)])


def _fill(sheet: Sheet, evaluator: Evaluator) -> None:
    """Puts the values of the sheet's plain formulas into it, as many as `evaluator` has time for."""
    done, blank = set[tuple[int, int]](), set[tuple[int, int]]()
    # A chain of formulas may run down the sheet or up it: the second visit finds those that the first could not.
    found = list(islice(sheet.uncached, MOST_CELLS // FORMULA_COST))
    for cells in (found, found[::-1]) if found else ():
        evaluator.start_visit()
        for row, column in cells:
            if evaluator.is_spent:
                break
            if (row, column) in done or (row, column) in blank:
                continue
            value = evaluator.value(sheet, row, column)
            if value == "":
                blank.add((row, column))
            elif value is not None:
                sheet.columns[column - sheet.left].put(row - sheet.top, value)
                done.add((row, column))
    sheet.computed = frozenset(done)
    sheet.uncached = sheet.uncached.without(done | blank)
    if blank and isinstance(sheet.formulas, Formulas):
        sheet.formulas.blank = PlaceSet.of(blank.union(sheet.formulas.blank))


def _empty_texts(sheet: Sheet) -> list[tuple[int, int]]:
    """The formulas of the sheet's block for which an empty text is stored."""
    if not isinstance(sheet.formulas, Formulas):
        return []
    return [
        (row, column)
        for row, column in sheet.formulas.empty_texts()
        if sheet.top <= row <= sheet.bottom and sheet.left <= column <= sheet.right and sheet.value(row, column) is None
    ]


def _is_worked_out(sheet: Sheet) -> bool:
    """Whether the file stores values for formulas of the sheet that a program has worked out."""
    return isinstance(sheet.formulas, Formulas) and not sheet.formulas.zeros and bool(sheet.formulas.valued())


@dataclass(slots=True)
class Allowance:
    """What several calls of `recompute` may still cost together."""

    left: int


def recompute(
    workbook: Workbook,
    sheet: Sheet,
    cells: Iterable[tuple[int, int]],
    allowance: Allowance,
    most_cells: int = MOST_CELLS,
) -> dict[tuple[int, int], object]:
    """What the formulas in `cells` give now, from the values that the file holds; those that are not plain left out.

    `most_cells` is what looking at other cells may cost, within `allowance`, which shrinks by it; the formulas left
    then are left out too.
    """
    evaluator, found = Evaluator(workbook, min(most_cells, allowance.left)), dict[tuple[int, int], object]()
    for row, column in cells if allowance.left > 0 else ():
        if evaluator.is_spent:
            break
        if (row, column) in sheet.formulas:
            value = evaluator.value(sheet, row, column)
            if value is not None:
                found[row, column] = value
    allowance.left -= evaluator.spent
    return found
