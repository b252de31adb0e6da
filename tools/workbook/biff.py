"""What an xls file says beside its values: number formats, bold, error values, merges, what is hidden."""

from __future__ import annotations

import contextlib
import io
from array import array
from dataclasses import dataclass, field
from functools import partial
from struct import Struct
from struct import error as StructError  # noqa: N812 - the library's own name says nothing
from typing import Any, cast

import numpy as np
import olefile as _untyped
from openpyxl.styles.numbers import BUILTIN_FORMATS

from schemas.errors import InputError
from tools.workbook import refusal
from tools.workbook.biff_formulas import FORMULA_RECORDS, BiffFormulas
from tools.workbook.biff_records import records
from tools.workbook.biff_rich_text import plain_stream
from tools.workbook.dense import Dates
from tools.workbook.error_codes import ERROR_OF_CODE
from tools.workbook.extent import check_extent, check_scattering
from tools.workbook.grid import CellStyle
from tools.workbook.limits import Limits
from tools.workbook.scan import SheetScan
from tools.workbook.scanned import BookScan

_olefile = cast("Any", _untyped)  # its annotations leave types open; Any stops here
_HEAD, _CELL, _PAIR, _QUAD = Struct("<HH"), Struct("<HHH"), Struct("<HH"), Struct("<HHHH")
_BOF, _END, _DATE_MODE, _SHEET, _FONT, _FORMAT, _XF = 0x809, 0x0A, 0x22, 0x85, 0x31, 0x41E, 0xE0
_ROW, _COLUMNS, _MERGES = 0x208, 0x7D, 0xE5
_FORMULA, _ERROR, _MANY = 0x06, 0x205, 0xBD
_CELLS = frozenset({0x203, 0x204, _ERROR, 0x27E, 0xFD, 0xD6, _FORMULA, 0x206, 0x406})
_FORMULAS = frozenset({_FORMULA, 0x206, 0x406})
_BOOK, _EXTERNS, _THIS_BOOK = 0x1AE, 0x17, b"\x01\x04"
_BIFF8 = 0x600
_BOLD = 600
_XF_FORMAT_AT = 2


@dataclass(slots=True)
class _Globals:
    """What the first part of the workbook's stream says."""

    formats: dict[int, str] = field(default_factory=dict[int, str])
    bold: list[bool] = field(default_factory=list[bool])
    xfs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    xf_places: list[int] = field(default_factory=list[int])
    sheets: list[int] = field(default_factory=list[int])
    names: list[str] = field(default_factory=list[str])
    books: list[bool] = field(default_factory=list[bool])
    externs: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    version: int = _BIFF8
    epoch_1904: bool = False

    def referred(self) -> list[str | None]:
        """The sheet that each number in a reference to another sheet means; None for other files and for several."""
        return [
            self.names[first]
            if first == last < len(self.names) and book < len(self.books) and self.books[book]
            else None
            for book, first, last in self.externs
        ]


def scan_xls(data: bytes, filename: str, limits: Limits) -> BookScan | None:
    """What a pass over the records finds, sheet by sheet in the file's order; None for a container that is broken.

    Raises InputError when a sheet spans too many cells.
    """
    try:
        name, stream = _stream(data)
        found = _read_globals(stream)
        scans = [_read_sheet(stream, at, found) for at in found.sheets]
    except (OSError, StructError, IndexError, ValueError):
        return None
    for scan in scans:
        check_extent(filename, scan, limits)
        check_scattering(filename, scan)
    dates = Dates(tuple(_style(found, *xf) for xf in found.xfs), found.epoch_1904)
    kept, plain = None, plain_stream(stream)
    if plain is not None:
        # A container that breaks off is read as it is.
        with contextlib.suppress(InputError):
            kept = _with_stream(data, filename, name, plain)
    unstyled = partial(_unstyled, data, filename, name, plain or stream, found.xf_places)
    return BookScan(scans, dates, unstyled, kept)


def _stream(data: bytes) -> tuple[str, bytes]:
    """The name and the bytes of the workbook's stream; raises OSError where there is none."""
    if not data.startswith(_olefile.MAGIC):
        return "", data
    with _olefile.OleFileIO(io.BytesIO(data)) as container:
        name = next((name for name in ("Workbook", "Book") if container.exists(name)), "")
        return name, container.openstream(name).read()


def _unstyled(data: bytes, filename: str, name: str, stream: bytes, places: list[int]) -> bytes:
    """The file with every cell format's number format set to General; raises InputError for one that breaks off."""
    plain = bytearray(stream)
    for at in places:
        plain[at + _XF_FORMAT_AT : at + _XF_FORMAT_AT + 2] = b"\0\0"
    return _with_stream(data, filename, name, bytes(plain))


def _with_stream(data: bytes, filename: str, name: str, stream: bytes) -> bytes:
    """The file with another stream of the same size as the workbook's; raises InputError for one that breaks off."""
    if not name:
        return stream
    copy = io.BytesIO(data)
    try:
        with _olefile.OleFileIO(copy, write_mode=True) as container:
            container.write_stream(name, stream)
            return copy.getvalue()
    except (OSError, ValueError) as broken:
        raise refusal.truncated(filename) from broken


def _read_globals(stream: bytes) -> _Globals:
    found = _Globals()
    for kind, at, size in records(stream, 0):
        if kind == _BOF:
            found.version = _HEAD.unpack_from(stream, at)[0]
        elif kind == _END:
            break
        elif kind == _DATE_MODE:
            found.epoch_1904 = stream[at] == 1
        elif kind == _SHEET:
            found.sheets.append(int.from_bytes(stream[at : at + 4], "little"))
            found.names.append(_sheet_name(stream[at + 6 : at + size]))
        elif kind in (_BOOK, _EXTERNS):
            _read_links(found, kind, stream[at : at + size])
        elif kind == _FONT:
            found.bold.append(_QUAD.unpack_from(stream, at)[3] >= _BOLD)
        elif kind == _FORMAT:
            found.formats[_HEAD.unpack_from(stream, at)[0]] = _format_text(stream[at + 2 : at + size], found.version)
        elif kind == _XF:
            found.xfs.append(_PAIR.unpack_from(stream, at))
            found.xf_places.append(at)
    return found


def _sheet_name(raw: bytes) -> str:
    return raw[2 : 2 + raw[0] * (1 + (raw[1] & 1))].decode("utf-16-le" if raw[1] & 1 else "latin-1", "replace")


def _read_links(found: _Globals, kind: int, raw: bytes) -> None:
    """Adds whether a book that references lead to is this file, or the sheets that their numbers mean."""
    if kind == _BOOK:
        found.books.append(raw[2:4] == _THIS_BOOK)
        return
    for at in range(2, len(raw) - 5, 6):
        found.externs.append(_CELL.unpack_from(raw, at))


def _format_text(raw: bytes, version: int) -> str:
    """The text of a number format: BIFF8 says how many letters and how wide, older ones how many bytes."""
    if version < _BIFF8:
        return raw[1 : 1 + raw[0]].decode("latin-1")
    count, is_wide = int.from_bytes(raw[:2], "little"), raw[2] & 1
    text = raw[3 : 3 + count * (2 if is_wide else 1)]
    return text.decode("utf-16-le" if is_wide else "latin-1", "replace")


def _style(found: _Globals, font: int, number: int) -> CellStyle:
    code = found.formats.get(number) or BUILTIN_FORMATS.get(number, "")
    # No font has the number 4.
    font -= font > 4
    return CellStyle("" if code == "General" else code, font < len(found.bold) and found.bold[font])


def _read_sheet(stream: bytes, start: int, found: _Globals) -> SheetScan:
    """What the records from `start` to the sheet's end say; charts inside it are passed over."""
    scan, cells, depth = SheetScan(), array("i"), 0
    formulas = BiffFormulas(stream)
    for kind, at, size in records(stream, start):
        if kind == _BOF:
            depth += 1
        elif kind == _END:
            depth -= 1
            if depth <= 0:
                break
        elif depth != 1:
            continue
        if kind in FORMULA_RECORDS and found.version == _BIFF8:
            formulas.take(kind, at, size)
        if kind in _CELLS:
            row, column, xf = _CELL.unpack_from(stream, at)
            cells.extend((row, column, xf))
            if kind in _FORMULAS or kind == _ERROR:
                _note_error(scan, stream, kind, at)
        elif kind == _MANY:
            _take_many(cells, stream, at, size)
        else:
            _note_layout(scan, stream, kind, at)
    formulas.add_to(scan.formulas, found.referred())
    _keep_cells(scan, cells)
    return scan


def _take_many(cells: array[int], stream: bytes, at: int, size: int) -> None:
    """Adds the cells of a record that holds several beside one another."""
    row, column = _PAIR.unpack_from(stream, at)
    for number, place in enumerate(range(at + 4, at + size - 2, 6)):
        cells.extend((row, column + number, _HEAD.unpack_from(stream, place)[0]))


def _note_error(scan: SheetScan, stream: bytes, kind: int, at: int) -> None:
    """Adds the error value of a cell that holds one, or of a formula that ended in one."""
    row, column, _ = _CELL.unpack_from(stream, at)
    result = stream[at + 6 : at + 14]
    if kind == _ERROR:
        code = result[0] if result[1] else None
    else:
        code = result[2] if result[6:8] == b"\xff\xff" and result[0] == 2 else None
    if code is not None:
        scan.errors[row + 1, column] = ERROR_OF_CODE.get(code, "#VALUE!")


def _note_layout(scan: SheetScan, stream: bytes, kind: int, at: int) -> None:
    """Adds what a record hides or merges."""
    if kind == _ROW:
        height, flags = _HEAD.unpack_from(stream, at + 6)[0], stream[at + 12]
        if flags & 0x20 or not height & 0x7FFF:
            scan.hidden_rows.add(_HEAD.unpack_from(stream, at)[0] + 1)
    elif kind == _COLUMNS:
        first, last, width, _ = _QUAD.unpack_from(stream, at)
        if stream[at + 8] & 1 or not width:
            scan.hide_span(first, min(last, 255))
    elif kind == _MERGES:
        for number in range(int.from_bytes(stream[at : at + 2], "little")):
            top, bottom, left, right = _QUAD.unpack_from(stream, at + 2 + 8 * number)
            scan.merges.append((top + 1, left, bottom + 1, right))


def _keep_cells(scan: SheetScan, cells: array[int]) -> None:
    """Adds the count, the box and the styles of `cells`: row, column and format of each, counted from 0."""
    if not cells:
        return
    rows, columns, numbers = np.frombuffer(cells, np.int32).reshape(-1, 3).T
    scan.put_all(rows + 1, columns)
    scan.styled.append((rows + 1, columns, numbers))
    scan.untidy = True
