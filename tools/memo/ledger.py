"""Ruled tables: measured once, split by row (a tall row by line), and drawn as one text object a page.

A part that runs on says "continued" in its head. Numbers stand right, text left; no fills, no boxes: rules alone.
"""

# pyright: reportIncompatibleMethodOverride=false
# reportlab calls wrap and split by position, so its names for their parameters need not be ours.
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from reportlab.platypus import Flowable

from schemas.figures import Figure
from tools.figures.citations import remark
from tools.figures.registry import Sentence
from tools.figures.text import clip, clip_lines, lines, printable, whole_size
from tools.figures.tokens import HAIR, INK, SLATE
from tools.memo.canvas import Align, MemoCanvas
from tools.memo.flow import Heading
from tools.memo.glyphs import drawable
from tools.memo.styles import BODY_HEIGHT, FACES, WIDE, Type
from tools.memo.writer import Laid, TableWriter, mark_width, wide

LOOSE = (8.8, 11.0, 3.4)
"""Size, leading and padding of a table's text in points."""
MINI = (8.2, 10.0, 2.0)
TITLE_AIR = (13.0, 5.0)
"""Points of air over and under a table's heading."""
AIR = 12.0
"""Points of air where text follows a number."""
MOST_CHARACTERS = 250
"""More characters than any line holds."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, share of the width and alignment, and how many lines a text may take (0: all it needs)."""

    head: str
    share: float
    align: Align = "l"
    lines: int = 0


class Cell(NamedTuple):
    """What stands in a cell. `figure` is the number's figure; text copied from the file is `quoted`.

    `sub` is a smaller second line; `mark` a footnote's number, `link` and `anchor` names of places; `fill` a chip's
    ground; `source` the cell that the text is from; `said` the sentence that the text is of, when it is one.
    """

    text: str
    figure: Figure | None = None
    quoted: bool = False
    face: Type = "sans"
    color: str = INK
    sub: str = ""
    mark: int = 0
    link: str = ""
    anchor: str = ""
    fill: str = ""
    source: str = ""
    said: Sentence | None = None


def quoted_cell(text: str, color: str = INK, face: Type = "sans") -> Cell:
    """A cell of text copied from the file, or of addresses in it."""
    return Cell(text, None, True, face, color)


def figure_cell(shown: Figure, text: str | None = None, face: Type = "sans") -> Cell:
    """A cell that prints `shown`."""
    return Cell(shown.text if text is None else text, shown, face=face)


def said_cell(said: Sentence, color: str = SLATE, face: Type = "sans") -> Cell:
    """A sentence in a ledger; its figures are noted by the ledger."""
    return Cell(said.text, face=face, color=color, said=said)


def cells_cell(cells: Sequence[str], most: int, color: str = SLATE) -> Cell:
    """A cell of the first `most` addresses; how many more there are is a figure."""
    return said_cell(remark(some_cells(cells, most) or "none", cells[:most]), color)


def some_cells(cells: Sequence[str], most: int) -> str:
    """The first `most` cells, a sheet's name once for those that follow on it, and how many more there are."""
    named: list[str] = []
    sheet = ""
    for cell in cells[:most]:
        own, _, place = cell.rpartition("!")
        named.append(place if own and own == sheet else cell)
        sheet = own
    more = len(cells) - most
    return printable(", ".join(named) + (f" and {more:,} more" if more > 0 else ""), 400)


Shorten = Callable[[Cell], None]
"""Is told of each cell whose text had to be shortened."""


class Ledger(Flowable):
    """A ruled table of `rows` under `columns`; the last row is a total if `total`, kept with the row before it.

    Its heading is a part of it, so that neither ever stands alone at the foot of a page.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[Cell]],
        *,
        total: bool = False,
        mini: bool = False,
        name_column: int = 0,
        shorten: Shorten | None = None,
        title: Heading | None = None,
    ) -> None:
        super().__init__()
        self.columns, self.total, self.name_column, self.continued = columns, total, name_column, False
        self.shorten, self.title, self.title_height = shorten, title, 0.0
        self.spaceBefore = TITLE_AIR[0] if title is not None else 0
        self.size, self.leading, self.pad = MINI if mini else LOOSE
        self.edges = _edges(columns)
        self.laid = [self._lay(row, total and at == len(rows) - 1) for at, row in enumerate(rows)]
        self.head, self.head_height = self._lay_head()
        self.body_height = sum(row.height for row in self.laid)

    def _lay_head(self) -> tuple[Sequence[Sequence[str]], float]:
        size = self.size - 0.6
        heads = zip(self.columns, self.edges, strict=True)
        broken = [lines(column.head, size, right - left, "sans", True) for column, (left, right) in heads]
        return broken, max(map(len, broken)) * (size + 2) + 2 * self.pad

    def _lay(self, row: Sequence[Cell], strong: bool) -> Laid:
        main: list[Sequence[str]] = []
        small: list[str] = []
        sizes: list[float] = []
        tallest = 1.0
        for cell, column, (left, right) in zip(row, self.columns, self.edges, strict=True):
            room = right - left - (mark_width(cell.mark) if cell.mark else 0)
            own, size = self._broken(cell, "bold" if strong else cell.face, room, column.lines)
            under = clip(drawable(cell.sub), self.size - 0.8, room) if cell.sub else ""
            main.append(own)
            sizes.append(size)
            small.append(under)
            tallest = max(tallest, len(own) + (0.93 if under else 0))
        return Laid(tallest * self.leading + 2 * self.pad, row, main, small, sizes)

    def _broken(self, cell: Cell, face: Type, room: float, most: int) -> tuple[Sequence[str], float]:
        """The text of `cell` in lines no wider than `room`, and their size.

        It is shortened to `most` lines if there is a most; a number that is wider is set smaller, and never broken.
        """
        text = drawable(cell.text)
        if wide(text, face, self.size) <= room:
            return (text,), self.size
        family, bold, _ = FACES[face]
        size = whole_size(text, self.size, room, family, bold)
        broken = lines(text, size, room, family, bold)
        if not most or len(broken) <= most:
            return broken, size
        if self.shorten is not None:
            self.shorten(cell)
        start = text[: most * MOST_CHARACTERS]
        shown = clip_lines(start + "…" if start != text else text, size, room, most, family, bold)
        return lines(shown, size, room, family, bold), size

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size that the table takes."""
        if self.title is not None and not self.title_height:
            self.title_height = float(self.title.wrap(WIDE, BODY_HEIGHT)[1]) + TITLE_AIR[1]
        return WIDE, self.title_height + self.head_height + self.body_height

    def split(self, _: Any, room: float) -> list[Flowable]:
        """The part that fits into `room` points and the rest; nothing where it had better begin on the next page."""
        left, taken = room - self.title_height - self.head_height, 0
        last = len(self.laid) - (2 if self.total and len(self.laid) > 2 else 1)
        while taken < last and self.laid[taken].height <= left:
            left -= self.laid[taken].height
            taken += 1
        following = self.laid[taken]
        if following.height > max(left, BODY_HEIGHT / 3) and left >= 4 * self.leading + 2 * self.pad:
            upper, lower = self._cut(following, left)
            return [self._part([*self.laid[:taken], upper]), self._rest([lower, *self.laid[taken + 1 :]])]
        if taken == 0 or self._lonely(taken, room):
            return []
        return [self._part(self.laid[:taken]), self._rest(self.laid[taken:])]

    def _lonely(self, taken: int, room: float) -> bool:
        """Whether a break after `taken` rows would leave two or three of them alone on a page."""
        first = taken < 3 <= len(self.laid) and room < BODY_HEIGHT / 2
        short = not self.continued and self.wrap()[1] < BODY_HEIGHT * 0.6
        return first or (short and len(self.laid) - taken <= 3)

    def _cut(self, row: Laid, room: float) -> tuple[Laid, Laid]:
        """A tall row as two: the lines that fit into `room`, and the others."""
        count = int((room - 2 * self.pad) / self.leading)
        upper = row._replace(height=room, main=[part[:count] for part in row.main])
        below = [part[count:] for part in row.main]
        height = max(len(part) for part in below) * self.leading + 2 * self.pad
        quiet = [cell._replace(anchor="", mark=0) for cell in row.cells]
        return upper, Laid(height, quiet, below, [""] * len(below), row.sizes)

    def _part(self, rows: Sequence[Laid]) -> Ledger:
        part = Ledger.__new__(Ledger)
        part.__dict__.update(self.__dict__)
        part.__dict__.pop("_postponed", None)  # platypus marks what it has moved to a next page once
        part.laid, part.total = list(rows), False
        part.body_height = sum(row.height for row in rows)
        return part

    def _rest(self, rows: Sequence[Laid]) -> Ledger:
        rest = self._part(rows)
        rest.total, rest.title, rest.title_height, rest.spaceBefore = self.total, None, 0.0, 0
        if not self.continued:
            rest.continued = True
            named = enumerate(self.columns)
            rest.columns = [replace(c, head=f"{c.head}, continued") if i == self.name_column else c for i, c in named]
            rest.head, rest.head_height = rest._lay_head()  # noqa: SLF001 -- our own class
        return rest

    def draw(self) -> None:
        """Draws heading, head, rows and rules."""
        canvas = cast("MemoCanvas", self.canv)
        top = self.head_height + self.body_height
        if self.title is not None:
            self.title.drawOn(canvas, 0, top + TITLE_AIR[1])
        writer = TableWriter(canvas, (self.size, self.leading, self.pad), [c.align for c in self.columns], self.edges)
        writer.head([c.head for c in self.columns], self.head, top - self.head_height)
        y = top - self.head_height
        rules = [y]
        for row in self.laid:
            writer.row(row, y, strong=row is self.laid[-1] and self.total)
            y -= row.height
            rules.append(y)
        canvas.blocks(writer.chips)
        self._rule(canvas, rules)
        canvas.write(writer.runs)

    def _rule(self, canvas: MemoCanvas, at: Sequence[float]) -> None:
        canvas.rules([(0, y, WIDE, y) for y in (at[1:-2] if self.total else at[1:])], HAIR)
        strong = [at[0], at[-2]] if self.total and len(at) > 2 else [at[0]]
        canvas.rules([(0, y, WIDE, y) for y in strong], INK, 1)


def _edges(columns: Sequence[Column]) -> list[tuple[float, float]]:
    """Left and right edge of each column's text."""
    scale = WIDE / sum(column.share for column in columns)
    edges: list[tuple[float, float]] = []
    x = 0.0
    for at, column in enumerate(columns):
        after_number = at > 0 and column.align == "l" and columns[at - 1].align == "r"
        left = x + (AIR if after_number else 3.0 if at else 0.0)
        x += column.share * scale
        edges.append((left, x - (0.0 if at == len(columns) - 1 else 3.0)))
    return edges
