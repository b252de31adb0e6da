"""Plausible values of every field, for the tests that give columns headers and ask which field they are."""

from __future__ import annotations

import datetime as dt

from tests.tools.deals.books import read
from tools.deals.dictionary import field_spec

ROWS = 12


def words(text: str) -> list[str]:
    """The parts of a text between bars."""
    return text.split("|")


NAMES = words(
    "Heron Point|Cedar Hollow|Union Yard|Prairie Hub|Alder Court|Quarry Lofts|Maple Row|Harbor Gate|Tannery Square"
    "|Foundry Park|Elm Crossing|Birch Terrace"
)
COMPANIES = words(
    "Quill Freight LLC|Fern Grocers Inc|Alder Books|Northwind Dental|Tern Logistics|Basalt Capital LLC|Larkspur LP"
    "|Ridge Realty Group|Copper Bank NA|Osprey Partners LP|Slate Advisors|Juniper Foods"
)
#: Texts by field; those of other text fields are companies.
TEXTS: dict[str, list[str]] = {
    "deal_name": NAMES,
    "address": [f"{107 * i + 3} {name.split()[0]} Street" for i, name in enumerate(NAMES)],
    "city": words("Reno|Tampa|Macon|Mobile|Joliet|Reno") * 2,
    "state": words("NV|FL|GA|AL|IL|NV") * 2,
    "postal_code": [str(10_001 + 7_003 * i) for i in range(ROWS)],
    "county": words("Washoe|Bibb|Will|Pinellas") * 3,
    "country": ["USA"] * ROWS,
    "property_type": words("Office|Retail|Industrial|Multifamily") * 3,
    "property_subtype": words("Garden|High-rise|Strip center|Flex") * 3,
    "market": words("Northeast|Midwest|Bay Area|Sun Belt") * 3,
    "lease_type": words("NNN|Gross|Modified Gross|NNN") * 3,
    "broker": words("Marlow Realty|Ives & Co|Quint Partners|Ives & Co") * 3,
    "lender": words("Copper Bank NA|Slate Mortgage|Osprey Credit|Copper Bank NA") * 3,
    "status": words("Current|Pending|Closed|Current") * 3,
    "stage": words("Prospecting|LOI|Diligence|Closed Won") * 3,
    "sector": words("Healthcare|Software|Industrials|Software") * 3,
    "notes": [f"The seller wants to close before the end of quarter {i}; the roof is new." for i in range(ROWS)],
    "source_id": [f"X{1000 + i}" for i in range(ROWS)],
    "suite": [f"{100 + 10 * i}{'ABC'[i % 3]}" for i in range(ROWS)],
    "-text": words("Alpha|Beta|Gamma ray|Alpha") * 3,
    "-yes": words("Y|N|Y|Y") * 3,
}
#: First value and step of the numbers of a field.
NUMBERS: dict[str, tuple[float, float]] = {
    "price_per_sf": (85.5, 21),
    "price_per_unit": (80_500, 9_500),
    "cap_rate": (0.045, 0.0025),
    "land_acres": (0.6, 1.3),
    "noi": (210_000, 97_000),
    "gross_income": (410_000, 183_000),
    "occupancy": (0.7, 0.025),
    "building_sf": (10_400, 21_300),
    "land_sf": (22_000, 41_500),
    "units": (8, 27),
    "year_built": (1921, 8),
    "year_renovated": (2004, 1),
    "rent_psf": (12.5, 2.25),
    "rent_annual": (31_000, 41_230),
    "rent_monthly": (2_150, 3_910),
    "market_rent": (1_050, 215),
    "interest_rate": (0.0375, 0.0025),
    "ltv": (0.41, 0.03),
    "dscr": (1.12, 0.09),
    "probability": (0.05, 0.07),
    "leased_sf": (1_100, 2_430),
    "lease_term_months": (36, 12),
    "original_balance": (1_050_000, 2_310_000),
    "loan_amount": (1_000_100, 2_217_345),
    "assessed_value": (1_020_000, 640_300),
    "operating_expenses": (120_000, 98_700),
    "-count": (3, 7),
    "-money": (1_200, 6_430),
    "-percent": (0.01, 0.021),
}
FIRST_DAYS = {
    "sale_date": 2020,
    "close_date": 2021,
    "list_date": 2019,
    "lease_start": 2015,
    "lease_expiry": 2026,
    "maturity_date": 2027,
    "origination_date": 2014,
    "-date": 2018,
}
PRICE = (2_050_000.0, 3_150_000.0)


def sample(field: str) -> list[object]:
    """ROWS values as a column of `field` holds them; those of no field are `-text`, `-count` and the like."""
    if field in TEXTS:
        return list(TEXTS[field])
    if field in FIRST_DAYS:
        return [dt.date(FIRST_DAYS[field] + i % 8, 1 + (5 * i) % 12, 1 + (7 * i) % 28) for i in range(ROWS)]
    spec = field_spec(field)
    if spec is not None and spec.type == "text":
        return list(COMPANIES)
    first, step = NUMBERS.get(field, PRICE)
    numbers = [round(float(first + step * ((5 * i) % ROWS)), 6) for i in range(ROWS)]
    return [int(number) if number.is_integer() else number for number in numbers]


def fields_of(headers: dict[str, str]) -> tuple[dict[str, str | None], str]:
    """The field that each header of a sheet gets, and the kind of its table; `headers` say which values stand below."""
    columns = [sample(field) for field in headers.values()]
    table = read([list(headers), *(list(row) for row in zip(*columns, strict=True))]).tables[0]
    return {column.header: column.field for column in table.columns}, table.kind
