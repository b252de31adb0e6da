"""Extractions made by hand, for tests of whatever reads them: portfolios, a rent roll, a loan tape, a pipeline.

Every name is invented. `build` makes an extraction of tables; each row is a mapping of canonical field to value, and a
value may be a `Cell` when the file holds something else than what it means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from schemas.deal import Column, Extraction, FieldType, Issue, Pin, Table, deal_id_at
from schemas.workbook import Orientation, RowSpan, SheetCensus, SourceFile, TableKind, column_letters

TYPES: dict[str, FieldType] = {
    **dict.fromkeys(
        (
            "asking_price",
            "sale_price",
            "price",
            "price_per_sf",
            "price_per_unit",
            "noi",
            "gross_income",
            "rent_annual",
            "rent_monthly",
            "rent_psf",
            "market_rent",
            "loan_amount",
            "original_balance",
            "appraised_value",
            "deal_value",
            "ebitda",
            "revenue",
        ),
        "money",
    ),
    **dict.fromkeys(("cap_rate", "occupancy", "interest_rate", "ltv", "probability"), "fraction"),
    **dict.fromkeys(("building_sf", "leased_sf", "land_acres", "dscr", "lease_term_months"), "number"),
    "units": "count",
    **dict.fromkeys(("year_built", "year_renovated"), "year"),
    **dict.fromkeys(
        ("lease_start", "lease_expiry", "maturity_date", "origination_date", "sale_date", "close_date", "list_date"),
        "date",
    ),
}
"""The type of each canonical field that is not text."""


@dataclass(frozen=True)
class Cell:
    """A value, and what its cell holds where that differs."""

    value: Any
    raw: Any
    currency: str | None = None


@dataclass(frozen=True)
class Sheet:
    """One table to build; records lie in consecutive rows (or columns) but for `gaps`, rows that are no records."""

    kind: TableKind
    rows: Sequence[Mapping[str, Any]]
    name: str | None = "Deals"
    first_row: int = 7
    gaps: tuple[int, ...] = ()
    orientation: Orientation = "rows"
    currency: str | None = "USD"
    hidden: int = 0


def build(
    *sheets: Sheet, filename: str = "tamarack_deals_v3.xlsx", issues: tuple[Issue, ...] = (), artifact: str = "upload"
) -> Extraction:
    """The extraction of a file with one table a sheet."""
    tables = [_table(f"t{number}", sheet) for number, sheet in enumerate(sheets, 1)]
    census = tuple(_census(table, sheet) for table, sheet in zip(tables, sheets, strict=True))
    source = SourceFile(filename, "9f2c" + "0" * 56 + "41ab", 188_416, "xlsx", artifact)
    return Extraction(source, tables, census, issues)


def _table(table_id: str, sheet: Sheet) -> Table:
    fields = list(dict.fromkeys(name for row in sheet.rows for name in row))
    rows = range(sheet.first_row, sheet.first_row + len(sheet.rows) + len(sheet.gaps))
    records = [at for at in rows if at not in sheet.gaps]
    columns = [_column(index, name, sheet) for index, name in enumerate(fields)]
    last = records[-1] if records else sheet.first_row
    letters = column_letters(max(len(fields) - 1, 0))
    return Table(
        table_id,
        sheet.name,
        f"A{sheet.first_row - 1}:{letters}{last}",
        sheet.kind,
        sheet.orientation,
        (sheet.first_row - 1,),
        sheet.first_row,
        last,
        records,
        [None] * len(records),
        columns,
        tuple(RowSpan(sheet.name, gap, gap, "total", table_id) for gap in sheet.gaps),
    )


def _column(index: int, name: str, sheet: Sheet) -> Column:
    held = [row.get(name) for row in sheet.rows]
    values = [cell.value if isinstance(cell, Cell) else cell for cell in held]
    raws = [
        cell.raw if isinstance(cell, Cell) else cell.isoformat() if isinstance(cell, date) else cell for cell in held
    ]
    own = {at: cell.currency for at, cell in enumerate(held) if isinstance(cell, Cell) and cell.currency}
    kind = TYPES.get(name, "text")
    field = None if name.startswith("+") else name
    place = column_letters(index) if sheet.orientation == "rows" else str(index + 5)
    header = name.lstrip("+").replace("_", " ").title()
    currency = sheet.currency if kind == "money" else None
    return Column(place, header, field, 0.97, kind, values, raws, currency, own)


def _census(table: Table, sheet: Sheet) -> SheetCensus:
    rows = len(table.records)
    spans = (
        RowSpan(sheet.name, 1, 1, "title"),
        RowSpan(sheet.name, table.first_row - 1, table.first_row - 1, "header", table.table_id),
        RowSpan(sheet.name, table.first_row, table.last_row, "record", table.table_id),
        *table.excluded_rows,
    )
    everything = rows + 2 + len(sheet.gaps)
    cells = rows * len(table.columns)
    return SheetCensus(sheet.name, everything, everything, cells, cells, sheet.hidden, spans)


def pinned(
    extraction: Extraction, table: int, record: int, field: str, value: Any, *, was: str | None, by: str = "an analyst"
) -> Extraction:
    """`extraction` with one value set by a person on 28 Nov 2026."""
    at = extraction.tables[table]
    column = at.column_of(field)
    assert column is not None
    values = list(column.values)
    values[record] = value
    column.values = values
    identity = deal_id_at(extraction.source.artifact, at, record)
    pin = Pin(identity, field, str(value), "checked against the lease", by, "2026-11-28", was, at.cell(column, record))
    return Extraction(
        extraction.source, extraction.tables, extraction.census, extraction.issues, (*extraction.pins, pin)
    )


_PROPERTIES = """
Alder Creek Logistics Park|4100 Quarry Bend Road|Columbus|OH|Industrial|486000|2016|56100000|3282300|1.0
Bellwether Commons|880 Oxbow Lane|Charlotte|NC|Retail|142300|2008|41050000|2648100|0.964
Cobalt Ridge Medical Pavilion|2215 Lantern Hill Parkway|Aurora|CO|Medical|68400|2018|27350000|1721600|0.917
Dunmore Crossing|1507 Split Rail Drive|Murfreesboro|TN|Retail|98600|2004|20150000|1400200|0.909
Eastmark Flex Campus|6600 Copper Wren Avenue|Mesa|AZ|Industrial|214500|2012|38200000|2329400|0.939
Fairhaven Office Park|300 Weathervane Court|Plano|TX|Office|187200|1999|20800000|1788675|0.72
Granite Fork Distribution Center|9450 Saltbush Way|West Valley City|UT|Industrial|362000|2020|47350000|2627900|1.0
Harbor Bluff Cold Storage|75 Tidegate Road|Savannah|GA|Industrial|158000|2017|43850000|2609400|1.0
Ironwood Medical Plaza|1180 Heron Pass|Brandon|FL|Medical|74900|2011|25500000|1669300|0.908
Juniper Square|512 Basalt Street|Meridian|ID|Retail|86700||21400000|1411275|0.939
Kestrel Point Business Center|2040 Foxglove Terrace|Cary|NC|Office|121800|2006|17950000|1407100|0.873
Larkspur Trade Park|7020 Windmill Gap|San Antonio|TX|Industrial|246000|2014||1618200|0.85
"""


def properties() -> list[dict[str, Any]]:
    """Twelve properties; one price reads TBD, one year is empty."""
    rows: list[dict[str, Any]] = []
    for line in _PROPERTIES.strip().splitlines():
        name, address, city, state, kind, area, year, price, noi, leased = line.split("|")
        rows.append(
            {
                "deal_name": name,
                "address": address,
                "city": city,
                "state": state,
                "property_type": kind,
                "asking_price": int(price) if price else Cell(None, "TBD"),
                "noi": int(noi),
                "cap_rate": round(int(noi) / int(price), 4) if price else None,
                "building_sf": int(area),
                "occupancy": float(leased),
                "year_built": int(year) if year else None,
                "+Parking ratio": "4/1000",
            }
        )
    return rows


def leases() -> list[dict[str, Any]]:
    """Thirty leases of the twelve properties, one month to month, one suite vacant."""
    tenants = (
        "Corvane Freight",
        "Greenvale Market",
        "Stonebrook Health",
        "Hallmere Home Goods",
        "Polarix Cold Chain",
        "Tessaly Insurance",
        "Dovecote Analytics",
        "Voltrane Components",
        "Lodestone Supply",
        "Quillon Software",
    )
    names = [line.split("|")[0] for line in _PROPERTIES.strip().splitlines()]
    rows: list[dict[str, Any]] = []
    for number in range(30):
        area = 8_000 + (number * 7_919) % 90_000
        rent = area * (7 + (number * 13) % 22)
        end: Any = date(2027 + (number * 5) % 9, 1 + (number * 7) % 12, 28)
        if number == 11:
            end = Cell(None, "MTM")
        rows.append(
            {
                "deal_name": names[number % 12],
                "tenant": tenants[(number * 3) % 10],
                "suite": f"{100 + number}",
                "leased_sf": area,
                "rent_annual": rent,
                "rent_monthly": round(rent / 12, 2),
                "lease_expiry": end,
            }
        )
    vacant = {"tenant": "VACANT", "rent_annual": None, "rent_monthly": None, "lease_expiry": None}
    rows.append({**rows[-1], "suite": "900", **vacant})
    return rows


def portfolio12() -> Extraction:
    """Twelve properties and, on a second sheet, their rent roll."""
    issues = (
        Issue("value.unread", "warning", "“TBD” is no amount.", ("Deals!F18",), found="TBD"),
        Issue(
            "cap_rate.mismatch", "warning", "The stated cap rate is not NOI ÷ price.", ("Deals!H9",), "6.29%", "6.39%"
        ),
        Issue("rows.hidden", "info", "Three hidden rows were left out.", ("Rent Roll!A31:G33",)),
    )
    return build(
        Sheet("offering_list", properties(), gaps=(19,)),
        Sheet("rent_roll", leases(), name="Rent Roll", hidden=3),
        issues=issues,
    )


def troubled() -> Extraction:
    """Twelve properties with issues of all sorts, as reading a file gives them: rates, totals, days, years, text."""
    issues = (
        Issue("cap_rate.mismatch", "warning", "cap_rate is 6.39% where NOI ÷ price gives 7.04%.",
              ("Deals!H9", "Deals!G9", "Deals!F9"), "0.0704133", "0.0639"),
        Issue("slip.thousandfold", "warning",
              "noi is 2,648,100, a thousand times off the rest of its column; 2,648.1 would fit.", ("Deals!G8",),
              "2648.1", "2648100"),
        Issue("total.mismatch", "error",
              "The total of noi says 24,613,450; all records above it give 24,513,450.50.", ("Deals!G19",),
              "24,513,450.50", "24,613,450"),
        Issue("dates.order", "warning", "lease_expiry (2024-02-28) lies before lease_start (2026-01-31).",
              ("Deals!K9",), None, "2024-02-28"),
        Issue("years.order", "warning", "year_renovated (1975) lies before year_built (1998).", ("Deals!K10",), None,
              "1975"),
        Issue("double.record", "warning", "3 records are identical (rows 9, 12, 14); each stays a deal of its own."),
        Issue("percent.mixed", "warning",
              "cap_rate: percentages unlike the rest in 2 cells (such as 7.25); read by what is plausible.",
              ("Deals!H12", "Deals!H13"), None, "7.25"),
        Issue("date.ambiguous", "warning",
              "maturity_date: day first or month first in 4 cells (such as '03/01/2031')? None tells; month first was "
              "assumed.", ("Deals!K12",)),
        Issue("cap_rate.systematic", "warning", "cap_rate differs from NOI ÷ price in 1,204 of 1,310 deals; one of the "
              "columns may mean something else.", ("Deals!H9",)),
        Issue("hidden.rows", "info", "Sheet 'Q3 2026': 17 rows are hidden and left out."),
    )  # fmt: skip
    return build(Sheet("offering_list", properties(), gaps=(19,), hidden=21), issues=issues)


def many_properties(number: int = 50) -> Extraction:
    """`number` properties with gaps: each ninth lacks a price, each seventh an NOI, each fifth an occupancy."""
    kinds = ("Industrial", "Retail", "Office", "Multifamily", "Hotel", "Land")
    states = ("TX", "CA", "FL", "NY", "GA", "OH", "WA", "CO", "AZ")
    rows: list[dict[str, Any]] = []
    for n in range(number):
        noi = 400_000 + (n * 104_729) % 3_900_000
        price = round(noi / (0.05 + (n * 17 % 40) / 1000), -4)
        rows.append(
            {
                "source_id": f"P-{n + 1:04}",
                "deal_name": f"Marlowe Terrace {n + 1}",
                "city": "Northfield",
                "state": states[n * 5 % 9],
                "property_type": kinds[n * 7 % 6],
                "asking_price": None if n % 9 == 4 else price,
                "noi": None if n % 7 == 3 else noi,
                "building_sf": 20_000 + (n * 7_907) % 400_000,
                "occupancy": None if n % 5 == 2 else 0.7 + (n * 11 % 31) / 100,
                "year_built": 1980 + n % 44,
            }
        )
    return build(Sheet("sale_comps", rows, name="Comps"), filename="comps.xlsx")


def rent_roll() -> Extraction:
    """One rent roll and nothing else."""
    return build(Sheet("rent_roll", leases(), name="Rent Roll"), filename="rent_roll.xlsx")


def loan_tape(number: int = 24) -> Extraction:
    """A loan tape: maturities over nine years, two above 80 % LTV, one without a rate."""
    kinds = ("Office", "Retail", "Multifamily", "Industrial", "Hotel")
    rows: list[dict[str, Any]] = []
    for n in range(number):
        balance = 1_500_000 + (n * 2_750_159) % 38_000_000
        rows.append(
            {
                "source_id": f"L-{100 + n}",
                "deal_name": f"Harrow Street {n + 1}",
                "property_type": kinds[n * 3 % 5],
                "state": ("TX", "NY", "CA", "IL")[n % 4],
                "loan_amount": balance,
                "interest_rate": None if n == 5 else 0.041 + (n * 7 % 35) / 1000,
                "ltv": 0.52 + (n * 11 % 32) / 100,
                "dscr": 1.08 + (n * 5 % 70) / 100,
                "origination_date": date(2021, 1 + n % 12, 1),
                "maturity_date": date(2026, 12, 1) + timedelta(days=(n * 137) % 3000),
                "appraised_value": round(balance / (0.52 + (n * 11 % 32) / 100)),
            }
        )
    return build(Sheet("loan_tape", rows, name="Tape"), filename="loan_tape.xlsx")


def pipeline(number: int = 18) -> Extraction:
    """A pipeline of deals by stage, each with a probability but two."""
    stages = ("Lead", "Screening", "LOI", "Under contract", "Closed")
    rows: list[dict[str, Any]] = [
        {
            "deal_name": f"Project Wren {n + 1}",
            "stage": stages[n * 2 % 5],
            "sector": ("Retail", "Storage", "Life science")[n % 3],
            "deal_value": 4_000_000 + (n * 3_370_003) % 60_000_000,
            "probability": None if n in (3, 8) else (0.1, 0.25, 0.5, 0.8, 1.0)[n * 2 % 5],
            "close_date": date(2026, 12, 15) + timedelta(days=31 * n),
            "broker": f"Desk {n % 4}",
        }
        for n in range(number)
    ]
    return build(Sheet("pipeline", rows, name=None), filename="pipeline.csv")


def bare() -> Extraction:
    """Five rows that have no name, no NOI and no price: a city, and an area for three of them."""
    rows = [{"city": "Northfield", "building_sf": area} for area in (12_000, None, 8_500, None, 40_250)]
    return build(Sheet("other", rows, name="Sheet1"), filename="list.xlsx")


def hostile() -> Extraction:
    """Eight properties whose names attack a page: very long, other scripts, control characters, markup, formulas."""
    names = (
        "The Honourable Company of Long Names " * 6,
        "Bürohaus Straße Köln – Ümläüt",
        "مركز الأعمال في الواحة",
        "בית המסחר הגדול",
        "東京中央オフィスビルディング",
        '=HYPERLINK("http://x","y")',
        "<b>&amp; {{7*7}}</b>\x07\x1b[31m",
        "evil\u202egnp.exe\u200b None nan",
    )
    rows: list[dict[str, Any]] = [
        {
            "deal_name": name,
            "city": "Ouagadougou and surrounding communes",
            "state": "Île-de-France",
            "noi": -125_000 + 310_000 * n,
            "property_type": ("<Office>", "Retail & \x00 Leisure")[n % 2],
            "asking_price": 5_000_000 * (n + 1),
            "occupancy": 0.5 + n / 20,
            "building_sf": 10_000 * (n + 1),
            "tenant": "T" * 200,
        }
        for n, name in enumerate(names)
    ]
    return build(Sheet("property_summary", rows, name="She!et '1'\u202e"), filename="naïve\u202e=cmd.xlsx")


def currencies() -> Extraction:
    """Six properties, four priced in euros and two in pounds; Q marks a transposed sheet."""
    rows: list[dict[str, Any]] = [
        {
            "deal_name": f"Rue Quatre {n}",
            "noi": Cell(500_000 + n * 1000, 500_000 + n * 1000, "GBP" if n > 3 else None),
            "asking_price": Cell(9_000_000 + n * 100_000, "…", "GBP" if n > 3 else None),
            "building_sf": 30_000 + n,
        }
        for n in range(6)
    ]
    return build(
        Sheet("sale_comps", rows, name="Q", currency="EUR", orientation="columns", first_row=3), filename="eu.xlsx"
    )
