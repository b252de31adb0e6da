"""Cells of xls and xlsb files in several fonts: raised marks and struck-out text are no part of a value."""

from __future__ import annotations

import contextlib
import struct

import pytest

from schemas.errors import InputError
from tests.hostile import binary_books as books
from tests.hostile.raw_zip import part
from tools.deals.extract import extract
from tools.workbook.open import open_workbook
from tools.workbook.rich_text import without_marks
from tools.workbook.xlsb_rich_text import plain_strings

PLAIN, RAISED, STRUCK, LOWERED = range(4)
FONTS = ((0, 0), (0, 1), (8, 0), (0, 2))
Runs = list[tuple[int, str]]
NAMES = tuple(enumerate(("Elm", "Oak", "Ash", "Fir"), 1))
TEXTS: list[tuple[Runs, str]] = [
    ([(PLAIN, "Plain")], "Plain"),
    ([(PLAIN, "1,200,000"), (RAISED, "1")], "1,200,000"),
    ([(STRUCK, "4,500,000"), (PLAIN, "4,000,000"), (RAISED, "(1)")], "4,000,000"),
    ([(PLAIN, "Area (m"), (RAISED, "2"), (PLAIN, ")")], "Area (m²)"),
    ([(PLAIN, "Elm"), (RAISED, "TM"), (PLAIN, " Court")], "ElmTM Court"),
    ([(PLAIN, "H"), (LOWERED, "2"), (PLAIN, "O")], "H2O"),
    ([(STRUCK, "Withdrawn")], "Withdrawn"),
    ([(PLAIN, "Łódź"), (RAISED, "a"), (PLAIN, " ∎")], "Łódź ∎"),
]


def numbered(runs: Runs) -> bytes:
    """Where the runs behind the first begin, and their fonts; the first one's where that is none of the cell's."""
    found, at = b"", 0
    for font, text in runs:
        # Fonts of xls files are counted without a fourth.
        found += struct.pack("<HH", at, font) if at or font else b""
        at += len(text.encode("utf-16-le")) // 2
    return found


def of_xlsb(*texts: Runs, width: int = 1) -> bytes:
    """A file that holds the texts, `width` of them a row, in the fonts of FONTS."""
    fonts = [
        books.record12(43, struct.pack("<HHHH", 200, flags, 400, up) + bytes(13) + books.wide("A"))
        for flags, up in FONTS
    ]
    items = [
        books.record12(19, bytes([bool(numbered(runs))]) + books.wide("".join(text for _, text in runs)) + _runs(runs))
        for runs in texts
    ]
    shared = books.record12(159, struct.pack("<II", len(items), len(items))) + b"".join(items) + books.record12(160)
    rows = b"".join(
        books.xlsb_row(at // width, [books.record12(7, struct.pack("<III", n, 0, at + n)) for n in range(width)])
        for at in range(0, len(texts), width)
    )
    format_ = books.record12(617, struct.pack("<I", 1)) + books.record12(47, bytes(16)) + books.record12(618)
    formats = books.record12(615, bytes(4)) + books.record12(616)
    styles = books.record12(278) + formats + b"".join(fonts) + format_ + books.record12(279)
    return books.xlsb(rows, more=[part("xl/styles.bin", styles), part("xl/sharedStrings.bin", shared)])


def _runs(runs: Runs) -> bytes:
    found = numbered(runs)
    return struct.pack("<I", len(found) // 4) + found if found else b""


def of_xls(*texts: Runs, width: int = 1, cut: int | None = None, widen: bool = False) -> bytes:
    """A file that holds the texts, `width` of them a row; the last goes on in another record behind `cut` letters.

    They take two bytes each there where `widen` says so.
    """
    fonts = [
        books.biff(0x31, struct.pack("<HHHHHBBBBBB", 200, *(flags, 8, 400, up), 0, 0, 0, 0, 0, 0))
        for flags, up in FONTS
    ]
    items = b"".join(_xls_item(runs, None, widen=False) for runs in texts[:-1])
    last = _xls_item(texts[-1], cut, widen=widen)
    head, _, more = last.partition(b"<cut>")
    shared = books.biff(0xFC, struct.pack("<II", len(texts), len(texts)) + items + head)
    over = [*fonts, shared, *([books.biff(0x3C, more)] if cut is not None else [])]
    return books.xls(
        [books.biff(0xFD, struct.pack("<HHHI", at // width, at % width, 0, at)) for at in range(len(texts))], over
    )


def _xls_item(runs: Runs, cut: int | None, *, widen: bool) -> bytes:
    text, found = "".join(text for _, text in runs), numbered(runs)
    coding = "latin-1" if all(letter < "\u0100" for letter in text) else "utf-16-le"
    flags = (coding == "utf-16-le") | (8 if found else 0)
    head = struct.pack("<HB", len(text), flags) + (struct.pack("<H", len(found) // 4) if found else b"")
    if cut is None:
        return head + text.encode(coding) + found
    rest = bytes([widen]) + text[cut:].encode("utf-16-le" if widen else coding)
    return head + text[:cut].encode(coding) + b"<cut>" + rest + found


@pytest.mark.parametrize("make", [of_xls, of_xlsb])
def test_raised_marks_and_struck_out_text_are_left_out(make: object) -> None:
    """Where something else is left; a raised 2 behind a unit is a power, other raised letters stay."""
    assert callable(make)
    sheet = open_workbook(make(*(runs for runs, _ in TEXTS)), "x.dat").sheets[0]
    assert [str(line[0]).rstrip() for line in sheet.rows] == [value for _, value in TEXTS]


@pytest.mark.parametrize("widen", [False, True])
@pytest.mark.parametrize("cut", range(12))
def test_a_text_of_an_xls_file_may_go_on_in_another_record(cut: int, widen: bool) -> None:
    """Wherever it is cut, and however wide its letters are from there on."""
    runs = [(PLAIN, "9,000,000"), (RAISED, "(2)")]
    sheet = open_workbook(of_xls(TEXTS[1][0], runs, cut=cut, widen=widen), "x.xls").sheets[0]
    assert [str(line[0]).rstrip() for line in sheet.rows] == ["1,200,000", "9,000,000"]


@pytest.mark.parametrize("make", [of_xls, of_xlsb])
def test_deals_have_no_marks_in_their_names_and_prices(make: object) -> None:
    """Nor blanks where the marks were."""
    assert callable(make)
    lines = [
        ["Property", "City", "Asking Price"],
        *([f"{name} Court", "Dallas", f"{at},250,000"] for at, name in NAMES),
    ]
    texts = [[(PLAIN, text), *([(RAISED, "2")] if row and column != 1 else [])]
             for row, line in enumerate(lines) for column, text in enumerate(line)]  # fmt: skip
    deals = list(extract(make(*texts, width=3), "x.dat").deals())
    assert [deal.fields["deal_name"].value for deal in deals] == [f"{name} Court" for _, name in NAMES]
    assert [int(deal.fields["asking_price"].value) for deal in deals] == [at * 1_000_000 + 250_000 for at, _ in NAMES]


def test_broken_texts_end_the_search_and_spoil_nothing() -> None:
    """Whatever byte of the texts lies, and wherever they end."""
    whole = of_xls(*(runs for runs, _ in TEXTS[:3]))
    start = whole.index(b"4,500") - 40
    read: list[str] = []
    for at in range(start, start + 80):
        with contextlib.suppress(InputError):
            book = open_workbook(whole[:at] + b"\xff" + whole[at + 1 :], "x.xls")
            read.append(" ".join(str(value) for sheet in book.sheets for line in sheet.rows for value in line))
    assert sum(TEXTS[2][1] in text for text in read) > 40
    item = b"\1" + books.wide("4,0001") + struct.pack("<IHH", 1, 5, 1)
    part_ = books.record12(159, bytes(8)) + books.record12(19, item)
    for at in range(len(part_)):
        plain_strings(part_[:at] + b"\xff" + part_[at + 1 :], [(False, False), (True, True)])
        plain_strings(part_[:at], [(False, False), (True, True)])


def test_runs_that_go_back_begin_nothing() -> None:
    """Every letter is read once."""
    wide = "Elm Court".encode("utf-16-le")
    assert without_marks(wide, [(4, 1), (0, 0), (4, 0), (99, 1)], [(False, False), (False, True)]) is None
    assert without_marks(wide, [(3, 1), (3, 1), (0, 0)], [(False, False), (False, True)]) == "Elm"
