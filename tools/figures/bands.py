"""Amounts by bands of a ratio: how much of a balance stands at which LTV or DSCR."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tools.figures import formats
from tools.figures.breakdowns import Group, pooled
from tools.figures.findings import in_words
from tools.figures.measures import Portfolio
from tools.figures.registry import Sentence, sentence
from tools.figures.series import Series, Spec, figure
from tools.figures.verbs import in_currency

EDGES = {
    "ltv": tuple(Decimal(edge) / 100 for edge in (50, 60, 65, 70, 75, 80)),
    "dscr": tuple(Decimal(edge) / 100 for edge in (100, 115, 125, 140, 160, 200)),
}
"""Bounds between bands; the first band lies below the first bound, the last from the last bound up."""
LIMITS = {"ltv": (Decimal("0.75"), True), "dscr": (Decimal("1.25"), False)}
"""What a lender looks at first: from where on, and whether above it is the risky side."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Groups of deals by band of `ratio`, low to high, each with its amount; empty bands at the ends are left out."""

    ratio: Series
    amount: Series
    groups: tuple[Group, ...]
    title: Sentence


def bands(portfolio: Portfolio, key: str, amount_key: str = "balance") -> Bands | None:
    """The bands of ratio `key`; None without it, or where all fall into one band."""
    ratio, amount = portfolio.measures.get(key), portfolio.measures.get(amount_key)
    if ratio is None or amount is None:
        return None
    edges = EDGES[key]
    members: list[list[int]] = [[] for _ in range(len(edges) + 1)]
    for record in ratio.records:
        value = ratio.values[record] or Decimal(0)
        if amount.values[record] is not None and record not in amount.foreign:
            members[sum(value >= edge for edge in edges)].append(record)
    filled = [at for at, records in enumerate(members) if records]
    if len(filled) < 2:
        return None
    shown = range(filled[0], filled[-1] + 1)
    groups = tuple(pooled(portfolio, f"{key}.band{at}", _name(ratio, edges, at), amount, members[at]) for at in shown)
    return Bands(ratio, amount, groups, _title(portfolio, ratio, amount))


def _name(ratio: Series, edges: tuple[Decimal, ...], at: int) -> str:
    """`under 50%`, `60–65%`, `80% and up`."""
    places = 0 if ratio.spec.unit == "fraction" else 2

    def bound(value: Decimal) -> str:
        return formats.full(value, ratio.spec.unit, None, places)

    if at == 0:
        return f"under {bound(edges[0])}"
    if at == len(edges):
        return f"{bound(edges[-1])} and up"
    return f"{bound(edges[at - 1]).rstrip('%x')}–{bound(edges[at])}"


def _title(portfolio: Portfolio, ratio: Series, amount: Series) -> Sentence:
    """How much stands beyond the limit that lenders look at."""
    edge, above = LIMITS[ratio.key]
    values = [(i, ratio.values[i] or Decimal(0)) for i in ratio.records]
    beyond = [i for i, value in values if (value > edge if above else value < edge)]
    part = pooled(portfolio, f"{ratio.key}.beyond", f"beyond the {ratio.label} limit", amount, beyond)
    spec = Spec(f"{ratio.label} limit", ratio.spec.unit, 0 if ratio.spec.unit == "fraction" else 2)
    shown = figure(f"limit.{ratio.key}.band", spec, edge, "a limit set for this document", ())
    side = "above" if above else "below"
    if not beyond or part.share is None:
        return sentence(f"No {portfolio.profile.noun} stands {side} ", shown, f" {ratio.label}")
    count = in_words(portfolio, len(beyond), f"beyond the {ratio.label} limit")
    noun = portfolio.noun(len(beyond))
    whole = f"{amount.label}{in_currency(amount)}"
    return sentence(part.share, f" of the {whole} stands {side} ", shown, f" {ratio.label}: ", count, f" {noun}")
