"""The sheets of a web page: one for each table of data, under the lines of text that stand above it."""

from __future__ import annotations

from collections.abc import Mapping

from tools.workbook import refusal
from tools.workbook.gathered import GatheredBook, GatheredSheet
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, CellStyle
from tools.workbook.html_table import PageCell, PageRow, PageTable
from tools.workbook.html_values import one_line
from tools.workbook.page_worksheets import MadeSheet, Worksheet

_MOST_NESTED = 40
_MOST_IN_CELL = 4
"""How many filled cells a row has at most that lays out the text of one cell."""
Line = tuple[str | None, bool]


class PageSheets:
    """Fills the sheets of `book` as tables and lines of text come.

    A table of single cells is lines of text: programs lay titles out so. A table that follows another of as many
    columns with nothing between them goes on with it, as the rows below a header that is a table of its own do; where
    tables are to be kept `apart`, none does. `made` are the sheets so far.
    """

    def __init__(self, book: GatheredBook) -> None:
        self.book = book
        self.tables: list[PageTable] = []
        self.made: list[MadeSheet] = []
        self.apart = False
        self._lines: list[Line] = []
        self._last: PageTable | None = None

    def add_line(self, text: str | None, *, bold: bool = False) -> None:
        """Adds a line of text outside of tables, None for an empty one."""
        self._lines.append((text, bold))
        if len(self._lines) > LAST_ROW:
            raise refusal.unsafe(self.book.filename, f"has more than {LAST_ROW:,} lines")

    def begin_table(self, owner: Worksheet | None, *, visible: bool) -> None:
        """Begins a table in the element of `owner`; what an outer one held, if it is no data, is lines above it."""
        if len(self.tables) >= _MOST_NESTED:
            raise refusal.unsafe(self.book.filename, f"nests tables more than {_MOST_NESTED} deep")
        for outer in self.tables:
            if outer.sheet is None and (outer.row is None or len(outer.row.filled) < 2):
                self._let_go(outer)
        inner = visible and bool(self.tables) and self.tables[-1].sheet is not None and self.tables[-1].cell is not None
        self.tables.append(PageTable(owner, visible=visible, inner=inner))

    def _let_go(self, table: PageTable) -> None:
        """Makes lines of the rows that `table` holds, and of its open one."""
        for row in (*table.held, *([table.row] if table.row else ())):
            cell = next(iter(row.filled), None)
            if table.visible and (cell is not None or row is not table.row):
                self.add_line(one_line(cell.value) if cell else None, bold=cell is not None and cell.style.bold)
            for cell in row.cells:
                cell.value = None
        table.held.clear()

    def end_table(self) -> list[str]:
        """Ends the innermost table; the lines of a small one in a cell of data, which are that cell's text."""
        self.end_row()
        table = self.tables.pop()
        if table.sheet is None and table.inner:
            rows = [[one_line(cell.value) or "" for cell in row.filled] for row in table.held]
            return [" ".join(row) for row in rows if row]
        if table.sheet is None:
            self._let_go(table)
            return []
        table.end()
        self._last = table
        return []

    def begin_row(self, *, hides: bool) -> None:
        """Begins a row of the innermost table, which one that is open ends."""
        self.end_row()
        table = self.tables[-1]
        if table.count >= LAST_ROW:
            raise refusal.unsafe(self.book.filename, f"has more than {LAST_ROW:,} rows")
        table.begin_row(hides=hides)

    def begin_cell(self, attributes: Mapping[str, str], *, hides: bool, removed: bool, heads: bool) -> PageCell:
        """A cell of the innermost table, in a row of its own where none is open."""
        table = self.tables[-1]
        if table.row is None:
            self.begin_row(hides=False)
        table.begin_cell(attributes, hides=hides, removed=removed)
        assert table.row is not None
        assert table.cell is not None
        table.row.heads |= heads
        if table.columns > LAST_COLUMN + 1 or table.spanned > self.book.limits.cells:
            raise refusal.unsafe(self.book.filename, f"has more than {LAST_COLUMN + 1:,} columns")
        return table.cell

    def end_row(self) -> None:
        """Ends the open row of the innermost table, if there is one."""
        table = self.tables[-1]
        row, table.row, table.cell = table.row, None, None
        if row is None:
            return
        filled = len(row.filled)
        if filled > 1 and table.is_doubtful(row):
            row.hides = True
        elif filled > 1:
            table.weigh(row)
        if table.sheet is None:
            table.held.append(row)
            if table.inner and filled <= _MOST_IN_CELL and not table.data_rows:
                pass
            elif filled > 1 or (row.hides and sum(cell.value is not None for cell in row.cells) > 1):
                self._begin_sheet(table, row)
        else:
            table.write(row)
        table.data_rows += filled > 1

    def _begin_sheet(self, table: PageTable, row: PageRow) -> None:
        """Finds the sheet for a table that has proved to be data, and writes what was held."""
        last = self._last
        if last is not None and self._goes_on(last, table, row):
            table.sheet, table.offset, table.data_rows = last.sheet, last.offset, last.data_rows
            self.made[-1].joined = True
        else:
            table.sheet = self.book.add(None, visible=table.visible)
            table.offset = self._write_lines(table.sheet, 0) if table.visible else 0
            self.made.append(MadeSheet(table.sheet, table.owner, table.offset))
        for held in table.held:
            table.write(held)
        table.held.clear()

    def _goes_on(self, last: PageTable, table: PageTable, row: PageRow) -> bool:
        same = (last.columns, last.visible, last.owner) == (table.columns, table.visible, table.owner)
        return (
            not self.apart
            and same
            and not self._lines
            and len(self.tables) == 1
            and (last.data_rows == 1 or not row.heads)
        )

    def _write_lines(self, sheet: GatheredSheet, row: int) -> int:
        """Writes the lines that wait below `row`; the last row written."""
        for row, (text, bold) in enumerate(self._lines, row + 1):  # noqa: B020, PLR1704 - the count goes on
            if text is not None:
                sheet.put(row, 0, text, CellStyle("", bold))
        self._lines.clear()
        return row

    def finish(self) -> None:
        """Puts what is left into the last sheet."""
        while self.tables:
            self.end_table()
        while self._lines and self._lines[-1][0] is None:
            self._lines.pop()
        if self._last is not None and self._last.sheet is not None and self._last.visible:
            self._write_lines(self._last.sheet, self._last.offset)
