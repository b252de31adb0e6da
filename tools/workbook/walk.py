"""The sheet pass element by element, for parts that the bulk pass cannot read."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.workbook import refusal
from tools.workbook.grid import LAST_COLUMN, LAST_ROW
from tools.workbook.package import Package
from tools.workbook.scan import SheetScan, place
from tools.workbook.xml_events import NotXmlError, events, local

_TRUE = frozenset({"1", "true", "on"})


def walk_sheet(package: Package, part: str) -> SheetScan:
    """What `scan_sheet` finds, for a part of any writer; raises InputError where it is no XML."""
    scan = SheetScan()
    styled: list[tuple[int, int, int]] = []
    try:
        _walk(package, part, scan, styled)
    except (NotXmlError, ValueError) as error:
        raise refusal.truncated(package.filename) from error
    if styled:
        rows, columns, styles = np.array(styled, np.int32).T
        scan.styled.append((rows, columns, styles))
    scan.untidy = True
    return scan


def _walk(package: Package, part: str, scan: SheetScan, styled: list[tuple[int, int, int]]) -> None:
    row, column = 0, -1
    for event, element in events(package.chunks(part), ("start", "end")):
        name = local(element)
        if event == "start":
            if name == "row":
                row, column = int(element.get("r") or row + 1), -1
            continue
        if name == "c":
            row, column = _place_of(element, row, column)
            _take_cell(scan, styled, element, row, column)
        elif name == "row":
            if _is_hidden(element, "ht"):
                scan.hidden_rows.add(row)
            element.clear()
        elif name == "col" and _is_hidden(element, "width"):
            scan.hide_columns(element.get("min", "1"), element.get("max", "0"))
        elif name == "dimension":
            scan.note_dimension(element.get("ref", ""))
        elif name == "mergeCell":
            scan.merge(element.get("ref", ""))


def _is_hidden(element: Any, size: str) -> bool:
    """Whether a row or columns are hidden, by their flag or by a `size` of nothing."""
    said = element.get(size, "")
    return element.get("hidden", "").lower() in _TRUE or (bool(said) and not said.strip("0."))


def _place_of(element: Any, row: int, column: int) -> tuple[int, int]:
    ref = element.get("r")
    if not ref and not (1 <= row <= LAST_ROW and column < LAST_COLUMN):
        raise ValueError("more rows or columns than a sheet has")
    return place(ref) if ref else (row, column + 1)


def _take_cell(scan: SheetScan, styled: list[tuple[int, int, int]], element: Any, row: int, column: int) -> None:
    parts = {local(child): child for child in element}
    if not parts:
        return
    scan.cells += 1
    scan.grow(row, column, row, column)
    style, value = int(element.get("s") or 0), parts.get("v")
    if style:
        styled.append((row, column, style))
    if element.get("t") == "e" and value is not None:
        scan.errors[row, column] = value.text or ""
    if (formula := parts.get("f")) is not None:
        shared = formula.get("si") if formula.get("t") == "shared" else None
        cached = value is not None and bool(value.text or element.get("t") == "str")
        scan.formulas.add(row, column, formula.text or "", shared, cached=cached or "is" in parts)
