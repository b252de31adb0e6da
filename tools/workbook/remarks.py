"""Headings of sections that say more than their name: how many deals follow, or in what currency and scale."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tools.workbook.cells import Flags
from tools.workbook.closing import COUNTED
from tools.workbook.words import TEXT, YEAR, is_unit

if TYPE_CHECKING:
    from tools.workbook.panel import Panel

_FEWEST_CELLS, _LONGEST_LABEL, _LONGEST_REMARK, _SAMPLE, _LABELS_END = 4, 60, 40, 200, 2
_SIGN = r"(?:us|ca?|au?|nz|hk|sg?)?\s*[$€£¥]|usd|eur|gbp|cad|aud|nzd|chf|jpy|sek|nok|dkk|pln|aed|inr"
_SIZE = r"'?000'?s?|thousands?|mill?ions?|mio\.?|mn|mm|m|bn|billions?|k|tsd\.?"
_SCALE = re.compile(
    rf"\W*(?:(?:all|figures?|amounts?|values?)\s+)*(?:in\s+)?(?:(?:{_SIGN})\s*(?:in\s+)?(?:{_SIZE})?|in\s+(?:{_SIZE}))\W*",
    re.IGNORECASE,
)


def remarked_headings(panel: Panel) -> Flags:
    """The rows of a wide panel that hold a label and one remark as headings of sections do: "$000", "4 assets".

    Where rows with more cells hold such a text in the same column, it is a value of theirs.
    """
    found = np.zeros(panel.n, np.bool_)
    if panel.typical < _FEWEST_CELLS:
        return found
    for i in np.flatnonzero((panel.count == 2) & (panel.first < _LABELS_END)).tolist():
        label, remark = panel.first[i], panel.w - 1 - int(panel.full[i, ::-1].argmax())
        if (
            panel.codes[i, label] in (TEXT, YEAR)
            and panel.codes[i, remark] == TEXT
            and _is_remark(panel.text(i, remark))
        ):
            found[i] = _is_heading(panel, i) and not _is_value(panel, remark)
    return np.zeros_like(found) if _end_groups(panel, found) else found


def _end_groups(panel: Panel, found: Flags) -> bool:
    """Whether the rows found stand below what they are about: wide rows before the first, none after the last."""
    rows = np.flatnonzero(found).tolist()
    wide = panel.count > 2
    return bool(rows) and not wide[rows[-1] :].any() and int(wide[: rows[0]].sum()) > 1


def _is_heading(panel: Panel, i: int) -> bool:
    """Whether the label of row `i` is no unit, no total and no note."""
    label = panel.label(i)
    return len(label) <= _LONGEST_LABEL and not (is_unit(label) or panel.is_total(i) or panel.is_note(i))


def _is_remark(text: str) -> bool:
    if not 1 < len(text) <= _LONGEST_REMARK:
        return False
    counted = COUNTED.fullmatch(text)
    return _SCALE.fullmatch(text) is not None or (counted is not None and counted["many"] is not None)


def _is_value(panel: Panel, column: int) -> bool:
    """Whether rows of more than two cells hold such remarks in a column."""
    rows = np.flatnonzero((panel.count > 2) & panel.texty[:, column])[:_SAMPLE]
    return any(_is_remark(panel.text(i, column)) for i in rows.tolist())
