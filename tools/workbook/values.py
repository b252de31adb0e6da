"""Cell values of any workbook format, through calamine; the one place that calls it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import python_calamine as calamine

from tools.workbook import refusal
from tools.workbook.grid import LONGEST_TEXT, Merge

T = TypeVar("T")


@dataclass(slots=True)
class Block:
    """The values of a sheet from its first to its last filled cell; `top` is 1-based, `left` 0-based."""

    rows: list[list[object]]
    top: int
    left: int
    merges: tuple[Merge, ...] = ()


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
        top, left = sheet.start or (0, 0)
        rows: list[list[object]] = self._call(sheet.to_python)  # pyright: ignore[reportAssignmentType] list is invariant; the rows are ours to change
        merges = tuple((a + 1, b, c + 1, d) for (a, b), (c, d) in sheet.merged_cell_ranges or ())
        for row in rows:
            at, empty = -1, row.count("")
            if empty == len(row):
                row[:] = [None] * empty
                continue
            for _ in range(empty):
                at = row.index("", at + 1)
                row[at] = None
        return Block(rows, top + 1, left, merges)


def tidy_texts(row: list[object]) -> None:
    """Puts None for text of nothing but blanks in `row`, in place, and cuts text to what a cell holds."""
    for at, value in enumerate(row):
        if type(value) is str:
            if value.isspace():
                row[at] = None
            elif len(value) > LONGEST_TEXT:
                row[at] = value[:LONGEST_TEXT]


def _is_panic(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"
