"""A second row of labels that stands as the first record: it says again, or closer, what the header's names mean."""

from __future__ import annotations

from dataclasses import replace

from schemas.workbook import Region
from tools.deals.first_records import NO_ROWS, FirstRecords
from tools.deals.header_lines import HeaderLine, held_again, is_unit_or_type, line_under, meaning, said_in
from tools.deals.left_out import leave_out
from tools.deals.numbers import is_placeholder
from tools.deals.value_texts import is_refinement
from tools.workbook.detect import DetectedTable, Layout

_FEWEST_RECORDS, _FEWEST_LABELS = 2, 2
_YEARS = range(1990, 2101)
#: What a column of names, or of anything, may be called once more under its own name.
_NAMES = "name|names|full name|no|no.|number|#|id|code|title|description|text"
_WORDS = frozenset(_NAMES.split("|"))
_DASHES = frozenset("-–—")


def take_labels(layout: Layout, table: DetectedTable) -> FirstRecords:
    """Turns the first record into a row of the header where it only labels the columns, and names it as kept there."""
    heads = table.header_rows
    if table.orientation != "rows" or table.kind != "table" or not heads or len(table.record_rows) < _FEWEST_RECORDS:
        return NO_ROWS
    row = table.record_rows[0]
    if any(heads[-1] < span.first < row for span in table.excluded):
        return NO_ROWS
    values = (table.sheet.value(row, column) for column in range(table.first_column, table.last_column + 1))
    if not all(value is None or isinstance(value, str) or _is_year(value) for value in values):
        return NO_ROWS
    said = [said_in(table, at) for at in (*heads, row)]
    said[-1] = {at: text.removesuffix(".0") for at, text in said[-1].items() if not _DASHES.issuperset(text)}
    if not _labels_columns(table, line_under(said[:-1], said[-1])):
        return NO_ROWS
    _move(layout, table, said[-1])
    return FirstRecords(kept=(row,))


def _is_year(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value in _YEARS


def _labels_columns(table: DetectedTable, line: HeaderLine) -> bool:
    """Whether most cells of the row are labels, none is a value, and no record holds one of its labels again.

    One of them stands under a measure, but where the row begins with what any column of names is called. Without a
    label over the first column all of them are.
    """
    if len(line.said) < _FEWEST_LABELS or not line.labels:
        return False
    first = min(line.labels)
    labels = {at for at in line.said if _is_label(line, at, at == first)}
    others = line.said.keys() - labels
    if len(labels) < _FEWEST_LABELS or len(others) > (len(labels) if first in labels else 0):
        return False
    if (first in line.said and first not in labels) or any(_is_value(line, at) for at in others):
        return False
    measured = any(not line.is_text(at) and line.spec(at) is not None for at in labels)
    named = first in labels and line.said[first].casefold() in _WORDS
    return (measured or named) and not held_again(table, {at: line.said[at] for at in labels}, after=1)


def _is_label(line: HeaderLine, at: int, first: bool) -> bool:
    """Whether a cell is a label for its column: a unit, a refinement, a field's name; of the names' column its own."""
    text, spec = line.said[at], line.spec(at)
    if text.casefold() in _WORDS:
        return True
    if first or (spec is not None and spec.type == "text"):
        own = line.is_label(text) and meaning(text, line.context)[1] is spec
        return own if first or is_placeholder(text) else own or line.is_label(text)
    return not is_placeholder(text) and (is_unit_or_type(text) or is_refinement(text, spec) or line.is_label(text))


def _is_value(line: HeaderLine, at: int) -> bool:
    return at in line.values or (not line.is_text(at) and is_placeholder(line.said[at]))


def _move(layout: Layout, table: DetectedTable, labels: dict[int, str]) -> None:
    """Makes the first record the last row of the header, in `table` and in the account of `layout`."""
    row, excluded, last = table.record_rows[0], table.excluded, table.header_rows[-1]
    leave_out(layout, table, [0], "header")
    table.excluded = excluded
    table.header_rows = (*table.header_rows, row)
    table.headers = [
        " / ".join(dict.fromkeys(text for text in (said, labels.get(at)) if text))
        for at, said in enumerate(table.headers, table.first_column)
    ]
    layout.regions = tuple(_renamed(region, table, last) for region in layout.regions)


def _renamed(region: Region, table: DetectedTable, last: int) -> Region:
    mine = region.table_id == table.table_id and last in region.header_rows
    return replace(region, header_rows=(*region.header_rows, table.header_rows[-1])) if mine else region
