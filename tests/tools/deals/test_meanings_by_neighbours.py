"""Headers whose words mean something else by what stands beside them or below them."""

from __future__ import annotations

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
