# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportAttributeAccessIssue=false
# The relaxations above are for lxml, which has no types.
"""An order for a deck carried out: planned, written in both editions, checked."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

from lxml import etree

from schemas.deal import Extraction
from schemas.documents import DocumentOrder, RenderedDocument
from tools.deck.check import check_deck
from tools.deck.freeze import freeze
from tools.deck.plan import plan_deck
from tools.deck.write import write_deck
from tools.figures.measures import portfolio

_PML = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


def render_deck(extraction: Extraction, order: DocumentOrder, as_of: date) -> RenderedDocument:
    """The deck that `order` asks for, draft and final from one plan, with every figure that it prints.

    The same extraction, order and day give the same bytes. Raises OutputError when the deck fails its own checks.
    """
    plan, registry = plan_deck(portfolio(extraction, as_of), order.title, order.emphasis, as_of)
    written = write_deck(plan, as_of)
    draft = freeze(written, as_of)
    check_deck(draft, registry, len(plan.slides))
    return RenderedDocument("deck", draft, final_edition(draft, as_of), len(plan.slides), registry.figures())


def final_edition(draft: bytes, day: date) -> bytes:
    """`draft` without the status mark on its slides; nothing else differs."""
    with zipfile.ZipFile(io.BytesIO(draft)) as package:
        names = [name for name in package.namelist() if name.startswith("ppt/slides/slide")]
        return freeze(draft, day, {name: _without_status(package.read(name)) for name in names})


def _without_status(slide: bytes) -> bytes:
    root: Any = etree.fromstring(slide)
    for shape in root.findall(f".//{_PML}sp"):
        if shape.find(f"{_PML}nvSpPr/{_PML}cNvPr").get("name") == "Status":
            shape.getparent().remove(shape)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
