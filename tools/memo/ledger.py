"""Ruled tables: measured once, split by row (a tall row by line), and drawn as one text object a page.

A part that runs on says "continued" in its head. Numbers stand right, text left; no fills, no boxes: rules alone.
"""

# pyright: reportUnknownMemberType=false, reportMissingParameterType=false, reportUnknownParameterType=false
# pyright: reportUntypedBaseClass=false -- reportlab ships no types
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from reportlab.platypus import Flowable

from schemas.figures import Figure
from tools.figures.formats import NOT_PROVIDED
from tools.figures.registry import Sentence
from tools.figures.text import clip, clip_lines, lines
from tools.figures.tokens import HAIR, INK, SLATE
from tools.memo.canvas import MARK_SIZE, Align, MemoCanvas, Run, ink, wide
from tools.memo.glyphs import drawable
from tools.memo.styles import BODY_HEIGHT, FACES, WIDE, Type

LOOSE = (8.8, 11.0, 3.4)
"""Size, leading and padding of a table's text in points."""
MINI = (8.2, 10.0, 2.0)
AIR = 12.0
"""Points of air where text follows a number."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, its share of the width, how it is aligned, and how many lines a text may take (0: all it needs)."""

    head: str
    share: float
    align: Align = "l"
    lines: int = 0
    mark: int = 0
    figure: Figure | None = None


class Cell(NamedTuple):
    """What stands in a cell. `figure` is the number's figure; text copied from the file is `quoted`.

    `sub` is a smaller second line; `mark` a footnote's number, `link` and `anchor` names of places; `fill` a chip's ground;
    `source` the cell that the text is from; `said` the sentence that the text is of, when it is one.
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


Shorten = Callable[[Cell], None]
"""Is told of each cell whose text had to be shortened."""


class _Laid(NamedTuple):
    """A row measured: its height, and each cell with its lines (main, then small)."""

    height: float
    cells: Sequence[Cell]
    main: list[Sequence[str]]
    small: list[Sequence[str]]


class Ledger(Flowable):
    """A ruled table of `rows` under `columns`; the last row is a total if `total`, kept with the row before it."""

    def __init__(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, total: bool = False, mini: bool = False,
        name_column: int = 0, shorten: Shorten | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.shorten = shorten
        self.columns, self.total, self.name_column, self.continued = columns, total, name_column, False
        self.size, self.leading, self.pad = MINI if mini else LOOSE
        self.edges = _edges(columns)
        self.laid = [self._lay(row, total and at == len(rows) - 1) for at, row in enumerate(rows)]
        self.head = self._lay([Cell(column.head) for column in columns], True)
        self.body_height = sum(row.height for row in self.laid)

    def _lay(self, row: Sequence[Cell], strong: bool) -> _Laid:
        main: list[Sequence[str]] = []
        small: list[Sequence[str]] = []
        tallest = 1.0
        for cell, column, (left, right) in zip(row, self.columns, self.edges, strict=True):
            face = "bold" if strong else cell.face
            room = right - left - (_mark_width(cell.mark) if cell.mark else 0)
            own = self._broken(cell, face, room, column.lines)
            under = (clip(drawable(cell.sub), self.size - 0.8, room),) if cell.sub else ()
            main.append(own)
            small.append(under)
            tallest = max(tallest, len(own) + 0.93 * len(under))
        return _Laid(tallest * self.leading + 2 * self.pad, row, main, small)

    def _broken(self, cell: Cell, face: Type, room: float, most: int) -> Sequence[str]:
        """The text of `cell` in lines no wider than `room`, shortened to `most` lines if there is a most."""
        text = drawable(cell.text)
        if wide(text, face, self.size) <= room:
            return (text,)
        family, bold, _ = FACES[face]
        broken = lines(text, self.size, room, family, bold)
        if not most or len(broken) <= most:
            return broken
        if self.shorten is not None:
            self.shorten(cell)
        start = text[: most * 250]  # more characters than any line holds
        return lines(clip_lines(start + "…" if start != text else text, self.size, room, most, family, bold), self.size, room, family, bold)

    @property
    def head_height(self) -> float:
        """The height of the head's lines and rule."""
        return self.head.height

    def wrap(self, *_: Any) -> tuple[float, float]:
        """The size that the table takes."""
        return WIDE, self.head_height + self.body_height

    def split(self, _: Any, room: float) -> list[Ledger]:
        """The part that fits into `room` points and the rest; nothing if not even two rows do."""
        left, taken = room - self.head_height, 0
        last = len(self.laid) - (2 if self.total and len(self.laid) > 2 else 1)
        while taken < last and self.laid[taken].height <= left:
            left -= self.laid[taken].height
            taken += 1
        following = self.laid[taken]
        if following.height > BODY_HEIGHT / 3 and left >= 4 * self.leading + 2 * self.pad:
            upper, lower = self._cut(following, left)
            return [self._part([*self.laid[:taken], upper]), self._rest([lower, *self.laid[taken + 1 :]])]
        if taken == 0 or (taken == 1 and len(self.laid) > 3 and room < BODY_HEIGHT / 2):
            return []
        return [self._part(self.laid[:taken]), self._rest(self.laid[taken:])]

    def _cut(self, row: _Laid, room: float) -> tuple[_Laid, _Laid]:
        """A tall row as two: the lines that fit into `room`, and the others."""
        count = int((room - 2 * self.pad) / self.leading)
        upper = row._replace(height=room, main=[part[:count] for part in row.main])
        most = max(len(part) - count for part in row.main)
        quiet = [cell._replace(anchor="", mark=0) for cell in row.cells]
        below = [part[count:] for part in row.main]
        return upper, _Laid(most * self.leading + 2 * self.pad, quiet, below, [() for _ in below])

    def _part(self, rows: list[_Laid]) -> Ledger:
        part = cast("Ledger", Ledger.__new__(Ledger))
        part.__dict__.update(self.__dict__)
        part.__dict__.pop("_postponed", None)  # platypus marks what it has moved to a next page once
        part.laid, part.total = rows, False
        part.body_height = sum(row.height for row in rows)
        return part

    def _rest(self, rows: list[_Laid]) -> Ledger:
        rest = self._part(rows)
        rest.total = self.total
        if not self.continued:
            rest.continued = True
            at = self.name_column
            columns = [replace(c, head=f"{c.head}, continued") if i == at else c for i, c in enumerate(self.columns)]
            rest.columns = columns
            rest.head = rest._lay([Cell(column.head) for column in columns], True)  # noqa: SLF001 -- our own class
        return rest

    def draw(self) -> None:
        """Draws head, rows and rules."""
        canvas = cast("MemoCanvas", self.canv)
        top = self.head_height + self.body_height
        runs: list[Run] = []
        self._write_head(canvas, runs, top)
        y = top - self.head_height
        rules = [y]
        for row in self.laid:
            self._write_row(canvas, runs, row, y, row is self.laid[-1] and self.total)
            y -= row.height
            rules.append(y)
        self._draw_rules(canvas, rules)
        canvas.write(runs)

    def _write_head(self, canvas: MemoCanvas, runs: list[Run], top: float) -> None:
        lowest = top - self.head_height + self.pad + self.leading * 0.3
        for column, texts, (left, right) in zip(self.columns, self.head.main, self.edges, strict=True):
            size = self.size - 0.6
            canvas.registry.quote(column.head, canvas.place)
            for at, text in enumerate(reversed(texts)):
                runs.append(Run(_start(column.align, text, "bold", size, left, right), lowest + at * (size + 2), text, "bold", size, SLATE))
            if column.figure is not None:
                canvas.registry.show(column.figure, canvas.place)
            if column.mark:
                end = _start(column.align, texts[-1], "bold", size, left, right) + wide(texts[-1], "bold", size)
                canvas.mark(column.mark, end + 0.6 if column.align == "l" else end, lowest + 3.0)

    def _write_row(self, canvas: MemoCanvas, runs: list[Run], row: _Laid, top: float, strong: bool) -> None:
        tall = row.height > 3.6 * self.leading
        for cell, column, edge, main, small in zip(row.cells, self.columns, self.edges, row.main, row.small, strict=True):
            if cell.fill:
                canvas.block(edge[0] - 3, top - row.height, edge[1] - edge[0] + 6, row.height, cell.fill)
            height = len(main) * self.leading + len(small) * self.leading * 0.93
            inner = row.height - 2 * self.pad
            y = top - self.pad - (0 if tall else (inner - height) / 2) - self.leading * 0.77
            self._write_cell(canvas, runs, cell, column.align, edge, main, small, y, strong)

    def _write_cell(  # noqa: PLR0913 -- one call a cell; a bundle of these would be made ten thousand times
        self, canvas: MemoCanvas, runs: list[Run], cell: Cell, align: Align, edge: tuple[float, float],
        main: Sequence[str], small: Sequence[str], y: float, strong: bool,
    ) -> None:  # fmt: skip
        left, right = edge
        face: Type = "bold" if strong else "italic" if cell.text == NOT_PROVIDED else cell.face
        x = first = left
        for at, text in enumerate(main):
            x = _start(align, text, face, self.size, left, right)
            first = first if at else x
            runs.append(Run(x, y - at * self.leading, text, face, self.size, cell.color))
        for at, text in enumerate(small):
            size = self.size - 0.8
            runs.append(
                Run(_start(align, text, "sans", size, left, right), y - (len(main) + at * 0.93) * self.leading + 0.6, text, "sans", size, SLATE)
            )
        if cell.figure is not None:
            canvas.registry.show(cell.figure, canvas.place, cell.text)
        elif cell.said is not None:
            canvas.registry.say(cell.said, canvas.place)
        elif cell.quoted:
            for text in (*main, *small):
                canvas.registry.quote(text, canvas.place)
        if cell.mark:
            end = x + wide(main[-1], face, self.size) if main else x
            at_x = first - _mark_width(cell.mark) if align == "r" else end + 0.8
            canvas.mark(cell.mark, at_x, y + 3.2 - (0 if align == "r" else (len(main) - 1) * self.leading))
        if cell.anchor:
            canvas.anchor(cell.anchor, y + self.leading)
        if cell.link and main:
            canvas.link(cell.link, first, y - 2, wide(main[0], face, self.size), self.leading)

    def _draw_rules(self, canvas: MemoCanvas, at: list[float]) -> None:
        canvas.saveState()
        canvas.setStrokeColor(ink(HAIR))
        canvas.setLineWidth(0.5)
        canvas.lines([(0, y, WIDE, y) for y in (at[1:-2] if self.total else at[1:])])
        canvas.rule(0, at[0], WIDE, at[0], INK, 1)
        if self.total and len(at) > 2:
            canvas.rule(0, at[-2], WIDE, at[-2], INK, 1)
        canvas.restoreState()


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


def _mark_width(number: int) -> float:
    return wide(str(number), "bold", MARK_SIZE) + 2.2


def _start(align: Align, text: str, face: Type, size: float, left: float, right: float) -> float:
    if align == "l":
        return left
    free = right - left - wide(text, face, size)
    return left + (free if align == "r" else free / 2)
