"""Which charts a portfolio gets, and the data in them: each chart with its finding, its drawing and its note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.breakdowns import Breakdown, Timeline
from tools.figures.citations import remark
from tools.figures.findings import expiry_title, in_words
from tools.figures.measures import Portfolio, cells_of
from tools.figures.registry import Quoted, Sentence, sentence
from tools.figures.series import Series, Spec, figure, value_figure
from tools.figures.verbs import in_currency, of_measure
from tools.memo.brief import Brief
from tools.memo.charts import KEY_HIGH, NUMBERED_DOTS, Bar, Dot, Paint, Shown, Stack, bars, columns, scatter, strip

MOST_BARS = 12
LEAST_DOTS, MOST_DOTS = 3, 400


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart: the finding over it, how high it is, its drawing, and the note under it."""

    finding: Sentence
    height: float
    paint: Paint
    note: Sentence


def _number(shown: Figure | None) -> float:
    value = shown.value if shown else None
    return float(value) if isinstance(value, Decimal) else 0.0


def _cells(shown: Figure, most: int = 3) -> Sentence:
    return _named_cells(shown.cells, most)


def _named_cells(cells: Sequence[str], most: int) -> Sentence:
    """The first `most` cells, and how many more there are."""
    more = len(cells) - most
    return remark(", ".join(cells[:most]) + (f" and {more:,} more" if more > 0 else ""), cells[:most])


def mix_plot(brief: Brief) -> Plot | None:
    """The strip of kinds; None where all deals are of one kind or of none."""
    kinds = brief.kinds
    if kinds is None or len(kinds.groups) < 2:
        return None
    parts = [
        (group.label, _number(group.amount or group.count), Shown(group.share, group.share.text))
        for group in kinds.groups
        if group.share is not None and _number(group.amount or group.count) > 0
    ]
    if len(parts) < 2:
        return None
    listed: list[Sentence] = []
    for group in kinds.groups:
        label = Quoted(group.label) if group.from_file else group.label
        listed.append(sentence("; " if listed else "", label, " ", group.amount or group.count))
    what = kinds.measure.label + in_currency(kinds.measure) if kinds.measure else brief.measured.profile.nouns
    finding = sentence(f"{_capital(what)} by {kinds.field.replace('_', ' ')}, ", kinds.whole, " in all")
    return Plot(finding, 22, strip(parts), sentence(*listed, "."))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def bars_plot(brief: Brief) -> Plot | None:
    """The largest deals by the measure that leads, with the average of all that have it."""
    series = brief.lead
    if series is None or len(series.records) < 2:
        return None
    measured = brief.measured
    ranked = brief.ranked[: min(MOST_BARS, len(series.records))]  # those without the measure come last
    mean = _mean(measured, series)
    scale = formats.money_scale([series.values[i] for i in series.records], series.spec.currency)
    money = series.spec.unit == "money"
    rows = [_bar(measured, series, record, mean, scale if money else None) for record in ranked]
    unit = f", {scale.head}" if money and scale.head else ", %" if series.spec.unit == "fraction" else ""
    known = in_words(measured, len(series.records), f"with {series.label}")
    if len(series.records) > MOST_BARS:
        few = in_words(measured, len(ranked), "drawn as bars", capital=True)
        finding = sentence(few, " largest of ", known, f" by {series.label}{in_currency(series)}", Quoted(unit))
    else:
        finding = sentence(f"{_capital(series.label)} by {measured.profile.noun}", Quoted(unit), ", the greatest first")
    average = (
        (float(mean.value), Shown(mean, _label(mean, scale if money else None)))
        if isinstance(mean.value, Decimal)
        else None
    )
    left = "; those in another currency are not drawn" if series.foreign else ""
    note = sentence("The line is the average of ", known, f"{left}. Source: ", _cells(mean), ".")
    return Plot(finding, 14.0 * len(rows), bars(rows, average), note)


def _mean(measured: Portfolio, series: Series) -> Figure:
    values = [series.values[i] or Decimal(0) for i in series.records]
    cells = cells_of(measured.view, (series,), series.records)
    rule = f"mean of {len(values):,} that have it"
    spec = Spec(f"average {series.label}", series.spec.unit, series.spec.places, series.spec.currency)
    return figure(measured.figure_id(f"mean.{series.key}"), spec, sum(values, Decimal(0)) / len(values), rule, cells)


def _label(shown: Figure, scale: formats.Scale | None) -> str:
    value = shown.value if isinstance(shown.value, Decimal) else None
    return formats.scaled(value, scale) if scale else shown.text


def _bar(measured: Portfolio, series: Series, record: int, mean: Figure, scale: formats.Scale | None) -> Bar:
    shown = value_figure(measured.view, series, record)
    value = _number(shown)
    return Bar(
        measured.number(record),
        measured.view.name(record),
        value,
        Shown(shown, _label(shown, scale)),
        value > _number(mean),
    )


_AXES = {"property": ("price", "cap_rate"), "loans": ("balance", "rate"), "pipeline": ("value", "probability")}


def scatter_plot(brief: Brief) -> Plot | None:
    """Price against cap rate, balance against interest rate, value against probability; None for fewer than three."""
    measured = brief.measured
    pair = _AXES.get(measured.kind)
    across, up = (measured.measures.get(key) for key in pair) if pair else (None, None)
    if across is None or up is None:
        return None
    both = set(across.records) & set(up.records)
    records = [record for record in brief.ranked if record in both and (across.values[record] or 0) > 0]
    if len(records) < LEAST_DOTS:
        return None
    scale = formats.money_scale([across.values[i] for i in records], across.spec.currency)
    dots = [_dot(brief, record, across, up, scale) for record in records[:MOST_DOTS]]
    level = measured.totals.get(up.key)
    line = (
        (_number(level), _capital(level.label), Shown(level, level.text)) if level and level.value is not None else None
    )
    unit = scale.head if scale.divisor > 1 else formats.symbol(across.spec.currency)
    axis = f"{_capital(across.label)}, {unit}; {up.label} on the left axis"
    groups = [group.label for group in brief.kinds.groups] if brief.kinds else []
    note = _scatter_note(brief, records, across, up)
    return Plot(_scatter_finding(brief, records, up, level), 226, scatter(dots, groups, line, axis), note)


def _dot(brief: Brief, record: int, across: Series, up: Series, scale: formats.Scale) -> Dot:
    x = float((across.values[record] or Decimal(0)) / scale.divisor)
    return Dot(brief.measured.number(record), x, float(up.values[record] or 0), brief.group(record))


def _scatter_finding(brief: Brief, records: Sequence[int], up: Series, level: Figure | None) -> Sentence:
    known = in_words(brief.measured, len(records), f"with {up.label} and an amount")
    nouns = brief.measured.profile.nouns
    if level is None or not isinstance(level.value, Decimal):
        return sentence(f"{_capital(up.label)} of ", known, f" {nouns}")
    edge = level.value
    below = sum((up.values[i] or Decimal(0)) < edge for i in records)
    count = in_words(brief.measured, below, f"below the {level.label}", capital=True)
    does = "stands" if below == 1 else "stand"
    return sentence(count, " of ", known, f" {nouns} {does} below the portfolio’s {level.label}, ", level)


def _scatter_note(brief: Brief, records: Sequence[int], across: Series, up: Series) -> Sentence:
    """What the dots are, where their values stand, and which deals have none."""
    measured = brief.measured
    spans = measured.view.ranges((*across.fields, *up.fields), sorted(records))
    named = _named_cells(spans, 4)
    left, over = measured.count - len(records), len(records) - MOST_DOTS
    does = "is" if left == 1 else "are"
    lack = " without both or in another currency" if across.foreign else " without both"
    without = sentence("; ", in_words(measured, left, "without a dot"), f"{lack} {does} not drawn") if left else None
    many = sentence("; the ", measured.deals(MOST_DOTS, "drawn as dots"), " greatest are drawn") if over > 0 else None
    start = "Numbers are the table’s. " if len(records) <= NUMBERED_DOTS else ""
    return sentence(start, named, without, many, ".")


def expiry_plot(brief: Brief) -> Plot | None:
    """What ends year by year, with the cumulative share; None without dates."""
    found = brief.expiry
    if found is None:
        return None
    owner, line = found
    kinds = brief.kinds if owner is brief.measured else None
    scale = formats.money_scale([_decimal(group.amount) for group in line.groups], _currency(line))
    stacks = [_stack(line, at, kinds, scale) for at in range(len(line.groups))]
    groups = [group.label for group in kinds.groups] if kinds else []
    what = line.measure.label + in_currency(line.measure) if line.measure else owner.profile.nouns
    unit = f", {scale.head}" if line.measure else ""
    left = (
        sentence(" ", owner.deals(len(line.undated), "without a date"), " without a date are left out.")
        if line.undated
        else None
    )
    where = _cells(line.whole)
    note = sentence(
        f"Bars: {what} by year",
        Quoted(unit),
        f". Line: cumulative share {of_measure(line.measure)}. ",
        where,
        ".",
        left,
    )
    height = 166 + (KEY_HIGH if len(groups) > 1 else 0)
    return Plot(expiry_title(owner, line), height, columns(stacks, groups), note)


def _currency(line: Timeline) -> str | None:
    return line.measure.spec.currency if line.measure else None


def _decimal(shown: Figure | None) -> Decimal | None:
    return shown.value if shown and isinstance(shown.value, Decimal) else None


def _stack(line: Timeline, at: int, kinds: Breakdown | None, scale: formats.Scale) -> Stack:
    group, running = line.groups[at], line.cumulative[at]
    shown = group.amount or group.count
    label = (
        Shown(shown, formats.scaled(_decimal(shown), scale) if group.amount else shown.text)
        if _number(shown) > 0
        else None
    )
    reached = _decimal(running)
    share = Shown(running, formats.percent(reached, 0)) if reached is not None else None
    if kinds is None or line.measure is None:
        parts: list[float] = [_number(shown)]
    else:
        members = set(group.records)
        parts = [sum(float(line.measure.values[i] or 0) for i in kind.records if i in members) for kind in kinds.groups]
    return Stack(group.label, parts, label, _number(running), share)
