"""Sheets of very many small tables: read whole in little time, or not at all, and that is told."""

from __future__ import annotations

import time

import pytest

from tests.tools.deals.books import Rows, issues, read, xlsx
from tools.deals import crowded
from tools.deals.extract import extract

_FORMS = 450


def forms(count: int) -> Rows:
    """`count` forms of one property each, a blank row between them."""
    return [
        row
        for n in range(count)
        for row in (
            ["Property:", f"Maple Court {n}"],
            ["City:", "Austin"],
            ["Sale Price:", 1_000_000 + n * 1000],
            ["Cap Rate:", 0.05],
            ["Units:", 10 + n % 90],
            [],
        )
    ]


def lists(count: int) -> Rows:
    """`count` lists of two deals, each with a header of its own."""
    return [
        row
        for n in range(count)
        for row in (
            ["Property", "City", "Sale Price", f"Remark {n}"],
            [f"Oak Plaza {n}", "Waco", 2_000_000 + n, 7],
            [f"Elm Tower {n}", "Plano", 3_000_000 + n, 8],
            [],
        )
    ]


def test_hundreds_of_forms_on_one_sheet_are_read_whole_in_little_time() -> None:
    """Each form is a deal with its own price; what is done once a sheet is not done once a form."""
    data = xlsx({"Forms": forms(_FORMS)})
    began = time.process_time()
    extraction = extract(data, "deals.xlsx")
    assert time.process_time() - began < 12
    assert [deal.fields["sale_price"].value for deal in extraction.deals()] == [
        1_000_000 + n * 1000 for n in range(_FORMS)
    ]


@pytest.mark.parametrize("rows", [forms(4), lists(4)], ids=["forms", "lists"])
def test_a_sheet_of_more_tables_than_are_read_gives_none_and_says_so(
    rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its tables is told with what to do; at the bound itself all are read."""
    bounds = ("_MOST_FORMS", "_MOST_LISTS")
    for bound in bounds:
        monkeypatch.setattr(crowded, bound, 4)
    assert read(rows).deal_count
    for bound in bounds:
        monkeypatch.setattr(crowded, bound, 3)
    extraction = read(rows)
    told = issues(extraction, "table.no_deals")
    assert extraction.deal_count == 0
    assert len(told) == 4
    assert all("spread them over several sheets" in issue.message for issue in told)
