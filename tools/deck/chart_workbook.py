"""The workbook inside a chart: what "Edit Data" opens. Text is inline text, so nothing in it can be a formula."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.deck import ChartBlock
from schemas.workbook import column_letters
from tools.deck.chart_xml import SHEET
from tools.deck.markup import attribute, text
from tools.deck.package import zipped

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FIXED = {
    "[Content_Types].xml": (
        f'{_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'{_HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'{_HEAD}<workbook xmlns="{_SML}" xmlns:r="{_REL}"><sheets><sheet name="{SHEET}" sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>"
    ),
    "xl/_rels/workbook.xml.rels": (
        f'{_HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{_REL}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_REL}/styles" Target="styles.xml"/></Relationships>'
    ),
}
Row = list[tuple[str | float | None, str]]
"""Cells of a row: each its value, and the format that its column prints numbers in."""


def chart_workbook(block: ChartBlock) -> bytes:
    """The workbook that the series of `block` point at, as an xlsx file."""
    rows = _scatter_rows(block) if block.kind == "scatter" else _column_rows(block)
    codes = list(dict.fromkeys(code for row in rows for _, code in row))
    parts = {**_FIXED, "xl/styles.xml": _styles(codes), "xl/worksheets/sheet1.xml": _sheet(rows, codes)}
    return zipped({name: body.encode() for name, body in parts.items()})


def _column_rows(block: ChartBlock) -> list[Row]:
    """Names of series across, categories down."""
    rows: list[Row] = [[("", "General"), *((one.name, "General") for one in block.series)]]
    for at, name in enumerate(block.categories):
        rows.append([(name, "General"), *((one.values[at], one.number_format) for one in block.series)])
    return rows


def _scatter_rows(block: ChartBlock) -> list[Row]:
    """Two columns a series: x, then y under the series' name."""
    longest = max((len(one.values) for one in block.series), default=0)
    rows: list[Row] = [[cell for one in block.series for cell in (("x", "General"), (one.name, "General"))]]
    for at in range(longest):
        row: Row = []
        for one in block.series:
            there = at < len(one.values)
            y = one.values[at] if there else None
            row += [(one.across[at] if there else None, "General"), (y, one.number_format)]
        rows.append(row)
    return rows


def _sheet(rows: Sequence[Row], codes: Sequence[str]) -> str:
    body = "".join(
        f'<row r="{number}">{"".join(_cell(number, at, cell, codes) for at, cell in enumerate(row))}</row>'
        for number, row in enumerate(rows, 1)
    )
    widths = '<cols><col min="1" max="1" width="30" customWidth="1"/></cols>'
    return f'{_HEAD}<worksheet xmlns="{_SML}">{widths}<sheetData>{body}</sheetData></worksheet>'


def _cell(number: int, column: int, cell: tuple[str | float | None, str], codes: Sequence[str]) -> str:
    value, code = cell
    place = f'r="{column_letters(column)}{number}"'
    if isinstance(value, str):
        return f'<c {place} t="inlineStr"><is><t xml:space="preserve">{text(value)}</t></is></c>'
    return "" if value is None else f'<c {place} s="{codes.index(code)}"><v>{value!r}</v></c>'


def _styles(codes: Sequence[str]) -> str:
    """One cell style a number format."""
    formats = "".join(f'<numFmt numFmtId="{164 + at}" formatCode={attribute(code)}/>' for at, code in enumerate(codes))
    plain = 'fontId="0" fillId="0" borderId="0"'
    styles = "".join(f'<xf numFmtId="{164 + at}" {plain} xfId="0" applyNumberFormat="1"/>' for at in range(len(codes)))
    return (
        f'{_HEAD}<styleSheet xmlns="{_SML}"><numFmts count="{len(codes)}">{formats}</numFmts>'
        '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        f'<cellStyleXfs count="1"><xf numFmtId="0" {plain}/></cellStyleXfs>'
        f'<cellXfs count="{len(codes)}">{styles}</cellXfs></styleSheet>'
    )
