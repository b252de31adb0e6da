"""Parts in order: a pipeline's stages, and a loan tape's balance by band of a ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from schemas.deck import ChartBlock, Paragraph, Run
from tools.deck.grid import FULL, points
from tools.deck.page import DeckDraft, Page
from tools.deck.plots import (
    amount_of,
    category,
    ceiling,
    group_bars,
    scale_of,
    unit_of,
)
from tools.figures.bands import bands
from tools.figures.breakdowns import Breakdown, Group, by_field, group_field
from tools.figures.findings import share_lies_in
from tools.figures.measures import Portfolio
from tools.figures.registry import Sentence, sentence
from tools.figures.verbs import in_currency


def plan_stages(deck: DeckDraft) -> None:
    """Add a pipeline's stages: value, and value weighted by probability, early stages first."""
    portfolio = deck.portfolio
    field = group_field(portfolio)
    value = portfolio.measures.get("value")
    if portfolio.kind != "pipeline" or field is None or value is None:
        return
    cut = by_field(portfolio, field, value, most=8)
    if cut is None or len(cut.groups) < 2:
        return
    groups = sorted(cut.groups, key=lambda group: _likelihood(portfolio, group))
    page = deck.page("Chart wide", {"stage": "Stages", "status": "Status"}.get(field, "Mix"))
    page.title(_stage_title(cut, field))
    scale = scale_of(cut.groups, value)
    series = [group_bars(page, "Value", groups, scale, "accent1")]
    if (weighted := portfolio.measures.get("weighted")) is not None:
        by_weight = by_field(portfolio, field, weighted, most=8)
        found = {one.label: one for one in by_weight.groups} if by_weight else {}
        likely = [found.get(one.label) or replace(one, amount=None) for one in groups]
        series.append(group_bars(page, "Weighted by probability", likely, scale, "accent5"))
    early = ", the least likely first" if "probability" in portfolio.measures else ""
    words = f"Value{in_currency(value)} by {field.replace('_', ' ')}{early}{unit_of(scale)}; in brackets how many"
    page.quote(scale.head)
    page.say("Takeaway", Paragraph((Run(words), page.mark(cut.whole))))
    names = _counted_names(page, groups)
    high = ceiling(max(v or 0 for one in series for v in one.values) * 1.08)
    alt = "By stage: " + "; ".join(f"{one.label} {amount_of(one).text}, {one.count.text}" for one in groups) + "."
    look = ChartBlock("Chart", "columns", names, tuple(series), alt, (0, 0.10, 1, 0.78), 0, high, legend=True)
    page.add(replace(look, overlap_pct=0, gap_pct=70))
    page.done()


def _counted_names(page: Page, groups: Sequence[Group]) -> tuple[str, ...]:
    """`LOI (4)`: the categories with how many deals each has."""
    slot = points(FULL) / len(groups) - 8
    return tuple(category(page, f"{one.label} ({page.show(one.count)})", slot, 12) for one in groups)


def _likelihood(portfolio: Portfolio, group: Group) -> Decimal:
    """The mean probability of a stage; without probabilities the greatest comes first."""
    series = portfolio.measures.get("probability")
    known = [value for i in group.records if series and (value := series.values[i]) is not None]
    if known:
        return sum(known, Decimal(0)) / len(known)
    amount = amount_of(group).value
    return -amount if isinstance(amount, Decimal) else Decimal(0)


def _stage_title(cut: Breakdown, field: str) -> Sentence:
    top = cut.groups[0]
    if top.share is None or top.amount is None:
        return sentence(f"By {field}")
    return sentence(share_lies_in(cut, top), ": ", top.amount, " of ", cut.whole)


def plan_bands(deck: DeckDraft) -> None:
    """Add a loan tape's balance by band of DSCR when income leads, of LTV when price does."""
    if deck.portfolio.kind != "loans":
        return
    for key in ("dscr", "ltv") if deck.emphasis == "income" else ("ltv", "dscr"):
        cut = bands(deck.portfolio, key)
        if cut is None:
            continue
        page = deck.page("Chart wide", cut.ratio.label)
        page.title(cut.title)
        scale = scale_of(cut.groups, cut.amount)
        page.quote(scale.head)
        mark = page.mark(deck.portfolio.totals[cut.amount.key], deck.portfolio.totals[cut.ratio.key])
        amount = f"{cut.amount.label[:1].upper()}{cut.amount.label[1:]}{in_currency(cut.amount)}"
        words = f"{amount} by {cut.ratio.label}{unit_of(scale)}"
        words += "; in brackets the number of loans"
        page.say("Takeaway", Paragraph((Run(words), mark)))
        for group in cut.groups:
            page.quote(group.label)
        series = group_bars(page, cut.amount.label, cut.groups, scale, "accent1")
        names = _counted_names(page, cut.groups)
        high = ceiling(max(value or 0 for value in series.values) * 1.08)
        alt = "By band: " + "; ".join(f"{one.label} {amount_of(one).text}" for one in cut.groups) + "."
        page.add(ChartBlock("Chart", "columns", names, (series,), alt, (0, 0.02, 1, 0.86), 0, high))
        page.done()
        return
