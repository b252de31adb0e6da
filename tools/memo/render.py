"""The memorandum of an extraction, in both editions."""

from __future__ import annotations

from datetime import date

from reportlab.platypus import Flowable, NextPageTemplate, PageBreak

from schemas.deal import Extraction
from schemas.documents import DocumentOrder, RenderedDocument
from schemas.errors import OutputError
from tools.figures.registry import FigureRegistry
from tools.memo.appendices import appendix_a, appendix_b, appendix_c, texts_in_full
from tools.memo.brief import Brief, brief
from tools.memo.chapters import deal_chapters
from tools.memo.check import check
from tools.memo.cover import cover
from tools.memo.flow import Entry, Heading, Opening
from tools.memo.ledger import Ledger
from tools.memo.pages import Memorandum, Setting
from tools.memo.quality import method_chapter, quality_chapter
from tools.memo.summary import executive, opening, portfolio_chapter


def render_memo(extraction: Extraction, order: DocumentOrder, as_of: date) -> RenderedDocument:
    """The PDF memorandum that `order` asks for, as of the day of the upload.

    The same extraction, order and day give the same bytes. Raises OutputError when the result fails its own checks.
    """
    if not extraction.deal_count:
        raise OutputError("memo.no_deals", "There is no deal to print a memorandum of.")
    subject = brief(extraction, order, as_of)
    registry = FigureRegistry()
    story = story_of(subject)
    setting = Setting(order.title, extraction.source.filename, as_of)
    canvas = Memorandum(setting, cover(subject), registry).lay_out(story)
    check(canvas, registry, subject.marks)
    return RenderedDocument("memo", canvas.draft, canvas.final, canvas.pages, registry.figures())


def story_of(subject: Brief) -> list[Flowable]:
    """Everything after the cover; appendix A comes to be when all marks are known, full texts when all tables are."""
    front = [
        *executive(subject),
        *portfolio_chapter(subject),
        *deal_chapters(subject),
        *quality_chapter(subject),
        *method_chapter(subject),
    ]
    back = [*appendix_b(subject), *appendix_c(subject)]
    body = [*front, *appendix_a(subject), *back, *texts_in_full(subject)]
    places = [one.title if isinstance(one, Ledger) else one for one in body]
    entries = [
        Entry(one.level, one.label, one.key) for one in places if isinstance(one, Heading | Opening) and one.level >= 0
    ]
    return [NextPageTemplate("page"), PageBreak(), *opening(subject, entries), PageBreak(), *body]
