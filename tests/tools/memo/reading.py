"""Reading a memorandum back as pypdfium2 sees it: texts without raised marks, the outline, links, boxes of text."""

from __future__ import annotations

import ctypes
import re
from datetime import date
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from schemas.deal import Extraction
from schemas.documents import DocumentOrder, Emphasis, RenderedDocument
from tools.figures.registry import FigureRegistry
from tools.memo.brief import Brief, brief
from tools.memo.canvas import MemoCanvas
from tools.memo.cover import cover
from tools.memo.pages import Memorandum, Setting
from tools.memo.render import render_memo, story_of

AS_OF = date(2026, 11, 30)
MARK_SIZES = (6.4, 6.6)
"""The sizes of raised marks, which are footnotes' numbers and no figures."""


def order(emphasis: Emphasis = "income", title: str = "Project Tamarack") -> DocumentOrder:
    """An order for a memorandum."""
    return DocumentOrder(kind="memo", title=title, emphasis=emphasis)


def rendered(extraction: Extraction, emphasis: Emphasis = "income") -> RenderedDocument:
    """The memorandum of `extraction`."""
    return render_memo(extraction, order(emphasis), AS_OF)


def laid_out(extraction: Extraction, emphasis: Emphasis = "income") -> tuple[MemoCanvas, FigureRegistry, Brief]:
    """The canvas, the register and the subject of a memorandum, before its own checks."""
    subject, registry = brief(extraction, order(emphasis), AS_OF), FigureRegistry()
    setting = Setting("Project Tamarack", extraction.source.filename, AS_OF)
    return Memorandum(setting, cover(subject), registry).lay_out(story_of(subject)), registry, subject


def page_texts(data: bytes, *, marks: bool = False) -> list[str]:
    """The text of each page; without `marks`, what is as small as a raised mark is left out."""
    document = pdfium.PdfDocument(data)
    return [_text(document[at].get_textpage(), marks) for at in range(len(document))]


def _text(page: Any, marks: bool) -> str:
    whole = page.get_text_range()
    if marks:
        return whole
    sizes = [round(raw.FPDFText_GetFontSize(page, at), 1) for at in range(page.count_chars())]
    assert len(sizes) >= len(whole)
    return "".join(" " if size in MARK_SIZES else char for char, size in zip(whole, sizes, strict=False))


def flat(text: str) -> str:
    """`text` with each run of white space as one space."""
    return re.sub(r"\s+", " ", text)


def without_folio(text: str) -> str:
    """`text` without the page's number."""
    return re.sub(r"Page \d+ of \d+", "", text)


def outline(data: bytes) -> list[tuple[int, str, int]]:
    """Level, title and page (from 1) of each bookmark."""
    entries = pdfium.PdfDocument(data).get_toc()
    return [(one.level, one.get_title(), one.get_dest().get_index() + 1) for one in entries]


def link_targets(data: bytes, page: int) -> list[int]:
    """The pages (from 1) that the links of `page` lead to."""
    document = pdfium.PdfDocument(data)
    loaded, found, position = document[page - 1], [], ctypes.c_int(0)
    link = raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(loaded, ctypes.byref(position), ctypes.byref(link)):
        target = raw.FPDFLink_GetDest(document, link)
        found.append(raw.FPDFDest_GetDestPageIndex(document, target) + 1)
    return found


def boxes(data: bytes) -> list[tuple[int, tuple[float, float, float, float]]]:
    """Page and left, bottom, right, top of each run of text."""
    document = pdfium.PdfDocument(data)
    found: list[tuple[int, tuple[float, float, float, float]]] = []
    for at in range(len(document)):
        page = document[at].get_textpage()
        found += [(at + 1, page.get_rect(number)) for number in range(page.count_rects())]
    return found
