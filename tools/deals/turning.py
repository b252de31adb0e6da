"""Tables laid out as lists whose first column names fields: a property a column, as its meaning shows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tools.deals.currency_signs import currency_of_sign
from tools.deals.numbers import is_placeholder
from tools.workbook.detect import DetectedTable
from tools.workbook.statistic_words import statistic_label
from tools.workbook.words import NA, TEXT, TOTAL_RE, UNIT_RE, code_of_text

_MOST_FIELDS, _FEWEST_RECORDS, _LONGEST_LABEL = 200, 2, 300
_FEWEST_UNITS, _FEWEST_SUMS, _NAME_ROWS, _RELATIVE = 2, 2, 2, 1e-3
_TOTAL = re.compile(r"(?:(?:grand|sub|portfolio|overall|all)[\s-]*)?totals?\W*(?:portfolio)?", re.IGNORECASE)
_SIZED = frozenset({"x", "#", "text", "date", "name", "unit", "units", "uom", "measure", "einheit"})
_MOST_NAMES, _MOST_HEADS = 1, 4
Column = Sequence[object]


def turned(table: DetectedTable) -> DetectedTable | None:
    """The table with a record a column and its first column's texts as headers; None where it cannot be one."""
    sheet = table.sheet
    top = min((*table.header_rows, table.first_row))
    rows = range(top, table.last_row + 1)
    if table.orientation != "rows" or table.kind != "table" or len(rows) > _MOST_FIELDS:
        return None
    columns = [
        column
        for column in range(table.first_column + 1, table.last_column + 1)
        if column not in sheet.hidden_columns and any(sheet.value(row, column) is not None for row in rows)
    ]
    if len(columns) < _FEWEST_RECORDS:
        return None
    held = (row for row in rows if any(sheet.value(row, column) is not None for column in columns))
    labels = {row: sheet.value(row, table.first_column) for row in held}
    return replace(
        table,
        orientation="columns",
        header_rows=(),
        first_row=top,
        record_rows=columns,
        sections=[None] * len(columns),
        headers=[_label(labels.get(row)) for row in rows],
        excluded=(),
    )


def upright(table: DetectedTable) -> DetectedTable | None:
    """A table taken for one with a record a column, with a record a row under its rows of words; None with few rows.

    Lone labels in the first column head the rows below them.
    """
    sheet, columns = table.sheet, range(table.first_column, table.last_column + 1)
    top = min((*table.header_rows, table.first_row))
    held = {
        row: sum(sheet.value(row, column) is not None for column in columns) for row in range(top, table.last_row + 1)
    }
    totals = {row for span in table.excluded if span.row_class == "total" for row in range(span.first, span.last + 1)}
    rows = [row for row, count in held.items() if count and row not in sheet.hidden_rows | totals]
    worded = itertools.takewhile(lambda row: held[row] > 1 and _is_worded(table, row), rows[:_MOST_HEADS])
    cut = max(1, len(list(worded)))
    records, sections, section = list[int](), list[str | None](), None
    for row in rows[cut:]:
        if held[row] == 1 and sheet.value(row, table.first_column) is not None:
            section = _label(sheet.value(row, table.first_column))
            continue
        records.append(row)
        sections.append(section)
    if len(records) < _FEWEST_RECORDS:
        return None
    headers = [[_label(sheet.value(row, column)) for row in rows[:cut]] for column in columns]
    return replace(
        table,
        orientation="rows",
        header_rows=tuple(rows[:cut]),
        first_row=records[0],
        record_rows=records,
        sections=sections,
        headers=[" / ".join(dict.fromkeys(filter(None, labels))) for labels in headers],
    )


def _is_worded(table: DetectedTable, row: int) -> bool:
    """Whether a row holds no numbers and no days, but words."""
    held = [table.sheet.value(row, column) for column in range(table.first_column, table.last_column + 1)]
    return all(value is None or (isinstance(value, str) and code_of_text(value) in (TEXT, NA)) for value in held)


def _label(value: object) -> str:
    return " ".join(str(value or "").split())[:_LONGEST_LABEL]


@dataclass(frozen=True, slots=True)
class Across:
    """A table with a record a column; `totals` were columns of totals, `signs` the columns of signs by their record."""

    table: DetectedTable
    totals: tuple[int, ...]
    signs: Mapping[int, int]


def records_alone(table: DetectedTable) -> Across:
    """A table with a record a column without the columns that are none.

    The units that such a column holds go into the labels: "Price" beside "$000" is "Price ($000)".
    """
    held = {at: _values(table, at) for at in table.record_rows}
    columns = {at: values for at, values in held.items() if not _are_labels_again(table.headers, values)}
    signs = _columns_of_signs(columns)
    for at in signs.values():
        del columns[at]
    first = min(columns, default=0)
    said = columns.pop(first) if len(columns) > _FEWEST_RECORDS and _are_units(columns[first]) else ()
    totals: list[int] = []
    for end in (max, min):
        while len(columns) > 1 and _is_total(at := end(columns), columns, _names(table, at)):
            totals.append(at)
            del columns[at]
    units = ("" if unit is None or _says_type(unit) else f" ({str(unit).strip(' ()')})" for unit in said)
    headers = [label and label + unit for label, unit in itertools.zip_longest(table.headers, units, fillvalue="")]
    records = list(columns)
    alone = replace(table, record_rows=records, sections=[None] * len(records), headers=headers)
    return Across(alone, tuple(sorted(totals)), signs)


def _are_labels_again(labels: Sequence[str], values: Column) -> bool:
    """Whether a column says nothing but the labels of its rows again, for the records right of it."""
    said = [(label, value) for label, value in zip(labels, values, strict=False) if value is not None]
    return len(said) > _FEWEST_RECORDS and all(_label(value).casefold() == label.casefold() for label, value in said)


def _columns_of_signs(columns: Mapping[int, Column]) -> dict[int, int]:
    """The columns of currency signs and units by the records that they belong to; none where a record may have none.

    Each record has its own, all on the same side of it.
    """
    held = {at: [value for value in values if value is not None] for at, values in columns.items()}
    signs = [at for at, values in held.items() if values and all(isinstance(v, str) and _is_sign(v) for v in values)]
    records = [at for at in columns if at not in signs]
    if not signs or len(signs) != len(records):
        return {}
    for first, second in ((signs, records), (records, signs)):
        if list(columns) == [at for pair in zip(first, second, strict=True) for at in pair]:
            return dict(zip(records, signs, strict=True))
    return {}


def _is_sign(text: str) -> bool:
    return currency_of_sign(text) is not None or UNIT_RE.fullmatch(text.strip()) is not None


def _names(table: DetectedTable, column: int) -> list[str]:
    """What a column is called, over the table and at its top."""
    rows = (*table.header_rows, *range(table.first_row, min(table.first_row + _NAME_ROWS, table.last_row + 1)))
    return [value for row in rows if isinstance(value := table.sheet.value(row, column), str)]


def _values(table: DetectedTable, column: int) -> Column:
    return [table.sheet.value(row, column) for row in range(table.first_row, table.last_row + 1)]


def _are_units(values: Column) -> bool:
    """Whether a column holds nothing but units of what its rows name."""
    held = [value for value in values if value is not None]
    texts = [value.strip() for value in held if isinstance(value, str)]
    sized = sum(bool(UNIT_RE.fullmatch(text)) for text in texts)
    rest = [text for text in texts if not UNIT_RE.fullmatch(text)]
    return len(texts) == len(held) and sized >= _FEWEST_UNITS and {text.casefold() for text in rest} <= _SIZED


def _says_type(unit: object) -> bool:
    """Whether a cell among units names the column, or what its row holds, and no unit."""
    return str(unit).strip(" ().").casefold() in _SIZED


def _is_total(at: int, columns: dict[int, Column], names: Sequence[str]) -> bool:
    """Whether a column is called a total or a statistic, or holds the sums of all others, which are several.

    A name that says more than that ("Total Wine Plaza") needs a sum that bears it out; where none says it, texts of
    its own, such as a city beside a name, speak for a record.
    """
    others = [other for place, other in columns.items() if place != at]
    sums = sum(_is_sum(value, [other[row] for other in others]) for row, value in enumerate(columns[at]))
    for name in names[:1]:
        statistic = statistic_label(name)
        if (statistic and statistic.pure) or _TOTAL.fullmatch(name.strip()) or (sums and TOTAL_RE.search(name)):
            return True
    texts = sum(isinstance(value, str) and not is_placeholder(value) for value in columns[at])
    return len(others) >= _FEWEST_RECORDS and sums >= _FEWEST_SUMS and texts <= _MOST_NAMES


def _is_sum(value: object, parts: Column) -> bool:
    numbers = [part for part in (value, *parts) if isinstance(part, (int, float)) and not isinstance(part, bool)]
    if len(numbers) <= len(parts) or not numbers[0]:
        return False
    return abs(sum(numbers[1:]) - numbers[0]) <= _RELATIVE * abs(numbers[0])
