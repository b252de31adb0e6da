"""What a memorandum's pages are filled with: words with footnotes, headings, drawings, the risk box, the contents."""

# pyright: reportIncompatibleMethodOverride=false
# reportlab calls wrap and split by position, so its names for their parameters need not be ours.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph

from schemas.figures import Figure
from tools.figures.registry import Emphasised, Quoted, Sentence
from tools.figures.text import clip, lines
from tools.figures.tokens import COPPER, INK, PAPER, SLATE
from tools.memo.canvas import MemoCanvas, Run, wide
from tools.memo.charts import Paint
from tools.memo.glyphs import drawable, in_serif
from tools.memo.styles import BODY_HEIGHT, WIDE, font_name, styles


class Marks:
    """The one numbering of footnotes: a figure has its number from its first mark on, and a row in appendix A."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.figures: list[Figure] = []

    def number(self, figure: Figure) -> int:
        """The number of `figure`'s mark."""
        if figure.id not in self._numbers:
            self.figures.append(figure)
            self._numbers[figure.id] = len(self.figures)
        return self._numbers[figure.id]


class Words(Paragraph):
    """A paragraph of a sentence; its figures are noted, and each carries its mark."""

    def __init__(self, text: Any, style: Any, *args: Any, **options: Any) -> None:
        super().__init__(text, style, *args, **options)
        self.said: Sentence | None = None
        self.numbers: tuple[int, ...] = ()

    def split(self, wide_pt: float, high_pt: float) -> list[Any]:
        """The part that fits and the rest; what is said counts where it begins."""
        parts = list(super().split(wide_pt, high_pt))
        first = cast("Words", parts[0]) if parts else self
        first.said, first.numbers = self.said, self.numbers
        return parts

    def draw(self) -> None:
        """Draws the words, notes their figures, and makes them where appendix A leads back to."""
        canvas = cast("MemoCanvas", self.canv)
        if self.said is not None:
            canvas.drawn[canvas.page].append(drawable(self.said.text))
            for part in self.said.parts:
                if isinstance(part, Figure):
                    canvas.registry.show(part, canvas.place)
                elif isinstance(part, Quoted):
                    canvas.registry.quote(drawable(part.text), canvas.place)
        for number in self.numbers:
            canvas.first_use(number, self.height)
        super().draw()


def words(
    said: Sentence, style: str = "body", marks: Marks | None = None, lead: str = "", *, sparing: bool = False
) -> Words:
    """The paragraph of `said` in `style`; with `marks`, each figure has its footnote. `lead` stands before it in bold.

    `sparing` leaves out the footnotes of counts, and of values as stated, where a table beneath gives their cells.
    """
    numbers: list[int] = []
    pieces = [f"<b>{escape(lead)}</b> "] if lead else []
    for part in said.parts:
        text = escape(drawable(part if isinstance(part, str) else part.text))
        pieces.append(f"<b>{text}</b>" if isinstance(part, Emphasised) else text)
        if marks is not None and isinstance(part, Figure) and part.cells and not (sparing and _evident(part)):
            numbers.append(marks.number(part))
            pieces.append(_mark(numbers[-1]))
    made = Words("".join(pieces), styles()[style])
    made.said, made.numbers = said, tuple(numbers)
    return made


def _evident(shown: Figure) -> bool:
    return shown.unit == "count" or shown.derivation == "as stated"


def plain(text: str, style: str = "body") -> Words:
    """A paragraph of words that hold no number."""
    return words(Sentence((text,)), style)


def _mark(number: int) -> str:
    link = f'<a href="#fig-{number}" color="#{COPPER}">{number}</a>'
    return f'<super size="6.6" rise="3.2"><font name="{font_name("bold")}" color="#{COPPER}">{link}</font></super>'


class Heading(Paragraph):
    """A heading that opens a place in the outline and the contents; `label` is what those call it."""

    def __init__(self, text: Any, style: Any, *args: Any, **options: Any) -> None:
        super().__init__(text, style, *args, **options)
        self.level, self.key, self.label, self.chapter = -1, "", "", False
        self.said: Sentence | None = None

    def draw(self) -> None:
        """Draws the heading and opens its place."""
        canvas = cast("MemoCanvas", self.canv)
        if self.said is not None:
            canvas.drawn[canvas.page].append(drawable(self.said.text))
            for part in self.said.parts:
                if isinstance(part, Figure):
                    canvas.registry.show(part, canvas.place)
                elif isinstance(part, Quoted):
                    canvas.registry.quote(drawable(part.text), canvas.place)
        if self.level >= 0:
            canvas.open_place(self.level, self.label, self.key, self.height, chapter=self.chapter)
        super().draw()


def heading(said: Sentence, level: int, key: str = "", label: str = "", *, under: bool = False) -> Heading:
    """A heading; without `key` it opens nothing. Text that the serif lacks is set in the sans.

    `under` makes a chapter's heading an entry of the second level: one of many alike.
    """
    text = drawable(said.text)
    markup = escape(text) if in_serif(text) else f'<font name="{font_name("bold")}">{escape(text)}</font>'
    made = Heading(markup, _fitted(text) if level == 0 else styles()["h2"])
    made.said = said
    if key:
        made.level, made.key, made.label, made.chapter = 1 if under else level, key, drawable(label) or text, level == 0
    return made


def _fitted(text: str) -> ParagraphStyle:
    """The style of a chapter's heading, a little smaller where that saves a second line of a word or two."""
    style = styles()["h1"]
    size = next((s for s in (22.0, 21.0, 20.0) if len(lines(text, s, WIDE, "serif")) == 1), 22.0)
    return style if size == 22.0 else ParagraphStyle(f"h1-{size:g}", parent=style, fontSize=size)


class Opening(Flowable):
    """Opens a place in the outline and the contents without a heading: the chapters under it are many alike."""

    def __init__(self, label: str, key: str) -> None:
        super().__init__()
        self.level, self.label, self.key = 0, label, key

    def wrap(self, *_: Any) -> tuple[float, float]:
        """It takes no room."""
        return 0, 0

    def draw(self) -> None:
        """Opens the place."""
        cast("MemoCanvas", self.canv).open_place(0, self.label, self.key, 0)


class Drawing(Flowable):
    """A vector drawing across the page; its height is fixed, and `air` lies under it."""

    def __init__(self, height: float, paint: Paint, air: float = 0.0) -> None:
        super().__init__()
        self.high, self.air, self.paint = height, air, paint

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size that it takes."""
        return WIDE, self.high + self.air

    def draw(self) -> None:
        """Draws it, leaving the canvas as it was."""
        canvas = cast("MemoCanvas", self.canv)
        canvas.saveState()
        canvas.translate(0, self.air)
        self.paint(canvas, WIDE, self.high)
        canvas.restoreState()


LEAST_OF_CHARTS = 0.7
"""The part of their height that charts may be drawn in, so as to stand on the page that they would just miss."""


class Charts(Flowable):
    """Charts under one another on one page, each with its finding over it and its note under it.

    Where they would just miss the page they are drawn lower, and where that is not enough they begin the next together.
    """

    def __init__(self, parts: Sequence[tuple[Words, Drawing, Words]]) -> None:
        super().__init__()
        self.parts = parts
        self.natural = [drawing.high for _, drawing, _ in parts]
        self.spaceBefore: float = float(parts[0][0].getSpaceBefore())
        self.spaceAfter: float = float(parts[-1][2].getSpaceAfter())

    def wrap(self, wide_pt: float, high_pt: float) -> tuple[float, float]:
        """The size that they take in a frame that has `high_pt` left."""
        for (_, drawing, _), height in zip(self.parts, self.natural, strict=True):
            drawing.high = height
        spare = high_pt - self._height()
        whole = sum(self.natural)
        if -(1 - LEAST_OF_CHARTS) * whole <= spare < 0:
            for (_, drawing, _), height in zip(self.parts, self.natural, strict=True):
                drawing.high = height * (1 + (spare - 0.1) / whole)
        return wide_pt, self._height()

    def _height(self) -> float:
        return sum(above + height for _, above, height in self._laid())

    def _laid(self) -> list[tuple[Flowable, float, float]]:
        """Each piece with the air over it and its height, from the top."""
        laid: list[tuple[Flowable, float, float]] = []
        for at, (finding, drawing, note) in enumerate(self.parts):
            over = 0.0
            if at:
                over = max(float(finding.getSpaceBefore()), float(self.parts[at - 1][2].getSpaceAfter()))
            pieces: tuple[tuple[Flowable, float], ...] = ((finding, over), (drawing, 2.0), (note, 0.0))
            laid += [(piece, air, float(piece.wrap(WIDE, BODY_HEIGHT)[1])) for piece, air in pieces]
        return laid

    def draw(self) -> None:
        """Draws the pieces from the top."""
        y = self._height()
        for piece, above, height in self._laid():
            y -= above + height
            piece.drawOn(self.canv, 0, y)


class RiskBox(Flowable):
    """Words on paper grey with a copper edge: the one thing to look at."""

    def __init__(self, inside: Words) -> None:
        super().__init__()
        self.inside, self.high = inside, 0.0

    def wrap(self, wide_pt: float, _: Any) -> tuple[float, float]:
        """The size that it takes."""
        _, height = self.inside.wrap(wide_pt - 32, 10_000)
        self.high = float(height) + 18
        return wide_pt, self.high

    def draw(self) -> None:
        """Draws the ground, the edge and the words."""
        canvas = cast("MemoCanvas", self.canv)
        canvas.block(0, 0, WIDE, self.high, PAPER)
        canvas.block(0, 0, 4, self.high, COPPER)
        self.inside.drawOn(canvas, 16, 9)


class Entry(NamedTuple):
    """A line of the contents."""

    level: int
    label: str
    key: str


class Contents(Flowable):
    """The contents: each line leads to its place; the page numbers are drawn when all pages are done."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.entries = entries

    @staticmethod
    def _heights(entries: Sequence[Entry]) -> list[float]:
        return [22.0 if entry.level == 0 else 13.0 for entry in entries]

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size that it takes."""
        return WIDE, sum(self._heights(self.entries))

    def split(self, _: Any, room: float) -> list[Flowable]:
        """The lines that fit, and the others."""
        taken, left = 0, room
        for height in self._heights(self.entries):
            if height > left:
                break
            left -= height
            taken += 1
        return [Contents(self.entries[:taken]), Contents(self.entries[taken:])] if taken else []

    def draw(self) -> None:
        """Draws the lines, and asks for their page numbers later."""
        canvas = cast("MemoCanvas", self.canv)
        _, y = self.wrap()
        runs: list[Run] = []
        places: list[tuple[Entry, float]] = []
        for entry, height in zip(self.entries, self._heights(self.entries), strict=True):
            y -= height
            face, size, color = ("bold", 10.5, INK) if entry.level == 0 else ("sans", 10.0, SLATE)
            runs.append(Run(14.0 * entry.level, y + 3, _short(entry.label, face == "bold", size), face, size, color))
            canvas.link(entry.key, 0, y, WIDE, height if entry.level else 14)
            places.append((entry, y + 3))
        canvas.write(runs, checked=False)
        canvas.defer(f"contents-{canvas.page}", lambda late: _page_numbers(late, places))


def _short(label: str, bold: bool, size: float) -> str:
    return clip(label, size, WIDE - 60, "sans", bold)


def _page_numbers(canvas: MemoCanvas, places: Sequence[tuple[Entry, float]]) -> None:
    runs: list[Run] = []
    for entry, y in places:
        text = str(canvas.pages_of_places.get(entry.key, ""))
        face, size, color = ("bold", 10.5, INK) if entry.level == 0 else ("sans", 10.0, SLATE)
        runs.append(Run(WIDE - wide(text, face, size), y, text, face, size, color))
    canvas.write(runs, checked=False)
