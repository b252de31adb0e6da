"""Planned tables as native ones: style, columns, rows."""

from __future__ import annotations

from schemas.deck import TableBlock, TableCell
from tools.deck.grid import PT
from tools.deck.markup import outline, paragraph, solid
from tools.deck.template import TABLE_STYLE

_EDGES = ("lnL", "lnR", "lnT", "lnB")


def table_xml(block: TableBlock) -> str:
    """The table as XML."""
    flags = 'firstRow="1"' + (' lastRow="1"' if block.total else "")
    columns = "".join(f'<a:gridCol w="{width}"/>' for width in block.widths)
    rows = "".join(
        f'<a:tr h="{height}">{"".join(_cell(cell, anchor="b" if at == 0 else "ctr") for cell in row)}</a:tr>'
        for at, (height, row) in enumerate(zip(block.heights, block.rows, strict=True))
    )
    return (
        f"<a:tbl><a:tblPr {flags}><a:tableStyleId>{TABLE_STYLE}</a:tableStyleId></a:tblPr>"
        f"<a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl>"
    )


def _cell(cell: TableCell, anchor: str) -> str:
    """A cell; its borders stand before its fill, as the schema wants them."""
    side = f'marL="{round(cell.left_pt * PT)}" marR="{round(cell.right_pt * PT)}" marT="{PT}" marB="{PT}"'
    words = "".join(paragraph(one) for one in cell.paragraphs)
    borders = ""
    if cell.framed is not None:
        line = outline("tx1", 28_575) if cell.framed else outline("bg1", 12_700)
        borders = "".join(line.replace("a:ln ", f"a:{edge} ").replace("/a:ln>", f"/a:{edge}>") for edge in _EDGES)
    fill = solid(cell.fill) if cell.fill else ""
    body = f"<a:txBody><a:bodyPr/><a:lstStyle/>{words}</a:txBody>"
    return f'<a:tc>{body}<a:tcPr {side} anchor="{anchor}">{borders}{fill}</a:tcPr></a:tc>'
