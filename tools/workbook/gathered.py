"""Sheets put together cell by cell, by readers of formats that no library reads; held to the limits all along."""

from __future__ import annotations

from array import array

import numpy as np

from tools.workbook import refusal
from tools.workbook.assemble import assemble
from tools.workbook.extent import check_extent, check_scattering
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, PLAIN, CellError, CellStyle, Sheet
from tools.workbook.limits import Limits
from tools.workbook.scan import SheetScan
from tools.workbook.values import Block

_CHECKED_CELLS = 1_000_000


class GatheredBook:
    """The sheets of one file, and what they cost together."""

    def __init__(self, filename: str, limits: Limits) -> None:
        self.filename, self.limits = filename, limits
        self.sheets: list[GatheredSheet] = []
        self.cells = 0
        self._numbers: dict[CellStyle, int] = {PLAIN: 0}

    def add(self, name: str | None, *, visible: bool = True) -> GatheredSheet:
        """A new sheet; raises InputError for more than the limits allow."""
        if len(self.sheets) >= self.limits.sheets:
            raise refusal.unsafe(self.filename, f"has more than {self.limits.sheets:,} sheets")
        self.sheets.append(GatheredSheet(self, name, visible))
        return self.sheets[-1]

    def number_of(self, style: CellStyle) -> int:
        """The number of `style` in the book's table."""
        return self._numbers.setdefault(style, len(self._numbers))

    def finish(self) -> list[Sheet]:
        """The sheets as they are read on; those of the file whose sheets have no names have None for a name."""
        return [sheet.finish(tuple(self._numbers)) for sheet in self.sheets]


class GatheredSheet:
    """A sheet that grows downwards: cells of a row come from left to right; rows are 1-based, columns 0-based."""

    def __init__(self, book: GatheredBook, name: str | None, visible: bool) -> None:
        self.name, self.visible = name, visible
        self.scan = SheetScan(untidy=True)
        self.last_row = 0
        self._book = book
        self._rows: list[list[object]] = []
        self._width = self._checked_cells = 0
        self._styled = array("i")

    def put(self, row: int, column: int, value: object, style: CellStyle = PLAIN) -> None:
        """Adds one cell, of a value or an error; raises InputError for one beyond what a sheet or the limits hold."""
        self.reach(row)
        if column > LAST_COLUMN:
            raise refusal.unsafe(self._book.filename, f"has more than {LAST_COLUMN + 1:,} columns")
        scan, book = self.scan, self._book
        scan.cells += 1
        book.cells += 1
        if book.cells > book.limits.cells:
            raise refusal.unsafe(book.filename, f"has more than {book.limits.cells:,} cells")
        self._width = max(self._width, column + 1)
        if row > len(self._rows):
            scan.filled_rows += 1
            if row * self._width > _CHECKED_CELLS:
                self._check(row)
        if isinstance(value, CellError):
            scan.errors[row, column] = value.code
            value = None
        self._rows.extend([] for _ in range(row - len(self._rows)))
        line = self._rows[row - 1]
        line.extend([None] * (column + 1 - len(line)))
        line[column] = value
        if number := book.number_of(style):
            self._styled.extend((row, column, number))

    def _check(self, bottom: int) -> None:
        """Raises InputError where cells down to row `bottom` lie too far apart."""
        scan, book = self.scan, self._book
        scan.box = (1, 0, bottom, self._width - 1)
        check_extent(book.filename, scan, book.limits)
        if scan.cells > 2 * self._checked_cells:
            scan.filled_columns[: self._width] = b"\1" * self._width
            check_scattering(book.filename, scan)
            self._checked_cells = scan.cells

    def reach(self, row: int) -> None:
        """Has the sheet go on to `row` at least, filled or not."""
        if row > LAST_ROW:
            raise refusal.unsafe(self._book.filename, f"has more than {LAST_ROW:,} rows")
        self.last_row = max(self.last_row, row)

    def merge(self, top: int, left: int, bottom: int, right: int) -> None:
        """Merges cells, as far as the sheet reaches."""
        bottom, right = min(bottom, self.last_row), min(right, LAST_COLUMN)
        if (bottom > top or right > left) and bottom >= top:
            self.scan.merges.append((top, left, bottom, right))

    def finish(self, styles: tuple[CellStyle, ...]) -> Sheet:
        """The sheet under the book's table of styles."""
        scan = self.scan
        if self._rows and self._width * len(self._rows) > _CHECKED_CELLS:
            self._checked_cells = 0
            self._check(len(self._rows))
        for line in self._rows:
            line.extend([None] * (self._width - len(line)))
        if self._styled:
            rows, columns, numbers = np.frombuffer(self._styled, np.int32).reshape(-1, 3).T
            scan.styled.append((rows, columns, numbers))
        table = styles if self._styled else ()
        sheet = assemble(self.name or "", self.visible, Block(self._rows, 1, 0), {}, scan, table)
        sheet.name = self.name
        return sheet
