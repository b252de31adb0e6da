"""Web archives as mail programs, browsers and programs of one's own write them."""

from __future__ import annotations

import base64

import pytest

from schemas.errors import InputError
from tests.hostile.markup_books import MARK, archive, page, plain_table, saved_archive, sheet_names
from tools.workbook.grid import Sheet
from tools.workbook.open import open_workbook

TABLE = plain_table([["Property", "City"], ["Elm Court", "Köln"]])
ROWS = [["Property", "City"], ["Elm Court", "Köln"]]


def sheets(data: bytes) -> list[Sheet]:
    """The sheets of a web archive."""
    found = open_workbook(data, "deals.mht")
    assert found.source.format == "mht"
    return found.sheets


def refused(data: bytes) -> str:
    """The code of the refusal."""
    with pytest.raises(InputError) as caught:
        open_workbook(data, "deals.mht")
    return caught.value.code


def several(kind: str, *parts: bytes, mark: str = "outer", head: bytes = b"MIME-Version: 1.0\r\n") -> bytes:
    """What holds `parts`, each with its headers."""
    body = b"".join(b"--" + mark.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    said = f'Content-Type: multipart/{kind};\r\n\tboundary="{mark}"\r\n\r\nnot shown\r\n'.encode()
    return head + said + body + f"--{mark}--\r\n".encode()


def html(text: bytes, charset: str = "utf-8") -> bytes:
    """A part that is a page."""
    return f"Content-Type: text/html; charset={charset}\r\n\r\n".encode() + text


@pytest.mark.parametrize("outer", ["mixed", "related", "alternative"])
def test_parts_within_parts_are_read(outer: str) -> None:
    """As mail programs put what belongs together into one part; their marks may begin alike."""
    inner = saved_archive([("Comps", TABLE), ("More", TABLE)]).partition(b"\r\n")[2]
    data = several(outer, b"Content-Type: text/plain\r\n\r\nSee below.", inner, mark="----=_NextPart")
    assert [(sheet.name, sheet.rows) for sheet in sheets(data)] == [("Comps", ROWS), ("More", ROWS)]
    deep = several("mixed", several("related", data.partition(b"\r\n")[2], mark="b", head=b""), mark="a")
    assert [sheet.name for sheet in sheets(deep)] == ["Comps", "More"]


def test_of_the_forms_of_one_message_the_last_is_read() -> None:
    """Else its deals would count twice."""
    related = several("related", html(page(TABLE)), mark="inner", head=b"")
    data = several("alternative", b"\r\n\r\nplain", html(page(TABLE)), related)
    assert [sheet.rows for sheet in sheets(data)] == [ROWS]


def test_parts_nested_too_deep_are_refused() -> None:
    """No archive needs more than some."""
    data = several("mixed", html(page(TABLE)))
    for number in range(20):
        data = several("mixed", data, mark=f"m{number}")
    assert refused(data) == "file.unsafe"


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b"\r\n\r\n", b"\xef\xbb\xbf\n", b"  \n"])
def test_what_stands_in_front_of_the_headers_is_passed_over(start: bytes) -> None:
    """A byte order mark, blank lines."""
    data = saved_archive([("Comps", TABLE), ("More", TABLE)])
    assert [(sheet.name, sheet.rows) for sheet in sheets(start + data)] == [("Comps", ROWS), ("More", ROWS)]


@pytest.mark.parametrize(
    ("said", "meta", "encoding"),
    [
        ("windows-1251", "", "cp1251"),
        ('"windows-1251"', "", "cp1251"),
        ("'utf-8'", "", "utf-8"),
        ("us-ascii", "windows-1251", "cp1251"),
        ("windows-1251", "utf-8", "cp1251"),
        ("windows-1252", "utf-8", "utf-8"),
        ("utf-8", "windows-1252", "utf-8"),
        ("utf-8", "windows-1251", "cp1251"),
        ("windows-1251", "iso-8859-1", "cp1251"),
    ],
)
def test_the_encoding_of_a_page_is_what_the_headers_of_its_part_say(said: str, meta: str, encoding: str) -> None:
    """Before what it says itself; what can be UTF-8 and is called so is that."""
    head = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">' if meta else ""
    body = f"<html><head>{head}</head><table><tr><td>City<td>Price<tr><td>Москва<td>1</table></html>".encode(encoding)
    assert sheets(several("related", html(body, said)))[0].value(2, 0) == "Москва"


def test_the_page_that_names_the_sheets_may_come_last() -> None:
    """And in between."""
    names = sheet_names(("Comps", "d/a.htm"), ("More", "d/b.htm"))
    pages = [("d/a.htm", "text/html", page(TABLE)), ("d/b.htm", "text/html", page(TABLE))]
    for at in (0, 1, 2):
        parts = [*pages[:at], ("deals.htm", "text/html", page("", names)), *pages[at:]]
        assert [sheet.name for sheet in sheets(archive(*parts))] == ["Comps", "More"]


def test_sheets_of_which_no_page_says_the_name_are_told_apart() -> None:
    """Cells are cited by the name of their sheet."""
    pages = [("a.htm", "text/html", page(TABLE)), ("b.htm", "text/html", page(TABLE))]
    assert [sheet.name for sheet in sheets(archive(*pages))] == ["Table 1", "Table 2"]


def test_an_archive_whose_last_mark_is_missing_is_read() -> None:
    """Or is there in part: all of its pages are whole."""
    data = archive(*[(f"{name}.htm", "text/html", page(TABLE)) for name in "ab"])
    end = f"\r\n--{MARK}--\r\n".encode()
    assert data.endswith(end)
    for cut in range(len(end) + 1):
        assert [sheet.rows for sheet in sheets(data[: len(data) - cut])] == [ROWS, ROWS]


def test_an_archive_that_breaks_off_in_a_page_is_refused() -> None:
    """In its table, its head, its coding, or before a page that is listed."""
    data = saved_archive([("Comps", page(TABLE).decode()), ("More", page(TABLE).decode())])
    second = data.rindex(b"<html")
    for end in (data.rindex(b"</table"), data.rindex(b"</head"), second + 30, second, data.rindex(b"Content-Location")):
        assert refused(data[:end]) == "file.truncated"
    coded = b"Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(page(TABLE))
    whole = several("related", html(page(TABLE)), coded)
    assert len(sheets(whole)) == 2
    for cut in (10, 11, 12, 40, 200):
        at = whole.rindex(b"\r\n--outer")
        assert refused(whole[: at - cut]) == "file.truncated"
