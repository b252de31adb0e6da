"""Stored values that are not what their formulas give now: somebody changed cells and nobody recalculated."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.deal import Column, Issue, Table
from schemas.workbook import cell_address, column_index, column_letters
from tools.deals.findings import MOST_CELLS
from tools.deals.said import as_held
from tools.workbook.formula_text import Formulas, Ints
from tools.workbook.formulas import Allowance, recompute
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.place_set import keys_of

Place = tuple[int, int]
Stale = tuple[int, Place, float, float]
"""The number of a record, the place of its cell, what is stored there and what its formula gives."""
_RELATIVE, _ABSOLUTE = 1e-6, 1e-6
_MOST_TOTALS = 5_000
_SAMPLE = 12
_SAMPLE_COST, _COLUMN_COST = 8_000, 1_000_000
_TOTALS_COST, _SAMPLES_COST, _COLUMNS_COST = 2_500_000, 1_000_000, 2_000_000


@dataclass(frozen=True, slots=True)
class _Allowances:
    """What a workbook's formulas may cost: those of its totals, of the samples of its columns, of its stale columns."""

    totals: Allowance = field(default_factory=lambda: Allowance(_TOTALS_COST))
    samples: Allowance = field(default_factory=lambda: Allowance(_SAMPLES_COST))
    columns: Allowance = field(default_factory=lambda: Allowance(_COLUMNS_COST))


def stale_formulas(workbook: Workbook, tables: Sequence[Table]) -> list[Issue]:
    """Issues `formula.stale` for cells whose formula, worked out again, gives another number than is stored.

    One for each cell in a total's row, those passed over that `compare_totals` tells of as stale; one for each column
    of the records, of which all are looked at where a sample shows one. Formulas that are more than plain are passed
    over, and so are those that would cost a workbook more than its allowance. For sheets whose formulas nobody ever
    worked out, an issue `formula.computed` says so.
    """
    allowances = _Allowances()
    issues = [_never_worked_out(sheet) for sheet in workbook.sheets if sheet.visible and _zeros(sheet)]
    for table in tables:
        sheet = next((sheet for sheet in workbook.sheets if sheet.name == table.sheet), None)
        if sheet is None or not sheet.formulas:
            continue
        issues += _stale_totals(workbook, table, sheet, allowances.totals)
        for column in table.columns:
            if column.field and (found := _stale_records(workbook, table, sheet, column, allowances)):
                issues.append(_issue_of_column(table, column, found))
                _warn(table, column, found)
    return issues


def _zeros(sheet: Sheet) -> int:
    return sheet.formulas.zeros if isinstance(sheet.formulas, Formulas) else 0


def _never_worked_out(sheet: Sheet) -> Issue:
    count, left = _zeros(sheet), len(sheet.uncached)
    rest = f"; {left:,} could not be" if left else ""
    message = (
        f"Sheet {as_held(sheet.name)}: its {count:,} formulas all hold 0, as a program leaves them that does not "
        f"calculate; they were worked out from their cells{rest}. Open the file in Excel and save it to compare."
    )
    first = min(sheet.computed, default=None)
    return Issue("formula.computed", "info", message, () if first is None else (cell_address(sheet.name, *first),))


def _stale_totals(workbook: Workbook, table: Table, sheet: Sheet, allowance: Allowance) -> list[Issue]:
    issues: list[Issue] = []
    told = {total.cell for total in table.totals if total.code == "total.stale"}
    cells = [at for at in _formulas(table, sheet) if cell_address(sheet.name, *at) not in told][:_MOST_TOTALS]
    for at, now in recompute(workbook, sheet, cells, allowance).items():
        stored, given = _number(sheet.value(*at)), _number(now)
        if stored is not None and given is not None and _differ(stored, given):
            issues.append(_issue_of_total(table, sheet, at, stored, given))
    return issues


def _formulas(table: Table, sheet: Sheet) -> Iterator[Place]:
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


def _stale_records(
    workbook: Workbook, table: Table, sheet: Sheet, column: Column, allowances: _Allowances
) -> list[Stale]:
    """The stale cells of a column: none where its sample shows none, the sample's where the rest costs too much."""
    rows, columns = _places(table, column)
    formulas = sheet.formulas
    if not isinstance(formulas, Formulas) or not len(rows):
        return []
    kept = np.flatnonzero(formulas.among(keys_of(rows, columns)))
    sample = kept[np.unique(np.linspace(0, len(kept) - 1, _SAMPLE).astype(int))] if len(kept) else kept

    def cells(numbers: NDArray[np.intp]) -> Iterator[tuple[int, Place]]:
        places = zip(rows[numbers].tolist(), columns[numbers].tolist(), strict=True)
        return ((number, at) for number, at in zip(numbers.tolist(), places, strict=True) if at not in sheet.computed)

    some = _differing(workbook, sheet, cells(sample), allowances.samples, _SAMPLE_COST)
    found = _differing(workbook, sheet, cells(kept), allowances.columns, _COLUMN_COST) if some else []
    return max(found, some, key=len)


def _places(table: Table, column: Column) -> tuple[Ints, Ints]:
    """The rows and the columns of a column's records; none where its values stand here and there."""
    if column.cells is not None:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    across = np.array(table.records, np.int32)
    if table.orientation == "columns":
        return np.full_like(across, int(column.place)), across
    return across, np.full_like(across, column_index(column.place))


def _differing(
    workbook: Workbook, sheet: Sheet, cells: Iterable[tuple[int, Place]], allowance: Allowance, most: int
) -> list[Stale]:
    """The cells that hold another number, or day, than their formula gives; at most as many as `most` allows for."""
    found: list[Stale] = []
    record_of = {place: record for record, place in cells}
    for place, now in recompute(workbook, sheet, record_of, allowance, most).items():
        stored = sheet.value(*place)
        both = (_number(stored), _number(now)) if _number(stored) is not None else (_day(stored), _day(now))
        held, given = both
        if held is not None and given is not None and _differ(held, given):
            found.append((record_of[place], place, held, given))
    return found


def _differ(stored: float, now: float) -> bool:
    return abs(now - stored) > max(_ABSOLUTE, _RELATIVE * max(abs(now), abs(stored)))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _day(value: object) -> float | None:
    return float(value.toordinal()) if isinstance(value, dt.date) else None


def _issue_of_total(table: Table, sheet: Sheet, at: Place, stored: float, now: float) -> Issue:
    row, column = at
    place = column_letters(column)
    what = next((c.field or c.header for c in table.columns if c.place == place), f"column {place}")
    cell = cell_address(sheet.name, row, column)
    message = f"The total of {what} says {stored:,.10g}; its formula gives {now:,.10g} with the cells as they are now."
    return Issue("formula.stale", "error", message, (cell,), f"{now:.15g}", f"{stored:.15g}")


def _issue_of_column(table: Table, column: Column, found: Sequence[Stale]) -> Issue:
    """What the first of the cells holds and should hold, and how many there are."""
    cells = tuple(cell_address(table.sheet, *place) for _, place, _, _ in found[:MOST_CELLS])
    _, _, stored, now = found[0]
    held, given = (_shown(value, column) for value in (stored, now))
    more = f", and {len(found) - 1:,} more differ{'s' if len(found) == 2 else ''}" if len(found) > 1 else ""
    message = (
        f"{column.field}: {cells[0]} says {held}; its formula gives {given} with the cells as they are now{more}. "
        "Nobody recalculated the file; the stored values were taken."
    )
    return Issue("formula.stale", "error", message, cells, *(_plain(value, column) for value in (now, stored)))


def _shown(value: float, column: Column) -> str:
    return _plain(value, column) if column.type == "date" else f"{value:,.10g}"


def _plain(value: float, column: Column) -> str:
    is_day = column.type == "date" and value == int(value) and 1 <= value <= dt.date.max.toordinal()
    return dt.date.fromordinal(int(value)).isoformat() if is_day else f"{value:.15g}"


def _warn(table: Table, column: Column, found: Sequence[Stale]) -> None:
    """Marks the deals whose cells are stale."""
    warnings = dict(table.warnings)
    for record, *_ in found:
        warnings[record] = (*warnings.get(record, ()), f"formula.stale: {column.field}")
    table.warnings = dict(sorted(warnings.items()))
