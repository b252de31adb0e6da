"""The name of a property whose block of labels and values has none: it stands as the title over it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.workbook import Region, column_letters
from tools.deals.header_text import read_header, tokenize
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.profile import profile
from tools.deals.scale import scale_in
from tools.deals.seen import seen_texts
from tools.deals.words import WORDS
from tools.workbook.grid import Sheet

_CONFIDENCE, _LONGEST, _MOST_WORDS, _MOST_CELLS = 0.62, 80, 8, 400
#: Fields of a place: a block without any is a model, or about something else.
_PLACES = frozenset({"address", "city", "state", "postal_code", "county"})
_PARTS = re.compile(r"\s+[-–—|]\s+|\s*[:|•]\s+")


def name_of_title(
    sheet: Sheet, regions: Sequence[Region], mapped: Sequence[MappedColumn], top: int
) -> tuple[ColumnView, MappedColumn] | None:
    """The name in the titles over row `top` of a sheet that describes one property; None where no one line is it.

    The name must be missing among the fields `mapped`, and a place be there.
    """
    fields = {m.field for m in mapped}
    if fields & {"deal_name", "tenant"} or not fields & _PLACES:
        return None
    lines = [
        line
        for region in regions
        if region.kind == "title"
        for line in seen_texts(sheet, region.range, _MOST_CELLS, top - 1)
    ]
    found = {name: (row, column) for row, column, text in lines if (name := _name_in(text))}
    if len(found) != 1:
        return None
    (name, (row, column)) = next(iter(found.items()))
    place = f"{column_letters(column)}{row}"
    view = ColumnView(place, "", [name], ((row, column),), raws=[sheet.value(row, column)])
    return view, MappedColumn(place, read_header(""), "deal_name", _CONFIDENCE, (), profile([name]))


def is_titled(mapped: Sequence[MappedColumn]) -> bool:
    """Whether the first field of a block is a name taken from a title: no label stands beside it."""
    first = mapped[0] if mapped else None
    return first is not None and first.field == "deal_name" and not first.header.text and not first.candidates


def _name_in(text: str) -> str | None:
    """The part of a title that names something; None for what such sheets are called, dates, notes and addresses."""
    joined = " ".join(text.split())
    if len(joined) > _LONGEST or set(tokenize(joined)) & WORDS.no_titles or scale_in(joined) or joined.startswith("("):
        return None
    parts = [part for part in _PARTS.split(joined) if set(tokenize(part)) - WORDS.sheet_titles]
    names = [part for part in parts if not any(map(str.isdigit, part)) and len(part.split()) <= _MOST_WORDS]
    lettered = [part for part in names if "," not in part and any(map(str.isalpha, part))]
    return lettered[0] if lettered else None
