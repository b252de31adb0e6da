"""Several properties on a sheet of labels and values: whose each pair is, and what is said twice of one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from schemas.ids import normalise_key
from schemas.workbook import Region
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED, ColumnView, MappedColumn
from tools.workbook.grid import Sheet

_NAMES = ("deal_name", "address", "tenant")
_LABEL_REACH = 4
_MOST_BLOCKS = 2_500
_ROW = re.compile(r"\d+")
Place = tuple[int, int]
Block = Sequence[ColumnView]


def partings(sheet: Sheet, pairs: Block) -> list[list[Block]]:
    """The ways to part the pairs into blocks, each at a label that comes again with another value, likeliest first.

    A label that names a property parts best; the first one that comes again may stand below a title.
    """
    held: dict[str, set[str]] = {}
    for view in pairs:
        held.setdefault(_key(view), set()).add(normalise_key(str(view.values[0])))
    again = [label for label, values in held.items() if len(values) > 1]
    naming = [label for label in again if _names(label)]
    ways = [_parted(sheet, pairs, label) for label in dict.fromkeys((*naming[:2], *again[:1]))]
    return [blocks for blocks in ways if blocks]


def _key(view: ColumnView) -> str:
    return " ".join(view.header.split()).casefold()


def _names(label: str) -> bool:
    scores = header_scores(read_header(label), frozenset())
    return max((scores.get(name, 0.0) for name in _NAMES), default=0.0) >= MAPPED


def _parted(sheet: Sheet, pairs: Block, label: str) -> list[Block]:
    """The pairs by the one of that label that they stand under or right of; those before all go to the first.

    None where that would be more blocks than a sheet of forms has.
    """
    places = [_label_place(sheet, view) for view in pairs]
    starts = sorted(at for at, view in zip(places, pairs, strict=True) if _key(view) == label)
    blocks: dict[Place, list[ColumnView]] = {start: [] for start in starts}
    if len(blocks) > _MOST_BLOCKS:
        return []
    lanes: dict[int, list[int]] = {}
    for row, column in starts:
        lanes.setdefault(column, []).append(row)
    for at, view in zip(places, pairs, strict=True):
        blocks[_start_over(lanes, at) or starts[0]].append(view)
    return list(blocks.values())


def _start_over(lanes: Mapping[int, Sequence[int]], at: Place) -> Place | None:
    """The lowest start over `at` in the rightmost column that has one; `lanes` are the rows of starts by column."""
    for column in sorted((column for column in lanes if column <= at[1]), reverse=True):
        over = bisect_right(lanes[column], at[0])
        if over:
            return lanes[column][over - 1], column
    return None


def _label_place(sheet: Sheet, view: ColumnView) -> Place:
    """The cell of a pair's label, left of its value."""
    row, column = (view.cells or ((0, 0),))[0]
    for at in range(column - 1, max(-1, column - 1 - 2 * _LABEL_REACH), -1):
        value = sheet.value(row, at)
        if isinstance(value, str) and value.rstrip(" :") == view.header:
            return row, at
    return row, column


class TitlesOver:
    """The regions that may hold the titles of blocks on one sheet."""

    def __init__(self, regions: Sequence[Region], blocks: Sequence[Block]) -> None:
        placed = [(int(row[0]), at) for at, region in enumerate(regions) if (row := _ROW.search(region.range))]
        self._regions, self._placed = regions, sorted(placed)
        self._ends = sorted(max(row for row, _ in _cells(block)) for block in blocks)

    def of(self, block: Block) -> list[Region]:
        """The regions over `block`, below all blocks that end above it: a title over one of those is none of its."""
        top = min(row for row, _ in _cells(block))
        over = bisect_left(self._ends, top)
        since = self._ends[over - 1] if over else 0
        between = self._placed[bisect_left(self._placed, (since + 1, 0)) : bisect_left(self._placed, (top, 0))]
        return [self._regions[at] for at in sorted(at for _, at in between)]


def _cells(block: Block) -> list[Place]:
    return [cell for view in block for cell in view.cells or ()]


def said_again(columns: Block, mapped: Sequence[MappedColumn]) -> tuple[Place, ...]:
    """The cells of values that no field took, because another with the same label and another value is there."""
    taken = {_key(view): view.values[0] for view, m in zip(columns, mapped, strict=True) if m.field and view.header}
    return tuple(
        cell
        for view, m in zip(columns, mapped, strict=True)
        if m.field is None and (label := _key(view)) in taken and taken[label] != view.values[0]
        for cell in view.cells or ()
    )
