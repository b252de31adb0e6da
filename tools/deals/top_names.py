"""The names of deals that stand over their columns, in a table with a record a column whose corner names no field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from schemas.deal import Issue
from schemas.workbook import cell_address
from tools.deals.dictionary import PRICE_FIELDS, dictionary
from tools.deals.kinds import is_period
from tools.deals.mapping import SETTLED, MappedColumn
from tools.deals.numbers import is_placeholder
from tools.deals.turning import Column
from tools.workbook.detect import DetectedTable
from tools.workbook.statistic_words import statistic_label

_CONFIDENCE, _FEWEST, _LONGEST = 0.8, 2, 80
_NAMES = frozenset({"deal_name", "tenant"})
_SIZES = frozenset({"units", "building_sf", "land_acres", "year_built"})
_WORD = re.compile(r"[^\W\d_]+")
#: What stands over columns that are no deals: cases of one, versions of its figures, parts of what finances it.
_CASES = """base upside downside best worst stress case scenario option low mid high actual budget variance forecast
proforma current proposed previous prior existing underwritten uw seller broker bid ask target market year month quarter
total subtotal change difference delta senior mezz mezzanine equity debt unit units measure notes comments source"""
_CASE_WORDS = frozenset(_CASES.split())
_CASE_PHRASES = ("pro forma", "in place", "as is", "t-12", "t12", "ttm", "ltm")


def with_names_above(table: DetectedTable) -> DetectedTable | None:
    """The table, a record a column, with the row that names its records over it as its first field; None without one.

    Lone labels of sections may stand between.
    """
    sheet, columns = table.sheet, table.record_rows
    for row in range(table.first_row - 1, max(0, table.first_row - 1 - _FEWEST), -1):
        held = [sheet.value(row, column) for column in columns]
        if any(value is not None for value in held):
            corner = sheet.value(row, table.first_column)
            label = "" if corner is None else " ".join(str(corner).split())
            headers = [label, *[""] * (table.first_row - 1 - row), *table.headers]
            return replace(table, header_rows=(), first_row=row, headers=headers) if are_names(held) else None
    return None


def are_names(values: Column) -> bool:
    """Whether all `values` are texts that may name deals, none as another: no times, statistics, cases or amounts."""
    texts = [value.strip() for value in values if isinstance(value, str)]
    distinct = {text.casefold() for text in texts}
    return _FEWEST <= len(values) == len(texts) == len(distinct) and all(map(_may_name, texts))


def _may_name(text: str) -> bool:
    words, folded = [word.casefold() for word in _WORD.findall(text)], text.casefold()
    cases = set(words) <= _CASE_WORDS or folded.startswith(_CASE_PHRASES)
    nothing = is_placeholder(text) or is_period(text) or statistic_label(text) is not None
    return bool(words) and len(text) <= _LONGEST and not cases and not nothing


def named_on_top(mapped: Sequence[MappedColumn], values: Sequence[Column]) -> list[MappedColumn] | None:
    """The columns with the first as the deals' names, where no other names them; None where it does not.

    Names over columns may be those of anything: a place, a size or a year that differs from column to column says that
    these are deals, a size only with a price.
    """
    fields = {m.field: held for m, held in zip(mapped, values, strict=True) if m.field}
    first = mapped[0] if mapped else None
    if first is None or first.field not in (None, "notes") or _NAMES & fields.keys() or not are_names(values[0]):
        return None
    numbered = len({" ".join(_WORD.findall(str(name))[:1]).casefold() for name in values[0]}) == 1
    if numbered and "address" in fields and all(any(map(str.isdigit, str(name))) for name in values[0]):
        return None
    differing = {field for field, held in fields.items() if len({str(v) for v in held if v is not None}) > 1}
    known = dictionary().fields
    placed = any(known[field].place for field in differing)
    if not placed and not (differing & _SIZES and fields.keys() & set(PRICE_FIELDS)):
        return None
    return [replace(first, field="deal_name", confidence=_CONFIDENCE, candidates=()), *mapped[1:]]


def issue_of_names(table: DetectedTable, mapped: Sequence[MappedColumn]) -> Issue | None:
    """Where the deals' names were taken from over their columns without a label that says so."""
    across = table.orientation == "columns" and table.kind == "table"
    first = mapped[0] if mapped and across else None
    if first is None or first.field != "deal_name" or first.candidates or first.confidence == SETTLED:
        return None
    cell = cell_address(table.sheet.name, table.first_row, table.record_rows[0])
    return Issue(
        "name.top", "info", "deal_name: no label says so; the texts over the columns were taken for it.", (cell,)
    )
