"""A sheet put together of its values and of what a pass over the file found beside them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.workbook.columns import BlockColumn
from tools.workbook.extent import is_sparse
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import CellError, CellStyle, Sheet
from tools.workbook.place_set import PlaceSet
from tools.workbook.scan import SheetScan
from tools.workbook.values import Block, tidy_texts

Places = dict[tuple[int, int], object]


def assemble(
    name: str, visible: bool, block: Block, strays: Places, scan: SheetScan, table: tuple[CellStyle, ...]
) -> Sheet:
    """The sheet of `block`, widened to cells whose formula has no value, with what the pass found."""
    if scan.untidy:
        for column in block.columns:
            tidy_texts(column)
    formulas = Formulas(scan.formulas)
    uncached = formulas.uncached().without(strays)
    errors = {at: code for at, code in scan.errors.items() if at not in strays}
    widening = (
        [uncached, PlaceSet.of(errors)] if is_sparse(scan) else [uncached, PlaceSet.of(errors), formulas.empty_texts()]
    )
    for some in widening:
        _widen(block, some)
    formulas.spread(block.top + block.height - 1, block.left + len(block.columns) - 1)
    if formulas.array_of:
        uncached = _with_arrays(block, formulas, uncached)
    for (row, column), code in errors.items():
        block.columns[column - block.left].put(row - block.top, CellError(code))
    return Sheet(
        name,
        (),
        block.top,
        block.left,
        visible,
        frozenset(scan.hidden_rows),
        frozenset(scan.hidden_columns),
        tuple(scan.merges),
        _style_block(block, scan, len(table)),
        table,
        formulas,
        uncached,
        strays=strays,
        columns=block.columns,
    )


def _with_arrays(block: Block, formulas: Formulas, uncached: PlaceSet) -> PlaceSet:
    """`uncached` and the cells without a value that formulas in it fill beside their own."""
    inside = [at for at in formulas.array_of if at[0] >= block.top and at[1] >= block.left]
    empty = [(r, c) for r, c in inside if block.columns[c - block.left].values[r - block.top] is None]
    return PlaceSet.of([*uncached, *empty])


def _widen(block: Block, cells: PlaceSet) -> None:
    """Pads `block` so that `cells` lie in it."""
    if not cells:
        return
    top, left, bottom, right = cells.box
    if not block.columns:
        block.top, block.left, block.columns = top, left, [BlockColumn([None])]
    above, before = max(0, block.top - top), max(0, block.left - left)
    after = max(0, right - (block.left + len(block.columns) - 1))
    below = max(0, bottom - (block.top + block.height - 1))
    if above or below:
        block.columns = [BlockColumn([None] * above + column.values + [None] * below) for column in block.columns]
    height = block.height
    head, tail = ([BlockColumn([None] * height) for _ in range(many)] for many in (before, after))
    block.columns = [*head, *block.columns, *tail]
    block.top, block.left = block.top - above, block.left - before


def _style_block(block: Block, scan: SheetScan, known: int) -> NDArray[np.int32]:
    """The style numbers in the block's shape; a number that no style has counts as 0."""
    height, width = block.height, len(block.columns)
    styles = np.zeros((height, width) if known else (0, 0), np.int32)
    for rows, columns, numbers in scan.styled if known else ():
        at, across = rows - block.top, columns - block.left
        inside = (at >= 0) & (at < height) & (across >= 0) & (across < width) & (numbers >= 0) & (numbers < known)
        styles[at[inside], across[inside]] = numbers[inside]
    return styles
