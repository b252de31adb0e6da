"""Files that are not read: each kind with its code and one sentence that says what to do."""

from __future__ import annotations

import io
import time
import zipfile
import zlib

import pytest

from schemas.errors import InputError
from tests.tools.workbook.books import MAIN, deals, packed, parts, raw_sheet, rewritten, xlsx
from tools.workbook.limits import Limits
from tools.workbook.open import open_workbook

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SHEET = "xl/worksheets/sheet1.xml"


def refused(data: bytes, name: str = "comps.xlsx", limits: Limits | None = None) -> InputError:
    """The error that opening `data` raises."""
    with pytest.raises(InputError) as caught:
        open_workbook(data, name, limits or Limits())
    return caught.value


def ole(*streams: str, first_records: bytes = b"") -> bytes:
    """A compound file with a directory of `streams`; the first stream's contents begin with `first_records`."""
    header = bytearray(512)
    header[:8] = OLE
    header[30:32] = (9).to_bytes(2, "little")
    directory = bytearray(512)
    for at, name in enumerate(streams):
        text = name.encode("utf-16-le") + b"\0\0"
        directory[at * 128 : at * 128 + len(text)] = text
        directory[at * 128 + 64 : at * 128 + 66] = len(text).to_bytes(2, "little")
        directory[at * 128 + 116 : at * 128 + 120] = (1).to_bytes(4, "little")
    return bytes(header) + bytes(directory) + first_records.ljust(4096, b"\0")


def biff(*records: tuple[int, bytes]) -> bytes:
    """A BIFF8 stream: its beginning, then the records."""
    start = (0x809, bytes.fromhex("0006050000000000000000000000000000"))
    return b"".join(
        kind.to_bytes(2, "little") + len(body).to_bytes(2, "little") + body for kind, body in (start, *records)
    )


WORKBOOK = xlsx(("Deals", [["Deal", "Price"], *([row[0], row[2]] for row in deals(40))]))
CUT_OLD = ole()[:48] + (99).to_bytes(4, "little") + ole()[52:]  # its directory lay farther back
STRINGS = f'<sst xmlns="{MAIN}"><si><t>a</t></si></sst>'.encode()
WORD = packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"})

BAD_FILES = {
    "empty": (b"", "file.empty", "is empty (0 bytes)"),
    "blank": (b" \r\n\t ", "file.empty", "holds nothing"),
    "encrypted OOXML": (ole("EncryptedPackage", "EncryptionInfo"), "file.encrypted", "is password-protected"),
    "encrypted BIFF": (
        ole("Workbook", first_records=biff((0x2F, b"\0" * 6))),
        "file.encrypted",
        "is password-protected",
    ),
    "a Word document, old": (ole("WordDocument"), "file.not_workbook", "is a Word document"),
    "a Word document, new": (WORD, "file.not_workbook", "holds no workbook"),
    "a zip of a workbook": (packed({"comps.xlsx": WORKBOOK}), "file.not_workbook", "holds no workbook"),
    "cut in the middle": (WORKBOOK[: len(WORKBOOK) // 2], "file.truncated", "is cut short or damaged"),
    "cut at the end": (WORKBOOK[:-30], "file.truncated", "is cut short or damaged"),
    "an old workbook cut in the middle": (CUT_OLD, "file.truncated", "is cut short or damaged"),
    "a damaged part": (
        rewritten(WORKBOOK, "xl/workbook.xml", lambda x: x[:90]),
        "file.truncated",
        "is cut short or damaged",
    ),
    "a web page": (b"\n<html><table><tr><td>1</td></tr></table></html>", "file.html", "is a web page (HTML) without a"),
    "a web page with a mark": (b"\xef\xbb\xbf<!DOCTYPE html><p>x", "file.html", "is a web page"),
    "a symbolic link file": (b"ID;PWXL;N;E\nC;Y1;X1;K1\nE\n", "file.not_workbook", "is a SYLK file"),
    "a web archive": (b"MIME-Version: 1.0\nX-Document-Type: Workbook\n", "file.html", "is a web page (HTML) without a"),
    "another XML": (b'<?xml version="1.0"?><feed><entry/></feed>', "file.not_workbook", "is an XML file"),
    "a PDF": (b"%PDF-1.7 x", "file.not_workbook", "is a PDF"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(64)), "file.not_workbook", "is a picture"),
    "bytes of nothing known": (bytes(range(256)) * 20, "file.not_workbook", "is neither a workbook nor text"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_refused_with_one_sentence_that_says_what_to_do(kind: str) -> None:
    """The code names the kind; the sentence names the file, what is wrong and the remedy."""
    data, code, what = BAD_FILES[kind]
    error = refused(data, "comps.xls")
    assert error.code == code
    assert error.message.startswith("comps.xls ")
    assert what in error.message
    assert ";" in error.message
    assert error.message.endswith(".")
    assert "\n" not in error.message


def test_the_sentence_shows_a_hostile_file_name_harmlessly() -> None:
    """No control characters, no line breaks, no more than a line's length of it."""
    message = refused(b"", "a\x1b[31m\r\nb" + "x" * 500).message
    assert message.isprintable()
    assert len(message) < 250


def test_a_file_larger_than_allowed_is_refused_unread() -> None:
    """The size comes first, before any look at the contents."""
    assert refused(b"x" * 101, limits=Limits(file_bytes=100)).code == "file.too_large"


def bomb(size: int) -> bytes:
    """A workbook whose sheet unpacks to `size` blanks."""
    return raw_sheet(f'<worksheet xmlns="{MAIN}"><sheetData>{" " * size}</sheetData></worksheet>')


def test_what_unpacks_to_far_more_than_its_size_is_refused_at_once() -> None:
    """By ratio above a floor, and by its whole size, from what the package declares."""
    data = bomb(60_000_000)
    start = time.perf_counter()
    assert refused(data).code == "file.unsafe"
    assert refused(bomb(1_000_000), limits=Limits(inflated_bytes=900_000)).code == "file.unsafe"
    assert refused(WORKBOOK, limits=Limits(entries=3)).code == "file.unsafe"
    assert time.perf_counter() - start < 5


def test_a_part_that_unpacks_to_more_than_it_declares_is_refused() -> None:
    """The declared size is checked against the bytes that really come out."""
    content = parts(WORKBOOK)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in content.items():
            package.writestr(name, part)
    data, size = stream.getvalue(), len(content[SHEET])
    lie = data.replace(size.to_bytes(4, "little"), (size - 100).to_bytes(4, "little"))
    assert refused(lie).code == "file.unsafe"
    crc = zlib.crc32(content[SHEET]).to_bytes(4, "little")
    assert data.count(crc) == 2


@pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml"])
def test_entities_and_document_types_are_refused(part: str) -> None:
    """In any part that is read, before a parser sees it."""
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    content = {"xl/sharedStrings.xml": STRINGS} | parts(WORKBOOK)
    error = refused(packed(content | {part: laughs + content[part].rpartition(b"?>")[2]}))
    assert error.code == "file.unsafe"
    assert "entities" in error.message


def test_one_long_text_in_many_cells_is_refused() -> None:
    """A shared string is copied for each cell that shows it: sixty kilobytes become gigabytes.

    The strings are read from their usual place whether or not the workbook names it.
    """
    cells = "".join(f'<row r="{r}"><c r="A{r}" t="s"><v>0</v></c></row>' for r in range(1, 30_001))
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData></worksheet>'.encode()
    strings = f'<sst xmlns="{MAIN}"><si><t>{"x" * 100_000}</t></si></sst>'.encode()
    error = refused(packed(parts(WORKBOOK) | {SHEET: sheet, "xl/sharedStrings.xml": strings}))
    assert error.code == "file.unsafe"
    assert "repeats its texts" in error.message


def test_a_false_count_of_texts_is_refused_only_where_readers_make_room_for_it() -> None:
    """How many different texts there are costs memory before one is read; how often they are used does not."""
    text = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{text}</sheetData></worksheet>'.encode()
    content = parts(WORKBOOK) | {SHEET: sheet}
    used = STRINGS.replace(b"<sst", b'<sst count="8876876876876" uniqueCount="1"')
    assert open_workbook(packed(content | {"xl/sharedStrings.xml": used}), "x.xlsx").sheets[0].rows == [["a"]]
    different = STRINGS.replace(b"<sst", b'<sst count="1" uniqueCount="8876876876876"')
    assert refused(packed(content | {"xl/sharedStrings.xml": different})).code == "file.unsafe"


def test_two_sheets_of_one_name_are_refused() -> None:
    """A reader that looks sheets up by name would show one of them twice, and the other never."""
    data = xlsx(("Deals", [["a"]]), ("Deeds", [["b"]]))
    assert refused(rewritten(data, "xl/workbook.xml", lambda x: x.replace(b"Deeds", b"Deals"))).code == "file.truncated"


def test_an_external_link_is_never_followed() -> None:
    """A workbook whose sheet lies at an address outside has no such sheet."""
    inside, outside = b'Target="/xl/worksheets/sheet1.xml"', b'Target="http://192.0.2.1/s.xml" TargetMode="External"'
    data = rewritten(WORKBOOK, "xl/_rels/workbook.xml.rels", lambda x: x.replace(inside, outside))
    assert open_workbook(data, "x.xlsx").sheets == []
