"""The sheet pass element by element, for parts that the bulk pass cannot read."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from tools.workbook import refusal
from tools.workbook.grid import LAST_COLUMN, LAST_ROW
from tools.workbook.ooxml_parts import Attributes
from tools.workbook.package import Package
from tools.workbook.scan import SheetScan, check_layout, place
from tools.workbook.xml_events import NotXmlError, feed_xml

_TRUE = frozenset({"1", "true", "on"})
_MARKING = frozenset({"vertAlign", "strike"})
_MOST_OTHERS = 2_000_000


def walk_sheet(package: Package, part: str) -> SheetScan:
    """What `scan_sheet` finds, for a part of any writer; raises InputError where it is no XML."""
    walk = _Walk(package.filename)
    try:
        feed_xml(walk, _noting_codes(package.chunks(part), walk.scan))
    except NotXmlError as error:
        raise refusal.truncated(package.filename) from error
    if len(walk.styled):
        rows, columns, styles = np.frombuffer(walk.styled, np.int32).reshape(-1, 3).T
        walk.scan.styled.append((rows, columns, styles))
    return walk.scan


def _noting_codes(pieces: Iterable[bytes], scan: SheetScan) -> Iterator[bytes]:
    """The same pieces; notes in `scan` where letters are written as codes."""
    last = b""
    for piece in pieces:
        scan.coded = scan.coded or b"&#" in last + piece
        last = piece[-1:]
        yield piece


@lru_cache(maxsize=256)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


class _Walk:
    """Takes in a sheet's elements one after the other, so that no tree of them is built."""

    def __init__(self, filename: str) -> None:
        self.scan = SheetScan(untidy=True)
        self.styled = array("i")
        self._filename = filename
        self._row, self._column = 0, -1
        self._cell: Attributes | None = None
        self._depth = self._others = 0
        self._parts: dict[str, tuple[Attributes, list[str]]] = {}
        self._text: list[str] | None = None

    def start(self, tag: str, attributes: Attributes) -> None:
        """Takes in the start of an element."""
        name = _local(tag)
        self._text = None
        if self._cell is not None:
            self._depth += 1
            if self._depth == 1:
                self._text = []
                self._parts[name] = (dict(attributes), self._text)
            elif name in _MARKING:
                self.scan.marked = True
        elif name == "c":
            self._cell, self._depth, self._parts = dict(attributes), 0, {}
            return
        elif name == "row":
            self._row, self._column = int(attributes.get("r") or self._row + 1), -1
            if self._row <= LAST_ROW and _is_hidden(attributes, "ht"):
                self.scan.hidden_rows.add(self._row)
            return
        if name not in ("v", "f", "is", "t"):
            self._take_other(name, attributes)

    def data(self, text: str) -> None:
        """Takes in text."""
        if self._text is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:  # noqa: ARG002 - the parser hands it over
        """Takes in the end of an element."""
        self._text = None
        if self._cell is None:
            return
        if self._depth:
            self._depth -= 1
            return
        cell, self._cell = self._cell, None
        self._row, self._column = _place_of(cell, self._row, self._column)
        if self._parts:
            self._take_cell(cell)

    def close(self) -> None:
        """Takes in the end of the part."""

    def _take_other(self, name: str, attributes: Attributes) -> None:
        self._others += 1
        if self._others > _MOST_OTHERS:
            raise refusal.unsafe(self._filename, f"holds a sheet of more than {_MOST_OTHERS:,} tags beside its cells")
        if name == "col" and _is_hidden(attributes, "width"):
            self.scan.hide_columns(attributes.get("min", "1"), attributes.get("max", "0"))
            check_layout(self.scan, self._filename)
        elif name == "dimension":
            self.scan.note_dimension(attributes.get("ref", ""))
        elif name == "mergeCell":
            self.scan.merge(attributes.get("ref", ""))
            check_layout(self.scan, self._filename)

    def _take_cell(self, cell: Attributes) -> None:
        scan, place = self.scan, (self._row, self._column)
        scan.put(*place, *place)
        style, value = int(cell.get("s") or 0), self._parts.get("v")
        text = None if value is None else "".join(value[1])
        if 0 < style < _MOST_OTHERS:
            self.styled.extend((*place, style))
        if cell.get("t") == "e" and text is not None:
            scan.errors[place] = text
        if (formula := self._parts.get("f")) is not None:
            shared = formula[0].get("si") if formula[0].get("t") == "shared" else None
            is_empty, cached = text == "" and cell.get("t") == "str", bool(text) or "is" in self._parts
            scan.formulas.add(*place, "".join(formula[1]), shared, cached=cached, is_empty_text=is_empty)
            if formula[0].get("t") == "array" and not cached:
                scan.formulas.add_array(formula[0].get("ref", ""))


def _is_hidden(attributes: Attributes, size: str) -> bool:
    """Whether a row or columns are hidden, by their flag or by a `size` of nothing."""
    said = attributes.get(size, "")
    return attributes.get("hidden", "").lower() in _TRUE or (bool(said) and not said.strip("0."))


def _place_of(cell: Attributes, row: int, column: int) -> tuple[int, int]:
    ref = cell.get("r")
    if not ref and not (1 <= row <= LAST_ROW and column < LAST_COLUMN):
        raise ValueError("more rows or columns than a sheet has")
    return place(ref) if ref else (row, column + 1)
