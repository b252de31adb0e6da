"""Cells in several formats: raised marks of footnotes and struck-out text are no part of a value."""

from __future__ import annotations

from typing import Any

import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from tests.tools.workbook.books import MAIN, RELATIONS, opened, packed, parts, xlsx
from tools.workbook.rich_text import plain_items

RAISED, STRUCK, PLAIN = InlineFont(vertAlign="superscript"), InlineFont(strike=True), InlineFont()


def block(font: InlineFont, text: str) -> TextBlock:
    """A piece of a cell's text."""
    return TextBlock(font, text)


def of_texts(*texts: CellRichText | str) -> bytes:
    """A workbook with these texts in its first row, kept in the cells."""

    def fill(book: Any) -> None:
        for column, text in enumerate(texts, 1):
            book.active.cell(1, column).value = text

    return xlsx(("Deals", []), change=fill)


def of_shared(items: str, count: int) -> bytes:
    """A workbook whose first row holds the shared strings `items`."""
    content = parts(xlsx(("Deals", [["a"]])))
    content["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{items}</sst>'.encode()
    cells = "".join(f'<c r="{chr(65 + at)}1" t="s"><v>{at}</v></c>' for at in range(count))
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    content["xl/worksheets/sheet1.xml"] = sheet.encode()
    link = f'<Relationship Id="rIdS" Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    links = content["xl/_rels/workbook.xml.rels"].decode()
    content["xl/_rels/workbook.xml.rels"] = links.replace("</Relationships>", link).encode()
    return packed(content)


def test_raised_marks_and_struck_out_text_are_left_out() -> None:
    """In the cells' own texts."""
    data = of_texts(
        CellRichText(block(PLAIN, "40"), block(RAISED, "2")),
        CellRichText(block(STRUCK, "4,500,000"), block(PLAIN, "4,000,000"), block(RAISED, "(1)")),
        CellRichText(block(PLAIN, "Area (m"), block(RAISED, "2"), block(PLAIN, ")")),
        CellRichText(block(PLAIN, "Elm"), block(RAISED, "TM"), block(PLAIN, " Court")),
        CellRichText(block(STRUCK, "Withdrawn")),
        "402",
    )
    assert opened(data, "x.xlsx").rows[0] == ["40", "4,000,000", "Area (m²)", "ElmTM Court", "Withdrawn", "402"]


@pytest.mark.parametrize("prefix", ["", "x:"])
def test_shared_texts_are_read_in_the_same_way(prefix: str) -> None:
    """An equal text that is not raised stays."""
    run = "<r><rPr>{}</rPr><t>{}</t></r>"
    items = [
        "<si>" + run.format("<b/>", "40") + run.format('<vertAlign val="superscript"/>', "2") + "</si>",
        "<si><t>402</t></si>",
        "<si>" + run.format("<strike/>", "Old ") + run.format('<strike val="0"/>', "New") + "</si>",
    ]
    if prefix:
        xml = "".join(items).replace("</", "</@").replace("<", "<x:").replace("<x:/@", "</x:").encode()
        assert plain_items(xml).count(b"<x:t>") == 3
    else:
        assert opened(of_shared("".join(items), 3), "x.xlsx").rows[0] == ["40", "402", "New"]


@pytest.mark.parametrize("prefix", ["", "x:"])
def test_a_sheet_whose_cells_have_no_references_is_read_in_the_same_way(prefix: str) -> None:
    """Raised marks and struck-out text in it are found by another way."""
    run = "<r><rPr>{}</rPr><t>{}</t></r>"
    texts = [
        run.format("<b/>", "1,200") + run.format('<vertAlign val="superscript"/>', "1"),
        run.format("<b/>", "Elm ") + run.format("<strike/>", "Oak"),
    ]
    cells = "".join(f'<c t="inlineStr"><is>{text}</is></c>' for text in texts)
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData><row>{cells}</row></sheetData></worksheet>'
    if prefix:
        sheet = sheet.replace("</", "@").replace("<", "<x:").replace("@", "</x:").replace("xmlns=", "xmlns:x=")
    content = parts(xlsx(("Deals", [["a"]])))
    content["xl/worksheets/sheet1.xml"] = sheet.encode()
    assert opened(packed(content), "x.xlsx").rows[0] == ["1,200", "Elm"]
