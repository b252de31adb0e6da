"""What each kind of table is called and measured by."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from schemas.deal import Column
from schemas.workbook import TableKind
from tools.figures.series import DealView, Series, Spec, derived_series, series_of

PortfolioKind = Literal["property", "loans", "pipeline", "rent_roll"]

PRICES = ("asking_price", "sale_price", "price", "deal_value")
PRICE_LABELS = {"asking_price": "asking price", "sale_price": "sale price", "price": "price", "deal_value": "value"}
_COSTS = re.compile(r"\b(?:basis|cost|costs|book|invested)\b", re.IGNORECASE)
"""Heads of amounts that were put in: nobody is worth what it cost."""
VACANT = ("vacant", "vacancy", "available", "vacant suite", "vacant space")


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind's nouns, and the measures that lead it when income does and when price does, best first."""

    noun: str
    nouns: str
    income: tuple[str, ...]
    price: tuple[str, ...]
    group_fields: tuple[str, ...]


PROFILES: dict[PortfolioKind, Profile] = {
    "property": Profile(
        "property",
        "properties",
        ("noi", "gross_income", "price", "area", "units"),
        ("price", "noi", "area", "units"),
        ("property_type", "property_subtype", "sector", "status", "state"),
    ),
    "loans": Profile(
        "loan",
        "loans",
        ("balance", "noi", "price"),
        ("balance", "price", "noi"),
        ("property_type", "status", "lender", "sector", "state"),
    ),
    "pipeline": Profile(
        "deal",
        "deals",
        ("weighted", "value", "noi", "ebitda", "revenue"),
        ("value", "weighted", "noi", "ebitda", "revenue"),
        ("stage", "status", "sector", "property_type"),
    ),
    "rent_roll": Profile(
        "lease",
        "leases",
        ("rent", "area"),
        ("rent_psf", "rent", "area"),
        ("property_type", "lease_type", "status", "tenant"),
    ),
}

_BY_TABLE: dict[TableKind, PortfolioKind] = {
    "sale_comps": "property",
    "offering_list": "property",
    "property_summary": "property",
    "loan_tape": "loans",
    "pipeline": "pipeline",
    "rent_roll": "rent_roll",
    "lease_comps": "rent_roll",
}


def kind_of(view: DealView) -> PortfolioKind:
    """The kind by which a table is measured; one of no known kind is judged by its fields."""
    known = _BY_TABLE.get(view.table.kind)
    if known:
        return known
    has = {column.field for column in view.table.columns if column.field}
    if "loan_amount" in has and has & {"interest_rate", "maturity_date", "dscr", "ltv", "original_balance"}:
        return "loans"
    if has & {"stage", "probability", "deal_value"}:
        return "pipeline"
    return "rent_roll" if "tenant" in has and has & {"rent_annual", "rent_monthly", "rent_psf"} else "property"


def measures_of(view: DealView, kind: PortfolioKind) -> dict[str, Series]:
    """The measures that `view` has, by key."""
    made = _MEASURES[kind](view)
    return {series.key: series for series in made if series is not None}


def divide(top: Series | None, bottom: Series | None, count: int) -> list[Decimal | None]:
    """`top` ÷ `bottom`, record by record; None where either is missing or the divisor is not above 0."""
    if top is None or bottom is None:
        return [None] * count
    return [None if a is None or b is None or b <= 0 else a / b for a, b in zip(top.values, bottom.values, strict=True)]


def multiply(first: Series | None, second: Series | None, count: int) -> list[Decimal | None]:
    """`first` × `second`, record by record; None where either is missing."""
    if first is None or second is None:
        return [None] * count
    return [None if a is None or b is None else a * b for a, b in zip(first.values, second.values, strict=True)]


def _ratio(
    view: DealView, key: str, spec: Spec, field: str, parts: tuple[Series | None, Series | None], rule: str
) -> Series | None:
    """A stated ratio, and where it is missing top ÷ bottom."""
    top, bottom = parts
    stated = series_of(view, key, spec.label, spec.unit, (field,))
    given = [part for part in parts if part]
    return derived_series(key, spec, stated, divide(top, bottom, view.count), given, rule)


def _price(view: DealView) -> Series | None:
    best = max(PRICES, key=lambda name: (view.present(name), -PRICES.index(name)))
    return series_of(view, "price", PRICE_LABELS[best], "money", (best,))


def _other_prices(view: DealView, price: Series | None) -> Sequence[Series | None]:
    """What was paid beside what was asked, or the other way about, where a table has both."""
    used = price.fields if price else ()
    pairs = (("sold", "sale_price"), ("asked", "asking_price"))
    return [series_of(view, key, PRICE_LABELS[name], "money", (name,)) for key, name in pairs if name not in used]


def _property(view: DealView) -> Sequence[Series | None]:
    price, noi = _price(view), series_of(view, "noi", "NOI", "money", ("noi",))
    area = series_of(view, "area", "area", "sf", ("building_sf",))
    units = series_of(view, "units", "units", "units", ("units",))
    per_unit = Spec("price per unit", "money_per_unit")
    return (
        price,
        *_other_prices(view, price),
        noi,
        _ratio(view, "cap_rate", Spec("cap rate", "fraction", 2), "cap_rate", (noi, price), f"NOI ÷ {_label(price)}"),
        area,
        units,
        series_of(view, "land", "land", "acres", ("land_acres",)),
        series_of(view, "occupancy", "occupancy", "fraction", ("occupancy",)),
        series_of(view, "gross_income", "gross income", "money", ("gross_income",)),
        _ratio(view, "price_psf", Spec("price per SF", "money_per_sf", 0), "price_per_sf", (price, area), "price ÷ SF"),
        _ratio(view, "price_unit", per_unit, "price_per_unit", (price, units), "price ÷ units"),
    )


def _label(series: Series | None) -> str:
    return series.label if series else "price"


def _loans(view: DealView) -> Sequence[Series | None]:
    balance = series_of(view, "balance", "balance", "money", ("loan_amount", "original_balance"))
    rate = series_of(view, "rate", "interest rate", "fraction", ("interest_rate",))
    value = series_of(view, "appraised", "appraised value", "money", ("appraised_value",))
    interest = multiply(balance, rate, view.count)
    given = [series for series in (balance, rate) if series]
    return (
        balance,
        rate,
        derived_series("interest", Spec("computed interest", "money"), None, interest, given, "balance × rate"),
        _ratio(view, "ltv", Spec("LTV", "fraction", 1), "ltv", (balance, value), "balance ÷ appraised value"),
        series_of(view, "dscr", "DSCR", "ratio", ("dscr",)),
        value,
        series_of(view, "noi", "NOI", "money", ("noi",)),
        series_of(view, "occupancy", "occupancy", "fraction", ("occupancy",)),
        _price(view),
    )


_VALUE_LABELS = {**PRICE_LABELS, "appraised_value": "appraised value"}


def _value_field(view: DealView) -> str:
    """The field of what deals are worth: a value before a price, and a value before what was put in."""
    best = max(("deal_value", "appraised_value", *PRICES[:3], "loan_amount"), key=view.present)
    values = [name for name in ("deal_value", "appraised_value") if view.present(name) * 2 > view.present(best)]
    values.sort(key=lambda name: _is_cost(view.column(name)))
    return values[0] if values else best


def _is_cost(column: Column | None) -> bool:
    """Whether a column's head says that it holds what was put in, not what the deals are worth."""
    return column is not None and _COSTS.search(column.header) is not None


def _pipeline(view: DealView) -> Sequence[Series | None]:
    best = _value_field(view)
    cost = _is_cost(view.column(best))
    label = "basis" if cost else _VALUE_LABELS.get(best, "loan amount")
    of_weighted = "weighted basis" if cost else "weighted value"
    value = series_of(view, "value", label, "money", (best,))
    probability = series_of(view, "probability", "probability", "fraction", ("probability",))
    weighted = multiply(value, probability, view.count)
    given = [series for series in (value, probability) if series]
    return (
        value,
        probability,
        derived_series(
            "weighted",
            Spec(of_weighted, "money"),
            None,
            weighted,
            given,
            f"{label} × probability",
        ),
        series_of(view, "noi", "NOI", "money", ("noi",)),
        series_of(view, "cap_rate", "cap rate", "fraction", ("cap_rate",)),
        series_of(view, "ebitda", "EBITDA", "money", ("ebitda",)),
        series_of(view, "revenue", "revenue", "money", ("revenue",)),
    )


def _rent_roll(view: DealView) -> Sequence[Series | None]:
    area = series_of(view, "area", "area", "sf", ("leased_sf", "building_sf"))
    monthly = series_of(view, "monthly", "monthly rent", "money", ("rent_monthly",))
    psf = series_of(view, "stated_psf", "rent per SF", "money_per_sf", ("rent_psf",))
    rent = series_of(view, "rent", "annual rent", "money", ("rent_annual",))
    spec = Spec("annual rent", "money")
    if monthly:
        year = [None if value is None else value * 12 for value in monthly.values]
        rent = derived_series("rent", spec, rent, year, (monthly,), "monthly rent × 12")
    if psf and area and not monthly:
        rent = derived_series("rent", spec, rent, multiply(psf, area, view.count), (psf, area), "rent per SF × SF")
    rent_psf = _ratio(view, "rent_psf", Spec("rent per SF", "money_per_sf", 2), "rent_psf", (rent, area), "rent ÷ SF")
    return rent, area, rent_psf, series_of(view, "market_rent", "market rent", "money_per_sf", ("market_rent",))


_MEASURES: dict[PortfolioKind, Callable[[DealView], Sequence[Series | None]]] = {
    "property": _property,
    "loans": _loans,
    "pipeline": _pipeline,
    "rent_roll": _rent_roll,
}
