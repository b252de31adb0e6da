"""The class of every row of a panel, and the tables that the rows form."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from schemas.workbook import RowClass
from tools.workbook.cells import some
from tools.workbook.continued import mark_continued
from tools.workbook.headers import find_header, first_body, is_aggregate
from tools.workbook.panel import Panel
from tools.workbook.segments import is_shifted
from tools.workbook.totals import mark_totals
from tools.workbook.worded import holds_values
from tools.workbook.words import DATE, NA, YEAR, code_of_text, is_unit

_LONGEST_WORDS = 40
_PAIR = 2


@dataclass(slots=True)
class Band:
    """A table within a panel: its first and last row, its header rows, and those repeated inside it.

    `across` says that it holds a record a column, `key_value` that it holds labels and one column of values. `names`
    are records that hold a name alone, where headings of sections do.
    """

    top: int
    end: int
    heads: list[int]
    repeats: list[int] = field(default_factory=list[int])
    across: bool = False
    key_value: bool = False
    table_id: str | None = None
    names: list[int] = field(default_factory=list[int])


def classify(panel: Panel) -> tuple[list[RowClass | None], list[Band]]:
    """The class of each row (None for a blank one), and the tables from top to bottom."""
    classes: list[RowClass | None] = [None] * panel.n
    bands: list[Band] = []
    rows, start = panel.filled_rows, 0
    while start < panel.n:
        mine = rows[bisect_left(rows, start) :]
        body = first_body(panel, mine)
        if body is None:
            break
        heads = find_header(panel, mine[: bisect_left(mine, body)], body, start)
        end, stop, repeats = find_end(panel, body, heads)
        band = Band(heads[0] if heads else body, end, heads, repeats)
        _class_rows(panel, classes, band, mine[: bisect_left(mine, stop)])
        bands.append(band)
        start = stop
    if not bands and rows:
        bands = text_table(panel, rows, classes)
    for i in rows:
        classes[i] = classes[i] or ("title" if not bands or i < bands[0].top else "note")
    for band in bands:
        mark_continued(panel, classes, band.top, band.end)
        mark_totals(panel, classes, band.top, band.end)
    return classes, bands


def _class_rows(panel: Panel, classes: list[RowClass | None], band: Band, rows: list[int]) -> None:
    header = {*band.heads, *band.repeats}
    bare = ~panel.has_number & (panel.lone | (panel.count <= 0.5 * panel.typical))
    maybe = (bare | (panel.count == 1) | panel.remarked).tolist()
    for i in rows:
        if i in header:
            classes[i] = "header"
        elif i < band.top:
            classes[i] = "total" if panel.count[i] > _PAIR and is_aggregate(panel, i) else "title"
        elif i > band.end:
            classes[i] = "note"
        else:
            classes[i] = "section" if maybe[i] and is_section(panel, i) else "record"


def is_section(panel: Panel, i: int) -> bool:
    """Whether row `i` is a label that heads the rows below it, and not one that goes on in the next row."""
    if panel.remarked[i] or _is_placeheld(panel, i):
        return True
    if panel.has_number[i] or panel.na[i] or (panel.count[i] > 1 and (panel.codes[i] == DATE).any()):
        return bool(panel.w > 1 and panel.count[i] == 1 and panel.first[i] == 0 and panel.codes[i, 0] == YEAR)
    if panel.w < 2 or not (panel.lone[i] or panel.count[i] <= 0.5 * panel.typical):
        return False
    if panel.label(i).endswith(":"):
        return True
    if not panel.lone[i]:
        return False
    if i + 1 < panel.n and panel.count[i + 1] > 1 and panel.first[i + 1] == panel.first[i]:
        return not panel.label(i + 1)[:1].islower()
    return True


def _is_placeheld(panel: Panel, i: int) -> bool:
    """Whether row `i` of a wide table is a lone label but for one word for "nothing yet"."""
    wide = panel.typical >= 6 and panel.count[i] == 2 and panel.na[i] == 1
    return bool(wide and panel.texty[i, 0] and len(panel.label(i)) <= 40)


def find_end(panel: Panel, body: int, heads: list[int]) -> tuple[int, int, list[int]]:
    """The table's last row, the row where the next table starts, and headers repeated inside.

    The table goes on as long as rows share its columns and types; a blank row never ends it. A header-like row after
    a blank or lone row, with numbers below it, starts the next table; the same header again is a repeat.
    """
    used = some(panel.full[(heads[0] if heads else body) : body + 1], 0)
    shares = some(panel.full & used, 1)
    plain = panel.body_like & ~panel.header_like & shares
    at = np.arange(panel.n, dtype=np.int64)
    at[~plain] = -1
    latest = np.maximum.accumulate(at).tolist()
    names = {panel.said(h): h for h in heads}
    end, stop, repeats = body, panel.n, list[int]()
    for i in np.flatnonzero(~plain & (panel.count > 0)).tolist():
        if i <= body:
            continue
        end = max(end, latest[i])
        parted = panel.count[i - 1] == 0 or panel.lone[i - 1]
        if panel.header_like[i] or not panel.body_like[i]:
            if _repeats(panel, i, names) and not (parted and panel.is_total(end)):
                repeats.append(i)
                end = i
                continue
            if repeats and repeats[-1] == end == i - 1 and _names_units(panel, i):
                repeats.append(i)
                end = i
                continue
            if parted and _starts_table(panel, i) and not (heads and holds_values(panel, i, heads)):
                stop = _titles_above(panel, i, end)
                break
        if shares[i] and _goes_on(panel, i, end):
            end = i
    else:
        end = max(end, latest[-1])
    return _sparse_tail(panel, end, stop), stop, repeats


def _repeats(panel: Panel, i: int, names: Mapping[tuple[str, ...], int]) -> bool:
    label = panel.label(i)
    if panel.drawn[i] and not panel.body_like[i + 1 :].any():
        return False
    if all(name[0] != label for name in names if name) or panel.said(i) not in names:
        return False
    return not is_shifted(panel, names[panel.said(i)], i)


def _names_units(panel: Panel, i: int) -> bool:
    """Whether row `i`, right under a header that comes again, has units over numbers and no label."""
    said = panel.said(i)
    units = all(map(is_unit, said)) and not any(code_of_text(text) == NA for text in said)
    return units and not panel.full[i, 0] and panel.over[i] > 0


def _starts_table(panel: Panel, i: int) -> bool:
    needed = max(2, 0.5 * min(int(panel.numcol.sum()), panel.typical))
    if not panel.header_like[i] or panel.data[i] or panel.over[i] + panel.years[i] < needed:
        return False
    varied = any(panel.header_like[j] and _is_varied(panel, j) for j in range(i, min(i + 2, panel.n)))
    return varied and bool(panel.body_like[i + 1 : i + 6].any())


def _is_varied(panel: Panel, i: int) -> bool:
    """Whether a row's words over numbers differ, as headers do, and not as one word for "no data" in all columns."""
    over = [panel.text(i, j) for j in np.flatnonzero(panel.texty[i] & panel.numcol).tolist()]
    return len(set(panel.said(i))) >= 0.5 * panel.count[i] and (len(over) < 2 or len(set(over)) > 1)


def _titles_above(panel: Panel, i: int, end: int) -> int:
    """The first of the lone rows right above row `i`, which head the table that starts there."""
    while i - 1 > end and panel.count[i - 1] and panel.lone[i - 1]:
        i -= 1
    return i


def _goes_on(panel: Panel, i: int, end: int) -> bool:
    if panel.body_like[i]:
        return True
    if panel.has_number[i] and i - end <= 3 and panel.is_total(i):
        return True
    wide = not panel.lone[i] and panel.count[i] >= 0.5 * panel.typical
    return bool(wide and (i - end == 1 or panel.na[i] or not panel.is_note(i))) or _is_begun(panel, i, end)


def _is_begun(panel: Panel, i: int, end: int) -> bool:
    """Whether row `i` is a record of which a name and a few words are known: short words under words, and no note."""
    if panel.lone[i] or panel.first[i] or i - end > 2 or panel.is_note(i) or panel.over[i] or panel.has_number[i]:
        return False
    worded = panel.full[i] & (panel.texty[end] | panel.texty[i - 1])
    short = all(len(text) <= _LONGEST_WORDS and not text.endswith(":") for text in panel.said(i))
    return bool(worded.sum() == panel.count[i] and short)


def _sparse_tail(panel: Panel, end: int, stop: int) -> int:
    """The last of the sparse rows right under the body that still read like records."""
    while end + 1 < stop and panel.count[end + 1]:
        i, size = end + 1, len(panel.label(end + 1))
        lone = panel.count[i] < 2 and not (panel.texty[i, 0] and size <= 40)
        if panel.is_note(i) or size > 60 or panel.same[i] or lone:
            break
        end = i
    return end


def text_table(panel: Panel, rows: list[int], classes: list[RowClass | None]) -> list[Band]:
    """The table of a panel without a number column, whose first full row is the header; none where no row is full."""
    full = [i for i in rows if not panel.lone[i] and panel.count[i] >= 0.6 * panel.typical]
    if panel.w < 2 or not full or (len(full) < 2 and (len(rows) > 1 or panel.w < 3)):
        return []
    top, end = full[0], full[-1]
    heads = [top]
    while heads[0] and not panel.lone[heads[0] - 1] and panel.count[heads[0] - 1] and _is_short(panel, heads[0] - 1):
        heads.insert(0, heads[0] - 1)
    while heads[-1] + 1 < panel.n and heads[-1] - top < 3 and _merged_downwards(panel, heads[-1]):
        heads.append(heads[-1] + 1)
    while end + 1 < panel.n and panel.count[end + 1]:
        i = end + 1
        short = panel.count[i] < 2 and panel.first[i] == 0
        if panel.same[i] or panel.is_note(i) or len(panel.label(i)) > 80 or short:
            break
        end = i
    top = heads[0]
    for i in rows:
        lone = panel.lone[i] and panel.first[i] == 0
        inside: RowClass = "header" if i in heads else "section" if lone else "record"
        classes[i] = "title" if i < top else "note" if i > end else inside
    return [Band(top, end, heads)]


def _is_short(panel: Panel, i: int) -> bool:
    """Whether all texts of row `i` are as short as headers are."""
    return all(len(text) <= 40 for text in panel.said(i))


def _merged_downwards(panel: Panel, i: int) -> bool:
    """Whether row `i` repeats a value within itself and shares one with the row below: cells merged both ways."""
    said = [panel.text(i, j) for j in range(panel.w)]
    below = [panel.text(i + 1, j) for j in range(panel.w)]
    filled = [text for text in said if text]
    return len(set(filled)) < len(filled) and any(a and a == b for a, b in zip(said, below, strict=True))
