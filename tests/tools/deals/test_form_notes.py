"""What titles over forms state: scale, currency and unit of areas, each for the form below it."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import Rows, read

SQM = 10.763910416709722


def form(name: str, city: str, area: float, price: float) -> list[list[object]]:
    """A property in labels and values."""
    return [["Property Name", name], ["City", city], ["Area", area], ["Asking Price", price], ["NOI", price / 16]]


US, DE = form("Heron Point", "Tampa", 12_000, 3_400_000), form("Haus Eins", "Berlin", 2_200, 5_400_000)


def read_forms(rows: Rows) -> list[tuple[object, object, object, str | None]]:
    """Name, area in SF, price and its currency of each form."""
    found: list[tuple[object, object, object, str | None]] = []
    for table in read(rows).tables:
        held = {c.field: c for c in table.columns}
        price = held["asking_price"]
        found.append(
            (held["deal_name"].values[0], round(held["building_sf"].values[0]), price.values[0], price.currency)
        )
    return found


def beside(left: Rows, right: Rows) -> Rows:
    """Two forms side by side, a blank column between."""
    return [[*a, None, *b] for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize(
    "rows",
    [
        [
            ["Heron ($ in thousands)"],
            *form("Heron Point", "Tampa", 12_000, 3_400),
            [],
            ["Haus (EUR in millions; sqm)"],
            *form("Haus Eins", "Berlin", 2_200, 5.4),
        ],
        [["US property ($)"], *US, [], ["German property (EUR, areas in sqm)"], *DE],
        [["Heron ($)", None, None, "Haus (EUR; sqm)"], *beside(US, DE)],
        [
            ["Heron ($ in thousands)", None, None, "Haus (EUR in millions; sqm)"],
            *beside(form("Heron Point", "Tampa", 12_000, 3_400), form("Haus Eins", "Berlin", 2_200, 5.4)),
        ],
    ],
)
def test_each_form_has_what_its_own_title_states(rows: Rows) -> None:
    """One below the other, and side by side."""
    assert read_forms(rows) == [
        ("Heron Point", 12_000, 3_400_000, "USD"),
        ("Haus Eins", round(2_200 * SQM), 5_400_000, "EUR"),
    ]


def test_one_form_has_its_areas_in_the_unit_of_its_title() -> None:
    """As a list has."""
    rows: Rows = [["German property (areas in sqm)"], *DE]
    assert read_forms(rows) == [("Haus Eins", round(2_200 * SQM), 5_400_000, None)]


def test_a_title_of_a_later_form_is_not_about_the_one_before() -> None:
    """Which has none: its amounts are in full."""
    rows: Rows = [*US, [], ["Haus (EUR in millions)"], *form("Haus Eins", "Berlin", 2_200, 5.4)]
    assert read_forms(rows) == [("Heron Point", 12_000, 3_400_000, None), ("Haus Eins", 2_200, 5_400_000, "EUR")]


def test_a_note_over_all_forms_holds_where_their_titles_say_nothing_else() -> None:
    """The titles add the currency; the name of one form says nothing of the next."""
    second = form("Haus Zwei", "Bonn", 2_200, 6_400_000)
    noted: Rows = [["All areas in sqm"], [], ["Haus (EUR)"], *DE, [], ["Casa (CHF)"], *second]
    assert read_forms(noted) == [
        ("Haus Eins", round(2_200 * SQM), 5_400_000, "EUR"),
        ("Haus Zwei", round(2_200 * SQM), 6_400_000, "CHF"),
    ]
    named: Rows = [["German property (areas in sqm)"], *DE, [], ["US property ($)"], *US]
    assert [area for _, area, _, _ in read_forms(named)] == [round(2_200 * SQM), 12_000]
