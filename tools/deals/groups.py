"""Records that lean on those above: lines that go on with a record, and names on the first row of a group only."""

from __future__ import annotations

from collections.abc import Sequence

from tools.deals.charge_lines import column_of_charges
from tools.deals.dictionary import dictionary
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.numbers import is_amount
from tools.workbook.detect import DetectedTable

_LEAST_SHARE, _MOST_SHARE, _FEWEST_LINES = 0.25, 0.9, 2
_LONGEST_NAME, _MOST_WORDS = 60, 9
_FEWEST_BLANKS, _BLANK_SHARE, _FEWEST_GROUPS = 2, 0.4, 2


def continuation_lines(
    table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> list[int]:
    """The positions of rows that only go on with the record above them, as a unit's further charges do.

    Such a row leaves blank whatever names the record and fills at most half of the columns that its record fills;
    there are enough of them to be a habit of the table, and never one on top. One alone is enough where it names a
    charge.
    """
    known = dictionary().fields
    naming = [
        v for v, m in zip(columns, mapped, strict=True) if m.field and (known[m.field].identity or m.field == "suite")
    ]
    if table.orientation != "rows" or not naming or not any(type(None) in view.kinds for view in naming):
        return []
    count = len(table.record_rows)
    naming.append(columns[0])
    unnamed = [at for at in range(count) if all(view.values[at] is None for view in naming)]
    if not unnamed or unnamed[0] == 0 or len(unnamed) > _MOST_SHARE * count:
        return []
    if len(unnamed) >= max(_FEWEST_LINES, _LEAST_SHARE * count) and _all_go_on(columns, unnamed):
        return unnamed
    charges = column_of_charges(columns, mapped)
    return [at for at in unnamed if charges is not None and _is_charge(columns, charges, at)]


def _all_go_on(columns: Sequence[ColumnView], lines: Sequence[int]) -> bool:
    """Whether each of the rows fills no column that its record leaves blank, and half as many at most."""
    filled = [
        {i for i, view in enumerate(columns) if view.values[at] is not None} for at in range(len(columns[0].values))
    ]
    rest, head = set(lines), 0
    for at, held in enumerate(filled):
        if at not in rest:
            head = at
        elif 2 * len(held) > len(filled[head]) or not held <= filled[head]:
            return False
    return True


def _is_charge(columns: Sequence[ColumnView], charges: ColumnView, at: int) -> bool:
    """Whether a row says what is charged, and else amounts and days only, in half of the columns at most."""
    held = [view.values[at] for view in columns if view is not charges and view.values[at] is not None]
    worded = any(isinstance(value, str) and not is_amount(value) for value in held)
    return charges.values[at] is not None and not worded and 2 * len(held) <= len(columns)


def group_sections(table: DetectedTable, columns: Sequence[ColumnView]) -> list[str | None] | None:
    """The section of each record where the leftmost column names its group on the group's first row only; else None."""
    if table.orientation != "rows" or not columns or any(table.sections):
        return None
    first = columns[0]
    if first.kinds != frozenset((str, type(None))) or first.values[0] is None or len(columns) < 3:
        return None
    blanks = first.values.count(None)
    names = [str(value) for value in first.values if value is not None]
    if blanks < max(_FEWEST_BLANKS, _BLANK_SHARE * len(first.values)) or not _FEWEST_GROUPS <= len(set(names)) == len(
        names
    ):
        return None
    sections: list[str | None] = []
    for value in first.values:
        sections.append(" ".join(str(value).split()) if value is not None else sections[-1])
    return sections


def without_sentences(sections: Sequence[str | None]) -> list[str | None]:
    """The sections, those that are no names but sentences left out: the disclaimer under the header of an export."""
    sentences = {
        text for text in set(sections) if text and len(text) > _LONGEST_NAME and len(text.split()) > _MOST_WORDS
    }
    return [None if section in sentences else section for section in sections]
