"""Deals that stand in more than one table of a workbook, and records that only look identical."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.deal import Extraction
from tests.tools.deals.books import DEALS, HEADER, Rows, issues, read, xlsx
from tools.deals.extract import extract

SHORT = ["Property", "City", "Sale Price", "SF"]
SOLD: Rows = (["Alder", "Tulsa", 4_500_000, 32_000], ["Birch", "Norman", 7_250_000, 48_500])


def book(sheets: Mapping[str, Rows]) -> Extraction:
    """The extraction of a workbook of several sheets."""
    return extract(xlsx(sheets), "book.xlsx")


def forms(*more: list[object]) -> dict[str, Rows]:
    """A list of the deals, and a sheet of labels and values for each with the same values and `more`."""
    fields = ["Property", "City", "Asking Price", "NOI", "Building SF"]
    rows = [[deal[0], deal[2], deal[4], deal[5], deal[7]] for deal in DEALS[:3]]
    each: dict[str, Rows] = {
        f"Form {at}": [*map(list, zip(fields, row, strict=True)), *more] for at, row in enumerate(rows)
    }
    return {"Summary": [fields, *rows], **each}


def test_forms_that_say_nothing_but_what_a_list_says_are_no_deals_of_their_own() -> None:
    """The list's records stay; an issue for each form says which table it repeats."""
    extraction = book(forms())
    assert [table.sheet for table in extraction.tables] == ["Summary"]
    assert sum("repeats a deal of t1" in issue.message for issue in extraction.issues) == 3


def test_forms_that_say_more_than_the_list_stay_and_are_named_once() -> None:
    """One issue names the list and the forms, with the cells of both."""
    extraction = book(forms(["Year Built", 1988]))
    assert extraction.deal_count == 6
    (found,) = issues(extraction, "double.table")
    assert found.severity == "warning"
    assert found.cells[:2] == ("Summary!A2", "Form 0!B1")
    assert len(found.cells) == 6


def test_a_form_with_another_price_than_the_list_stays_and_is_named() -> None:
    """Nobody can tell which of the two prices holds."""
    sheets = forms()
    sheets["Form 1"] = [[label, 5_000_000 if label == "Asking Price" else value] for label, value in sheets["Form 1"]]
    extraction = book(sheets)
    assert extraction.deal_count == 4
    assert issues(extraction, "double.table")[0].cells == ("Summary!A3", "Form 1!B1")


def test_two_versions_of_a_list_are_named() -> None:
    """One price changed, so the second is no copy; names are compared without case and punctuation."""
    changed = [["ALDER.", "Tulsa", 4_600_000, 32_000], SOLD[1]]
    extraction = book({"v1": [SHORT, *SOLD], "v2": [SHORT, *changed]})
    assert extraction.deal_count == 4
    assert issues(extraction, "double.table")[0].cells == ("v1!A2", "v2!A2", "v1!A3", "v2!A3")


def test_many_months_of_one_list_make_one_issue() -> None:
    """Each month changes a price; the warning does not grow with the months."""
    months = {
        f"Month {at}": [
            SHORT,
            ["Alder", "Tulsa", 4_500_000 + at, 32_000],
            *SOLD[1:],
            ["Cedar", "Ada", 9e6 + at, 50_000],
        ]
        for at in range(12)
    }
    (found,) = issues(book(months), "double.table")
    assert "33 deals" in found.message
    assert len(found.cells) <= 50


def test_the_same_addresses_under_other_names_are_named() -> None:
    """Neither name nor amount is shared."""
    renamed = [[f"Asset {at}", deal[1], deal[2], 1990 + at, 7 + at] for at, deal in enumerate(DEALS)]
    sheets = {
        "Deals": [HEADER, *DEALS],
        "Stock": [["Property Name", "Address", "City", "Year Built", "Units"], *renamed],
    }
    assert issues(book(sheets), "double.table")[0].cells[:2] == ("Deals!A2", "Stock!A2")


def test_tables_that_share_a_name_or_a_street_only_are_not_named() -> None:
    """A name with other amounts, an address in another city, and one deal of many are no doubles."""
    others = [["Alder", "Reno", 1_000_001, 11_000], ["Oak", "Elko", 2_000_002, 22_000], ["Fir", "Ely", 3e6, 33_000]]
    assert not issues(book({"A": [SHORT, *SOLD], "B": [SHORT, *others]}), "double.table")
    assert not issues(book({"A": [SHORT, *SOLD, *others], "B": [SHORT, SOLD[0], *EXTRA]}), "double.table")
    places = [[f"Place {at}", deal[1], "Boise", 10, 5_000_000 + at] for at, deal in enumerate(DEALS)]
    elsewhere = [["Property Name", "Address", "City", "Units", "Asking Price"], *places]
    assert not issues(book({"Deals": [HEADER, *DEALS], "Else": elsewhere}), "double.table")


EXTRA: Rows = (["Elm", "Lawton", 8_100_000, 61_000], ["Yew", "Moore", 6_300_000, 44_000])


def test_formulas_without_stored_values_are_not_identical_records() -> None:
    """What they were worked out to tells them apart; where that is the same, they are identical."""
    copied = [[f"=Data!{letter}{row}" for letter in "ABCD"] for row in (2, 3)]
    extraction = book({"Data": [SHORT, *SOLD], "Print": [SHORT, *copied]})
    assert not issues(extraction, "double.record")
    assert issues(extraction, "double.table")
    again = book({"Data": [SHORT, *SOLD], "Print": [SHORT, *copied, copied[0]]})
    assert issues(again, "double.record")[0].cells == ("Print!A2", "Print!A4")
    assert issues(read([HEADER, *DEALS, DEALS[0]]), "double.record")
