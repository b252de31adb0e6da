"""Comments, CDATA and instructions amid values change nothing of them; a stray `<` is damage."""

from __future__ import annotations

import re

import pytest

from schemas.errors import InputError
from tests.hostile import ooxml
from tests.tools.workbook.books import MAIN, opened, packed, parts, raw_sheet
from tools.workbook.grid import CellError

SHARING = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>40</v></c></row>'
)
ROW = '<row r="1"><c r="A1" t="inlineStr"><is><t>{0}</t></is></c><c r="B1"><v>{1}</v></c></row>'


def sheet(text: str, value: str) -> bytes:
    """A workbook with a text in A1 and a number in B1, as they stand in XML."""
    rows = ROW.format(text, value) + '<row r="2"><c r="A2"><v>7</v></c></row>'
    return raw_sheet(f'<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>')


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("P &amp; Q", "4<!--x-->0"),
        ("P <!-- <t>no</t> -->&amp; Q", "40"),
        ("<![CDATA[P & Q]]>", "<![CDATA[40]]>"),
        ("P &amp;<?ask <v>5</v>?> Q", "4<?ask?>0"),
        ("P <![CDATA[&]]> Q", "<!-- one --><!-- two -->40<!-- <![CDATA[ -->"),
        ("P &#38; Q", "40"),
    ],
)
def test_what_stands_beside_values_is_no_part_of_them(text: str, value: str) -> None:
    """Each is read as any reader of XML reads it."""
    assert opened(sheet(text, value)).rows == [["P & Q", 40.0], [7.0, None]]


@pytest.mark.parametrize("text", ["P < 9", "P <9", "P <= 9", "P <", "<<"])
def test_a_stray_mark_in_a_sheet_is_damage(text: str) -> None:
    """It is no well-formed XML, whatever a fast reader makes of it."""
    with pytest.raises(InputError) as refused:
        opened(sheet(text, "40"))
    assert refused.value.code == "file.truncated"


def shared(item: bytes) -> bytes:
    """A workbook whose first shared string is `item`, as it stands in XML."""
    texts = f'<sst xmlns="{MAIN}"><si><t>'.encode() + item + b"</t></si><si><t>Other</t></si></sst>"
    return ooxml.book({"Deals": ooxml.sheet(SHARING)}, {"xl/sharedStrings.xml": texts})


@pytest.mark.parametrize("item", [b"P <!-- x -->and Q", b"<![CDATA[P and Q]]>", b"P <?ask?>and Q"])
def test_what_stands_beside_shared_texts_is_no_part_of_them(item: bytes) -> None:
    """As in a sheet."""
    assert opened(shared(item)).rows == [["P and Q", "Other"], ["P and Q", 40]]


@pytest.mark.parametrize("item", [b"P < Q", b"P <5", b"P <"])
def test_a_stray_mark_in_shared_texts_is_damage(item: bytes) -> None:
    """As in a sheet."""
    with pytest.raises(InputError) as refused:
        opened(shared(item))
    assert refused.value.code == "file.truncated"


def test_a_sheet_in_another_encoding_is_read() -> None:
    """In UTF-16, with a comment in a value."""
    content = parts(sheet("Elm", "4<!--x-->0"))
    name = "xl/worksheets/sheet1.xml"
    content[name] = content[name].decode().replace('"1.0"?', '"1.0" encoding="UTF-16"?').encode("utf-16")
    assert opened(packed(content)).rows[0] == ["Elm", 40.0]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ('<c r="A1"><v>&#52;0</v></c>', 40.0),
        ('<c r="A1"><v>4&#x30;</v></c>', 40.0),
        ('<c r="A1"><v>4&#048;&#46;5</v></c>', 40.5),
        ('<c r="A1"><f>20*2</f><v>&#52;0</v></c>', 40.0),
        ('<c r="A1" t="b"><v>&#49;</v></c>', True),
        ('<c r="A1" t="e"><v>&#35;N/A</v></c>', CellError("#N/A")),
        ('<c r="A1" t="str"><v>&#65;&#38;B &#233;&amp;#52;</v></c>', "A&B é&#52;"),
        ('<c r="A1" t="inlineStr"><is><t>a&#52;0</t></is></c>', "a40"),
        ("<c><v>&#52;0</v></c>", 40.0),
        ("<x:c><x:v>4&#48;</x:v></x:c>", 40.0),
        ('<x:c r="A1"><x:v>4&#48;</x:v></x:c>', 40.0),
    ],
)
def test_letters_that_are_written_as_codes_are_themselves(cell: str, value: object) -> None:
    """In numbers as well as in texts, whatever else the sheet's XML is like."""
    xml = f'<worksheet xmlns="{MAIN}"><sheetData><row>{cell}</row></sheetData></worksheet>'
    if "<x:c" in cell:
        xml = re.sub(r"<(/?)(?=[wsr])", r"<\1x:", xml).replace("xmlns=", "xmlns:x=")
    assert opened(raw_sheet(xml), "x.xlsx").rows == [[value]]
