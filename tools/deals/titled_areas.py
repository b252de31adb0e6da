"""The unit of areas that a title or note states, for columns of areas whose own header states none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.deals.dictionary import dictionary
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED, ColumnView
from tools.deals.statements import stated
from tools.workbook.detect import DetectedTable

_OWN = "sf"


def with_titled_areas(columns: Sequence[ColumnView], table: DetectedTable) -> list[ColumnView]:
    """The columns, those of areas in the unit that the nearest title states: "Germany (areas in sqm)"."""
    # A form has the lines over it first, a list the nearest one last.
    lines = table.note_lines if table.kind == "key_value" else table.note_lines[::-1]
    unit = next((unit for text, _ in lines if (unit := stated(text).area)), _OWN)
    if unit == _OWN:
        return list(columns)
    return [replace(view, unit=unit) if _is_area(view) else view for view in columns]


def _is_area(view: ColumnView) -> bool:
    """Whether a header speaks for an area of buildings, in no unit."""
    header = read_header(view.header)
    if view.unit or view.apart or header.units:
        return False
    scores = header_scores(header, frozenset())
    best = max(scores, key=lambda name: scores[name], default=None)
    return best is not None and scores[best] >= MAPPED and dictionary().fields[best].unit == _OWN
