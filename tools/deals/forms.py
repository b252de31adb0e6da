"""Several properties on a sheet of labels and values: whose each pair is, and what is said twice of one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.ids import normalise_key
from schemas.workbook import Region
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED, ColumnView, MappedColumn
from tools.workbook.grid import Sheet

_NAMES = ("deal_name", "address", "tenant")
_LABEL_REACH = 4
_MOST_BLOCKS = 400
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
    for at, view in zip(places, pairs, strict=True):
        over = [start for start in starts if start[0] <= at[0] and start[1] <= at[1]]
        blocks[max(over, key=lambda start: (start[1], start[0]), default=starts[0])].append(view)
    return list(blocks.values())


def _label_place(sheet: Sheet, view: ColumnView) -> Place:
    """The cell of a pair's label, left of its value."""
    row, column = (view.cells or ((0, 0),))[0]
    for at in range(column - 1, max(-1, column - 1 - 2 * _LABEL_REACH), -1):
        value = sheet.value(row, at)
        if isinstance(value, str) and value.rstrip(" :") == view.header:
            return row, at
    return row, column


def titles_of(regions: Sequence[Region], block: Block, blocks: Sequence[Block]) -> list[Region]:
    """The regions below all blocks that end above `block`: a title over one of those is none of this one."""
    top = min(row for row, _ in _cells(block))
    ends = [end for other in blocks if (end := max(row for row, _ in _cells(other))) < top]
    since = max(ends, default=0)
    return [region for region in regions if (row := _ROW.search(region.range)) and int(row[0]) > since]


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
