"""What the elements of a web page mean, one after the other: tables, the lines around them, what is hidden."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.workbook import refusal
from tools.workbook.gathered import GatheredBook
from tools.workbook.grid import CellStyle
from tools.workbook.html_styles import NOTHING, REMOVED, Look, Rules, names_of
from tools.workbook.html_table import PageCell
from tools.workbook.html_values import CellText, cell_value, one_line
from tools.workbook.page_sheets import PageSheets

_UNREAD = frozenset({"script", "style", "title", "template", "xml", "object", "svg", "noframes", "iframe", "noscript"})
_BOLD = frozenset({"b", "strong", "th"})
_STRUCK = frozenset({"s", "del", "strike"})
_NOTE_MARK = re.compile(r"\s*[(\[]?(?:\d{1,2}|[a-z]|[*†‡§#]{1,3})[)\]]?\s*", re.IGNORECASE)
_CELLS = frozenset({"td", "th"})
_BLOCKS = frozenset(
    {
        *("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "caption"),
        *("center", "form", "section", "article", "header", "footer", "blockquote", "address", "fieldset", "table"),
    }
)
_LOOKS = frozenset({"style", "class", "id", "hidden"})
_NO_ATTRIBUTES: dict[str, str] = {}
_TYPED = frozenset({"text", "number", "date", "tel", "email", "url", "search"})
_MOST_DEEP = 1_000
_MOST_TAGS, _TAGS_PER_CELL = 300_000, 50
_MOST_COMMENT_CHARS = 1_000_000
_WORKSHEET = re.compile(
    r"<x:Name>([^<]{1,200})</x:Name>(?:\s{0,40}<x:WorksheetSource\s{1,40}HRef=[\"']([^\"'>]{0,300}))?", re.IGNORECASE
)
_EPOCH_1904 = re.compile(r"<x:Date1904\s*/?>", re.IGNORECASE)


@dataclass(slots=True)
class _OpenCell:
    """A cell whose end is not there yet; text in elements that hide more than `hidden` is none of it."""

    placed: PageCell
    attributes: Mapping[str, str]
    code: str | None
    hidden: int
    text: CellText = field(default_factory=CellText)

    def finish(self, *, epoch_1904: bool) -> None:
        """Gives the cell the value and the style that its text so far has."""
        value, code = cell_value(self.text.value, self.attributes, self.code, epoch_1904)
        self.placed.value = value
        if value is not None and (code or self.text.bold):
            self.placed.style = CellStyle(code, self.text.bold)


class PageReader:
    """The target of a parser of HTML: it is told of elements and text, and fills the sheets of `book`.

    `worksheets` are (name, address) of the worksheets that the page says it holds, the address "" where it holds them
    itself. `rules` may know of style sheets in other files.
    """

    def __init__(self, book: GatheredBook, rules: Rules, name: str | None = None) -> None:
        self.book = book
        self.worksheets: list[tuple[str, str]] = []
        self.rules, self._name = rules, name
        self._sheets = PageSheets(book)
        self._open: list[tuple[str, int, int, bool, set[str]]] = []
        self._around: Counter[str] = Counter()
        self._unread = self._hidden = self._unseen = self._bold = self._tags = self._raised = 0
        self._epoch_1904 = False
        self._line = CellText()
        self._cells: list[_OpenCell | None] = []
        self._bases: list[int] = []
        self._aside: list[str] = []

    @property
    def _conceals(self) -> bool:
        """Whether an open element hides what stands in the innermost table, itself hidden or not."""
        return self._hidden > self._bases[-1]

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in the start of an element."""
        self._count()
        attributes = dict(attributes) if attributes else _NO_ATTRIBUTES
        says = tag in self.rules.tags or not _LOOKS.isdisjoint(attributes)
        look = self.rules.look(tag, attributes, self._around) if says else NOTHING
        if tag == "option" and "selected" not in attributes:
            look = REMOVED
        bold = tag in _BOLD or look.bold is True
        # What is seen inside of what is not is shown, unless that is left out of the page altogether.
        unseen = -self._unseen if look.unseen is False else int(look.unseen is True)
        hides, names = unseen + (look.removed is True or tag in _STRUCK), names_of(tag, attributes)
        self._around.update(names)
        self._open.append((tag, hides, unseen, bold, names))
        self._hidden += hides
        self._unseen += unseen
        self._bold += bold
        if tag in _UNREAD:
            self._unread += 1
        if self._unread:
            return
        if tag in _CELLS:
            self._begin_cell(tag, attributes, look)
        elif tag == "tr":
            self._end_line()
            self._need_table()
            self._sheets.begin_row(hides=self._conceals)
        elif tag in _BLOCKS:
            self._break()
            if tag == "table":
                self._begin_table(self._hidden)
        else:
            self._take(tag, attributes)

    def _take(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in an element that means something by itself."""
        if tag == "sup":
            self._begin_raised()
        elif tag == "br":
            self._break(always=True)
        elif tag in ("col", "colgroup") and self._cells:
            among = tag == "col" and len(self._open) > 1 and self._open[-2][0] == "colgroup"
            self._sheets.tables[-1].take_col(attributes, hides=self._conceals, group=tag == "colgroup", among=among)
        elif tag == "input" and attributes.get("type", "text").lower() in _TYPED:
            self.data(attributes.get("value", ""))

    def end(self, tag: str) -> None:
        """Takes in the end of an element."""
        if not self._open:
            return
        _, hides, unseen, bold, names = self._open.pop()
        self._unseen -= unseen
        self._around.subtract(names)
        if len(self._open) < self._raised:
            self._raised = 0
        self._hidden -= hides
        self._bold -= bold
        if tag in _UNREAD:
            self._unread -= 1
            self._take_aside(tag)
        elif self._unread:
            self._take_aside(tag)
        elif tag in _CELLS and self._cells:
            self._end_cell()
        elif tag == "tr" and self._cells:
            self._end_cell()
            self._end_line()
            self._sheets.end_row()
        elif tag in _BLOCKS:
            self._break()
            if tag == "table" and self._cells:
                self._end_table()

    def data(self, text: str) -> None:
        """Takes in text."""
        if self._unread:
            if self._open and self._open[-1][0] == "x:name":
                self._aside.append(text)
            return
        cell = self._cells[-1] if self._cells else None
        if cell is not None:
            if self._hidden <= cell.hidden and not (self._raised and _NOTE_MARK.fullmatch(text)):
                cell.text.add(text, bold=self._bold > 0)
        elif not self._hidden:
            self._line.add(text, bold=self._bold > 0)

    def comment(self, text: str) -> None:
        """Takes in a comment: spreadsheet programs write what they know of the sheets into some."""
        if len(text) > _MOST_COMMENT_CHARS or "<x:" not in text.lower():
            return
        found = _WORKSHEET.findall(text)
        self.worksheets += [(" ".join(html.unescape(name).split()), address) for name, address in found]
        self._epoch_1904 |= _EPOCH_1904.search(text) is not None

    def close(self) -> None:
        """Takes in the end of the page."""
        while self._cells:
            self._end_table()
        self._end_line()
        names = [self._name] if self._name else [name for name, _ in self.worksheets]
        self._sheets.finish([name for name in names if name])

    def _count(self) -> None:
        """Holds the page to as many elements as tables need; lxml tells of each, however empty."""
        self._tags += 1
        if len(self._open) > _MOST_DEEP:
            raise refusal.unsafe(self.book.filename, f"nests its elements more than {_MOST_DEEP:,} deep")
        if self._tags > _MOST_TAGS and self._tags > _MOST_TAGS + _TAGS_PER_CELL * self.book.cells:
            raise refusal.unsafe(self.book.filename, "holds far more markup than cells")

    def _begin_raised(self) -> None:
        """Takes in that what follows is raised: behind a number or alone, the mark of a note and no digit of it."""
        cell = self._cells[-1] if self._cells else None
        if cell is not None and cell.text.takes_note:
            self._raised = len(self._open)

    def _take_aside(self, tag: str) -> None:
        text, self._aside = "".join(self._aside), []
        if tag == "x:name" and text.strip():
            self.worksheets.append((" ".join(text.split()), ""))

    def _need_table(self) -> None:
        """Begins a table for rows and cells that stand in none."""
        if not self._cells:
            self._begin_table(self._hidden - self._open[-1][1])

    def _begin_table(self, hidden: int) -> None:
        cell = self._cells[-1] if self._cells else None
        if cell is not None:
            # What the cell says so far stands above the inner table, unless its row is data.
            cell.finish(epoch_1904=self._epoch_1904)
        self._sheets.begin_table(visible=not hidden)
        if cell is not None and cell.placed.value is None:
            cell.text = CellText()
        self._cells.append(None)
        self._bases.append(hidden)

    def _end_table(self) -> None:
        self._end_cell()
        self._end_line()
        self._cells.pop()
        self._bases.pop()
        lines = self._sheets.end_table()
        cell = self._cells[-1] if self._cells else None
        if lines and cell is not None:
            for line in lines:
                cell.text.add(line, bold=self._bold > 0)
                cell.text.break_line()

    def _begin_cell(self, tag: str, attributes: Mapping[str, str], look: Look) -> None:
        self._need_table()
        self._end_cell()
        self._end_line()
        removed = look.removed is True
        placed = self._sheets.begin_cell(attributes, hides=self._conceals, removed=removed, heads=tag == "th")
        self._cells[-1] = _OpenCell(placed, attributes, look.number_format, self._hidden)

    def _end_cell(self) -> None:
        cell = self._cells[-1]
        if cell is not None:
            cell.finish(epoch_1904=self._epoch_1904)
            self._cells[-1] = None

    def _break(self, *, always: bool = False) -> None:
        """Breaks the line of the open cell, or the line outside of tables; an empty one there only where `always`."""
        cell = self._cells[-1] if self._cells else None
        if cell is not None:
            cell.text.break_line()
        elif always and not self._cells and self._line.is_blank:
            self._sheets.add_line(None)
        else:
            self._end_line()

    def _end_line(self) -> None:
        if not self._line.is_blank:
            self._sheets.add_line(one_line(self._line.value), bold=self._line.bold)
        if self._line.chars:
            self._line = CellText()
