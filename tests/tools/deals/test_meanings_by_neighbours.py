"""Headers whose words mean something else by what stands beside them or below them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.tools.deals.books import issues, read, values
from tests.tools.deals.columns import COMPANIES, NAMES

SOLD = {"Property": NAMES[:6], "City": ["Reno", "Tampa"] * 3, "Sale Price": [2e6, 3e6, 4e6, 5e6, 6e6, 7e6]}
LET = {"Tenant": COMPANIES[:6], "Property": NAMES[:6], "Leased SF": [1000] * 6, "Rent PSF": [30.0] * 6}
AT_WORK = {"Project Name": NAMES[:6], "Stage": ["LOI"] * 6, "Deal Value": [2e6, 3e6, 4e6, 5e6, 6e6, 7e6]}


def table(*columns: dict[str, list[Any]]) -> Any:
    """The extraction of a sheet of some columns, headers over values."""
    joined = {header: held for part in columns for header, held in part.items()}
    return read([list(joined), *map(list, zip(*joined.values(), strict=True))])


def field_of(extraction: Any, header: str) -> str | None:
    """The field of a header's column."""
    return next(c.field for c in extraction.tables[0].columns if c.header == header)


@pytest.mark.parametrize("asked_first", [True, False])
def test_what_was_paid_goes_before_what_was_asked(asked_first: bool) -> None:
    """Whichever stands first; the other is told."""
    paid, asked = {"Sale PSF": [200.0] * 6}, {"Asking PSF": [220.0] * 6}
    extraction = table(SOLD, *((asked, paid) if asked_first else (paid, asked)))
    assert values(extraction, "price_per_sf") == [200] * 6
    assert "Asking PSF" in issues(extraction, "column.others")[0].message
    assert field_of(table(SOLD, {"Asking Cap": [0.06] * 6}, {"Sold Cap": [0.055] * 6}), "Sold Cap") == "cap_rate"


def test_what_is_asked_alone_stays_the_price_per_foot() -> None:
    """Lists of offerings give nothing else."""
    assert field_of(table(SOLD, {"Asking PSF": [220.0] * 6}), "Asking PSF") == "price_per_sf"


@pytest.mark.parametrize("header", ["Type", "Deal Type"])
def test_types_of_deals_are_no_types_of_properties(header: str) -> None:
    """New leases and renewals are in no field; types of properties under the same header are."""
    assert field_of(table(LET, {header: ["New", "Renewal", "Expansion"] * 2}), header) is None
    assert field_of(table(LET, SOLD, {header: ["Office", "Retail", "Flex"] * 2}), header) == "property_type"


def test_types_of_leases_are_told_by_their_values() -> None:
    """NNN and full service say who pays, not what is let."""
    extraction = table(LET, {"Type": ["NNN", "FSG", "MG"] * 2})
    assert values(extraction, "lease_type") == ["NNN", "FSG", "MG"] * 2


@pytest.mark.parametrize("header", ["Company", "Client", "Counterparty", "Account"])
def test_the_company_of_a_project_is_not_its_buyer(header: str) -> None:
    """In a pipeline of projects it is who owns or sells them; customers of deals stay who buys."""
    assert field_of(table(AT_WORK, {header: COMPANIES[:6]}), header) is None


def test_prices_and_cap_rates_make_no_table_of_leases() -> None:
    """A list of investments names the tenants and their rents too."""
    let = {"Tenant": COMPANIES[:6], "Rent pa": [90_000] * 6, "Rent psf": [25.0] * 6}
    sold = {"Address": [f"{n} High Street" for n in range(1, 7)], "Price": [1.5e6] * 6, "NIY": [0.06] * 6}
    parties = {"Vendor": COMPANIES[:6], "Purchaser": COMPANIES[6:]}
    assert table(sold, let, parties).tables[0].kind == "sale_comps"
    assert table(LET).tables[0].kind == "lease_comps"


def test_an_unknown_word_before_per_foot_is_no_price() -> None:
    """It is a cost of some sort more often than not, and left to a question."""
    extraction = table(SOLD, {"Zorble PSF": [12.5] * 6})
    assert field_of(extraction, "Zorble PSF") is None


def test_margins_of_deals_by_themselves_are_their_value() -> None:
    """As traders list them; beside earnings or the index of a rate they are shares."""
    deals = {"Deal Name": NAMES[:6], "Region": ["East"] * 6, "Status": ["Done"] * 6}
    assert field_of(table(deals, {"Margin": [300_000] * 6}), "Margin") == "deal_value"
    assert field_of(table(deals, {"Revenue": [1e7] * 6, "Margin": [0.2] * 6}), "Margin") is None


LATE = [2019, 2020, 2021, 2022, 2023, 2024]


def test_late_years_of_a_list_of_sales_may_be_those_of_the_sales_and_are_told() -> None:
    """They are in no field; older ones, of buildings, are when these were built."""
    extraction = table(SOLD, {"Year": LATE})
    assert field_of(extraction, "Year") is None
    assert issues(extraction, "column.year")[0].cells == ("Deals!D1",)
    assert field_of(table(SOLD, {"Year": [1985, 2019, 1972, 2004, 2015, 1991]}), "Year") == "year_built"


def test_dates_of_sales_in_other_years_make_late_years_those_of_buildings() -> None:
    """Dates in the same years do not."""
    days = [dt.date(2024, 5, n) for n in range(1, 7)]
    built = [2012, 2015, 2016, 2018, 2019, 2020]
    assert field_of(table(SOLD, {"Year": built, "Sale Date": days}), "Year") == "year_built"
    same = [dt.date(year, 5, 1) for year in LATE]
    assert field_of(table(SOLD, {"Year": LATE, "Sale Date": same}), "Year") is None


def test_the_vintage_of_a_deal_at_work_is_no_year_built() -> None:
    """That of a list of buildings is."""
    assert field_of(table(AT_WORK, {"Vintage": [2023, 2024] * 3}), "Vintage") is None
    assert field_of(table(SOLD, {"Units": [100, 120] * 3, "Vintage": [2003, 2004] * 3}), "Vintage") == "year_built"


AREAS = [100, 200, 300, 400, 500, 600]
BY_AREA = [12.5, 13, 14, 11, 12, 10]


def german(*columns: dict[str, list[Any]]) -> Any:
    """Leases with their areas in square metres."""
    return table({"Mieter": COMPANIES[:6], "Fläche m²": AREAS}, *columns)


def test_a_rent_per_metre_that_is_a_months_by_the_rents_beside_it_is_made_a_years() -> None:
    """And what was turned into what is told."""
    rents = [area * each for area, each in zip(AREAS, BY_AREA, strict=True)]
    extraction = german({"Miete €/m²": BY_AREA}, {"Miete p.m.": rents})
    assert values(extraction, "rent_monthly") == rents
    assert values(extraction, "rent_psf")[0] == pytest.approx(12 * 12.5 / 10.7639, rel=1e-4)
    assert issues(extraction, "value.converted")
    assert not issues(extraction, "rent.period")


def test_a_rent_per_metre_that_is_a_years_by_the_rents_beside_it_stays() -> None:
    """Nothing is in doubt then."""
    rents = [area * each for area, each in zip(AREAS, BY_AREA, strict=True)]
    extraction = german({"Miete €/m²": BY_AREA}, {"Jahresmiete": rents})
    assert values(extraction, "rent_psf")[0] == pytest.approx(12.5 / 10.7639, rel=1e-4)
    assert not issues(extraction, "rent.period")


def test_a_rent_per_metre_with_nothing_to_tell_its_period_is_told() -> None:
    """German leases state a month's; so do others whose rents per metre are as low."""
    assert issues(german({"Miete €/m²": [55.0] * 6}), "rent.period")
    assert issues(table(LET | {"Rent PSF": [30.0] * 6}), "rent.period") == []


@pytest.mark.parametrize(
    "header", ["Miete mtl.", "Kaltmiete monatlich", "Nettokaltmiete p.m.", "Miete/Monat", "Grundmiete"]
)
def test_german_rents_of_a_month_are_told_by_their_header(header: str) -> None:
    """However it says so."""
    assert field_of(german({header: [1250, 2600, 4200, 4400, 6000, 6000]}), header) == "rent_monthly"
