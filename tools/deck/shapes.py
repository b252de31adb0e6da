"""Groups of drawn shapes as XML: one thing to move, one description for a screen reader."""

from __future__ import annotations

from schemas.deck import Box, GroupBlock, Shape
from tools.deck.grid import PT
from tools.deck.markup import DECORATIVE, attribute, frame, run, solid

_GEOMETRY = {"rectangle": "rect", "oval": "ellipse", "text": "rect"}


def group_xml(block: GroupBlock, first_id: int) -> str:
    """The group with its shapes, ids counting up from `first_id`."""
    box = bounds(block)
    inner = f'<a:chOff x="{box.left}" y="{box.top}"/><a:chExt cx="{box.width}" cy="{box.height}"/>'
    place = frame(box).replace("</a:xfrm>", f"{inner}</a:xfrm>")
    shapes = "".join(_shape(one, first_id + number) for number, one in enumerate(block.shapes, 1))
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{first_id}" name={attribute(block.name)} '
        f"descr={attribute(block.alt)}/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>{place}</p:grpSpPr>"
        f"{shapes}</p:grpSp>"
    )


def bounds(block: GroupBlock) -> Box:
    """The rectangle that holds all shapes of a group."""
    left, top = min(one.box.left for one in block.shapes), min(one.box.top for one in block.shapes)
    right = max(one.box.left + one.box.width for one in block.shapes)
    return Box(left, top, right - left, max(one.box.bottom for one in block.shapes) - top)


def _shape(one: Shape, identity: int) -> str:
    is_text = one.kind == "text"
    fill = solid(one.fill) if one.fill else "<a:noFill/>"
    anchor = {"top": "t", "middle": "ctr", "bottom": "b"}[one.anchor]
    inset = round(one.inset_pt * PT)
    align = "l" if is_text else "ctr"
    words = "".join(run(each) for each in one.text)
    end = "" if one.text else '<a:endParaRPr lang="en-US"/>'
    kind = ' txBox="1"' if is_text else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{identity}" name={attribute(one.name)} descr="">{DECORATIVE}</p:cNvPr>'
        f"<p:cNvSpPr{kind}/><p:nvPr/></p:nvSpPr><p:spPr>{frame(one.box)}"
        f'<a:prstGeom prst="{_GEOMETRY[one.kind]}"><a:avLst/></a:prstGeom>{fill}<a:ln><a:noFill/></a:ln></p:spPr>'
        f'<p:txBody><a:bodyPr wrap="square" lIns="0" rIns="0" tIns="{inset}" bIns="{inset}" anchor="{anchor}"/>'
        f'<a:lstStyle/><a:p><a:pPr algn="{align}"/>{words}{end}</a:p></p:txBody></p:sp>'
    )
