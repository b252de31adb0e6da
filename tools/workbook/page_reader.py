"""What the elements of a web page mean, one after the other: tables, the lines around them, what is hidden."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tools.workbook import refusal
from tools.workbook.css_hiding import INHERITED, NO_WAYS, NOT_IN_LINES, NOT_IN_TABLES, Ways
from tools.workbook.css_selectors import names_of
from tools.workbook.css_trail import Trail
from tools.workbook.gathered import GatheredBook
from tools.workbook.grid import CellStyle
from tools.workbook.html_forms import Choice, typed_in
from tools.workbook.html_styles import NOTHING, REMOVED, Look, Rules
from tools.workbook.html_table import PageCell
from tools.workbook.html_values import CellText, cell_value, one_line
from tools.workbook.page_sheets import PageSheets
from tools.workbook.page_worksheets import PageWorksheets, Worksheet, settle

_UNREAD = frozenset(
    {
        *("script", "style", "title", "template", "xml", "object", "svg", "noframes", "iframe", "noscript", "noembed"),
        *("audio", "video", "canvas", "annotation", "annotation-xml", "excelworkbook", "worksheetoptions"),
    }
)
"""Elements whose text is not shown, whatever their prefix."""
_BOLD = frozenset({"b", "strong", "th"})
_STRUCK = frozenset({"s", "del", "strike"})
_NOTE_MARK = re.compile(r"\s*[(\[]?(?:\d{1,2}|[a-z]|[*†‡§#]{1,3})[)\]]?\s*", re.IGNORECASE)
_CELLS = frozenset({"td", "th"})
_NOT_CHOSEN = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "table", "select", "input", "textarea"})
"""What no list of choices can hold: it ends where one of these begins."""
_BLOCKS = frozenset(
    {
        *("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "caption"),
        *("center", "form", "section", "article", "header", "footer", "blockquote", "address", "fieldset", "table"),
        *("details", "summary", "dialog", "main", "nav", "aside", "figure", "figcaption"),
    }
)
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "col", "colgroup", "caption"})
_GONE = frozenset({"datalist", "rp", "dialog"})
_ODD = _GONE | {"details", "summary"}
_LOOKS = frozenset({"style", "class", "id", "hidden", "popover"})
_NO_ATTRIBUTES: dict[str, str] = {}
_NO_NAMES: set[str] = set()
_MOST_DEEP = 1_000
_MOST_TAGS, _TAGS_PER_CELL = 300_000, 50


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

    `worksheets` are those that the page says there are. `rules` may know of style sheets in other files.
    """

    def __init__(self, book: GatheredBook, rules: Rules) -> None:
        self.book, self.rules = book, rules
        self.worksheets = PageWorksheets(book)
        self._owners: list[tuple[int, Worksheet]] = []
        self._sheets = PageSheets(book)
        self._open: list[tuple[str, int, int, bool, bool]] = []
        self._trail = Trail(book.filename)
        self._unread = self._hidden = self._unseen = self._bold = self._tags = self._raised = 0
        self._faint: Ways = NO_WAYS
        self._fainter: list[tuple[int, Ways]] = []
        self._folded: list[int] = []
        self._line = CellText()
        self._choice: Choice | None = None
        self._cells: list[_OpenCell | None] = []
        self._bases: list[int] = []

    @property
    def made(self) -> bool:
        """Whether there is a sheet on the page."""
        return bool(self._sheets.made)

    def settle(self, listed: Sequence[Worksheet], taken: set[str], *, alone: bool, hidden: bool = False) -> None:
        """Names and hides the page's sheets, which are the worksheets `listed`, as `page_worksheets.settle` does.

        All are `hidden` if the page is, or where it says so itself.
        """
        settle(self._sheets.made, listed, taken, alone=alone)
        for each in self._sheets.made if hidden or self.worksheets.hides_page else ():
            each.sheet.visible = False

    @property
    def _conceals(self) -> bool:
        """Whether an open element hides what stands in the innermost table, itself hidden or not."""
        return self._hidden > self._bases[-1]

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in the start of an element."""
        self._count()
        attributes = dict(attributes) if attributes else _NO_ATTRIBUTES
        look = self._enter(tag, attributes)
        if self._unread:
            self.worksheets.start(tag, attributes)
        elif self._choice is not None and tag not in _NOT_CHOSEN:
            self._choice.start(tag, attributes)
        elif tag in _CELLS:
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

    def _enter(self, tag: str, attributes: Mapping[str, str]) -> Look:
        """Takes in that an element is open now, and what that hides; how it looks."""
        look, rules = NOTHING, self.rules
        says = tag in rules.tags or not _LOOKS.isdisjoint(attributes) or rules.asks
        names = names_of(tag, attributes) if says or rules.looks_around else _NO_NAMES
        if rules.looks_around and tag == "tr":
            self._trail.begin_row()
        if rules.asks:
            self._trail.answer(rules.asks.values(), tag, names, attributes)
        if says:
            look = rules.look(names, attributes, self._trail)
        odd = tag in _ODD
        if (odd and tag in _GONE and not (tag == "dialog" and "open" in attributes)) or (
            says and "popover" in attributes
        ):
            look = REMOVED
        if self.worksheets.by_id and "id" in attributes and self._enter_worksheet(attributes["id"]):
            look = REMOVED
        if self._choice is not None and tag in _NOT_CHOSEN:
            self._end_choice()
        bold = tag in _BOLD or look.bold is True
        # What is seen inside of what is not is shown, unless that is left out of the page altogether.
        unseen = -self._unseen if look.unseen is False else int(look.unseen is True)
        hides = unseen + (look.removed is True or tag in _STRUCK)
        if look.veils or (look.bares and self._faint):
            hides += self._veil(tag, look)
        if odd:
            hides += self._fold(tag, attributes)
        unread = tag in _UNREAD or (":" in tag and tag.rpartition(":")[2] in _UNREAD)
        if rules.looks_around:
            self._trail.push(names)
        self._open.append((tag, hides, unseen, bold, unread))
        self._hidden += hides
        self._unseen += unseen
        self._bold += bold
        self._unread += unread
        return look

    def _veil(self, tag: str, look: Look) -> int:
        """Takes in what hides an element in its place; by how much more is hidden then.

        What letters alone are hidden by leaves cells and tables where they are, and what they say out.
        """
        ways = look.veils
        if tag in _TABLE_PARTS:
            ways -= NOT_IN_TABLES
        elif tag not in _BLOCKS:
            ways -= NOT_IN_LINES
        before, faint = self._faint, (self._faint - look.bares) | (ways & INHERITED)
        if faint != before:
            self._fainter.append((len(self._open) + 1, before))
            self._faint = faint
        return bool(ways - INHERITED)

    def _fold(self, tag: str, attributes: Mapping[str, str]) -> int:
        """By how much more is hidden in details that are folded, or less in the first summary of such ones."""
        if tag == "details":
            if "open" not in attributes:
                self._folded.append(len(self._open) + 1)
                return 1
        elif tag == "summary" and self._folded and self._folded[-1] == len(self._open):
            self._folded.pop()
            return -1
        return 0

    def _take(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in an element that means something by itself."""
        if tag == "sup":
            self._begin_raised()
        elif tag == "br":
            self._break(always=True)
        elif tag in ("col", "colgroup") and self._cells:
            among = tag == "col" and len(self._open) > 1 and self._open[-2][0] == "colgroup"
            self._sheets.tables[-1].take_col(attributes, hides=self._conceals, group=tag == "colgroup", among=among)
        elif tag == "input":
            self.data(typed_in(attributes))
        elif tag == "select":
            self._choice = Choice(attributes, self._hidden)

    def end(self, tag: str) -> None:
        """Takes in the end of an element."""
        if not self._open:
            return
        was_unread = self._unread
        self._leave()
        if was_unread:
            self.worksheets.end(tag)
        elif self._choice is not None:
            self._choice.end(tag)
            if tag == "select":
                self._end_choice()
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

    def _leave(self) -> None:
        """Takes in that the innermost element is open no more, and what is not hidden by that."""
        _, hides, unseen, bold, unread = self._open.pop()
        if self.rules.looks_around:
            self._trail.pop()
        if self._owners and len(self._open) < self._owners[-1][0]:
            self._owners.pop()
        if self._fainter and len(self._open) < self._fainter[-1][0]:
            self._faint = self._fainter.pop()[1]
        if self._folded and len(self._open) < self._folded[-1]:
            self._folded.pop()
        if len(self._open) < self._raised:
            self._raised = 0
        self._unseen -= unseen
        self._hidden -= hides
        self._bold -= bold
        self._unread -= unread

    def data(self, text: str) -> None:
        """Takes in text."""
        if self._unread:
            self.worksheets.data(text)
            return
        if self._faint:
            return
        if self._choice is not None:
            self._choice.add(text)
            return
        cell = self._cells[-1] if self._cells else None
        if cell is not None:
            if self._hidden <= cell.hidden and not (self._raised and _NOTE_MARK.fullmatch(text)):
                cell.text.add(text, bold=self._bold > 0)
        elif not self._hidden:
            self._line.add(text, bold=self._bold > 0)

    def comment(self, text: str) -> None:
        """Takes in a comment: spreadsheet programs write what they know of the sheets into some."""
        if text.startswith("[CDATA["):
            self.worksheets.data(text.removeprefix("[CDATA[").removesuffix("]]"))
        elif "<" in text:
            self.worksheets.read(text)

    def close(self) -> None:
        """Takes in the end of the page."""
        self._end_choice()
        while self._cells:
            self._end_table()
        self._end_line()
        self._sheets.finish()

    def _count(self) -> None:
        """Holds the page to as many elements as tables need; lxml tells of each, however empty."""
        self._tags += 1
        if len(self._open) > _MOST_DEEP:
            raise refusal.unsafe(self.book.filename, f"nests its elements more than {_MOST_DEEP:,} deep")
        if self._tags > _MOST_TAGS and self._tags > _MOST_TAGS + _TAGS_PER_CELL * self.book.cells:
            raise refusal.unsafe(self.book.filename, "holds far more markup than cells")

    def _end_choice(self) -> None:
        """Takes in what a list of choices shows, once that is known."""
        choice, self._choice = self._choice, None
        if choice is None:
            return
        hidden, self._hidden = self._hidden, choice.hidden
        for number, text in enumerate(choice.shown()):
            if number:
                self._break()
            self.data(text)
        self._hidden = hidden

    def _begin_raised(self) -> None:
        """Takes in that what follows is raised: behind a number or alone, the mark of a note and no digit of it."""
        cell = self._cells[-1] if self._cells else None
        if cell is not None and cell.text.takes_note:
            self._raised = len(self._open)

    def _enter_worksheet(self, element: str) -> bool:
        """Notes that an element is the one that a worksheet's address names; whether that worksheet is hidden."""
        worksheet = self.worksheets.by_id.get(element.strip().casefold())
        if worksheet is None:
            return False
        self._owners.append((len(self._open) + 1, worksheet))
        return worksheet.hidden

    def _need_table(self) -> None:
        """Begins a table for rows and cells that stand in none."""
        if not self._cells:
            self._begin_table(self._hidden - self._open[-1][1])

    def _begin_table(self, hidden: int) -> None:
        cell = self._cells[-1] if self._cells else None
        if cell is not None:
            # What the cell says so far stands above the inner table, unless its row is data.
            cell.finish(epoch_1904=self.worksheets.epoch_1904)
        owner = self._owners[-1][1] if self._owners else None
        if owner is not None:
            owner.found = True
        self._sheets.apart = self.worksheets.hides_some
        self._sheets.begin_table(owner, visible=not hidden)
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
            cell.finish(epoch_1904=self.worksheets.epoch_1904)
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
