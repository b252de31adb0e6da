"""Notes on scales wherever they stand, what they except, and amounts that are written in full below them."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import Rows, issues, read, values, xlsx
from tools.deals.extract import extract
from tools.deals.scale_notes import NoteScale, read_note

HEADER = ["Property", "City", "Asking Price", "NOI", "Cap Rate", "Building SF"]
ROWS: list[tuple[str, str, float, float, float, int]] = [
    ("Heron Point", "Reno", 1000, 60, 0.06, 10_000),
    ("Union Yard", "Waco", 2000, 120, 0.06, 20_000),
    ("Cedar Hollow", "Waco", 2500, 150, 0.06, 22_000),
]
IN_FULL = [1_000_000, 2_000_000, 2_500_000]
NOIS = [60_000, 120_000, 150_000]


def amounts(extraction: Extraction) -> tuple[list[object], list[object]]:
    """The prices and the NOIs."""
    return values(extraction, "asking_price"), values(extraction, "noi")


@pytest.mark.parametrize(
    "top",
    [
        ["Acme Portfolio", None, None, None, None, "($ in thousands)"],
        ["Acme Portfolio", None, None, "All figures in US$ thousands"],
        ["Acme Portfolio", None, None, None, None, None, None, "($ in thousands)"],
        [None, None, None, None, None, "USD 000s"],
        [None, None, "$ in thousands"],
    ],
)
def test_a_note_in_the_title_row_right_over_the_header_is_about_the_table(top: list[object]) -> None:
    """It scales all amounts, is cited, and leaves the header under it alone."""
    extraction = read([top, HEADER, *ROWS])
    assert amounts(extraction) == (IN_FULL, NOIS)
    assert values(extraction, "building_sf") == [10_000, 20_000, 22_000]
    assert [c.header for c in extraction.tables[0].columns][1:] == HEADER[1:]
    assert extraction.tables[0].scale_cell == f"Deals!{'ABCDEFGH'[len(top) - 1]}1"
    assert not extraction.issues or {i.code for i in extraction.issues} == {"currency.assumed"}


def test_a_band_that_names_its_columns_stays_one() -> None:
    """Loans in full stand beside financials in thousands."""
    rows = [["Property", None, "Financials ($000s)", None, "Debt ($)"], ["Name", "City", "Price", "NOI", "Loan Amount"]]
    extraction = read([*rows, ["Heron Point", "Reno", 1000, 60, 500_000], ["Union Yard", "Waco", 2000, 120, 800_000]])
    assert values(extraction, "loan_amount") == [500_000, 800_000]
    assert values(extraction, "price") == IN_FULL[:2]


@pytest.mark.parametrize("note", ["Note: all amounts in USD thousands.", "Notes: Amounts in $000s except per SF"])
def test_a_note_below_the_table_is_about_it(note: str) -> None:
    """Behind a blank row."""
    extraction = read([HEADER, *ROWS, [], [note]])
    assert amounts(extraction) == (IN_FULL, NOIS)
    assert extraction.tables[0].scale_cell == "Deals!A6"


def test_a_footnote_is_about_the_columns_that_carry_its_mark() -> None:
    """The others are in full."""
    header = ["Property", "City", "Asking Price", "NOI (1)", "Cap Rate", "Building SF"]
    extraction = read([header, *ROWS, ["(1) In thousands of dollars."]])
    assert amounts(extraction) == ([1000, 2000, 2500], NOIS)
    assert not issues(extraction, "scale.note")


def test_a_footnote_that_nothing_refers_to_is_told() -> None:
    """It is taken to be about all amounts, and its cell is named."""
    extraction = read([HEADER, *ROWS, [], ["(2) In thousands of dollars."]])
    assert amounts(extraction) == (IN_FULL, NOIS)
    assert issues(extraction, "scale.note")[0].cells == ("Deals!A6",)


def test_a_scale_in_the_name_of_the_sheet_scales() -> None:
    """As it gives the currency."""
    extraction = extract(xlsx({"Deals ($000s)": [HEADER, *ROWS]}), "deals.xlsx")
    assert amounts(extraction) == (IN_FULL, NOIS)


@pytest.mark.parametrize("place", ["top", "under the title", "between", "below"])
def test_a_note_on_a_form_scales_its_amounts(place: str) -> None:
    """Wherever it stands among labels and values; sizes and ratios stay."""
    note = ["($ in thousands)"]
    pairs = [["City", "Reno"], ["Asking Price", 5000], ["NOI", 300], ["Cap Rate", 0.06], ["Building SF", 25_000]]
    rows: dict[str, Rows] = {
        "top": [note, ["Property", "Heron Point"], *pairs],
        "under the title": [["Heron Point"], note, *pairs],
        "between": [["Property", "Heron Point"], pairs[0], note, *pairs[1:]],
        "below": [["Property", "Heron Point"], *pairs, [], ["Note: amounts in USD thousands"]],
    }
    extraction = read(rows[place])
    assert amounts(extraction) == ([5_000_000], [300_000])
    assert values(extraction, "building_sf") == [25_000]


@pytest.mark.parametrize("header", ["Asking Price in 1,000s", "Asking Price, thousands", "Asking Price ($ in 1,000s)"])
def test_a_scale_in_figures_or_behind_a_comma_scales(header: str) -> None:
    """And the header still names its field."""
    assert values(read([["Property", "City", header], *(row[:3] for row in ROWS)]), "asking_price") == IN_FULL


@pytest.mark.parametrize(
    "note",
    [
        "(in thousands except price)",
        "(in thousands, except asking price)",
        "($ in thousands, except asking price and per SF)",
        "In thousands of dollars, excluding prices",
    ],
)
def test_what_a_note_excepts_is_not_scaled(note: str) -> None:
    """Nothing is guessed, so nothing is told."""
    rows = [[*row[:2], row[2] * 1000, row[3]] for row in ROWS]
    extraction = read([[note], [], HEADER[:4], *rows])
    assert amounts(extraction) == (IN_FULL, NOIS)
    assert not issues(extraction, "scale.note")


@pytest.mark.parametrize(
    "note",
    [
        "$ in thousands, unless otherwise stated; NOI in millions",
        "Amounts in $ thousands except NOI, which is in millions",
        "Price in $000s and NOI in $ millions",
    ],
)
def test_each_amount_has_the_scale_that_a_note_gives_it(note: str) -> None:
    """The rest has the first."""
    rows = [[*row[:3], row[3] / 1000] for row in ROWS]
    assert amounts(read([[note], [], HEADER[:4], *rows])) == (IN_FULL, NOIS)


@pytest.mark.parametrize(
    "note", ["$ in thousands, except goodwill", "€ in millions, £ in thousands", "in thousands except the zebras"]
)
def test_a_note_that_is_not_understood_is_told_with_its_cell(note: str) -> None:
    """An exception that fits no column, or two scales of nothing."""
    extraction = read([[note], [], HEADER, *ROWS])
    assert issues(extraction, "scale.note")[0].cells == ("Deals!A1",)


def test_exceptions_in_a_header_are_no_part_of_its_name() -> None:
    """In millions, except per unit, is about the price itself."""
    rows = [["Property", "City", "Asking Price (in millions, except per unit)"], *([*row[:2], 1.5] for row in ROWS)]
    assert values(read(rows), "asking_price") == [1_500_000] * 3


def test_what_a_header_excludes_outside_its_scale_stays_with_it() -> None:
    """The scale behind it is still the column's."""
    extraction = read(
        [["Property", "City", "NOI excl. reserves ($000s)", "Units"], *((*row[:2], 60, 9) for row in ROWS)]
    )
    assert extraction.tables[0].scale == {"C": 1000}


@pytest.mark.parametrize("text", ["Stores by the thousands", "Tenants in thousands of stores", "Thousand Oaks Plaza"])
def test_thousands_of_other_things_are_no_scale(text: str) -> None:
    """Nor is a name."""
    assert read_note(text) is None


def test_sizes_in_thousands_scale_no_money() -> None:
    """The note names them alone."""
    assert read_note("SF in thousands") is None
    note = read_note("$ and SF in thousands")
    assert isinstance(note, NoteScale)
    assert note.common is not None


def test_an_amount_written_in_full_among_thousands_is_not_scaled() -> None:
    """Its neighbours prove it, and it is told; a large one in thousands stays one."""
    rows = [["Property", "City", "Asking Price ($000)", "NOI ($000)"]]
    nois = [60, "$120,000", "180,000", 240, 300]
    rows += [[f"Place {at}", "Reno", price, nois[at]] for at, price in enumerate([1000, 2000, "3,000", "$9,500", 5000])]
    extraction = read(rows)
    assert values(extraction, "noi") == [60_000, 120_000, 180_000, 240_000, 300_000]
    assert values(extraction, "asking_price") == [1_000_000, 2_000_000, 3_000_000, 9_500_000, 5_000_000]
    assert [issue.cells for issue in issues(extraction, "scale.full")] == [("Deals!D3", "Deals!D4")]


def test_a_note_on_a_cover_multiplies_nothing_and_is_told() -> None:
    """Whether it speaks of another sheet, nobody knows; where that sheet says it itself, all is well."""
    cover: Rows = [["Acme Portfolio"], ["All figures in € thousands"]]
    extraction = extract(xlsx({"Cover": cover, "Deals": [HEADER, *ROWS]}), "deals.xlsx")
    assert values(extraction, "asking_price") == [1000, 2000, 2500]
    (said,) = issues(extraction, "scale.elsewhere")
    assert said.cells == ("Cover!A2",)
    scaled = [[*HEADER[:2], "Asking Price ($000s)", "NOI ($000s)", *HEADER[4:]], *ROWS]
    assert not issues(extract(xlsx({"Cover": cover, "Deals": scaled}), "deals.xlsx"), "scale.elsewhere")
    assert not issues(extract(xlsx({"Cover": cover[:1], "Deals": [HEADER, *ROWS]}), "deals.xlsx"), "scale.elsewhere")


@pytest.mark.parametrize(
    ("title", "header", "number_format"),
    [
        ("Sales", "Asking Price ($000s)", "#,##0,"),
        ("($ in millions)", "Asking Price", '0.0,,"M"'),
        ("($ in thousands)", "Asking Price", "_($* #,##0,_);_($* (#,##0,)"),
    ],
)
def test_a_scale_that_the_number_format_shows_is_not_applied_again(title: str, header: str, number_format: str) -> None:
    """The cell holds the full amount, and the header speaks of what people see."""
    rows = [["P1", "Reno", 40, 4_000_000], ["P2", "Reno", 41, 5_500_000], ["P3", "Reno", 42, 6_000_000]]
    formats = {f"Deals!D{at}": number_format for at in (3, 4, 5)}
    book = xlsx({"Deals": [[title], ["Property", "City", "Units", header], *rows]}, formats)
    extraction = extract(book, "deals.xlsx")
    assert values(extraction, "asking_price") == [4_000_000, 5_500_000, 6_000_000]
    assert issues(extraction, "scale.shown")
    mixed = extract(xlsx({"Deals": [[title], ["Property", "City", "Units", header], *rows[:2]]}, {}), "deals.xlsx")
    assert not issues(mixed, "scale.shown")
