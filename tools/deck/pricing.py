"""How deals are priced: the scatter of a rate against an amount, and what a change in NOI and cap rate would do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal

from schemas.deck import Box, ChartBlock, ChartSeries, Paragraph, Run, TableBlock, TableCell
from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.deck import grid
from tools.deck.grid import FULL, MARGIN, TOP, inches, left_of, span
from tools.deck.layouts import ASIDE_LEVELS
from tools.deck.page import KIND_COLORS, DeckDraft, Page, short_cells
from tools.deck.plots import key, plain_value
from tools.figures import formats, tokens
from tools.figures.findings import in_words, name_of
from tools.figures.kinds import PortfolioKind
from tools.figures.registry import Sentence, sentence
from tools.figures.sensitivity import CAP_STEPS, NOI_STEPS, Sensitivity, exact, sensitivity
from tools.figures.series import Series, Spec, figure, value_figure

MOST_POINTS, MOST_NAMED = 60, 24
_PAIRS: dict[PortfolioKind, dict[Emphasis, tuple[str, str]]] = {
    "property": {"income": ("price", "cap_rate"), "price": ("price", "cap_rate")},
    "loans": {"income": ("balance", "rate"), "price": ("balance", "ltv")},
    "pipeline": {"income": ("value", "probability"), "price": ("value", "cap_rate")},
}


# The scatter ---------------------------------------------------------------------------------------------------------


def plan_scatter(deck: DeckDraft) -> None:
    """Add the scatter of the kind's rate against its amount; nothing for fewer than four deals with both."""
    pair = _PAIRS.get(deck.portfolio.kind, {}).get(deck.emphasis)
    if pair is None:
        return
    amount, rate = (deck.portfolio.measures.get(name) for name in pair)
    middle = deck.portfolio.totals.get(pair[1])
    if amount is None or rate is None or middle is None or not isinstance(middle.value, Decimal):
        return
    both = [i for i in amount.records if rate.values[i] is not None and (amount.values[i] or 0) > 0]
    if len(both) < 4:
        return
    page = deck.page("Chart", "Pricing" if deck.portfolio.kind == "property" else f"{rate.label} by {amount.label}")
    drawn = sorted(both, key=lambda i: (-(amount.values[i] or Decimal(0)), i))[:MOST_POINTS]
    low = [i for i in both if (rate.values[i] or Decimal(0)) < middle.value]
    count = in_words(deck.portfolio, len(low), f"below the middle {rate.label}", capital=True)
    every = in_words(deck.portfolio, len(both), f"with {amount.label} and {rate.label}")
    does = "is" if len(low) == 1 else "are"
    weighted = "blended" if deck.portfolio.kind == "property" else "weighted"
    words = f" {rate.label}s {does} below the " if rate.label[-1] != "y" else f" probabilities {does} below the "
    page.title(sentence(count, " of ", every, words, middle, f" {weighted} figure"))
    _scatter_words(page, amount, rate, drawn, len(both))
    _scatter_chart(page, amount, rate, drawn, middle)
    page.done()


def _scatter_words(page: Page, amount: Series, rate: Series, drawn: Sequence[int], both: int) -> None:
    """Who is lowest and highest, what the line is, and what is not drawn."""
    portfolio = page.deck.portfolio
    order = sorted(drawn, key=lambda i: (rate.values[i] or Decimal(0), i))
    low, high = (value_figure(portfolio.view, rate, i) for i in (order[0], order[-1]))
    spread = Decimal(str(high.value)) - Decimal(str(low.value))
    points = figure(
        portfolio.figure_id(f"spread.{rate.key}"), Spec(f"spread of {rate.label}s", "fraction", 2), spread,
        f"{high.text} − {low.text}", (*low.cells, *high.cells),
    )  # fmt: skip
    page.show(points, formats.basis_points(spread).lstrip("+"))
    where = page.mark(portfolio.totals[rate.key])
    head = Paragraph(
        (Run(f"{rate.label[:1].upper()}{rate.label[1:]}: a span of {formats.basis_points(spread).lstrip('+')}"), where)
    )
    first = sentence(_named(page, order[0]), " is lowest with ", low, ".")
    last = sentence(_named(page, order[-1]), " is highest with ", high, ".")
    parts = [head, Paragraph(page.runs(first), 2), Paragraph(page.runs(last), 2)]
    parts += _left_out(page, amount, rate, len(drawn), both)
    page.say_fitted("Takeaway", tuple(parts), ASIDE_LEVELS, grid.ASIDE)


def _named(page: Page, record: int) -> Sentence:
    """`Fairhaven Office Park (6)`."""
    return sentence(name_of(page.deck.portfolio, record), " (", page.deck.portfolio.number(record), ")")


def _left_out(page: Page, amount: Series, rate: Series, drawn: int, both: int) -> list[Paragraph]:
    portfolio = page.deck.portfolio
    missing = portfolio.held - both
    made: list[Paragraph] = []
    if drawn < both:
        shown, every = portfolio.deals(drawn, "points drawn"), portfolio.deals(both, "with both")
        made.append(Paragraph(page.runs(sentence("The ", shown, " greatest of ", every, " are drawn.")), 3))
    if missing > 0:
        count = in_words(portfolio, missing, "not drawn", capital=True)
        does = "is" if missing == 1 else "are"
        other = ", or in another currency," if amount.foreign else ""
        lack = f" {portfolio.noun(missing)} without {amount.label} or {rate.label}{other} {does} not drawn."
        made.append(Paragraph(page.runs(sentence(count, lack)), 3))
    return made


def _scatter_chart(page: Page, amount: Series, rate: Series, drawn: Sequence[int], middle: Figure) -> None:
    deck = page.deck
    scale = formats.money_scale((amount.values[i] for i in drawn), amount.spec.currency)
    x = {i: plain_value(amount.values[i], scale.divisor, scale.places) or 0.0 for i in drawn}
    y = {i: plain_value(rate.values[i], 1, 6) or 0.0 for i in drawn}
    across = amount_scale(max(x.values()) * 1.03)
    low, high, step = rate_scale(min(y.values()), max(y.values()))
    groups: dict[int, list[int]] = {}
    for record in drawn:
        groups.setdefault((deck.kinds.places.get(record) if deck.kinds else None) or 0, []).append(record)
    series: list[ChartSeries] = []
    for at in sorted(groups):
        members = groups[at]
        fill, ink = KIND_COLORS[at]
        name = deck.kinds.groups[at].label if deck.kinds else deck.portfolio.profile.nouns
        names = tuple(page.number(i) for i in members) if len(drawn) <= MOST_NAMED else ()
        xs, ys = tuple(x[i] for i in members), tuple(y[i] for i in members)
        series.append(ChartSeries(page.quote(name), ys, fill, "0.00%", "points", ink, across=xs, names=names))
    value = plain_value(Decimal(str(middle.value)), 1, 6)
    line = f"{middle.label[:1].upper()}{middle.label[1:]} {page.show(middle)}"
    ends = (across[0], across[1] * _clearest(across[1], (low, high), x, y, value or 0.0), across[1])
    series.append(ChartSeries(line, (value,) * 3, "tx1", "0.00%", "average", "tx1", across=ends, names=("", line, "")))
    series.sort(key=lambda one: -len(one.values))  # LibreOffice leaves out a series that stands before a longer one
    for record in drawn:
        page.derive(value_figure(deck.portfolio.view, rate, record))
    alt = f"Scatter of {rate.label} against {amount.label} for {len(drawn)} {deck.portfolio.profile.nouns}; {line}."
    unit = page.quote(scale.head)
    titles = (f"{amount.label[:1].upper()}{amount.label[1:]} {unit}".strip(), rate.label[:1].upper() + rate.label[1:])
    page.add(
        ChartBlock(
            "Chart", "scatter", (), tuple(series), alt, (0.09, 0.085, 0.89, 0.775), low, high, step, across, titles,
            (("#,##0" if scale.places == 0 or across[2] >= 1 else "#,##0.0"), "0.0%"),
        )
    )  # fmt: skip
    if deck.kinds and len(groups) > 1:
        entries = [(KIND_COLORS[at][0], deck.kinds.groups[at].label) for at in sorted(groups)]
        left = MARGIN + round(span(9) * 0.09)
        page.add(key(page, entries, left, TOP + inches(0.02), left_of(9) - left))


def _clearest(
    most: float, rates: tuple[float, float], x: Mapping[int, float], y: Mapping[int, float], level: float
) -> float:
    """Where along the line its name meets the fewest points, as a part of the axis."""
    near = (rates[1] - rates[0]) * 0.12

    def crowd(part: float) -> int:
        return sum(abs(x[i] / most - part) < 0.16 and -near / 3 < y[i] - level < near for i in x)

    return min((0.87, 0.5, 0.13, 0.7, 0.3), key=crowd)


def amount_scale(most: float) -> tuple[float, float, float]:
    """Low end, high end and step of an axis of amounts from 0: whole round steps, at most eight of them."""
    power = 10.0 ** math.floor(math.log10(max(most, 1e-6)))
    step = next(s * power for s in (0.2, 0.25, 0.5, 1, 2) if most / (s * power) <= 8)
    return 0.0, round(math.ceil(most / step - 1e-9) * step, 9), step


def rate_scale(low: float, high: float) -> tuple[float, float, float]:
    """Low end, high end and step of an axis of rates: whole steps that hold all values, at most eight of them."""
    spread = max(high - low, 0.002)
    power = 10.0 ** math.floor(math.log10(spread))
    step = next(s * power for s in (0.25, 0.5, 1, 2) if spread / (s * power) <= 6)
    start, end = int(low / step + 1e-9) * step, (int(high / step - 1e-9) + 1) * step
    if low < 0:
        start -= step
    return round(start, 6), round(end, 6), step


# The sensitivity -----------------------------------------------------------------------------------------------------


def plan_sensitivity(deck: DeckDraft) -> None:
    """Add the value at a changed NOI and cap rate, where the data allow one."""
    grid_of_values = sensitivity(deck.portfolio)
    if grid_of_values is None:
        return
    page = deck.page("Table", "Sensitivity")
    page.title(grid_of_values.title)
    number = page.show(grid_of_values.number)
    cells = short_cells(grid_of_values.base.cells)
    mark = page.cite(f"{cells}; NOI of the {number} with both × (1 + change) ÷ (blended cap rate + change)")
    page.derive(grid_of_values.base)
    page.add(_grid(page, grid_of_values, mark))
    page.done()


def _grid(page: Page, values: Sensitivity, mark: Run) -> TableBlock:
    """A row a change in NOI, a column a change in the cap rate, shaded by the distance from the base."""
    width = FULL // 7
    rows = [_grid_head(page, values, mark)]
    for step in NOI_STEPS:
        shown = page.show(values.steps[step]) if step else "As stated"
        row = [_plain_cell(shown, "left"), _plain_cell(page.show(values.incomes[step]), "right")]
        rows.append((*row, *(_shaded(page, values, (step, one)) for one in CAP_STEPS)))
    heights = (inches(0.4), *([inches(0.78)] * len(NOI_STEPS)))
    box = Box(MARGIN, TOP, FULL, sum(heights))
    alt = "Value by change in NOI and in cap rate; blue is above the base in the middle, orange below."
    return TableBlock("Table", box, (*([width] * 6), FULL - 6 * width), heights, tuple(rows), alt)


def _grid_head(page: Page, values: Sensitivity, mark: Run) -> tuple[TableCell, ...]:
    first = TableCell((Paragraph((Run("NOI change", bold=True, size_pt=12), mark)),), 0)
    cells = [first, _plain_cell("NOI", "right", bold=True)]
    for step in CAP_STEPS:
        change = page.show(values.steps[step]) if step else page.tell(formats.basis_points(step))
        words = f"{change}  ·  {page.show(values.rates[step])}"
        cells.append(TableCell((Paragraph((Run(words, bold=True, size_pt=12),), align="center"),)))
    return tuple(cells)


def _plain_cell(words: str, side: str, *, bold: bool = False) -> TableCell:
    run = Run(words, bold=bold, size_pt=12 if bold else 13)
    if side == "left":
        return TableCell((Paragraph((run,)),), 0)
    return TableCell((Paragraph((run,), align="right"),), right_pt=14)


def _shaded(page: Page, values: Sensitivity, place: tuple[Decimal, Decimal]) -> TableCell:
    """A value and its change; the base is white in a frame of ink."""
    change, base = exact(values.changes[place]), place == (0, 0)
    below = Run("as stated" if base else page.show(values.changes[place]), size_pt=11)
    part = float(Decimal("0.12") + Decimal("0.88") * abs(change) / values.greatest)
    fill = tokens.WHITE if base else tokens.blend(tokens.WHITE, tokens.ABOVE if change > 0 else tokens.BELOW, part)
    top = Paragraph((Run(page.show(values.values[place]), bold=True, size_pt=13),), align="center")
    return TableCell((top, Paragraph((below,), align="center")), fill=fill, framed=base)
