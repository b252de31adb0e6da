"""The canvas that a memorandum is drawn on: text by direct operators, late forms, and two editions of one drawing.

reportlab's own string calls cost more than the rest of a large table; here all text of a table's page is one text
object. What is not known while a page is drawn (how many pages there are, where a chapter begins) is a form that the
page names and that is drawn at the end, so that one pass is enough. The status mark is such a form too: the draft has
it, and the final is the same objects written once more with that form empty.
"""

# pyright: reportUnknownMemberType=false
# The types known of reportlab's canvas lack those of most parameters.
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFZCompress
from reportlab.pdfgen.canvas import Canvas

from tools.figures.registry import FigureRegistry
from tools.figures.text import width
from tools.figures.tokens import COPPER, INK
from tools.memo.styles import FACES, Type, font_name

Align = Literal["l", "r", "c"]
MARK_SIZE = 6.4
CHAPTER_TOP = 640.0
"""A chapter that opens above this height opens its page."""
STATUS_FORMS = ("edition-cover", "edition-head")
"""The forms that hold the draft's mark; the final has them empty."""


class Run(NamedTuple):
    """A piece of text whose baseline starts at (`x`, `y`), in points."""

    x: float
    y: float
    text: str
    face: Type = "sans"
    size: float = 8.8
    color: str = INK


def wide(text: str, face: Type, size: float) -> float:
    """Points that `text` takes in `face`."""
    family, bold, italic = FACES[face]
    return width(text, size, family, bold, italic)


@lru_cache(maxsize=64)
def ink(color: str) -> Any:
    """Reportlab's colour of hex `color`."""
    return HexColor("#" + color)


@lru_cache(maxsize=64)
def _fill_operator(color: str) -> str:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return f"{red:.4g} {green:.4g} {blue:.4g} rg"


class MemoCanvas(Canvas):
    """A canvas that remembers what it wrote on each page, and ends as two editions.

    `drawn` has the texts of each page, `registry` the figures and quotations in them. `late` holds the forms to be
    drawn once the page count is known, by name. `draft` and `final` are the bytes after `save`.
    """

    def __init__(self, *args: Any, registry: FigureRegistry, **options: Any) -> None:
        super().__init__(*args, **options)
        self.registry = registry
        self._pdf: Any = vars(self)["_doc"]  # reportlab's document, of which no types are known
        # Every stream is deflated and none in base 85, which is slow and long.
        self._pdf.defaultStreamFilters = [PDFZCompress]
        self.drawn: dict[int, list[str]] = defaultdict(list)
        self.late: dict[str, Callable[[MemoCanvas], None]] = {}
        self.marked: set[int] = set()
        self.pages_of_places: dict[str, int] = {}
        self.chapter = self.page_chapter = ""
        self.pages = 0
        self._placed, self._place = -1, ""
        self.draft = self.final = b""

    @property
    def page(self) -> int:
        """The number of the page being drawn, from 1."""
        return int(self.getPageNumber())

    @property
    def place(self) -> str:
        """The page being drawn, as figures name it."""
        if self._placed != self.page:
            self._placed = self.page
            self._place = f"memo:{self._placed}"
        return self._place

    @property
    def fonts(self) -> set[str]:
        """The names of the fonts that are used."""
        return set(self._pdf.fontMapping)

    def write(self, runs: Iterable[Run], *, checked: bool = True) -> None:
        """Draws all `runs` as one text object; what is not `checked` (page numbers, marks) may hold any number."""
        operators: list[str] = ["q BT"]
        log = self.drawn[self.page] if checked else []
        face_now: tuple[str, float] | None = None
        color_now = ""
        for x, y, text, face, size, color in runs:
            log.append(text)
            if color != color_now:
                color_now = color
                operators.append(_fill_operator(color))
            operators.append(f"1 0 0 1 {x:.2f} {y:.2f} Tm")
            for font, shown in self._encoded(text, face):
                if (font, size) != face_now:
                    face_now = (font, size)
                    operators.append(f"{font} {size:g} Tf")
                operators.append(f"({shown}) Tj")
        self.addLiteral("\n".join([*operators, "ET Q"]))

    def _encoded(self, text: str, face: Type) -> Iterable[tuple[str, str]]:
        """`text` as font names and string operands; the first subset of each font is ASCII as it stands."""
        font: Any = pdfmetrics.getFont(font_name(face))
        if text.isascii():
            return ((font.getSubsetInternalName(0, self._pdf), _escape(text)),)
        parts = font.splitString(text, self._pdf)
        return [(font.getSubsetInternalName(subset, self._pdf), _octal(codes)) for subset, codes in parts]

    def put(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 8.5,
        face: Type = "sans",
        color: str = INK,
        align: Align = "l",
    ) -> None:
        """Draws one piece of text at, before or around `x`."""
        shift = {"l": 0.0, "r": 1.0, "c": 0.5}[align]
        self.write((Run(x - shift * wide(text, face, size) if shift else x, y, text, face, size, color),))

    def mark(self, number: int, x: float, y: float) -> None:
        """Draws a footnote's number, which leads to its row in appendix A; that row leads back to the first one."""
        text = str(number)
        self.write((Run(x, y, text, "bold", MARK_SIZE, COPPER),), checked=False)
        self.link(f"fig-{number}", x - 1, y - 1, wide(text, "bold", MARK_SIZE) + 2, MARK_SIZE + 2)
        self.first_use(number, y + 12)

    def first_use(self, number: int, y: float) -> None:
        """Makes this the place that appendix A's row `number` leads back to, unless there is one."""
        if number not in self.marked:
            self.marked.add(number)
            self.anchor(f"use-{number}", y)

    def begin_page(self) -> None:
        """Starts a page's running head with the chapter in force."""
        self.page_chapter = self.chapter

    def open_place(self, level: int, label: str, key: str, y: float, *, chapter: bool = True) -> None:
        """Enters a heading into the outline; a chapter at the top of a page is what the running head names."""
        self.anchor(key, y + 8)
        self.addOutlineEntry(label, key, level, closed=level > 0)
        self.pages_of_places[key] = self.page
        if chapter:
            fresh = self.absolutePosition(0, y)[1] > CHAPTER_TOP or not self.page_chapter
            self.chapter, self.page_chapter = label, label if fresh else self.page_chapter

    def block(self, x: float, y: float, wide_pt: float, high_pt: float, color: str) -> None:
        """Fills a rectangle."""
        self.blocks(((x, y, wide_pt, high_pt, color),))

    def blocks(self, boxes: Iterable[tuple[float, float, float, float, str]]) -> None:
        """Fills rectangles, each (x, y, width, height, colour)."""
        drawn = [f"{_fill_operator(c)} {x:.2f} {y:.2f} {w:.2f} {h:.2f} re f" for x, y, w, h, c in boxes]
        if drawn:
            self.addLiteral("\n".join(["q", *drawn, "Q"]))

    def rule(self, x0: float, y0: float, x1: float, y1: float, color: str, weight: float = 0.5) -> None:
        """Draws a line in the dash that is set."""
        self.rules(((x0, y0, x1, y1),), color, weight)

    def rules(self, lines: Iterable[tuple[float, float, float, float]], color: str, weight: float = 0.5) -> None:
        """Draws lines of one colour and weight."""
        drawn = " ".join(f"{x0:.2f} {y0:.2f} m {x1:.2f} {y1:.2f} l" for x0, y0, x1, y1 in lines)
        if drawn:
            self.addLiteral(f"q {_fill_operator(color).upper()} {weight:g} w {drawn} S Q")

    def dots(self, points: Iterable[tuple[float, float]], radius: float, color: str) -> None:
        """Draws discs, each a line of no length with round ends."""
        drawn = " ".join(f"{x:.2f} {y:.2f} m {x:.2f} {y:.2f} l" for x, y in points)
        if drawn:
            self.addLiteral(f"q 1 J [] 0 d {_fill_operator(color).upper()} {2 * radius:g} w {drawn} S Q")

    def polyline(self, points: Sequence[tuple[float, float]], color: str, weight: float) -> None:
        """Draws a line through `points`."""
        (x0, y0), *others = points
        drawn = " ".join(f"{x:.2f} {y:.2f} l" for x, y in others)
        self.addLiteral(f"q {_fill_operator(color).upper()} {weight:g} w {x0:.2f} {y0:.2f} m {drawn} S Q")

    def anchor(self, key: str, y: float) -> None:
        """Makes `key` the name of the place at height `y` (in the current coordinates) of this page."""
        _, top = self.absolutePosition(0, y)
        self.bookmarkPage(key, fit="XYZ", left=0, top=top)

    def link(self, key: str, x: float, y: float, wide_pt: float, high_pt: float) -> None:
        """Makes a rectangle lead to the place named `key`."""
        self.linkRect("", key, (x, y, x + wide_pt, y + high_pt), relative=1)

    def defer(self, form: str, draw: Callable[[MemoCanvas], None]) -> None:
        """Draws form `form` on this page; `draw` is called with this canvas when all pages are done."""
        self.late[form] = draw
        self.doForm(form)

    def save(self) -> None:
        """Draws the late forms, and writes both editions from the same objects."""
        self.pages = self.page - 1
        for name, draw in self.late.items():
            self.beginForm(name)
            draw(self)
            self.endForm()
        document = self._pdf
        self.draft = bytes(cast("bytes", self.getpdfdata()))
        for name in STATUS_FORMS:
            form = document.idToObject[document.getXObjectName(name)]
            form.stream, form.Contents = " ", None
        document._ID = None  # noqa: SLF001 -- reportlab keeps the file's identifier here; the editions are two files
        document.updateSignature(b"final")
        self.final = bytes(document.format())


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _octal(codes: bytes) -> str:
    return "".join(chr(code) if 32 <= code < 127 and code not in b"()\\" else f"\\{code:03o}" for code in codes)
