"""Cell values of any workbook format, through calamine; the one place that calls it."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field
from itertools import islice
from typing import TypeVar

import python_calamine as calamine

from tools.workbook import refusal
from tools.workbook.columns import BlockColumn, by_column
from tools.workbook.grid import LONGEST_TEXT, Merge

T = TypeVar("T")


@dataclass(slots=True)
class Block:
    """The values of a sheet from its first to its last filled cell; `top` is 1-based, `left` 0-based.

    `by_row` are the rows that the columns are made of where none are given.
    """

    by_row: InitVar[Sequence[Sequence[object]]]
    top: int
    left: int
    merges: tuple[Merge, ...] = ()
    columns: list[BlockColumn] = field(default_factory=list[BlockColumn])

    def __post_init__(self, by_row: Sequence[Sequence[object]]) -> None:
        if by_row:
            self.columns = by_column(by_row, len(by_row[0]))

    @property
    def height(self) -> int:
        """How many rows the block has."""
        return len(self.columns[0].values) if self.columns else 0


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A worksheet as calamine lists it."""

    index: int
    name: str
    visible: bool


class ValueReader:
    """Reads values sheet by sheet; raises InputError for a file that calamine cannot read."""

    def __init__(self, data: bytes, filename: str) -> None:
        self._filename = filename
        self._book = self._call(lambda: calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)))

    def _call(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except calamine.PasswordError as error:
            raise refusal.encrypted(self._filename) from error
        except BaseException as error:
            # A panic inside calamine is no Exception; what it could not read is told like every other damage.
            if isinstance(error, (calamine.CalamineError, OSError, ValueError, OverflowError)) or _is_panic(error):
                raise refusal.truncated(self._filename) from error
            raise

    def entries(self) -> list[SheetEntry]:
        """The worksheets in the file's order; charts, macros and dialogs are none."""
        return [
            SheetEntry(index, meta.name, meta.visible is calamine.SheetVisibleEnum.Visible)
            for index, meta in enumerate(self._book.sheets_metadata)
            if meta.typ is calamine.SheetTypeEnum.WorkSheet
        ]

    def block(self, index: int) -> Block:
        """The values of sheet number `index`; empty text counts as no value."""
        sheet = self._call(lambda: self._book.get_sheet_by_index(index))
        if sheet.start is None:
            return Block((), 1, 0)
        top, left = sheet.start
        # Rows above the first cell come as well, columns left of it do not.
        columns = self._call(lambda: by_column(islice(sheet.iter_rows(), top, None), sheet.width, blank=""))
        merges = tuple((a + 1, b, c + 1, d) for (a, b), (c, d) in sheet.merged_cell_ranges or ())
        return Block((), top + 1, left, merges, columns)


def tidy_texts(column: BlockColumn) -> None:
    """Puts None for text of nothing but blanks in `column`, in place, and cuts text to what a cell holds."""
    for start, end, kinds in column.known_runs() if str in column.kinds(0, len(column.values)) else ():
        for at, value in enumerate(column.values[start:end], start) if str in kinds else ():
            if type(value) is str and (value.isspace() or len(value) > LONGEST_TEXT):
                column.put(at, None if value.isspace() else value[:LONGEST_TEXT])


def _is_panic(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"
