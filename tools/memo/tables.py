"""The table of deals, in its loose form for a page or two and its compact form for thousands, and the note that goes with it."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.columns import Printed, TableColumn, printed, printed_total
from tools.figures.measures import Portfolio
from tools.figures.registry import Quoted, Sentence, sentence
from tools.figures.text import printable
from tools.figures.tokens import CHART, ON_CHART, SLATE
from tools.memo.brief import Brief, Clipped
from tools.memo.ledger import Cell, Column, Ledger

SUBLINE = ("place", "kind", "built")
"""Columns that the loose form writes under the name."""
MOST_COLUMNS = 10
MOST_MISSING = 6
"""Missing values that a note names; the appendices have all."""


def deals_table(brief: Brief, records: Sequence[int], *, compact: bool = False, total: bool = True) -> Ledger:
    """The table of `records`; its total covers the whole portfolio."""
    shown = [c for c in brief.columns if compact or c.key not in SUBLINE]
    if compact:
        shown = [c for c in shown if c.key not in ("built", "tenant", "broker")]
    shown = shown[:MOST_COLUMNS]
    under = () if compact else tuple(c for c in brief.columns if c.key in SUBLINE)
    rows = [_row(brief, shown, under, record, compact) for record in records]
    if total:
        rows.append(_total_row(brief, shown))
    columns = [_column(column, compact) for column in shown]
    return Ledger(
        columns, rows, total=total, mini=compact, name_column=1, shorten=lambda cell: note_clipped(brief, cell)
    )


def _column(column: TableColumn, compact: bool) -> Column:
    align = {"left": "l", "right": "r", "center": "c"}[column.align]
    share = {"number": 0.18, "name": 1.15 if compact else 1.25}.get(column.role, column.share)
    return Column(column.head, share, align, 1 if compact or column.role != "name" else 2)  # type: ignore[arg-type]


def _row(brief: Brief, shown: Sequence[TableColumn], under: Sequence[TableColumn], record: int, compact: bool) -> list[Cell]:
    cells: list[Cell] = []
    for column in shown:
        if column.role == "number":
            cells.append(_number(brief, record))
        elif column.role == "name":
            cells.append(_name(brief, under, record, compact))
        else:
            cells.append(value_cell(brief, brief.measured, column, record, marked=not compact))
    return cells


def _number(brief: Brief, record: int) -> Cell:
    at = brief.group(record) % len(CHART)
    chip = brief.kinds is not None
    link = f"deal-{record}" if record in brief.chapter_set else ""
    return Cell(
        formats.count(record + 1), None, True, "bold", ON_CHART[at] if chip else SLATE, link=link, fill=CHART[at] if chip else ""
    )


def _name(brief: Brief, under: Sequence[TableColumn], record: int, compact: bool) -> Cell:
    view = brief.measured.view
    texts = [text for c in under if (text := printed(brief.measured, c, record).text) != formats.NOT_PROVIDED]
    cell = next((view.cell(name, record) for name in view.names if view.text(name, record)), None)
    return Cell(
        view.name(record), None, True, "sans" if compact else "bold", sub="  ·  ".join(texts), source=cell or view.where(record)
    )


def value_cell(brief: Brief, measured: Portfolio, column: TableColumn, record: int, *, marked: bool) -> Cell:
    """What `column` prints for `record`; a corrected value, and a cell that holds words for a number, have a mark."""
    value = printed(measured, column, record)
    if value.figure is None:
        field = column.fields[0] if column.fields else ""
        return Cell(value.text, None, True, source=measured.view.cell(field, record) or "")
    if not marked:
        return Cell(value.text, value.figure)
    shown = _explained(measured, column, value, record)
    mark = brief.marks.number(shown) if shown is not value.figure or shown.pinned else 0
    return Cell(value.text, shown, mark=mark)


def _explained(measured: Portfolio, column: TableColumn, value: Printed, record: int) -> Figure:
    """The figure of a missing value says what its cell reads instead, if it reads anything."""
    assert value.figure is not None  # the caller has looked
    reads = next((raw for name in column.fields if (raw := measured.view.raw_text(name, record))), None)
    if not value.missing or reads is None:
        return value.figure
    return value.figure.model_copy(update={"derivation": f"the cell reads “{reads}”, which is no number"})


def _total_row(brief: Brief, shown: Sequence[TableColumn]) -> list[Cell]:
    cells: list[Cell] = []
    for column in shown:
        whole = printed_total(brief.measured, column)
        if column.role == "name":
            cells.append(Cell("Total or weighted"))
        elif whole is not None and whole.figure is not None:
            cells.append(Cell(whole.text, whole.figure))
        else:
            cells.append(Cell(""))
    return cells


def note_clipped(brief: Brief, cell: Cell) -> None:
    """Remembers a shortened text, which an appendix then has in full."""
    key = cell.source or cell.text
    brief.clipped.setdefault(key, Clipped("Shortened in a table", cell.text, cell.source))


def table_note(brief: Brief) -> Sentence:
    """Where the table is from, what its totals cover, how values were derived, and which are missing."""
    measured = brief.measured
    parts: list[Sentence] = [sentence(Quoted(printable(measured.cells_of_records(), 120)), ".")]
    for column in brief.columns:
        whole = measured.totals.get(column.key)
        if column.series is None or whole is None or not isinstance(whole.value, object):
            continue
        if len(column.series.records) < measured.count or column.series.derived:
            parts.append(sentence(" ", Quoted(f"{column.head}: {whole.derivation}"), "."))
    missing = _missing(brief)
    if missing:
        named = "; ".join(missing[:MOST_MISSING])
        more = len(missing) - MOST_MISSING
        tail = f"; and {more:,} more" if more > 0 else ""
        parts.append(sentence(f" {formats.NOT_PROVIDED} = not provided: ", Quoted(named + tail), "."))
    return sentence(*parts)


def _missing(brief: Brief) -> list[str]:
    """`Deals!F18 “TBD”`, `Deals!J16 empty`: the missing values of the table's columns."""
    view = brief.measured.view
    found: list[str] = []
    for column in brief.columns:
        stated = () if column.series is None else column.series.fields
        for name in stated or column.fields:
            held = view.column(name)
            if held is None:
                continue
            for record, value in enumerate(held.values):
                if value is None:
                    reads = view.raw_text(name, record)
                    found.append(f"{view.cell(name, record)} " + (f"“{reads}”" if reads else "empty"))
    return found

