"""The years in which leases end, loans mature or deals close, with how much has ended by each."""

from __future__ import annotations

from decimal import Decimal

from schemas.deck import ChartBlock, ChartSeries, Paragraph, Run
from tools.deck import grid
from tools.deck.grid import points, span
from tools.deck.layouts import ASIDE_LEVELS
from tools.deck.page import KIND_COLORS, DeckDraft, Page
from tools.deck.plots import (
    amount_of,
    category,
    ceiling,
    label,
    number_format,
    percent_format,
    plain_value,
    scale_of,
    unit_of,
)
from tools.figures import formats
from tools.figures.breakdowns import Group, Timeline, by_field, group_field
from tools.figures.findings import expiry, expiry_title, in_words, name_of, walt, year_of
from tools.figures.measures import Portfolio
from tools.figures.registry import Sentence, sentence
from tools.figures.series import value_figure
from tools.figures.verbs import in_currency, of_measure

_KICKERS = {"loans": "Maturities", "pipeline": "Closings", "rent_roll": "Lease expiry"}
_ASSUMED = {"rent_roll": "Renewal options are not assumed.", "loans": "Extension options are not assumed."}


def plan_expiry(deck: DeckDraft) -> None:
    """Add the years in which leases end, loans mature or deals close; nothing without dates."""
    found = expiry(deck.portfolio)
    if found is None or len(found[1].groups) < 2:
        return
    owner, line = found
    page = deck.page("Chart", _KICKERS.get(owner.kind, "Expiry"))
    page.title(expiry_title(owner, line))
    scale = scale_of(line.groups, line.measure)
    _expiry_words(page, owner, line, scale)
    page.add(_expiry_chart(page, owner, line, scale))
    for group in line.groups:
        page.derive(amount_of(group))
    page.done()


def _expiry_words(page: Page, owner: Portfolio, line: Timeline, scale: formats.Scale) -> None:
    """The heaviest year, its largest deal, what is undated, and what the bars are."""
    peak = line.groups[line.peak]
    head = sentence(year_of(peak), " is the heaviest year")
    parts = [Paragraph(page.runs(head, page.mark(amount_of(peak), line.whole)))]
    count = in_words(owner, len(peak.records), f"in {peak.label}", capital=True)
    words = sentence(count, f" {owner.noun(len(peak.records))} and ", amount_of(peak), f" {of_measure(line.measure)}")
    parts.append(Paragraph(page.runs(sentence(words, _largest(owner, line, peak), ".")), 2))
    if (weighted := walt(owner)) is not None:
        whole = sentence(*(part.removeprefix("; ") if isinstance(part, str) else part for part in weighted.parts), ".")
        parts.append(Paragraph(page.runs(whole), 2))
    what = line.measure.label + in_currency(line.measure) if line.measure else owner.profile.nouns
    note = f"Bars: {what}{unit_of(scale)}. "
    page.quote(scale.head)
    note += "MTM is month to month. " if any(group.label == "MTM" for group in line.groups) else ""
    note += {"rent_roll": "Renewal options are not assumed.", "loans": "Extension options are not assumed."}.get(
        owner.kind, ""
    )
    parts.append(Paragraph((Run(note.strip()),), 3))
    if line.undated:
        missing = in_words(owner, len(line.undated), "without a date", capital=True)
        lack = sentence(missing, f" {owner.noun(len(line.undated))} without a date left out.")
        parts.append(Paragraph(page.runs(lack), 3))
    page.say_fitted("Takeaway", tuple(parts), ASIDE_LEVELS, grid.ASIDE)


def _largest(owner: Portfolio, line: Timeline, peak: Group) -> Sentence | None:
    measure = line.measure
    if measure is None or len(peak.records) < 2:
        return None
    top = max(peak.records, key=lambda i: (measure.values[i] or Decimal(0), -i))
    return sentence("; the largest is ", name_of(owner, top), " with ", value_figure(owner.view, measure, top))


def _expiry_chart(page: Page, owner: Portfolio, line: Timeline, scale: formats.Scale) -> ChartBlock:
    totals = tuple(label(page, amount_of(group), scale) or 0.0 for group in line.groups)
    names = tuple(category(page, group.label, points(span(9)) / len(line.groups) - 6, 12) for group in line.groups)
    code = number_format(scale.places)
    series = _stack(page, owner, line, scale)
    everywhere = tuple(range(len(totals)))
    filled = tuple(i for i in everywhere if totals[i])
    series.append(ChartSeries("Total", totals, "tx1", code, "totals", labelled=filled))
    running = tuple(plain_value(Decimal(str(one.value)), 1, 2) for one in line.cumulative)
    for one in line.cumulative:
        page.show(one, formats.percent(Decimal(str(one.value)), 0))
    name = f"Cumulative % {of_measure(line.measure)}"
    series.append(ChartSeries(name, running, "accent2", percent_format(0), "cumulative", "accent2", everywhere))
    shown = "; ".join(
        f"{g.label} {amount_of(g).text}, {c.text}" for g, c in zip(line.groups, line.cumulative, strict=True)
    )
    alt = f"By year, with the cumulative share: {shown}."
    high = ceiling(max(totals) / 0.50)
    plot = (0.01, 0.09, 0.98, 0.83)
    return ChartBlock("Chart", "stack", names, tuple(series), alt, plot, 0, high, legend=True)


def _stack(page: Page, owner: Portfolio, line: Timeline, scale: formats.Scale) -> list[ChartSeries]:
    """A series a kind, stacked; one series where the owner has no kinds."""
    field = group_field(owner)
    cut = by_field(owner, field, line.measure) if field else None
    measure = line.measure
    if cut is None or len(cut.groups) < 2 or measure is None:
        values = tuple(
            plain_value(Decimal(str(amount_of(g).value or 0)), scale.divisor, scale.places) or None for g in line.groups
        )
        name = measure.label if measure else owner.profile.nouns
        return [ChartSeries(name[:1].upper() + name[1:], values, KIND_COLORS[0][0], number_format(scale.places))]
    series: list[ChartSeries] = []
    for at, group in enumerate(cut.groups):
        members = frozenset(group.records)
        sums = [
            sum((measure.values[i] or Decimal(0) for i in year.records if i in members), Decimal(0))
            for year in line.groups
        ]
        values = tuple(plain_value(one, scale.divisor, scale.places) or None for one in sums)
        name = page.clipped(group.label, 11, 110)
        page.quote(group.label)
        series.append(ChartSeries(name, values, KIND_COLORS[at][0], number_format(scale.places)))
    return series
