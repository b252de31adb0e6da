"""The executive summary in figures: the headline and the KPIs."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.figures.findings import expiry, in_words
from tools.figures.kinds import PortfolioKind
from tools.figures.measures import Portfolio
from tools.figures.registry import Part, Sentence, counted, sentence
from tools.figures.series import value_figure
from tools.figures.verbs import in_currency, worded

MOST_KPIS = 5


@dataclass(frozen=True, slots=True)
class Kpi:
    """A headline number with its label, and a line that says what it covers."""

    figure: Figure
    label: str
    note: Sentence


_KPIS: dict[PortfolioKind, dict[Emphasis, str]] = {
    "property": {
        "income": "noi price cap_rate occupancy walt_rent gross_income area units price_psf price_unit sold asked",
        "price": "price sold asked noi cap_rate price_psf price_unit area units occupancy walt_rent",
    },
    "loans": {"income": "balance rate dscr noi interest ltv", "price": "balance ltv appraised rate dscr interest"},
    "pipeline": {
        "income": "weighted value ebitda revenue noi probability",
        "price": "value weighted revenue ebitda noi probability",
    },
    "rent_roll": {"income": "rent area walt_rent occupied rent_psf", "price": "rent_psf rent area walt_rent occupied"},
}
_LABELS = {
    "noi": "Net operating income", "cap_rate": "Blended cap rate", "occupancy": "Occupied", "area": "Building area",
    "units": "Units", "price_psf": "Price per SF", "price_unit": "Price per unit",
    "interest": "Interest, computed",
    "rate": "Interest rate", "dscr": "DSCR", "ltv": "LTV", "balance": "Balance", "appraised": "Appraised value",
    "value": "Deal value", "weighted": "Weighted by probability", "probability": "Mean probability",
    "rent": "Annual rent", "occupied": "Let", "walt_rent": "WALT by rent", "rent_psf": "Rent per SF",
    "gross_income": "Gross income", "sold": "Sale price", "asked": "Asking price", "ebitda": "EBITDA",
    "revenue": "Revenue",
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
    tables = counted(len(extraction.tables), "tables read", "tables of records in the file")
    return [
        Kpi(portfolio.deals(portfolio.count), portfolio.profile.nouns.capitalize(), sentence("in the main table")),
        Kpi(done, "Rows accounted for", sentence("of ", counted(rows, "rows not empty", "rows that hold anything"))),
        Kpi(known, "Columns read", sentence("of ", every, " in the main table")),
        Kpi(issues, "Issues", sentence("listed under data quality")),
        Kpi(tables, "Tables read", sentence("in the file")),
    ]


def _kpi(portfolio: Portfolio, key: str) -> Kpi | None:
    owner = portfolio
    if key == "walt_rent":
        found = expiry(portfolio)
        owner = found[0] if found else portfolio
    shown = owner.totals.get(key)
    if shown is None or shown.value is None:
        return None
    named = portfolio.measures.get(key) if key == "value" else None
    label = named.label if named and worded(named) != key else _LABELS.get(key) or shown.label
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
        scope = in_currency(series)
        if low.text == high.text:
            return sentence(f"the same for all that have it{scope}")
        return sentence("from ", low, " to ", high, scope or None)
    every = owner.deals(owner.held)
    if len(records) == owner.held:
        return (
            sentence("all ", every, f" {owner.profile.nouns}")
            if owner.held > 1
            else sentence(f"one {owner.profile.noun}")
        )
    known = owner.deals(len(records), f"{owner.profile.nouns} with {series.label}")
    other = owner.deals(len(series.foreign), f"{owner.profile.nouns} with {series.label} in another currency")
    tail = sentence(", ", other, " in another currency") if series.foreign else None
    return sentence(known, " of ", every, f" {owner.profile.nouns}", tail)


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
        "balance": ("owes ", "owe ", ""),
        "noi": ("is carried by ", "are carried by ", " of NOI"),
    },
    "pipeline": {
        "weighted": ("is worth ", "are worth ", " weighted by probability"),
        "value": ("is worth ", "are worth ", ""),
        "noi": ("earns ", "earn ", " of NOI"),
        "ebitda": ("earns ", "earn ", " of EBITDA"),
        "revenue": ("takes in ", "take in ", " of revenue"),
    },
    "rent_roll": {"rent": ("pays ", "pay ", " a year"), "area": ("takes ", "take ", "")},
}
_PRICED = {
    "price": ("is priced at ", "are priced at ", ""),
    "balance": ("is lent ", "are lent ", ""),
    "basis": ("stands at a basis of ", "stand at a basis of ", ""),
    "weighted_basis": ("stands at a basis of ", "stand at a basis of ", " weighted by probability"),
}
"""What is said of a pipeline's value that is a price, a loan or a basis."""
_TAILS: dict[PortfolioKind, tuple[tuple[str, str, str], ...]] = {
    "property": (("cap_rate", "a ", " blended cap rate"),),
    "loans": (("rate", "at ", " interest on average"), ("ltv", "at ", " LTV on average")),
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
    tail = _tail(portfolio, emphasis)
    if portfolio.kind == "loans":
        parts += [tail] if tail else []
        tail = None
    if len(keys) > 1 and keys[1] not in ("area", "units", "gross_income"):
        parts += ["; ", _clause(portfolio, keys[1], clauses[keys[1]], first=False)]
    return sentence(*parts, tail)


def _tail(portfolio: Portfolio, emphasis: Emphasis) -> Sentence | None:
    """The first ratio that the portfolio has; a cap rate that no NOI and price stand behind is called an average."""
    tails = _TAILS[portfolio.kind]
    for key, before, after in tails if emphasis == "income" else reversed(tails):
        shown = portfolio.totals.get(key)
        if shown is not None and shown.value is not None:
            averaged = key == "cap_rate" and not shown.derivation.startswith("Σ")
            joint = " " if portfolio.kind == "loans" else ", "
            return sentence(joint + before, shown, " average cap rate" if averaged else after)
    return None


def _clause(portfolio: Portfolio, key: str, words: tuple[str, str, str], first: bool) -> Sentence:
    number = len(portfolio.measures[key].records)
    count = in_words(portfolio, number, f"with {key} in the headline", capital=first)
    one, many, tail = _PRICED.get(worded(portfolio.measures[key]), words) if key in ("value", "weighted") else words
    tail = " before weighting" if key == "value" and not first else tail
    does = one if number == 1 else many
    if not first and number == portfolio.held:
        return sentence("all " if number > 1 else "it ", does, portfolio.totals[key], tail)
    noun = f" {portfolio.noun(number)} " if first else " "
    if first and number < portfolio.held:
        every = in_words(portfolio, portfolio.held, "in all, in the headline")
        return sentence(count, " of ", every, f" {portfolio.profile.nouns} {does}", portfolio.totals[key], tail)
    return sentence(count, noun, does, portfolio.totals[key], tail)
