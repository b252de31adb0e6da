"""The cover: the title, what the memorandum holds, and the skyline, a block a deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tools.figures import formats
from tools.figures.citations import dated
from tools.figures.findings import in_words
from tools.figures.registry import Quoted, Sentence, counted, sentence
from tools.figures.series import Series
from tools.figures.text import clip, lines
from tools.figures.tokens import DEEP, HAIR, PAPER, ROOFS, SKY, SLATE, WHITE, blend
from tools.figures.verbs import in_currency
from tools.memo.brief import Brief
from tools.memo.canvas import MemoCanvas, wide
from tools.memo.charts import Paint, kind_colors
from tools.memo.glyphs import drawable, in_serif
from tools.memo.styles import MARGIN, WIDE, Type

MOST_BLOCKS = 48
DISCLAIMER = (
    "A summary of one workbook; not an appraisal, not an offer, not advice. "
    "Every figure leads to the cells that it came from."
)


class Block(NamedTuple):
    """A deal in the skyline: its record, and its width and height as parts of the whole and of the tallest."""

    record: int
    width: float
    height: float


def blocks(brief: Brief) -> Sequence[Block]:
    """A block a deal: width by area (alike where there is none), height by what leads; of many the greatest."""
    measured, lead = brief.measured, brief.lead
    chosen = sorted(brief.ranked[:MOST_BLOCKS]) if measured.count > MOST_BLOCKS else range(measured.count)
    area = None if lead is not None and lead.key == "area" else measured.measures.get("area")
    sizes = [float(area.values[i] or 0) if area else 0.0 for i in chosen]
    typical = sorted(size for size in sizes if size > 0)
    middle = typical[len(typical) // 2] if typical else 1.0
    widths = [max(size, middle * 0.12) if size > 0 else middle * 0.5 for size in sizes]
    heights = [height_of(lead, i) if lead else 1.0 for i in chosen]
    whole, top = sum(widths) or 1.0, max(heights, default=0.0) or 1.0
    return [Block(i, w / whole, max(h / top, 0.02)) for i, w, h in zip(chosen, widths, heights, strict=True)]


def height_of(lead: Series, record: int) -> float:
    """How high the block of `record` is in the unit of `lead`: 0 where it has nothing, or another currency."""
    return 0.0 if record in lead.foreign else max(float(lead.values[record] or 0), 0.0)


def skyline_note(brief: Brief) -> str:
    """What the skyline draws, in words without a number."""
    measured, lead = brief.measured, brief.lead
    many = f", the {measured.profile.nouns} greatest by {lead.label}" if lead and measured.count > MOST_BLOCKS else ""
    return f"Each block is one {measured.profile.noun}{many}: {block_note(brief)}."


def block_note(brief: Brief) -> str:
    """`width is area, height is NOI`."""
    measured, lead = brief.measured, brief.lead
    width = "width is area, " if "area" in measured.measures and lead is not None and lead.key != "area" else ""
    height = f"height is {lead.label}{in_currency(lead)}" if lead else "all alike, for the file has no amount"
    return width + height + (", those in another currency lie flat" if lead and lead.foreign else "")


def dark_skyline(brief: Brief) -> Paint:
    """The skyline on the cover's ground; the roof is the kind."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        made = blocks(brief)
        gap = width * 0.004 if len(made) <= 24 else width * 0.0015
        x, room = 0.0, width - gap * (len(made) - 1)
        for at, (record, share, high) in enumerate(made):
            wide_pt, high_pt = share * room, high * height
            canvas.block(x, 0, wide_pt, high_pt, blend(DEEP, SKY, 0.16 + 0.10 * (at % 3)))
            kind = brief.group(record)
            roof = SLATE if kind is None else ROOFS[kind % len(ROOFS)]
            canvas.block(x, high_pt - 2, wide_pt, 2, roof)
            number = brief.measured.number(record)
            label = number.text
            if wide(label, "bold", 7.5) < wide_pt - 2 and high_pt > 16:
                canvas.put(x + wide_pt / 2, 6, canvas.registry.show(number, canvas.place), 7.5, "bold", WHITE, "c")
            x += wide_pt + gap

    return paint


def locator(brief: Brief, only: int) -> Paint:
    """The skyline in grey with one block in its kind's colour: where a deal stands among the others."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        made = blocks(brief)
        gap = width * 0.004 if len(made) <= 24 else width * 0.0015
        x, room = 0.0, width - gap * (len(made) - 1)
        for record, share, high in made:
            color = kind_colors(brief.group(record))[0] if record == only else HAIR
            canvas.block(x, 0, share * room, high * height, color)
            x += share * room + gap

    return paint


def cover(brief: Brief) -> Paint:
    """The whole first page, but for the status mark."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        canvas.block(0, 0, width, height, DEEP)
        y = _title(canvas, drawable(brief.order.title))
        canvas.put(MARGIN, y, "Portfolio memorandum", 17, "sans", SKY)
        canvas.registry.show(brief.measured.deals(brief.measured.count), canvas.place)
        for at, line in enumerate(_lines(brief)):
            canvas.put(MARGIN, y - 34 - 16 * at, canvas.registry.say(line, canvas.place), 11.5, "sans", PAPER)
        canvas.saveState()
        canvas.translate(0, 118)
        dark_skyline(brief)(canvas, width, 250)
        canvas.restoreState()
        canvas.put(MARGIN, 96, canvas.registry.quote(skyline_note(brief), canvas.place), 9, "sans", SKY)
        _roof_key(canvas, brief)
        for at, line in enumerate(lines(DISCLAIMER, 8.5, WIDE * 0.9)):
            canvas.put(MARGIN, 52 - 11 * at, line, 8.5, "sans", PAPER)

    return paint


def _title(canvas: MemoCanvas, title: str) -> float:
    """Draws the title in the largest size that takes at most three lines; the height below it comes back."""
    face: Type = "serif" if in_serif(title) else "bold"
    family, bold = ("serif", False) if face == "serif" else ("sans", True)
    size = next((s for s in (44.0, 36.0, 30.0, 26.0) if len(lines(title, s, WIDE, family, bold)) <= 2), 22.0)
    broken = lines(title, size, WIDE, family, bold)[:4]
    y = 585 + size * 1.16 * (len(broken) - 1) * 0.5
    for line in broken:
        canvas.put(MARGIN, y, canvas.registry.quote(line, canvas.place), size, face, WHITE)
        y -= size * 1.16
    return y + size * 1.16 - 32


def _lines(brief: Brief) -> tuple[Sentence, ...]:
    measured = brief.measured
    count = in_words(measured, measured.count, "on the cover", capital=True)
    others = len(brief.extraction.tables) - 1
    more = counted(others, "other tables", "tables beside the main one", text=formats.count_word(others))
    beside = sentence(" and ", more, f" other table{'s' if others > 1 else ''}") if others else None
    source = clip(drawable(brief.extraction.source.filename), 11.5, 300)
    read = sentence(Quoted(source), "  ·  read ", dated(brief.as_of))
    return sentence(count, f" {measured.noun(measured.count)}", beside), read


def _roof_key(canvas: MemoCanvas, brief: Brief) -> None:
    x = MARGIN
    for at, group in enumerate(brief.kinds.groups if brief.kinds else ()):
        text = clip(drawable(group.label), 9, 110)
        canvas.block(x, 79, 7, 7, ROOFS[at % len(ROOFS)])
        canvas.put(x + 11, 79, canvas.registry.quote(text, canvas.place), 9, "sans", SKY)
        x += 29 + wide(text, "sans", 9)
