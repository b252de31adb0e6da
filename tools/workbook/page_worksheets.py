"""What the XML in web pages says of the worksheets: their names, where they lie, which of them are hidden."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import unquote

from tools.workbook import refusal
from tools.workbook.gathered import GatheredBook, GatheredSheet

_TOKEN = re.compile(
    r"<(/?)(?:\w{1,20}:)?(ExcelWorksheet|Name|WorksheetSource|Visible|Date1904)\b([^<>]{0,1000})>"
    r"(?:<!\[CDATA\[)?([^<\]]{0,400})",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'/][^\s\"']*))", re.IGNORECASE)
_TEXTS = frozenset({"name", "visible"})
_MOST_TEXT_CHARS = 1_000
Places = tuple[str, ...]
"""The pieces of an address, the last one first."""


@dataclass(slots=True)
class Worksheet:
    """A worksheet that a page says there is; "" for a name or an address that it does not say.

    `found` is whether a table stands in the element that its address names.
    """

    name: str = ""
    address: str = ""
    hidden: bool = False
    found: bool = False


@dataclass(slots=True)
class MadeSheet:
    """A sheet made of a page's table: the worksheet in whose element it stands, and its rows of lines above it.

    `joined` is whether it goes on with a second table.
    """

    sheet: GatheredSheet
    owner: Worksheet | None = None
    lines: int = 0
    joined: bool = False


class PageWorksheets:
    """The worksheets that a page lists, in a comment or in elements of its own; `by_id` those in elements of the page.

    `hides_some` is whether one of the list is hidden, `hides_page` whether the page says that it is one itself.
    """

    def __init__(self, book: GatheredBook) -> None:
        self.listed: list[Worksheet] = []
        self.by_id: dict[str, Worksheet] = {}
        self.hides_page = self.hides_some = self.epoch_1904 = False
        self._book = book
        self._open: Worksheet | None = None
        self._text: list[str] | None = None

    def read(self, comment: str) -> None:
        """Takes in the XML in a comment, if there is any."""
        for found in _TOKEN.finditer(comment):
            name = found[2].lower()
            if not found[1]:
                address = _ADDRESS.search(found[3]) if name == "worksheetsource" else None
                self.start(name, {"href": html.unescape(next(filter(None, address.groups()), ""))} if address else {})
                self.data(html.unescape(found[4]))
            if found[1] or name in _TEXTS:
                self.end(name)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in the start of an element, whatever its prefix; raises InputError for too many worksheets."""
        name = tag.rpartition(":")[2]
        self._text = [] if name in _TEXTS else None
        if name == "excelworksheet":
            self._open = Worksheet()
            self.listed.append(self._open)
            if len(self.listed) > self._book.limits.sheets:
                raise refusal.unsafe(self._book.filename, f"names more than {self._book.limits.sheets:,} sheets")
        elif name == "worksheetsource" and self._open is not None and not self._open.address:
            self._open.address = attributes.get("href", "").strip().rstrip("/")
            place, mark, element = self._open.address.partition("#")
            if mark and not place:
                self.by_id.setdefault(unquote(element).casefold(), self._open)
        elif name == "date1904":
            self.epoch_1904 = True

    def data(self, text: str) -> None:
        """Takes in text."""
        if self._text is not None and len(self._text) < _MOST_TEXT_CHARS:
            self._text.append(text[:_MOST_TEXT_CHARS])

    def end(self, tag: str) -> None:
        """Takes in the end of an element."""
        name, text, self._text = tag.rpartition(":")[2], self._text, None
        if name == "excelworksheet":
            self._open = None
        elif text is not None and name == "name" and self._open is not None and not self._open.name:
            self._open.name = " ".join("".join(text).split())
        elif text is not None and name == "visible" and says_hidden("".join(text)):
            if self._open is None:
                self.hides_page = True
            else:
                self._open.hidden = self.hides_some = True


def says_hidden(word: str) -> bool:
    """Whether what stands in an element `Visible` hides a worksheet, from the user or from macros alone."""
    return "hidden" in word.casefold()


def places_of(address: str) -> Places:
    """The pieces of an address as they are compared; none for one within the page."""
    plain = unquote(re.sub(r"\s+", "", address)).casefold().partition("#")[0].partition("?")[0]
    return tuple(piece for piece in reversed(re.split(r"[/\\]", plain)) if piece not in ("", ".", ".."))


def settle(made: Sequence[MadeSheet], listed: Sequence[Worksheet], taken: set[str], *, alone: bool) -> None:
    """Names the sheets of a page by the worksheets that it is said to hold, and hides those that are hidden.

    A table that stands in no worksheet's element is the worksheet at its place in the order. That is sure where there
    are as many; if there are not and one of them is hidden, each may be that one and all are hidden. `taken` are the
    names that others have, in small letters; a sheet that is `alone` needs none.
    """
    free, rest = [each for each in made if each.owner is None], [one for one in listed if not one.found]
    if any(one.hidden for one in rest):
        sure = len(free) == len(rest) and not any(each.joined for each in free)
        for at, each in enumerate(free):
            each.sheet.visible &= sure and not rest[at].hidden
    for before, each in pairwise(made):
        if before.owner is None and not before.sheet.visible:
            # The lines between the two may be notes to the hidden one.
            each.sheet.scan.hidden_rows.update(range(1, each.lines + 1))
    names = [one.name for one in rest if one.name]
    for at, each in enumerate(made):
        number = sum(other.owner is each.owner for other in made[:at])
        if each.owner is not None:
            each.sheet.name = _free_name(_name(number, [each.owner.name or "Table"], len(taken)), taken)
        elif names or not alone or len(made) > 1:
            each.sheet.name = _free_name(_name(number, names, len(taken)), taken)


def _name(number: int, names: Sequence[str], others: int) -> str:
    """The name of sheet `number` of a page; `others` have one."""
    if number < len(names):
        return names[number]
    return f"{names[-1]} ({number - len(names) + 2})" if names else f"Table {others + 1}"


def _free_name(name: str, taken: set[str]) -> str:
    """`name`, or the like that nobody has yet; it is taken then."""
    while name.casefold() in taken:
        name += "'"
    taken.add(name.casefold())
    return name
