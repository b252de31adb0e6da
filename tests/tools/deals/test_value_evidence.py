"""Values that other cells, the table's language or its places decide: what tells was read, what doesn't was said."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import column, issues, read, read_csv, values
from tools.deals.check import rounds_to
from tools.deals.extract import extract
from tools.deals.scale_notes import read_note

NAMES = [f"Place {name}" for name in ("One", "Two", "Three", "Four", "Five", "Six")]


def _table(*columns: tuple[str, object]) -> list[list[object]]:
    """Rows of a list of six deals: a column is its header and its values, or the one that all have."""
    held = [("Property", NAMES), *columns]
    rows: list[list[object]] = [[header for header, _ in held]]
    return rows + [[v[at] if isinstance(v, list) else v for _, v in held] for at in range(len(NAMES))]


@pytest.mark.parametrize(
    "note",
    [
        "Figures are not stated in thousands",
        "In whole dollars, not in thousands",
        "Amounts in full rather than in millions",
        "Amounts aren't in thousands",
        "Angaben nicht in Tausend",
    ],
)
def test_a_scale_that_a_note_denies_is_none(note: str) -> None:
    """What amounts are said not to be in scales nothing."""
    assert read_note(note) is None


def test_a_scale_beside_a_denied_one_stays() -> None:
    """Of two scales of which one is denied, the other is meant; a denial of something else denies none."""
    for note, factor in {"In millions, not in thousands": 1_000_000, "Not audited, in thousands": 1_000}.items():
        said = read_note(note)
        assert said is not None
        assert said.common is not None
        assert said.common.factor == factor


def test_years_in_the_format_of_a_date_are_years() -> None:
    """2019 in a date's format shows a day in 1905: a year of building is that year, of a sale no day is made up."""
    rows = _table(("Sale Price", 10_000_000), ("Sale Date", [*range(2019, 2025)]), ("Year Built", [*range(1980, 1986)]))
    formats = {f"{letter}{row}": "m/d/yyyy" for letter in "CD" for row in range(2, 8)}
    found = read(rows, formats)
    assert values(found, "year_built") == [*range(1980, 1986)]
    assert values(found, "sale_date") == [None] * 6
    assert issues(found, "date.partial")
    assert issues(found, "date.year")


def test_real_days_of_1905_among_other_old_days_stay() -> None:
    """A column with days of other early years holds days."""
    days = [dt.date(1904, 5, 1), dt.date(1905, 7, 11), dt.date(1911, 2, 3)] * 2
    found = read(_table(("Sale Price", 10_000_000), ("Sale Date", days)))
    assert values(found, "sale_date") == days


def test_years_alone_under_a_date_are_told() -> None:
    """Whole years under Sale Date are the field's, and each is said to name no day."""
    found = read(_table(("Sale Price", 10_000_000), ("Sale Date", [*range(2019, 2025)])))
    assert values(found, "sale_date") == [None] * 6
    assert issues(found, "date.partial")


def test_columns_of_errors_keep_the_field_of_their_header() -> None:
    """Errors say nothing of a column: its header does, and the good value is read."""
    rows = _table(
        ("City", "Reno"), ("Sale Price", 10_000_000), ("Cap Rate", "#DIV/0!"), ("SF", ["#VALUE!"] * 5 + [50_000])
    )
    found = read(rows)
    assert values(found, "cap_rate") == [None] * 6
    assert values(found, "building_sf") == [None] * 5 + [50_000]
    assert len(issues(found, "value.error")) == 2


@pytest.mark.parametrize(("header", "field", "texts", "first"), [
    ("Mietfläche m²", "building_sf", ["2.500", "1.800", "3.200"], 26_909.776),
    ("Miete p.a.", "rent_annual", ["62.500", "48.000", "71.250"], 62_500),
])  # fmt: skip
def test_other_columns_decide_the_decimal_sign(header: str, field: str, texts: list[str], first: float) -> None:
    """A price of 1.250.000,00 € says how the column beside it writes its thousands."""
    found = read(_table(("Ort", "Köln"), ("Kaufpreis", "1.250.000,00 €"), (header, texts * 2)))
    assert values(found, field)[0] == pytest.approx(first)


def test_a_rate_agrees_with_what_is_rounded_to_its_tenth() -> None:
    """4.8 % is 4.75 % rounded half up; 6 % is not 6.08 %."""
    assert rounds_to(0.0475, 0.048)
    assert rounds_to(0.0325, 0.033)
    assert not rounds_to(0.0608, 0.06)


@pytest.mark.parametrize(("headers", "text", "amount"), [
    (("Imóvel", "Preço de venda"), "R$ 900 mil", 900_000),
    (("Inmueble", "Precio"), "900 mil €", 900_000),
    (("Property", "Sale Price"), "R$ 900 mil", 900_000),
    (("Property", "Sale Price"), "$9 mil", 9_000_000),
    (("Imóvel", "Preço de venda"), "R$ 1,2 milhões", 1_200_000),
    (("Inmueble", "Precio"), "1,2 millones €", 1_200_000),
])  # fmt: skip
def test_mil_is_a_thousand_where_the_language_is_portuguese_or_spanish(
    headers: tuple[str, str], text: str, amount: int
) -> None:
    """Its currency or its headers tell; in English it is a million."""
    rows = _table(("City", "Reno"), (headers[1], text))
    rows[0][0] = headers[0]
    price = next(c for c in read(rows).tables[0].columns if c.field in ("price", "sale_price"))
    assert list(price.values) == [amount] * 6


def test_mil_that_nothing_decides_is_told() -> None:
    """900 mil € under an English header may be either."""
    found = read(_table(("City", "Cork"), ("Sale Price", "900 mil €")))
    assert values(found, "sale_price") == [None] * 6
    assert issues(found, "value.mil")


def test_a_sign_of_money_in_the_row_of_units_leaves_the_header_as_it_is() -> None:
    """Price over € is a price in euros, as Price over EUR is."""
    rows = _table(("City", "Paris"), ("Price", 10_000_000), ("Miete p.a.", 500_000))
    found = read([rows[0], [None, None, "€", "€"], *rows[1:]])
    assert values(found, "price") == [10_000_000] * 6
    assert [c.currency for c in found.tables[0].columns if c.type == "money"] == ["EUR", "EUR"]


def test_digits_behind_the_mark_of_a_text_are_a_postal_code() -> None:
    """Programs write '02101 so that the zero stays."""
    lines = "".join(f"'0210{i},{name},Boston,1000000\n" for i, name in enumerate(NAMES))
    assert values(read_csv("Zip,Property,City,Sale Price\n" + lines), "postal_code")[1] == "02101"


@pytest.mark.parametrize("encoding", ["big5", "gb18030"])
def test_short_texts_in_a_guessed_code_page_are_told(encoding: str) -> None:
    """Few letters tell no code page: even where they are read as signs alone, it is said."""
    lines = "".join(f"{name},北京,1000000\n" for name in NAMES)
    data = ("Property,City,Sale Price\n" + lines).encode(encoding)
    assert issues(extract(data, "deals.csv"), "letters.guessed")


@pytest.mark.parametrize(("column_of_places", "code"), [
    (("State", ["NSW", "VIC", "QLD", "WA", "SA", "ACT"]), "AUD"),
    (("Prov", ["ON", "ON", "AB", "BC", "NS", "SK"]), "CAD"),
    (("Postal Code", ["M5V 1A1", "K1A 0B1", "T2P 1J9", "V6B 1A1", "B3H 1A1", "S4P 1A1"]), "CAD"),
    (("State", ["CA", "WA", "OR", "AZ", "NV", "TX"]), "USD"),
])  # fmt: skip
def test_a_dollar_is_that_of_the_places(column_of_places: tuple[str, list[str]], code: str) -> None:
    """States and postal codes tell whose dollars a bare $ shows, and that is said."""
    found = read(_table(("City", "Perth"), column_of_places, ("Sale Price", "$12,500,000")))
    assert column(found, "sale_price").currency == code
    assert bool(issues(found, "currency.assumed")) == (code != "USD")


@pytest.mark.parametrize(
    ("title", "code"), [("Singapore Office Transactions", "SGD"), ("New Mexico Office Transactions", "USD")]
)
def test_a_dollar_is_that_of_the_country_in_the_title(title: str, code: str) -> None:
    """A title that names a country whose money is a dollar tells where nothing else does."""
    rows = _table(("District", "Central"), ("Sale Price", "$12,500,000"))
    found = read([[title], [], *rows])
    assert column(found, "sale_price").currency == code


@pytest.mark.parametrize(("price", "day", "code"), [
    ("£1,000,000", dt.date(2024, 4, 3), "date.day_first"),
    ("$1,000,000", dt.date(2024, 3, 4), "date.ambiguous"),
])  # fmt: skip
def test_places_and_money_tell_whether_the_day_comes_first(price: str, day: dt.date, code: str) -> None:
    """03/04/2024 beside pounds is the third of April, beside dollars the fourth of March; both are told."""
    found = read(_table(("Town", "Leeds"), ("Sale Price", price), ("Sale Date", "03/04/2024")))
    assert values(found, "sale_date") == [day] * 6
    assert issues(found, code)


def test_areas_without_a_unit_have_that_of_their_column() -> None:
    """Where the marked cells of a column are all in square metres, so are the bare ones, and that is said."""
    areas = ["1,250 m²", "2,000 m²", 1234, "850 m²", 700, 1000]
    found = read(_table(("City", "Paris"), ("Area", areas), ("Price", "€1,000,000")))
    assert values(found, "building_sf")[4] == pytest.approx(700 * 10.7639104)
    assert issues(found, "unit.taken")


def test_areas_beside_prices_by_the_square_metre_are_in_square_metres() -> None:
    """Beside a price in €/sqm an area without a unit is in square metres, beside one in €/sf in square feet."""
    for header, area in {"Price (€/sqm)": pytest.approx(1200 * 10.7639104), "Price (€/sf)": 1200}.items():
        found = read(_table(("City", "Paris"), ("GLA", 1200), ("Price (€)", 10_000_000), (header, 8333.33)))
        assert values(found, "building_sf")[0] == area
        assert bool(issues(found, "unit.taken")) == (area != 1200)
        assert not issues(found, "price_per_sf.mismatch")


def test_amounts_in_local_currency_are_in_that_of_their_country() -> None:
    """NOI (local) beside prices in dollars is in pounds in the UK; where no country is told it is in none."""
    columns = [("Sale Price (USD)", 12_500_000), ("Cap Rate", 0.05), ("NOI (local)", 500_000)]
    found = read(_table(("Country", ["UK", "France", "Japan", "Norway", "Sweden", "USA"]), *columns))
    noi = column(found, "noi")
    assert [noi.currencies.get(record, noi.currency) for record in range(6)] == [
        "GBP",
        "EUR",
        "JPY",
        "NOK",
        "SEK",
        "USD",
    ]
    assert len(issues(found, "cap_rate.mismatch")) == 1
    untold = read(_table(("City", "Leeds"), *columns))
    assert column(untold, "noi").currency is None
    assert not issues(untold, "cap_rate.mismatch")
    assert issues(untold, "currency.partial")


def test_a_sign_on_the_first_amount_speaks_for_it_alone_where_prices_are_in_several_currencies() -> None:
    """Prices in pounds and euros beside a first NOI in pounds: the others are in their price's currency, and told."""
    rows = _table(("City", "Leeds"), ("Price", 10_000_000), ("NOI", 500_000))
    formats = {"C2": '"£"#,##0', "D2": '"£"#,##0'} | {f"C{row}": "[$€-2] #,##0" for row in range(3, 8)}
    found = read(rows, formats)
    noi = column(found, "noi")
    assert [noi.currencies.get(record, noi.currency) for record in range(6)] == ["GBP"] + ["EUR"] * 5
    assert issues(found, "currency.partial")
    alike = read(rows, {"D2": '"£"#,##0'} | {f"C{row}": '"£"#,##0' for row in range(2, 8)})
    assert column(alike, "noi").currency == "GBP"
    assert not issues(alike, "currency.partial")


def test_bare_areas_among_a_few_in_another_unit_are_told() -> None:
    """One area in square metres among bare ones says nothing of these: they stay square feet, and that is said."""
    areas = [1250, 2000, 1234, "850 m²", 700, 1000]
    found = read(_table(("City", "Paris"), ("Area", areas), ("Price", "$1,000,000")))
    assert values(found, "building_sf")[0] == 1250
    assert len(issues(found, "unit.mixed")[0].cells) == 5


def test_errors_in_a_csv_file_are_errors() -> None:
    """What a spreadsheet writes for an error is no text."""
    lines = "".join(f"{name},Reno,1000000,#DIV/0!\n" for name in NAMES)
    found = read_csv("Property,City,Sale Price,Cap Rate\n" + lines)
    assert values(found, "cap_rate") == [None] * 6
    assert issues(found, "value.error")


def test_the_mark_of_a_text_in_a_workbooks_cell_is_no_part_of_a_postal_code() -> None:
    """Programs write the mark itself into cells as well."""
    found = read(_table(("City", "Boston"), ("Zip", [f"'0210{i}" for i in range(6)]), ("Sale Price", 1_000_000)))
    assert values(found, "postal_code")[2] == "02102"
