"""Pages, web archives and XML that grow when they are read: spans, nesting, countless elements, entities."""

from __future__ import annotations

from tests.hostile import markup_books as books
from tests.hostile.bomb import Bomb

HEADS = "<tr><th>Property<th>City<th>Asking Price<th>Cap Rate"
DEALS = "<tr><td>Elm Court<td>Springfield<td>1200000<td>5.5%<tr><td>Oak House<td>Riverton<td>2400000<td>6.1%"
HONEST = f"<html><table>{HEADS}{DEALS}"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
ENDS = ("file.unsafe", "file.html", "file.truncated")
XML = books.xml_2003([]).decode().partition("<Table>")[0] + "<Table>"
NESTED = b"Content-Type: multipart/mixed; boundary=m0\n\n--m0\n"
LISTING = books.page("", books.sheet_names(*[("a", f"{'b/' * 9}a.htm") for _ in range(500)]))


def page(body: str) -> bytes:
    """Honest deals with more behind them."""
    return f"{HONEST}{body}</table>".encode()


def old(body: str) -> bytes:
    """Excel's XML of 2003 with rows of `body`."""
    return f"{XML}{body}</Table></Worksheet></Workbook>".encode()


def own_attributes(count: int) -> str:
    """`count` attributes, no two of one name."""
    return " ".join(f'a{n}=""' for n in range(count))


BOMBS = tuple(
    Bomb(name, make, "deals.xls", deals, ENDS, long)
    for name, make, deals, long in (
        ("countless line breaks", lambda: page("<br>" * 10_000_000), None, False),
        ("elements nested without end", lambda: page("<b>" * 10_000_000), None, False),
        ("elements that were never begun", lambda: page("</i>" * 10_000_000), None, False),
        ("ends among open elements", lambda: page("<b>" * 900 + "</i>" * 90_000), 2, False),
        ("a row without end", lambda: page("<tr>" + "<td>" * 10_000_000), None, False),
        ("rows without cells", lambda: page("<tr>" * 10_000_000), None, True),
        ("rows of an empty cell", lambda: page("<tr><td>" * 5_000_000), None, True),
        ("tables nested without end", lambda: page("<table><tr><td>" * 1_000_000), None, False),
        ("countless tables", lambda: page(f"</table>x<table>{HEADS}" * 100_000), None, False),
        (
            "spans of a thousand million",
            lambda: page("<tr><td colspan=999999999 rowspan=999999999>x" * 99_999),
            None,
            False,
        ),
        (
            "spans of a thousand, two rows deep",
            lambda: page("<tr><td colspan=1000 rowspan=2>x<td>y" * 500_000),
            None,
            False,
        ),
        ("columns of a thousand million", lambda: page("<col span=999999999 style='display:none'>" * 90_000), 0, False),
        ("one text of 50 MB", lambda: page("x" * 50_000_000), 2, True),
        ("entities", lambda: page("&amp;&copy;&#x41;" * 1_000_000), 2, True),
        ("an entity that is declared", f"<!DOCTYPE html [{LAUGHS}]>{HONEST}<tr><td>&l9;</table>".encode, 2, False),
        ("attributes without end", lambda: page("<tr><td " + "a=1 " * 5_000_000 + ">x"), None, False),
        ("attributes of no value without end", lambda: page("<tr><td " + "a " * 9_000_000 + ">x"), None, False),
        ("attributes of brackets without end", lambda: page("<tr><td " + 'a=">" ' * 3_000_000 + ">x"), None, False),
        ("attributes among scripts", lambda: page("<script></script><tr><td " + "a " * 9_000_000 + ">x"), None, False),
        ("a picture of 3 MB in a page", lambda: page(f"<img src='data:image/png;base64,{'y' * 3_000_000}'>"), 2, False),
        ("a script of 3 MB", lambda: page(f"<script>for(i=0;i<n;i++){{x=[{'1,' * 1_500_000}]}}</script>"), 2, False),
        ("classes without end", lambda: page("<tr><td class='" + "a " * 5_000_000 + "'>"), 2, False),
        ("rules without end", lambda: page("<style>" + ".a{" * 5_000_000 + "</style>"), 2, False),
        ("rules without a brace", lambda: page("<style>" + "a" * 5_000_000 + "</style>"), 2, False),
        ("comments in styles", lambda: page("<style>" + "/*" * 3_000_000 + "</style>"), 2, False),
        ("rules of a thousand sheets", lambda: page(("<style>" + ".a .b{top:0}" * 4_000 + "</style>") * 999), 2, False),
        (
            "rules that look around among all that is open",
            lambda: page(
                "<style>" + "".join(f".a {'.a ' * n}.q .x{{display:none}}" for n in range(40, 90)) + "</style>"
                "<b class=a>" * 900 + "<i class=q><u class=x></u></i>" * 90_000
            ),
            None,
            False,
        ),
        (
            "worksheets without end",
            lambda: page(f"<!--{'<x:ExcelWorksheet><x:Name>a</x:Name>' * 90_000}-->"),
            None,
            False,
        ),
        (
            "fonts without end",
            lambda: page("".join(f"<tr><td style='x{n};{'font:' * 3_000}'>" for n in range(300))),
            2,
            False,
        ),
        ("formats without end", lambda: page('<tr><td style="' + "mso-number-format:'" * 900_000 + '">'), 2, False),
        ("a name of blanks", lambda: page("<!--<x:Name>" + " " * 900_000 + "-->"), 2, False),
        (
            "names and blanks",
            lambda: page("<!--" + f"<x:Name>a</x:Name>{' ' * 40}<x:WorksheetSource{' ' * 90}" * 6_000 + "-->"),
            2,
            False,
        ),
        ("comments that never close", lambda: page("<!--" * 12_000_000), None, False),
        ("brackets", lambda: page("<" * 10_000_000), 2, True),
        ("a comment that never closes", lambda: page("<!--" + "<x:Name>" * 3_000_000), None, False),
        ("paragraphs without end", lambda: page("</table>" + "<p>x" * 5_000_000), None, True),
        (
            "an archive of countless parts",
            lambda: books.archive() + b"--" + (books.MARK.encode() + b"\r\n\r\nx\r\n--") * 200_000,
            None,
            False,
        ),
        (
            "parts within parts without end",
            lambda: (
                b"MIME-Version: 1.0\n"
                + b"".join(NESTED.replace(b"0", b"%d" % n) for n in range(100_000))
                + b"\n<table>"
            ),
            None,
            False,
        ),
        (
            "an archive whose pages all list as many worksheets as there may be",
            lambda: books.archive(*[("a.htm", "text/html", LISTING)] * 400),
            None,
            True,
        ),
        (
            "an archive in an archive",
            lambda: books.archive(*[("x", "multipart/related", books.archive())] * 9),
            None,
            False,
        ),
        (
            "entities in XML",
            lambda: old("&l9;").replace(b"<Workbook", f"<!DOCTYPE x [{LAUGHS}]><Workbook".encode()),
            None,
            False,
        ),
        ("XML nested without end", lambda: old("<Row>" * 1_000_000), None, False),
        ("XML rows without cells", lambda: old("<Row/>" * 5_000_000), None, True),
        ("XML cells without values", lambda: old("<Row>" + "<Cell/>" * 3_000_000), None, True),
        (
            "XML cells far apart",
            lambda: old(f'<Row ss:Index="1000000"><Cell ss:Index="16000">{"<Data>x</Data>"}</Cell></Row>' * 3),
            None,
            False,
        ),
        ("an attribute of 40 MB in XML", lambda: old('<Row x="' + "y" * 40_000_000 + '"/>'), None, False),
        ("five million attributes in XML", lambda: old("<Row " + 'a="" ' * 5_000_000 + "/>"), None, False),
        ("attributes of their own in XML", lambda: old(f"<Row {own_attributes(100_000)}/>"), None, False),
        (
            "cells of 240 attributes in XML",
            lambda: old(f"<Row>{f'<Cell {own_attributes(240)}/>' * 4_000}</Row>"),
            0,
            False,
        ),
        ("rows of attributes in XML", lambda: old(f"<Row {own_attributes(1_000)}/>" * 2_000), None, False),
        (
            "XML styles without end",
            lambda: old("").replace(b"<Styles>", b"<Styles>" + b"<Style/>" * 2_000_000),
            None,
            True,
        ),
    )
)
