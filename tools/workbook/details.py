"""Details under the records of a table: blocks with a header of their own, under record after record or one of them.

Rent steps under each tenant, draws under each loan. Its rows leave the column of the records' names empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from tools.workbook.cells import Cells, Flags, Ints
from tools.workbook.coding import Codes
from tools.workbook.words import DATE, DECO, EMPTY, NUM, TEXT, YEAR

_FEWEST_CELLS, _FEWEST_BLOCKS = 3, 2
_MOST_HEADERS = 5_000
_MOST_NAMES = 50
_ALIKE = 0.8
Said = tuple[str, ...]


def set_details_aside(cells: Cells) -> None:
    """Empties the rows of detail blocks for all that reads `cells` later, and lists them in `cells.aside`."""
    count = (cells.codes > EMPTY).sum(axis=1)
    texts = (count >= _FEWEST_CELLS) & ((cells.codes == TEXT).sum(axis=1) == count)
    maybe = np.flatnonzero(texts[:-1])
    heads = maybe[_valued(cells.codes[maybe + 1])].tolist()
    if not 1 <= len(heads) <= _MOST_HEADERS:
        return
    said = {i: _said(cells, i) for i in heads}
    main = _said(cells, int(texts.argmax()))
    # Tables under one another may differ in the name of the first column only.
    alike = Counter(name[1:] for name in {main, *said.values()})
    blocks: dict[Said, list[tuple[int, int]]] = {}
    for i in heads:
        end = _block_end(cells, i, said)
        if said[i] != main and end > i and alike[said[i][1:]] == 1:
            blocks.setdefault(said[i], []).append((i, end))
    for name, found in blocks.items() if len(blocks) <= _MOST_NAMES else ():
        others = [i for i in heads if said[i] not in (main, name)]
        records = np.flatnonzero(_valued(cells.codes) & (cells.codes[:, _first(cells, found[0][0])] > EMPTY))
        again = len(found) >= _FEWEST_BLOCKS or _goes_back(cells, found[0], records)
        if again and _lie_under_records(found, records, others):
            cells.aside += [i for a, b in found for i in range(a, b + 1)]
    cells.aside.sort()
    cells.codes[cells.aside] = EMPTY


def _valued(codes: Codes) -> Flags:
    """Which rows hold two cells or more, and a number or a date among them."""
    return np.asarray(np.isin(codes, (NUM, DECO, DATE, YEAR)).any(axis=1) & ((codes > EMPTY).sum(axis=1) > 1), np.bool_)


def _said(cells: Cells, i: int) -> Said:
    return tuple(cells.text(i, j) for j in np.flatnonzero(cells.codes[i]).tolist())


def _first(cells: Cells, i: int) -> int:
    return int((cells.codes[i] > EMPTY).argmax())


def _block_end(cells: Cells, head: int, heads: Collection[int]) -> int:
    """The last row of the block under row `head` whose rows leave that row's first column empty; `head` for none."""
    column, end = _first(cells, head), head
    while end + 1 < len(cells.rows) and end + 1 not in heads and not cells.codes[end + 1, column]:
        if not cells.codes[end + 1].any():
            break
        end += 1
    return end


def _goes_back(cells: Cells, block: tuple[int, int], records: Ints) -> bool:
    """Whether a block that comes once stands between records that hold the same kinds of value in the same columns.

    Its rows name or date something: numbers alone may number the columns of a table's header.
    """
    rows = cells.codes[block[0] + 1 : block[1] + 1]
    if not np.isin(rows, (TEXT, DATE)).any(axis=1).all():
        return False
    at = int(np.searchsorted(records, block[0]))
    if not 0 < at < len(records):
        return False
    before, after = cells.codes[records[at - 1]], cells.codes[records[at]]
    held = (before > EMPTY) | (after > EMPTY)
    return bool((before[held] == after[held]).mean() >= _ALIKE)


def _lie_under_records(blocks: Sequence[tuple[int, int]], records: Ints, others: Sequence[int]) -> bool:
    """Whether records stand above the first block and between any two, and no header but that of the records."""
    gaps = [(0, blocks[0][0]), *((a_end, b) for (_, a_end), (b, _) in pairwise(blocks))]
    return all(
        np.searchsorted(records, a) < np.searchsorted(records, b) and not any(a < i < b for i in others)
        for a, b in gaps
    )
