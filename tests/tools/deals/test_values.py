"""Values in full units, ids that stay text, and what is flagged instead of guessed."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import DEALS, HEADER, column, deal, issues, listed, read, read_csv, values


def scaled(note: str) -> Extraction:
    """Deals whose prices stand in thousands, as the line over them says."""
    rows = [[note], [], HEADER]
    rows += [[*row[:4], row[4] / 1000, row[5] / 1000, *row[6:]] for row in DEALS]
    return read(rows)


@pytest.mark.parametrize("note", ["$ in 000s", "(in thousands)", "All amounts in $ thousands", "USD in thousands"])
def test_a_scale_note_over_a_table_applies_to_its_amounts_and_is_cited(note: str) -> None:
    """Prices and NOI are multiplied, a price per SF is not, and the note's cell is named."""
    extraction = scaled(note)
    assert values(extraction, "asking_price") == [10_000_000, 4_000_000, 6_000_000, 8_000_000]
    assert values(extraction, "price_per_sf") == [200, 200, 150, 100]
    table = extraction.tables[0]
    assert (table.scale["E"], table.scale_cell) == (1000, "Deals!A1")


def test_a_scale_note_reaches_its_own_table_only() -> None:
    """A second table further down, with no note, stays as it is."""
    rows = [["$ in millions"], [], ["Property Name", "City", "Units", "Sale Price"]]
    rows += [["Heron Point", "Tampa", 10, 12.5], ["Union Yard", "Mobile", 20, 8.25]]
    rows += [[], [], [], ["Tenant", "Suite", "Lease Start", "Lease End", "Annual Rent"]]
    rows += [["Quill Freight", "100", dt.date(2020, 1, 1), dt.date(2027, 1, 1), 120_000]]
    rows += [["Fern Grocers", "200", dt.date(2021, 1, 1), dt.date(2028, 1, 1), 90_000]]
    first, second = read(rows).tables
    assert list(first.column_of("sale_price").values) == [12_500_000, 8_250_000]
    assert list(second.column_of("rent_annual").values) == [120_000, 90_000]
    assert second.scale == {}


@pytest.mark.parametrize(
    ("header", "held", "value"),
    [
        ("Asking Price ($000s)", 3200, 3_200_000),
        ("Asking Price ($MM)", 3.2, 3_200_000),
        ("Asking Price (in millions)", 3.2, 3_200_000),
        ("asking_price_usd_m", 3.2, 3_200_000),
        ("Asking Price (T€)", 3200, 3_200_000),
        ("Asking Price ($)", 3200, 3200),
    ],
)
def test_a_scale_in_a_header_applies_to_its_column(header: str, held: float, value: int) -> None:
    """The header's own words are enough."""
    assert values(listed([held, held], header), "asking_price") == [value, value]


def test_a_band_over_ratios_scales_amounts_only() -> None:
    """Financials ($000s) over price, cap rate and price per SF."""
    top = ["Property", None, "Financials ($000s)", None, None]
    rows = [top, ["Name", "City", "Asking Price", "Cap Rate", "Price / SF"]]
    rows += [["Heron Point", "Tampa", 10_000, 0.06, 200], ["Union Yard", "Mobile", 6_000, 0.055, 150]]
    extraction = read(rows)
    assert values(extraction, "asking_price") == [10_000_000, 6_000_000]
    assert values(extraction, "price_per_sf") == [200, 150]
    assert values(extraction, "cap_rate") == [0.06, 0.055]


def test_text_with_its_own_magnitude_is_not_scaled_again() -> None:
    """$3.2M under a header in thousands is three million."""
    assert values(listed([3200, "$3.2M"], "Asking Price ($000s)"), "asking_price") == [3_200_000, 3_200_000]


def test_amounts_that_the_scale_makes_absurd_are_flagged() -> None:
    """Full dollars under a note of millions."""
    extraction = listed([12_500_000, 8_000_000], "Asking Price ($ millions)")
    assert issues(extraction, "scale.conflict")


def test_what_is_no_price_stays_raw_with_an_issue_and_a_warning() -> None:
    """TBD is empty, a range and a call to the broker are kept as text, nothing becomes zero."""
    extraction = listed([5_000_000, "TBD", "$4M - $5M", "(see the memo)", None], "Asking Price")
    assert values(extraction, "asking_price") == [5_000_000, None, None, None, None]
    assert column(extraction, "asking_price").raws[1:4] == ["TBD", "$4M - $5M", "(see the memo)"]
    assert issues(extraction, "value.range")[0].cells == ("Deals!E4",)
    assert issues(extraction, "value.unparsed")[0].cells == ("Deals!E5",)
    assert deal(extraction, 2).warnings == ("value.range: asking_price",)
    assert deal(extraction, 1).warnings == ()


def test_european_amounts_are_read_by_their_column() -> None:
    """1.250 beside 3.200,50 is twelve hundred and fifty."""
    text = "Objekt;Ort;Kaufpreis;Mietfläche\nHafenhof;Kiel;1.250.000,00 €;1.250,5\nLinde;Ulm;950.000 €;2.400\n"
    extraction = read_csv(text)
    assert values(extraction, "price") == [1_250_000, 950_000]
    assert values(extraction, "building_sf") == [1250.5, 2400]
    assert deal(extraction).fields["price"].currency == "EUR"


def test_a_number_that_could_be_read_two_ways_is_not_taken() -> None:
    """1.250 in a price column with nothing to tell."""
    extraction = read_csv("Property,City,Units,Lease Term (months)\nA,Reno,3,1.250\nB,Reno,4,1.300\n")
    assert values(extraction, "lease_term_months") == [None, None] or issues(extraction, "number.ambiguous")


def test_money_comes_out_as_a_decimal_with_its_currency() -> None:
    """By sign, by number format, by header, and by where the deals are."""
    assert deal(listed(["£5,000,000"], "Asking Price")).fields["asking_price"].currency == "GBP"
    by_format = deal(listed([5_000_000], "Asking Price", "[$€-407] #,##0"))
    assert by_format.fields["asking_price"].currency == "EUR"
    value = deal(listed([5_000_000.5], "Asking Price (USD)")).fields["asking_price"]
    assert (value.value, value.currency) == (Decimal("5000000.5"), "USD")
    placed = read([HEADER, *DEALS])
    assert deal(placed).fields["asking_price"].currency == "USD"
    assert issues(placed, "currency.assumed")


def test_a_second_currency_in_a_column_is_kept_value_by_value() -> None:
    """The odd one carries its own."""
    extraction = listed(["$5,000,000", "$4,000,000", "€3,000,000"], "Asking Price")
    assert [d.fields["asking_price"].currency for d in extraction.deals()] == ["USD", "USD", "EUR"]
    assert issues(extraction, "currency.mixed")


@pytest.mark.parametrize("text", ["02134", "3-4", "NA", "1E5", "TRUE", "N/A"])
def test_text_that_looks_like_something_else_stays_text(text: str) -> None:
    """A tenant may be called NA, a suite 3-4, an id 1E5."""
    extraction = listed([text, "Fern Grocers"], "Tenant")
    assert values(extraction, "tenant")[0] == text


def test_ids_and_postal_codes_that_are_numbers_come_out_as_text() -> None:
    """No decimal point, and the zeros that a number format shows."""
    rows = [["Deal ID", "Property Name", "State", "Zip", "Units"], [381.0, "Heron Point", "MA", 2134, 5]]
    rows += [[1502, "Union Yard", "MA", 2134, 5]]
    extraction = read(rows, {"D2": "00000"})
    assert values(extraction, "source_id") == ["381", "1502"]
    assert values(extraction, "postal_code") == ["02134", "02134"]
    assert issues(extraction, "id.padded")[0].cells == ("Deals!D3",)


def test_counts_and_years_are_whole_and_odd_ones_are_named() -> None:
    """54.0 is 54; half a unit and the year 0 are said."""
    rows = [["Property Name", "City", "Units", "Year Built", "Sale Price"], ["A", "Reno", 54.0, 1985.0, 1e6]]
    rows += [["B", "Reno", 12.5, 0, 2e6], ["C", "Reno", 10, "c. 1990", 3e6], ["D", "Reno", 11, "1974/1998", 4e6]]
    extraction = read(rows)
    assert values(extraction, "units") == [54, 12.5, 10, 11]
    assert isinstance(values(extraction, "units")[0], int)
    assert values(extraction, "year_built") == [1985, None, 1990, 1974]
    assert issues(extraction, "value.not_whole")[0].cells == ("Deals!C3",)
    assert issues(extraction, "value.qualified")[0].found == "1974/1998"


def test_square_metres_and_hectares_are_converted_and_said() -> None:
    """The raw value stays, the value is in the field's own unit."""
    rows = [
        ["Property Name", "City", "Area (m²)", "Land (ha)", "Sale Price"],
        ["A", "Ulm", 1000, 2, 1e6],
        ["B", "Ulm", 500, 1, 2e6],
    ]
    extraction = read(rows)
    assert values(extraction, "building_sf")[0] == pytest.approx(10763.91, abs=0.01)
    assert values(extraction, "land_acres")[0] == pytest.approx(4.942108, abs=1e-6)
    assert column(extraction, "building_sf").raws[0] == 1000
    assert len(issues(extraction, "value.converted")) == 2


def test_a_value_in_another_unit_is_not_taken() -> None:
    """540 MW is no price, 12,500 SF is a size."""
    assert values(listed(["12,500 SF", "5 MW", "2 acres"], "Building SF"), "building_sf") == [12_500, None, None]


def test_errors_in_cells_are_flagged_and_left_empty() -> None:
    """#REF! is no value, and its cell is named."""
    extraction = listed([5_000_000, "#REF!"], "Asking Price")
    assert values(extraction, "asking_price") == [5_000_000, None]
    assert issues(extraction, "value.error")[0].cells == ("Deals!E3",)


def test_a_formula_without_a_stored_value_is_worked_out_or_flagged() -> None:
    """Plain arithmetic gives a value whose cell holds none; anything else gives an issue."""
    rows = [["Property Name", "City", "Gross Income", "Operating Expenses", "NOI"]]
    rows += [["A", "Reno", 900, 300, "=C2-D2"], ["B", "Reno", 800, 300, "=GETNOI(C3)"]]
    extraction = read(rows)
    assert values(extraction, "noi") == [600, None]
    assert column(extraction, "noi").raws == [None, None]
    assert issues(extraction, "formula.computed")[0].cells == ("Deals!E2",)
    assert issues(extraction, "formula.no_value")[0].cells == ("Deals!E3",)


def test_unmapped_columns_are_kept_as_extra_with_their_cells() -> None:
    """Nothing of a record is lost."""
    rows = [[*HEADER, "Parking ratio"], *([*row, "4/1000"] for row in DEALS)]
    extra = deal(read(rows)).extra["Parking ratio"]
    assert (extra.value, extra.raw, extra.cell) == ("4/1000", "4/1000", "Deals!J2")


def test_hidden_sheets_rows_and_columns_are_left_out_and_listed() -> None:
    """A hidden row is no deal; the issue says that one was there."""
    import io

    from openpyxl import load_workbook

    from tests.tools.deals.books import xlsx
    from tools.deals.extract import extract

    book = load_workbook(io.BytesIO(xlsx({"Deals": [HEADER, *DEALS], "Old": [HEADER, *DEALS]})))
    book["Deals"].row_dimensions[3].hidden = True
    book["Deals"].column_dimensions["F"].hidden = True
    book["Old"].sheet_state = "hidden"
    packed = io.BytesIO()
    book.save(packed)
    extraction = extract(packed.getvalue(), "deals.xlsx")
    assert values(extraction, "deal_name") == ["Heron Point", "Union Yard", "Prairie Hub"]
    assert extraction.tables[0].column_of("noi") is None
    assert {i.code for i in extraction.issues} >= {"hidden.rows", "hidden.columns", "hidden.sheet"}


@pytest.mark.parametrize("beside", [1200, "TBD"])
def test_a_number_too_large_for_its_scale_is_no_value(beside: object) -> None:
    """A price of 1e308 thousand is beyond any number; it is kept as the cell holds it, and said."""
    prices = [1e308, 1300, beside, 9]
    rows = [["($ in 000s)"], HEADER, *([*row[:4], price] for row, price in zip(DEALS, prices, strict=True))]
    found = read(rows)
    price = next(found.deals()).fields["asking_price"]
    assert (price.value, price.raw) == (None, 1e308)
    assert "value.unparsed" in {issue.code for issue in found.issues}


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad", "\ufeff", "\u200e", "\u200f", "\u2060"])
def test_marks_that_nobody_sees_keep_no_value_from_being_read(mark: str) -> None:
    """In headers, amounts, percentages and dates, at either end or within; what the cell holds is kept as it is."""
    rows: list[list[object]] = [["Property Name", "City", f"Asking{mark} Price", f"{mark}Cap Rate", f"Sale Date{mark}"]]
    rows += [
        [f"Place {i}", "Reno", f"$1{mark},{i}00,000{mark}", f"{mark}6.{i}%", f"3/{12 + i}/2024{mark}"]
        for i in range(1, 6)
    ]
    extraction = read(rows)
    assert values(extraction, "asking_price") == [1_000_000 + 100_000 * i for i in range(1, 6)]
    assert values(extraction, "cap_rate") == [0.061, 0.062, 0.063, 0.064, 0.065]
    assert values(extraction, "sale_date") == [dt.date(2024, 3, 12 + i) for i in range(1, 6)]
    assert deal(extraction).fields["asking_price"].raw == f"$1{mark},100,000{mark}"


@pytest.mark.parametrize("shown", ["6,000,000¹", "6,000,000 [2]", "$6,000,000[12]", "(6,000,000)³"])
def test_the_mark_of_a_footnote_behind_an_amount_is_no_part_of_it(shown: str) -> None:
    """Raised or in brackets; the number is taken and said to have been written with more."""
    extraction = listed([5_000_000, 4_000_000, shown, 7_000_000], "NOI")
    assert abs(values(extraction, "noi")[2]) == 6_000_000
    assert issues(extraction, "value.qualified")


def test_a_column_of_losses_is_what_its_header_says() -> None:
    """Income may be negative all the way down: sites before they are let."""
    extraction = listed(["(600,000)", -300_000, "330,000-", "($540,000)"], "NOI")
    assert values(extraction, "noi") == [-600_000, -300_000, -330_000, -540_000]
