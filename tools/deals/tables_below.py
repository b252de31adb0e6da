"""Small tables of words below a list of deals: contacts, legends, watch lists; and lists of choices that end lower.

A blank row parts them from the deals, or nothing does. They hold no figure where each deal does; what their labels, or
addresses of mail, do not tell from deals of which little is known yet stays a deal, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from schemas.deal import Issue
from schemas.workbook import cell_address, column_letters
from tools.deals.bare_words import is_contact
from tools.deals.dictionary import dictionary
from tools.deals.findings import MOST_CELLS
from tools.deals.left_out import leave_out
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.numbers import is_amount
from tools.deals.table_reading import TableReading
from tools.workbook.detect import DetectedTable, Layout

_FEWEST, _MOST_ROWS, _SAMPLE = 2, 30, 200
_MOSTLY, _NARROW, _RARE, _LONGEST = 0.8, 0.5, 0.1, 40
_WORDS = """contact contacts name names firm company phone telephone tel email e-mail mail mobile cell fax title
role broker brokers agent agents status meaning abbreviation abbreviations acronym definition definitions term terms
code codes key legend watchlist watch list reason reasons comment comments note notes item stage type category color
description colour explanation symbol source action task owner responsible priority risk issue question answer
website address lead team member analyst office person number"""
_LABELS = frozenset(_WORDS.split())
#: What tells a deal without a name.
_WEAK = frozenset({"suite", "city", "postal_code", "source_id"})
_SIGNED = re.compile(
    r"(?:prepared|compiled|updated|reviewed|approved|checked|provided)\s+(?:by|for|on)|sources?|data\s+sources?|as\s+of|"
    r"(?:last\s+)?updated?|dated?|contact|phone|tel|telephone|e-?mail|web(?:site)?|confidential(?:ity)?|disclaimer|version",
    re.IGNORECASE,
)


def leave_tables_below_out(
    layout: Layout, table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> tuple[int, ...] | None:
    """Takes such tables, and rows that go on with lists of choices, out of the records; None where there are none.

    Gives the rows of the lists of choices.
    """
    if table.orientation != "rows" or table.kind != "table" or not columns:
        return None
    ends = _Ends(table, columns, mapped)
    count = start = len(table.record_rows)
    while (block := ends.block(start)) and ends.is_other(block):
        start = block.start
    nameless = list(ends.nameless(start))
    found = [*nameless, *range(start, count)]
    if not found:
        return None
    rows = tuple(table.record_rows[at] for at in nameless)
    leave_out(layout, table, found, "note")
    return rows


def issues_below(reading: TableReading) -> list[Issue]:
    """Warnings: `record.name_only` for words below a blank row read as deals, `table.beside` for lists of choices."""
    table, found = reading.table, list[Issue]()
    if table.orientation != "rows" or table.kind != "table" or not reading.columns:
        return found
    if block := _Ends(table, reading.columns, reading.mapped).block(len(table.record_rows)):
        rows = [table.record_rows[at] for at in block]
        message = (
            f"{_rows(rows)} below a blank row, words and no figure; read as deals. Should that be a table of its own, "
            "move it away from the deals."
        )
        cells = (cell_address(table.sheet.name, row, table.first_column) for row in rows[:MOST_CELLS])
        found.append(Issue("record.name_only", "warning", message, tuple(cells)))
    if reading.nameless:
        found.append(_choices(reading))
    return found


def _choices(reading: TableReading) -> Issue:
    table, rows = reading.table, reading.nameless
    columns = range(table.first_column, table.last_column + 1)
    places = [(row, c) for row in rows for c in columns if table.sheet.value(row, c) is not None]
    letters = ", ".join(column_letters(c) for c in sorted({c for _, c in places}))
    message = (
        f"{_rows(rows)} no name and no figure, only words in {letters}; no deal. Should that be a list of choices that "
        "stands beside the deals, what it holds is about none of them: move it away."
    )
    cells = tuple(cell_address(table.sheet.name, *place) for place in places[:MOST_CELLS])
    return Issue("table.beside", "warning", message, cells)


def _rows(rows: Sequence[int]) -> str:
    return f"Row {rows[0]} holds" if len(rows) == 1 else f"Rows {rows[0]} to {rows[-1]} hold"


class _Ends:
    """The last records of a table, against those above them."""

    def __init__(self, table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> None:
        known = dictionary().fields
        self._table, self._columns = table, columns
        pairs = zip(columns, mapped, strict=True)
        fields = [(view, m.field) for view, m in pairs if m.field]
        self._names = [view for view, field in fields if known[field].identity]
        self._told = [view for view, field in fields if known[field].identity or field in _WEAK]

    def block(self, end: int) -> range | None:
        """The records between the last blank row before position `end` and it, if all are words and few; else None."""
        rows = self._table.record_rows
        least = max(_FEWEST, end - _MOST_ROWS)
        start = next((at for at in range(end - 1, least - 1, -1) if self._is_parted(rows[at - 1], rows[at])), end)
        body = next((at + 1 for at in range(start - 1, -1, -1) if self._is_figured(at)), 0)
        above = range(max(0, body - _SAMPLE), body)
        figured = sum(map(self._is_figured, above))
        if start >= end or not self._names or len(above) < _FEWEST or figured < _MOSTLY * len(above):
            return None
        most = _NARROW * median(len(self._held(at)) for at in above)
        fits = all(
            2 <= len(held) <= most and self._is_wordy(at) for at in range(start, end) if (held := self._held(at))
        )
        return range(start, end) if fits else None

    def is_other(self, block: range) -> bool:
        """Whether a block is known to be no deals: by labels on top of it or on its rows, or by mail and phones."""
        held = [[text for _, text in self._held(at)] for at in block]
        headed = all(_is_label(text) for text in held[0])
        signed = all(_SIGNED.fullmatch(texts[0].strip(" :")) is not None for texts in held)
        return headed or signed or all(self._is_contact(at, block.start) for at in block)

    def nameless(self, end: int) -> range:
        """The records right before position `end` with no name, no figure and short words, where others have a name."""
        start = end
        while start > _FEWEST and self._is_nameless(start - 1):
            start -= 1
        named = sum(any(view.values[at] is not None for view in self._names) for at in range(start))
        return range(start, end) if self._names and named >= _MOSTLY * start else range(end, end)

    def _is_nameless(self, at: int) -> bool:
        short = all(len(text) <= _LONGEST for _, text in self._held(at))
        return all(view.values[at] is None for view in self._told) and self._is_wordy(at) and short

    def _held(self, at: int) -> list[tuple[ColumnView, str]]:
        return [(view, str(value)) for view in self._columns if (value := view.values[at]) is not None]

    def _is_wordy(self, at: int) -> bool:
        """Whether the row holds texts alone, and none that is a number."""
        held = [value for view in self._columns if (value := view.values[at]) is not None]
        return bool(held) and all(isinstance(value, str) and not is_amount(value) for value in held)

    def _is_figured(self, at: int) -> bool:
        return any(is_amount(view.values[at]) for view in self._columns)

    def _is_parted(self, before: int, row: int) -> bool:
        """Whether an empty row stands between two rows."""
        table = self._table
        columns = range(table.first_column, table.last_column + 1)
        return any(all(table.sheet.value(r, c) is None for c in columns) for r in range(before + 1, row))

    def _is_contact(self, at: int, start: int) -> bool:
        """Whether the row holds a number of a phone or an address of mail, where hardly any deal above `start` does."""
        spoken = [view for view, text in self._held(at) if is_contact(text)]
        others = [[v for v in view.values[max(0, start - _SAMPLE) : start] if v is not None] for view in spoken]
        return any(sum(map(is_contact, values)) <= _RARE * len(values) for values in others)


def _is_label(text: str) -> bool:
    words = [word for word in re.split(r"[^\w-]+", text.casefold()) if word]
    return 0 < len(words) <= 3 and _LABELS.issuperset(words)
