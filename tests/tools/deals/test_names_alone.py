"""Deals of which only the name is known, among headings of sections: told by look or words, else by an issue."""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence

import pytest
from openpyxl import Workbook
from openpyxl.styles import Font

from schemas.deal import Extraction
from tests.tools.deals.books import issues, read, values
from tools.deals.extract import extract

HEADER = ["Deal", "Market", "Price", "Units"]
IVY = [["Ivy Flats", "Tampa", 32_000_000, 210], ["Jade Park", "Orlando", 41_500_000, 288]]
KITE = [["Kite Hill", "Macon", 21_000_000, 110], ["Lark Row", "Mobile", 11_500_000, 88]]


def bold(rows: Sequence[Sequence[object]], texts: Collection[str]) -> Extraction:
    """The extraction of a sheet of `rows`, in which the cells with `texts` are bold."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(list(row))
    for cell in (cell for row in sheet.iter_rows() for cell in row if cell.value in texts):
        cell.font = Font(bold=True)
    packed = io.BytesIO()
    book.save(packed)
    return extract(packed.getvalue(), "deals.xlsx")


def sections(extraction: Extraction) -> list[str | None]:
    """The section of each record of the first table."""
    return list(extraction.tables[0].sections)


def test_names_among_stages_are_deals() -> None:
    """The stages are called as such, and names are not; that they are taken for deals is said."""
    extraction = read([HEADER, ["Lead"], ["Nest Court"], ["Olive Row"], ["LOI"], *IVY, ["Fox Landing"]])
    assert values(extraction, "deal_name") == ["Nest Court", "Olive Row", "Ivy Flats", "Jade Park", "Fox Landing"]
    assert sections(extraction) == ["Lead", "Lead", "LOI", "LOI", "LOI"]
    assert [issue.cells for issue in issues(extraction, "record.name_only")] == [("Deals!A3", "Deals!A4", "Deals!A8")]


def test_names_that_look_like_other_names_are_deals_where_headings_are_bold() -> None:
    """Whatever the headings say."""
    rows = [HEADER, ["Gulf Coast"], ["Nest Court"], ["Olive Row"], ["Inland"], *IVY, ["Fox Landing"]]
    extraction = bold(rows, {"Gulf Coast", "Inland"})
    assert values(extraction, "deal_name") == ["Nest Court", "Olive Row", "Ivy Flats", "Jade Park", "Fox Landing"]
    assert sections(extraction) == ["Gulf Coast", "Gulf Coast", "Inland", "Inland", "Inland"]


@pytest.mark.parametrize("names", [[["Fox Landing"]], [["Fox Landing"], ["Gale Square"]]])
@pytest.mark.parametrize("total", [[], [["Total", None, 73_500_000, 498]]])
def test_names_that_end_a_list_are_named(names: list[list[object]], total: list[list[object]]) -> None:
    """Nothing tells whether they are deals, headings or notes."""
    extraction = read([HEADER, *IVY, *total, *names])
    first = 4 + len(total)
    cells = tuple(f"Deals!A{first + at}" for at in range(len(names)))
    assert [issue.cells for issue in issues(extraction, "section.empty")] == [cells]


@pytest.mark.parametrize(
    "rows",
    [
        [["Lead"], *IVY, ["LOI"], *KITE],
        [["Lead"], ["LOI"], *IVY, ["Closed"], *KITE, ["Dead Deals"]],
        [["Gulf Coast"], *IVY, ["Inland"], *KITE],
    ],
)
def test_headings_of_sections_stay_headings(rows: list[list[object]]) -> None:
    """A stage without deals is no deal, and nothing to speak of."""
    extraction = read([HEADER, *rows])
    assert values(extraction, "deal_name") == ["Ivy Flats", "Jade Park", "Kite Hill", "Lark Row"]
    assert not issues(extraction, "section.empty") + issues(extraction, "record.name_only")


@pytest.mark.parametrize("note", ["Broker to confirm", "Confidential", "Prices as of May 2025", "Notes:"])
def test_notes_below_stages_are_no_deals(note: str) -> None:
    """They read like none."""
    assert len(values(read([HEADER, ["Lead"], *IVY, ["LOI"], *KITE, [note]]), "deal_name")) == 4


@pytest.mark.parametrize("inner", [("Lead", "LOI"), ("Lead", "Lead")])
def test_headings_over_headings_stay_what_they_are(inner: tuple[str, str]) -> None:
    """States over stages."""
    extraction = read([HEADER, ["Florida"], [inner[0]], *IVY, ["Georgia"], [inner[1]], *KITE])
    assert values(extraction, "deal_name") == ["Ivy Flats", "Jade Park", "Kite Hill", "Lark Row"]


@pytest.mark.parametrize("column", [1, 2, 3])
@pytest.mark.parametrize("remark", ["2 assets", "(3 deals)"])
def test_counts_of_deals_beside_a_heading_make_no_deal_of_it(column: int, remark: str) -> None:
    """Whatever column they stand in, and whether they are right."""
    heads = [[name, *[None] * (column - 1), remark] for name in ("Gulf Coast", "Inland")]
    extraction = read([HEADER, heads[0], *IVY, heads[1], *KITE])
    assert values(extraction, "deal_name") == ["Ivy Flats", "Jade Park", "Kite Hill", "Lark Row"]
    assert sections(extraction) == ["Gulf Coast", "Gulf Coast", "Inland", "Inland"]


def test_a_currency_in_a_column_of_currencies_heads_nothing() -> None:
    """A deal of which only that is known stays a deal."""
    rows = [[*HEADER, "Currency"], *([*row, "USD"] for row in IVY), ["Nest Court", None, None, None, "GBP"]]
    extraction = read([*rows, *([*row, "USD"] for row in KITE)])
    assert values(extraction, "deal_name") == ["Ivy Flats", "Jade Park", "Nest Court", "Kite Hill", "Lark Row"]


def test_a_name_of_the_word_that_all_names_begin_with_is_a_deal() -> None:
    """Nothing else is known of it, which is said; a heading that the names below it go on stays one."""
    falcon, jay = ["Project Falcon", "Reno", 12_000_000, 110], ["Project Jay", "Waco", 8_000_000, 90]
    extraction = read([HEADER, falcon, ["Project Kite"], jay])
    assert values(extraction, "deal_name") == ["Project Falcon", "Project Kite", "Project Jay"]
    assert sections(extraction) == [None] * 3
    assert [issue.cells for issue in issues(extraction, "record.name_only")] == [("Deals!A3",)]
    phases = [["Project Jay"], ["Project Jay I", *jay[1:]], ["Project Jay II", *falcon[1:]]]
    assert sections(read([HEADER, *phases])) == ["Project Jay"] * 2
