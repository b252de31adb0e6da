"""Rents whose header is plain, under a title that says for which period and unit of area they are."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import Rows, read, values
from tools.deals.rents_said import RentsSaid, rents_said

HEADER = ["Tenant", "SF", "Rent", "Expiry"]


def roll(*amounts: float) -> Rows:
    """Two leases of 1,200 SF each, by the number of amounts."""
    return [[f"Tenant {at} LLC", 1200, rent, f"203{at}-03-31"] for at, rent in enumerate(amounts)]


def rents(title: str, *amounts: float) -> dict[str, list[object]]:
    """The rents by field of a list under a title."""
    found = read([[title], HEADER, *roll(*amounts)]).tables[0].columns
    return {c.field: [round(v, 2) for v in c.values] for c in found if c.field and c.field.startswith("rent_")}


@pytest.mark.parametrize(
    ("title", "factor"),
    [
        ("Rent Roll (rents $/sf/yr)", 1.0),
        ("Annual rent per SF", 1.0),
        ("Rent Roll ($/SF)", 1.0),
        ("per SF per annum", 1.0),
        ("PSF/year", 1.0),
        ("$/SF/YR NNN", 1.0),
        ("$/SF/month", 12.0),
        ("All rents in EUR/sqm/month", 12 * 0.09290304),
    ],
)
def test_a_title_says_that_rents_are_for_the_unit_of_an_area(title: str, factor: float) -> None:
    """Of a year, unless it says that they are of a month."""
    assert rents(title, 30, 35) == {"rent_psf": [round(30 * factor, 2), round(35 * factor, 2)]}


def test_each_stacked_list_has_the_rents_of_its_title() -> None:
    """Per SF over the first, whole ones by the month over the second."""
    first: Rows = [["Building A (annual rent per SF)"], HEADER, *roll(30, 35), []]
    extraction = read([*first, ["Building B (monthly rent)"], HEADER, *roll(3000, 3500)])
    assert [
        (c.field, c.values) for t in extraction.tables for c in t.columns if c.field and c.field.startswith("rent_")
    ] == [
        ("rent_psf", [30, 35]),
        ("rent_monthly", [3000, 3500]),
    ]


@pytest.mark.parametrize(
    ("title", "amount", "field"),
    [
        ("Annual rents ($)", 4200, "rent_annual"),
        ("Rent roll (annual)", 4200, "rent_annual"),
        ("Rent roll (rents per month)", 12_000, "rent_monthly"),
        ("Rent Roll ($/SF)", 3000, "rent_monthly"),
        ("Rent Roll, averaging $30/SF", 3000, "rent_monthly"),
        ("Annual Rent Roll 2024", 1800, "rent_monthly"),
        ("Annual rents ($)", 900, "rent_monthly"),
    ],
)
def test_a_title_settles_the_period_of_rents_that_it_can_be_about(title: str, amount: float, field: str) -> None:
    """Amounts that are far too large or small for what it says stay as their size tells."""
    assert rents(title, amount, amount) == {field: [amount, amount]}


def test_rents_per_area_in_a_column_of_their_own_leave_the_plain_one_whole() -> None:
    """The title is about that column."""
    rows: Rows = [
        ["Rents in $/SF"],
        ["Tenant", "SF", "Rent", "Rent PSF"],
        ["Acme", 100, 200, 24],
        ["Zeta", 90, 150, 20],
    ]
    assert values(read(rows), "rent_psf") == [24, 20]


@pytest.mark.parametrize("text", ["Sale price per SF", "Average rent/SF", "Opex $/SF", "Rent Roll", "Annual Report"])
def test_other_titles_say_nothing_of_rents(text: str) -> None:
    """What costs or is sold by the area, and statistics, are no rents."""
    assert rents_said(text) is None


def test_what_is_said_of_rents_is_read_from_words() -> None:
    """Unit and period, each where it is said."""
    assert rents_said("Rents (EUR/m² p.a.)") == RentsSaid("per_sqm", "annual")
    assert rents_said("Annual base rents") == RentsSaid(None, "annual")
