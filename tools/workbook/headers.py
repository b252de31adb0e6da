"""Which rows head a table: where its records begin, and what above them is header and what title."""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np

from tools.workbook.panel import Panel, runs
from tools.workbook.statistic_words import statistic_label
from tools.workbook.worded import without_worded
from tools.workbook.words import DATE, DECO, NUM, TEXT, YEAR

_LONGEST_LABEL = 40
_LONGEST_HEADER = 60
_MOST_WORDS = 3
_MOST_BLANK_ROWS = 5
_TOP_ROWS = 6
# One label over so many columns apart is no title, merged over them, but the same name for each.
_FEWEST_REPEATS = 3
_FEWEST_NAMES, _UNLIKE, _NARROW = 3, 0.5, 0.6
# Labels with their values, in one cell or in two, and days: what stands over a table and names none of its columns.
_REMARK = re.compile(r".*:|[^\W\d][^:/]{1,24}: \S.*|(?:.*\W)?as (?:of|at)\b.*", re.IGNORECASE)


def first_body(panel: Panel, rows: list[int]) -> int | None:
    """The first of `rows` that carries data and is wide, or is backed by one of the next two rows; None without.

    Totals, averages and lines of key figures that stand above the header are passed over.
    """
    passed = max(_aggregates_over_header(panel, rows), _lines_over_header(panel, rows))
    for at, i in enumerate(rows[passed:], passed):
        if panel.body_like[i] and (
            panel.count[i] >= 0.3 * panel.typical or panel.body_like[rows[at + 1 : at + 3]].any()
        ):
            return i
    return None


def _aggregates_over_header(panel: Panel, rows: list[int]) -> int:
    """How many of `rows` are titles and then aggregates right above the header; 0 without such."""
    first = next((at for at, i in enumerate(rows[:_TOP_ROWS]) if panel.body_like[i]), None)
    if first is None or any(panel.header_like[i] for i in rows[:first]):
        return 0
    after = next((at for at in range(first, len(rows)) if not is_aggregate(panel, rows[at])), len(rows))
    if first == after or after + 1 >= len(rows):
        return 0
    head, below = rows[after], rows[after + 1]
    heads = panel.header_like[head] and panel.over[head] > 1 and panel.body_like[below]
    return after if heads and head - rows[first] <= _MOST_BLANK_ROWS else 0


def _lines_over_header(panel: Panel, rows: list[int]) -> int:
    """How many of `rows` are lines with numbers, and titles, right above a header that names all columns; 0 without."""
    heads = [
        at
        for at, i in enumerate(rows[:_TOP_ROWS], 1)
        if i + 1 in rows[at : at + 1] and _heads_records(panel, i + 1, rows[at + 1 : at + 2])
    ]
    held = (at for at in heads if panel.body_like[rows[:at]].any())
    return next((at for at in held if all(_is_line(panel, i, rows[at]) for i in rows[:at])), 0)


def _heads_records(panel: Panel, i: int, below: list[int]) -> bool:
    return bool(panel.header_like[i] and names_all(panel, i, _UNLIKE) and panel.body_like[below].any())


def _is_line(panel: Panel, i: int, head: int) -> bool:
    """Whether row `i` over header `head` is narrow, has no first cell, or holds no word: then it is one of figures.

    The names of such figures may stand over them.
    """
    if panel.count[i] < _NARROW * panel.count[head] or not panel.full[i, 0] or not panel.texty[i].any():
        return True
    return bool(i + 1 < head and not panel.texty[i + 1].any() and (panel.full[i] == panel.full[i + 1]).all())


def names_all(panel: Panel, i: int, distinct: float = 1.0) -> bool:
    """Whether row `i` holds a name over every column of the row below it, at least a share `distinct` unlike others."""
    below = panel.full[i + 1] if i + 1 < panel.n else panel.full[i]
    said = panel.said(i)
    named = np.isin(panel.codes[i], (TEXT, YEAR))
    unlike = len(said) >= _FEWEST_NAMES and len(set(said)) >= distinct * len(said)
    return unlike and bool(named[panel.full[i] | below].all())


def is_remark(panel: Panel, i: int, below: int) -> bool:
    """Whether row `i`, over header row `below` that names all columns, holds values and what they are, and no names."""
    if panel.units[i] or not names_all(panel, below):
        return False
    held = np.isin(panel.codes[i], (NUM, DECO, DATE)).any()
    return bool(held) or any(_REMARK.fullmatch(text) for text in panel.said(i))


def _are_days(panel: Panel, i: int, below: int) -> bool:
    """Whether row `i` holds days alone, over names of header row `below` that come again."""
    held = panel.full[i]
    said = [panel.text(below, j) for j in np.flatnonzero(held).tolist()]
    return bool((panel.codes[i][held] == DATE).all()) and len(set(said)) < len(said)


def is_aggregate(panel: Panel, i: int) -> bool:
    """Whether row `i` holds numbers and is labelled as a total, or as an average and nothing else."""
    if not panel.body_like[i]:
        return False
    label = statistic_label(panel.label(i))
    return panel.is_total(i) or (label is not None and label.pure)


def is_title_row(panel: Panel, i: int, below: int) -> bool:
    """Whether row `i`, over header row `below`, is no header: one cell at the left, or one value over the table."""
    near = below - i == 1
    if panel.remarked[i]:
        return True
    if panel.drawn[i] or (panel.same[i] and panel.first[i] > 0 and len(runs(panel.full[i])) >= _FEWEST_REPEATS):
        return False
    if panel.same[i]:
        covered = bool((panel.full[i] == panel.full[below]).all()) and not panel.full[i].all()
        near = near or (below - i == 2 and covered)
        return panel.first[i] == 0 or not near or len(panel.label(i)) > _LONGEST_LABEL or panel.own_title
    if panel.count[i] == 1:
        apart = not near and (i == 0 or panel.count[below] >= 0.8 * panel.w) and not _heads_repeat(panel, i, below)
        return panel.first[i] == 0 or len(panel.label(i)) > _LONGEST_HEADER or bool(apart)
    return False


def _heads_repeat(panel: Panel, i: int, below: int) -> bool:
    """Whether row `below` says again from the only column of row `i` on what it says further left: years, twice."""
    j = int(panel.first[i])
    said = [panel.text(below, k) for k in range(panel.w)]
    again = said[j : j + 2]
    return len(again) == 2 and all(again) and any(said[k : k + 2] == again for k in range(j - 1))


def is_stub(panel: Panel, i: int, below: int, start: int) -> bool:
    """Whether row `i` is a lone label above the label column, whose header row leaves that cell empty."""
    under_title = i > start and panel.count[i - 1] == 1 and panel.first[i - 1] == 0
    if panel.count[i] != 1 or panel.first[i] or len(panel.label(i)) > _LONGEST_LABEL or under_title:
        return False
    if len(panel.label(i).split()) > _MOST_WORDS:
        return False
    between = below - i <= 3 and bool(panel.header_like[max(start, i - 3) : i].any())
    return between or (below - i == 1 and not (panel.units[below] and panel.full[below, 0]))


def find_header(panel: Panel, above: list[int], body: int, start: int) -> list[int]:
    """The header rows among the rows `above` the first body row: the last header-like one, then up and down from it."""
    like = [i for i in above if panel.header_like[i]]
    if not like:
        i = above[-1] if above else -1
        good = i >= 0 and body - i <= 2 and not panel.lone[i] and panel.count[i] >= 0.5 * panel.typical
        return [i] if good else []
    last = without_worded(panel, like)[-1]
    heads = [*_upwards(panel, above[: bisect_left(above, last)], last, start), last]
    labelled = any(panel.full[i, 0] for i in heads)
    return heads + _downwards(panel, above[bisect_left(above, last) + 1 :], last, body, labelled)


def _upwards(panel: Panel, above: list[int], last: int, start: int) -> list[int]:
    """Header rows over header row `last`, up to a title row, name and value lines set apart, data, or a wide gap."""
    heads: list[int] = []
    prev, labelled = last, bool(panel.full[last, 0]) and not panel.units[last]
    for i in reversed(above):
        stub = not labelled and is_stub(panel, i, prev, start)
        if (
            prev - i > _MOST_BLANK_ROWS
            or _is_apart(panel, i, prev, labelled)
            or is_remark(panel, i, prev)
            or (not stub and is_title_row(panel, i, prev))
            or (panel.body_like[i] and not panel.header_like[i] and not _are_days(panel, i, prev))
        ):
            break
        heads.insert(0, i)
        prev, labelled = i, labelled or bool(panel.full[i, 0] and not panel.units[i])
    return heads


def _is_apart(panel: Panel, i: int, prev: int, labelled: bool) -> bool:
    """Whether row `i` is one of the narrow name and value lines that stand apart above a table."""
    narrow = panel.first[i] == 0 and panel.count[i] <= max(2, 0.25 * panel.count[prev]) < 0.6 * panel.count[prev]
    pairs = i >= 2 and all(0 < panel.count[j] <= 2 and panel.first[j] == 0 for j in (i - 2, i - 1, i))
    return bool(narrow and prev - i > 1 and (labelled or pairs))


def _downwards(panel: Panel, rows: list[int], last: int, body: int, labelled: bool) -> list[int]:
    """Header rows under header row `last`: a unit over the columns, or the label column's name coming last."""
    heads: list[int] = []
    end = last
    # A lone label under the header is the label column's name, unless more of them stand among the records: sections.
    labels = (panel.count == 1) & (panel.first == 0) & ~panel.has_number
    records = [i for i in range(body, panel.n) if panel.body_like[i]] if labels[body:].any() else [body]
    labelled = labelled or bool(labels[body : records[-1]].any())
    for i in rows:
        if panel.same[i] and panel.first[i] > 0 and i - 1 == end:
            heads.append(i)
        elif not labelled and panel.count[i] == 1 and panel.first[i] == 0 and i - last <= 2 and panel.full[body, 0]:
            heads.append(i)
            labelled = True
        else:
            break
        end = i
    return heads
