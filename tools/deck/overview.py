"""The executive summary: five numbers, three findings, the mix, and the one risk to look at first."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from schemas.deck import Box, ChartBlock, ChartSeries, Paragraph, Run
from schemas.figures import Figure
from tools.deck import grid
from tools.deck.fitting import value_size
from tools.deck.grid import TOP, inches, left_of, points
from tools.deck.layouts import HIGHLIGHT_LEVELS, KPI_LEVELS
from tools.deck.markup import Level
from tools.deck.page import KIND_COLORS, DeckDraft, Page
from tools.deck.plots import key, percent_format, plain_value
from tools.figures import text
from tools.figures.breakdowns import Breakdown
from tools.figures.findings import highlights
from tools.figures.formats import NBSP
from tools.figures.registry import Sentence, sentence
from tools.figures.risks import risk
from tools.figures.summary import headline, kpis
from tools.figures.verbs import in_currency


def plan_overview(deck: DeckDraft) -> None:
    """Add the executive summary."""
    page = deck.page("Summary", "Executive summary")
    page.title(headline(deck.portfolio, deck.emphasis))
    for number, kpi in enumerate(kpis(deck.portfolio, deck.emphasis), 1):
        words = page.show(kpi.figure)
        size = value_size(words, points(grid.KPI_WIDTH) - 2, KPI_LEVELS[0].size_pt, 18)
        parts = (
            Paragraph((Run(words, size_pt=size),)),
            Paragraph((Run(kpi.label), page.mark(kpi.figure)), 2),
            Paragraph(page.runs(kpi.note), 3),
        )
        page.say_fitted(f"KPI {number}", parts, KPI_LEVELS, Box(0, 0, grid.KPI_WIDTH, grid.KPI_HEIGHT))
    for number, one in enumerate(highlights(deck.portfolio, deck.emphasis), 1):
        rests_on = one.lead.figures + one.detail.figures
        for figure in rests_on:
            page.derive(figure)
        marked = page.mark(*_main_figures(rests_on))
        parts = (_lead(page, one.lead), Paragraph(page.runs(one.detail, marked), 2))
        box = Box(0, 0, grid.HIGHLIGHT_WIDTH, inches(1.25))
        page.say_fitted(f"Highlight {number}", parts, HIGHLIGHT_LEVELS, box)
    _risk(page)
    if deck.kinds:
        _mix(page, deck.kinds)
    page.done()


def _lead(page: Page, words: Sentence) -> Paragraph:
    """A finding's lead, a little smaller where that saves a line."""
    room, usual = points(grid.HIGHLIGHT_WIDTH) - 4, HIGHLIGHT_LEVELS[0].size_pt
    sizes = (usual, usual - 0.5, usual - 1, usual - 1.5, usual - 2)
    fitting = next((size for size in sizes if text.width(words.text, size, "serif", bold=True) <= room), usual)
    runs = page.runs(words)
    return Paragraph(runs if fitting == usual else tuple(replace(run, size_pt=fitting) for run in runs))


def _main_figures(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """The first amount or ratio that has cells: what a finding rests on. Every derivation is in the notes."""
    cited = [figure for figure in figures if figure.cells]
    return tuple(figure for figure in cited if figure.unit != "count")[:1] or tuple(cited[:1]) or figures[:1]


def _risk(page: Page) -> None:
    found = risk(page.deck.portfolio, page.deck.emphasis)
    words = found.words
    for figure in words.figures:
        page.derive(figure)
    mark = page.mark(*_main_figures(words.figures)) if words.figures else None
    runs = (Run(found.head, bold=True), *page.runs(words, *((mark,) if mark else ())))
    page.say_fitted("Risk", (Paragraph(runs),), (Level(14, lead_pct=105),), grid.RISK, 14)


def _mix(page: Page, cut: Breakdown) -> None:
    """The mix as one bar in parts, with a row of names under it; only for parts that add up."""
    shares = [(group, group.share) for group in cut.groups if group.share and (group.share.value or 0)]
    values = [share.value for _, share in shares]
    if len(shares) < 2 or any(not isinstance(value, Decimal) or value < 0 for value in values):
        return
    series: list[ChartSeries] = []
    names: list[tuple[str, str]] = []
    for at, (group, share) in enumerate(shares):
        color = KIND_COLORS[cut.groups.index(group)][0]
        value = plain_value(Decimal(str(share.value)), 1, 4)
        series.append(ChartSeries(page.quote(group.label), (value,), color, percent_format(1)))
        names.append((color, f"{group.label}{NBSP}{page.show(share)}"))
        if at == 0:
            page.derive(share)
    page.show(cut.whole)
    mark = page.mark(cut.whole)
    label = cut.measure.label + in_currency(cut.measure) if cut.measure else page.deck.portfolio.profile.nouns
    label = label[:1].upper() + label[1:]
    heading = sentence(f"{label} by {cut.field.replace('_', ' ')}, ", cut.whole, " in all")
    page.say("Mix title", Paragraph(page.runs(heading, mark)))
    alt = "Shares: " + "; ".join(f"{group.label} {share.text}" for group, share in shares) + "."
    page.add(ChartBlock("Mix", "share", ("Mix",), tuple(series), alt, (0, 0, 1, 1), gap_pct=0))
    page.add(key(page, names, grid.MARGIN, TOP + inches(3.70), left_of(12) - grid.GUTTER - grid.MARGIN))
