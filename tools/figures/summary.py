"""The executive summary in figures: the headline, the KPIs, and the one risk to look at first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.figures.breakdowns import Timeline, pooled
from tools.figures.findings import expiry, in_words, limit, name_of, of_measure, share_of, verb, year_of
from tools.figures.kinds import PortfolioKind
from tools.figures.measures import Portfolio
from tools.figures.registry import Part, Sentence, counted, sentence
from tools.figures.series import Spec, value_figure

MOST_KPIS = 5


@dataclass(frozen=True, slots=True)
class Kpi:
    """A headline number with its label, and a line that says what it covers."""

    figure: Figure
    label: str
    note: Sentence


_KPIS: dict[PortfolioKind, dict[Emphasis, str]] = {
    "property": {
        "income": "noi price cap_rate occupancy walt_rent gross_income area units price_psf price_unit",
        "price": "price noi cap_rate price_psf price_unit area units occupancy walt_rent",
    },
    "loans": {"income": "interest rate dscr balance ltv noi", "price": "balance ltv rate dscr appraised interest"},
    "pipeline": {"income": "weighted value probability noi", "price": "value weighted probability noi"},
    "rent_roll": {"income": "rent area walt_rent occupied rent_psf", "price": "rent_psf rent area walt_rent occupied"},
}
_LABELS = {
    "noi": "Net operating income", "cap_rate": "Blended cap rate", "occupancy": "Occupied", "area": "Building area",
    "units": "Units", "price_psf": "Price per SF", "price_unit": "Price per unit", "interest": "Annual interest",
    "rate": "Interest rate", "dscr": "DSCR", "ltv": "LTV", "balance": "Balance", "appraised": "Appraised value",
    "value": "Deal value", "weighted": "Weighted by probability", "probability": "Mean probability",
    "rent": "Annual rent", "occupied": "Let", "walt_rent": "WALT by rent", "rent_psf": "Rent per SF",
    "gross_income": "Gross income",
}  # fmt: skip


def kpis(portfolio: Portfolio, emphasis: Emphasis) -> tuple[Kpi, ...]:
    """At most five headline numbers, in the order that `emphasis` asks for; where there are fewer, counts."""
    made: list[Kpi] = []
    for key in _KPIS[portfolio.kind][emphasis].split():
        kpi = _kpi(portfolio, key)
        made += [kpi] if kpi else []
    return (*made, *_general(portfolio))[:MOST_KPIS]


def _general(portfolio: Portfolio) -> list[Kpi]:
    """What can be said of any table: how many deals, and how much of the file was read."""
    extraction, columns = portfolio.extraction, portfolio.table.columns
    rows = sum(one.non_empty_rows for one in extraction.census)
    done = counted(sum(one.accounted_rows for one in extraction.census), "rows accounted for", "rows that have a class")
    known = counted(sum(bool(one.field) for one in columns), "columns read", "columns of the main table with a field")
    every = counted(len(columns), "columns", "columns of the main table")
    issues = counted(len(extraction.issues), "issues", "issues found in the file")
    return [
        Kpi(portfolio.deals(portfolio.count), portfolio.profile.nouns.capitalize(), sentence("in the main table")),
        Kpi(done, "Rows accounted for", sentence("of ", counted(rows, "rows not empty", "rows that hold anything"))),
        Kpi(known, "Columns read", sentence("of ", every, " in the main table")),
        Kpi(issues, "Issues", sentence("listed under data quality")),
    ]


def _kpi(portfolio: Portfolio, key: str) -> Kpi | None:
    owner = portfolio
    if key == "walt_rent":
        found = expiry(portfolio)
        owner = found[0] if found else portfolio
    shown = owner.totals.get(key)
    if shown is None or shown.value is None:
        return None
    label = _LABELS.get(key) or shown.label
    if key == "cap_rate" and not shown.derivation.startswith("Σ"):
        label = "Average cap rate"
    return Kpi(shown, label[:1].upper() + label[1:], _cover_note(owner, key))


def _cover_note(owner: Portfolio, key: str) -> Sentence:
    """`11 of 12 properties`, `from 5.55% to 8.60%`: what the number above it covers."""
    series = owner.measures.get(key)
    if key in ("walt_rent", "occupied") or series is None:
        area = owner.totals.get("walt_area")
        return sentence(area, " by area") if key == "walt_rent" and area else sentence("over the rows that say so")
    records = series.records
    if key == "area" and owner.vacant:
        empty = owner.deals(len(owner.vacant), "vacant rows")
        return sentence(owner.deals(len(records), "rows with an area"), " rows, ", empty, " vacant")
    if not series.additive and len(records) > 1:
        order = sorted(records, key=lambda i: (series.values[i] or Decimal(0), i))
        low, high = (value_figure(owner.view, series, i) for i in (order[0], order[-1]))
        return (
            sentence("from ", low, " to ", high) if low.text != high.text else sentence("the same for all that have it")
        )
    every = owner.deals(owner.held)
    if len(records) == owner.held:
        return (
            sentence("all ", every, f" {owner.profile.nouns}")
            if owner.held > 1
            else sentence(f"one {owner.profile.noun}")
        )
    known = owner.deals(len(records), f"{owner.profile.nouns} with {series.label}")
    return sentence(known, " of ", every, f" {owner.profile.nouns}")


# The headline --------------------------------------------------------------------------------------------------------

_CLAUSES: dict[PortfolioKind, dict[str, tuple[str, str, str]]] = {
    "property": {
        "noi": ("earns ", "earn ", ""),
        "price": ("is priced at ", "are priced at ", ""),
        "area": ("has ", "have ", ""),
        "gross_income": ("takes in ", "take in ", ""),
        "units": ("has ", "have ", ""),
    },
    "loans": {
        "interest": ("pays ", "pay ", " of interest a year"),
        "balance": ("owes ", "owe ", ""),
        "noi": ("is carried by ", "are carried by ", " of NOI"),
        "price": ("stands against ", "stand against ", ""),
    },
    "pipeline": {
        "weighted": ("is worth ", "are worth ", " weighted by probability"),
        "value": ("is worth ", "are worth ", " in full"),
        "noi": ("earns ", "earn ", " of NOI"),
        "ebitda": ("earns ", "earn ", " of EBITDA"),
        "revenue": ("takes in ", "take in ", " of revenue"),
    },
    "rent_roll": {"rent": ("pays ", "pay ", " a year"), "area": ("takes ", "take ", "")},
}
_TAILS: dict[PortfolioKind, tuple[tuple[str, str, str], ...]] = {
    "property": (("cap_rate", "a ", " blended cap rate"),),
    "loans": (("rate", "at ", " on average"), ("ltv", "at ", " LTV")),
    "pipeline": (),
    "rent_roll": (("walt_rent", "with ", " to run"), ("rent_psf", "at ", "")),
}


def headline(portfolio: Portfolio, emphasis: Emphasis) -> Sentence:
    """The portfolio in one sentence: how many, what leads under `emphasis`, what comes second, and the ratio."""
    clauses = _CLAUSES[portfolio.kind]
    profile = portfolio.profile
    order = dict.fromkeys((*(profile.income if emphasis == "income" else profile.price), *clauses))
    keys = [key for key in order if key in clauses and key in portfolio.totals]
    if not keys:
        count = in_words(portfolio, portfolio.count, "in the headline", capital=True)
        return sentence(count, f" {portfolio.noun(portfolio.count)} listed; the file gives no amount for them")
    parts: list[Part | Sentence] = [_clause(portfolio, keys[0], clauses[keys[0]], first=True)]
    if len(keys) > 1 and keys[1] not in ("area", "units", "gross_income"):
        parts += ["; ", _clause(portfolio, keys[1], clauses[keys[1]], first=False)]
    return sentence(*parts, _tail(portfolio, emphasis))


def _tail(portfolio: Portfolio, emphasis: Emphasis) -> Sentence | None:
    """The first ratio that the portfolio has; a cap rate that no NOI and price stand behind is called an average."""
    tails = _TAILS[portfolio.kind]
    for key, before, after in tails if emphasis == "income" else reversed(tails):
        shown = portfolio.totals.get(key)
        if shown is not None and shown.value is not None:
            averaged = key == "cap_rate" and not shown.derivation.startswith("Σ")
            return sentence(", " + before, shown, " average cap rate" if averaged else after)
    return None


def _clause(portfolio: Portfolio, key: str, words: tuple[str, str, str], first: bool) -> Sentence:
    number = len(portfolio.measures[key].records)
    count = in_words(portfolio, number, f"with {key} in the headline", capital=first)
    one, many, tail = words
    does = one if number == 1 else many
    if not first and number == portfolio.held:
        return sentence("all " if number > 1 else "it ", does, portfolio.totals[key], tail)
    noun = f" {portfolio.noun(number)} " if first else " "
    if first and number < portfolio.held:
        every = in_words(portfolio, portfolio.held, "in all, in the headline")
        return sentence(count, " of ", every, f" {portfolio.profile.nouns} {does}", portfolio.totals[key], tail)
    return sentence(count, noun, does, portfolio.totals[key], tail)


# The risk ------------------------------------------------------------------------------------------------------------


def risk(portfolio: Portfolio, emphasis: Emphasis) -> Sentence:
    """The first risk that the data show; where they show none, the largest deal's weight, or what is missing."""
    for maker in _RISKS[portfolio.kind]:
        found = maker(portfolio, emphasis)
        if found is not None:
            return found
    return _concentration(portfolio, emphasis) or _silent(portfolio, emphasis)


_Risk = Callable[[Portfolio, Emphasis], Sentence | None]


def _emptiest(portfolio: Portfolio, emphasis: Emphasis) -> Sentence | None:
    """The emptiest property, if below 85 %."""
    series, amount = portfolio.measures.get("occupancy"), portfolio.amount(emphasis)
    if series is None or not series.records:
        return None
    at = min(series.records, key=lambda i: (series.values[i] or Decimal(0), i))
    if (series.values[at] or 0) >= Decimal("0.85"):
        return None
    part = share_of(portfolio, amount, at) if amount and amount.values[at] is not None else None
    tail = sentence("; it is ", part, f" {of_measure(amount)}") if part else None
    return sentence(
        name_of(portfolio, at), " is the emptiest, ", value_figure(portfolio.view, series, at), " occupied", tail, "."
    )


def _soon(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
    """What ends within the first two years, if that is a quarter or more."""
    found = expiry(portfolio)
    at = _second_year(found[1]) if found else None
    if found is None or at is None or portfolio.kind == "pipeline":
        return None
    owner, line = found
    reached = line.cumulative[at]
    if not isinstance(reached.value, Decimal) or reached.value < Decimal("0.25"):
        return None
    words = {"Ended": "has ended, ", "MTM": "is month to month, "}
    early = "".join(words.get(group.label, "") for group in line.groups[:at])
    early = f"{early.rstrip(', ')} or " if early else ""
    ends = "matures" if owner.kind == "loans" else "ends"
    return sentence(reached, f" {of_measure(line.measure)} {early}{ends} by ", year_of(line.groups[at]), ".")


def _second_year(line: Timeline) -> int | None:
    years = [at for at, group in enumerate(line.groups) if group.from_file and " " not in group.label]
    return years[min(1, len(years) - 1)] if years else None


def _beyond(key: str, edge: str, above: bool, label: str) -> _Risk:
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
        tail = sentence(", ", part.share, " of the balance") if part.share else None
        does = "stands" if len(beyond) == 1 else "stand"
        return sentence(count, f" {portfolio.noun(len(beyond))} {does} {label} ", shown, f" {series.label}", tail, ".")

    return maker


def _discount(portfolio: Portfolio, _: Emphasis) -> Sentence | None:
    """How much of a pipeline's value its own probabilities take away."""
    value, weighted = portfolio.totals.get("value"), portfolio.totals.get("weighted")
    if value is None or weighted is None or not portfolio.measures["weighted"].records:
        return None
    missing = portfolio.count - len(portfolio.measures["weighted"].records)
    tail = (
        sentence("; ", in_words(portfolio, missing, "without a probability"), " without one are left out")
        if missing
        else None
    )
    return sentence("On the stated probabilities ", weighted, " of the ", value, " is to be expected", tail, ".")


def _concentration(portfolio: Portfolio, emphasis: Emphasis) -> Sentence | None:
    amount = portfolio.amount(emphasis)
    if amount is None or not amount.records:
        return None
    at = max(amount.records, key=lambda i: (amount.values[i] or Decimal(0), -i))
    part = share_of(portfolio, amount, at)
    if part is None:
        return None
    return sentence(name_of(portfolio, at), f" alone {verb(amount, False)} ", part, f" {of_measure(amount)}.")


def _silent(portfolio: Portfolio, _: Emphasis) -> Sentence:
    count = in_words(portfolio, portfolio.count, "listed, as the risk", capital=True)
    return sentence(
        count, f" {portfolio.noun(portfolio.count)} and no amount to weigh them by: no risk can be read from the file."
    )


_RISKS: dict[PortfolioKind, tuple[_Risk, ...]] = {
    "property": (_emptiest, _soon),
    "loans": (_beyond("ltv", "0.75", True, "above"), _beyond("dscr", "1.25", False, "below"), _soon),
    "pipeline": (_discount,),
    "rent_roll": (_soon,),
}
