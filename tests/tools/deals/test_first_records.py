"""Deals of words right under the header: they are deals, and second header rows stay headers."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from openpyxl import Workbook
from openpyxl.styles import Font

from schemas.deal import Extraction
from tests.tools.deals.books import issues, read, read_csv, values
from tools.deals.extract import extract

LIST = ["Property", "Asking Price", "Units", "Broker"]
REST = [["Beta Plaza", 2_000_000, 10, "Kite"], ["Gamma Plaza", 3_000_000, 20, "Lark"], ["Delta Plaza", 3e6, 20, "Lark"]]


def bold(rows: Sequence[Sequence[object]], *numbers: int) -> Extraction:
    """The extraction of a sheet of `rows` of which those with `numbers` (1-based) are bold."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(list(row))
    for cell in (cell for number in numbers for cell in sheet[number]):
        cell.font = Font(bold=True)
    packed = io.BytesIO()
    book.save(packed)
    return extract(packed.getvalue(), "deals.xlsx")


@pytest.mark.parametrize(
    ("header", "first", "rest"),
    [
        (LIST, ["Alpha Plaza", "Auction", "Retail", "Kite"], REST),
        (
            ["Property", "City", "Asking Price", "Status"],
            ["Alpha Plaza", "Reno", "Call for offers", "Active"],
            [["Beta Plaza", "Waco", "$2,000,000", "Active"], ["Gamma Plaza", "Waco", "$3,000,000", "Sold"]],
        ),
        (
            ["Tenant", "Suite", "SF", "Monthly Rent", "Lease Expiry"],
            ["Vacant", "A1", "Vacant", "Vacant", "Vacant"],
            [["Kite Foods", "A2", 1000, 2000, "1/31/2030"], ["Lark Shoes", "A3", 1500, 3000, "1/31/2031"]],
        ),
        (
            ["Tenant", "Suite", "SF", "Monthly Rent", "Lease Expiry"],
            ["Management Office", "A1", "Common", "None", "Owner"],
            [[f"Shop {i}", f"A{i + 2}", 1000 + i, 2000 + i, "1/31/2030"] for i in range(40)],
        ),
    ],
)
def test_a_first_deal_of_words_only_is_a_deal(
    header: list[object], first: list[object], rest: list[list[object]]
) -> None:
    """It has a record of its own, and no word of it is in a header."""
    extraction = read([header, first, *rest])
    assert extraction.tables[0].header_rows == (1,)
    assert [column.header for column in extraction.tables[0].columns] == header
    deals = list(extraction.deals())
    assert len(deals) == 1 + len(rest)
    assert deals[0].row == 2
    spans = [(span.first, span.last, span.row_class) for span in extraction.census[0].rows]
    assert spans[:2] == [(1, 1, "header"), (2, 2, "record")]


def test_several_first_deals_of_words_are_all_deals() -> None:
    """Each row that reads like a record becomes one."""
    extraction = read(
        [LIST, ["Alpha Plaza", "Auction", "Retail", "Kite"], ["Aleph Plaza", "Auction", "Land", "Lark"], *REST]
    )
    assert values(extraction, "deal_name")[:3] == ["Alpha Plaza", "Aleph Plaza", "Beta Plaza"]


def test_a_bold_header_over_a_plain_row_of_words_is_the_whole_header() -> None:
    """What looks like the records below is one, said with no warning."""
    extraction = bold([LIST, ["Alpha Plaza", "by bid", "Retail", "Owl"], *REST], 1)
    assert values(extraction, "deal_name")[0] == "Alpha Plaza"
    assert not issues(extraction, "header.words")


def test_a_row_of_words_that_nothing_shows_to_be_a_deal_is_named() -> None:
    """Nothing but its unknown words tells; a warning names the row."""
    extraction = read([LIST, ["Alpha Plaza", "by bid", "Retail", "Owl"], *REST])
    (said,) = issues(extraction, "header.words")
    assert said.severity == "warning"
    assert said.cells == ("Deals!A2",)
    assert "row 2" in said.message


@pytest.mark.parametrize(
    "second",
    [
        ["Name", "Price", "Number", "Firm"],
        ["", "($000)", "#", ""],
        ["text", "currency", "number", "text"],
        ["Objekt", "Kaufpreis", "Einheiten", "Makler"],
        ["(as marketed)", "(whole)", "(count)", "(listing)"],
    ],
)
def test_a_second_header_row_stays_one(second: list[object]) -> None:
    """Units, types, other names and refinements below the names are no deal."""
    extraction = read([LIST, second, *REST])
    assert extraction.tables[0].header_rows == (1, 2)
    assert len(list(extraction.deals())) == len(REST)


PRICED = ["Property", "City", "Price", "Cap Rate"]
MORE = [["Oak Plaza", "Reno", 4_100_000, 0.06], ["Fir Plaza", "Elko", 1_450_000, 0.0725], ["Ash", "Elko", 1e6, 0.07]]
SIZED = ["Address", "City", "Asking Price", "Cap Rate", "Lot Size", "Building"]
RANGES = [
    ["1 Main", "Reno", "$1.2-1.4M", "5-5.5%", "1.5 - 2 ac", "10,000-12,000 SF"],
    ["2 Main", "Reno", "Up to $2M", "6%+", "2 ac +/-", "12,000 SF +/-"],
    ["3 Main", "Reno", "$3M+", "<6%", "~3 ac", "12K"],
    ["4 Main", "Reno", "3.5M obo", "6.25", "4", "12000"],
]
UNITED = [
    ["A Ctr", "12,500 SF", "1.5 ac", "$3.2MM", "$25.00/SF NNN", "c. 1985"],
    ["B Ctr", "1,200 m²", "0.8 ha", "€2.1m", "€12/m²/mo", "1990"],
    ["C Ctr", "45k sf", "3 acres", "USD 4,500,000", "$18 psf", "2001"],
]
NUMBERED = [["#", *PRICED], [None, "Elm", "Reno", "Call for offers", "TBD"], *([n, *r] for n, r in enumerate(MORE, 2))]


@pytest.mark.parametrize(
    "rows",
    [
        [PRICED, ["Elm Plaza", "Reno", "Call for offers", "TBD"], *MORE],
        [PRICED, ["Project Gold", "Reno", "Unpriced", "n/a"], ["Asset A", "Reno", "$8M to $10M", "TBD (Q3)"], *MORE],
        [PRICED, ["Market Square", "Portland", "No more than $3M", "5.5% - 6.0%"], *MORE],
        [PRICED, ["Elm Plaza", "Reno", "Market", "Market"], *MORE],
        [SIZED, *RANGES],
        [["Property", "Size", "Land", "Price", "Rent", "Built"], *UNITED],
        [["Property", "Size", "Price"], *([row[0], row[1], row[3]] for row in UNITED)],
        NUMBERED,
        [["Name", "Stage", "Price"], ["Project Gold", "Screen", "TBD"], ["Oak", "LOI", 5e6], ["Fir", "Dead", 6e6]],
    ],
)
@pytest.mark.parametrize("heads", [(), (1,)])
def test_first_deals_that_hold_ranges_bounds_or_words_for_no_value_are_deals(
    rows: list[list[object]], heads: tuple[int, ...]
) -> None:
    """Each row under the labels is a record, whether or not the header is bold."""
    extraction = bold(rows, *heads)
    table = extraction.tables[0]
    assert (table.header_rows, list(table.records)) == ((1,), list(range(2, len(rows) + 1)))
    assert [column.header for column in table.columns] == rows[0]
    assert not issues(extraction, "header.words")


def test_deals_of_words_under_a_header_of_two_rows_are_deals() -> None:
    """The second row of labels stays header, though names of groups repeat above it."""
    labels = [["Property", None, "Pricing", None], ["Name", "City", "Ask", "Cap Rate"]]
    words = [["Elm", "Reno", "Unpriced", "TBD"], ["Alder", "Reno", "$4-5M", "6%+"]]
    extraction = read([*labels, *words, *MORE])
    assert extraction.tables[0].header_rows == (1, 2)
    assert values(extraction, "deal_name")[:3] == ["Elm", "Alder", "Oak Plaza"]


def test_a_bold_deal_of_words_is_a_deal_and_is_named() -> None:
    """It looks like the header, but holds what deals do."""
    extraction = bold([PRICED, ["Elm Plaza", "Reno", "Call for offers", "6-7%"], *MORE], 1, 2)
    assert extraction.tables[0].header_rows == (1,)
    assert issues(extraction, "header.words")[0].cells == ("Sheet!A2",)


@pytest.mark.parametrize(
    "second",
    [
        [None, "($)", "(%)", "(SF)"],
        ["Name", "$000s", "%", "SF"],
        ["Name", "$000s", "Going-in", "Rentable"],
        ["Name", "Guidance", "Going-in", "Net"],
        ["(1)", "(2)", "(3)", "(4)"],
        ["1", "2", "3", "4"],
        ["Name", "2024", "2024", "2024"],
        ["Name", "12 months", "T-12", "Gross"],
        ["Name", "Market", "Market", "Market"],
        ["Asset Name", "Ask", "Going-in", "Rentable"],
    ],
)
def test_labels_of_units_times_and_sorts_of_amounts_are_no_deal(second: list[object]) -> None:
    """They say of what the amounts below are."""
    rest = [["Oak Plaza", 4_100_000, 0.06, 20_000], ["Fir Plaza", 1_450_000, 0.0725, 30_000], ["Ash", 1e6, 0.07, 9_000]]
    extraction = read([["Property", "Price", "Cap Rate", "Building SF"], second, *rest])
    spans = [(span.first, span.last, span.row_class) for span in extraction.census[0].rows]
    assert spans == [(1, 2, "header"), (3, 5, "record")]


def test_names_over_two_rows_stay_together() -> None:
    """Words that complete those above them are their second line."""
    extraction = read(
        [["Property", "Asking", "Year", "Cap", "Square"], ["Name", "Price", "Built", "Rate", "Feet"]]
        + [[f"Place {i}", 1e6 + i, 1990 + i, 0.06, 5000 + i] for i in range(4)]
    )
    assert extraction.tables[0].header_rows == (1, 2)
    assert len(values(extraction, "asking_price")) == 4


def test_a_second_row_as_bold_as_the_first_stays_header_and_is_named() -> None:
    """It looks like the header; that it might be a deal is said."""
    extraction = bold([LIST, ["Alpha Plaza", "by bid", "Retail", "Owl"], *REST], 1, 2)
    assert extraction.tables[0].header_rows == (1, 2)
    assert issues(extraction, "header.words")[0].cells == ("Sheet!A2",)


def test_a_first_deal_of_words_in_a_text_file_is_a_deal() -> None:
    """All values of a text file are text; numbers among them count as numbers."""
    extraction = read_csv("Property,City,Asking Price,Status\nAlpha,Reno,Auction,Active\nBeta,Waco,2000000,Active\n")
    assert values(extraction, "deal_name") == ["Alpha", "Beta"]


LABELLED = ["Property", "City", "Broker", "Status", "NOI", "Price"]
WORDED = [["Oak Plaza", "Reno", "Kite", "Active", None, None], ["Fir Plaza", "Elko", "Lark", "Active", None, None]]
PRICED_ONCE = [["Oak Plaza", "Reno", "Kite", "Active", 410_000, 6_100_000]]


@pytest.mark.parametrize(
    "second",
    [
        ["Name", None, None, None, "In place", "$"],
        ["Name", None, "Firm", "Stage", "2024", "USD"],
        ["Name", "TX", None, None, 2024, "-"],
        [None, None, None, None, "In place", "Asking"],
        ["Name", None, "Desk", None, "T-12", "'000"],
    ],
)
@pytest.mark.parametrize("rest", [WORDED, PRICED_ONCE])
def test_labels_under_the_header_are_no_first_deal(second: list[object], rest: list[list[object]]) -> None:
    """Where too few numbers below show the row to be a header, what it says does; a warning names it."""
    extraction = read([LABELLED, second, *rest])
    table = extraction.tables[0]
    assert (table.header_rows, list(table.records)) == ((1, 2), list(range(3, 3 + len(rest))))
    assert values(extraction, "deal_name") == [row[0] for row in rest]
    spans = [(span.first, span.last, span.row_class) for span in extraction.census[0].rows]
    assert spans == [(1, 1, "header"), (2, 2, "header"), (3, 2 + len(rest), "record")] or spans[0] == (1, 2, "header")
    assert issues(extraction, "header.words")


@pytest.mark.parametrize(
    "first",
    [
        ["Confidential", "Reno", "Kite", "Under contract", None, "Call for price"],
        ["Confidential", None, None, None, "TBD", "TBD"],
        ["Portfolio", "Various", None, "Active", None, "Unpriced"],
        ["Market Square", "Reno", "Owner", "Lead", None, "Market"],
        ["Number One Plaza", None, None, "Closed", None, None],
        ["Title Building", "Reno", "Broker", "Listed", None, None],
        [None, "Reno", None, "Active", None, "TBD"],
        ["Name withheld", "Reno", None, None, "In place", "TBD"],
    ],
)
@pytest.mark.parametrize("rest", [WORDED, PRICED_ONCE])
def test_a_deal_of_few_words_under_the_header_stays_a_deal(first: list[object], rest: list[list[object]]) -> None:
    """Words for no value, and names, label nothing."""
    extraction = read([LABELLED, first, *rest])
    assert list(extraction.tables[0].records) == list(range(2, 3 + len(rest)))
