"""A workbook as read: cell values in dense blocks, with what the values alone do not tell."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.workbook import SourceFile
from tools.workbook.columns import BlockColumn, by_column
from tools.workbook.place_set import PlaceSet

Merge = tuple[int, int, int, int]
LAST_ROW, LAST_COLUMN = 1_048_576, 16_383
"""The largest sheet: 1-based rows, 0-based columns."""
LONGEST_TEXT = 32_767
"""Characters that a cell holds; spreadsheet programs cut what is longer when they open it."""


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell that holds an error value, `#REF!` and its kind."""

    code: str


CellValue = None | str | int | float | bool | dt.date | dt.datetime | dt.time | dt.timedelta | CellError


@dataclass(frozen=True, slots=True)
class CellStyle:
    """What a cell format says that reading needs: its number format ("" is General) and whether it is bold."""

    number_format: str = ""
    bold: bool = False


PLAIN = CellStyle()
NO_STYLES: NDArray[np.int32] = np.zeros((0, 0), np.int32)


@dataclass(slots=True)
class Sheet:
    """A sheet's block of values, from its first to its last cell that holds one; rows are 1-based, columns 0-based.

    It is kept by columns: the first is column `left`, and each one's first value that of row `top`; `by_row` are the
    rows that they are made of where none are given. `styles` indexes `style_table` and has the
    block's shape, or none where the format has no styles. `uncached` lists cells that hold a formula and no value,
    `computed` those whose value we worked out. `strays` holds values so far away that no block spans them,
    `covered` those under merged cells, which nothing shows. `undecided` are rules of a page that hide something, and
    nobody can tell what. `code_page` is what the text of a file was read in that does not tell, as Python names it;
    `strays_read` are the cells of a UTF-8 file that held bytes of another encoding.
    """

    name: str | None
    by_row: InitVar[Sequence[Sequence[object]]]
    top: int = 1
    left: int = 0
    visible: bool = True
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    merges: tuple[Merge, ...] = ()
    styles: NDArray[np.int32] = field(default_factory=lambda: NO_STYLES)
    style_table: tuple[CellStyle, ...] = ()
    formulas: Mapping[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    uncached: PlaceSet = field(default_factory=PlaceSet)
    computed: frozenset[tuple[int, int]] = frozenset()
    strays: Mapping[tuple[int, int], object] = field(default_factory=dict[tuple[int, int], object])
    covered: Mapping[tuple[int, int], object] = field(default_factory=dict[tuple[int, int], object])
    undecided: tuple[str, ...] = ()
    code_page: str = ""
    strays_read: tuple[tuple[int, int], ...] = ()
    columns: list[BlockColumn] = field(default_factory=list[BlockColumn])

    def __post_init__(self, by_row: Sequence[Sequence[object]]) -> None:
        if by_row:
            self.columns = by_column(by_row, len(by_row[0]))

    @property
    def rows(self) -> list[list[object]]:
        """The values row by row, a copy."""
        return [list(row) for row in zip(*(column.values for column in self.columns), strict=True)]

    @property
    def height(self) -> int:
        """How many rows the block has."""
        return len(self.columns[0].values) if self.columns else 0

    @property
    def width(self) -> int:
        """How many columns the block has."""
        return len(self.columns)

    @property
    def bottom(self) -> int:
        """The 1-based number of the block's last row; `top - 1` when there is none."""
        return self.top + self.height - 1

    @property
    def right(self) -> int:
        """The 0-based column of the block's last entries; `left - 1` when there are none."""
        return self.left + self.width - 1

    def value(self, row: int, column: int) -> object:
        """The value at `row`, `column`; None where there is none, outside the block too."""
        at, across = row - self.top, column - self.left
        if 0 <= at < self.height and 0 <= across < self.width:
            return self.columns[across].values[at]
        return self.strays.get((row, column))

    def style(self, row: int, column: int) -> CellStyle:
        """The style at `row`, `column`; the plain one outside the block."""
        at, across = row - self.top, column - self.left
        if 0 <= at < self.styles.shape[0] and 0 <= across < self.styles.shape[1]:
            return self.style_table[int(self.styles[at, across])]
        return PLAIN

    def number_format(self, row: int, column: int) -> str:
        """The number format at `row`, `column`; "" is General, and unknown."""
        return self.style(row, column).number_format

    def bold(self, row: int, column: int) -> bool:
        """Whether the cell's font is bold."""
        return self.style(row, column).bold

    def formula(self, row: int, column: int) -> str | None:
        """The formula at `row`, `column`, with no leading equals sign; None where the cell has none."""
        return self.formulas.get((row, column))


@dataclass(slots=True)
class Workbook:
    """A file's sheets, in its own order."""

    source: SourceFile
    sheets: list[Sheet]
    epoch_1904: bool = False
