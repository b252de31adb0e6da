"""Findings: what the data say, in sentences that are true because they are computed, for titles and summaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import takewhile

from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.figures import formats
from tools.figures.breakdowns import Breakdown, Group, Timeline, by_field, by_year, group_field, pooled
from tools.figures.kinds import PortfolioKind
from tools.figures.measures import Portfolio, share
from tools.figures.registry import Quoted, Sentence, counted, quoted, sentence
from tools.figures.series import Series, Spec, figure, value_figure
from tools.figures.states import NAMES, state_code
from tools.figures.verbs import in_currency, of_measure, verb

MOST_TENANTS = 12
"""Parts that tenants are cut into to find the five that pay most; the rest is one."""
NAME_MOST = 44
"""Characters that a name may take in a sentence; tables and pages have it whole."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A finding in a few words, and a sentence or two that carry it; `about` names what it is a finding of."""

    lead: Sentence
    detail: Sentence
    about: str = ""


Maker = Callable[[Portfolio, Emphasis], Highlight | None]


def name_of(portfolio: Portfolio, record: int) -> Quoted:
    """The deal's name, short enough for a sentence."""
    return quoted(portfolio.view.name(record), NAME_MOST)


def in_words(portfolio: Portfolio, number: int, label: str, capital: bool = False) -> Figure:
    """A count as a sentence wants it: in words up to twelve."""
    made = portfolio.deals(number, label)
    return made.model_copy(update={"text": formats.count_word(number, capital)})


def extreme(portfolio: Portfolio, series: Series, order: Sequence[int]) -> tuple[Sentence, list[int]]:
    """Who comes first of `order`, sorted by `series`: the deal's name, or how many print alike, and which they are."""
    least = value_figure(portfolio.view, series, order[0]).text
    alike = list(takewhile(lambda i: value_figure(portfolio.view, series, i).text == least, order))
    if len(alike) == 1:
        return sentence(name_of(portfolio, order[0])), alike
    count = in_words(portfolio, len(alike), f"alike at {least} by {series.label}", capital=True)
    return sentence(count, f" {portfolio.profile.nouns}"), alike


def limit(value: Decimal, spec: Spec, name: str) -> Figure:
    """A threshold that this document judges by."""
    return figure(f"limit.{name}", spec, value, "a limit set for this document", ())


def leases_of(portfolio: Portfolio) -> Portfolio | None:
    """The rent roll: the portfolio itself, or the companion that is one."""
    candidates = (portfolio, *portfolio.companions)
    return next((one for one in candidates if one.kind == "rent_roll" and "rent" in one.measures), None)


def expiry(portfolio: Portfolio) -> tuple[Portfolio, Timeline] | None:
    """The years in which leases end or loans mature, with the portfolio that they belong to."""
    if portfolio.kind == "loans":
        found = by_year(portfolio, "maturity_date", portfolio.measures.get("balance"))
        return (portfolio, found) if found else None
    if portfolio.kind == "pipeline":
        found = by_year(portfolio, "close_date", portfolio.measures.get("value"))
        return (portfolio, found) if found else None
    roll = leases_of(portfolio)
    found = by_year(roll, "lease_expiry", roll.measures["rent"]) if roll else None
    return (roll, found) if roll and found else None


def kinds(portfolio: Portfolio, emphasis: Emphasis) -> Breakdown | None:
    """The portfolio by kind (type, stage, status), by its amount under `emphasis`."""
    field = group_field(portfolio)
    return by_field(portfolio, field, portfolio.amount(emphasis)) if field else None


# Highlights ----------------------------------------------------------------------------------------------------------


def _label_of(group: Group, field: str = "") -> Quoted | str:
    label = NAMES.get(state_code(group.label) or "", group.label) if field == "state" else group.label
    return quoted(label, NAME_MOST) if group.from_file else label


def mix_highlight(portfolio: Portfolio, emphasis: Emphasis) -> Highlight | None:
    """The kind that holds most; None with one kind or none."""
    cut = kinds(portfolio, emphasis)
    return _cut_highlight(portfolio, cut) if cut else None


def state_highlight(portfolio: Portfolio, emphasis: Emphasis) -> Highlight | None:
    """The state that holds most; None with one state or none."""
    cut = by_field(portfolio, "state", portfolio.amount(emphasis), most=60)
    return _cut_highlight(portfolio, cut) if cut else None


def _cut_highlight(portfolio: Portfolio, cut: Breakdown) -> Highlight | None:
    top = cut.groups[0]
    if len(cut.groups) < 2 or not top.from_file or top.share is None or (top.share.value or 0) == 0:
        return None
    lead = share_lies_in(cut, top)
    other = cut.measure.foreign if cut.measure else ()
    number = sum(record not in other for record in top.records)
    count = in_words(portfolio, number, f"in {top.label}, counted in its amount") if other else top.count
    count = count.model_copy(update={"text": formats.count_word(number)})
    of = sentence(top.amount, " of ", cut.whole, " from ", count) if top.amount else sentence(count)
    second = cut.groups[1]
    rest = (
        sentence("; ", _label_of(second, cut.field), " is next with ", second.share)
        if second.from_file and second.share
        else None
    )
    return Highlight(lead, sentence(of, f" {portfolio.noun(number)}", rest, "."))


def share_lies_in(cut: Breakdown, top: Group) -> Sentence:
    """`41.3% of NOI is in Industrial`: true of a part whatever its name, singular or plural."""
    return sentence(top.share, f" {of_measure(cut.measure)} is in ", _label_of(top, cut.field))


def largest_highlight(portfolio: Portfolio, emphasis: Emphasis) -> Highlight | None:
    """What the five largest hold together; None for fewer than eight with an amount."""
    measure = portfolio.amount(emphasis)
    ranked = _largest(measure)
    if measure is None or len(ranked) < 8:
        return None
    top = pooled(portfolio, f"top.{measure.key}", "the five largest", measure, ranked[:5])
    first = share_of(portfolio, measure, ranked[0])
    last = share_of(portfolio, measure, ranked[-1])
    low, alike = extreme(portfolio, measure, ranked[::-1])
    if top.share is None or first is None or last is None:
        return None
    five = in_words(portfolio, 5, "the largest")
    lead = sentence("The top ", five, f" {verb(measure, True)} ", top.share, f" {of_measure(measure)}")
    leader = value_figure(portfolio.view, measure, ranked[0])
    detail = sentence(
        name_of(portfolio, ranked[0]), " leads with ", leader, ", ", first, " of the total; ",
        sentence("the smallest, ", low, ", is ", last, ".") if len(alike) == 1 else sentence(
            in_words(portfolio, len(alike), "smallest alike"), " are smallest, each ",
            value_figure(portfolio.view, measure, ranked[-1]), ".",
        ),
    )  # fmt: skip
    return Highlight(lead, detail)


def _largest(measure: Series | None) -> list[int]:
    if measure is None:
        return []
    return sorted(measure.records, key=lambda i: (-(measure.values[i] or Decimal(0)), i))


def share_of(portfolio: Portfolio, measure: Series, record: int) -> Figure | None:
    """One deal's share of the total of `measure`."""
    part = value_figure(portfolio.view, measure, record)
    return share(portfolio, f"{portfolio.view.place(record)}.{measure.key}", part, portfolio.totals[measure.key])


def _spread(key: str, plural: str) -> Maker:
    """A maker of: the lowest and the highest of a ratio, with who they are; None for fewer than three or all alike."""
    return lambda portfolio, _: _spread_highlight(portfolio, key, plural)


def _spread_highlight(portfolio: Portfolio, key: str, plural: str) -> Highlight | None:
    series = portfolio.measures.get(key)
    records = [] if series is None else series.records
    if series is None or len(records) < 3:
        return None
    order = sorted(records, key=lambda i: (series.values[i] or Decimal(0), i))
    low, high = (value_figure(portfolio.view, series, i) for i in (order[0], order[-1]))
    if low.text == high.text:
        return None
    middle = portfolio.totals.get(key)
    weighted = middle is not None and middle.value is not None and not series.additive
    tail = sentence("; ", middle, " over all") if weighted else None
    lead = sentence(f"{plural}{in_currency(series)} from ", low, " to ", high)
    least, lows = extreme(portfolio, series, order)
    most, highs = extreme(portfolio, series, order[::-1])
    if len(highs) > 1:
        most = in_words(portfolio, len(highs), f"highest by {series.label}")
    does = "is" if len(lows) == 1 else "are"
    again = "" if (len(lows) == 1) == (len(highs) == 1) else "is " if len(highs) == 1 else "are "
    names = sentence(least, f" {does} lowest, ", most, f" {again}highest")
    return Highlight(lead, sentence(names, tail, "."))


def expiry_highlight(portfolio: Portfolio, _: Emphasis = "income") -> Highlight | None:
    """How much ends within the first three years, and the heaviest year; None without dates."""
    found = expiry(portfolio)
    if found is None:
        return None
    owner, line = found
    peak = line.groups[line.peak]
    detail = sentence(year_of(peak), " is heaviest at ", peak.amount or peak.count, ", ", peak.share, walt(owner), ".")
    return Highlight(expiry_title(owner, line), detail)


def expiry_title(owner: Portfolio, line: Timeline) -> Sentence:
    """`43.0% of rent ends by 2029`: how much ends by the third year of the line, or by the last but one."""
    years = [at for at, group in enumerate(line.groups) if group.from_file and " " not in group.label]
    ends = {"loans": "matures", "pipeline": "is due to close"}.get(owner.kind, "ends")
    if not years:
        return sentence(f"When what is due {ends}")
    at = years[min(2, max(len(years) - 2, 0))]
    return sentence(line.cumulative[at], f" {of_measure(line.measure)} {ends} by ", year_of(line.groups[at]))


def year_of(group: Group) -> Quoted | str:
    """The name of a bucket of years in a sentence."""
    return Quoted(group.label) if group.from_file else {"MTM": "month to month", "Ended": "already ended"}[group.label]


def walt(roll: Portfolio) -> Sentence | None:
    """`; WALT is 4.2 years by rent, 4.1 by area`: None without a rent roll's dates."""
    by_rent, by_area = roll.totals.get("walt_rent"), roll.totals.get("walt_area")
    if by_rent is None:
        return None
    return sentence("; WALT is ", by_rent, " by rent", *((", ", by_area, " by area") if by_area else ()))


def tenants_highlight(portfolio: Portfolio, _: Emphasis = "income") -> Highlight | None:
    """What the five largest tenants pay together; None for fewer than seven tenants."""
    roll = leases_of(portfolio)
    cut = by_field(roll, "tenant", roll.measures["rent"], most=MOST_TENANTS) if roll else None
    groups = [group for group in cut.groups if group.from_file] if cut else []
    if roll is None or len(groups) < 7:
        return None
    members = [record for group in groups[:5] for record in group.records]
    top = pooled(roll, "top.tenants", "the five largest tenants", roll.measures["rent"], members)
    first, second = groups[0], groups[1]
    if top.share is None or first.share is None or second.share is None:
        return None
    five = in_words(roll, 5, "tenants", capital=True)
    detail = sentence(
        quoted(first.label, NAME_MOST), " leads with ", first.share, "; no other tenant is above ", second.share, "."
    )
    return Highlight(sentence(five, " tenants pay ", top.share, " of rent"), detail)


def occupancy_highlight(portfolio: Portfolio, _: Emphasis = "income") -> Highlight | None:
    """How full the portfolio is, and how many fall short of nine tenths."""
    overall = portfolio.totals.get("occupancy") or portfolio.totals.get("occupied")
    series = portfolio.measures.get("occupancy")
    if overall is None or overall.value is None:
        return None
    nouns = portfolio.profile.nouns
    let = sentence(overall, " of the space is let")
    lead = let if portfolio.kind == "rent_roll" else sentence(f"The {nouns} are ", overall, " occupied")
    if series is None:
        return Highlight(lead, sentence("By area, over the rows that say so."))
    low = [i for i in series.records if (series.values[i] or 0) < Decimal("0.9")]
    edge = limit(Decimal("0.9"), Spec("occupancy limit", "fraction", 0), "occupancy")
    count = in_words(portfolio, len(low), "below the occupancy limit", capital=True)
    known = in_words(portfolio, len(series.records), "with an occupancy")
    does = "is" if len(low) == 1 else "are"
    return Highlight(lead, sentence(count, " of the ", known, f" that say so {does} below ", edge, "."))


def range_highlight(portfolio: Portfolio, emphasis: Emphasis) -> Highlight | None:
    """The least and the greatest of the leading measure; None for fewer than three or all alike."""
    lead = portfolio.lead(emphasis)
    return _spread_highlight(portfolio, lead.key, f"{lead.label[:1].upper()}{lead.label[1:]}") if lead else None


def counted_highlight(portfolio: Portfolio, _: Emphasis = "income") -> Highlight:
    """How much the file says of the deals: true of any table."""
    with_amount = {i for series in portfolio.measures.values() for i in series.records}
    number = portfolio.deals(len(with_amount), f"{portfolio.profile.nouns} with any number")
    count = in_words(portfolio, portfolio.count, "listed", capital=True)
    lead = sentence(count, f" {portfolio.noun(portfolio.count)} listed")
    return Highlight(lead, sentence(number, " of ", portfolio.deals(portfolio.count), " carry at least one number."))


def census_highlight(portfolio: Portfolio, _: Emphasis = "income") -> Highlight:
    """The account of the file's rows: true of any file."""
    rows = sum(one.non_empty_rows for one in portfolio.extraction.census)
    done = sum(one.accounted_rows for one in portfolio.extraction.census)
    every = counted(rows, "rows not empty", "rows that hold anything, over all sheets")
    known = counted(done, "rows accounted for", "rows that have a class, over all sheets")
    lead = (
        sentence("All ", every, " rows are accounted for")
        if done == rows
        else sentence(known, " of ", every, " rows are")
    )
    sheets = counted(len(portfolio.extraction.census), "sheets read", "count of sheets")
    noun = "sheet" if len(portfolio.extraction.census) == 1 else "sheets"
    return Highlight(
        lead, sentence("On ", sheets, f" {noun}; each row has a class: title, header, record, total or note.")
    )


_MAKERS: dict[str, Maker] = {
    "mix": mix_highlight,
    "states": state_highlight,
    "largest": largest_highlight,
    "expiry": expiry_highlight,
    "tenants": tenants_highlight,
    "occupancy": occupancy_highlight,
    "caps": _spread("cap_rate", "Cap rates"),
    "price_psf": _spread("price_psf", "Prices per SF"),
    "price_unit": _spread("price_unit", "Prices per unit"),
    "rates": _spread("rate", "Interest rates"),
    "dscr": _spread("dscr", "DSCRs"),
    "ltv": _spread("ltv", "LTVs"),
    "rents": _spread("rent_psf", "Rents"),
    "range": range_highlight,
    "listed": counted_highlight,
    "census": census_highlight,
}
_ALWAYS = ("range", "listed", "census")
_POOLS: dict[PortfolioKind, dict[Emphasis, str]] = {
    "property": {
        "income": "mix expiry tenants largest occupancy caps states",
        "price": "caps mix largest price_psf states price_unit occupancy",
    },
    "loans": {"income": "rates mix dscr expiry largest", "price": "expiry mix largest ltv states"},
    "pipeline": {"income": "mix largest expiry states", "price": "largest mix expiry states"},
    "rent_roll": {
        "income": "expiry tenants occupancy largest rents",
        "price": "rents tenants expiry occupancy largest",
    },
}


def highlights(portfolio: Portfolio, emphasis: Emphasis, most: int = 3) -> tuple[Highlight, ...]:
    """At most `most` findings that hold, in the order that `emphasis` asks for; at least two."""
    found: list[Highlight] = []
    for name in (*_POOLS[portfolio.kind][emphasis].split(), *_ALWAYS):
        made = _MAKERS[name](portfolio, emphasis) if len(found) < most else None
        found += [replace(made, about=name)] if made else []
    return tuple(found)
