"""A city with its state in one cell is told apart; what is no such pair stays as it is."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from schemas.workbook import Overrides
from tests.tools.deals.books import column, deal, issues, read, values

TOWNS = ["Austin, TX", "St. Paul, MN", "Washington, D.C."]


def located(header: str, places: list[str], overrides: Overrides | None = None) -> Extraction:
    """Three deals with their places under `header`."""
    rows = [[f"Place {i}", place, 1_000_000 * (i + 1), 0.06] for i, place in enumerate(places)]
    return read([["Property", header, "Purchase Price", "Cap Rate"], *rows], overrides=overrides)


@pytest.mark.parametrize("header", ["City, State", "City/State", "City, ST", "City", "Location"])
def test_a_city_and_its_state_in_one_cell_are_two_fields_of_that_cell(header: str) -> None:
    """Each names the cell and what it holds; the currency follows from the states."""
    extraction = located(header, TOWNS)
    assert values(extraction, "city") == ["Austin", "St. Paul", "Washington"]
    assert values(extraction, "state") == ["TX", "MN", "DC"]
    state = deal(extraction).fields["state"]
    assert (state.cell, state.raw) == ("Deals!B2", "Austin, TX")
    assert column(extraction, "price").currency == "USD"
    assert issues(extraction, "column.split")[0].cells == ("Deals!B1",)


def test_a_zip_code_behind_them_is_a_field_as_well() -> None:
    """With its leading zeros."""
    extraction = located("City, State, Zip", ["Austin, TX 78701", "Salem, MA 01970", "Reno, NV 89501"])
    assert values(extraction, "postal_code") == ["78701", "01970", "89501"]


@pytest.mark.parametrize("places", [["Austin, TX", "Plano", "Reno, NV"], ["Paris, FR", "Lyon, FR", "Bonn, DE"]])
def test_a_column_that_is_not_all_pairs_stays_whole(places: list[str]) -> None:
    """One town without a state, or states that are none."""
    extraction = located("City", places)
    assert values(extraction, "city") == places
    assert extraction.tables[0].column_of("state") is None


def test_a_market_that_somebody_settled_stays_one() -> None:
    """What a person said is not told apart."""
    extraction = located("Location", TOWNS, Overrides(fields={("t1", "B"): "market"}))
    assert values(extraction, "market") == TOWNS
