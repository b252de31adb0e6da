"""How a table's measured rows become text runs, chips, marks, links and notes in the register."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tools.figures.formats import NOT_PROVIDED
from tools.figures.registry import NUMBER
from tools.figures.tokens import SLATE
from tools.memo.canvas import MARK_SIZE, Align, MemoCanvas, Run, wide
from tools.memo.styles import Type

if TYPE_CHECKING:
    from tools.memo.ledger import Cell

SMALL_LEADING = 0.93
"""The leading of a cell's small second line, as a part of the table's."""


class Laid(NamedTuple):
    """A row measured: its height, and each cell with its lines, their size and its small second line."""

    height: float
    cells: Sequence[Cell]
    main: Sequence[Sequence[str]]
    small: Sequence[str]
    sizes: Sequence[float]


def mark_width(number: int) -> float:
    """Points that a footnote's mark takes beside its text."""
    return wide(str(number), "bold", MARK_SIZE) + 2.2


def start_of(align: Align, text: str, font: tuple[Type, float], edge: tuple[float, float]) -> float:
    """Where `text` begins between the edges of its column."""
    left, right = edge
    if align == "l":
        return left
    free = right - left - wide(text, *font)
    return left + (free if align == "r" else free / 2)


class TableWriter:
    """Collects what one page shows of a table: `runs` of text and `chips` to fill; `type` is size, leading, padding."""

    def __init__(
        self,
        canvas: MemoCanvas,
        measures: tuple[float, float, float],
        aligns: Sequence[Align],
        edges: Sequence[tuple[float, float]],
    ) -> None:
        self.canvas, self.registry, self.place = canvas, canvas.registry, canvas.place
        self.size, self.leading, self.pad = measures
        self.aligns, self.edges = aligns, edges
        self.runs: list[Run] = []
        self.chips: list[tuple[float, float, float, float, str]] = []

    def head(self, heads: Sequence[str], broken: Sequence[Sequence[str]], rule: float) -> None:
        """The head's lines, the last just over the rule."""
        size = self.size - 0.6
        lowest = rule + self.pad + self.leading * 0.3
        for head, texts, align, edge in zip(heads, broken, self.aligns, self.edges, strict=True):
            self.registry.quote(head, self.place)
            for at, text in enumerate(reversed(texts)):
                x = start_of(align, text, ("bold", size), edge)
                self.runs.append(Run(x, lowest + at * (size + 2), text, "bold", size, SLATE))

    def row(self, row: Laid, top: float, *, strong: bool) -> None:
        """A row whose upper edge is at `top`; its cells stand in the middle, those of a tall row at the top."""
        inner, first = row.height - 2 * self.pad, top - self.pad - self.leading * 0.77
        tall = row.height > 3.6 * self.leading
        cells = zip(row.cells, self.aligns, self.edges, row.main, row.small, row.sizes, strict=True)
        for cell, align, edge, main, small, size in cells:
            if not main:
                continue
            height = (len(main) + (SMALL_LEADING if small else 0)) * self.leading
            y = first if tall else first - (inner - height) / 2
            face: Type = "bold" if strong else "italic" if cell.text == NOT_PROVIDED else cell.face
            x = self._lines(cell, main, (face, align, size), edge, y)
            if small:
                self._small(small, align, edge, y - len(main) * self.leading)
            if cell.fill:
                left = max(edge[0] - 3, 0.0)
                self.chips.append((left, top - row.height, edge[1] + 3 - left, row.height, cell.fill))
            if cell.mark or cell.anchor or cell.link:
                self._places(cell, main, (face, align, size), x, y)
            self._note(cell, main, small)

    def _lines(
        self, cell: Cell, main: Sequence[str], font: tuple[Type, Align, float], edge: tuple[float, float], y: float
    ) -> float:
        """Writes the main lines; where the first begins comes back."""
        face, align, size = font
        first = start_of(align, main[0], (face, size), edge)
        self.runs.append(Run(first, y, main[0], face, size, cell.color))
        for at, text in enumerate(main[1:], 1):
            x = start_of(align, text, (face, size), edge)
            self.runs.append(Run(x, y - at * self.leading, text, face, size, cell.color))
        return first

    def _small(self, text: str, align: Align, edge: tuple[float, float], y: float) -> None:
        size = self.size - 0.8
        x = start_of(align, text, ("sans", size), edge)
        self.runs.append(Run(x, y + 0.6, text, "sans", size, SLATE))

    def _places(self, cell: Cell, main: Sequence[str], font: tuple[Type, Align, float], x: float, y: float) -> None:
        """Draws the mark, before a number and after a text, and makes the cell's anchor and link."""
        face, align, size = font
        if cell.mark and align == "r":
            self.canvas.mark(cell.mark, x - mark_width(cell.mark), y + 3.2)
        elif cell.mark:
            end = x + wide(main[-1], face, size)
            self.canvas.mark(cell.mark, end + 0.8, y + 3.2 - (len(main) - 1) * self.leading)
        if cell.anchor:
            self.canvas.anchor(cell.anchor, y + self.leading)
        if cell.link:
            self.canvas.link(cell.link, x, y - 2, wide(main[0], face, size), self.leading)

    def _note(self, cell: Cell, main: Sequence[str], small: str) -> None:
        """Tells the register what the cell prints."""
        registry, place = self.registry, self.place
        if cell.figure is not None:
            registry.show(cell.figure, place, cell.text)
        elif cell.said is not None:
            whole = set(NUMBER.findall(registry.say(cell.said, place)))
            for text in main:
                if not whole.issuperset(broken := NUMBER.findall(text)):
                    registry.quote(" ".join(broken), place)  # a number in a word that is longer than its column
        elif cell.quoted:
            for text in main:
                registry.quote(text, place)
            if small:
                registry.quote(small, place)
