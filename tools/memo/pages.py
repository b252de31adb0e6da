"""The pages: cover, running head and foot, and the one pass that lays a story out on them."""

# pyright: reportUnknownMemberType=false
# The types known of reportlab's documents lack those of options.
from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from tools.figures import formats
from tools.figures.citations import dated
from tools.figures.registry import FigureRegistry
from tools.figures.text import clip
from tools.figures.tokens import COPPER, GOLD, HAIR, SLATE
from tools.memo.canvas import STATUS_FORMS, MemoCanvas, Run, ink, wide
from tools.memo.charts import Paint
from tools.memo.glyphs import drawable
from tools.memo.styles import FOOT_Y, FRAME_BOTTOM, FRAME_TOP, HEAD_Y, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, WIDE, font_name

DRAFT_MARK = "DRAFT · NOT APPROVED"
CONFIDENTIAL = "Confidential"


@dataclass(frozen=True, slots=True)
class Setting:
    """What every page says: the title, the file that was read, and the day as of which it was."""

    title: str
    filename: str
    as_of: date

    @property
    def name(self) -> str:
        """The document's title, in its properties and on its cover."""
        return drawable(self.title)


def stamp(canvas: MemoCanvas, x: float, y: float, color: str) -> None:
    """The draft's mark in an outline."""
    canvas.setStrokeColor(ink(color))
    canvas.setLineWidth(0.8)
    width = wide(DRAFT_MARK, "bold", 8) + 16
    canvas.rect(x, y, width, 14, stroke=1, fill=0)
    canvas.put(x + width / 2, y + 4.2, DRAFT_MARK, 8, "bold", color, "c")


class Memorandum(BaseDocTemplate):
    """Lays a story out in one pass; the first page is the cover."""

    def __init__(self, setting: Setting, cover: Paint, registry: FigureRegistry) -> None:
        super().__init__(
            io.BytesIO(), pagesize=(PAGE_WIDTH, PAGE_HEIGHT), title=setting.name, author="dealwright",
            creator="dealwright", subject="Portfolio memorandum", lang="en-US", invariant=1, pageCompression=0,
            initialFontName=font_name("sans"), displayDocTitle=True,
        )  # fmt: skip
        self.setting, self.cover, self.registry = setting, cover, registry
        frame = Frame(MARGIN, FRAME_BOTTOM, WIDE, FRAME_TOP - FRAME_BOTTOM, 0, 0, 0, 0)
        self.addPageTemplates([
            PageTemplate("cover", [Frame(MARGIN, FRAME_BOTTOM, WIDE, 600, 0, 0, 0, 0)], onPage=self._cover),
            PageTemplate("page", [frame], onPage=self._begin, onPageEnd=self._furnish),
        ])  # fmt: skip

    def lay_out(self, story: Sequence[Flowable]) -> MemoCanvas:
        """The canvas with both editions on it."""
        made: list[MemoCanvas] = []
        day = f"D:{self.setting.as_of:%Y%m%d}000000+00'00'"

        def dated(*_: int) -> str:
            return day

        def make(*args: Any, **options: Any) -> MemoCanvas:
            made.append(MemoCanvas(*args, registry=self.registry, **options))
            made[0].setDateFormatter(dated)
            return made[0]

        self.build(list(story), canvasmaker=make)
        return made[0]

    def _cover(self, drawn_on: Canvas, _: Any) -> None:
        canvas = cast("MemoCanvas", drawn_on)
        canvas.showOutline()
        canvas.open_place(0, "Cover", "cover", PAGE_HEIGHT)
        self.cover(canvas, PAGE_WIDTH, PAGE_HEIGHT)
        canvas.defer(STATUS_FORMS[0], lambda late: stamp(late, MARGIN, 716, GOLD))

    def _begin(self, drawn_on: Canvas, _: Any) -> None:
        cast("MemoCanvas", drawn_on).begin_page()

    def _furnish(self, drawn_on: Canvas, _: Any) -> None:
        canvas = cast("MemoCanvas", drawn_on)
        title = clip(self.setting.name, 8.5, 190, "sans", True)
        mark = wide(DRAFT_MARK, "bold", 8) + 16
        canvas.put(MARGIN, HEAD_Y, title, 8.5, "bold", SLATE)
        left = MARGIN + wide(title, "bold", 8.5) + 8
        canvas.put(
            left, HEAD_Y, clip(canvas.page_chapter, 8.5, PAGE_WIDTH - MARGIN - mark - 10 - left), 8.5, "sans", SLATE
        )
        canvas.rule(MARGIN, HEAD_Y - 11, PAGE_WIDTH - MARGIN, HEAD_Y - 11, HAIR)
        canvas.rule(MARGIN, FOOT_Y + 13, PAGE_WIDTH - MARGIN, FOOT_Y + 13, HAIR)
        file = clip(drawable(self.setting.filename), 8.5, 260)
        foot = f"{formats.day(self.setting.as_of)}  ·  {file}  ·  {CONFIDENTIAL}"
        canvas.put(MARGIN, FOOT_Y, foot, 8.5, "sans", SLATE)
        canvas.registry.show(dated(self.setting.as_of), canvas.place)
        for text in (title, canvas.page_chapter, file):
            canvas.registry.quote(text, canvas.place)
        page = canvas.page
        canvas.defer(f"foot-{page}", lambda late: _folio(late, page))
        canvas.defer(STATUS_FORMS[1], lambda late: stamp(late, PAGE_WIDTH - MARGIN - mark, HEAD_Y - 4, COPPER))


def _folio(canvas: MemoCanvas, page: int) -> None:
    text = f"Page {page} of {canvas.pages}"
    x = PAGE_WIDTH - MARGIN - wide(text, "bold", 8.5)
    canvas.write((Run(x, FOOT_Y, text, "bold", 8.5, SLATE),), checked=False)
