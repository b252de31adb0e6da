"""Tables that only sound like deals give none and say why; rows that are no single deal are said to be none."""

from __future__ import annotations

import pytest

from schemas.errors import InputError
from tests.tools.deals.books import DEALS, issues, read
from tests.tools.deals.columns import sample
from tools.deals.extract import require_deals

#: Headers with what stands below them, and what the reason must speak of.
DECOYS: dict[str, tuple[str, str]] = {
    "Summary Groups = deal_name, Area = building_sf, Market Rent = market_rent, # Of Units = units": (
        "sums up another table",
        "",
    ),
    "Company = deal_name, Ticker = -text, Price = price_per_sf, Shares = -count, Market Value = -money": (
        "securities",
        "",
    ),
    "Make = -text, Model = -text, Year = year_built, Price = -money, Mileage = -count, Status = status": (
        "vehicles",
        "",
    ),
    "Order ID = source_id, Customer = buyer, Product = -text, Quantity = -count, Unit Price = -money": (
        "goods",
        "",
    ),
    "Invoice # = source_id, Vendor = buyer, Invoice Date = -date, Due Date = -date, Amount = -money": (
        "no column holds",
        "too few",
    ),
    "Employee = buyer, Department = -text, Hire Date = -date, Salary = -money, City = city": ("people", ""),
    "Unit Type = -text, Floor Plan = -text, # Units = units, Avg SF = -count, Market Rent = market_rent": (
        "types of units",
        "",
    ),
    "Fund = deal_name, Vintage = year_built, Commitment = -money, NAV = -money, Net IRR = -percent, TVPI = dscr": (
        "returns",
        "",
    ),
    "Task = -text, Owner = broker, Status = status, Start Date = -date, End Date = -date": ("speak of tasks",),
    "Lender = lender, Max LTV = ltv, Min DSCR = dscr, Rate = interest_rate, Term = -count": ("no column names", ""),
    "City = city, State = state, Population = -count, Median Income = -money, Median Home Value = -money": (
        "no column names",
        "",
    ),
    "Submarket = market, Inventory SF = building_sf, Vacancy = -percent, Asking Rent = rent_psf": (
        "no column names",
        "",
    ),
    "Market = market, Cap Rate = cap_rate, Vacancy Rate = -percent, Avg Price/SF = price_per_sf": (
        "no column names",
        "",
    ),
    "Agent = broker, Closed Deals = -count, Volume = -money, Commission = -money, Office = city": (
        "no column names",
        "",
    ),
    "Investor = buyer, Class = -text, Commitment = -money, % Ownership = -percent, Pref = -percent": (
        "too few",
        "no column",
    ),
    "Name = broker, Company = buyer, City = city, State = state, License # = source_id": ("no column", ""),
    "Parcel = source_id, Owner = seller, Tax Amount = -money, Paid = -yes": ("no column", ""),
    "Title = -text, Year = year_built, Genre = -text, Revenue = revenue, Rating = dscr": ("no column names", "too few"),
}


@pytest.mark.parametrize("headers", DECOYS)
def test_it_gives_no_deals_and_says_why(headers: str) -> None:
    """By its headers or by what no column holds, never by its name."""
    pairs = [text.split(" = ") for text in headers.split(", ")]
    columns = [sample(field) for _, field in pairs]
    extraction = read([[header for header, _ in pairs], *(list(row) for row in zip(*columns, strict=True))])
    assert extraction.deal_count == 0
    said = issues(extraction, "table.no_deals")[0].message
    assert any(part and part in said for part in DECOYS[headers]), said


def years(names: list[str], periods: list[object], header: str) -> list[list[object]]:
    """A row of income for each name and period."""
    rows: list[list[object]] = [["Property", header, "Gross Income", "NOI", "Units"]]
    rows += [[name, p, 900_000 + 1000 * i, 500_000 + 700 * i, 12] for name in names for i, p in enumerate(periods)]
    return rows


@pytest.mark.parametrize(
    ("header", "periods"),
    [
        ("Year", [1, 2, 3]),
        ("Year", [2021, 2022, 2023]),
        ("Fiscal Year", ["FY21", "FY22"]),
        ("Quarter", ["Q1", "Q2", "Q3", "Q4"]),
    ],
)
def test_years_of_a_property_are_no_deals_of_their_own(header: str, periods: list[object]) -> None:
    """They stay records, nothing is dropped, and a warning says that sums count each property again and again."""
    extraction = read(years(["Heron Point", "Cedar Hollow", "Union Yard"], periods, header))
    assert extraction.deal_count == 3 * len(periods)
    assert extraction.tables[0].kind == "other"
    said = issues(extraction, "table.periods")[0]
    assert said.severity == "warning"
    assert f"one '{header}' of one 'Property'" in said.message


def test_a_year_beside_deals_that_stand_once_is_no_period() -> None:
    """A list with the year of each sale; and one property that was sold twice."""
    once = read(years(["Heron Point", "Cedar Hollow", "Union Yard", "Elm", "Oak", "Ash"], [2021], "Year"))
    assert not issues(once, "table.periods")
    rows = years(["Heron Point", "Cedar Hollow", "Union Yard", "Elm", "Oak"], [2021], "Year")
    assert not issues(read([*rows, ["Elm", 2024, 950_000, 510_000, 12]]), "table.periods")


def test_a_table_without_a_header_row_says_that_one_is_missing() -> None:
    """What to do is said, on its sheet and in the refusal; nothing is guessed from the values alone."""
    extraction = read([["Deals of 2026"], [], *DEALS])
    assert not extraction.deal_count
    assert issues(extraction, "table.no_deals")[0].cells == ("Deals!A3:I6",)
    wanted = r"\(Deals!A3:I6: it has no header row; put a row over it that names its columns, and send it again\)"
    with pytest.raises(InputError, match=wanted):
        require_deals(extraction)
