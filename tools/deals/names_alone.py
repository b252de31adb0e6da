"""Names that stand alone among the records: of deals, or of sections; which of them were taken for what."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index
from tools.deals.dictionary import dictionary
from tools.deals.findings import MOST_CELLS
from tools.deals.said import as_held
from tools.deals.table_reading import TableReading
from tools.workbook.stage_words import is_stage

_LONGEST, _MOST_WORDS, _MOST_NAMED = 60, 9, 4


def issues_of_names_alone(reading: TableReading) -> list[Issue]:
    """Issues `record.name_only` and `section.empty` of a table, each with its cells; none for most."""
    if reading.table.orientation != "rows" or reading.table.kind != "table":
        return []
    deals = _cells(reading, reading.table.names)
    heads = {cell: text for cell, text in _cells(reading, reading.table.idle).items() if not is_stage(text)}
    found: list[Issue] = []
    if deals:
        message = (
            f"{_named(deals)}: a name and nothing else, as headings of sections are; read as a deal. Should that be "
            "wrong, move it away from the table."
        )
        found.append(Issue("record.name_only", "warning", message, tuple(deals)[:MOST_CELLS]))
    if heads:
        message = (
            f"{_named(heads)}: taken for the heading of a section, and no record stands in it. Should it be a deal, "
            "fill another cell of its row."
        )
        found.append(Issue("section.empty", "warning", message, tuple(heads)[:MOST_CELLS]))
    return found


def _named(cells: dict[str, str]) -> str:
    more = f" and {len(cells) - _MOST_NAMED} more" if len(cells) > _MOST_NAMED else ""
    return ", ".join(map(as_held, [*cells.values()][:_MOST_NAMED])) + more


def _cells(reading: TableReading, rows: Sequence[int]) -> dict[str, str]:
    """The texts in `rows` that may be names, by their cells: short ones alone in a column that names records."""
    table, known = reading.table, dictionary().fields
    named = {column_index(m.letters) for m in reading.mapped if m.field and known[m.field].identity}
    found: dict[str, str] = {}
    for row in rows:
        at = [c for c in range(table.first_column, table.last_column + 1) if table.sheet.value(row, c) is not None]
        text = table.sheet.value(row, at[0]) if len(at) == 1 and at[0] in (named or {table.first_column}) else None
        if isinstance(text, str) and len(text) <= _LONGEST and len(text.split()) <= _MOST_WORDS:
            found[cell_address(table.sheet.name, row, at[0])] = text
    return found
