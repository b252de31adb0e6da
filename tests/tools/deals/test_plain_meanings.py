"""Values whose meaning is plain to people: sizes in thousands, credits, two years in a cell, what lies below zero."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import issues, listed, read, values

SIZES = [120.5, 88, 45.2]


@pytest.mark.parametrize("header", ["SF (000s)", "Building SF (000's)", "GLA (000 SF)", "Sq Ft (thousands)"])
def test_a_size_in_thousands_by_its_header_is_in_full_feet(header: str) -> None:
    """And the scale is told with the table."""
    extraction = listed(SIZES, header)
    assert values(extraction, "building_sf") == [120_500, 88_000, 45_200]
    assert extraction.tables[0].scale == {"E": 1000}


@pytest.mark.parametrize(
    ("header", "factor"),
    [
        ("GLA (k sf)", 1_000),
        ("GLA [k sf]", 1_000),
        ("NRA (thousand sf)", 1_000),
        ("Building SF ['000]", 1_000),
        ("Area (Tsd. m²)", 1_000 * 10.763910416709722),
        ("Size (m sf)", 1_000_000),
        ("Building SF (mm)", 1_000_000),
        ("GLA (msf)", 1_000_000),
        ("Size (sf)", 1),
        ("Area (m²)", 10.763910416709722),
    ],
)
def test_the_scale_of_areas_is_heeded_however_a_header_writes_it(header: str, factor: float) -> None:
    """In brackets of either shape, as letters before the unit or as words."""
    extraction = listed(SIZES[:2], header)
    assert values(extraction, "building_sf") == pytest.approx([factor * size for size in SIZES[:2]])


def test_areas_of_a_few_millions_by_their_header_are_areas() -> None:
    """Few buildings are of one foot and a half."""
    assert values(listed([1.5, 2.25, 3], "GLA (m sf)"), "building_sf") == [1_500_000, 2_250_000, 3_000_000]


@pytest.mark.parametrize(
    ("text", "header", "field", "value"),
    [
        ("5.75% NIY", "NIY", "cap_rate", 0.0575),
        ("OIEO £4,000,000", "Guide Price", "asking_price", 4_000_000),
        ("Offers over £850,000", "Guide Price", "asking_price", 850_000),
        ("£70,000 pax", "Passing Rent", "rent_annual", 70_000),
        ("R$ 4,5 milhões", "Preço de venda", "sale_price", 4_500_000),
        ("Fr. 900'000", "Kaufpreis", "price", 900_000),
    ],
)
def test_prices_and_rents_as_other_countries_write_them_are_read(
    text: str, header: str, field: str, value: float
) -> None:
    """With the words that stand around them."""
    assert values(listed([text] * 3, header), field) == [pytest.approx(value)] * 3


def test_a_note_on_sizes_scales_sizes_and_one_on_dollars_does_not() -> None:
    """Dollars in thousands except per SF leave sizes as they are."""
    rows = [["Property Name", "City", "Building SF"], *([f"Place {n}", "Reno", n] for n in SIZES)]
    assert values(read([["$ and SF in thousands"], [], *rows]), "building_sf") == [120_500, 88_000, 45_200]
    assert values(read([["$ in thousands, except per SF"], [], *rows]), "building_sf") == SIZES


@pytest.mark.parametrize(
    ("text", "value"),
    [("4,000,000.00 CR", -4_000_000), ("1,250.00 CR", -1_250), ("₹ 1.2 Cr", 12_000_000), ("0.12 Cr", 1_200_000)],
)
def test_a_credit_is_no_crore(text: str, value: float) -> None:
    """Nobody writes four million crores, nor crores with cents."""
    assert values(listed(["5,000", text, "7,000"], "NOI"), "noi")[1] == value


def test_the_first_of_two_years_is_when_it_was_built() -> None:
    """Renovations behind it change nothing, which is told; a span of years is no year."""
    extraction = listed([1984, "1912 / R2016", "1998/2019", "1974 (Ren. 2001)", "1968-1974"], "Year Built")
    assert values(extraction, "year_built") == [1984, 1912, 1998, 1974, None]
    assert len(issues(extraction, "value.qualified")[0].cells) == 3


def test_a_price_below_zero_is_not_plausible_and_a_loss_is() -> None:
    """A property may lose money; nobody is paid for taking one."""
    assert issues(listed([-1_000_000, 2_000_000, 3_000_000], "Sale Price"), "value.implausible")
    assert not issues(listed([-100_000, 200_000, 300_000], "NOI"), "value.implausible")


def test_a_sale_of_the_next_century_is_told_and_a_lease_till_then_is_not() -> None:
    """Ground leases run for 99 years."""
    days = [dt.date(2124, 1, 1), dt.date(2024, 5, 1), dt.date(2023, 2, 1)]
    assert issues(listed(days, "Sale Date"), "date.implausible")[0].cells == ("Deals!E2",)
    assert not issues(listed(days, "Lease Expiration"), "date.implausible")


def test_marks_that_repeat_the_cell_above_take_its_value_and_are_told() -> None:
    """By a sign or by a word, one after another; each names its cell. A first cell has nothing above it."""
    rows = [["Property", "City", "Property Type", "Sale Price"], ["Heron Point", "Reno", "Same", 1e6]]
    rows += [["Union Yard", '"', "Retail", 2e6], ["Prairie Hub", "ditto", "do", 3e6], ["Alder Court", "Elko", "”", 4e6]]
    extraction = read(rows)
    assert values(extraction, "city") == ["Reno", "Reno", "Reno", "Elko"]
    assert values(extraction, "property_type") == ["Same", "Retail", "Retail", "Retail"]
    assert [issue.cells for issue in issues(extraction, "value.ditto")] == [
        ("Deals!B3", "Deals!B4"),
        ("Deals!C4", "Deals!C5"),
    ]
