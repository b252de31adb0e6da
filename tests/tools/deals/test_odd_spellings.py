"""Headers, labels, dates and signs as some people and programs write them."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import issues, listed, read, values


@pytest.mark.parametrize(
    ("header", "field", "held"),
    [
        ("N.O.I.", "noi", [60_000, 120_000]),
        ("N.O.I", "noi", [60_000, 120_000]),
        ("Bldg. S.F.", "building_sf", [10_000, 20_000]),
        ("D.S.C.R.", "dscr", [1.25, 1.4]),
        ("Price P.S.F.", "price_per_sf", [100, 200]),
    ],
)
def test_initials_with_dots_are_the_word_without_them(header: str, field: str, held: list[float]) -> None:
    """Whether the last has a dot or not."""
    assert values(listed(held, header), field) == held


def test_measures_are_no_market() -> None:
    """An area with its unit is a size, each in its own."""
    extraction = listed(["1000 sq m", "2,000 sq yds", "3,000 sf"], "Area")
    assert values(extraction, "building_sf") == pytest.approx([10763.91, 18_000, 3000], rel=1e-6)
    assert extraction.tables[0].column_of("market") is None


def test_dates_with_dots_are_not_read_by_those_with_slashes() -> None:
    """Slashes put the month first; the dots of 05.03.24 put the day first, which is told with its cell."""
    rows = [["Property", "City", "Asking Price", "Lease Expiry", "Sale Date"]]
    sales = ["05.03.24", "20240305", "5-Mar-24"]
    rows += [[f"Place {at}", "Reno", 2e6, f"3/{at + 15}/2030", sale] for at, sale in enumerate(sales)]
    extraction = read(rows)
    assert [str(day) for day in values(extraction, "sale_date")] == ["2024-03-05"] * 3
    assert issues(extraction, "date.day_first")[0].cells == ("Deals!E2",)
    assert [
        str(day) for day in values(listed(["3/15/2024", "12.31.2023", "02.01.2024"], "Sale Date"), "sale_date")
    ] == [
        "2024-03-15",
        "2023-12-31",
        "2024-02-01",
    ]


@pytest.mark.parametrize(
    "text",
    ["＄3,000,000", "＄３，０００，０００", "\u202a$3,000,000\u202c", "$\u20663,000,000\u2069", "\u202d$3,000,000"],
)
def test_wide_signs_and_marks_of_direction_change_no_amount(text: str) -> None:
    """Nobody sees the marks, and a wide sign is the sign."""
    extraction = listed([text, text, "$4,000,000"], "Asking Price")
    assert values(extraction, "asking_price") == [3_000_000, 3_000_000, 4_000_000]
    assert {deal.fields["asking_price"].currency for deal in extraction.deals()} == {"USD"}
    assert values(read([["Property", "City", "Asking Price"], ["Heron Point", "Reno", text]]), "asking_price") == [3e6]


def test_a_label_without_a_value_takes_no_other_label_for_it() -> None:
    """What stands behind the gap is the label of the next value."""
    rows = [["Property", None, "Cap Rate", 0.06], ["Address", "1 Dock Street", "City", "Reno"]]
    rows += [["Price", 12_500_000, "NOI", 750_000], ["Units", 12, "Occupancy", 0.9]]
    found = next(iter(read(rows).deals())).fields
    assert found["cap_rate"].value == 0.06
    assert "deal_name" not in found
