"""The table of deals, loose for a page or two and compact for thousands, and the note that goes with it."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.citations import cited, rule_of
from tools.figures.columns import Printed, TableColumn, printed, printed_total
from tools.figures.measures import Portfolio
from tools.figures.registry import Quoted, Sentence, counted, sentence
from tools.figures.text import printable
from tools.figures.tokens import COPPER, SLATE
from tools.memo.brief import Brief
from tools.memo.canvas import Align, wide
from tools.memo.charts import kind_colors
from tools.memo.flow import Heading
from tools.memo.ledger import AIR, LOOSE, MINI, Cell, Column, Ledger
from tools.memo.styles import WIDE

SUBLINE = ("place", "kind", "built")
"""Columns that the loose form writes under the name."""
DROPPED = ("built", "tenant", "broker")
"""Columns that the compact form leaves out."""
MOST_COLUMNS = 10
ALIGN: dict[str, Align] = {"left": "l", "right": "r", "center": "c"}
LEAST_TEXT = {"name": 110.0, "text": 46.0}
"""The least points that a column of text is given; a column of numbers is never narrower than its numbers."""
LONGEST_NAME = 190
MOST_MISSING = 6
"""Missing values that a note names; the appendices have all."""


def deals_table(brief: Brief, records: Sequence[int], *, compact: bool = False, title: Heading | None = None) -> Ledger:
    """The table of `records`; its total covers all deals. Columns that find no room are left to deals.xlsx."""
    shown = [c for c in brief.columns if c.key not in (DROPPED if compact else SUBLINE)][:MOST_COLUMNS]
    under = () if compact else tuple(c for c in brief.columns if c.key in SUBLINE)
    rows = [_row(brief, shown, under, record, compact) for record in records]
    total = any(printed_total(brief.measured, column) for column in shown)
    rows += [_total_row(brief, shown)] if total else []
    size = MINI[0] if compact else LOOSE[0]
    widths = _widths(shown, rows, size)
    rows = [row[: len(widths)] for row in rows]
    columns = [_column(c, width, compact) for c, width in zip(shown, widths, strict=False)]
    return Ledger(
        columns,
        rows,
        total=total,
        mini=compact,
        name_column=1,
        title=title,
        shorten=lambda cell: note_clipped(brief, cell),
    )


def _widths(shown: Sequence[TableColumn], rows: Sequence[Sequence[Cell]], size: float) -> list[float]:
    """Points for each column that finds room: numbers whole, the rest shared among texts by what they want."""
    needs: list[float] = []
    for at, column in enumerate(shown):
        widest = max(wide(row[at].text, "bold", size) + (8 if row[at].mark else 0) for row in rows)
        widest = max(widest, *(wide(row[at].sub, "sans", size - 0.8) for row in rows))
        head = max(wide(word, "bold", size) for word in column.head.split(" "))
        air = AIR + 3 if at and column.align == "left" and shown[at - 1].align == "right" else 7.0
        needs.append(max(widest, head) + air)
    floors = [min(need, LEAST_TEXT.get(c.role, need)) for c, need in zip(shown, needs, strict=True)]
    count = next(n for n in range(len(shown), 1, -1) if sum(floors[:n]) <= WIDE or n == 2)
    spare = WIDE - sum(floors[:count])
    wants = [max(0.0, min(need, 200.0) - floor) for need, floor in zip(needs[:count], floors[:count], strict=True)]
    part = min(1.0, spare / (sum(wants) or 1.0)) if spare > 0 else 0.0
    widths = [floor + want * part for floor, want in zip(floors[:count], wants, strict=True)]
    rest = (WIDE - sum(widths)) / max(count - 1, 1)
    return [widths[0], *(width + max(rest, 0.0) for width in widths[1:])]


def _column(column: TableColumn, width: float, compact: bool) -> Column:
    align = ALIGN[column.align]
    return Column(column.head, width, align, 2 if column.role == "name" and not compact else 1)


def _row(
    brief: Brief, shown: Sequence[TableColumn], under: Sequence[TableColumn], record: int, compact: bool
) -> list[Cell]:
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
    """The deal's number, on its kind's colour where there are kinds; it leads to the deal's chapter."""
    fill, color = kind_colors(brief.group(record)) if brief.kinds is not None else ("", SLATE)
    link = f"deal-{record}" if record in brief.chapter_set else ""
    number = brief.measured.number(record)
    return Cell(number.text, number, face="bold", color=color, link=link, fill=fill)


def _name(brief: Brief, under: Sequence[TableColumn], record: int, compact: bool) -> Cell:
    view = brief.measured.view
    texts = [text for c in under if (text := printed(brief.measured, c, record).text) != formats.NOT_PROVIDED]
    field = next((name for name in view.names if view.text(name, record)), "")
    source = source_of(brief, brief.measured, field, record) or view.where(record)
    return Cell(view.name(record), None, True, "sans" if compact else "bold", sub="  ·  ".join(texts), source=source)


def value_cell(brief: Brief, measured: Portfolio, column: TableColumn, record: int, *, marked: bool) -> Cell:
    """What `column` prints for `record`; a corrected value, and a cell that holds words for a number, have a mark."""
    value = printed(measured, column, record)
    if value.figure is None:
        field = column.fields[0] if column.fields else ""
        return Cell(value.text, None, True, source=source_of(brief, measured, field, record))
    if not marked:
        return Cell(value.text, value.figure)
    shown = _explained(measured, column, value, record)
    mark = brief.marks.number(shown) if shown is not value.figure or shown.pinned else 0
    look = {"face": "bold", "color": COPPER} if shown.pinned else {}
    return Cell(value.text, shown, mark=mark)._replace(**look)


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


def source_of(brief: Brief, measured: Portfolio, field: str, record: int) -> str:
    """The cell of a text, for a note on it; a text longer than names are printed is kept whole for the appendix."""
    cell = measured.view.cell(field, record) or ""
    column = measured.view.column(field)
    value = None if column is None else column.values[record]
    if isinstance(value, str) and len(value) > LONGEST_NAME:
        brief.wholes[cell] = value
    return cell


def note_clipped(brief: Brief, cell: Cell) -> None:
    """Remembers a shortened text, which an appendix then has in full."""
    cells = brief.clipped.setdefault(brief.wholes.get(cell.source, cell.text), [])
    if cell.source not in cells[-1:]:
        cells.append(cell.source)


def table_note(brief: Brief) -> Sentence:
    """Where the table is from, what its totals cover, how values were derived, and which are missing."""
    measured = brief.measured
    parts: list[Sentence] = [sentence(Quoted(printable(measured.cells_of_records(), 120)), ".")]
    for column in brief.columns:
        whole = measured.totals.get(column.key)
        if column.series is None or whole is None or not isinstance(whole.value, object):
            continue
        if len(column.series.records) < measured.count or column.series.derived:
            parts.append(sentence(" ", Quoted(f"{column.head}: "), cited(whole.derivation, rule_of(whole)), "."))
    missing = _missing(brief)
    if missing:
        named = "; ".join(missing[:MOST_MISSING])
        more = len(missing) - MOST_MISSING
        left = counted(more, "missing values not named", "count of values of the table that are not provided")
        tail = sentence("; and ", left, " more") if more > 0 else None
        parts.append(sentence(f" {formats.NOT_PROVIDED} = not provided: ", Quoted(named), tail, "."))
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
