"""How far the cells of xlsb and ods files reach, told before their values are read into dense blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.workbook import refusal
from tools.workbook.limits import Limits
from tools.workbook.package import Package
from tools.workbook.xml_events import NotXmlError, events, local

# As for xlsx, but here a block that hardly anything fills can't be read cell by cell.
_DENSE_CELLS = 4_000_000
_SPARSENESS = 50
_SHEET_DATA = b"\x91\x01\x00"
_ROW_HEADER = 0
_FIRST_CELL, _LAST_CELL = 1, 11


def check_xlsb(package: Package, limits: Limits) -> None:
    """Raises InputError when a sheet of an xlsb file spans too many cells, or a part lies about its size."""
    for name in package.names():
        data = package.read(name, is_xml=False)
        if _SHEET_DATA in data:
            _check_span(package.filename, *_xlsb_span(data), limits)


def _check_span(filename: str, area: int, filled: int, limits: Limits) -> None:
    """Raises InputError for a block of `area` cells over the limit, or of many cells with hardly any of them filled."""
    if area > limits.cells:
        raise refusal.unsafe(filename, f"spans more than {limits.cells:,} cells")
    if area > _DENSE_CELLS and area > _SPARSENESS * filled:
        raise refusal.unsafe(filename, f"spreads {filled:,} cells over {area:,}")


def _xlsb_span(data: bytes) -> tuple[int, int]:
    """Rows times columns of the box around the filled cells of a binary sheet, and how many those are."""
    row, filled, rows, columns = 0, 0, list[int](), set[int]()
    for kind, at in _records(data):
        if kind == _ROW_HEADER:
            row = int.from_bytes(data[at : at + 4], "little")
        elif _FIRST_CELL < kind <= _LAST_CELL:
            filled += 1
            columns.add(int.from_bytes(data[at : at + 4], "little"))
            if not rows or rows[-1] != row:
                rows.append(row)
    if not rows:
        return 0, 0
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1), filled


def _records(data: bytes) -> Iterator[tuple[int, int]]:
    """(kind, where its contents start) of each record: kind and length are in groups of seven bits."""
    at, end = 0, len(data)
    while at < end:
        kind = data[at]
        at += 1
        if kind & 0x80 and at < end:
            kind = (kind & 0x7F) | (data[at] & 0x7F) << 7
            at += 1
        size = shift = 0
        while at < end and shift < 28:
            byte = data[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, at
        at += size


def check_ods(package: Package, limits: Limits) -> None:
    """Raises InputError when a table of an ods file spans too many cells once its repeats are written out."""
    row = height = width = filled = 0
    try:
        for _, element in events(package.chunks("content.xml")):
            if local(element) == "table":
                row = height = width = filled = 0
            elif local(element) == "table-row":
                row += _repeats(element, "number-rows-repeated")
                reach, cells = _row_reach(element)
                height, width = (row, max(width, reach)) if reach else (height, width)
                filled += cells
                element.clear()
                _check_span(package.filename, height * width, filled, limits)
    except NotXmlError as error:
        raise refusal.truncated(package.filename) from error


def _repeats(element: Any, name: str) -> int:
    said = next((value for key, value in element.attrib.items() if key.endswith("}" + name)), "1")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 1


def _row_reach(row: Any) -> tuple[int, int]:
    """The number of columns up to the row's last cell with a value, and how many cells with one are written down."""
    column = reach = filled = 0
    for cell in row:
        column += _repeats(cell, "number-columns-repeated")
        if any(key.endswith("}value-type") for key in cell.attrib):
            reach, filled = column, filled + 1
    return reach, filled
