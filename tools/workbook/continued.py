"""Rows of a table that go on with the record above them, and comments under records: neither records nor sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from schemas.workbook import RowClass
from tools.workbook.panel import Panel
from tools.workbook.words import NA, TEXT

_FEWEST_PAIRS = 3
_FEWEST_LINES, _FEWEST_WORDS = 2, 4
_MOSTLY, _LEFT_OUT_SHARE = 0.8, 0.4
#: What ends a sentence or parts one, and amounts among small words.
_SENTENCE = re.compile(r";\s|[a-z]{3}[.!]$|[a-z]\. [A-Z]|\b(?:at|to|of|through|by|until) [$€£]?\d[\d.,/]*%?(?:\s|$)")
#: A label with what it says: Broker: Acme Realty.
_LABELLED = re.compile(r"[^\W\d][\w ./-]{1,24}:\s*\S")
_COMMENT = re.compile(r"(?:comments?|notes?|remarks?|memo)\s*[:–-]", re.IGNORECASE)


def mark_continued(panel: Panel, classes: list[RowClass | None], top: int, end: int) -> None:
    """Turns rows between `top` and `end` into "other" where they go on with a record, into notes where they comment.

    A name wrapped into the next row goes on in lower case. Records of two lines each leave the second line's columns
    empty in the same places.
    """
    for i in (np.flatnonzero(panel.count[top + 1 : end + 1] == 1) + top + 1).tolist():
        if classes[i] not in ("section", "record") or classes[i - 1] != "record":
            continue
        if _COMMENT.match(panel.label(i)):
            classes[i] = "note"
        elif _is_wrapped(panel, i):
            classes[i] = "other"
    for i in _second_lines(panel, [i for i in range(top, end + 1) if classes[i] == "record"]):
        classes[i] = "other"
    for i in _lines_below(panel, classes, range(top, end + 1)):
        classes[i] = "other"


def _is_wrapped(panel: Panel, i: int) -> bool:
    """Whether the only text of row `i` goes on with the name right above it, and the next row has one of its own."""
    j = int(panel.first[i])
    if not panel.texty[i, j] or not panel.texty[i - 1, j] or panel.typical <= 2 or panel.label(i).endswith(":"):
        return False
    after = panel.text(i + 1, j)[:1] if i + 1 < panel.n else ""
    return panel.label(i)[:1].islower() and panel.first[i - 1] == j and not after.islower()


def _lines_below(panel: Panel, classes: Sequence[RowClass | None], rows: range) -> list[int]:
    """The lone lines that look like sections where each record has as many below it, the last too: they are its own.

    Sections stand over records, so the first is before them all and none comes last. Where only some records have
    one, they are sentences, or labels with what they say, the last record's too.
    """
    told = [i for i in rows if classes[i] in ("record", "section", "total")]
    while told and (classes[told[-1]] == "total" or panel.is_total(told[-1])):
        told.pop()
    after = rows.stop
    below = bool(told and told[-1] == after - 1 and after < panel.n and panel.count[after] == 1 and panel.lone[after])
    heads = [at for at, i in enumerate(told) if classes[i] == "record"]
    lines = [i for i in told if classes[i] == "section"]
    if not heads or heads[0] or not lines or len(lines) + len(heads) != len(told):
        return []
    lengths = {after - at for at, after in pairwise([*heads, len(told) + below])}
    if len(heads) >= _FEWEST_PAIRS and len(lengths) == 1 and min(lengths) > 1:
        return lines
    texts = [panel.label(i) for i in lines]
    touching = all(classes[i - 1] in ("record", "section") for i in lines)
    ends = (below or classes[told[-1]] == "section") and all(map(_LABELLED.match, texts))
    often = len(lines) >= _FEWEST_LINES and len(heads) <= 2 * len(lines)
    return lines if touching and (all(map(_is_prose, texts)) or (ends and often)) else []


def _is_prose(text: str) -> bool:
    """Whether a text is a sentence, or two halves of one: four words and more, ended or parted as headings are not."""
    return len(text.split()) >= _FEWEST_WORDS and _SENTENCE.search(text) is not None


def _second_lines(panel: Panel, records: list[int]) -> list[int]:
    """Every second of `records`, if each pair of them is one record in two lines; none otherwise."""
    if len(records) < 2 * _FEWEST_PAIRS or len(records) % 2:
        return []
    first, second = records[::2], records[1::2]
    if panel.count[first].min() <= panel.count[second].max() or panel.count[second].min() < 2:
        return []
    lower = panel.codes[second]
    worded = bool((panel.texty[first, panel.first[first]]).all() and (lower[panel.full[second]] == TEXT).all())
    kept = panel.full[first].mean(axis=0) >= _MOSTLY
    left_out = kept & ~np.isin(lower, (TEXT, NA)).any(axis=0)
    together = all(b - a == 1 for a, b in zip(first, second, strict=True))
    enough = left_out.sum() >= max(2, _LEFT_OUT_SHARE * kept.sum())
    return second if worded and together and bool(enough) else []
