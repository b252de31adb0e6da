"""A planned slide as XML: placeholders that inherit from their layout, native tables, charts by reference, groups."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.deck import Box, ChartBlock, GroupBlock, Paragraph, Run, SlidePlan, TableBlock, TextBlock
from tools.deck.markup import NAMESPACES, attribute, frame, paragraph, text
from tools.deck.shapes import group_xml
from tools.deck.tables import table_xml
from tools.deck.template import Layout, Slot

STATUS = "DRAFT · NOT APPROVED"
"""The mark of the draft edition; the final has none."""
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_GRAPHIC = "http://schemas.openxmlformats.org/drawingml/2006"
_TREE = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
    '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_MAP = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"


class _Ids:
    """Shape ids of one slide, counting up; 1 is the tree's own."""

    def __init__(self) -> None:
        self.last = 1

    def take(self, number: int = 1) -> int:
        first = self.last + 1
        self.last += number
        return first


def slide_xml(
    plan: SlidePlan, layout: Layout, number: int, footer: str, charts: Iterable[str], *, draft: bool
) -> bytes:
    """The slide; `charts` are the relationship ids of its charts in order. In reading order: title first, foot last."""
    ids, links = _Ids(), iter(charts)
    said: list[tuple[str, tuple[Paragraph, ...]]] = [("Title", (plan.title,))]
    said += [("Kicker", (_plain(plan.kicker),))] if plan.kicker else []
    said += [("Status", (_plain(STATUS),))] if draft else []
    shapes = [_placeholder(ids, slot, layout.slots[slot], words) for slot, words in said if slot in layout.slots]
    for block in plan.blocks:
        if isinstance(block, TextBlock):
            shapes.append(_placeholder(ids, block.slot, layout.slots[block.slot], block.paragraphs, block.box))
        elif isinstance(block, TableBlock):
            shapes.append(_table(ids, block, layout.slots[block.slot]))
        elif isinstance(block, ChartBlock):
            shapes.append(_chart(ids, block, layout.slots[block.slot], next(links)))
        else:
            shapes.append(_group(ids, block))
    shapes += _foot(ids, plan, layout, number, footer)
    tree = f"<p:cSld><p:spTree>{_TREE}{''.join(shapes)}</p:spTree></p:cSld>"
    return f"{_HEAD}<p:sld {NAMESPACES}>{tree}{_MAP}</p:sld>".encode()


def _plain(words: str) -> Paragraph:
    return Paragraph((Run(words),))


def _foot(ids: _Ids, plan: SlidePlan, layout: Layout, number: int, footer: str) -> list[str]:
    shapes: list[str] = []
    if plan.sources:
        shapes.append(_placeholder(ids, "Sources", layout.slots["Sources"], (Paragraph(plan.sources),)))
    if "Footer" in layout.slots:
        shapes.append(_placeholder(ids, "Footer", layout.slots["Footer"], (_plain(footer),)))
    if "Slide number" in layout.slots:
        guid = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"
        field = f'<a:fld id="{guid}" type="slidenum"><a:rPr lang="en-US"/><a:t>{number}</a:t></a:fld>'
        shapes.append(_shape(ids, "Slide number", layout.slots["Slide number"], f"<a:p>{field}</a:p>"))
    return shapes


def _reference(slot: Slot) -> str:
    kind = f' type="{slot.kind}"' if slot.kind else ""
    return f"<p:ph{kind}" + (f' idx="{slot.index}"/>' if slot.index is not None else "/>")


def _placeholder(ids: _Ids, name: str, slot: Slot, words: tuple[Paragraph, ...], box: Box | None = None) -> str:
    return _shape(ids, name, slot, "".join(paragraph(one) for one in words), box)


def _shape(ids: _Ids, name: str, slot: Slot, body: str, box: Box | None = None) -> str:
    place = f"<p:spPr>{frame(box)}</p:spPr>" if box else "<p:spPr/>"
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{ids.take()}" name={attribute(name)}/><p:cNvSpPr><a:spLocks noGrp="1"/>'
        f"</p:cNvSpPr><p:nvPr>{_reference(slot)}</p:nvPr></p:nvSpPr>{place}"
        f"<p:txBody><a:bodyPr/><a:lstStyle/>{body}</p:txBody></p:sp>"
    )


def _frame(ids: _Ids, name: str, alt: str, slot: Slot, box: Box, graphic: str) -> str:
    """A graphic frame in a placeholder's stead; `graphic` is its data with the kind's address."""
    place = frame(box).replace("a:xfrm>", "p:xfrm>")
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{ids.take()}" name={attribute(name)} '
        f'descr={attribute(alt)}/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>'
        f"<p:nvPr>{_reference(slot)}</p:nvPr></p:nvGraphicFramePr>{place}"
        f"<a:graphic>{graphic}</a:graphic></p:graphicFrame>"
    )


def _table(ids: _Ids, block: TableBlock, slot: Slot) -> str:
    data = f'<a:graphicData uri="{_GRAPHIC}/table">{table_xml(block)}</a:graphicData>'
    return _frame(ids, block.slot, block.alt, slot, block.box, data)


def _chart(ids: _Ids, block: ChartBlock, slot: Slot, link: str) -> str:
    reference = f'<c:chart xmlns:c="{_GRAPHIC}/chart" r:id="{link}"/>'
    data = f'<a:graphicData uri="{_GRAPHIC}/chart">{reference}</a:graphicData>'
    return _frame(ids, block.slot, block.alt, slot, block.box or slot.box, data)


def _group(ids: _Ids, block: GroupBlock) -> str:
    return group_xml(block, ids.take(len(block.shapes) + 1))


def notes_xml(notes: str) -> bytes:
    """A slide's speaker notes, a paragraph a line."""
    lines = "".join(f'<a:p><a:r><a:rPr lang="en-US"/><a:t>{text(line)}</a:t></a:r></a:p>' for line in notes.split("\n"))
    shapes = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide image"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" '
        'noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>'
        '<p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>'
        '<p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>'
        f"{lines}</p:txBody></p:sp>"
    )
    tree = f"<p:cSld><p:spTree>{_TREE}{shapes}</p:spTree></p:cSld>"
    return f"{_HEAD}<p:notes {NAMESPACES}>{tree}{_MAP}</p:notes>".encode()
