"""Workbooks as HTML, as web archives, and as Excel's XML of 2003, written letter by letter."""

from __future__ import annotations

import quopri
from collections.abc import Iterable, Sequence
from html import escape

CLASSES = {
    "price": 'mso-number-format:"\\0022$\\0022\\#\\,\\#\\#0"',
    "rate": 'mso-number-format:"0\\.0%"',
    "day": 'mso-number-format:"Short Date"',
}
XML_2003 = (
    'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'
)
MARK = "----=_NextPart_01"


def cell(shown: object, look: str = "", number: float | None = None, tag: str = "td") -> str:
    """A cell of a page; `number` is what a spreadsheet program knows it holds."""
    said = (f" class={look}" if look else "") + ("" if number is None else f' x:num="{number}"')
    return f"<{tag}{said}>{escape(str(shown))}</{tag}>"


def table(rows: Iterable[Sequence[str]]) -> str:
    """A table of rows of cells."""
    return "<table>" + "".join(f"<tr>{''.join(row)}</tr>\n" for row in rows) + "</table>"


def plain_table(rows: Iterable[Sequence[object]]) -> str:
    """A table of rows of texts, the first of them headings."""
    return table([cell(value, tag="th" if not at else "td") for value in row] for at, row in enumerate(rows))


def page(body: str, head: str = "") -> bytes:
    """A page as Excel saves it."""
    rules = " ".join(f".{name} {{{rule};}}" for name, rule in CLASSES.items())
    return (
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8">'
        f"<style><!-- {rules} --></style>{head}</head><body>{body}</body></html>"
    ).encode()


def sheet_names(*names: tuple[str, str]) -> str:
    """The comment in which Excel names the worksheets of a page: (name, address or "")."""
    source = '<x:WorksheetSource HRef="{}"/>'
    sheets = "".join(
        f"<x:ExcelWorksheet><x:Name>{escape(name)}</x:Name>{source.format(place) if place else ''}</x:ExcelWorksheet>"
        for name, place in names
    )
    return (
        f"<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets>{sheets}</x:ExcelWorksheets></x:ExcelWorkbook>"
        "</xml><![endif]-->"
    )


def archive(*parts: tuple[str, str, bytes]) -> bytes:
    """A web archive of (address, kind, contents)."""
    said = [
        f"--{MARK}\r\nContent-Location: file:///C:/x/{place}\r\nContent-Transfer-Encoding: quoted-printable\r\n"
        f'Content-Type: {kind}; charset="utf-8"\r\n\r\n'.encode()
        + quopri.encodestring(body)
        + b"\r\n"
        for place, kind, body in parts
    ]
    head = f'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="{MARK}"\r\n\r\nA web archive.\r\n\r\n'
    return head.encode() + b"".join(said) + f"--{MARK}--\r\n".encode()


def saved_archive(sheets: Sequence[tuple[str, str]]) -> bytes:
    """A web archive as Excel saves it: a frame that names the sheets (name, body), a style sheet, a page a sheet."""
    places = [f"deals.fld/sheet{number:03}.htm" for number in range(1, len(sheets) + 1)]
    frame = page("", sheet_names(*((name, place) for (name, _), place in zip(sheets, places, strict=True))))
    rules = " ".join(f".{name} {{{rule};}}" for name, rule in CLASSES.items())
    return archive(
        ("deals.htm", "text/html", frame),
        ("deals.fld/stylesheet.css", "text/css", rules.encode()),
        *((place, "text/html", body.encode()) for place, (_, body) in zip(places, sheets, strict=True)),
    )


def data(value: object, kind: str = "", style: str = "", more: str = "") -> str:
    """A cell of Excel's XML."""
    kind = kind or ("String" if isinstance(value, str) else "Number")
    said = f' ss:StyleID="{style}"' * bool(style) + more
    return f'<Cell{said}><Data ss:Type="{kind}">{escape(str(value))}</Data></Cell>'


def xml_2003(rows: Iterable[Sequence[str] | str], columns: str = "", options: str = "", name: str = "Deals") -> bytes:
    """A workbook of one sheet, of rows of cells; styles are called price, rate and day."""
    formats = {"price": '"$"#,##0', "rate": "0.0%", "day": "Short Date", "bold": ""}
    fonts = {"bold": '<Font ss:Bold="1"/>'}
    styles = "".join(
        f'<Style ss:ID="{style}"><NumberFormat ss:Format="{escape(code)}"/>{fonts.get(style, "")}</Style>'
        for style, code in formats.items()
    )
    body = "".join(row if isinstance(row, str) else f"<Row>{''.join(row)}</Row>" for row in rows)
    return (
        f'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook {XML_2003}>'
        f'<Styles>{styles}</Styles><Worksheet ss:Name="{escape(name)}"><Table>{columns}{body}</Table>{options}'
        "</Worksheet></Workbook>"
    ).encode()
