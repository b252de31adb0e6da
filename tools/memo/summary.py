"""The first chapters: contents and how to read them, the executive summary, the portfolio."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, PageBreak, Spacer

from schemas.deal import Table
from tools.figures import formats
from tools.figures.findings import expiry, highlights, in_words
from tools.figures.registry import Quoted, Sentence, counted, quoted, sentence
from tools.figures.summary import headline, kpis, risk
from tools.figures.text import printable
from tools.memo.brief import MOST_IN_BODY, MOST_LISTED, Brief, figure_cell
from tools.memo.charts import KeyFigure, Shown, key_figures
from tools.memo.flow import Contents, Drawing, Entry, RiskBox, heading, plain, words
from tools.memo.ledger import Cell, Column, Ledger
from tools.memo.plots import Plot, bars_plot, expiry_plot, mix_plot, scatter_plot
from tools.memo.tables import deals_table, table_note

TOP = 25
"""Deals in the body's table when an appendix has all."""
MOST_TABLES_LISTED = 24
KIND_WORDS = {
    "sale_comps": "Sale comparables", "lease_comps": "Lease comparables", "rent_roll": "Rent roll", "offering_list": "Offering list",
    "pipeline": "Pipeline", "loan_tape": "Loan tape", "property_summary": "Property summary", "other": "Deals",
}  # fmt: skip


def opening(brief: Brief, entries: Sequence[Entry]) -> list[Flowable]:
    """The contents, how to read the figures, and what was read."""
    example = f"{brief.extraction.tables[0].sheet or ''}!E7".lstrip("!")
    reading = sentence(
        "A small copper number after a figure leads to appendix A, which gives the value, the rule and the cells that it came from. "
        "Cells are written as in the workbook, sheet first: ", Quoted(printable(example, 60)), f". {formats.NOT_PROVIDED} means not "
        "provided: the cell was empty or held no number. Negative amounts stand in brackets.",
    )  # fmt: skip
    return [
        plain("CONTENTS", "kicker"), heading(sentence("What is in this memorandum"), 0, "contents", "Contents"),
        Contents(entries), CondPageBreak(150), heading(sentence("How to read the figures"), 1), words(reading),
        CondPageBreak(110), heading(sentence("What was read"), 1), _tables_read(brief), words(_source_note(brief), "note"),
    ]  # fmt: skip


def _tables_read(brief: Brief) -> Ledger:
    columns = [Column("Sheet", 0.9, lines=1), Column("Range", 0.7, lines=1), Column("Holds", 1.2), Column("Deals", 0.5, "r"), Column("Left out", 1.2)]
    return Ledger(columns, [_table_row(brief, table) for table in brief.extraction.tables[:MOST_TABLES_LISTED]])


def _table_row(brief: Brief, table: Table) -> list[Cell]:
    name = "(no sheets)" if table.sheet is None else table.sheet
    deals = counted(len(table.records), f"{table.table_id} deals", "count of records", (table.range,))
    hidden = next((census.hidden for census in brief.extraction.census if census.sheet == table.sheet), 0)
    left = [f"{sum(span.last - span.first + 1 for span in table.excluded_rows):,} rows of totals or notes"] if table.excluded_rows else []
    left += [f"{hidden:,} hidden cells on the sheet"] if hidden else []
    return [
        Cell(name, None, True), Cell(table.range, None, True), Cell(KIND_WORDS[table.kind]), figure_cell(deals),
        Cell("; ".join(left) or "Nothing", None, True),
    ]  # fmt: skip


def _source_note(brief: Brief) -> Sentence:
    source = brief.extraction.source
    more = len(brief.extraction.tables) - MOST_TABLES_LISTED
    tail = sentence(" ", counted(more, "tables not listed", "count of tables"), " more tables are in deals.xlsx.") if more > 0 else None
    text = f"{printable(source.filename, 120)}, {source.format}, {source.size_bytes:,} bytes, SHA-256 {source.sha256}."
    return sentence(Quoted(text), tail)


def executive(brief: Brief) -> list[Flowable]:
    """The summary: headline, key figures, highlights, the one risk, the mix and the largest deals."""
    measured, emphasis = brief.measured, brief.emphasis
    made: list[Flowable] = [
        plain("EXECUTIVE SUMMARY", "kicker"), heading(headline(measured, emphasis), 0, "summary", "Executive summary"),
    ]  # fmt: skip
    items = [
        KeyFigure(Shown(kpi.figure, kpi.figure.text), kpi.label, kpi.note, brief.mark(kpi.figure)) for kpi in kpis(measured, emphasis)
    ]
    made += [Spacer(1, 4), Drawing(62, key_figures(items)), Spacer(1, 2)]
    for found in highlights(measured, emphasis):
        made.append(KeepTogether([heading(found.lead, 1), words(found.detail, "body", brief.marks)]))
    made += [Spacer(1, 4), RiskBox(words(risk(measured, emphasis), "risk", brief.marks, "Biggest risk.")), Spacer(1, 8)]
    made += _chart(brief, mix_plot(brief)) + _chart(brief, bars_plot(brief))
    return made


def _chart(brief: Brief, plot: Plot | None) -> list[Flowable]:
    """A chart with its finding over it and its note under it, on one page; nothing where there is no chart."""
    if plot is None:
        return []
    air = 12.0
    return [KeepTogether([
        words(plot.finding, "caption", brief.marks), Spacer(1, 2), Drawing(plot.height, plot.paint, air),
        words(plot.note, "note"),
    ])]  # fmt: skip


def portfolio_chapter(brief: Brief) -> list[Flowable]:
    """The portfolio: the scatter, the table of deals (or its top), what ends when, the largest tenants."""
    measured = brief.measured
    title = in_words(measured, measured.count, "in the portfolio", capital=True)
    said = sentence(title, f" {measured.noun(measured.count)}, one by one" if measured.count > 1 else f" {measured.profile.noun}")
    made: list[Flowable] = [PageBreak(), plain("PORTFOLIO", "kicker"), heading(said, 0, "portfolio", "Portfolio")]
    dots = scatter_plot(brief)
    if dots:
        made += [heading(sentence("Price and yield" if measured.kind == "property" else "Size and terms"), 1, "pricing"), *_chart(brief, dots)]
    made += _table(brief)
    ends = expiry_plot(brief)
    if ends:
        found = expiry(measured)
        word = {"loans": "Maturities", "pipeline": "Expected closings"}.get(found[0].kind if found else "", "Lease expiry")
        made += [CondPageBreak(250), heading(sentence(word), 1, "expiry"), *_chart(brief, ends)]
    return made


def _table(brief: Brief) -> list[Flowable]:
    measured = brief.measured
    made: list[Flowable] = [CondPageBreak(140), heading(sentence(f"Table of {measured.profile.nouns}"), 1, "table")]
    if measured.count <= MOST_IN_BODY:
        return [*made, deals_table(brief, range(measured.count)), words(table_note(brief), "note")]
    top = in_words(measured, TOP, "in the body's table", capital=True)
    by = f" by {brief.lead.label}" if brief.lead else ", as the sheet has them"
    said = sentence(
        "The greatest ", top.model_copy(update={"text": str(TOP)}), " of ", measured.deals(measured.count), f"{by}; ",
        "appendix C lists them all." if measured.count <= MOST_LISTED else sentence(
            "appendix C lists ", measured.deals(MOST_LISTED, "listed in appendix C"), ", and deals.xlsx all."
        ),
    )  # fmt: skip
    return [*made, words(said), deals_table(brief, brief.ranked[:TOP]), words(table_note(brief), "note")]


def quoted_name(brief: Brief, record: int) -> Quoted:
    """A deal's name, as long as a heading takes."""
    return quoted(brief.name(record), 90)
