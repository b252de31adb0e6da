"""Reading a web archive, one file that holds a page for each sheet: what Excel saves as "single file web page"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.workbook import refusal
from tools.workbook.gathered import GatheredBook
from tools.workbook.grid import Sheet
from tools.workbook.html_styles import Rules
from tools.workbook.limits import Limits
from tools.workbook.mail_parts import PAGES, MailParts, Part
from tools.workbook.page_reader import PageReader
from tools.workbook.page_worksheets import Places, Worksheet, places_of
from tools.workbook.web_page import page_text, read_into, sheets_of

_TAB_STRIP = "tabstrip.htm"
"""What Excel calls the page in which it draws the tabs of the sheets."""
_LAST_CHARS = 1_000
_LISTED_PER_SHEET = 10


def read_archive(data: bytes, filename: str, limits: Limits) -> list[Sheet]:
    """The sheets of all pages, under the names of the page that lists them, wherever in the archive that stands.

    Raises InputError `file.html` where there is no table, `file.unsafe` beyond `limits`, and `file.truncated` where the
    archive breaks off in a page or before one that is listed.
    """
    book, rules = GatheredBook(filename, limits), Rules()
    mail = MailParts(data, filename, limits)
    parts = mail.parts()
    for part in parts:
        if part.kind == "text/css":
            rules.add(part.data.decode("latin-1"))
    read: list[tuple[Part, PageReader]] = []
    for part in _pages(parts):
        text = page_text(part.data, filename, part.charset)
        if part.is_open and _breaks_off(text):
            raise refusal.truncated(filename)
        read.append((part, PageReader(book, Rules(rules))))
        read_into(read[-1][1], text)
    missing = _settle(book, read)
    if missing and not mail.has_ended:
        raise refusal.truncated(filename)
    return sheets_of(book, rules)


def _pages(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts that are pages of their own."""
    pages = [part for part in parts if part.kind in PAGES]
    for part in pages:
        if len(pages) == 1 or not any(places[0] == _TAB_STRIP for places in part.places):
            yield part


def _breaks_off(text: str) -> bool:
    """Whether a page with which an archive breaks off is not whole itself."""
    return "<html" in text[:_LAST_CHARS].lower() and "</html" not in text[-_LAST_CHARS:].lower()


def _settle(book: GatheredBook, read: Sequence[tuple[Part, PageReader]]) -> bool:
    """Names and hides the sheets of all pages; whether one is listed in another part that is not there.

    Where that one is hidden, pages of which nobody says which worksheet they are may be it, and are hidden too.
    """
    listed = [(one, places_of(one.address)) for _, reader in read for one in reader.worksheets.listed]
    if len(listed) > _LISTED_PER_SHEET * book.limits.sheets:
        raise refusal.unsafe(book.filename, f"names more than {book.limits.sheets:,} sheets")
    found = [_at(part, listed) for part, _ in read]
    placed = {id(one) for worksheets in found for one in worksheets}
    lost = [one for _, reader in read if not reader.made for one in reader.worksheets.listed if id(one) not in placed]
    loses_hidden = any(one.hidden for one in lost)
    taken, alone = set[str](), len(book.sheets) == 1
    for (_, reader), worksheets in zip(read, found, strict=True):
        own = [one for one in reader.worksheets.listed if id(one) not in placed]
        if worksheets:
            hidden = any(one.hidden for one in (*worksheets, *own))
            reader.settle(worksheets[:1], taken, alone=False, hidden=hidden)
        else:
            reader.settle(own, taken, alone=alone, hidden=loses_hidden and not own)
    return any(one.address for one in lost)


def _at(part: Part, listed: Sequence[tuple[Worksheet, Places]]) -> list[Worksheet]:
    """The worksheets that are said to lie where `part` does: by as much of both addresses as there is, else by name."""
    same = [(one, at, own) for own in part.places for one, at in listed if at[:1] == own[:1]]
    exact = [one for one, at, own in same if all(a == b for a, b in zip(at, own, strict=False))]
    return exact or [one for one, _, _ in same]
