"""The account of a sheet: every filled cell in exactly one region, every filled row with a class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.errors import OutputError
from schemas.workbook import Region, RegionKind, RowClass, RowSpan, SheetCensus, column_letters
from tools.workbook.boxes import Box, boxes_of
from tools.workbook.cells import Cells, Flags, some
from tools.workbook.grid import Sheet
from tools.workbook.panel import runs
from tools.workbook.regions import Area

_OTHER: RowClass = "other"
Rows = Iterable[tuple[int, RowClass | None, str | None]]


@dataclass(slots=True)
class Account:
    """What has been entered for a sheet so far; `filled` and `covered` have the block's shape."""

    sheet: Sheet
    filled: Flags
    covered: NDArray[np.int16]
    regions: list[Region] = field(default_factory=list[Region])
    spans: list[RowSpan] = field(default_factory=list[RowSpan])


def take_account(cells: Cells, areas: Sequence[Area]) -> tuple[list[Region], SheetCensus]:
    """The regions and the census of a shown sheet; raises OutputError when a cell or row is left out or doubled."""
    sheet = cells.sheet
    filled = cells.filled if cells.is_whole and not sheet.covered else filled_block(sheet)
    account = Account(sheet, filled, np.zeros(filled.shape, np.int16))
    for area in areas:
        for box in boxes_of(area):
            _enter(account, cells, box)
    _enter_rest(account)
    account.spans = _spans(cells, areas)
    _class_rest(account)
    return account.regions, _close(account)


def hidden_account(sheet: Sheet) -> tuple[list[Region], SheetCensus]:
    """The same for a hidden sheet: all that it holds is "other", and nothing of it is read."""
    filled = filled_block(sheet)
    account = Account(sheet, filled, np.zeros(filled.shape, np.int16))
    _enter_rest(account)
    _class_rest(account)
    return account.regions, _close(account)


def filled_block(sheet: Sheet) -> Flags:
    """Which cells of the block hold a value, under a merged cell or not, or a formula without one."""
    filled = np.zeros((sheet.height, sheet.width), np.bool_)
    for at, column in enumerate(sheet.columns):
        filled[:, at] = [value is not None for value in column.values]
    filled[sheet.uncached.rows - sheet.top, sheet.uncached.columns - sheet.left] = True
    for row, column in sheet.covered:
        filled[row - sheet.top, column - sheet.left] = True
    return filled


def _enter(account: Account, cells: Cells, box: Box) -> None:
    rows, columns = cells.rows, cells.columns
    heads = tuple(int(rows[h]) for h in box.heads)
    table_id = box.band.table_id if box.band else None
    place = (int(rows[box.top]), int(columns[box.left]), int(rows[box.bottom]), int(columns[box.right]))
    _add(account, place, box.kind, heads, table_id)


def _add(
    account: Account,
    place: tuple[int, int, int, int],
    kind: RegionKind,
    heads: tuple[int, ...] = (),
    table_id: str | None = None,
) -> None:
    """Enters a region over `place`: first row, first column, last row, last column, in the sheet's numbers."""
    top, left, bottom, right = place
    name = f"{column_letters(left)}{top}"
    name = name if (top, left) == (bottom, right) else f"{name}:{column_letters(right)}{bottom}"
    account.regions.append(Region(account.sheet.name, name, kind, heads, table_id))
    r, c = account.sheet.top, account.sheet.left
    account.covered[max(0, top - r) : bottom - r + 1, max(0, left - c) : right - c + 1] += 1


def _enter_rest(account: Account) -> None:
    """Cells in no region yet (hidden ones, strays): "other", in boxes of columns that are filled alike."""
    sheet = account.sheet
    rest = account.filled & (account.covered == 0)
    columns = np.flatnonzero(rest.any(0)).tolist()
    while columns:
        left = right = columns.pop(0)
        while columns and columns[0] == right + 1 and (rest[:, columns[0]] == rest[:, left]).all():
            right = columns.pop(0)
        for a, b in runs(rest[:, left]):
            _add(account, (sheet.top + a, sheet.left + left, sheet.top + b, sheet.left + right), "other")
    for row, column in sheet.strays:
        _add(account, (row, column, row, column), "other")


def _spans(cells: Cells, areas: Sequence[Area]) -> list[RowSpan]:
    """The row classes area by area, in reading order; with columns where areas lie side by side."""
    spans: list[RowSpan] = []
    for area in areas:
        panel = area.panel
        columns = None
        if area.beside:
            first, last = cells.columns[panel.c0], cells.columns[panel.c0 + panel.w - 1]
            columns = f"{column_letters(int(first))}:{column_letters(int(last))}"
        table_at = {i: band.table_id for band in area.bands for i in range(band.top, band.end + 1)}
        numbers = cells.rows[panel.r0 : panel.r0 + panel.n].tolist()
        aside: dict[int, RowClass | None] = dict.fromkeys(panel.rows_aside, _OTHER)
        listed = sorted([*panel.filled_rows, *aside])
        rows: Rows = ((numbers[i], aside.get(i, area.classes[i]), table_at.get(i)) for i in listed)
        spans += _joined(cells.sheet, rows, columns)
    return sorted(spans, key=lambda span: (span.first, span.columns or ""))


def _joined(sheet: Sheet, rows: Rows, columns: str | None) -> list[RowSpan]:
    """Rows in order as spans of one class and table; blank rows between don't part them, hidden ones do."""
    spans: list[RowSpan] = []
    first = last = 0
    open_kind: tuple[RowClass, str | None] | None = None
    for row, kind, table_id in rows:
        if kind is None:
            raise OutputError("census.unclassed", f"{_titled(sheet)}: row {row} has no class.")
        if open_kind != (kind, table_id) or _hidden_between(sheet, last, row):
            if open_kind is not None:
                spans.append(RowSpan(sheet.name, first, last, *open_kind, columns))
            first = row
            open_kind = kind, table_id
        last = row
    if open_kind is not None:
        spans.append(RowSpan(sheet.name, first, last, *open_kind, columns))
    return spans


def _hidden_between(sheet: Sheet, a: int, b: int) -> bool:
    return bool(sheet.hidden_rows) and any(r in sheet.hidden_rows for r in range(a + 1, b))


def _class_rest(account: Account) -> None:
    """Rows without a class (hidden, or filled in hidden columns only, or strays) are "other"."""
    sheet = account.sheet
    rest = some(account.filled, 1) & ~_classed(account)
    rows = {sheet.top + i for i in np.flatnonzero(rest).tolist()} | _stray_rows(account)
    others: Rows = [(row, "other", None) for row in sorted(rows)]
    account.spans = sorted(
        account.spans + _joined(sheet, others, None), key=lambda span: (span.first, span.columns or "")
    )


def _classed(account: Account) -> Flags:
    """Which rows of the block lie in a span, hidden ones only in one of their own."""
    sheet = account.sheet
    classed = np.zeros(sheet.height, np.bool_)
    for span in account.spans:
        classed[max(0, span.first - sheet.top) : max(0, span.last - sheet.top + 1)] = True
    hidden = [row - sheet.top for row in sheet.hidden_rows if sheet.top <= row <= sheet.bottom]
    classed[hidden] = False
    for span in account.spans:
        if span.row_class == "other":
            classed[max(0, span.first - sheet.top) : max(0, span.last - sheet.top + 1)] = True
    return classed


def _stray_rows(account: Account) -> set[int]:
    """The rows outside the block that hold strays."""
    sheet = account.sheet
    return {row for row, _ in sheet.strays if not sheet.top <= row <= sheet.bottom}


def _close(account: Account) -> SheetCensus:
    """The census, which must come out even."""
    sheet, filled = account.sheet, account.filled
    rows, outside = some(filled, 1), _stray_rows(account)
    named = {r for span in account.spans if outside for r in range(span.first, span.last + 1)}
    accounted = int((filled & (account.covered == 1)).sum()) + len(sheet.strays)
    found = int(filled.sum()) + len(sheet.strays)
    all_rows = int(rows.sum()) + len(outside)
    classed_rows = int((rows & _classed(account)).sum()) + len(outside & named)
    if accounted != found or all_rows != classed_rows:
        raise OutputError(
            "census.mismatch",
            f"{_titled(sheet)}: {accounted:,} of {found:,} cells and {classed_rows:,} of {all_rows:,} rows are "
            "accounted for.",
        )
    spans = tuple(account.spans)
    return SheetCensus(sheet.name, all_rows, classed_rows, found, accounted, _hidden(sheet, filled), spans)


def _titled(sheet: Sheet) -> str:
    """What a sentence calls a sheet; those of texts and pages may have no name."""
    return "The sheet" if sheet.name is None else f"Sheet {sheet.name!r}"


def _hidden(sheet: Sheet, filled: Flags) -> int:
    """How many filled cells a reader of the sheet does not see."""
    if not sheet.visible:
        return int(filled.sum()) + len(sheet.strays)
    rows = np.array([r in sheet.hidden_rows for r in range(sheet.top, sheet.bottom + 1)], bool)
    columns = np.array([c in sheet.hidden_columns for c in range(sheet.left, sheet.right + 1)], bool)
    strays = sum(row in sheet.hidden_rows or column in sheet.hidden_columns for row, column in sheet.strays)
    hidden = np.zeros(filled.shape, np.bool_)
    hidden[rows], hidden[:, columns] = True, True
    for row, column in sheet.covered:
        hidden[row - sheet.top, column - sheet.left] = True
    return int((filled & hidden).sum()) + strays
