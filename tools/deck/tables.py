# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The relaxations above are for lxml and the parts of python-pptx that have no types.
"""Planned tables written as native ones, rows as XML in one go: a call a cell would cost most of a deck's time."""

from __future__ import annotations

from typing import Any

from pptx.oxml import parse_xml

from schemas.deck import TableBlock, TableCell
from tools.deck.grid import PT
from tools.deck.markup import NAMESPACES, outline, paragraph, solid
from tools.deck.template import TABLE_STYLE


def write_table(slot: Any, block: TableBlock) -> Any:
    """The graphic frame that holds `block`, in the place of placeholder `slot`."""
    frame = slot.insert_table(1, 1)
    box = block.box
    frame.left, frame.top, frame.width, frame.height = box.left, box.top, box.width, box.height
    old = frame._element.graphic.graphicData.tbl  # noqa: SLF001 - the table is put in as XML, which has no public door
    old.getparent().replace(old, parse_xml(table_xml(block)))
    return frame


def table_xml(block: TableBlock) -> str:
    """The table as XML: style, columns, rows."""
    flags = 'firstRow="1"' + (' lastRow="1"' if block.total else "")
    columns = "".join(f'<a:gridCol w="{width}"/>' for width in block.widths)
    rows = "".join(
        f'<a:tr h="{height}">{"".join(_cell(cell, anchor="b" if at == 0 else "ctr") for cell in row)}</a:tr>'
        for at, (height, row) in enumerate(zip(block.heights, block.rows, strict=True))
    )
    return (
        f"<a:tbl {NAMESPACES}><a:tblPr {flags}><a:tableStyleId>{TABLE_STYLE}</a:tableStyleId></a:tblPr>"
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


_EDGES = ("lnL", "lnR", "lnT", "lnB")
