# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false
# The relaxations above are for lxml and the parts of python-pptx that have no types.
"""A planned deck written as PowerPoint: placeholders filled by name, native tables and charts, grouped shapes."""

from __future__ import annotations

import copy
import io
from datetime import date, datetime
from typing import Any

from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from schemas.deck import Block, ChartBlock, DeckPlan, GroupBlock, Paragraph, Run, SlidePlan, TableBlock, TextBlock
from tools.deck.chart_data import PlannedChart
from tools.deck.markup import NAMESPACES, paragraph
from tools.deck.shapes import group_xml
from tools.deck.tables import write_table
from tools.deck.template import template

STATUS = "DRAFT · NOT APPROVED"
_LAST = ("Sources", "Footer", "Slide number")
"""Placeholders that a screen reader comes to last, in this order."""


def write_deck(plan: DeckPlan, day: date) -> bytes:
    """The draft edition of `plan`, each slide with its status mark; times in it are not yet fixed."""
    deck: Any = Presentation(io.BytesIO(template()))
    layouts = {layout.name: layout for layout in deck.slide_layouts}
    for number, slide in enumerate(plan.slides, 1):
        _write_slide(deck, layouts[slide.layout], slide, number, plan.footer)
    core = deck.core_properties
    core.title, core.subject = plan.title, "Portfolio summary"
    core.author = core.last_modified_by = "dealwright"
    core.language, core.revision, core.keywords, core.comments = "en-US", 1, "", ""
    core.created = core.modified = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - python-pptx wants it naive
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _write_slide(deck: Any, layout: Any, plan: SlidePlan, number: int, footer: str) -> None:
    slide = deck.slides.add_slide(layout)
    slots = _named_slots(slide, layout)
    _fill(slots["Title"], (plan.title,))
    if "Kicker" in slots:
        _fill(slots["Kicker"], (Paragraph((Run(plan.kicker),)),))
    _fill(slots["Status"], (Paragraph((Run(STATUS),)),))
    for block in plan.blocks:
        _write_block(slide, slots, block)
    if plan.sources:
        _fill(slots["Sources"], (Paragraph(plan.sources),))
    _copy_foot(slide, layout, number, footer)
    _drop_empty(slots)
    _set_order(slide)
    slide.notes_slide.notes_text_frame.text = plan.notes


def _named_slots(slide: Any, layout: Any) -> dict[str, Any]:
    """The slide's placeholders by the layout's names, which python-pptx replaces on the way."""
    names = {one.placeholder_format.idx: one.name for one in layout.placeholders}
    slots: dict[str, Any] = {}
    for shape in slide.placeholders:
        shape.name = names[shape.placeholder_format.idx]
        slots[shape.name] = shape
    return slots


def _fill(shape: Any, paragraphs: tuple[Paragraph, ...]) -> None:
    """Paragraphs into a placeholder; sizes and colours come from the layout."""
    body = shape._element.txBody  # noqa: SLF001 - paragraphs are put in as XML, many at once
    for old in body.findall(qn("a:p")):
        body.remove(old)
    words = "".join(paragraph(one) for one in paragraphs)
    body.extend(parse_xml(f"<a:txBody {NAMESPACES}>{words}</a:txBody>"))


def _write_block(slide: Any, slots: dict[str, Any], block: Block) -> None:
    if isinstance(block, TextBlock):
        shape = slots[block.slot]
        _fill(shape, block.paragraphs)
        if block.box:
            _place(shape, block.box)
    elif isinstance(block, TableBlock):
        frame = write_table(slots.pop(block.slot), block)
        _describe(frame, block.slot, block.alt)
    elif isinstance(block, ChartBlock):
        frame = slots.pop(block.slot).insert_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, PlannedChart(block))
        _describe(frame, block.slot, block.alt)
        if block.box:
            _place(frame, block.box)
    else:
        _draw(slide, block)


def _place(shape: Any, box: Any) -> None:
    shape.left, shape.top, shape.width, shape.height = box.left, box.top, box.width, box.height


def _draw(slide: Any, block: GroupBlock) -> None:
    tree = slide.shapes._spTree  # noqa: SLF001 - groups are put in as XML
    first = max((int(one.get("id")) for one in tree.iter(qn("p:cNvPr"))), default=1) + 1
    tree.append(parse_xml(group_xml(block, first)))


def _describe(frame: Any, name: str, alt: str) -> None:
    node = frame._element.xpath(".//p:cNvPr")[0]  # noqa: SLF001 - python-pptx has no door to alternative text
    node.set("descr", alt)
    node.set("name", name)


def _copy_foot(slide: Any, layout: Any, number: int, footer: str) -> None:
    """Footer and slide number, which python-pptx does not take over from the layout."""
    for one in layout.placeholders:
        if one.name not in ("Footer", "Slide number"):
            continue
        node = copy.deepcopy(one._element)  # noqa: SLF001 - as _describe
        node.find(qn("p:spPr")).clear()
        body = node.find(qn("p:txBody"))
        body.find(qn("a:lstStyle")).clear()
        body.find(qn("a:bodyPr")).clear()
        body.find(".//" + qn("a:t")).text = footer if one.name == "Footer" else str(number)
        node.find(".//" + qn("p:cNvPr")).set("id", "901" if one.name == "Footer" else "902")
        slide.shapes._spTree.append(node)  # noqa: SLF001 - as _draw


def _drop_empty(slots: dict[str, Any]) -> None:
    """Remove placeholders that nothing was put in: they would say "Click to add" in the editor."""
    for shape in slots.values():
        element = shape._element  # noqa: SLF001 - shapes have no remove of their own
        if not (shape.has_text_frame and shape.text_frame.text.strip()):
            element.getparent().remove(element)


def _set_order(slide: Any) -> None:
    tree = slide.shapes._spTree  # noqa: SLF001 - as _draw
    for name in _LAST:
        for shape in slide.shapes:
            if shape.name == name:
                tree.append(shape._element)  # noqa: SLF001 - as _draw
