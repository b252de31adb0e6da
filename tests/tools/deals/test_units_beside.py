"""Units, periods and magnitudes in cells beside amounts and in their number formats, and cells that say neither."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import column, issues, read, values

NAMES = [["Heron Point", "Reno"], ["Cedar Hollow", "Lyon"], ["Union Yard", "Tampa"], ["Prairie Hub", "Bonn"]]
PRICES = [12_500_000, 8_000_000, 6_000_000, 9_000_000]
SF = 10.763910416709722


def listing(
    header: Sequence[str | None], amounts: Sequence[object], units: Sequence[object], last: str = "Asking Price"
) -> list[list[object]]:
    """Four deals with an amount, its unit in the column behind, and a price."""
    rows: list[list[object]] = [["Property", "City", *header, last]]
    for name, amount, unit, price in zip(NAMES, amounts, units, PRICES, strict=True):
        rows.append([*name, amount, unit, price])
    return rows


def extras(extraction: Extraction) -> set[object]:
    """All values that no field took."""
    return {value.value for deal in extraction.deals() for value in deal.extra.values()}


@pytest.mark.parametrize(
    "header",
    [
        ("Building Size", None),
        ("Building Size", "Unit"),
        ("Building SF", "UOM"),
        ("Building Size", "Area unit"),
        ("Building Size", "Unit of measure"),
    ],
)
@pytest.mark.parametrize("unit", ["sqm", "m2", "m²", "SQM"])
def test_sizes_take_the_unit_of_area_beside_them(header: tuple[str, str | None], unit: str) -> None:
    """They are converted and told so; the unit is no field of its own."""
    extraction = read(listing(header, [2000, 3000, 4000, 5000], [unit] * 4))
    assert values(extraction, "building_sf") == pytest.approx([n * SF for n in (2000, 3000, 4000, 5000)])
    assert list(column(extraction, "building_sf").raws) == [2000, 3000, 4000, 5000]
    assert issues(extraction, "value.converted")
    assert not extras(extraction)


def test_each_size_has_the_unit_beside_it() -> None:
    """Square metres and feet in one column."""
    extraction = read(listing(("Building Size", "Unit"), [2000, 3000, 4000, 5000], ["sqm", "sf", "sqm", "SF"]))
    assert values(extraction, "building_sf") == pytest.approx([2000 * SF, 3000, 4000 * SF, 5000])
    assert [deal.fields["building_sf"].raw for deal in extraction.deals()] == [2000, 3000, 4000, 5000]


def test_hectares_beside_acres_are_converted() -> None:
    """The cell beside the amount outranks the header."""
    extraction = read(listing(("Land Area (acres)", None), [20, 21, 22, 23], ["ha"] * 4))
    assert values(extraction, "land_acres")[0] == pytest.approx(49.421076)


def test_a_period_beside_amounts_makes_them_annual() -> None:
    """A month's NOI and a month's rent per SF; a plain rent becomes that of the month."""
    nois = read(listing(("NOI", None), [10_000, 20_000, 30_000, 40_000], ["monthly"] * 4))
    assert values(nois, "noi") == [120_000, 240_000, 360_000, 480_000]
    assert issues(nois, "value.converted")
    assert values(read(listing(("Rent PSF", None), [2.5, 2, 3, 1], ["/mo"] * 4)), "rent_psf") == [30, 24, 36, 12]
    rents = read(listing(("Rent", None), [2500, 2000, 3000, 1000], ["per month"] * 4))
    assert values(rents, "rent_monthly") == [2500, 2000, 3000, 1000]


def test_basis_points_and_percent_signs_may_stand_in_one_column() -> None:
    """625 bps is 6.25 %."""
    extraction = read(listing(("Cap Rate", None), [6, 625, 6.5, 5.5], ["%", "bps", "%", "%"]))
    assert values(extraction, "cap_rate") == [0.06, 0.0625, 0.065, 0.055]


def test_units_that_cannot_be_those_of_the_amounts_stay_a_column() -> None:
    """A price has no area, and the mark of a tick is no ratio."""
    extraction = read(listing(("NOI", None), [10_000, 20_000, 30_000, 40_000], ["sqm"] * 4))
    assert values(extraction, "noi") == [10_000, 20_000, 30_000, 40_000]
    assert extras(extraction) == {"sqm"}
    ticked = read(listing(("NOI", None), [10_000, 20_000, 30_000, 40_000], ["x"] * 4))
    assert values(ticked, "noi") == [10_000, 20_000, 30_000, 40_000]


def test_units_of_an_amount_of_no_field_stay_beside_it() -> None:
    """Nothing is lost of what no field takes."""
    extraction = read(listing(("Parking stalls held", None), [10, 20, 30, 40], ["acres", "sf", "acres", "sf"]))
    assert {10, "acres", "sf"} <= extras(extraction)


def test_one_odd_cell_among_magnitudes_is_told_and_its_amount_not_taken() -> None:
    """The others keep theirs, currencies among them."""
    header = ("NOI", "NOI")
    extraction = read(listing(header, [60, 120, 180, 240], ["k EUR", "k", "see note", "k"]))
    assert values(extraction, "noi") == [60_000, 120_000, None, 240_000]
    assert issues(extraction, "beside.unread")[0].cells == ("Deals!D4",)
    assert next(iter(extraction.deals())).fields["noi"].currency == "EUR"


@pytest.mark.parametrize("header", ["Currency", "Cur", "Ccy"])
@pytest.mark.parametrize(
    ("odd", "found"), [("n/a", None), ("see note", None), ("U.S. Dollars", "USD"), ("Euro", "EUR")]
)
def test_one_odd_cell_in_a_column_of_currencies_drops_no_other(header: str, odd: str, found: str | None) -> None:
    """Its own amount has none, which is told, or the one that the words name."""
    rows = [["Property", "City", header, "Asking Price"]]
    rows += [[*n, c, p] for n, c, p in zip(NAMES, ["EUR", "GBP", odd, "USD"], PRICES, strict=True)]
    extraction = read(rows)
    assert [deal.fields["asking_price"].currency for deal in extraction.deals()] == ["EUR", "GBP", found, "USD"]
    assert [i.cells for i in issues(extraction, "currency.unread")] == ([] if found else [("Deals!D4",)])


def test_a_loans_own_currency_stands_beside_the_records() -> None:
    """Cur is that of the record, currency of loan is that of the loan."""
    rows = [["Property", "Price", "Cur", "Currency of loan", "Loan Amount"]]
    loans = ["EUR", "USD", "GBP", "EUR"]
    rows += [[n[0], p, "USD", c, 500_000] for n, p, c in zip(NAMES, PRICES, loans, strict=True)]
    deals = list(read(rows).deals())
    assert [deal.fields["loan_amount"].currency for deal in deals] == loans
    assert {deal.fields["price"].currency for deal in deals} == {"USD"}


def formatted(header: str, amounts: Sequence[object], *formats: str) -> Extraction:
    """Deals with amounts in number formats, the last of which is that of the rest."""
    rows = [["Property", "City", header, "Asking Price"]]
    rows += [[*name, amount, price] for name, amount, price in zip(NAMES, amounts, PRICES, strict=True)]
    return read(rows, {f"C{at + 2}": formats[min(at, len(formats) - 1)] for at in range(4)})


@pytest.mark.parametrize(
    ("header", "field", "code", "factor"),
    [
        ("Building Size", "building_sf", '#,##0 "m²"', SF),
        ("Building SF", "building_sf", '#,##0" sqm"', SF),
        ("Building Size", "building_sf", "#,##0\\ \\m\\²;[Red]-#,##0\\ \\m\\²", SF),
        ("Land Area", "land_acres", '0.0" ha"', 2.471053814671653),
        ("NOI", "noi", '#,##0"k"', 1000),
        ("NOI", "noi", '$#,##0.0_)"M"', 1_000_000),
        ("NOI", "noi", 'General" MM"', 1_000_000),
        ("NOI", "noi", '$0.0,,"M"', 1),
        ("NOI", "noi", '#,##0,"k"', 1),
        ("NOI", "noi", '[>=1000]#,##0,"K";0', 1),
        ("Building SF", "building_sf", '#,##0 "sf"', 1),
    ],
)
def test_units_and_magnitudes_behind_numbers_in_their_format_are_read(
    header: str, field: str, code: str, factor: float
) -> None:
    """A comma behind the digits divides what is shown alone: the number is in full."""
    extraction = formatted(header, [180, 250, 300, 2.5], code)
    assert values(extraction, field) == pytest.approx([180 * factor, 250 * factor, 300 * factor, 2.5 * factor])
    assert list(column(extraction, field).raws) == [180, 250, 300, 2.5]


def test_formats_that_differ_are_each_cells_own() -> None:
    """The rest is as it stands; a header's scale is not applied twice."""
    extraction = formatted("NOI", [180, 250, 300_000, "350,000"], '#,##0"k"', '#,##0"k"', "#,##0")
    assert values(extraction, "noi") == [180_000, 250_000, 300_000, 350_000]
    assert list(column(extraction, "noi").raws) == [180, 250, 300_000, "350,000"]
    assert values(formatted("NOI ($M)", [1, 2, 3, 4], '0.0"M"'), "noi") == [1e6, 2e6, 3e6, 4e6]


def test_a_form_takes_units_beside_its_values_and_in_their_formats() -> None:
    """Wherever a block of labels and values says them."""
    rows: list[list[object]] = [["Property", "Heron Point"], ["City", "Reno"], ["Asking Price", "5,000", "$000"]]
    rows.append(["NOI", 300])
    rows.append(["Cap Rate", 600, "bps"])
    rows.append(["Building Size", 25_000, "sqm"])
    fields = next(iter(read(rows, {"B4": '#,##0"k"'}).deals())).fields
    assert (fields["asking_price"].value, fields["noi"].value) == (5_000_000, 300_000)
    assert fields["cap_rate"].value == pytest.approx(0.06)
    assert fields["building_sf"].value == pytest.approx(25_000 * SF)


def test_basis_points_of_a_format_are_read() -> None:
    """650 shown as 650 bps is 6.5 %."""
    assert values(formatted("Cap Rate", [650, 600, 575, 550], '0" bps"'), "cap_rate") == [0.065, 0.06, 0.0575, 0.055]
