"""What documents say about an extraction: its main table measured as a portfolio, its other tables beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from schemas.deal import Extraction, Table
from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.figures import formats
from tools.figures.kinds import PROFILES, VACANT, PortfolioKind, Profile, kind_of, measures_of
from tools.figures.registry import counted
from tools.figures.series import DealView, Series, Spec, figure, value_figure
from tools.figures.wording import plural, row_noun

_MONTH_TO_MONTH = re.compile(r"\b(mtm|m2m|m-t-m|month[\s-]*to[\s-]*month|monthly|at will|holdover)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Portfolio:
    """One table measured: each number a Figure with its derivation and cells; missing is missing.

    `measures` are per record, `totals` over those present; both lack what the table does not have. `companions` are the
    other tables of the file, measured the same way. `as_of` is the day from which years to run are counted.
    """

    extraction: Extraction
    view: DealView
    kind: PortfolioKind
    measures: Mapping[str, Series]
    as_of: date | None
    companions: tuple[Portfolio, ...] = field(default=())
    kept: dict[tuple[str, ...], Any] = field(default_factory=dict[tuple[str, ...], Any], compare=False, repr=False)
    """What was computed of it and is asked for again."""

    @cached_property
    def profile(self) -> Profile:
        """The kind's nouns and leading measures; rows that are parties with their totals, or periods, are no deals."""
        own = PROFILES[self.kind]
        if not self.summary:
            return own
        noun = "row" if self._says("table.periods") else row_noun(self._named_by)
        return replace(own, noun=noun, nouns=plural(noun))

    @property
    def called(self) -> str:
        """What all records are called where their kind does not matter: deals, or what rows are that are none."""
        return self.profile.nouns if self.summary else "deals"

    @property
    def _named_by(self) -> str | None:
        """The head of the column that names the rows."""
        column = next((self.view.column(name) for name in self.view.names), None)
        return None if column is None else column.header

    @property
    def summary(self) -> bool:
        """Whether each row sums up several deals of one party, or is a period of one deal."""
        return self._says("table.summary") or self._says("table.periods")

    def _says(self, code: str) -> bool:
        where = self.cells_of_records()
        return any(issue.code == code and where in issue.cells for issue in self.extraction.issues)

    @property
    def table(self) -> Table:
        """The table that is measured."""
        return self.view.table

    @property
    def count(self) -> int:
        """How many deals the table has."""
        return self.view.count

    @cached_property
    def vacant(self) -> frozenset[int]:
        """The records of a rent roll that stand for empty space."""
        if self.kind != "rent_roll":
            return frozenset()
        names = self.view.texts("tenant")
        return frozenset(i for i, name in enumerate(names) if name and name.casefold().strip(" -*()") in VACANT)

    @property
    def held(self) -> int:
        """How many deals there are without empty space: what a count of leases means."""
        return self.count - len(self.vacant)

    @cached_property
    def totals(self) -> Mapping[str, Figure]:
        """Sums and weighted ratios by key, over the records that have what they need."""
        made = {key: total(self, series) for key, series in self.measures.items() if series.additive}
        for ratio in _ratios(self):
            if ratio is not None:
                made[ratio.id.rpartition(".")[2]] = ratio
        return made

    def lead(self, emphasis: Emphasis) -> Series | None:
        """The measure that ranks the deals under `emphasis`; None when the table has none."""
        keys = self.profile.income if emphasis == "income" else self.profile.price
        return next((self.measures[key] for key in keys if key in self.measures), None)

    def amount(self, emphasis: Emphasis) -> Series | None:
        """The additive measure that shares are taken of under `emphasis`."""
        keys = self.profile.income if emphasis == "income" else self.profile.price
        return next((m for key in keys if (m := self.measures.get(key)) and m.additive), None)

    def ranked(self, emphasis: Emphasis) -> list[int]:
        """All records, the greatest in the leading measure first, those without it last, ties as in the sheet."""
        lead = self.lead(emphasis)
        if lead is None:
            return list(range(self.count))
        order = lead.records
        order.sort(key=lambda record: (-(lead.values[record] or 0), record))
        rest = set(order)
        return order + [record for record in range(self.count) if record not in rest]

    def value(self, key: str, record: int) -> Figure | None:
        """The figure of measure `key` in `record`, also when its value is missing; None without such a measure."""
        series = self.measures.get(key)
        return None if series is None else value_figure(self.view, series, record)

    def figure_id(self, name: str) -> str:
        """An id for a figure about this table."""
        return f"{self.table.table_id}.{name}"

    def deals(self, number: int, label: str = "") -> Figure:
        """The figure of a count of deals of this table."""
        made = counted(number, label or self.profile.nouns, "count of records", (self.cells_of_records(),))
        return made.model_copy(update={"id": self.figure_id(made.id)})

    def number(self, record: int) -> Figure:
        """The figure of a deal's number in the list, by which charts and tables call it."""
        number = counted(
            record + 1, "number in the list", "place among the records of the table, in order of the sheet"
        )
        return number.model_copy(update={"id": self.figure_id(f"{self.view.place(record)}.number")})

    def cells_of_records(self) -> str:
        """The range of the table, with its sheet."""
        sheet = self.table.sheet
        return self.table.range if sheet is None else f"{sheet}!{self.table.range}"

    def noun(self, number: int) -> str:
        """`property` or `properties`."""
        return self.profile.noun if number == 1 else self.profile.nouns


def portfolio(extraction: Extraction, as_of: date | None = None) -> Portfolio:
    """The portfolio of `extraction`: its main table, with the others as companions.

    The main table is the one with the most complete deals; a rent roll gives way to a table of properties, which it
    describes. Works for any table, whatever it lacks. An extraction without a table is the caller's mistake.
    """
    measured = [_measure(extraction, table, as_of) for table in extraction.tables]
    order = sorted(range(len(measured)), key=lambda at: (*_claim(measured[at]), at))
    main, *others = (measured[at] for at in order)
    return Portfolio(main.extraction, main.view, main.kind, main.measures, as_of, tuple(others))


def _measure(extraction: Extraction, table: Table, as_of: date | None) -> Portfolio:
    view = DealView(extraction, table)
    kind = kind_of(view)
    return Portfolio(extraction, view, kind, measures_of(view, kind), as_of)


def _claim(candidate: Portfolio) -> tuple[bool, int]:
    """How strongly a table claims to lead, smallest first."""
    complete = complete_deals(candidate)
    return candidate.kind == "rent_roll" or not complete, -complete


def complete_deals(measured: Portfolio) -> int:
    """How many deals have a name and at least one amount."""
    amounts = [series.values for series in measured.measures.values() if series.additive]
    named = [measured.view.column(name) for name in measured.view.names]
    return sum(
        any(values[i] is not None for values in amounts)
        and any(column is not None and column.values[i] is not None for column in named)
        for i in range(measured.count)
    )


def total(measured: Portfolio, series: Series) -> Figure:
    """The sum of `series` over the records that have it, in its own currency."""
    records = series.records
    value = sum((series.values[i] or Decimal(0) for i in records), Decimal(0)) if records else None
    identity = measured.figure_id(f"total.{series.key}")
    cells = cells_of(measured.view, (series,), records)
    rule = _cover("sum", len(records), measured.held, series) + (f"; {series.rule}" if series.derived else "")
    return figure(identity, series.spec, value, rule, cells, pinned=has_pin(measured.view, (series,), records))


def _cover(what: str, number: int, count: int, series: Series | None = None) -> str:
    """`sum of 11 of 12, 1 not provided`."""
    other = len(series.foreign) if series else 0
    missing = max(count - number - other, 0)
    parts = [f"{what} of {number:,}" + (f" of {count:,}" if number < count else "")]
    parts += [f"{missing:,} not provided"] if missing else []
    parts += [f"{other:,} in another currency left out"] if other else []
    return ", ".join(parts)


def cells_of(view: DealView, parts: Sequence[Series], records: Sequence[int]) -> tuple[str, ...]:
    """The cells that `parts` take their values in `records` from, runs as ranges."""
    found: dict[str, None] = {}
    for series in parts:
        groups: dict[tuple[str, ...], list[int]] = {}
        for record in records:
            groups.setdefault(series.fields_of(record), []).append(record)
        for names, members in groups.items():
            found.update(dict.fromkeys(view.ranges(names, members)))
    return tuple(found)


def has_pin(view: DealView, parts: Sequence[Series], records: Sequence[int]) -> bool:
    """Whether a person set one of the values."""
    if not view.pins:
        return False
    members = set(records)
    return any(i in members and any(name in s.fields_of(i) for s in parts) for i, name in view.pins)


def quotient(measured: Portfolio, key: str, spec: Spec, top: str, bottom: str) -> Figure | None:
    """Σ `top` ÷ Σ `bottom` over the records that have both: never a mean of ratios, nor of two currencies."""
    upper, lower = measured.measures.get(top), measured.measures.get(bottom)
    if upper is None or lower is None or len({upper.spec.currency, lower.spec.currency} - {None}) > 1:
        return None
    records = [i for i in upper.records if lower.values[i] is not None and i not in lower.foreign]
    divisor = sum((lower.values[i] or Decimal(0) for i in records), Decimal(0))
    if divisor <= 0:
        return None
    value = sum((upper.values[i] or Decimal(0) for i in records), Decimal(0)) / divisor
    rule = f"Σ {upper.label} ÷ Σ {lower.label} over {len(records):,} with both"
    cells = cells_of(measured.view, (upper, lower), records)
    pinned = has_pin(measured.view, (upper, lower), records)
    return figure(measured.figure_id(f"ratio.{key}"), spec, value, rule, cells, pinned=pinned)


def weighted_mean(measured: Portfolio, key: str, weights: Sequence[str]) -> Figure | None:
    """The mean of measure `key` weighted by the first of `weights` that serves, else the plain mean, which says so."""
    series = measured.measures.get(key)
    if series is None or not series.records:
        return None
    for name in weights:
        weight = measured.measures.get(name)
        records = [i for i in series.records if weight and (weight.values[i] or 0) > 0 and i not in weight.foreign]
        if weight and len(records) * 2 > len(series.records):
            return _weighted(measured, series, weight, records)
    records = series.records
    value = sum((series.values[i] or Decimal(0) for i in records), Decimal(0)) / len(records)
    rule = _cover("plain mean", len(records), measured.count) + "; nothing to weight by"
    identity, cells = measured.figure_id(f"ratio.{key}"), cells_of(measured.view, (series,), records)
    return figure(identity, series.spec, value, rule, cells, pinned=has_pin(measured.view, (series,), records))


def _weighted(measured: Portfolio, series: Series, weight: Series, records: list[int]) -> Figure:
    weights = [weight.values[i] or Decimal(0) for i in records]
    top = sum(((series.values[i] or 0) * w for i, w in zip(records, weights, strict=True)), Decimal(0))
    rule = f"mean weighted by {weight.label}, over {len(records):,} with both"
    cells = cells_of(measured.view, (series, weight), records)
    pinned = has_pin(measured.view, (series, weight), records)
    value = top / sum(weights, Decimal(0))
    return figure(measured.figure_id(f"ratio.{series.key}"), series.spec, value, rule, cells, pinned=pinned)


def share(measured: Portfolio, name: str, part: Figure, whole: Figure) -> Figure | None:
    """`part` ÷ `whole` as a fraction; None where one is missing, the whole not above 0, or the currencies two."""
    if not isinstance(part.value, Decimal) or not isinstance(whole.value, Decimal) or whole.value <= 0:
        return None
    if part.currency != whole.currency:
        return None
    rule = f"{part.label} {_exact(part)} ÷ {_exact(whole)}"
    identity = measured.figure_id(f"share.{name}")
    spec = Spec(f"share of {whole.label}", "fraction", 1)
    return figure(identity, spec, part.value / whole.value, rule, part.cells, pinned=part.pinned)


def _exact(shown: Figure) -> str:
    value = shown.value if isinstance(shown.value, Decimal) else None
    return formats.full(value, shown.unit, shown.currency, formats.UNIT_PLACES.get(shown.unit, 0))


def _ratios(measured: Portfolio) -> list[Figure | None]:
    """The weighted ratios of a portfolio of its kind."""
    price = measured.measures.get("price")
    currency = price.spec.currency if price else None
    if measured.kind == "property":
        blended = quotient(measured, "cap_rate", Spec("blended cap rate", "fraction", 2), "noi", "price")
        return [
            blended or weighted_mean(measured, "cap_rate", ("price",)),
            weighted_mean(measured, "occupancy", ("area", "units")),
            quotient(measured, "price_psf", Spec("price per SF", "money_per_sf", 0, currency), "price", "area"),
            quotient(measured, "price_unit", Spec("price per unit", "money_per_unit", 0, currency), "price", "units"),
        ]
    if measured.kind == "loans":
        return [weighted_mean(measured, key, ("balance",)) for key in ("rate", "ltv", "dscr", "occupancy")]
    if measured.kind == "pipeline":
        return [weighted_mean(measured, "probability", ("value",)), weighted_mean(measured, "cap_rate", ("value",))]
    rent = measured.measures.get("rent")
    spec = Spec("rent per SF", "money_per_sf", 2, rent.spec.currency if rent else None)
    return [
        quotient(measured, "rent_psf", spec, "rent", "area") or weighted_mean(measured, "rent_psf", ("area",)),
        _occupied(measured),
        _years_to_run(measured, "rent"),
        _years_to_run(measured, "area"),
    ]


def _occupied(measured: Portfolio) -> Figure | None:
    """Let area ÷ all area of a rent roll that lists its empty space; None for one that does not."""
    area = measured.measures.get("area")
    if area is None or not measured.vacant:
        return None
    records = area.records
    let = [record for record in records if record not in measured.vacant]
    whole = sum((area.values[i] or Decimal(0) for i in records), Decimal(0))
    if whole <= 0:
        return None
    value = sum((area.values[i] or Decimal(0) for i in let), Decimal(0)) / whole
    rule = f"let SF ÷ all SF; {len(records) - len(let):,} of {len(records):,} rows read vacant"
    spec = Spec("occupancy", "fraction", 1)
    return figure(measured.figure_id("ratio.occupied"), spec, value, rule, cells_of(measured.view, (area,), records))


def month_to_month(view: DealView, record: int) -> bool:
    """Whether a lease's end reads as month to month."""
    return bool(_MONTH_TO_MONTH.search(view.raw_text("lease_expiry", record) or ""))


def _years_to_run(measured: Portfolio, key: str) -> Figure | None:
    """WALT: years from `as_of` to each lease's end, weighted by measure `key`; ended and month to month count as 0."""
    series, as_of = measured.measures.get(key), measured.as_of
    if series is None or as_of is None:
        return None
    ends = measured.view.dates("lease_expiry")
    known = [i for i in series.records if i not in measured.vacant and (series.values[i] or 0) > 0]
    known = [i for i in known if ends[i] is not None or month_to_month(measured.view, i)]
    weight = sum((series.values[i] or Decimal(0) for i in known), Decimal(0))
    if weight <= 0 or not any(ends[i] for i in known):
        return None
    top = sum(((series.values[i] or Decimal(0)) * years_to(ends[i], as_of) for i in known), Decimal(0))
    rule = f"years from {formats.day(as_of)} to lease end, weighted by {series.label}, over {len(known):,} leases"
    cells = cells_of(measured.view, (series,), known) + measured.view.ranges(("lease_expiry",), known)
    spec = Spec(f"WALT by {series.label}", "years", 1)
    return figure(measured.figure_id(f"ratio.walt_{key}"), spec, top / weight, rule, cells)


def years_to(end: date | None, as_of: date) -> Decimal:
    """Years from `as_of` to `end`, 0 when that is past or unknown."""
    return Decimal(0) if end is None or end <= as_of else Decimal((end - as_of).days) / Decimal("365.25")
