"""One table of a web page, row by row: where its cells lie, spans and all, until a sheet takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.workbook.gathered import GatheredSheet
from tools.workbook.grid import LAST_COLUMN, PLAIN, CellStyle
from tools.workbook.page_worksheets import Worksheet

_MOST_COLUMNS_SPANNED, _MOST_ROWS_SPANNED = 1_000, 65_534
"""What HTML takes a larger span for."""


@dataclass(slots=True)
class PageCell:
    """A cell in its column: what it spans, its value and style once it has ended, whether it is hidden."""

    column: int
    columns: int
    rows: int
    hides: bool
    value: object = None
    style: CellStyle = PLAIN


@dataclass(slots=True)
class PageRow:
    """A row, whether it is hidden, and whether it has a heading cell.

    `places` are those that its shown cells take up side by side, `removed` those that its left-out ones would.
    """

    hides: bool = False
    heads: bool = False
    cells: list[PageCell] = field(default_factory=list[PageCell])
    places: int = 0
    removed: int = 0

    @property
    def filled(self) -> list[PageCell]:
        """The cells that hold something and are shown."""
        return [] if self.hides else [cell for cell in self.cells if cell.value is not None and not cell.hides]


class PageTable:
    """A table while it is read. Its rows are `held` until one has two filled cells: it is no data before that.

    Then `sheet` takes the rows, below its row `offset`; `is_list` is no more than one such row so far. `spanned` counts
    places under cells of several rows. One that is `inner` stands in a cell of data: it is no data before a second row
    has two filled cells, or one has many.
    """

    def __init__(self, owner: Worksheet | None = None, *, visible: bool, inner: bool = False) -> None:
        self.owner, self.visible, self.inner = owner, visible, inner
        self.held: list[PageRow] = []
        self.row: PageRow | None = None
        self.cell: PageCell | None = None
        self.sheet: GatheredSheet | None = None
        self.offset = self.columns = self.count = self.data_rows = self.spanned = 0
        self.hidden_columns: set[int] = set()
        self.removed_columns: set[int] = set()
        self._column = self._next_col = 0
        self._group_col: int | None = None
        self._until: dict[int, int] = {}
        self._fullest: PageRow | None = None
        self._merges: list[tuple[int, int, int, int]] = []
        self._shown: set[int] = set()
        self._concealed: list[tuple[int, PageCell]] = []

    def begin_row(self, *, hides: bool) -> None:
        """Begins a row; the one before must have been ended."""
        self.row, self._column = PageRow(hides), 0
        self.count += 1
        if self._until and max(self._until.values()) < self.count:
            self._until.clear()

    def begin_cell(self, attributes: Mapping[str, str], *, hides: bool, removed: bool) -> None:
        """Begins a cell in the next free place of the open row.

        One that is `removed` takes up no place there, unless the table's first row of data has one in its column too.
        """
        assert self.row is not None
        across = _span(attributes.get("colspan"), _MOST_COLUMNS_SPANNED)
        down = _span(attributes.get("rowspan"), _MOST_ROWS_SPANNED)
        if removed:
            self.row.removed += across
        else:
            self.row.places += across
        if self._until or self.removed_columns:
            while self._is_taken(self._column, removed=removed):
                self._column += 1
        if removed and self.sheet is not None and self._column not in self.removed_columns:
            self.cell = PageCell(self._column, 1, 1, hides)
            return
        self.cell = PageCell(self._column, across, down, hides)
        self.row.cells.append(self.cell)
        if removed and self.sheet is None:
            self.removed_columns.update(range(self._column, self._column + across))
        if down > 1:
            self.spanned += across
            self._until.update(dict.fromkeys(range(self._column, self._column + across), self.count + down - 1))
        self._column += across
        self.columns = max(self.columns, self._column)

    def _is_taken(self, column: int, *, removed: bool) -> bool:
        """Whether no cell can begin in `column`: one of a row above reaches down to it, or the header leaves it out."""
        if self._until.get(column, 0) >= self.count:
            return True
        shown = not removed and self.row is not None and not self.row.hides
        return shown and self.sheet is not None and column in self.removed_columns

    def is_doubtful(self, row: PageRow) -> bool:
        """Whether `row` leaves out other cells than the header does, and yet has as many."""
        head = self._fullest
        if head is None or len(row.filled) < 2 or row.removed == head.removed:
            return False
        return row.places + row.removed == head.places + head.removed

    def weigh(self, row: PageRow) -> None:
        """Takes `row`, which is not doubtful, for the header if it is the first of data or fuller than those before."""
        head = self._fullest
        if head is None or (not head.removed and len(row.filled) > len(head.filled)):
            self._fullest = row

    def take_col(self, attributes: Mapping[str, str], *, hides: bool, group: bool, among: bool) -> None:
        """Takes in a `col` or a `colgroup`: as many columns as it spans, hidden or not.

        A group spans what the elements `among` it span, where it has any.
        """
        if among and self._group_col is not None:
            self._next_col = self._group_col
        first = self._next_col
        self._group_col = first if group else None
        self._next_col = min(first + _span(attributes.get("span"), _MOST_COLUMNS_SPANNED), LAST_COLUMN + 1)
        if hides:
            self.hidden_columns.update(range(first, self._next_col))

    def write(self, row: PageRow) -> None:
        """Hands a row to the sheet."""
        sheet = self.sheet
        assert sheet is not None
        self.offset += 1
        at = self.offset
        sheet.reach(at)
        if row.hides:
            sheet.scan.hidden_rows.add(at)
        for cell in row.cells:
            if cell.columns > 1 or cell.rows > 1:
                self._merges.append((at, cell.column, at + cell.rows - 1, cell.column + cell.columns - 1))
            if cell.value is None:
                continue
            if cell.hides and not row.hides:
                self._concealed.append((at, cell))
                continue
            if not row.hides:
                self._shown.add(cell.column)
            sheet.put(at, cell.column, cell.value, cell.style)

    def end(self) -> None:
        """Gives the sheet what is known at the table's end: merges, and columns that are hidden.

        A column of which no cell is shown is a hidden one; a hidden cell among shown ones is as good as not there.
        """
        sheet = self.sheet
        if sheet is None:
            return
        hidden = {cell.column for _, cell in self._concealed} - self._shown
        for at, cell in self._concealed:
            if cell.column in hidden:
                sheet.put(at, cell.column, cell.value, cell.style)
        sheet.scan.hidden_columns.update(hidden | self.hidden_columns)
        for merge in self._merges:
            sheet.merge(*merge)


def _span(said: str | None, most: int) -> int:
    """The span that an attribute says, held to what HTML allows; 1 for what is none."""
    if said is None:
        return 1
    digits = said.strip()
    if not digits.isascii() or not digits.isdigit():
        return 1
    return max(1, most if len(digits) > 6 else min(int(digits), most))
