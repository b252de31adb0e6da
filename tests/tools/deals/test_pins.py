"""A person's corrected values."""

from __future__ import annotations

import io
from decimal import Decimal

import pytest
from openpyxl import load_workbook

from schemas.deal import Extraction, Pin
from schemas.errors import InputError
from tests.tools.deals.books import DEALS, HEADER, deal, issues, read, read_csv, xlsx
from tools.deals.document import dump, extraction_document, load
from tools.deals.extract import extract
from tools.deals.pins import apply_pins, pin_place, read_pin
from tools.deals.workbook_out import deals_xlsx
from tools.figures.measures import portfolio
from tools.figures.series import pin_note

EXTRACTION = read([HEADER, *DEALS, DEALS[0]])


def pin(text: str) -> Pin:
    """The pin that `text` asks for."""
    return read_pin(EXTRACTION, text, "per the seller", "analyst@example.com", "2026-03-01")


@pytest.mark.parametrize("said", ["row 3", "#2", "Deals!3", "deals!3", "Cedar Hollow", "cedar  hollow", "2 Mill Lane"])
def test_a_deal_is_named_by_its_row_or_its_name(said: str) -> None:
    """The same pin whichever way."""
    made = pin(f"{said}.noi=450000")
    assert (made.deal_id, made.field, made.value) == (deal(EXTRACTION, 1).deal_id, "noi", "450000")
    assert (made.was, made.cell) == ("300000", "Deals!F3")


def test_a_deal_is_named_by_its_id() -> None:
    """As show prints it."""
    assert pin(f"{deal(EXTRACTION, 1).deal_id}.noi=450000").cell == "Deals!F3"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Deals!3.cap_rate=6.5%", "0.065"),
        ("Deals!3.cap_rate=0.065", "0.065"),
        ("Deals!3.asking_price=$4.2M", "4200000"),
        ("Deals!3.asking_price=4,200,000.50", "4200000.5"),
        ("Deals!3.lease_expiry=2030-06-30", "2030-06-30"),
        ("Deals!3.lease_expiry=Jun 30, 2030", "2030-06-30"),
        ("Deals!3.units=54", "54"),
        ("Deals!3.tenant=NA", "NA"),
        ("Deals!3.noi=", ""),
        ("Deals!3.noi=-45000", "-45000"),
        ("Deals!3.noi=0", "0"),
        ("Deals!3.occupancy=0%", "0.0"),
    ],
)
def test_a_value_is_read_by_its_fields_type(text: str, value: str) -> None:
    """Full units, kept in one form."""
    assert pin(text).value == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Heron Point.noi=1", "pin.ambiguous"),
        ("Nowhere.noi=1", "pin.deal"),
        ("99.noi=1", "pin.deal"),
        ("#99.noi=1", "pin.deal"),
        ("#0.noi=1", "pin.deal"),
        ("row 99.noi=1", "pin.deal"),
        ("3.noi=450000", "pin.ambiguous"),
        ("1.noi=450000", "pin.ambiguous"),
        ("Deals!3.no_such=1", "pin.field"),
        ("Deals!3.noi=lots", "pin.value"),
        ("Deals!3.noi=5%", "pin.value"),
        ("Deals!3.cap_rate=6.5", "pin.value"),
        ("Deals!3.lease_expiry=3/4/2030", "pin.value"),
        ("Deals!3.units=5.5", "pin.value"),
        ("Deals!3.cap_rate=-5", "pin.value"),
        ("Deals!3.cap_rate=0.9", "pin.value"),
        ("Deals!3.asking_price=-4200000", "pin.value"),
        ("Deals!3.asking_price=0", "pin.value"),
        ("Deals!3.noi=12", "pin.value"),
        ("Deals!3.units=0", "pin.value"),
        ("Deals!3.year_built=19855", "pin.value"),
        ("Deals!3.lease_expiry=2999-01-01", "pin.value"),
        ("noi=5", "pin.form"),
        ("Deals!3.noi", "pin.form"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_sentence(text: str, code: str) -> None:
    """Each refusal has its code and says what to write."""
    with pytest.raises(InputError) as refused:
        pin(text)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_a_pin_replaces_the_value_and_keeps_what_the_cell_holds() -> None:
    """The original extraction is not touched."""
    pinned = apply_pins(EXTRACTION, (pin("Deals!3.noi=450000"),))
    value = deal(pinned, 1).fields["noi"]
    assert (value.value, value.raw, value.cell) == (Decimal(450000), 300_000, "Deals!F3")
    assert value.pin is not None
    assert (value.pin.by, value.pin.reason, value.pin.was) == ("analyst@example.com", "per the seller", "300000")
    assert deal(EXTRACTION, 1).fields["noi"].value == Decimal(300_000)
    assert issues(pinned, "pin.applied")[0].cells == ("Deals!F3",)


def test_a_pin_on_a_field_that_no_column_holds_makes_one() -> None:
    """Only that deal has a value there."""
    pinned = apply_pins(EXTRACTION, (pin("Deals!3.year_built=1999"),))
    assert [d.fields["year_built"].value for d in pinned.deals()] == [None, 1999, None, None, None]


def test_the_newest_pin_on_a_value_counts() -> None:
    """A second correction replaces the first, in the record of pins too."""
    once = apply_pins(EXTRACTION, (pin("Deals!3.noi=450000"),))
    again = read_pin(once, "Deals!3.noi=460000", "per the seller", "analyst@example.com", "2026-03-02")
    assert again.was == "300000"
    twice = apply_pins(once, (again,))
    assert deal(twice, 1).fields["noi"].value == Decimal(460_000)
    assert len(twice.pins) == 1
    assert len(issues(twice, "pin.applied")) == 1


def test_pins_survive_the_archive_and_show_in_the_document() -> None:
    """Who, when, why and what it was."""
    pinned = apply_pins(EXTRACTION, (pin("Deals!3.noi=450000"), pin("Deals!3.year_built=1999")))
    assert load(dump(pinned)) == pinned
    plain = extraction_document(pinned)["deals"][1]["fields"]["noi"]
    assert plain["pin"] == {
        "by": "analyst@example.com",
        "on": "2026-03-01",
        "reason": "per the seller",
        "was": "300000",
    }


def test_a_pin_of_a_deal_that_is_gone_is_refused() -> None:
    """After a re-upload the row may not be there."""
    other = read([HEADER, *DEALS[:1], *DEALS[:1]])
    with pytest.raises(InputError, match="not in this workbook"):
        apply_pins(other, (pin("Deals!4.noi=450000"),))


def test_an_implausible_value_is_refused_with_the_range_and_how_to_write_it() -> None:
    """Else it would be a headline under the name of whoever slipped."""
    with pytest.raises(InputError) as refused:
        pin("Deals!3.cap_rate=-5")
    assert "from 0.5% to 20%" in refused.value.message
    assert "such as 5.5%" in refused.value.message


def test_a_bare_number_that_is_a_row_and_a_number_in_the_documents_says_how_to_write_either() -> None:
    """Both deals are named; a number that only a row has is that row."""
    with pytest.raises(InputError) as refused:
        pin("3.noi=450000")
    assert "'Deals!3' for Cedar Hollow" in refused.value.message
    assert "'#3' for Union Yard" in refused.value.message
    assert pin("6.noi=450000").deal_id == deal(EXTRACTION, 4).deal_id
    assert pin("#1.noi=450000").deal_id == deal(EXTRACTION, 0).deal_id


def test_a_file_without_sheets_names_its_rows() -> None:
    """Nothing stands before the exclamation mark, so a row can be called one."""
    lines = [",".join(map(str, row)) for row in (HEADER, *DEALS)]
    extraction = read_csv("\n".join(lines))
    made = read_pin(extraction, "row 3.noi=450000", "why", "ann", "2026-03-01")
    assert made.deal_id == deal(extraction, 1).deal_id
    assert pin_place(extraction, made) == ("Cedar Hollow", "row 3")


def test_with_several_tables_the_numbers_are_those_of_the_table_that_is_named() -> None:
    """And with none named, no number is taken: a guess could be another deal."""
    others = [
        [f"Site {n}", f"{n} Quay Road", "Reno", "NV", 2_000_000 + n, 130_000, 0.065, 9_000, 222] for n in range(5)
    ]
    two = extract(xlsx({"Sales": [HEADER, *DEALS], "Offers": [HEADER, *others]}), "two.xlsx")
    ids = [each.deal_id for each in two.deals()]
    main = two.tables[1].table_id
    assert read_pin(two, "#1.noi=450000", "why", "ann", "2026-03-01", main).deal_id == ids[4]
    with pytest.raises(InputError, match="nothing is numbered"):
        read_pin(two, "#1.noi=450000", "why", "ann", "2026-03-01")


def test_what_a_pin_makes_disagree_is_flagged_and_what_it_mends_is_not_any_more() -> None:
    """Cap rate and price per SF are held against the new values, on the deal and in the list of issues."""
    assert not issues(EXTRACTION, "cap_rate.mismatch")
    wrong = apply_pins(EXTRACTION, (pin("Deals!3.noi=330000"), pin("Deals!3.asking_price=4400000")))
    found = issues(wrong, "cap_rate.mismatch") + issues(wrong, "price_per_sf.mismatch")
    assert [issue.expected for issue in found] == ["220"]
    assert any("price_per_sf.mismatch" in text for text in deal(wrong, 1).warnings)
    worse = apply_pins(wrong, (pin("Deals!3.noi=350000"),))
    assert issues(worse, "cap_rate.mismatch")[0].expected == "0.0795455"
    mended = apply_pins(worse, (pin("Deals!3.noi=300000"), pin("Deals!3.asking_price=4000000")))
    assert [i for i in mended.issues if i.code != "pin.applied"] == [*EXTRACTION.issues]
    assert deal(mended, 1).warnings == deal(EXTRACTION, 1).warnings
    assert load(dump(worse)) == worse


def test_deals_xlsx_marks_a_corrected_value_and_lists_it() -> None:
    """A fill, a note with was, now, who and why, and the replaced cell; no other cell bears either."""
    hostile = read_pin(EXTRACTION, "#1.deal_name==1+1", "=cmd()\x07", "ann", "2026-03-01")
    pinned = apply_pins(EXTRACTION, (pin("Deals!3.noi=450000"), pin("Deals!3.year_built=1999"), hostile))
    data = deals_xlsx(pinned)
    assert data == deals_xlsx(pinned)
    book = load_workbook(io.BytesIO(data))
    sheet = book["Deals"]
    heads = [cell.value for cell in sheet[1]]
    noted = {(cell.row, heads[cell.column - 1]): cell for row in sheet for cell in row if cell.comment}
    assert {*noted} == {(2, "deal_name"), (3, "noi"), (3, "year_built")}
    assert {*noted.values()} == {c for row in sheet for c in row if c.fill.fill_type}
    noi = noted[3, "noi"]
    assert (noi.value, noi.number_format) == (450_000, "#,##0.00")
    assert (
        noi.comment.text == "Deals!F3 read 300000; set to 450000 by analyst@example.com on 2026-03-01: per the seller"
    )
    assert (noted[2, "deal_name"].value, noted[2, "deal_name"].data_type) == ("=1+1", "s")
    listed = [[cell.value for cell in row] for row in book["Corrections"]]
    assert listed[1][1:6] == ["Cedar Hollow", "noi", "300000", "450000", "Deals!F3"]
    assert "Corrections" not in load_workbook(io.BytesIO(deals_xlsx(EXTRACTION))).sheetnames


MIXED = read(
    [
        ["Property Name", "City", "Asking Price", "NOI", "Building SF", "Sale Date"],
        ["Heron Point", "Tampa", "$10.000.000,00", "$600.000,00", "50.000,5", "25/12/2024"],
        ["Cedar Hollow", "Macon", "$4.000.000,00", "$300.000,00", "20.000,0", "03/04/2025"],
        ["Union Yard", "Mobile", "€6.000.000,00", "€330.000,00", "40.000,25", "01/02/2025"],
    ]
)


def pinned_in(extraction: Extraction, text: str) -> tuple[Pin, Extraction]:
    """The pin that `text` asks for in `extraction`, and the extraction with it."""
    made = read_pin(extraction, text, "per the seller", "ann", "2026-03-01")
    return made, apply_pins(extraction, (made,))


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("#2.asking_price=€5.000.000", 5_000_000, "EUR"),
        ("#2.asking_price=NOK 5.5M", 5_500_000, "NOK"),
        ("#2.asking_price=£450k", 450_000, "GBP"),
        ("#2.asking_price=4,100,000", 4_100_000, "USD"),
        ("#1.asking_price=$4,1 Mio", 4_100_000, "USD"),
    ],
)
def test_the_currency_that_is_written_is_the_value_s(text: str, value: int, currency: str) -> None:
    """It becomes the amount's own, with the issue of a column of several; without one it stays as it was."""
    made, pinned = pinned_in(EXTRACTION, text)
    held = deal(pinned, int(text[1]) - 1).fields["asking_price"]
    assert (made.currency, made.was_currency) == (currency, "USD")
    assert (held.value, held.currency) == (value, currency)
    assert bool(issues(pinned, "currency.mixed")) == (currency != "USD")
    said = issues(pinned, "pin.applied")[0].message
    assert (f"{currency} {value}" in said) == (currency != "USD")
    assert load(dump(pinned)) == pinned


def test_a_currency_that_is_set_back_leaves_no_issue() -> None:
    """Nor does a value that is emptied; what was in euros in the file stays so without a word."""
    _, euros = pinned_in(EXTRACTION, "#2.asking_price=€5.000.000")
    _, back = pinned_in(euros, "#2.asking_price=USD 5,000,000")
    _, none = pinned_in(euros, "#2.asking_price=")
    assert not issues(back, "currency.mixed")
    assert not issues(none, "currency.mixed")
    made, again = pinned_in(MIXED, "#3.noi=340.000")
    assert (made.value, made.currency, deal(again, 2).fields["noi"].currency) == ("340000", "EUR", "EUR")
    assert issues(again, "currency.mixed") == issues(MIXED, "currency.mixed")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#1.building_sf=12.500", "12500"),
        ("#1.building_sf=12.500,75", "12500.75"),
        ("#1.cap_rate=5,5%", "0.055"),
        ("#1.asking_price=5.000.000", "5000000"),
        ("#1.sale_date=03/04/2025", "2025-04-03"),
    ],
)
def test_a_value_is_read_as_the_cells_of_its_column_are(text: str, value: str) -> None:
    """Decimal commas and days before months, where the column has them."""
    assert pinned_in(MIXED, text)[0].value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#1.asking_price=5.000.000", "5000000"),
        ("#1.asking_price=5,000,000", "5000000"),
        ("#1.units=1.200", "1200"),
        ("#1.cap_rate=5.125%", "0.05125"),
        ("#1.building_sf=12,500", "12500"),
    ],
)
def test_separators_are_read_by_what_is_plausible(text: str, value: str) -> None:
    """Where no cell of the column tells which is which."""
    assert pin(text).value == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#1.asking_price=5.000 kr", "several currencies"),
        ("#1.land_acres=1.250", "can be read as"),
        ("#1.units=$54", "no value"),
        ("#1.building_sf=€12,500", "no value"),
        ("#1.sale_date=03/04/2025", "no value"),
    ],
)
def test_what_can_be_meant_in_two_ways_is_refused(text: str, words: str) -> None:
    """A sign of several countries, separators that allow two readings, a currency where none belongs."""
    with pytest.raises(InputError, match=words) as refused:
        pin(text)
    assert refused.value.code == "pin.value"


def test_a_bare_dollar_is_the_dollar_that_the_amount_is_in() -> None:
    """In a column of Canadian ones; US dollars are named."""
    rows = [
        ["Property Name", "City", "Asking Price (CAD)"],
        ["Heron Point", "Reno", 1_000_000],
        ["Yard", "Reno", 2_000_000],
    ]
    canadian = read(rows)
    assert pinned_in(canadian, "#1.asking_price=$3.2M")[0].currency == "CAD"
    assert pinned_in(canadian, "#1.asking_price=US$3.2M")[0].currency == "USD"


def test_documents_tell_a_correction_in_its_currency() -> None:
    """What the cell read in dollars, and what it was set to in euros."""
    made, pinned = pinned_in(EXTRACTION, "#2.asking_price=€5.000.000")
    view = portfolio(pinned).view
    assert pin_note(view, made).startswith("Deals!E3 read $4,000,000; set to €5,000,000 by ann")
    sheet = load_workbook(io.BytesIO(deals_xlsx(pinned)))["Corrections"]
    assert ("USD 4000000", "EUR 5000000") in {(row[3].value, row[4].value) for row in sheet}


def test_amounts_in_two_currencies_are_not_held_against_each_other() -> None:
    """An NOI in dollars over a price in euros is no cap rate to compare, nor the price per SF one in dollars."""
    _, pinned = pinned_in(EXTRACTION, "#2.asking_price=€5.000.000")
    assert not issues(pinned, "cap_rate.mismatch")
    assert not issues(pinned, "price_per_sf.mismatch")
    _, dollars = pinned_in(EXTRACTION, "#2.asking_price=5,000,000")
    assert len(issues(dollars, "cap_rate.mismatch")) == len(issues(dollars, "price_per_sf.mismatch")) == 1


def test_noi_is_not_held_against_income_in_another_currency() -> None:
    """Dollars of NOI above the number of an income in euros are no fault; above one in dollars they are."""
    rows = [["Property Name", "City", "NOI", "Gross Income"], ["Heron Point", "Reno", "$600,000", "$900,000"],
            ["Yard", "Reno", "$300,000", "$500,000"]]  # fmt: skip
    incomes = read(rows)
    assert not issues(pinned_in(incomes, "#1.gross_income=€500,000")[1], "noi.exceeds_income")
    assert issues(pinned_in(incomes, "#1.gross_income=$500,000")[1], "noi.exceeds_income")
