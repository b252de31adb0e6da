"""A sheet that declares a false size, none at all, or writes its texts in place, is read like any other."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest

from tests.tools.deals.books import DEALS, HEADER, extract, xlsx
from tools.deals.document import extraction_document

SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
DIMENSION = rb"<dimension [^>]*/>"
INLINE = re.compile(rb'<c r="([A-Z]+\d+)" t="inlineStr"><is><t>([^<]*)</t></is></c>')
MAIN = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def plain() -> bytes:
    """The deals' workbook as a library writes it, its texts in place."""
    return xlsx({"Deals": [HEADER, *DEALS]})


def repacked(change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The deals' workbook with its parts changed."""
    with zipfile.ZipFile(io.BytesIO(plain())) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    change(parts)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as new:
        for name, text in parts.items():
            new.writestr(name, text)
    return packed.getvalue()


def with_sheet(pattern: bytes, replacement: bytes) -> bytes:
    """The deals' workbook, a pattern in its sheet replaced."""

    def change(parts: dict[str, bytes]) -> None:
        assert re.search(pattern, parts[SHEET])
        parts[SHEET] = re.sub(pattern, replacement, parts[SHEET])

    return repacked(change)


def with_shared_texts(count: bytes) -> bytes:
    """The deals' workbook with its texts in a part of their own, which says that it holds `count` of them."""
    texts: list[bytes] = []

    def index(match: re.Match[bytes]) -> bytes:
        texts.append(match[2])
        return b'<c r="%b" t="s"><v>%d</v></c>' % (match[1], len(texts) - 1)

    def change(parts: dict[str, bytes]) -> None:
        parts[SHEET] = INLINE.sub(index, parts[SHEET])
        items = b"".join(b"<si><t>%b</t></si>" % text for text in texts)
        parts[STRINGS] = b'<sst xmlns="%b" %b>%b</sst>' % (MAIN, count, items)
        kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
        override = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%b"/></Types>' % kind
        parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", override)
        tail = (
            b'<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
            b'sharedStrings" Target="sharedStrings.xml"/></Relationships>'
        )
        relations = "xl/_rels/workbook.xml.rels"
        parts[relations] = parts[relations].replace(b"</Relationships>", tail)

    return repacked(change)


def deals_of(data: bytes) -> object:
    """All tables and deals that a workbook gives, but for where they were uploaded."""
    document = extraction_document(extract(data, "deals.xlsx"))
    return {key: document[key] for key in ("tables", "deals", "census", "issues")}


CHANGES: dict[str, tuple[bytes, bytes]] = {
    "A1": (DIMENSION, b'<dimension ref="A1"/>'),
    "a part of it": (DIMENSION, b'<dimension ref="A1:C3"/>'),
    "far too much": (DIMENSION, b'<dimension ref="A1:XFD1048576"/>'),
    "somewhere else": (DIMENSION, b'<dimension ref="Z90:AB99"/>'),
    "none": (DIMENSION, b""),
    "rows without numbers": (rb'<row r="\d+"', b"<row"),
    "cells without references": (rb'<c r="[A-Z]+\d+"', b"<c"),
    "spans that lie": (rb'<row r="(\d+)"[^>]*>', rb'<row r="\1" spans="1:1">'),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_same_deals_come_out(change: str) -> None:
    """Every table, deal, row of the census and issue is the same as of the file as it was written."""
    assert deals_of(with_sheet(*CHANGES[change])) == deals_of(plain())


@pytest.mark.parametrize("count", [b"", b'count="25" uniqueCount="25"', b'count="1" uniqueCount="1"', b'count="0"'])
def test_texts_in_place_and_texts_of_a_part_are_the_same(count: bytes) -> None:
    """Whatever the part says of how many it holds."""
    assert deals_of(with_shared_texts(count)) == deals_of(plain())
