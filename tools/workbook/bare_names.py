"""Deals of which only the name is known, told from the headings of sections by how these look, or are called."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tools.workbook.panel import Panel
from tools.workbook.regions import Area
from tools.workbook.rows import Band
from tools.workbook.stage_words import is_stage, speaks_of_stage
from tools.workbook.tables import Part

_LONGEST, _MOSTLY, _FEWEST_STAGES = 60, 0.5, 2
_FEWEST_ALIKE, _NEARLY_ALL = 2, 0.8
_NO_NAME = re.compile(
    r".*(?:[.!?:;]|\bas of\b.*)|\W*(?:confidential|draft|preliminary|internal|end|none|tb[acd]|n/?a|continued|totals?|"
    r"other|misc\w*|notes?|sources?|page|prepared|proprietary|subject|disclaimer|all|various|see|legend|key|unknown)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_SMALL = frozenset(
    ["of", "at", "the", "and", "on", "in", "by", "de", "la", "del", "le", "du", "van", "von", "der", "&", "-"]
)


def mark_bare_names(parts: Sequence[Part]) -> None:
    """Turns the sections of a table that are names of deals without any value into records.

    Headings over records are bold where names are not, or all are stages; what then looks like a name, or is called
    like one, and has no record right below it heads nothing.
    """
    for area, band in parts:
        if not band.across and not band.key_value:
            band.names = _names(area, band)
            for i in band.names:
                area.classes[i] = "record"


def _names(area: Area, band: Band) -> list[int]:
    """The rows of a part that are names and no sections."""
    panel, classes = area.panel, area.classes
    told = [i for i in range(band.top, band.end + 1) if classes[i] in ("record", "section", "total")]
    records = [i for i in told if classes[i] == "record"]
    sections = [i for i in told if classes[i] == "section"]
    if not sections or not records:
        return []
    if alike := _called_alike(panel, records, sections):
        return alike
    heads = [i for i, after in pairwise(told) if classes[i] == "section" and classes[after] == "record"]
    if not heads or len(heads) == len(sections):
        return []
    column = int(np.median(panel.first[records]))
    others = [i for i in sections if i not in heads and _may_name(panel, i, column)]
    stages = [i for i in sections if is_stage(panel.label(i))]
    if set(heads) <= set(stages) and len({panel.label(i).casefold() for i in stages}) == len(stages) >= _FEWEST_STAGES:
        # What stands over the first stage, or over a stage that comes again, is more than a name.
        return [i for i in others if told[0] in stages and not speaks_of_stage(panel.label(i))]
    plain = np.mean([not _bold(panel, i) for i in records]) >= _MOSTLY
    return [i for i in others if not _bold(panel, i)] if plain and all(_bold(panel, i) for i in heads) else []


def _called_alike(panel: Panel, records: Sequence[int], sections: Sequence[int]) -> list[int]:
    """The sections whose first word is that of most records, as in Project Oak, and that no record's name goes on."""
    column = int(np.median(panel.first[records]))
    names = [panel.text(i, column).casefold() for i in records]
    first, many = Counter(name.partition(" ")[0] for name in names).most_common(1)[0]
    if not first.isalpha() or len(records) < _FEWEST_ALIKE or many < _NEARLY_ALL * len(records):
        return []
    found = [i for i in sections if _may_name(panel, i, column) and not _bold(panel, i)]
    labels = {i: panel.label(i).casefold() for i in found}
    alike = [i for i, label in labels.items() if label.startswith(first + " ")]
    names = sorted(names) if alike else []
    return [
        i for i in alike if not "".join(names[(at := bisect_left(names, labels[i])) : at + 1]).startswith(labels[i])
    ]


def _may_name(panel: Panel, i: int, column: int) -> bool:
    """Whether the row holds one short text in the column of names, each word of it with a capital or a number."""
    label = panel.label(i)
    words = [word for word in label.split() if word.casefold() not in _SMALL]
    alone = panel.count[i] == 1 and panel.first[i] == column and panel.texty[i, column]
    named = bool(words) and all(not word[:1].islower() for word in words) and _NO_NAME.fullmatch(label) is None
    return bool(alone and named and len(label) <= _LONGEST and not panel.is_note(i))


def _bold(panel: Panel, i: int) -> bool:
    cells = panel.cells
    return cells.sheet.bold(int(cells.rows[panel.r0 + i]), int(cells.columns[panel.c0 + int(panel.first[i])]))
