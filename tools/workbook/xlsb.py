"""What an xlsb file says beside its values: how far its cells reach, formats, bold, errors, merges, what is hidden."""

from __future__ import annotations

from array import array
from functools import partial
from struct import Struct
from struct import error as StructError  # noqa: N812 - the library's own name says nothing

import numpy as np
from openpyxl.styles.numbers import BUILTIN_FORMATS

from tools.workbook.dense import Dates
from tools.workbook.error_codes import ERROR_OF_CODE
from tools.workbook.extent import check_extent, check_scattering
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, CellStyle
from tools.workbook.limits import Limits
from tools.workbook.ooxml import check_parts, relations
from tools.workbook.package import Package
from tools.workbook.scan import SheetScan, check_layout
from tools.workbook.scanned import BookScan
from tools.workbook.xlsb_formulas import FORMULA_CELLS, SHARED, XlsbFormulas
from tools.workbook.xlsb_records import records, text_at
from tools.workbook.xlsb_rich_text import font_marks, plain_strings

_SHEET_DATA = b"\x91\x01\x00"
_ROW, _ERROR, _FORMULA_ERROR, _COLUMNS, _MERGE = 0, 3, 11, 60, 176
_CELLS = frozenset({*range(2, 12), 62})
_BOOK_SETTINGS, _SHEET = 153, 156
_THIS_BOOK, _BOOKS, _EXTERNS = 357, frozenset({355, 357, 358, 667}), 362
_FONT, _FORMAT, _XF, _XFS, _XFS_END = 43, 44, 47, 617, 618
_U32, _CELL, _XF_HEAD, _RANGE = Struct("<I"), Struct("<II"), Struct("<HH"), Struct("<IIII")
_EXTERN = Struct("<III")
_BOLD = 600
_STYLES, _STRINGS = "xl/styles.bin", "xl/sharedstrings.bin"


def scan_xlsb(package: Package, main: str, limits: Limits) -> BookScan:
    """What a pass over the records finds, sheet by sheet in the file's order.

    Raises InputError when a sheet spans too many cells, or a part lies about its size: any part, for what a reader
    takes for a sheet need not be called one.
    """
    scans: dict[str, SheetScan] = {}
    sheets, epoch_1904, referred = _read_book(package.read(main, is_xml=False))
    for name in package.names():
        data = package.read(name, is_xml=False)
        if _SHEET_DATA in data:
            scans[name] = _read_sheet(data, package.filename, referred)
            check_extent(package.filename, scans[name], limits)
            check_scattering(package.filename, scans[name])
    styles = package.read(_STYLES, is_xml=False) if _STYLES in package else b""
    links = relations(package, main)
    check_parts(package, sheets, links)
    targets = {key: target.lower() for key, _, target in links}
    found = [scans.get(targets.get(key, ""), SheetScan(cells=1, untidy=True)) for _, key in sheets]
    plain = _without_marks(package, styles)
    kept = Package(plain, package.filename, limits) if plain else package
    return BookScan(found, Dates(_read_styles(styles), epoch_1904), partial(kept.without, _STYLES), plain)


def _without_marks(package: Package, styles: bytes) -> bytes | None:
    """The file without raised marks and struck-out text in what its cells share; None where there is none."""
    marks = font_marks(styles)
    if not any(raised or struck for raised, struck in marks) or _STRINGS not in package:
        return None
    strings = package.read(_STRINGS, is_xml=False)
    plain = plain_strings(strings, marks)
    return None if plain == strings else package.changed(_STRINGS, plain)


def _read_book(data: bytes) -> tuple[list[tuple[str, str]], bool, list[str | None]]:
    """Each sheet's name and relation, in order, and whether dates count from 1904; none from where the part breaks.

    Then the sheet that each number in a reference to another one means; None for other files and for several.
    """
    sheets, epoch_1904 = list[tuple[str, str]](), False
    books, externs = list[bool](), list[tuple[int, int, int]]()
    for kind, at, _ in records(data):
        if kind == _BOOK_SETTINGS:
            epoch_1904 = bool(int.from_bytes(data[at : at + 1], "little") & 1)
        elif kind == _SHEET:
            key = text_at(data, at + 8)
            sheets.append((text_at(data, at + 12 + 2 * len(key)), key))
        elif kind in _BOOKS:
            books.append(kind == _THIS_BOOK)
        elif kind == _EXTERNS and not externs:
            count = min(int.from_bytes(data[at : at + 4], "little"), (len(data) - at - 4) // _EXTERN.size)
            externs = [_EXTERN.unpack_from(data, at + 4 + _EXTERN.size * number) for number in range(count)]
    return sheets, epoch_1904, [_referred(sheets, books, *extern) for extern in externs]


def _referred(sheets: list[tuple[str, str]], books: list[bool], book: int, first: int, last: int) -> str | None:
    return sheets[first][0] if first == last < len(sheets) and book < len(books) and books[book] else None


def _read_styles(data: bytes) -> tuple[CellStyle, ...]:
    """The style of each cell format, in the order that cells refer to; as many as there are before the part breaks."""
    formats, bold, styles, inside = dict[int, str](), list[bool](), list[CellStyle](), False
    try:
        for kind, at, _ in records(data):
            if kind == _FORMAT:
                formats[int.from_bytes(data[at : at + 2], "little")] = text_at(data, at + 2)
            elif kind == _FONT:
                bold.append(int.from_bytes(data[at + 4 : at + 6], "little") >= _BOLD)
            elif kind in (_XFS, _XFS_END):
                inside = kind == _XFS
            elif kind == _XF and inside:
                number, font = map(int, _XF_HEAD.unpack_from(data, at + 2))
                code = formats.get(number) or BUILTIN_FORMATS.get(number, "")
                styles.append(CellStyle("" if code == "General" else code, font < len(bold) and bold[font]))
    except StructError:
        pass
    return tuple(styles)


def _read_sheet(data: bytes, filename: str, referred: list[str | None]) -> SheetScan:
    """What the records of a sheet's part say, as far as the part goes; a merge and columns are told by four numbers.

    `referred` are the sheets that the numbers of references to other sheets mean.
    """
    scan, cells, row, formulas = SheetScan(untidy=True), array("q"), 0, XlsbFormulas(data)
    try:
        for kind, at, _ in records(data):
            if kind == _ROW:
                row = _U32.unpack_from(data, at)[0]
                # Hidden by the flag or by a height of nothing.
                if data[at + 11] & 0x10 or not any(data[at + 8 : at + 10]):
                    scan.hidden_rows.add(row + 1)
            elif kind in _CELLS:
                cells.extend((row, *_read_cell(scan, formulas, data, at, kind, row)))
            elif kind == SHARED:
                formulas.take_shared(at)
            elif kind in (_COLUMNS, _MERGE):
                a, b, c, d = _RANGE.unpack_from(data, at)
                if kind == _MERGE and a <= b < LAST_ROW and c <= d <= LAST_COLUMN:
                    scan.merges.append((a + 1, c, b + 1, d))
                elif kind == _COLUMNS and (data[at + 16] & 1 or not c):
                    scan.hide_span(a, b)
                    check_layout(scan, filename)
    except (StructError, IndexError):
        pass
    formulas.add_to(scan.formulas, referred)
    _keep_cells(scan, cells)
    return scan


def _read_cell(scan: SheetScan, formulas: XlsbFormulas, data: bytes, at: int, kind: int, row: int) -> tuple[int, int]:
    """The column and the format of a cell; adds its error and its formula."""
    column, style = _CELL.unpack_from(data, at)
    if kind in (_ERROR, _FORMULA_ERROR):
        scan.errors[row + 1, column] = ERROR_OF_CODE.get(data[at + 8], "#VALUE!")
    if kind in FORMULA_CELLS:
        formulas.take(kind, at, row, column)
    return column, style & 0xFFFFFF


def _keep_cells(scan: SheetScan, cells: array[int]) -> None:
    """Adds the count, the box and the styles of `cells`: row, column and format of each, counted from 0."""
    if not cells:
        return
    rows, columns, numbers = np.frombuffer(cells, np.int64).reshape(-1, 3).T
    scan.put_all(rows + 1, columns)
    inside = (rows < LAST_ROW) & (columns <= LAST_COLUMN)
    kept = [some[inside].astype(np.int32) for some in (rows + 1, columns, numbers)]
    scan.styled.append((kept[0], kept[1], kept[2]))
