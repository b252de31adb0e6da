"""xls, xlsb and ods files that say more than they hold."""

from __future__ import annotations

import struct

from tests.hostile import binary_books as books
from tests.hostile import ooxml
from tests.hostile.bomb import Bomb
from tests.hostile.markup_bombs import own_attributes
from tests.hostile.raw_zip import part, repeated
from tests.hostile.xml_bombs import DOCTYPE

_DAMAGED = ("file.truncated", "file.unsafe", "file.not_workbook", "file.too_complex", "file.encrypted")


def xls_dimensions(rows: int, columns: int) -> bytes:
    """An honest xls table whose sheet says that it is far larger."""
    return books.xls([books.biff(0x200, struct.pack("<IIHHH", 0, rows, 0, columns, 0)), *books.xls_deals()])


def xls_strings(count: int) -> bytes:
    """Shared strings of which there are said to be `count`."""
    table = books.biff(0xFC, struct.pack("<II", count, count) + struct.pack("<HB", 1, 0) + b"x")
    return books.xls(books.xls_deals(), [table])


def xls_long_string() -> bytes:
    """A shared string that says it is longer than the file."""
    table = books.biff(0xFC, struct.pack("<II", 1, 1) + struct.pack("<HBHI", 65_535, 0x0D, 65_535, 0xFFFFFFFF))
    return books.xls(books.xls_deals(), [table])


def xls_runs(count: int) -> bytes:
    """`count` records of 16,000 empty or equal cells each."""
    run = books.biff(0xBD, struct.pack("<HH", 1, 0) + struct.pack("<HI", 0, 2) * 1300 + struct.pack("<H", 1299))
    return books.xls([*books.xls_deals(), *([run] * count)])


def xls_far() -> bytes:
    """Cells in the first and the last corner of an xls sheet."""
    return books.xls([*books.xls_deals(), books.xls_number(65_535, 255, 1.0)])


def xls_beyond() -> bytes:
    """Cells in columns that no xls sheet has."""
    return books.xls([*books.xls_deals(), books.xls_number(65_535, 65_535, 1.0)])


def xls_loop() -> bytes:
    """A container whose chain of sectors never ends."""
    data = bytearray(books.xls(books.xls_deals()))
    data[512 + 8 : 512 + 12] = (2).to_bytes(4, "little")
    return bytes(data)


def xls_cut(at: int) -> bytes:
    """An xls file that breaks off."""
    return books.xls(books.xls_deals())[:at]


def xlsb_far(row: int, column: int) -> bytes:
    """An honest xlsb table, and a cell far away."""
    return books.xlsb(books.xlsb_deals() + books.xlsb_row(row, [books.xlsb_number(column, 1.0)]))


def xlsb_elsewhere() -> bytes:
    """The same in a part whose name is no sheet's."""
    rows = books.xlsb_deals() + books.xlsb_row(1_048_575, [books.xlsb_number(16_383, 1.0)])
    return books.xlsb(rows, place="xl/pictures/one.png")


def xlsb_strings(count: int) -> bytes:
    """An xlsb table whose shared strings are said to be `count`."""
    table = books.record12(159, struct.pack("<II", count, count)) + books.record12(19, b"\0" + books.wide("x"))
    return books.xlsb(books.xlsb_deals(), more=[part("xl/sharedStrings.bin", table + books.record12(160))])


def xlsb_long_text() -> bytes:
    """A cell whose text says that it is four billion letters long."""
    cell = books.record12(6, struct.pack("<III", 4, 0, 0xFFFFFFFF) + b"x\0")
    return books.xlsb(books.xlsb_deals() + books.xlsb_row(3, [cell]))


def xlsb_rows(count: int) -> bytes:
    """An xlsb sheet of `count` rows of one cell."""
    return books.xlsb(b"".join(books.xlsb_row(n, [books.xlsb_number(0, n)]) for n in range(count)))


def xlsb_columns(count: int) -> bytes:
    """An honest xlsb table before which all columns of a sheet are hidden `count` times."""
    hides = books.record12(60, struct.pack("<IIIIHB", 9, 16_383, 256, 0, 1, 0))
    return books.xlsb(books.xlsb_deals(), around=(hides * count, b""))


def ods_repeats(rows: object, columns: int, value: object) -> bytes:
    """An honest ods table above a cell that repeats."""
    return books.ods(books.ods_deals() + books.ods_row(books.ods_cell(value, columns), rows))


def ods_same_deal(count: int) -> bytes:
    """An honest ods table above a row of its kind that stands for `count`."""
    return books.ods(books.ods_deals() + books.ods_row("".join(map(books.ods_cell, ooxml.DEALS[-1])), count))


def ods_padded(megabytes: int) -> bytes:
    """An ods file whose content is blanks."""
    head, tail = books.ODS_HEAD.format(doctype="").encode(), books.ODS_TAIL.encode()
    return books.ods(repeated("content.xml", head, b" " * 1000, megabytes * 1000, tail))


def ods_stuffed(mark: str, filling: str, *, styles: bool = False) -> bytes:
    """An ods file with 45 MB of `filling` for "~" in `mark`, attributes of its table or of a style in its own part."""
    (head, tail), size = mark.split("~"), 45_000_000 if len(mark) < 10 else 1000
    deals = f'<table:table table:name="S"{{}}>{books.ods_deals()}</table:table>'
    before, after = (books.ODS_HEAD.format(doctype="") + deals + books.ODS_TAIL).split("{}")
    name = "styles.xml" if styles else "content.xml"
    stuffed = repeated(name, (before + head).encode(), filling.encode(), size // len(filling), (tail + after).encode())
    return books.ods(books.ods_deals(), more=[stuffed]) if styles else books.ods(stuffed)


def ods_laughs() -> bytes:
    """A billion laughs in an ods file."""
    return books.ods(books.ods_row(books.ods_cell("&l9;")), doctype=DOCTYPE)


def ods_deep(depth: int) -> bytes:
    """Groups of rows in groups of rows."""
    return books.ods("<table:table-row-group>" * depth + books.ods_deals() + "</table:table-row-group>" * depth)


def ods_blanks(count: int, repeat: int = 1) -> bytes:
    """A cell with a run of `count` blanks, `repeat` times over."""
    return books.ods(books.ods_deals() + books.ods_row(books.ods_cell(f'A<text:s text:c="{count}"/>B', repeat)))


def ods_chain(count: int) -> bytes:
    """An honest ods table behind `count` styles, each the parent of the one before."""
    style = '<s:style s:name="a{}" s:parent-style-name="a{}" s:family="table-cell"/>'
    listed = "".join(style.format(number, number + 1) for number in range(count))
    space = 'xmlns:s="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    office = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    styles = (
        f"<office:document-styles {office} {space}><office:styles>{listed}</office:styles></office:document-styles>"
    )
    return books.ods(books.ods_deals(), more=[part("styles.xml", styles)])


BOMBS = tuple(
    Bomb(name, make, filename, deals, _DAMAGED, long)
    for name, make, filename, deals, long in (
        ("xls, honest", lambda: books.xls(books.xls_deals()), "deals.xls", 2, False),
        ("xls of false size", lambda: xls_dimensions(0xFFFFFFFF, 0xFFFF), "deals.xls", None, False),
        ("xls, four billion strings", lambda: xls_strings(0xFFFFFFFF), "deals.xls", 2, False),
        ("xls, two billion strings", lambda: xls_strings(0x7FFFFFFF), "deals.xls", 2, False),
        ("xls, a string without end", xls_long_string, "deals.xls", None, False),
        ("xls, a million equal cells", lambda: xls_runs(800), "deals.xls", 2, False),
        ("xls, a cell far away", xls_far, "deals.xls", None, False),
        ("xls, a cell beyond the last column", xls_beyond, "deals.xls", None, False),
        ("xls, a chain without end", xls_loop, "deals.xls", None, False),
        ("xls, 600 sheets", lambda: books.xls(books.xls_deals(), sheets=600), "deals.xls", None, False),
        *((f"xls, cut at {at}", lambda at=at: xls_cut(at), "deals.xls", None, False) for at in (600, 1100, 1600, 2100)),
        ("xlsb, honest", lambda: books.xlsb(books.xlsb_deals()), "deals.xlsb", 2, False),
        (
            "xlsb of false size",
            lambda: books.xlsb(books.xlsb_deals(), size=(0xFFFFFFFF, 0xFFFFFFFF)),
            "deals.xlsb",
            2,
            False,
        ),
        (
            "xlsb of whole size",
            lambda: books.xlsb(books.xlsb_deals(), size=(1_048_575, 16_383)),
            "deals.xlsb",
            2,
            False,
        ),
        ("xlsb, a cell far away", lambda: xlsb_far(1_048_575, 16_383), "deals.xlsb", None, False),
        ("xlsb, a cell beyond the sheet", lambda: xlsb_far(0xFFFFFFFE, 0xFFFFFFFE), "deals.xlsb", None, False),
        ("xlsb, a cell just beyond the last column", lambda: xlsb_far(3, 16_384), "deals.xlsb", None, False),
        ("xlsb, a far cell in a hidden place", xlsb_elsewhere, "deals.xlsb", None, False),
        ("xlsb, four billion strings", lambda: xlsb_strings(0xFFFFFFFF), "deals.xlsb", None, False),
        ("xlsb, 100 million strings", lambda: xlsb_strings(100_000_000), "deals.xlsb", None, False),
        ("xlsb, a text without end", xlsb_long_text, "deals.xlsb", None, False),
        ("xlsb, a million rows", lambda: xlsb_rows(1_000_000), "deals.xlsb", 0, True),
        ("xlsb, columns hidden 50,000 times", lambda: xlsb_columns(50_000), "deals.xlsb", 2, False),
        ("xlsb, columns hidden 500,000 times", lambda: xlsb_columns(500_000), "deals.xlsb", None, False),
        ("ods, honest", lambda: books.ods(books.ods_deals()), "deals.ods", 2, False),
        ("ods, a billion laughs", ods_laughs, "deals.ods", None, False),
        ("ods, whole sheets of one value", lambda: ods_repeats(1_048_576, 16_384, "x"), "deals.ods", None, False),
        ("ods, whole sheets of nothing", lambda: ods_repeats(1_048_576, 16_384, None), "deals.ods", 2, False),
        ("ods, endless rows", lambda: ods_repeats(99_999_999_999, 1, 1), "deals.ods", None, False),
        (
            "ods, endless empty rows",
            lambda: ods_repeats(99_999_999_999_999_999_999_999, 1, None),
            "deals.ods",
            None,
            False,
        ),
        ("ods, a negative number of rows", lambda: ods_repeats(-5, 1, 1), "deals.ods", None, False),
        ("ods, endless columns", lambda: ods_repeats(1, 4_000_000_000, 1), "deals.ods", None, False),
        ("ods, endless empty columns", lambda: ods_repeats(1, 4_000_000_000, None), "deals.ods", 2, False),
        ("ods, a deal a million times", lambda: ods_same_deal(1_048_000), "deals.ods", None, False),
        ("ods, a deal a hundred times", lambda: ods_same_deal(100), "deals.ods", 102, False),
        ("ods, 20 million cells", lambda: ods_repeats(1000, 20_000, 1), "deals.ods", None, False),
        ("ods, 200 million blanks", lambda: ods_blanks(200_000_000), "deals.ods", None, False),
        ("ods, two billion blanks", lambda: ods_blanks(2_000_000_000), "deals.ods", None, False),
        ("ods, blanks in every column", lambda: ods_blanks(9_000_000, 9000), "deals.ods", None, False),
        ("ods, one text a million times", lambda: ods_repeats(1000, 1000, "x" * 30_000), "deals.ods", None, False),
        ("ods, 40,000 tables", lambda: books.ods(books.ods_deals(), tables=40_000), "deals.ods", None, False),
        ("ods, 100,000 styles in a chain", lambda: ods_chain(100_000), "deals.ods", 2, False),
        ("ods, 300,000 styles in a chain", lambda: ods_chain(300_000), "deals.ods", None, True),
        ("ods, a gigabyte of blanks", lambda: ods_padded(1000), "deals.ods", None, False),
        ("ods, 600 tables", lambda: books.ods(books.ods_deals(), tables=600), "deals.ods", None, False),
        ("ods, an attribute of 45 MB", lambda: ods_stuffed(' x="~"', "y" * 1000), "deals.ods", None, False),
        ("ods, 9 million attributes", lambda: ods_stuffed(" ~", ' a=""'), "deals.ods", None, False),
        ("ods, a style of 45 MB", lambda: ods_stuffed(' x="~"', "y" * 1000, styles=True), "deals.ods", None, False),
        (
            "ods, attributes of their own",
            lambda: ods_stuffed(f" {own_attributes(100_000)}~", " "),
            "deals.ods",
            None,
            False,
        ),
        ("ods, deep groups", lambda: ods_deep(100_000), "deals.ods", None, False),
    )
)
