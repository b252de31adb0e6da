"""The first chapters: contents and how to read them, the executive summary, the portfolio."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, PageBreak, Spacer

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.breakdowns import by_field
from tools.figures.findings import highlights, in_words, leases_of
from tools.figures.registry import Quoted, sentence
from tools.figures.risks import risk
from tools.figures.summary import headline, kpis
from tools.figures.text import printable
from tools.memo.brief import MOST_IN_BODY, MOST_LISTED, Brief
from tools.memo.charts import KeyFigure, Shown, key_figures
from tools.memo.flow import Charts, Contents, Drawing, Entry, RiskBox, heading, plain, words
from tools.memo.ledger import Cell, Column, Ledger, figure_cell, quoted_cell
from tools.memo.plots import Plot, bars_plot, expiry_plot, mix_plot, scatter_plot
from tools.memo.tables import deals_table, table_note

TOP = 25
"""Deals in the body's table when an appendix has all."""
MOST_TENANTS = 8
EXPIRY_HEADS = {"loans": "Maturities", "pipeline": "Expected closings"}
SCATTER_HEADS = {"property": "Price and yield", "loans": "Balance and rate", "pipeline": "Value and probability"}


def opening(brief: Brief, entries: Sequence[Entry]) -> list[Flowable]:
    """The contents, and how to read the figures."""
    example = f"{brief.extraction.tables[0].sheet or ''}!E7".lstrip("!")
    reading = sentence(
        "A small copper number after a figure leads to appendix A, which gives the value, the rule and the cells that "
        "it came from. Cells are written as in the workbook, sheet first: ", Quoted(printable(example, 60)),
        f". {formats.NOT_PROVIDED} means not provided: the cell was empty or held no number. Negative amounts stand in "
        "brackets.",
    )  # fmt: skip
    return [
        plain("CONTENTS", "kicker"), heading(sentence("What is in this memorandum"), 0, "contents", "Contents"),
        Contents(entries), CondPageBreak(90), heading(sentence("How to read the figures"), 1), words(reading),
    ]  # fmt: skip


def executive(brief: Brief) -> list[Flowable]:
    """The summary: headline, key figures, highlights, the one risk, the mix and the largest deals."""
    measured, emphasis = brief.measured, brief.emphasis
    made: list[Flowable] = [
        plain("EXECUTIVE SUMMARY", "kicker"), heading(headline(measured, emphasis), 0, "summary", "Executive summary"),
    ]  # fmt: skip
    items = [
        KeyFigure(Shown(kpi.figure, kpi.figure.text), kpi.label, kpi.note, brief.mark(kpi.figure))
        for kpi in kpis(measured, emphasis)
    ]
    made += [Spacer(1, 4), Drawing(70, key_figures(items)), Spacer(1, 2)]
    for found in highlights(measured, emphasis):
        made.append(KeepTogether([heading(found.lead, 1), words(found.detail, "body", brief.marks)]))
    first = risk(measured, emphasis)
    made += [Spacer(1, 4), RiskBox(words(first.words, "risk", brief.marks, first.head.strip())), Spacer(1, 8)]
    return made + _chart(brief, mix_plot(brief), bars_plot(brief))


def _chart(brief: Brief, *plots: Plot | None) -> list[Flowable]:
    """Charts with their findings over them and their notes under them, on one page; nothing where there is none."""
    drawn = [
        (
            words(plot.finding, "caption", brief.marks, sparing=True),
            Drawing(plot.height, plot.paint, 12.0),
            words(plot.note, "note"),
        )
        for plot in plots
        if plot is not None
    ]
    return [Charts(drawn)] if drawn else []


def portfolio_chapter(brief: Brief) -> list[Flowable]:
    """The portfolio: the scatter, the table of deals (or its top), what ends when, the largest tenants."""
    measured = brief.measured
    title = in_words(measured, measured.count, "in the portfolio", capital=True)
    said = sentence(
        title, f" {measured.noun(measured.count)}, one by one" if measured.count > 1 else f" {measured.profile.noun}"
    )
    made: list[Flowable] = [PageBreak(), plain("PORTFOLIO", "kicker"), heading(said, 0, "portfolio", "Portfolio")]
    dots = scatter_plot(brief)
    if dots:
        made += [
            heading(sentence(SCATTER_HEADS.get(measured.kind, "Size and terms")), 1, "pricing"),
            *_chart(brief, dots),
        ]
    made += _table(brief)
    ends = expiry_plot(brief)
    if ends:
        word = EXPIRY_HEADS.get(measured.kind, "Lease expiry")
        made += [CondPageBreak(250), heading(sentence(word), 1, "expiry"), *_chart(brief, ends)]
    return made + _tenants(brief)


def _tenants(brief: Brief) -> list[Flowable]:
    """The tenants that pay most; nothing without a rent roll, or with fewer than three tenants."""
    roll = leases_of(brief.measured)
    cut = by_field(roll, "tenant", roll.measures["rent"], MOST_TENANTS + 1) if roll else None
    groups = [group for group in cut.groups if group.from_file] if cut else []
    if roll is None or cut is None or len(groups) < 3:
        return []
    scale = formats.money_scale(
        [group.amount.value for group in groups if group.amount and isinstance(group.amount.value, Decimal)],
        cut.whole.currency,
    )
    columns = [
        Column("Tenant", 1.4, lines=1),
        Column("Leases", 0.4, "r"),
        Column(f"Annual rent {scale.head}", 0.6, "r"),
        Column("% of rent", 0.5, "r"),
    ]
    rows = [
        [
            quoted_cell(group.label),
            figure_cell(group.count),
            _scaled_cell(group.amount, scale),
            _percent_cell(group.share),
        ]
        for group in groups
    ]
    left = "; rents in another currency are left out" if roll.measures["rent"].foreign else ""
    note = sentence("Grouped by the tenant’s name as written, case apart; shares are of ", cut.whole, f"{left}.")
    return [
        Ledger(columns, rows, mini=True, title=heading(sentence("Largest tenants"), 1, "tenants")),
        words(note, "note", brief.marks),
    ]


def _scaled_cell(shown: Figure | None, scale: formats.Scale) -> Cell:
    value = shown.value if shown else None
    return (
        figure_cell(shown, formats.scaled(value, scale))
        if shown and isinstance(value, Decimal)
        else Cell(formats.NOT_PROVIDED)
    )


def _percent_cell(shown: Figure | None) -> Cell:
    value = shown.value if shown else None
    return (
        figure_cell(shown, formats.plain(value, "fraction", 1))
        if shown and isinstance(value, Decimal)
        else Cell(formats.NOT_PROVIDED)
    )


def _table(brief: Brief) -> list[Flowable]:
    measured = brief.measured
    title = heading(sentence(f"Table of {measured.profile.nouns}"), 1, "table")
    if measured.count <= MOST_IN_BODY:
        return [deals_table(brief, range(measured.count), title=title), words(table_note(brief), "note")]
    top = in_words(measured, TOP, "in the body's table", capital=True)
    by = f" by {brief.lead.label}" if brief.lead else ", as the sheet has them"
    said = sentence(
        "The greatest ", top.model_copy(update={"text": str(TOP)}), " of ", measured.deals(measured.count), f"{by}; ",
        "appendix C lists them all." if measured.count <= MOST_LISTED else sentence(
            "appendix C lists ", measured.deals(MOST_LISTED, "listed in appendix C"), ", and deals.xlsx all."
        ),
    )  # fmt: skip
    return [
        CondPageBreak(140),
        title,
        words(said),
        deals_table(brief, brief.ranked[:TOP]),
        words(table_note(brief), "note"),
    ]
