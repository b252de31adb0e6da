"""A planned deck written as a PowerPoint package: the template's parts, and for each slide its own.

The parts are written as XML in one go. Filling placeholders, tables and charts by calls costs several times as much,
and leaves times of writing in the file.
"""

from __future__ import annotations

from datetime import date

from schemas.deck import ChartBlock, DeckPlan, SlidePlan
from tools.deck.chart_workbook import chart_workbook
from tools.deck.chart_xml import chart_xml
from tools.deck.markup import text
from tools.deck.package import relationships, relationships_name, zipped
from tools.deck.slide_xml import notes_xml, slide_xml
from tools.deck.template import Template, template

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_KINDS = {
    "slide": "application/vnd.openxmlformats-officedocument.presentationml.slide+xml",
    "notesSlide": "application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml",
    "chart": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
}
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FIRST_SLIDE_ID = 256
_BEFORE_SLIDE_IDS = b"<p:sldSz"


def write_deck(plan: DeckPlan, day: date) -> tuple[bytes, bytes]:
    """The draft edition, each slide with its status mark, and the final without; nothing else differs."""
    base = template()
    shared = _charts(plan) | {
        f"ppt/notesSlides/notesSlide{number}.xml": notes_xml(slide.notes) for number, slide in enumerate(plan.slides, 1)
    }
    shared |= _links(plan, base)
    fixed = _frame(plan, base, day)
    editions: list[bytes] = []
    for draft in (True, False):
        slides = {
            f"ppt/slides/slide{number}.xml": slide_xml(
                slide, base.layouts[slide.layout], number, plan.footer, _chart_links(slide), draft=draft
            )
            for number, slide in enumerate(plan.slides, 1)
        }
        editions.append(zipped({**fixed, **slides, **shared}))
    return editions[0], editions[1]


def _chart_blocks(plan: DeckPlan) -> list[ChartBlock]:
    """All charts, in order: chart numbers count through the deck."""
    return [block for slide in plan.slides for block in slide.blocks if isinstance(block, ChartBlock)]


def _chart_links(slide: SlidePlan) -> list[str]:
    """The relationship ids of a slide's charts: 1 is the layout, 2 the notes."""
    number = sum(isinstance(block, ChartBlock) for block in slide.blocks)
    return [f"rId{at}" for at in range(3, 3 + number)]


def _charts(plan: DeckPlan) -> dict[str, bytes]:
    parts: dict[str, bytes] = {}
    for number, block in enumerate(_chart_blocks(plan), 1):
        name, book = f"ppt/charts/chart{number}.xml", f"ppt/embeddings/chart{number}.xlsx"
        parts[name] = chart_xml(block)
        parts[relationships_name(name)] = relationships(f"/{name}", {"rId1": ("package", f"/{book}")})
        parts[book] = chart_workbook(block)
    return parts


def _links(plan: DeckPlan, base: Template) -> dict[str, bytes]:
    """The relationships of slides and notes."""
    parts: dict[str, bytes] = {}
    chart = 0
    for number, slide in enumerate(plan.slides, 1):
        name, notes = f"/ppt/slides/slide{number}.xml", f"/ppt/notesSlides/notesSlide{number}.xml"
        targets = {"rId1": ("slideLayout", base.layouts[slide.layout].part), "rId2": ("notesSlide", notes)}
        for link in _chart_links(slide):
            chart += 1
            targets[link] = ("chart", f"/ppt/charts/chart{chart}.xml")
        parts[relationships_name(name)] = relationships(name, targets)
        back = {"rId1": ("notesMaster", base.notes_master), "rId2": ("slide", name)}
        parts[relationships_name(notes)] = relationships(notes, back)
    return parts


def _frame(plan: DeckPlan, base: Template, day: date) -> dict[str, bytes]:
    """The template's parts, with the slides entered in the presentation and in the list of types."""
    parts = dict(base.parts)
    numbers = range(1, len(plan.slides) + 1)
    ids = "".join(f'<p:sldId id="{_FIRST_SLIDE_ID + n}" r:id="rIdSlide{n}"/>' for n in numbers)
    listed = f"<p:sldIdLst>{ids}</p:sldIdLst>".encode()
    body = parts["ppt/presentation.xml"].replace(b"<p:sldIdLst/>", b"")
    parts["ppt/presentation.xml"] = body.replace(_BEFORE_SLIDE_IDS, listed + _BEFORE_SLIDE_IDS, 1)
    own = relationships(
        "/ppt/presentation.xml", {f"rIdSlide{n}": ("slide", f"/ppt/slides/slide{n}.xml") for n in numbers}
    )
    entries = own.partition(b"<Relationship ")
    added = (entries[1] + entries[2]).removesuffix(b"</Relationships>")
    name = relationships_name("/ppt/presentation.xml")
    parts[name] = parts[name].replace(b"</Relationships>", added + b"</Relationships>")
    charts = range(1, len(_chart_blocks(plan)) + 1)
    types = [f"/ppt/slides/slide{n}.xml|slide" for n in numbers] + [
        f"/ppt/notesSlides/notesSlide{n}.xml|notesSlide" for n in numbers
    ]
    types += [f"/ppt/charts/chart{n}.xml|chart" for n in charts]
    parts["[Content_Types].xml"] = _typed(parts["[Content_Types].xml"], types)
    parts["docProps/core.xml"] = _core(plan.title, day)
    return parts


def _typed(listed: bytes, types: list[str]) -> bytes:
    pairs = (entry.split("|") for entry in types)
    added = "".join(f'<Override PartName="{name}" ContentType="{_KINDS[kind]}"/>' for name, kind in pairs)
    added += f'<Default Extension="xlsx" ContentType="{_XLSX}"/>'
    return listed.replace(b"</Types>", added.encode() + b"</Types>")


def _core(title: str, day: date) -> bytes:
    """Core properties: what it is and the day of its source; nobody's name, no hour."""
    stamp = f'xsi:type="dcterms:W3CDTF">{day.isoformat()}T00:00:00Z'
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{text(title)}</dc:title><dc:subject>Portfolio summary</dc:subject>"
        f"<dc:creator>dealwright</dc:creator><cp:lastModifiedBy>dealwright</cp:lastModifiedBy><cp:revision>1</cp:revision>"
        f"<dcterms:created {stamp}"
        f"</dcterms:created><dcterms:modified {stamp}</dcterms:modified><dc:language>en-US</dc:language>"
        "</cp:coreProperties>"
    ).encode()
