"""Notes on scales that stand on a sheet of their own, away from the amounts that they may speak of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from schemas.deal import Issue, Table
from schemas.workbook import cell_address
from tools.deals.said import as_held
from tools.deals.scale_notes import LONGEST_NOTE, is_bare
from tools.workbook.grid import Sheet, Workbook

_MOST_TEXTS, _MOST_NUMBERS, _MOST_NOTES = 400, 12, 5


def notes_on_covers(workbook: Workbook, tables: Sequence[Table]) -> list[Issue]:
    """An issue `scale.elsewhere` for each such note of a sheet without a table: no amount was multiplied by it.

    A note holds for what it heads; whether the one of a cover heads all other sheets is for a person to say.
    """
    unscaled = [t for t in tables if any(c.type == "money" and c.field and c.place not in t.scale for c in t.columns)]
    taken = {table.sheet for table in tables}
    covers = [sheet for sheet in workbook.sheets if sheet.visible and sheet.name not in taken and unscaled]
    notes = ((sheet, at, text) for sheet in covers if _is_wordy(sheet) for at, text in _texts(sheet) if is_bare(text))
    return [
        Issue(
            "scale.elsewhere",
            "warning",
            f"Sheet {as_held(sheet.name)} says {as_held(text)}; the amounts of other sheets were read as they stand.",
            (cell_address(sheet.name, *at),),
        )
        for sheet, at, text in islice(notes, _MOST_NOTES)
    ]


def _is_wordy(sheet: Sheet) -> bool:
    numbers = sum(isinstance(value, (int, float)) for column in sheet.columns for value in column.values)
    return numbers <= _MOST_NUMBERS


def _texts(sheet: Sheet) -> list[tuple[tuple[int, int], str]]:
    held = (
        ((row, at), value)
        for at, column in enumerate(sheet.columns, sheet.left)
        for row, value in enumerate(column.values, sheet.top)
        if isinstance(value, str)
        and len(value) <= LONGEST_NOTE
        and row not in sheet.hidden_rows
        and at not in sheet.hidden_columns
    )
    return list(islice(held, _MOST_TEXTS))
