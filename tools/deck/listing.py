"""Tables laid out before they are written: column widths from the fonts, long texts cut, marks before numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from schemas.deck import Box, Paragraph, Run, TableBlock, TableCell
from tools.deck import grid
from tools.deck.grid import PT, points
from tools.deck.page import Page
from tools.figures import text
from tools.figures.columns import Align
from tools.figures.formats import NBSP, NOT_PROVIDED

HEAD_PT, PAD_PT, AIR_PT = 10.5, 3.5, 12.0
NARROWEST_PT = 44.0
"""The least that a column of text is cut down to."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column to lay out: its head, its side, and whether its texts may be cut; `least_pt` keeps a width free."""

    head: str
    align: Align = "left"
    mark: Run | None = None
    elastic: bool = False
    least_pt: float = 0
    size_pt: float | None = None
    color: str | None = None
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands in a cell: text, the mark before a number or after a text, a fill and the colour that reads on it."""

    text: str
    mark: Run | None = None
    fill: tuple[str, str] | None = None
    color: str | None = None
    bold: bool = False

    @property
    def missing(self) -> bool:
        """Whether it says that nothing was provided."""
        return self.text == NOT_PROVIDED


@dataclass(frozen=True, slots=True)
class Listing:
    """A table to lay out in `box`: rows of entries, one a column."""

    slot: str
    box: Box
    columns: Sequence[Column]
    rows: Sequence[Sequence[Entry]]
    alt: str
    size_pt: float = 11
    row: int = grid.TABLE_ROW
    head_row: int = grid.HEAD_ROW
    total: bool = False
    tiled: bool = field(default=False)


def lay_out(page: Page, listing: Listing) -> TableBlock:
    """The table with its widths, its texts cut to them."""
    widths = _widths(listing)
    rows = [_head(listing, widths)]
    rows += [_row(page, listing, widths, at, row) for at, row in enumerate(listing.rows)]
    emu = _whole(widths, listing.box.width)
    heights = (listing.head_row, *([listing.row] * len(listing.rows)))
    box = Box(listing.box.left, listing.box.top, listing.box.width, sum(heights))
    return TableBlock(listing.slot, box, emu, heights, tuple(rows), listing.alt, listing.total)


def _whole(widths: Sequence[float], total: int) -> tuple[int, ...]:
    emu = [round(width * PT) for width in widths]
    emu[-1] += total - sum(emu)
    return tuple(emu)


def _pads(listing: Listing, at: int) -> tuple[float, float]:
    """Paddings of a column: none at the very left, air where text follows a number."""
    column = listing.columns[at]
    if at == 0:
        return (PAD_PT if listing.tiled or column.align == "center" else 0.0), PAD_PT
    after_number = column.align == "left" and listing.columns[at - 1].align == "right"
    return (AIR_PT if after_number else PAD_PT), PAD_PT


def _natural(listing: Listing, at: int) -> float:
    """The width that a column's head and entries take, with its paddings."""
    column = listing.columns[at]
    size = column.size_pt or listing.size_pt
    head = text.width(column.head, HEAD_PT, bold=True) + _mark_width(column.mark, HEAD_PT)
    last = len(listing.rows) - 1
    widest = head
    for number, row in enumerate(listing.rows):
        entry = row[at]
        bold = column.bold or entry.bold or (listing.total and number == last)
        widest = max(widest, text.width(entry.text, size, bold=bold) + _mark_width(entry.mark, size))
    return max(widest + sum(_pads(listing, at)) + 1.5, column.least_pt)


def _mark_width(mark: Run | None, size_pt: float) -> float:
    return text.width(mark.text + NBSP, size_pt * 0.75, bold=True) if mark else 0.0


def _widths(listing: Listing) -> list[float]:
    """Points for each column: numbers whole, texts cut where room lacks, the rest shared out."""
    room = points(listing.box.width)
    natural = [_natural(listing, at) for at in range(len(listing.columns))]
    over = sum(natural) - room
    elastic = [at for at, column in enumerate(listing.columns) if column.elastic]
    if over > 0:
        cap = _water_line([natural[at] for at in elastic], over)
        natural = [min(width, cap) if at in elastic else width for at, width in enumerate(natural)]
        over = sum(natural) - room
    if over > 0:
        return [width * room / sum(natural) for width in natural]
    spare = -over
    takers = [at for at in range(len(natural)) if listing.columns[at].align != "center"]
    weights = [3.0 if at in elastic else 1.0 for at in takers]
    for at, weight in zip(takers, weights, strict=True):
        natural[at] += spare * weight / sum(weights)
    return natural


def _water_line(widths: Sequence[float], over: float) -> float:
    """The width that the widest are cut to so that `over` points are saved; never under the narrowest."""
    cap = max(widths, default=0.0)
    while cap > NARROWEST_PT and sum(max(0.0, width - cap) for width in widths) < over:
        cap -= 1
    return cap


def fits(listing: Listing) -> bool:
    """Whether the numbers stand whole and no text is cut below the narrowest."""
    natural = [_natural(listing, at) for at in range(len(listing.columns))]
    least = [min(w, NARROWEST_PT * 2) if listing.columns[at].elastic else w for at, w in enumerate(natural)]
    return sum(least) <= points(listing.box.width)


def _head(listing: Listing, widths: Sequence[float]) -> tuple[TableCell, ...]:
    cells: list[TableCell] = []
    for at, column in enumerate(listing.columns):
        left, right = _pads(listing, at)
        room = widths[at] - left - right - _mark_width(column.mark, HEAD_PT)
        words = Run(text.clip(column.head, HEAD_PT, room, bold=True), bold=True, size_pt=HEAD_PT)
        runs = (words, _sized(column.mark, HEAD_PT)) if column.mark else (words,)
        cells.append(TableCell((Paragraph(runs, align=column.align),), left, right))
    return tuple(cells)


def _sized(mark: Run, size_pt: float) -> Run:
    return Run(mark.text, mark=True, size_pt=size_pt)


def _row(
    page: Page, listing: Listing, widths: Sequence[float], number: int, row: Sequence[Entry]
) -> tuple[TableCell, ...]:
    total = listing.total and number == len(listing.rows) - 1
    return tuple(_cell(page, listing, at, widths[at], entry, total) for at, entry in enumerate(row))


def _cell(page: Page, listing: Listing, at: int, width: float, entry: Entry, total: bool) -> TableCell:
    column = listing.columns[at]
    size = column.size_pt or listing.size_pt
    left, right = _pads(listing, at)
    bold = column.bold or entry.bold or total
    room = width - left - right - _mark_width(entry.mark, size)
    if text.is_number(entry.text):
        size = text.whole_size(entry.text, size, room, bold=bold)
    shown = page.clipped(entry.text, size, room, bold=bold)
    tint = entry.fill[1] if entry.fill else entry.color or column.color
    word = Run(shown, bold=bold or entry.fill is not None, italic=entry.missing, size_pt=size, color=tint)
    runs: tuple[Run, ...] = (word,)
    if entry.mark is not None:
        mark = _sized(entry.mark, size)
        runs = (mark, Run(NBSP, size_pt=size), word) if column.align == "right" else (word, mark)
    fill = entry.fill[0] if entry.fill else None
    return TableCell((Paragraph(runs, align=column.align),), left, right, fill)
