"""Reading Excel's XML of 2003, which programs write under the name of an xls file."""

from __future__ import annotations

import datetime as dt
import math
import re
from typing import Any

from schemas.workbook import column_letters
from tools.workbook import refusal
from tools.workbook.gathered import GatheredBook, GatheredSheet
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, PLAIN, CellError, CellStyle, Sheet
from tools.workbook.limits import Limits
from tools.workbook.named_formats import code_of
from tools.workbook.ods_styles import attribute
from tools.workbook.package import PROLOG_BYTES, check_prolog
from tools.workbook.page_worksheets import says_hidden
from tools.workbook.tag_bounds import bounded_events, within_bounds
from tools.workbook.xml_events import NotXmlError, local

_PIECE_BYTES = 1 << 16
_REFERENCE = re.compile(r'"[^"]*"|\'[^\']*\'|(?<![\w.])R(?:(\d+)|\[(-?\d+)\])?C(?:(\d+)|\[(-?\d+)\])?(?![\w.(])')
_DEEPEST_STYLE = 16
_MOST_ELEMENTS, _ELEMENTS_PER_CELL = 300_000, 50


def read_xml_2003(data: bytes, filename: str, limits: Limits) -> list[Sheet]:
    """The worksheets; raises InputError for XML that is damaged, declares entities, or goes beyond `limits`."""
    check_prolog(data[:PROLOG_BYTES], filename)
    pass_ = _Pass(GatheredBook(filename, limits))
    pieces = (data[at : at + _PIECE_BYTES] for at in range(0, len(data), _PIECE_BYTES))
    try:
        for starts, element in bounded_events(within_bounds(pieces, filename), filename):
            if starts:
                pass_.start(element)
            else:
                pass_.end(element)
    except NotXmlError as error:
        raise refusal.truncated(filename) from error
    return pass_.book.finish()


class _Pass:
    """A pass over the elements; `_row` and `_column` are where the next cell stands if it does not say."""

    def __init__(self, book: GatheredBook) -> None:
        self.book = book
        self._styles: dict[str, tuple[str, str | None, bool | None]] = {}
        self._resolved: dict[str, CellStyle] = {}
        self._sheet: GatheredSheet | None = None
        self._row = self._column = self._columns = self._elements = 0
        self._merges: list[tuple[int, int, int, int]] = []
        self._column_styles: dict[int, str] = {}

    def start(self, element: Any) -> None:
        """Takes in the start of an element."""
        name = local(element)
        self._elements += 1
        if self._elements > _MOST_ELEMENTS and self._elements > _MOST_ELEMENTS + _ELEMENTS_PER_CELL * self.book.cells:
            raise refusal.unsafe(self.book.filename, "holds far more markup than cells")
        if name == "Worksheet":
            self._sheet = self.book.add(self._name(" ".join(attribute(element, "Name").split())))
            self._row, self._columns, self._merges, self._column_styles = 0, 0, [], {}
        elif name == "Row" and self._sheet is not None:
            self._row = max(_count(element, "Index", self._row + 1), self._row + 1)
            self._column = 0

    def end(self, element: Any) -> None:
        """Takes in an element that is whole."""
        name, sheet = local(element), self._sheet
        if name == "Style":
            self._take_style(element)
        elif sheet is None:
            return
        elif name == "Cell":
            self._take_cell(sheet, element)
        elif name == "Row":
            self._end_row(sheet, element)
        elif name == "Column":
            self._take_column(sheet, element)
        elif name == "Visible" and says_hidden("".join(element.itertext())):
            sheet.visible = False
        elif name == "Worksheet":
            for merge in self._merges:
                sheet.merge(*merge)
            element.clear()

    def _name(self, said: str) -> str:
        """The name of the next worksheet, unlike those before it."""
        taken = {(sheet.name or "").casefold() for sheet in self.book.sheets}
        name, number = said or f"Sheet{len(taken) + 1}", 1
        while name.casefold() in taken:
            number += 1
            name = f"{said or 'Sheet'} ({number})"
        return name

    def _take_column(self, sheet: GatheredSheet, element: Any) -> None:
        """Notes the style of one or several columns, and if they are hidden."""
        first = max(_count(element, "Index", 0), self._columns + 1)
        self._columns = min(first + _count(element, "Span", 0), LAST_COLUMN + 1)
        columns = range(first - 1, self._columns)
        if _hides(element, "Width"):
            sheet.scan.hidden_columns.update(columns)
        if style := attribute(element, "StyleID"):
            self._column_styles |= dict.fromkeys(columns, style)

    def _end_row(self, sheet: GatheredSheet, element: Any) -> None:
        sheet.reach(self._row)
        last = min(self._row + _count(element, "Span", 0), LAST_ROW)
        if _hides(element, "Height"):
            sheet.scan.hidden_rows.update(range(self._row, last + 1))
        self._row = last
        _forget(element)

    def _take_cell(self, sheet: GatheredSheet, element: Any) -> None:
        column = max(_count(element, "Index", self._column + 1), self._column + 1) - 1
        across, down = _count(element, "MergeAcross", 0), _count(element, "MergeDown", 0)
        self._column = column + 1 + across
        if across or down:
            self._merges.append((self._row, column, self._row + down, column + across))
        data = next((child for child in element if local(child) == "Data"), None)
        styled = attribute(element, "StyleID") or attribute(element.getparent(), "StyleID")
        style = self._style(styled or self._column_styles.get(column, ""))
        value = None if data is None else _value(attribute(data, "Type"), "".join(data.itertext()))
        if value is not None:
            sheet.put(self._row, column, value, style)
        if formula := attribute(element, "Formula"):
            text = a1_formula(formula.removeprefix("="), self._row, column)
            sheet.reach(self._row)
            sheet.scan.formulas.add(self._row, column, text, None, cached=value is not None)
        element.clear()

    def _take_style(self, element: Any) -> None:
        """Notes a style's parent, number format and weight."""
        code, bold = None, None
        for child in element:
            if local(child) == "NumberFormat":
                code = code_of(attribute(child, "Format"))
            elif local(child) == "Font" and attribute(child, "Bold"):
                bold = attribute(child, "Bold") == "1"
        self._styles[attribute(element, "ID")] = (attribute(element, "Parent"), code, bold)

    def _style(self, name: str) -> CellStyle:
        if name not in self._resolved:
            code, bold, at = None, None, name or "Default"
            for _ in range(_DEEPEST_STYLE):
                parent, own_code, own_bold = self._styles.get(at, ("", None, None))
                code, bold = own_code if code is None else code, own_bold if bold is None else bold
                at = parent
            self._resolved[name] = CellStyle(code or "", bool(bold)) if code or bold else PLAIN
        return self._resolved[name]


def a1_formula(formula: str, row: int, column: int) -> str:
    """A formula in A1 style, from one in R1C1 style that stands at `row` (1-based) and `column` (0-based)."""

    def plain(match: re.Match[str]) -> str:
        if match[0][0] in "\"'":
            return match[0]
        at = int(match[1]) if match[1] else row + int(match[2] or 0)
        across = int(match[3]) - 1 if match[3] else column + int(match[4] or 0)
        if not (1 <= at <= LAST_ROW and 0 <= across <= LAST_COLUMN):
            return "#REF!"
        return f"{'$' * bool(match[3])}{column_letters(across)}{'$' * bool(match[1])}{at}"

    return _REFERENCE.sub(plain, formula)


def _value(kind: str, text: str) -> object:
    """The value of a cell's data; text that is no value of its kind stays text."""
    if kind == "Error":
        return CellError(text.strip() or "#VALUE!")
    plain = text.strip()
    if not plain:
        return None
    try:
        if kind == "Number" and len(plain) < 40:
            number = float(plain)
            return number if math.isfinite(number) else text
        if kind == "DateTime":
            moment = dt.datetime.fromisoformat(plain.removesuffix("Z"))
            if moment.year < 1900:
                return moment.time()
            return moment.date() if moment.time() == dt.time.min else moment
    except ValueError:
        return text
    return plain == "1" if kind == "Boolean" else text


def _count(element: Any, name: str, otherwise: int) -> int:
    said = attribute(element, name)
    return int(said) if said.isascii() and said.isdigit() and len(said) < 9 else otherwise


def _hides(element: Any, size: str) -> bool:
    """Whether a row or column is hidden, or of no size."""
    said = attribute(element, size).strip()
    return attribute(element, "Hidden").lower() in ("1", "true") or re.fullmatch(r"0+(?:\.0*)?", said) is not None


def _forget(row: Any) -> None:
    """Frees a row that has been taken in, and those before it."""
    row.clear()
    parent = row.getparent()
    while row.getprevious() is not None:
        del parent[0]
