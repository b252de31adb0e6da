"""A chapter a deal: what it is, where it stands among the others, every fact with its cell, and its leases."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import CondPageBreak, Flowable, PageBreak, Spacer

from schemas.figures import Figure
from tools.figures.columns import TableColumn, table_columns
from tools.figures.findings import in_words, leases_of, name_of, share_of
from tools.figures.measures import Portfolio
from tools.figures.registry import Quoted, Sentence, quoted, sentence
from tools.figures.series import value_figure
from tools.figures.tokens import SLATE
from tools.figures.verbs import deal_verb, of_measure
from tools.memo.brief import Brief
from tools.memo.canvas import MemoCanvas
from tools.memo.charts import Paint
from tools.memo.cover import block_note, locator
from tools.memo.facts import fact_rows
from tools.memo.flow import Drawing, Opening, heading, words
from tools.memo.ledger import Cell, Column, Ledger
from tools.memo.tables import note_clipped, source_of, value_cell

MOST_LEASES = 40
"""Leases that a chapter lists; appendix B and deals.xlsx have the others."""
MOST_RATIOS = 4


def deal_chapters(brief: Brief) -> list[Flowable]:
    """The chapters, in the order of the emphasis; where some deals have none, the first page says so."""
    measured = brief.measured
    made: list[Flowable] = [PageBreak(), Opening(measured.profile.nouns.capitalize(), "deals")]
    for at, record in enumerate(brief.chapters):
        chapter = _chapter(brief, record)
        made += [CondPageBreak(_need(chapter)), *chapter] if at else chapter
        if at == 0 and len(brief.chapters) < measured.held:
            few = in_words(measured, len(brief.chapters), "with a chapter")
            said = sentence(
                "Chapters follow for the ",
                few,
                " greatest of ",
                measured.deals(measured.held),
                f"{_by(brief)}; every {measured.profile.noun} stands in the appendices.",
            )
            made.insert(2, words(said, "note"))
    return made


def _need(chapter: Sequence[Flowable]) -> float:
    """The room that a chapter wants to begin on a page: for its facts whole, within reason."""
    facts = next(one for one in chapter if isinstance(one, Ledger))
    return min(330.0, 150.0 + facts.body_height)


def _by(brief: Brief) -> str:
    return f" by {brief.lead.label}" if brief.lead else ", in the order of the sheet"


def _chapter(brief: Brief, record: int) -> list[Flowable]:
    measured = brief.measured
    kind = brief.kind_name(record)
    kicker = sentence(
        f"{measured.profile.noun} ".upper(), measured.number(record), Quoted(f"  ·  {kind}".upper() if kind else "")
    )
    columns = [Column("Fact", 120), Column("Value", 250), Column("Cell", 134)]
    made: list[Flowable] = [
        words(kicker, "kicker-gap"),
        heading(sentence(quoted(brief.name(record), 90)), 0, f"deal-{record}", under=True),
        words(_lead(brief, record), "body", brief.marks, sparing=True),
    ]
    if 3 <= measured.count <= 24 and brief.lead is not None:
        made += [Drawing(46, _located(brief, record)), Spacer(1, 8)]
    return [*made, Ledger(columns, fact_rows(brief, measured, record)), *_leases(brief, record)]


def _located(brief: Brief, record: int) -> Paint:
    def paint(canvas: MemoCanvas, width: float, _: float) -> None:
        canvas.saveState()
        canvas.translate(0, 12)
        locator(brief, record)(canvas, width, 32)
        canvas.restoreState()
        canvas.put(0, 1, f"Where it stands in the portfolio: {block_note(brief)}", 8, "sans", SLATE)

    return paint


def _lead(brief: Brief, record: int) -> Sentence:
    """What the deal brings, its share of the whole, and its ratios."""
    measured, amount = brief.measured, brief.amount
    name = name_of(measured, record)
    keys = [column.key for column in brief.columns if column.series is not None]
    others: list[tuple[str, Figure]] = []
    for key in keys:
        series = measured.measures[key]
        if series is not amount and series.values[record] is not None and len(others) < MOST_RATIOS:
            others.append((series.label, value_figure(measured.view, series, record)))
    if amount is None or amount.values[record] is None:
        first = sentence(name, f" gives no {amount.label}" if amount else " gives no amount", ".")
    else:
        part = share_of(measured, amount, record)
        tail = sentence(", ", part, f" {of_measure(amount)}") if part and measured.count > 1 else None
        first = sentence(name, f" {deal_verb(amount)} ", value_figure(measured.view, amount, record), tail, ".")
    listed: list[Sentence] = [
        sentence("; " if at else " ", _capital(label, not at), " ", one) for at, (label, one) in enumerate(others)
    ]
    return sentence(first, *listed, "." if listed else None)


def _capital(text: str, first: bool) -> str:
    return text[:1].upper() + text[1:] if first else text


def _leases(brief: Brief, record: int) -> list[Flowable]:
    """The leases of a property, where a rent roll stands beside the table; nothing where none is named for it."""
    roll = leases_of(brief.measured)
    if roll is None or roll is brief.measured:
        return []
    members = brief.tenancy(roll).get(brief.name(record).casefold(), [])
    if not members:
        return []
    shown = [c for c in table_columns(roll, brief.emphasis) if c.key not in ("property", "kind", "number")][:6]
    rows = [
        [value_cell(brief, roll, c, i, marked=True) if c.role != "name" else _tenant(brief, roll, i) for c in shown]
        + [_row_cell(roll, i)]
        for i in members[:MOST_LEASES]
    ]
    columns = [_lease_column(c) for c in shown] + [Column("Cell", 0.55, lines=1)]
    title = heading(sentence("Tenancy"), 1)
    made: list[Flowable] = [Ledger(columns, rows, title=title, shorten=lambda cell: note_clipped(brief, cell))]
    if len(members) > MOST_LEASES:
        left = roll.deals(len(members) - MOST_LEASES, "leases not listed in a chapter")
        made.append(words(sentence(left, " more leases stand in deals.xlsx."), "note"))
    return made


def _lease_column(column: TableColumn) -> Column:
    return Column(
        column.head, 1.1 if column.role == "name" else column.share, "l" if column.align == "left" else "r", 1
    )


def _tenant(brief: Brief, roll: Portfolio, record: int) -> Cell:
    return Cell(
        roll.view.name(record),
        None,
        True,
        source=source_of(brief, roll, roll.view.names[0] if roll.view.names else "", record),
    )


def _row_cell(roll: Portfolio, record: int) -> Cell:
    rent = roll.measures["rent"]
    cells = [cell for name in rent.fields_of(record) if (cell := roll.view.cell(name, record))]
    return Cell(", ".join(cells), None, True, color=SLATE)
