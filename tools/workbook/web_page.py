"""Reading the tables of a web page, which many programs write under the name of a workbook."""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator

from tools.workbook import refusal
from tools.workbook.css_media import media_hold
from tools.workbook.decoding import decoded, with_letters
from tools.workbook.gathered import GatheredBook
from tools.workbook.grid import Sheet
from tools.workbook.html_styles import Rules
from tools.workbook.limits import Limits
from tools.workbook.page_reader import PageReader
from tools.workbook.tag_bounds import LONGEST_TAG_BYTES
from tools.workbook.xml_events import NotXmlError, feed_html

_PIECE_CHARS = 1 << 16
_HEAD_BYTES = 4096
_MANY_ENDS = 100_000
_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,300}?\b(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)
_KNOWN = re.compile(r"utf-?8|iso-?8859-\d+|windows-\d+|cp-?\d+|koi8-\w|gb\w+|big5\S*|euc-\w+|shift[-_]jis|macintosh")
_ASIDE = re.compile(r"<!--|<(?:script|style)\b", re.IGNORECASE)
_STYLE_END = re.compile(r"</style", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
_NO_SIZE = re.compile(r"font(?:-size)?\s*:\s*\+?\.?0")
_VEILING = ("transparent", "rgba", "hsla", "text-indent")
_MEDIA = re.compile(r"""\bmedia\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TAG = re.compile(r"</?(?:[a-z!]|\Z)", re.IGNORECASE)
_WHOLE_TAG = re.compile(r"""<[A-Za-z](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+""")
_QUOTED = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')""")
_ROW_PARTS = ("<table", "<tr", "<td", "<th")
_CLOSERS = ("</table", "</body", "</html")
_LAST_CHARS = 1_000
_MOST_TAG_CHARS = 1_000
_MOST_COMMENT_CHARS = 4_000_000
_LATIN = frozenset({"iso-8859-1", "iso8859-1"})


def read_page(data: bytes, filename: str, limits: Limits) -> list[Sheet]:
    """A sheet for each table, and the lines of text above it in its first rows.

    Raises InputError `file.html` for a page without a table, and `file.unsafe` for tables beyond `limits`.
    """
    book = GatheredBook(filename, limits)
    reader = PageReader(book, Rules())
    read_into(reader, page_text(data, filename))
    listed = reader.worksheets.listed
    if not book.cells and any(each.address for each in listed):
        raise refusal.web_page(filename, "is a web page whose sheets lie in other files")
    reader.settle(listed, set(), alone=True)
    return sheets_of(book, reader.rules)


def sheets_of(book: GatheredBook, rules: Rules) -> list[Sheet]:
    """The sheets of pages that have been read under `rules`; raises InputError where no table was in them."""
    if not book.cells:
        raise refusal.web_page(book.filename, "is a web page (HTML) without a table, whatever its name says")
    sheets = book.finish()
    for sheet in sheets:
        sheet.undecided = tuple(rules.undecided)
    return sheets


def read_into(reader: PageReader, text: str) -> None:
    """Has `reader` read the page `text`: no address in it is opened, and no page can declare entities.

    Raises InputError `file.truncated` for a page that breaks off, `file.unsafe` for one beyond the limits.
    """
    if _breaks_off(text):
        raise refusal.truncated(reader.book.filename)
    ends = text.count("</")
    if ends > _MANY_ENDS and ends > text.count("<") - ends:
        # Each looks through all elements that are open for the one that it ends.
        raise refusal.unsafe(reader.book.filename, "ends more elements than it begins")
    _check_tags(text, reader.book.filename)
    for rules in _style_sheets(text, reader.book.filename):
        reader.rules.add(rules)
    if reader.rules.waits and _may_veil(text.lower()):
        reader.rules.unveil()
    pieces = (text[at : at + _PIECE_CHARS] for at in range(0, len(text), _PIECE_CHARS))
    try:
        feed_html(reader, pieces)
    except NotXmlError as error:
        raise refusal.truncated(reader.book.filename) from error


def _check_tags(text: str, filename: str) -> None:
    """Raises InputError for a tag of countless attributes, which a parser takes in as a whole.

    What is quoted may be long, as pictures that stand in a page itself are; a script may hold what looks like a tag.
    """
    for tag in _WHOLE_TAG.finditer(text) if len(text) > LONGEST_TAG_BYTES else ():
        size = tag.end() - tag.start()
        if size > LONGEST_TAG_BYTES:
            size -= sum(quoted.end() - quoted.start() for quoted in _QUOTED.finditer(text, tag.start(), tag.end()))
        if size > LONGEST_TAG_BYTES:
            before = text[: tag.start()].lower()
            if before.rfind("<script") <= before.rfind("</script"):
                raise refusal.unsafe(filename, f"holds a tag of more than {LONGEST_TAG_BYTES:,} letters")


def _may_veil(text: str) -> bool:
    """Whether a style in the page `text`, in small letters, may hide the letters of what is inside of its element."""
    return any(word in text for word in _VEILING) or _NO_SIZE.search(text) is not None


def _breaks_off(text: str) -> bool:
    """Whether a page ends in the middle of a tag, or of a table that neither it nor the page after it ends."""
    last = text.rfind("<")
    if last > text.rfind(">") and _TAG.match(text, last):
        return True
    end = text[-_LAST_CHARS:].lower()
    text = end if any(closer in end for closer in _CLOSERS) else text.lower()
    return (text is end or "<table" in text) and max(map(text.rfind, _ROW_PARTS)) > max(map(text.rfind, _CLOSERS))


def _style_sheets(text: str, filename: str) -> Iterator[str]:
    """The style sheets of a page, which count for what stands above them too; raises InputError for endless comments.

    A parser begins anew with a comment for each piece of a page in which it does not end.
    """
    at = 0
    while found := _ASIDE.search(text, at):
        if found[0] == "<!--":
            end = text.find("-->", found.end())
            at = len(text) if end < 0 else end + 3
            if at - found.start() > _MOST_COMMENT_CHARS:
                raise refusal.unsafe(filename, "holds a comment that does not end")
            continue
        styles = found[0].lower() == "<style"
        ending = (_STYLE_END if styles else _SCRIPT_END).search(text, found.end())
        at = ending.start() if ending else len(text)
        begin = text.find(">", found.end(), found.end() + _MOST_TAG_CHARS) + 1
        media = _MEDIA.search(text, found.end(), begin) if styles and begin else None
        if styles and begin and media_hold("" if media is None else media[1] or media[2] or media[3] or ""):
            yield text[begin:at]


def page_text(data: bytes, filename: str, charset: str = "") -> str:
    """The text of a page: by its byte order mark, by what is said of it or by itself, else as any text.

    `charset` is what the archive says in which it lies. What is said to be UTF-8 and can be that is.
    """
    marked = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    said = None if marked else _CHARSET.search(data[:_HEAD_BYTES])
    names = () if marked else (charset.lower(), said[1].decode("ascii", "replace").lower() if said else "")
    for name in sorted(filter(_KNOWN.fullmatch, names), key=lambda name: not name.startswith("utf")):
        # As browsers do: whoever says Latin 1 may mean the code page of Windows, which has quotes and a euro sign.
        with contextlib.suppress(LookupError, UnicodeDecodeError):
            return data.decode("cp1252" if name in _LATIN else name)
    return with_letters(decoded(data, filename)[0])
