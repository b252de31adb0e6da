"""Sheets' values in blocks, with the dates that calamine cannot tell or tells wrong put right."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from tools.workbook.grid import CellStyle
from tools.workbook.number_formats import is_date_format, is_number_with_letters, shows_day
from tools.workbook.scan import Ints, SheetScan
from tools.workbook.serials import from_serial
from tools.workbook.values import Block, SheetEntry, ValueReader

Place = tuple[int, int]
_MOMENTS = (dt.date, dt.time, dt.timedelta)


@dataclass(frozen=True, slots=True)
class Dates:
    """What decides whether a number is a date: the styles by their numbers, and the day that serials count from."""

    styles: tuple[CellStyle, ...] = ()
    epoch_1904: bool = False
    _shown: dict[Callable[[str], bool], NDArray[np.bool_]] = field(
        default_factory=dict[Callable[[str], bool], NDArray[np.bool_]], compare=False
    )

    def cells(self, scan: SheetScan, shows: Callable[[str], bool]) -> Iterator[tuple[Place, str]]:
        """(place, number format) of each cell whose format `shows` what is asked for."""
        codes = [style.number_format for style in self.styles]
        for rows, columns, numbers in self._styled(scan, shows):
            for row, column, number in zip(rows.tolist(), columns.tolist(), numbers.tolist(), strict=True):
                yield (row, column), codes[number]

    def columns(self, scan: SheetScan, shows: Callable[[str], bool]) -> list[int]:
        """The columns that hold such cells."""
        return sorted({c for _, columns, _ in self._styled(scan, shows) for c in np.unique(columns).tolist()})

    def _styled(self, scan: SheetScan, shows: Callable[[str], bool]) -> Iterator[tuple[Ints, Ints, Ints]]:
        if shows not in self._shown:
            self._shown[shows] = np.array([shows(style.number_format) for style in self.styles], np.bool_)
        wanted = self._shown[shows]
        for rows, columns, numbers in scan.styled if wanted.any() else ():
            known = (numbers >= 0) & (numbers < len(wanted))
            at = np.flatnonzero(known)[wanted[numbers[known]]]
            yield rows[at], columns[at], numbers[at]


def read_dense(
    data: bytes,
    filename: str,
    scan_of: Callable[[SheetEntry], SheetScan | None],
    dates: Dates,
    unstyled: Callable[[], bytes] | None,
) -> Iterator[tuple[SheetEntry, SheetScan, Block]]:
    """Each worksheet that `scan_of` knows, with its block.

    `unstyled` makes a copy of the file in which every date is a plain number: read where a date is none that can be
    (-1, 1e300), which calamine takes for a time or fails on. Raises InputError.
    """
    reader, plain = ValueReader(data, filename), None
    for entry in reader.entries():
        scan = scan_of(entry)
        if scan is None:
            continue
        if not scan.cells:
            yield entry, scan, Block((), 1, 0)
            continue
        block: Block | None = None
        try:
            block = reader.block(entry.index)
        except InputError:
            if unstyled is None or not dates.styles:
                raise
        doubtful = [] if block is None else _doubtful(block, scan, dates)
        if (block is None or doubtful) and unstyled is not None:
            plain = plain or ValueReader(unstyled(), filename)
            block = _mended(block, plain.block(entry.index), doubtful, scan, dates)
        if block is not None:
            yield entry, scan, block


def _doubtful(block: Block, scan: SheetScan, dates: Dates) -> list[Place]:
    """The cells shown as days that came as times: below one, where no day is; and numbers that came as either."""
    numbers = [at for at, _ in dates.cells(scan, is_number_with_letters) if isinstance(_value(block, at), _MOMENTS)]
    shown = [c - block.left for c in dates.columns(scan, shows_day)]
    columns = [block.columns[at] for at in shown if 0 <= at < len(block.columns)]
    if not any(dt.time in column.kinds(0, block.height) for column in columns):
        return numbers
    return numbers + [at for at, _ in dates.cells(scan, shows_day) if type(_value(block, at)) is dt.time]


def _mended(block: Block | None, raw: Block, doubtful: list[Place], scan: SheetScan, dates: Dates) -> Block:
    """`block` with the numbers of `raw` in its doubtful cells; without one, `raw` with its dates worked out."""
    if block is not None:
        for at in doubtful:
            _put(block, at, _value(raw, at))
        return block
    for at, code in dates.cells(scan, is_date_format):
        value = _value(raw, at)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            _put(raw, at, from_serial(float(value), code, dates.epoch_1904))
    return raw


def _value(block: Block, at: Place) -> object:
    row, column = at[0] - block.top, at[1] - block.left
    inside = 0 <= row < block.height and 0 <= column < len(block.columns)
    return block.columns[column].values[row] if inside else None


def _put(block: Block, at: Place, value: object) -> None:
    row, column = at[0] - block.top, at[1] - block.left
    if 0 <= row < block.height and 0 <= column < len(block.columns):
        block.columns[column].put(row, value)
