"""A list of choices one empty column beside a table: one column of words, each once, under what they are."""

from __future__ import annotations

import re

from tools.workbook.panel import Panel
from tools.workbook.words import TEXT

_MOST_WORDS, _FEWEST, _LONGEST = 200, 2, 40
_LIST = re.compile(
    r"(?:.*\W)?(?:lists?|options|choices|look-?ups?|drop-?downs?|legend|validation|types|statuses|stages|categories)\W*",
    re.IGNORECASE,
)


def is_list_beside(part: Panel, other: Panel) -> bool:
    """Whether `part` is a list: named as one, or right of a table whose rows end before it does.

    Each of its words stands once, and no row between them is empty.
    """
    rows = part.filled_rows
    if part.w != 1 or not _FEWEST < len(rows) <= _MOST_WORDS or rows[-1] - rows[0] >= len(rows):
        return False
    head, *words = (part.text(i, 0) for i in rows)
    short = all(len(word) <= _LONGEST for word in words) and bool((part.codes[rows] == TEXT).all())
    if not short or len(set(words)) < len(words):
        return False
    longer = part.c0 > other.c0 and rows[-1] > other.filled_rows[-1] and len(words) > _FEWEST
    return longer or _LIST.fullmatch(head) is not None
