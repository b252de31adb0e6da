"""Totals whose stored value is not what their formula gives now: somebody changed the cells and nobody recalculated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemas.deal import Issue, Table
from schemas.workbook import cell_address, column_index, column_letters
from tools.workbook.formulas import recompute
from tools.workbook.grid import Sheet, Workbook

_RELATIVE = 1e-6
_MOST_CELLS = 5_000


def stale_formulas(workbook: Workbook, tables: Sequence[Table]) -> list[Issue]:
    """An issue `formula.stale` for each cell in a total's row whose formula, worked out again, gives another number.

    Cells that `compare_totals` tells of as stale are passed over, and formulas that are more than plain.
    """
    issues: list[Issue] = []
    for table in tables:
        sheet = next((sheet for sheet in workbook.sheets if sheet.name == table.sheet), None)
        if sheet is None or not sheet.formulas:
            continue
        told = {total.cell for total in table.totals if total.code == "total.stale"}
        cells = [at for at in _formulas(table, sheet) if cell_address(sheet.name, *at) not in told][:_MOST_CELLS]
        for at, now in recompute(workbook, sheet, cells).items():
            stored, given = _number(sheet.value(*at)), _number(now)
            if stored is None or given is None or abs(given - stored) <= _RELATIVE * max(abs(given), abs(stored)):
                continue
            issues.append(_issue(table, sheet, at, stored, given))
    return issues


def _formulas(table: Table, sheet: Sheet) -> Iterator[tuple[int, int]]:
    """The cells in the rows of a table's totals that hold a formula and a stored number."""
    if table.orientation == "columns":
        return
    left, _, right = table.range.replace("$", "").partition(":")
    first, last = (column_index(corner.rstrip("0123456789")) for corner in (left, right or left))
    for span in table.excluded_rows:
        for row in range(span.first, span.last + 1) if span.row_class == "total" else ():
            for column in range(first, last + 1):
                at = row, column
                if at in sheet.formulas and at not in sheet.computed and _number(sheet.value(*at)) is not None:
                    yield at


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _issue(table: Table, sheet: Sheet, at: tuple[int, int], stored: float, now: float) -> Issue:
    row, column = at
    place = column_letters(column)
    what = next((c.field or c.header for c in table.columns if c.place == place), f"column {place}")
    cell = cell_address(sheet.name, row, column)
    message = f"The total of {what} says {stored:,.10g}; its formula gives {now:,.10g} with the cells as they are now."
    return Issue("formula.stale", "error", message, (cell,), f"{now:.15g}", f"{stored:.15g}")
