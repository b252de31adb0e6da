"""Notes under the parts of a table: about the part over them, not the one below."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import Rows, read

HEADER = ["Property", "City", "Sale Price", "Building SF"]
FIRST: Rows = [HEADER, ["Heron Point", "Tampa", 4_500, 32_000], ["Cedar Hollow", "Macon", 7_250, 48_500]]
SECOND: Rows = [HEADER, ["Mill Yard", "Leeds", 4.1, 15_000], ["Dock Gate", "York", 6.2, 25_000]]
THIRD: Rows = [HEADER, ["Haus Eins", "Bonn", 4_300_000, 15_000], ["Haus Zwei", "Trier", 6_400_000, 25_000]]
OTHER: Rows = [
    ["Property", "Town", "Year Built", "Sale Price"],
    ["Mill Yard", "Leeds", 1990, 4.1],
    ["Gate", "York", 1995, 6.2],
]


def prices(rows: Rows) -> list[tuple[str | None, list[object]]]:
    """The currency and the prices of each table."""
    return [(c.currency, list(c.values)) for t in read(rows).tables for c in t.columns if c.field == "sale_price"]


@pytest.mark.parametrize(
    "rows",
    [
        [*FIRST, [], ["Note: $ in thousands"], [], [], *SECOND, [], ["Note: £ in millions"]],
        [*FIRST, ["$ in thousands"], [], *SECOND, ["£ in millions"]],
        [*FIRST, ["$ in thousands"], *SECOND, ["£ in millions"]],
        [["US"], *FIRST, ["$ in thousands"], ["UK"], *SECOND, ["£ in millions"]],
        [*FIRST, [], ["Note: $ in thousands"], [], [], *OTHER, [], ["Note: £ in millions"]],
    ],
)
def test_a_note_under_each_part_is_about_the_part_over_it(rows: Rows) -> None:
    """Touching it, or behind an empty row, with or without a title to the next."""
    assert prices(rows) == [("USD", [4_500_000, 7_250_000]), ("GBP", [4_100_000, 6_200_000])]


def test_the_last_part_is_in_full_where_its_note_states_no_scale() -> None:
    """Only the currency goes with it."""
    rows: Rows = [*FIRST, ["$ in thousands"], [], *SECOND, ["£ in millions"], [], *THIRD, ["Amounts in EUR"]]
    assert prices(rows)[1:] == [("GBP", [4_100_000, 6_200_000]), ("EUR", [4_300_000, 6_400_000])]


def test_notes_on_top_of_parts_stay_theirs_whatever_stands_below_the_last() -> None:
    """A note under the last table that states nothing makes no footnotes of them."""
    rows: Rows = [["$ in thousands"], *FIRST, [], ["£ in millions"], *SECOND, [], ["Note: unaudited"]]
    assert prices(rows) == [("USD", [4_500_000, 7_250_000]), ("GBP", [4_100_000, 6_200_000])]


@pytest.mark.parametrize("gap", [[["All amounts above in $ thousands"]], [[], ["All figures above are in $000s"], []]])
def test_a_note_on_all_amounts_above_says_nothing_of_those_below(gap: Rows) -> None:
    """Which are in full, whether it touches them or not."""
    assert [values for _, values in prices([*FIRST, *gap, *THIRD])] == [[4_500_000, 7_250_000], [4_300_000, 6_400_000]]
