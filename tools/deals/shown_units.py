"""Units and magnitudes that number formats put behind numbers: 1,800 m², 3.2M."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from schemas.workbook import column_index
from tools.deals.formats import Formats
from tools.deals.mapping import ColumnView
from tools.deals.sign_kinds import AREAS, said_by, suits
from tools.deals.units_joined import with_units
from tools.workbook.detect import DetectedTable
from tools.workbook.grid import Sheet

_BRACKETED = re.compile(r"\[[^\]]*\]")
#: What stands behind the last digit of a format's first section.
_TAIL = re.compile(r'^(?:"[^"]*"|\\.|[^";\\])*?(?:[0#?]|General)(?P<tail>(?:"[^"]*"|[\\_*].|[^";\\0#?])*)(?:;|$)')
_PIECE = re.compile(r'"([^"]*)"|\\(.)|[_*].|([^"])')
_MOST_LETTERS = 120
"""Of a format that shows a unit; Excel takes 255, and what is longer than this says more than a unit."""
_SHOWN = frozenset({"per_sf", "per_sqm", "bps"})


def formats_of(table: DetectedTable, view: ColumnView) -> Formats:
    """The number format of each value's cell."""
    sheet = table.sheet
    if view.cells is not None:
        return Formats.of_texts([sheet.number_format(row, column) for row, column in view.cells])
    return Formats.of_column(sheet, table.record_rows, column_index(view.letters))


def with_shown_units(columns: Sequence[ColumnView], table: DetectedTable) -> list[ColumnView]:
    """The columns, numbers with the unit or magnitude that their formats show behind them."""
    if not any(map(unit_shown, _formats_in(table.sheet))):
        return list(columns)
    return [_shown(view, table) if view.kinds & {int, float} else view for view in columns]


def _formats_in(sheet: Sheet) -> set[str]:
    """The number formats of a sheet's cells; those of the whole file where they are fewer than the cells."""
    used = set(sheet.styles.ravel().tolist()) if sheet.styles.size < len(sheet.style_table) else None
    return {style.number_format for n, style in enumerate(sheet.style_table) if used is None or n in used}


def _shown(view: ColumnView, table: DetectedTable) -> ColumnView:
    if view.scale or view.unit or view.period or view.apart:
        return view
    formats = formats_of(table, view)
    units = [unit_shown(code) for code in formats.codes]
    if not any(units):
        return view
    ids: list[int] = formats.ids.tolist()
    numbers = {r for r, value in enumerate(view.values) if isinstance(value, (int, float))}
    texts: Mapping[int, str] = {r: unit for r in numbers if (unit := units[ids[r]])}
    if not texts or not suits(set(texts.values()), view.header):
        return view
    alone = replace(view, values=[value if r in numbers else None for r, value in enumerate(view.values)])
    joined = with_units(alone, texts, "shown")
    if joined.raws is None:
        return replace(joined, values=view.values)
    raws = view.values if view.raws is None else view.raws
    values = [joined.values[r] if r in texts else value for r, value in enumerate(view.values)]
    return replace(view, values=values, raws=raws, types=None)


@lru_cache(maxsize=4096)
def unit_shown(number_format: str) -> str | None:
    """The unit or magnitude that a format writes behind its number; None where it writes none that we know.

    A comma behind the last digit divides what is shown, so that an M behind it says no more than the number itself.
    """
    if len(number_format) > _MOST_LETTERS:
        return None
    plain = _BRACKETED.sub("", number_format)
    match = _TAIL.match(plain)
    if match is None or "%" in re.sub(r'"[^"]*"|\\.', "", plain):
        return None
    tail = match["tail"]
    text = "".join(piece[1] or piece[2] or piece[3] or " " for piece in _PIECE.finditer(tail)).strip(" )")
    text = text.lstrip(",").strip()
    number = said_by(text) if text else None
    if number is None:
        return None
    if number.scaled:
        return None if tail.startswith(",") else text
    return text if number.unit in AREAS | _SHOWN else None
