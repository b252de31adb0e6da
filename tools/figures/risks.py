"""The one risk to look at first, where the file has something that a risk can be read from; else what it lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from schemas.documents import Emphasis
from tools.figures.breakdowns import Timeline, by_field, pooled
from tools.figures.findings import (
    MOST_TENANTS,
    NAME_MOST,
    expiry,
    extreme,
    in_words,
    leases_of,
    limit,
    name_of,
    share_of,
    year_of,
)
from tools.figures.kinds import PortfolioKind
from tools.figures.measures import Portfolio
from tools.figures.registry import Part, Sentence, quoted, sentence
from tools.figures.series import Series, Spec, value_figure
from tools.figures.verbs import in_currency, of_measure, verb

HEAVY = Decimal("0.2")
"""From this share of the whole on, one deal or one tenant is a risk of its own."""
UNEVEN = Decimal("1.5")
"""And from this many times an even share on, for lists so short that each deal is heavy."""
SOON = Decimal("0.25")
EMPTY = Decimal("0.85")
_LATE = re.compile(
    r"delinq|default|non[\s-]?perform|foreclos|past[\s-]?due|\b(?:30|60|90|120)\b\+?\D*\bdays?\b", re.IGNORECASE
)
_FINE = re.compile(r"\b(?:not|never|no|current|non-default)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Risk:
    """A risk, or why none is named: the words before it in bold, and the sentence."""

    head: str
    words: Sentence


def risk(portfolio: Portfolio, emphasis: Emphasis) -> Risk:
    """The first risk that the data show; where they show none, what was looked at, or what the file lacks."""
    for maker in (*_RISKS[portfolio.kind], _heavy_tenant, _heavy_deal):
        found = maker(portfolio, emphasis)
        if found is not None:
            return Risk("Biggest risk. ", found)
    return Risk("Risk. ", _none(portfolio))


Maker = Callable[[Portfolio, Emphasis], Sentence | None]


def _emptiest(portfolio: Portfolio, emphasis: Emphasis) -> Sentence | None:
    """The emptiest property, or how many are alike, if below the limit."""
    series, amount = portfolio.measures.get("occupancy"), portfolio.amount(emphasis)
    if series is None or not series.records:
        return None
    order = sorted(series.records, key=lambda i: (series.values[i] or Decimal(0), i))
    at = order[0]
    if (series.values[at] or 0) >= EMPTY:
        return None
    who, members = extreme(portfolio, series, order)
    shown = value_figure(portfolio.view, series, at)
    if len(members) > 1:
        named: Sequence[Part] = [part for i in members[:3] for part in (", ", name_of(portfolio, i))][1:]
        rest = sentence(": ", *named, ", and others" if len(members) > 3 else None)
        return sentence(who, " are the emptiest, each ", shown, " occupied", rest, ".")
    part = share_of(portfolio, amount, at) if amount and amount.values[at] is not None else None
    tail = sentence("; it is ", part, f" {of_measure(amount)}") if part else None
    return sentence(who, " is the emptiest, ", shown, " occupied", tail, ".")


def _soon(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
    """What ends within the first two years, if that is a quarter or more."""
    found = expiry(portfolio)
    at = _second_year(found[1]) if found else None
    if found is None or at is None or portfolio.kind == "pipeline":
        return None
    owner, line = found
    reached = line.cumulative[at]
    if not isinstance(reached.value, Decimal) or reached.value < SOON:
        return None
    words = {"Ended": "has ended, ", "MTM": "is month to month, "}
    early = "".join(words.get(group.label, "") for group in line.groups[:at])
    early = f"{early.rstrip(', ')} or " if early else ""
    ends = "matures" if owner.kind == "loans" else "ends"
    return sentence(reached, f" {of_measure(line.measure)} {early}{ends} by ", year_of(line.groups[at]), ".")


def _second_year(line: Timeline) -> int | None:
    years = [at for at, group in enumerate(line.groups) if group.from_file and " " not in group.label]
    return years[min(1, len(years) - 1)] if years else None


def _late(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
    """The loans whose status tells of payments that do not come, and what they owe."""
    amount = portfolio.measures.get("balance")
    texts = portfolio.view.texts("status")
    late = [i for i, text in enumerate(texts) if text and _LATE.search(text) and not _FINE.search(text)]
    if amount is None or not late:
        return None
    part = pooled(portfolio, "late", "loans in arrears by their status", amount, late)
    count = in_words(portfolio, len(late), "in arrears by their status", capital=True)
    tail = sentence(", ", part.share, f" {of_measure(amount)}") if part.share else None
    known = [i for i in late if amount.values[i] is not None and i not in amount.foreign]
    at = max(known, key=lambda i: (amount.values[i] or Decimal(0), -i), default=late[0])
    status = quoted(texts[at], NAME_MOST)
    if len(late) == 1:
        return sentence(name_of(portfolio, at), " is in arrears by its status, “", status, "”", tail, ".")
    rest = f"; the largest{in_currency(amount)} is "
    return sentence(
        count, f" {portfolio.noun(len(late))} are in arrears by their status", tail, rest,
        name_of(portfolio, at), ", “", status, "”.",
    )  # fmt: skip


def _beyond(key: str, edge: str, above: bool, label: str) -> Maker:
    """A risk of loans: how many stand beyond a limit of `key`, and what they owe."""
    bound = Decimal(edge)

    def maker(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
        series, amount = portfolio.measures.get(key), portfolio.measures.get("balance")
        if series is None or amount is None:
            return None
        values = [(i, series.values[i] or Decimal(0)) for i in series.records]
        beyond = [i for i, value in values if (value > bound if above else value < bound)]
        if not beyond:
            return None
        part = pooled(portfolio, f"beyond.{key}", f"loans {label} a limit", amount, beyond)
        shown = limit(bound, Spec(f"{series.label} limit", series.spec.unit, series.spec.places), key)
        count = in_words(portfolio, len(beyond), f"beyond the {series.label} limit", capital=True)
        tail = sentence(", ", part.share, f" {of_measure(amount)}") if part.share else None
        does = "stands" if len(beyond) == 1 else "stand"
        return sentence(count, f" {portfolio.noun(len(beyond))} {does} {label} ", shown, f" {series.label}", tail, ".")

    return maker


def _discount(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
    """How much of a pipeline's value its own probabilities take away."""
    value, weighted = portfolio.totals.get("value"), portfolio.totals.get("weighted")
    if value is None or weighted is None or not portfolio.measures["weighted"].records:
        return None
    series = portfolio.measures["weighted"]
    missing = portfolio.count - len(series.records) - len(series.foreign)
    tail = (
        sentence("; ", in_words(portfolio, missing, "without a probability"), " without one are left out")
        if missing
        else None
    )
    return sentence("On the stated probabilities ", weighted, " of the ", value, " is to be expected", tail, ".")


def _heavy_tenant(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
    """The tenant that pays a fifth of the rent or more."""
    roll = leases_of(portfolio)
    cut = by_field(roll, "tenant", roll.measures["rent"], most=MOST_TENANTS) if roll else None
    named = [group for group in cut.groups if group.from_file] if cut else []
    if not named or not _heavy(named[0].share and named[0].share.value, len(named)):
        return None
    return sentence(quoted(named[0].label, NAME_MOST), " alone pays ", named[0].share, " of rent.")


def _heavy_deal(portfolio: Portfolio, emphasis: Emphasis) -> Sentence | None:
    """The deal that makes a fifth of the whole or more."""
    amount = portfolio.amount(emphasis)
    if amount is None or not amount.records:
        return None
    at = max(amount.records, key=lambda i: (amount.values[i] or Decimal(0), -i))
    part = share_of(portfolio, amount, at)
    if part is None or not _heavy(part.value, len(amount.records)):
        return None
    return sentence(name_of(portfolio, at), f" alone {verb(amount, False)} ", part, f" {of_measure(amount)}.")


def _heavy(part: object, number: int) -> bool:
    return isinstance(part, Decimal) and number > 1 and part >= max(HEAVY, UNEVEN / number)


def _none(portfolio: Portfolio) -> Sentence:
    """What was looked at and found within its limits; where there is nothing to look at, what the file lacks."""
    looked = [words for has, words in _LOOKED[portfolio.kind] if has(portfolio)]
    if looked:
        return sentence(f"Nothing stands out by {_listed(looked)}.")
    lacking = [words for _, words in _LOOKED[portfolio.kind]]
    large = bool(portfolio.measures) and any(series.additive for series in portfolio.measures.values())
    tail = f"; no single {portfolio.profile.noun} is heavy" if large and portfolio.count > 1 else ""
    return sentence(f"The file gives no {_listed(lacking, 'or')} to read a risk from{tail}.")


def _listed(names: Sequence[str], last: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def _has(key: str) -> Callable[[Portfolio], bool]:
    def has(portfolio: Portfolio) -> bool:
        series: Series | None = portfolio.measures.get(key)
        return series is not None and bool(series.records)

    return has


def _has_dates(portfolio: Portfolio) -> bool:
    return expiry(portfolio) is not None


_RISKS: dict[PortfolioKind, tuple[Maker, ...]] = {
    "property": (_emptiest, _soon),
    "loans": (_late, _beyond("ltv", "0.75", True, "above"), _beyond("dscr", "1.25", False, "below"), _soon),
    "pipeline": (_discount,),
    "rent_roll": (_soon,),
}
_LOOKED: dict[PortfolioKind, tuple[tuple[Callable[[Portfolio], bool], str], ...]] = {
    "property": ((_has("occupancy"), "occupancy"), (_has_dates, "lease ends")),
    "loans": ((_has("ltv"), "LTV"), (_has("dscr"), "DSCR"), (_has_dates, "maturities")),
    "pipeline": ((_has("weighted"), "probabilities"),),
    "rent_roll": ((_has_dates, "lease ends"),),
}
