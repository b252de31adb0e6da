"""The columns in which documents list a portfolio's deals, and what each prints for a deal and for the total."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from schemas.deal import Column
from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.figures import formats
from tools.figures.breakdowns import group_field
from tools.figures.kinds import PortfolioKind
from tools.figures.measures import Portfolio, month_to_month
from tools.figures.series import Series, correction, value_figure
from tools.figures.text import printable

Align = Literal["left", "right", "center"]
ColumnRole = Literal["number", "name", "text", "date", "year", "measure"]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column: its head, with the unit of its numbers, and how wide it wants to be (in shares of the name's 1.0)."""

    key: str
    head: str
    role: ColumnRole
    share: float
    fields: tuple[str, ...] = ()
    series: Series | None = None
    scale: formats.Scale | None = None

    @property
    def align(self) -> Align:
        """Numbers and dates to the right, text to the left."""
        if self.role == "number":
            return "center"
        return "left" if self.role in ("name", "text") else "right"


@dataclass(frozen=True, slots=True)
class Printed:
    """What stands in a cell: a figure as `text`, or text from the file. `note` tells of a person's correction."""

    text: str
    figure: Figure | None = None
    missing: bool = False
    note: str | None = None


_PLAIN = {
    "price": "Price {}", "noi": "NOI {}", "cap_rate": "Cap %", "area": "SF", "units": "Units", "occupancy": "Occ. %",
    "price_psf": "{}/SF", "price_unit": "{}/unit", "balance": "Balance {}", "rate": "Rate %", "ltv": "LTV %",
    "dscr": "DSCR x", "interest": "Computed interest {}", "appraised": "Appraised {}", "value": "Value {}",
    "probability": "Prob. %", "weighted": "Weighted {}", "rent": "Rent {}", "rent_psf": "Rent {}/SF", "land": "Acres",
    "gross_income": "Income {}", "market_rent": "Market {}/SF", "ebitda": "EBITDA {}", "revenue": "Revenue {}",
    "sold": "Sold at {}", "asked": "Asked {}",
}  # fmt: skip
_SPARSE = 4
"""A measure that fewer than one in so many deals have gets no column."""
_SHARES = {"noi": 0.37, "price": 0.37, "area": 0.36, "balance": 0.42, "weighted": 0.44, "appraised": 0.44}

_ORDER: dict[PortfolioKind, dict[Emphasis, str]] = {
    "property": {
        "income": "place kind built area units occupancy noi gross_income cap_rate price sold asked "
        "price_psf price_unit tenant end market",
        "price": "place kind built area units price sold asked price_psf price_unit cap_rate noi "
        "gross_income occupancy tenant end market",
    },
    "loans": {
        "income": "place kind balance rate dscr interest ltv maturity lender status",
        "price": "place kind balance appraised ltv rate dscr maturity lender status",
    },
    "pipeline": {
        "income": "kind sector weighted probability value ebitda revenue noi cap_rate close broker",
        "price": "kind sector value probability weighted revenue ebitda noi cap_rate close broker",
    },
    "rent_roll": {
        "income": "property suite area rent rent_psf market_rent end kind",
        "price": "property suite area rent_psf market_rent rent end kind",
    },
}
_TEXTS = {
    "place": ("City, state", ("city", "state"), 0.66),
    "tenant": ("Tenant", ("tenant",), 0.75),
    "property": ("Property", ("deal_name", "address"), 0.85),
    "suite": ("Suite", ("suite",), 0.3),
    "sector": ("Sector", ("sector", "property_type"), 0.5),
    "broker": ("Broker", ("broker",), 0.5),
    "lender": ("Lender", ("lender",), 0.5),
    "status": ("Status", ("status",), 0.4),
    "market": ("Location", ("market",), 0.5),
}
_DATES = {
    "end": ("Lease end", ("lease_expiry",)),
    "maturity": ("Maturity", ("maturity_date",)),
    "close": ("Close", ("close_date", "list_date", "sale_date")),
}
_KIND_HEADS = {
    "property_type": "Type", "property_subtype": "Subtype", "sector": "Sector", "status": "Status", "stage": "Stage",
    "lender": "Lender", "lease_type": "Lease type", "state": "State", "tenant": "Tenant",
}  # fmt: skip


def table_columns(portfolio: Portfolio, emphasis: Emphasis, most: int = 13) -> tuple[TableColumn, ...]:
    """At most `most` columns that hold something, number and name first, then in the order that `emphasis` asks for."""
    made = [TableColumn("number", "#", "number", 0.14), TableColumn("name", _name_head(portfolio), "name", 1.0)]
    taken = set(portfolio.view.names[:1])
    for key in _ORDER[portfolio.kind][emphasis].split():
        column = _column(portfolio, key)
        if column is not None and not (column.fields and set(column.fields) <= taken):
            made.append(column)
            taken.update(column.fields)
    return tuple(made[:most])


def _name_head(portfolio: Portfolio) -> str:
    first = portfolio.view.names[0] if portfolio.view.names else ""
    heads = {"tenant": "Tenant", "address": "Address", "source_id": "Id", "seller": "Seller", "lender": "Lender"}
    return heads.get(first, portfolio.profile.noun.capitalize() if portfolio.kind != "rent_roll" else "Property")


def _column(portfolio: Portfolio, key: str) -> TableColumn | None:
    view = portfolio.view
    if key in portfolio.measures:
        series = portfolio.measures[key]
        return _measure_column(key, series) if len(series.records) * _SPARSE >= portfolio.held else None
    if key == "kind":
        field = group_field(portfolio)
        return None if field is None else TableColumn(key, _KIND_HEADS[field], "text", 0.42, (field,))
    if key == "built" and view.present("year_built"):
        return TableColumn(key, "Built", "year", 0.22, ("year_built",))
    if key == "market" and (view.present("city") or view.present("state")):
        return None
    if key in _TEXTS:
        head, fields, room = _TEXTS[key]
        fields = tuple(name for name in fields if view.present(name))
        if key == "place" and fields and fields != ("city", "state"):
            head, room = ("City", 0.5) if fields == ("city",) else ("State", 0.2)
        single = fields if key == "place" else fields[:1]
        return TableColumn(key, head, "text", room, single) if fields else None
    head, names = _DATES.get(key, ("", ()))
    field = next((name for name in names if view.present(name)), None)
    return None if field is None else TableColumn(key, head, "date", 0.36, (field,))


def _measure_column(key: str, series: Series) -> TableColumn:
    scale = None
    if series.spec.unit == "money":
        own = [value for i, value in enumerate(series.values) if i not in series.foreign]
        scale = formats.money_scale(own, series.spec.currency)
    sign = scale.head if scale else formats.symbol(series.spec.currency)
    head = _PLAIN[key].format(sign).strip().removeprefix("/").replace(" /", " per ").strip()
    return TableColumn(key, head, "measure", _SHARES.get(key, 0.3), series.fields, series, scale)


def printed(portfolio: Portfolio, column: TableColumn, record: int) -> Printed:
    """What `column` prints for `record`."""
    view = portfolio.view
    if column.role == "number":
        number = portfolio.number(record)
        return Printed(number.text, number)
    if column.role == "name":
        return Printed(view.name(record))
    if column.series is not None:
        return _printed_measure(portfolio, column, column.series, record)
    if column.role in ("date", "year"):
        return printed_fact(portfolio, column.fields[0], record, short=True)
    texts = [text for name in column.fields if (text := view.text(name, record))]
    note = correction(view, column.fields, record)
    return Printed(", ".join(texts) or formats.NOT_PROVIDED, missing=not texts, note=note)


def _printed_measure(portfolio: Portfolio, column: TableColumn, series: Series, record: int) -> Printed:
    view = portfolio.view
    shown = value_figure(view, series, record)
    value = series.values[record]
    if value is None:
        return Printed(formats.NOT_PROVIDED, shown, missing=True)
    if record in series.foreign:
        return Printed(shown.text, shown)
    text = (
        formats.scaled(value, column.scale)
        if column.scale
        else formats.plain(value, series.spec.unit, series.spec.places)
    )
    return Printed(text, shown, note=correction(view, series.fields_of(record), record))


def printed_fact(portfolio: Portfolio, field: str, record: int, short: bool = False) -> Printed:
    """What a date (`30 Sep 2026`, `short`: `Sep 2026`), a year or a text prints; `MTM` for a month-to-month lease."""
    view = portfolio.view
    column = view.column(field)
    value = None if column is None else column.values[record]
    cell = view.cell(field, record)
    note = correction(view, (field,), record)
    if value is None:
        if field == "lease_expiry" and month_to_month(view, record):
            return Printed("MTM", note=note)
        return Printed(formats.NOT_PROVIDED, missing=True, note=note)
    if isinstance(value, date):
        text = formats.month(value) if short else formats.day(value)
    elif field in ("year_built", "year_renovated"):
        text = str(value)
    else:
        return Printed(view.text(field, record) or formats.NOT_PROVIDED, note=note)
    shown = Figure.model_construct(
        id=portfolio.figure_id(f"{view.place(record)}.{field}"),
        label=f"{view.name(record)}, {field.replace('_', ' ')}",
        value=str(value),
        unit="date",
        currency=None,
        text=text,
        derivation=note or "as stated",
        cells=(cell,) if cell else (),
        pinned=note is not None,
        where=(),
    )
    return Printed(text, shown, note=note)


def printed_extra(portfolio: Portfolio, column: Column, record: int, most: int = 200) -> Printed:
    """What a column that no field fits holds: a number or a day as a figure, text in at most `most` characters."""
    view, value = portfolio.view, column.values[record]
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | date):
        return Printed(printable(value, most))
    text = formats.day(value) if isinstance(value, date) else formats.as_held(value)
    exact = value.isoformat() if isinstance(value, date) else Decimal(str(value))
    if isinstance(exact, Decimal) and not exact.is_finite():
        return Printed(text)
    cell = view.table.cell(column, record)
    shown = Figure(
        id=portfolio.figure_id(f"{view.place(record)}.extra.{column.place}"),
        label=f"{view.name(record)}, {printable(column.header, 80)}", value=exact,
        unit="date" if isinstance(value, date) else "count", text=text, derivation="as the cell holds it",
        cells=(cell,) if cell else (),
    )  # fmt: skip
    return Printed(text, shown)


def printed_total(portfolio: Portfolio, column: TableColumn) -> Printed | None:
    """What the total row prints in `column`: a sum, or a weighted ratio; None where there is neither."""
    shown = portfolio.totals.get(column.key)
    if column.series is None or shown is None or shown.value is None:
        return None
    value = portfolio.totals[column.key].value
    assert not isinstance(value, str)  # totals are numbers
    spec = column.series.spec
    text = formats.scaled(value, column.scale) if column.scale else formats.plain(value, spec.unit, spec.places)
    return Printed(text, shown)
