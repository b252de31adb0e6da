"""Everything the file says of one deal, fact by fact, each with its value in full and its cell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from schemas.deal import Column
from schemas.figures import FigureUnit
from tools.deals.dictionary import dictionary
from tools.figures import formats
from tools.figures.citations import cited, remark, rule_of
from tools.figures.columns import printed_extra, printed_fact
from tools.figures.measures import Portfolio
from tools.figures.series import Series, series_of, value_figure
from tools.figures.text import printable
from tools.figures.tokens import COPPER, INK, SLATE
from tools.figures.wording import label_of
from tools.memo.brief import Brief
from tools.memo.glyphs import LONG
from tools.memo.ledger import Cell, figure_cell, quoted_cell, said_cell, some_cells

MOST_EMPTY = 6
IDENTITY = (
    "deal_name",
    "tenant",
    "address",
    "city",
    "state",
    "postal_code",
    "county",
    "country",
    "market",
    "property_type",
    "property_subtype",
)
"""What a deal is and where, told first."""
_UNITS: dict[str, FigureUnit] = {"sf": "sf", "acres": "acres", "units": "units", "ratio": "ratio"}
_PER: dict[str, FigureUnit] = {"per_sf": "money_per_sf", "per_unit": "money_per_unit"}


def unit_of(field: str, column: Column) -> FigureUnit:
    """The unit of a number field, from its type and the dictionary."""
    spec = dictionary().fields.get(field)
    unit = spec.unit if spec and spec.unit else ""
    if column.type == "money":
        return _PER.get(unit, "money")
    return "fraction" if column.type == "fraction" else _UNITS.get(unit, "count")


def fact_rows(brief: Brief, measured: Portfolio, record: int) -> list[list[Cell]]:
    """A row a fact: its name, its value in full, and its cell or rule; what the table of deals shows comes first."""
    view = measured.view
    stated = {name: series for series in measured.measures.values() for name in series.fields}
    rows: list[list[Cell]] = []
    for column in _ordered(brief, measured):
        if column.field is None:
            rows.append(_extra_row(measured, column, record))
        elif column.field in stated or column.type in ("money", "fraction", "number", "count"):
            rows.append(_number_row(brief, measured, column, stated.get(column.field), record))
        else:
            rows.append(_text_row(brief, measured, column.field, record))
    rows = _gathered(rows)
    derived = (series for series in measured.measures.values() if record in series.derived)
    rows += [_derived_row(measured, series, record) for series in derived]
    rows += [
        [Cell("Warning"), Cell(printable(text, 600), None, True), Cell(view.where(record), None, True)]
        for text in view.table.warnings.get(record, ())
    ]
    return rows


def _gathered(rows: list[list[Cell]]) -> list[list[Cell]]:
    """`rows` with the empty ones gathered into one at the end, where there are many; what reads as something stays."""
    empty = [row for row in rows if row[1].text == formats.NOT_PROVIDED and row[2].text.endswith(" is empty")]
    if len(empty) <= MOST_EMPTY:
        return rows
    kept = [row for row in rows if row not in empty]
    cells = [row[2].text.removesuffix(" is empty") for row in empty]
    listed = "; ".join(row[0].text for row in empty)
    named = said_cell(remark(f"{some_cells(cells, 6)}: empty", cells[:6]))
    return [*kept, [Cell("Not provided"), quoted_cell(listed, face="italic"), named]]


def _ordered(brief: Brief, measured: Portfolio) -> Sequence[Column]:
    """The columns with a value or a field; those that the table of deals shows come first, long prose last."""
    shown = [name for column in brief.columns for name in column.fields] if measured is brief.measured else []
    rank = {name: at for at, name in enumerate(dict.fromkeys((*IDENTITY, *shown)))}

    def order(at: int, column: Column) -> tuple[bool, int, int]:
        prose = column.field in ("notes", None)
        return prose, rank.get(column.field or "", len(rank)), at

    columns = measured.table.columns
    return [columns[at] for at in sorted(range(len(columns)), key=lambda at: order(at, columns[at]))]


def _number_row(brief: Brief, measured: Portfolio, column: Column, series: Series | None, record: int) -> list[Cell]:
    """A number as stated; a missing one says what its cell reads, a corrected one what it read."""
    field = column.field or ""
    view = measured.view
    unit = unit_of(field, column)
    own = series or series_of(view, field, label_of(field), unit, (field,))
    cell = view.cell(field, record) or ""
    if own is None or record in own.derived or own.values[record] is None:
        reads = view.raw_text(field, record)
        return [
            Cell(label_of(field)),
            Cell(formats.NOT_PROVIDED),
            quoted_cell(f"{cell} reads “{reads}”" if reads else f"{cell} is empty", SLATE),
        ]
    shown = value_figure(view, own, record)
    value = own.values[record]
    places = 2 if unit == "count" and value is not None and value != value.to_integral_value() else own.spec.places
    text = formats.full(value, own.spec.unit, own.currency_of(record), places)
    mark = brief.marks.number(shown) if shown.pinned else 0
    return [
        Cell(label_of(field)),
        Cell(text, shown, face="bold", color=COPPER if shown.pinned else INK, mark=mark),
        said_cell(cited(shown.derivation, rule_of(shown))) if shown.pinned else quoted_cell(cell, SLATE),
    ]


def _text_row(brief: Brief, measured: Portfolio, field: str, record: int) -> list[Cell]:
    """A text, a date or a year; prose is printed whole."""
    view = measured.view
    fact = printed_fact(measured, field, record)
    column = view.column(field)
    value = None if column is None else column.values[record]
    cell = view.cell(field, record) or ""
    whole = (
        fact.text if fact.figure or fact.missing or value is None or isinstance(value, date) else printable(value, LONG)
    )
    face = "bold" if len(whole) <= 90 and not fact.missing else "sans"
    reads = view.raw_text(field, record) if fact.missing else None
    source = fact.note or (f"{cell} reads “{reads}”" if reads else f"{cell} is empty" if fact.missing else cell)
    mark = brief.marks.number(fact.figure) if fact.figure and fact.note else 0
    return [
        Cell(label_of(field)),
        Cell(whole, fact.figure, fact.figure is None, face, mark=mark),
        said_cell(remark(source, (cell,))) if fact.note else quoted_cell(source, SLATE),
    ]


def _extra_row(measured: Portfolio, column: Column, record: int) -> list[Cell]:
    """A column that no field fits: its own header, and what it holds."""
    value = column.values[record]
    cell = measured.table.cell(column, record) or ""
    head = quoted_cell(printable(column.header, 80) or f"Column {column.place}")
    if value is None or value == "":
        return [head, Cell(formats.NOT_PROVIDED), quoted_cell(f"{cell} is empty", SLATE)]
    held = printed_extra(measured, column, record, LONG)
    return [head, figure_cell(held.figure) if held.figure else quoted_cell(held.text), quoted_cell(cell, SLATE)]


def _derived_row(measured: Portfolio, series: Series, record: int) -> list[Cell]:
    shown = value_figure(measured.view, series, record)
    text = formats.full(series.values[record], series.spec.unit, series.currency_of(record), series.spec.places)
    label = series.label if "computed" in series.label.casefold() else f"{series.label}, computed"
    return [
        Cell(label[:1].upper() + label[1:]),
        Cell(text, shown, face="bold"),
        said_cell(cited(f"{series.rule}: {', '.join(shown.cells)}", rule_of(shown))),
    ]
