"""Blocks of labels with their values beside them: one property's sheet is one deal, however many blocks it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.workbook import Region, column_index, column_letters
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header, tokenize
from tools.deals.mapping import ColumnView
from tools.deals.seen import seen_texts
from tools.deals.signs_beside import is_amount, sign_in, with_sign
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.grid import Sheet

_LONGEST_LABEL, _MOST_CELLS = 60, 20_000
_REACH, _LABEL = 3, 0.9
_RANGE = re.compile(r"([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?")
#: A label of these alone belongs to the list over it.
_TOTALS = frozenset({"total", "subtotal", "sub", "grand", "sum", "summe", "gesamt"})


def label_pairs(sheet: Sheet, regions: Sequence[Region]) -> list[ColumnView]:
    """Each label of the regions with the value to its right, as a column of one record at the value's cell."""
    found: list[ColumnView] = []
    taken: set[tuple[int, int]] = set()
    for region in regions:
        for row, column, label in _labels(sheet, region.range):
            at = None if (row, column) in taken else _value_beside(sheet, row, column)
            if at is not None:
                view, used = _pair(sheet, label.rstrip(" :"), row, at)
                taken.update(used)
                found.append(view)
    return found


def _pair(sheet: Sheet, label: str, row: int, at: int) -> tuple[ColumnView, list[tuple[int, int]]]:
    """A label's value, of which `at` is the first filled column, and its cells: with a sign before it or behind it."""
    amount, sign = at, None
    beside = _value_beside(sheet, row, at)
    if beside is not None and sign_in(sheet.value(row, at)) and is_amount(sheet.value(row, beside)):
        amount, sign = beside, at
    elif beside is not None and is_amount(sheet.value(row, at)) and sign_in(sheet.value(row, beside)):
        sign = beside
    view = ColumnView(f"{column_letters(amount)}{row}", label, [sheet.value(row, amount)], ((row, amount),))
    if sign is None:
        return view, [(row, amount)]
    text = sign_in(sheet.value(row, sign)) or ""
    return with_sign(view, text, (row, sign)), [(row, amount), (row, sign)]


def _labels(sheet: Sheet, place: str) -> Iterator[tuple[int, int, str]]:
    for row, column, text in seen_texts(sheet, place, _MOST_CELLS):
        if len(text) <= _LONGEST_LABEL and set(tokenize(text)) - _TOTALS:
            yield row, column, text


def _value_beside(sheet: Sheet, row: int, column: int) -> int | None:
    """The column of the value that a label speaks of: the next cell that is filled, within a few columns.

    Behind a gap, a label with a value of its own is the next label: the one before it has no value. Nor has a title
    over labels, beside the title over the next ones.
    """
    for at in range(column + 1, column + 1 + _REACH):
        value = sheet.value(row, at)
        if value is not None:
            follows = at > column + 1 and sheet.value(row, at + 1) is not None
            is_next = follows and isinstance(value, str) and is_label(value)
            titles = at > column + 1 and _labels_below(sheet, row, column) and _labels_below(sheet, row, at)
            return None if is_next or titles or at in sheet.hidden_columns else at
    return None


def _labels_below(sheet: Sheet, row: int, column: int) -> bool:
    """Whether a text stands alone over a label with its value, a blank row between or none."""
    below = next((at for at in (row + 1, row + 2) if sheet.value(at, column) is not None), row)
    alone = isinstance(sheet.value(row, column), str) and sheet.value(row, column + 1) is None
    return alone and isinstance(sheet.value(below, column), str) and sheet.value(below, column + 1) is not None


def is_label(text: str) -> bool:
    """Whether a text is what a field is called."""
    return (
        len(text) <= _LONGEST_LABEL and max(header_scores(read_header(text), frozenset()).values(), default=0) >= _LABEL
    )


def block_table(sheet: Sheet, table_id: str, pairs: Sequence[ColumnView]) -> DetectedTable:
    """The table of one record that `pairs` form."""
    cells = [cell for pair in pairs for cell in pair.cells or ()]
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    return DetectedTable(
        table_id=table_id,
        sheet=sheet,
        header_rows=(),
        first_row=min(rows),
        last_row=max(rows),
        first_column=max(0, min(columns) - 1),
        last_column=max(columns),
        record_rows=[min(columns)],
        sections=[None],
        headers=[pair.header for pair in pairs],
        orientation="columns",
        kind="key_value",
    )


def region_box(place: str) -> tuple[int, int, int, int]:
    """The first row and column of a range and its last ones; an empty box for what is none."""
    match = _RANGE.fullmatch(place)
    if match is None:
        return 1, 1, 0, 0
    return int(match[2]), column_index(match[1]), int(match[4] or match[2]), column_index(match[3] or match[1])


def regions_by_sheet(layout: Layout) -> dict[str | None, list[Region]]:
    """The regions of each sheet that may hold labels and values."""
    found: dict[str | None, list[Region]] = {}
    for region in layout.regions:
        if region.kind not in ("title", "chart_data"):
            found.setdefault(region.sheet, []).append(region)
    return found
