"""The shown cells of a sheet as layout sees them: one code a cell, labels, numbers, merged labels filled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tools.workbook.coding import Floats, coded
from tools.workbook.columns import BlockColumn
from tools.workbook.formula_sums import column_sums
from tools.workbook.grid import CellError, Sheet
from tools.workbook.number_formats import may_show_year
from tools.workbook.words import (
    DECO,
    EMPTY,
    LARGEST,
    NA,
    NUM,
    TEXT,
    YEAR,
    as_seen,
    number_of_text,
    numbers_of_texts,
    totals_among,
)

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
_MOST_COVERED_CELLS = 1_000_000


class Cells:
    """The visible rows and columns of a sheet's block.

    `rows` and `columns` are their numbers in the sheet (1-based rows, 0-based columns); all indices elsewhere in
    layout count within them. `filled` says which cells hold something of their own; `codes` also fills merged labels.
    `aside` are rows that no table reads, for whose cells `codes` says that they are empty.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.rows = np.array([r for r in range(sheet.top, sheet.bottom + 1) if r not in sheet.hidden_rows], np.int64)
        self.columns = np.array(
            [c for c in range(sheet.left, sheet.right + 1) if c not in sheet.hidden_columns], np.int64
        )
        self._covered: dict[tuple[int, int], object] = {}
        self._shown: list[BlockColumn] = [sheet.columns[c] for c in (self.columns - sheet.left).tolist()]
        if len(self.rows) < sheet.height:
            keep = (self.rows - sheet.top).tolist()
            self._shown = [BlockColumn([column.values[i] for i in keep]) for column in self._shown]
        self._values = [column.values for column in self._shown]
        self.codes, self.numbers, self._texts = coded(self._shown, len(self.rows))
        self._mark_infinite()
        self._mark_formulas()
        self._demote_amounts()
        self.filled: Flags = self.codes > EMPTY
        self._fill_merges()
        self.aside: list[int] = []

    @property
    def shape(self) -> tuple[int, int]:
        """Visible rows, visible columns."""
        return self.codes.shape[0], self.codes.shape[1]

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the block is hidden."""
        return self.shape == (self.sheet.height, self.sheet.width)

    def _mark_infinite(self) -> None:
        """A number that no spreadsheet holds (nan, 1e999) is the error that one would show, here and in the sheet."""
        for i, j in np.argwhere(np.isinf(self.numbers)).tolist():
            error = CellError("#NUM!")
            self.codes[i, j], self.numbers[i, j] = NA, np.nan
            self._shown[j].put(i, error)
            self.sheet.columns[int(self.columns[j]) - self.sheet.left].put(int(self.rows[i]) - self.sheet.top, error)
        np.clip(self.numbers, -LARGEST, LARGEST, out=self.numbers)

    def _mark_formulas(self) -> None:
        """A formula without a value fills its cell; it is most likely a number."""
        rows, columns = self.sheet.uncached.rows, self.sheet.uncached.columns
        shown = np.isin(rows, self.rows) & np.isin(columns, self.columns)
        i, j = np.searchsorted(self.rows, rows[shown]), np.searchsorted(self.columns, columns[shown])
        empty = self.codes[i, j] == EMPTY
        self.codes[i[empty], j[empty]] = NUM

    def _demote_amounts(self) -> None:
        """A number shown with separators, a currency, decimals or a percent sign is no year, whatever its size."""
        if not self.sheet.styles.size:
            return
        rows, columns = np.nonzero((self.codes == YEAR) & ~np.isnan(self.numbers))
        shown = self.sheet.styles[self.rows[rows] - self.sheet.top, self.columns[columns] - self.sheet.left]
        table = self.sheet.style_table
        amounts = [number for number in set(shown.tolist()) if not may_show_year(table[int(number)].number_format)]
        told = np.isin(shown, amounts)
        self.codes[rows[told], columns[told]] = NUM

    def _index(self, row: int, column: int) -> tuple[int, int] | None:
        i, j = int(np.searchsorted(self.rows, row)), int(np.searchsorted(self.columns, column))
        if i < len(self.rows) and j < len(self.columns) and self.rows[i] == row and self.columns[j] == column:
            return i, j
        return None

    def _fill_merges(self) -> None:
        """A merged label counts in every cell that it covers; numbers stay in the one that holds them."""
        left_cells = _MOST_COVERED_CELLS
        for top, left, bottom, right in self.sheet.merges[:10_000]:
            value = self.sheet.value(top, left)
            anchor = self._index(top, left)
            if value is None or anchor is None or self.codes[anchor] not in (TEXT, YEAR, NA):
                continue
            i1 = int(np.searchsorted(self.rows, bottom, "right"))
            j1 = int(np.searchsorted(self.columns, right, "right"))
            block = self.codes[anchor[0] : i1, anchor[1] : j1]
            if block.size > left_cells:
                continue
            left_cells -= block.size
            for i, j in np.argwhere(block == EMPTY).tolist():
                block[i, j] = block[0, 0]
                self._covered[anchor[0] + i, anchor[1] + j] = value

    def value(self, i: int, j: int) -> object:
        """The value at visible row `i`, visible column `j`; a merged label in every cell that it covers."""
        value = self._values[j][i]
        return self._covered.get((i, j)) if value is None and self._covered else value

    def column(self, rows: Sequence[int], j: int) -> list[object]:
        """The values of column `j` in `rows`, as `value` gives them."""
        if self._covered:
            return [self.value(i, j) for i in rows]
        values = self._values[j]
        return [values[i] for i in rows]

    def text(self, i: int, j: int) -> str:
        """The value at `i`, `j` as stripped text; "" where there is none."""
        value = self.value(i, j)
        if value is None:
            return ""
        if isinstance(value, CellError):
            return value.code
        return as_seen(value).strip() if isinstance(value, str) else str(value)

    def number(self, i: int, j: int) -> float:
        """The number at `i`, `j`, read out of ornaments where needed; NaN where there is none."""
        value = self._values[j][i]
        return number_of_text(value.strip()) if isinstance(value, str) else float(self.numbers[i, j])

    def number_block(self, rows: Ints, columns: Ints) -> Floats:
        """The numbers where `rows` and `columns` cross, as `number` gives them."""
        block = self.numbers[np.ix_(rows, columns)]
        codes = self.codes[np.ix_(rows, columns)]
        worded = np.isnan(block) & ((codes == NUM) | (codes == YEAR) | (codes == DECO))
        for at in np.flatnonzero(worded.any(axis=0)).tolist():
            lines = np.flatnonzero(worded[:, at])
            values = self._values[int(columns[at])]
            found = [cast("str | None", values[i]) for i in rows[lines].tolist()]
            if None in found:
                # A formula without a value counts as a number, and has none.
                lines = lines[[text is not None for text in found]]
            block[lines, at] = numbers_of_texts([text for text in found if text is not None])
        return block

    @cached_property
    def total_labels(self) -> frozenset[str]:
        """The texts of the sheet, as they stand in cells, that read like the label of a total."""
        return totals_among(self._texts)

    @cached_property
    def column_sums(self) -> dict[int, set[int]]:
        """By row of the sheet, the columns whose formula there sums up two rows or more of the column itself."""
        return column_sums(self.sheet)


def some(flags: Flags, axis: int) -> Flags:
    """Which lines along `axis` hold a true value: columns for 0, rows for 1."""
    return np.asarray(flags.any(axis=axis), np.bool_)
