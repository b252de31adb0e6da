"""Stated totals are held against the values as people corrected them."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction, Issue
from tests.tools.deals.books import issues, read
from tools.deals.document import dump, load
from tools.deals.pins import apply_pins, read_pin

HEADER = ["Property", "City", "Area (m²)", "Sale Price ($000s)", "NOI"]
NORTH = [["Heron Point", "Tampa", 1000, 1000, 60_000], ["Cedar Hollow", "Macon", 2000, 2000, 130_000]]
SOUTH = [["Union Yard", "Mobile", 3000, 3000, 190_000], ["Prairie Hub", "Joliet", 4000, 4000, 250_000]]
SUMS = [
    ["Subtotal", None, 3000, 3000, 190_000],
    ["Subtotal", None, 7000, 7000, 440_000],
    ["Total", None, 10_000, 10_000, 630_000],
]


def book(price: int = 1000) -> Extraction:
    """Two groups with their totals, the first price as given."""
    first = [*NORTH[0][:3], price, NORTH[0][4]]
    return read([HEADER, first, NORTH[1], SUMS[0], *SOUTH, SUMS[1], SUMS[2]])


def pinned(extraction: Extraction, *texts: str) -> Extraction:
    """The extraction with corrections."""
    pins = tuple(read_pin(extraction, text, "per the seller", "analyst@example.com", "2026-03-01") for text in texts)
    return apply_pins(extraction, pins)


def mismatches(extraction: Extraction) -> list[tuple[str, str | None, str | None]]:
    """Cell, expected and found of each total that does not foot."""
    found: list[Issue] = issues(extraction, "total.mismatch")
    return [(issue.cells[0], issue.expected, issue.found) for issue in found]


def test_a_correction_that_breaks_a_sum_raises_its_subtotal_and_its_grand_total() -> None:
    """In the sheet's own unit: the pin is in dollars, the totals in thousands."""
    extraction = book()
    assert mismatches(extraction) == []
    wrong = pinned(extraction, "Deals!2.sale_price=1500000")
    assert mismatches(wrong) == [("Deals!D4", "3,500", "3,000"), ("Deals!D8", "10,500", "10,000")]


def test_a_correction_that_mends_a_sum_takes_its_issues_away() -> None:
    """A price typed wrong under totals that are right."""
    extraction = book(price=100)
    assert mismatches(extraction) == [("Deals!D4", "2,100", "3,000"), ("Deals!D8", "9,100", "10,000")]
    mended = pinned(extraction, "Deals!2.sale_price=1000000")
    assert mismatches(mended) == []
    again = pinned(mended, "Deals!2.sale_price=100000")
    assert mismatches(again) == mismatches(extraction)


@pytest.mark.parametrize(("value", "foots"), [("1000500", True), ("1004000", False), ("", False)])
def test_corrections_have_the_tolerance_of_the_file(value: str, foots: bool) -> None:
    """$1.00 or 0.1 %; a value that is taken out counts as none."""
    assert (mismatches(pinned(book(), f"Deals!2.sale_price={value}")) == []) is foots


def test_totals_in_another_unit_are_compared_in_it() -> None:
    """Square metres in the sheet, square feet in the pin."""
    assert mismatches(pinned(book(), "Deals!2.building_sf=10763.91")) == []
    wrong = pinned(book(), "Deals!2.building_sf=21527.82")
    assert [cell for cell, _, _ in mismatches(wrong)] == ["Deals!C4", "Deals!C8"]
    assert mismatches(wrong)[0][1:] == ("4,000", "3,000")


def test_totals_are_kept_in_the_archive() -> None:
    """A later correction, on what was stored, still finds them."""
    made = book()
    stored = load(dump(made))
    assert stored == made
    assert mismatches(pinned(stored, "Deals!2.noi=90000"))[0] == ("Deals!E4", "220,000", "190,000")


def test_a_correction_of_a_field_that_no_total_sums_changes_no_total() -> None:
    """A city, a name."""
    assert pinned(book(price=100), "Deals!2.city=Reno").tables[0].totals == book(price=100).tables[0].totals
    assert mismatches(pinned(book(price=100), "Deals!2.city=Reno")) == mismatches(book(price=100))
