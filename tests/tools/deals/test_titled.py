"""A property whose name is the title over its sheet of labels and values."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import issues, read

BLOCK: list[list[object]] = [
    ["City", "Reno"],
    ["State", "NV"],
    ["Asking Price", 12_500_000],
    ["NOI", 700_000],
    ["Cap Rate", 0.056],
    ["Building SF", 50_000],
]
NAME = "Heron Point Apartments"


@pytest.mark.parametrize(
    ("titles", "row"),
    [
        ([NAME], 1),
        ([NAME, None], 1),
        (["Offering Summary", NAME, None], 2),
        ([f"Investment Memorandum: {NAME}", None], 1),
        ([f"{NAME} - 1 Dock Street, Reno, NV", "($ in USD)", None], 1),
        (["Marlow Realty presents", NAME, "As of March 31, 2026", None], 2),
    ],
)
def test_the_title_names_a_property_that_no_label_names(titles: list[str | None], row: int) -> None:
    """It is cited at the title's cell, told, and its deal is warned of it."""
    extraction = read([*([title] for title in titles), *BLOCK])
    (deal,) = extraction.deals()
    assert (deal.fields["deal_name"].value, deal.fields["deal_name"].cell) == (NAME, f"Deals!A{row}")
    assert deal.fields["deal_name"].raw == titles[row - 1]
    assert issues(extraction, "name.title")[0].cells == (f"Deals!A{row}",)
    assert "name.title: deal_name" in deal.warnings
    assert not issues(extraction, "table.no_deals")


def test_a_name_of_its_own_outranks_the_title() -> None:
    """The label says what the property is called."""
    extraction = read([[NAME], [None], ["Property Name", "Cedar Hollow"], *BLOCK])
    assert next(iter(extraction.deals())).fields["deal_name"].value == "Cedar Hollow"
    assert not issues(extraction, "name.title")


@pytest.mark.parametrize(
    "titles", [["Offering Summary"], ["Acquisition Model Assumptions"], [NAME, "Copper Bank NA"], []]
)
def test_what_is_no_name_or_one_of_two_names_nothing(titles: list[str]) -> None:
    """Nothing is guessed: the sheet then lists no deals, as it is said."""
    extraction = read([*([title] for title in titles), [None], *BLOCK])
    assert not extraction.deal_count
    assert issues(extraction, "table.no_deals")


def test_a_block_without_a_place_takes_no_name_from_its_title() -> None:
    """A model's inputs have titles too."""
    assert not read([[NAME], [None], *BLOCK[2:], ["Exit Cap Rate", 0.06], ["Hold Period", 5]]).deal_count
