"""What an ods file says beside its values: how far its cells reach, formats, formulas, errors, what is hidden."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tools.workbook import refusal
from tools.workbook.dense import Dates
from tools.workbook.extent import check_extent, check_scattering
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, Sheet
from tools.workbook.limits import Limits
from tools.workbook.ods_rich_text import plain_cells
from tools.workbook.ods_styles import OdsStyles, attribute
from tools.workbook.package import Package
from tools.workbook.scan import SheetScan
from tools.workbook.scanned import BookScan, read_scanned
from tools.workbook.tag_bounds import bounded_events, without_asides
from tools.workbook.xml_events import NotXmlError, local

_HIDDEN = frozenset({"collapse", "filter"})
_GROUPS = frozenset({"table-row-group", "table-column-group"})
_OF_STYLES = frozenset({"styles", "automatic-styles"})
_BREAK = re.compile(rb"<(?:[\w.-]+:)?(?:line-break|tab)(?:\s[^<>]*)?/>")
_MOST_STYLES = 131_072
_MOST_BLANKS, _MOST_REPEATED = 10_000_000, 50_000_000
_MOST_COPIES, _COPIES_EACH = 300_000, 20
"""Cells that a file may hold beyond those that it writes out, and for each of these where they are many."""
_STYLES, _CONTENT = "styles.xml", "content.xml"
_ERROR = re.compile(r"#(?:N/A|REF!|VALUE!|DIV/0!|NUM!|NAME\?|NULL!)|Err:\d{3}")
_PART = re.compile(r'"(?:[^"]|"")*"|\[([^\]]*)\]|;')
_PREFIX = re.compile(r"\w+:=?|=")


def read_ods(data: bytes, package: Package, limits: Limits) -> tuple[list[Sheet], bool]:
    """The tables, and whether dates count from 1904.

    Raises InputError when a table spans too many cells, or holds too much text, once its repeats are written out.
    """
    found, pass_ = _scan(package, limits)
    if pass_.breaks or pass_.marked:
        content = package.read(_CONTENT)
        if pass_.marked:
            content = without_asides(content) if _CONTENT in package.odd_parts else content
            content = plain_cells(content, pass_.styles.marks)
        # The reader of values drops line breaks, and joins the words around them.
        data = package.changed(_CONTENT, _BREAK.sub(b" ", content))
    return read_scanned(data, package.filename, limits, found)


def _scan(package: Package, limits: Limits) -> tuple[BookScan, _Pass]:
    """What a pass over the content finds, table by table, and the pass."""
    pass_ = _Pass(package.filename, limits)
    try:
        for part in (_STYLES, _CONTENT) if _STYLES in package else (_CONTENT,):
            for starts, element in bounded_events(package.chunks(part), package.filename):
                pass_.take(starts, element)
    except NotXmlError as error:
        raise refusal.truncated(package.filename) from error
    return BookScan(pass_.sheets, Dates(tuple(pass_.styles.table), pass_.epoch_1904)), pass_


class _Pass:
    """A pass over the elements of the file's parts; `sheets` are the tables found so far.

    `epoch_1904` is whether the file says that its days count from the first of that year, `breaks` whether a text holds
    line breaks or tabs, `marked` whether some of one is raised or struck out.
    """

    def __init__(self, filename: str, limits: Limits) -> None:
        self._filename, self._limits = filename, limits
        self.styles = OdsStyles()
        self.sheets: list[SheetScan] = []
        self.epoch_1904 = self.breaks = self.marked = False
        self._folded: list[bool] = []
        self._blanks = self._repeated = self._written = self._copies = 0
        self._row = 0
        self._defaults: list[str] = []
        self._styled: list[tuple[int, int, int, int, int]] = []
        self._hidden: list[tuple[int, int]] = []
        self._checked_cells = 0

    def take(self, starts: bool, element: Any) -> None:
        """Takes in the start or the end of an element."""
        name = local(element)
        if starts:
            if name in _GROUPS:
                self._folded.append(attribute(element, "display") == "false")
            elif name == "table":
                if len(self.sheets) >= self._limits.sheets:
                    raise refusal.unsafe(self._filename, f"has more than {self._limits.sheets:,} sheets")
                self.sheets.append(SheetScan(untidy=True))
                self._row, self._defaults, self._styled, self._hidden, self._folded = 0, [], [], [], []
                self._checked_cells = 0
        elif name == "table-column" and self.sheets:
            self._take_column(element)
        elif name == "table-row" and self.sheets:
            self._take_row(self.sheets[-1], element)
            _forget(element)
        elif name == "table" and self.sheets:
            self._check_copies()
            self._end_table(self.sheets[-1])
        elif name in _GROUPS and self._folded:
            self._folded.pop()
        else:
            self._take_other(name, element)

    def _take_other(self, name: str, element: Any) -> None:
        if name.endswith("style"):
            self.styles.add(element)
            if len(self.styles) > _MOST_STYLES:
                raise refusal.unsafe(self._filename, f"describes more than {_MOST_STYLES:,} styles")
            if local(element.getparent()) in _OF_STYLES:
                _forget(element)
        elif name in ("line-break", "tab"):
            self.breaks = True
        elif name == "span":
            self.marked = self.marked or attribute(element, "style-name") in self.styles.marks
        elif name == "s":
            self._blanks += _repeats(element, "c")
            if self._blanks > _MOST_BLANKS:
                raise refusal.unsafe(self._filename, f"holds more than {_MOST_BLANKS:,} blanks")
        elif name == "null-date":
            self.epoch_1904 = attribute(element, "date-value").startswith("1904-01-0")

    def _take_column(self, element: Any) -> None:
        """Notes the default style of the columns, and whether they are hidden."""
        first, count = len(self._defaults), min(_repeats(element, "number-columns-repeated"), LAST_COLUMN + 1)
        count = min(count, LAST_COLUMN + 1 - first)
        self._defaults += [attribute(element, "default-cell-style-name")] * count
        if any(self._folded) or attribute(element, "visibility") in _HIDDEN:
            self.sheets[-1].hide_span(first, first + count - 1)

    def _take_row(self, scan: SheetScan, row: Any) -> None:
        first, column = self._row + 1, 0
        self._row += _repeats(row, "number-rows-repeated")
        default = attribute(row, "default-cell-style-name")
        for cell in row:
            said, start = _attributes(cell), column
            column += _count(said.get("number-columns-repeated", ""))
            if "value-type" in said or "formula" in said:
                scan.put(first, start, self._row, column - 1)
                # From the first cell on, as the reader of the values makes room for it.
                scan.grow(1, 0, self._row, column - 1)
                self._weigh(cell, (self._row - first + 1) * (column - start))
                self._take_cell(scan, cell, said, (first, start, column), default)
            if "number-columns-spanned" in said or "number-rows-spanned" in said:
                _take_merge(scan, said, first, start)
        check_extent(self._filename, scan, self._limits)
        if scan.cells > 2 * self._checked_cells:
            check_scattering(self._filename, scan)
            self._checked_cells = scan.cells
        if any(self._folded) or attribute(row, "visibility") in _HIDDEN:
            self._hidden.append((first, self._row))

    def _weigh(self, cell: Any, times: int) -> None:
        """Raises InputError where the texts of cells that stand for many, or the cells, would be copied too often."""
        self._written += 1
        if times > 1:
            self._copies += times - 1
            blanks = sum(_repeats(run, "c") for run in cell.iter("{*}s"))
            self._repeated += times * (blanks + sum(map(len, cell.itertext())))
            if self._repeated > _MOST_REPEATED:
                raise refusal.unsafe(self._filename, f"repeats its texts up to {self._repeated:,} letters")

    def _check_copies(self) -> None:
        """Raises InputError where filled cells stand for far more than are written out: a million rows of one."""
        if self._copies > max(_MOST_COPIES, _COPIES_EACH * self._written):
            raise refusal.unsafe(self._filename, f"repeats {self._written:,} cells {self._copies:,} times")

    def _take_cell(
        self, scan: SheetScan, cell: Any, said: dict[str, str], place: tuple[int, int, int], default: str
    ) -> None:
        """Adds the style, formula and error of a filled cell; repeats of a formula or an error count once."""
        row, column, end = place
        kind, formula = said.get("value-type", ""), said.get("formula")
        name = said.get("style-name") or default
        if not name and column < len(self._defaults):
            name = self._defaults[column]
        shown = (cell.findtext("{*}p") or "") if kind == "currency" else ""
        if number := self.styles.number(name, kind, said.get("currency", ""), shown):
            self._styled.append((row, self._row, column, end, number))
        if formula:
            scan.formulas.add(
                row, column, formula_text(formula), None, cached=bool(kind), is_empty_text=_is_empty_text(cell, said)
            )
        if kind == "string" and (formula or _is_error(cell)):
            shown = cell.findtext("{*}p") or ""
            if _ERROR.fullmatch(shown):
                scan.errors[row, column] = "#VALUE!" if shown.startswith("Err:") else shown

    def _end_table(self, scan: SheetScan) -> None:
        """Writes styles and hidden rows out, repeats and all; the table's box has been held to the limits."""
        check_scattering(self._filename, scan)
        bottom, right = scan.box[2:] if scan.box else (0, -1)
        for first, last in self._hidden:
            scan.hidden_rows.update(range(first, min(last, bottom) + 1))
        scan.hidden_columns = {column for column in scan.hidden_columns if column <= right}
        size = sum((end - top + 1) * (after - left) for top, end, left, after, _ in self._styled)
        rows, columns, numbers = (np.empty(size, np.int32) for _ in range(3))
        at = 0
        for top, end, left, after, number in self._styled:
            height, width = end - top + 1, after - left
            part = slice(at, at + height * width)
            rows[part] = np.repeat(np.arange(top, end + 1), width)
            columns[part] = np.tile(np.arange(left, after), height)
            numbers[part] = number
            at += height * width
        scan.styled.append((rows, columns, numbers))
        self._styled = []


def formula_text(stored: str) -> str:
    """A stored formula as other workbooks write it: `of:=SUM([.B2:.B4];1)` is `SUM(B2:B4,1)`."""
    prefix = _PREFIX.match(stored)
    return _PART.sub(_plain_part, stored[prefix.end() :] if prefix else stored)


def _plain_part(match: re.Match[str]) -> str:
    if match[0] == ";":
        return ","
    if match[1] is None:
        return match[0]
    first, _, last = match[1].partition(":")
    sheet, _, corner = first.rpartition(".")
    other = last.rpartition(".")[2]
    return f"{sheet.removeprefix('$') + '!' if sheet else ''}{corner}{':' + other if other else ''}"


def _is_error(cell: Any) -> bool:
    return any(key.endswith("}value-type") and value == "error" for key, value in cell.attrib.items())


def _is_empty_text(cell: Any, said: dict[str, str]) -> bool:
    is_text = said.get("value-type") == "string" and not said.get("string-value")
    return is_text and not "".join(cell.itertext()).strip()


def _attributes(cell: Any) -> dict[str, str]:
    """The attributes of a cell by their names without namespaces; those that one program alone writes left out."""
    return {key.rpartition("}")[2]: value for key, value in cell.attrib.items() if "calcext" not in key}


def _take_merge(scan: SheetScan, said: dict[str, str], row: int, column: int) -> None:
    bottom = row + _count(said.get("number-rows-spanned", "")) - 1
    right = column + _count(said.get("number-columns-spanned", "")) - 1
    if (bottom > row or right > column) and bottom <= LAST_ROW and right <= LAST_COLUMN:
        scan.merges.append((row, column, bottom, right))


def _repeats(element: Any, name: str) -> int:
    return _count(attribute(element, name))


def _count(said: str) -> int:
    """The number that `said` is; 1 for what is none."""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 1


def _forget(element: Any) -> None:
    """Frees a row or style that has been taken in, and those before it."""
    element.clear()
    parent = element.getparent()
    while element.getprevious() is not None:
        del parent[0]
