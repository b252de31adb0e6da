# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The relaxations above are for lxml and the parts of python-pptx that have no types.
"""A deck's own checks: it opens, each number is registered, nothing is left over, cut off or on top of another."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as REL
from pptx.oxml.ns import qn

from schemas.deck import Box
from schemas.errors import OutputError
from tools.deck import grid
from tools.figures import formats
from tools.figures.registry import FigureRegistry

_SLACK = grid.PT
"""EMU by which a shape may stand over an edge: rounding, no more."""
_LOWEST = grid.HEIGHT + _SLACK
_CODE = re.compile(
    r'(?:"(?P<prefix>[^"]*)")?(?P<digits>[#,]*0)(?P<places>\.0+)?(?P<power>E\+00)?(?P<percent>%)?(?:;.*)?'
)


def check_deck(data: bytes, registry: FigureRegistry, slides: int) -> None:
    """Raises OutputError with the first fault of deck `data`, planned with `registry` as so many `slides`."""
    deck: Any = Presentation(io.BytesIO(data))
    if len(deck.slides) != slides:
        raise OutputError("deck.slides", f"The deck has {len(deck.slides)} slides where {slides} were planned.")
    for number, slide in enumerate(deck.slides, 1):
        place = f"deck:{number}"
        for words in printed_texts(slide):
            _check_words(registry, place, words)
        _check_places(slide, number)


def _check_words(registry: FigureRegistry, place: str, words: str) -> None:
    where = f"Slide {place.removeprefix('deck:')}"
    if strangers := registry.strangers(place, words):
        fault = f"{where} prints {strangers[0]!r}, which no figure stands behind: {words[:80]!r}"
        raise OutputError("deck.unregistered", fault)
    if left := registry.leftovers(place, words):
        raise OutputError("deck.leftover", f"{where} prints {left[0]!r}, which a program left behind: {words[:80]!r}")


def printed_texts(slide: Any) -> Iterator[str]:
    """Every text of a slide: shapes, tables, charts with their labels as printed, and the notes; marks left out."""
    for element in slide.shapes._spTree.iter(qn("a:p")):  # noqa: SLF001 - one walk over all text, whatever holds it
        words = "".join(run.findtext(qn("a:t")) or "" for run in element.iterchildren(qn("a:r")) if not _is_mark(run))
        if words.strip():
            yield words
    for link in slide.part.rels.values():
        if link.reltype == REL.CHART:
            yield from _chart_texts(link.target_part._element)  # noqa: SLF001 - labels are formats, not texts
        elif link.reltype == REL.NOTES_SLIDE:
            notes = link.target_part._element  # noqa: SLF001 - as the chart's
            yield "\n".join(node.text or "" for node in notes.iter(qn("a:t")))


def _is_mark(run: Any) -> bool:
    look = run.find(qn("a:rPr"))
    return look is not None and look.get("baseline") is not None


def _chart_texts(chart: Any) -> Iterator[str]:
    for series in chart.iter(qn("c:ser")):
        yield from (node.text or "" for node in series.iter(qn("a:t")))
        for cache in series.iter(qn("c:strCache")):
            yield from (node.text or "" for node in cache.iter(qn("c:v")))
        points = series.find(f"{qn('c:val')}/{qn('c:numRef')}/{qn('c:numCache')}")
        values = {} if points is None else {n.get("idx"): n.findtext(qn("c:v")) for n in points.iter(qn("c:pt"))}
        for label in series.iter(qn("c:dLbl")):
            code, at = label.find(qn("c:numFmt")), label.find(qn("c:idx")).get("val")
            if code is not None and at in values:
                yield as_printed(Decimal(values[at]), code.get("formatCode"))


def as_printed(value: Decimal, code: str) -> str:
    """`value` as a spreadsheet prints it under format `code`; only the codes that our charts use."""
    found = _CODE.fullmatch(code)
    if found is None:
        raise OutputError("deck.format", f"A chart's label has the format {code!r}, which this check cannot read.")
    places = len(found["places"] or ".") - 1
    if not found["percent"] and not found["power"] and abs(formats.half_up(value, places)) >= formats.LONGEST:
        raise OutputError("deck.format", f"A chart's label prints {value} under {code!r}, which is not how it is told.")
    body = formats.percent(value, places) if found["percent"] else formats.number(value, places)
    if found["power"]:
        size = formats.scientific(value.copy_abs())
        body = f"({size})" if value < 0 else size
    return f"{found['prefix'] or ''}{body}"


def _check_places(slide: Any, number: int) -> None:
    """No shape beyond the slide; no table or chart on another or on the sources; no placeholder left empty.

    Shapes without a place of their own stand where the layout has them, which is the template's to get right.
    """
    tree = slide.shapes._spTree  # noqa: SLF001 - as printed_texts
    for one in tree.iterchildren(qn("p:sp")):
        if not any((node.text or "").strip() for node in one.iter(qn("a:t"))):
            raise OutputError("deck.placeholder", f"Slide {number}: {_name(one)!r} was left empty.")
    frames = [(one, _box(one.find(qn("p:xfrm")))) for one in tree.iterchildren(qn("p:graphicFrame"))]
    placed = [(node.getparent(), _box(node)) for node in tree.iter(qn("a:xfrm")) if node.getparent() is not tree[1]]
    for one, box in [*frames, *placed]:
        if min(box.left, box.top) < -_SLACK or box.left + box.width > grid.WIDTH + _SLACK or box.bottom > _LOWEST:
            raise OutputError("deck.beyond", f"Slide {number}: {_name(one)!r} stands beyond the slide's edge.")
    for at, (one, box) in enumerate(frames):
        if box.bottom > grid.SOURCES.top + _SLACK:
            raise OutputError("deck.overflow", f"Slide {number}: {_name(one)!r} runs into the sources.")
        if any(_overlap(box, other) for _, other in frames[at + 1 :]):
            raise OutputError("deck.overlap", f"Slide {number}: {_name(one)!r} stands on another table or chart.")


def _name(element: Any) -> str:
    return next((node.get("name") for node in element.iter(qn("p:cNvPr"))), "a shape")


def _box(place: Any) -> Box:
    corner, size = place.find(qn("a:off")), place.find(qn("a:ext"))
    return Box(int(corner.get("x")), int(corner.get("y")), int(size.get("cx")), int(size.get("cy")))


def _overlap(one: Box, other: Box) -> bool:
    across = one.left < other.left + other.width and other.left < one.left + one.width
    return across and one.top < other.bottom and other.top < one.bottom
