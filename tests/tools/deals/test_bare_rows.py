"""Rows with a label and figures only among deals: heads of groups, summaries, conclusions, contacts, or deals."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import Rows, issues, read, values

HEADER = ["Property", "City", "Sale Price", "Cap Rate", "SF"]
SHOPS: Rows = [
    ["Alder Court", "Tulsa", 4_500_000, 0.0625, 32_000],
    ["Birch Court", "Norman", 7_250_000, 0.059, 48_500],
    ["Cedar Court", "Edmond", 3_100_000, 0.071, 21_000],
]
TOWERS: Rows = [["Dog House", "Tulsa", 12_800_000, 0.0545, 96_000], ["Elm House", "Moore", 2_650_000, 0.068, 17_400]]
NAMES = [str(row[0]) for row in (*SHOPS, *TOWERS)]


def grouped(first: list[object], second: list[object], *, above: bool = True) -> Extraction:
    """The deals in two groups, each with its row above or below it."""
    rows = [first, *SHOPS, second, *TOWERS] if above else [*SHOPS, first, *TOWERS, second]
    return read([HEADER, *rows])


def classes(extraction: Extraction) -> list[str]:
    """The class of each row that is left out."""
    return [s.row_class for s in extraction.tables[0].excluded_rows for _ in range(s.first, s.last + 1)]


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "row_class"),
    [
        (["Retail", None, 14_850_000], ["Office", None, 15_450_000], "total"),
        (["North Side", None, 14_850_000], ["South Side", None, 15_450_000], "total"),
        (["North Side", None, 14_850_000, 0.0642, 101_500], ["South Side", None, 15_450_000, 0.0613, 113_400], "total"),
        (["Retail", None, None, 0.0642], ["Office", None, None, 0.0613], "section"),
        (["North Side", None, None, 0.06257], ["South Side", None, None, 0.05682], "section"),
        (["North Side", 3], ["South Side", 2], "section"),
        (["North Side", "3 deals"], ["South Side", "2 deals"], "section"),
    ],
)
def test_rows_with_the_figures_of_their_groups_are_no_deals(
    first: list[object], second: list[object], row_class: str, above: bool
) -> None:
    """Sums, means, means weighted by price, and counts, over the deals or under them; those over them name them."""
    extraction = grouped(first, second, above=above)
    assert values(extraction, "deal_name") == NAMES
    assert classes(extraction) == [row_class] * 2
    named = [str(first[0])] * 3 + [str(second[0])] * 2
    assert [deal.section for deal in extraction.deals()] == (named if above else [None] * 5)
    assert not [i for i in extraction.issues if i.severity != "info"]


def test_heads_of_groups_that_blank_rows_part_are_no_deals() -> None:
    """Nor where a total closes the list."""
    rows = [["North Side", None, 14_850_000], *SHOPS, [], ["South Side", None, 15_450_000], *TOWERS]
    extraction = read([HEADER, *rows, ["Total", None, 30_300_000]])
    assert values(extraction, "deal_name") == NAMES
    assert [deal.section for deal in extraction.deals()] == ["North Side"] * 3 + ["South Side"] * 2
    assert not [i for i in extraction.issues if i.severity != "info"]


def test_heads_of_groups_in_a_list_of_numbers_alone_are_no_deals() -> None:
    """Nothing but their blanks and their sums tells them."""
    rows = [["Retail", None, 14_850_000], *SHOPS, ["Office", None, 15_450_000], *TOWERS]
    bare = [[row[0], *row[2:]] for row in (HEADER, *rows)]
    assert values(read(bare), "deal_name") == NAMES


def test_types_of_property_with_wrong_sums_are_heads_and_told() -> None:
    """Nobody names deals Retail and Office, whatever their figures are."""
    extraction = grouped(["Retail", None, 14_900_000], ["Office", None, 15_450_000])
    assert values(extraction, "deal_name") == NAMES
    assert [i.cells for i in issues(extraction, "total.mismatch")] == [("Deals!C2",)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["North Side", None, 14_900_000], ["South Side", None, 15_450_000]),
        (["North Side", None, None, 0.0642], ["South Side", None, None, 0.0543]),
        (["North Side", 4], ["South Side", 2]),
        (["Land", None, 5_100_000], ["Retail", None, 6_300_000]),
        (["Fir Court", None, 5_100_000], ["Gum Court", None, 6_300_000]),
        (["Fir Court", "Ada", 14_850_000], ["Gum Court", "Ada", 15_450_000]),
    ],
)
def test_deals_of_which_little_is_known_stay_deals(first: list[object], second: list[object]) -> None:
    """Their figures are none of the deals around them, or they have a city of their own."""
    assert grouped(first, second).deal_count == 7


@pytest.mark.parametrize("label", ["Retail Subtotal", "Retail Subtotals", "Sous-total Retail", "Zwischensumme Retail"])
def test_a_wrong_subtotal_named_behind_its_group_is_a_total_and_told(label: str) -> None:
    """Fifty thousand too much."""
    extraction = read([HEADER, *SHOPS, [label, None, 14_900_000, None, 101_500], *TOWERS])
    assert values(extraction, "deal_name") == NAMES
    assert [i.cells for i in issues(extraction, "total.mismatch")] == [("Deals!C5",)]


@pytest.mark.parametrize("label", ["WAVG", "Avg Cap Rate", "Weighted Avg Cap", "Blended Cap Rate", "Retail Subtotal"])
def test_an_average_with_a_rate_alone_is_no_deal(label: str) -> None:
    """However it was weighted."""
    assert values(read([HEADER, *SHOPS, [label, None, None, 0.0628]]), "deal_name") == NAMES[:3]


def test_extremes_of_one_measure_are_no_deals() -> None:
    """Their labels name what they are of."""
    rows: Rows = [
        ["High Cap Rate", None, None, 0.071],
        ["Low Price", None, 3_100_000],
        ["Price Range", None, "$3M - $7M"],
    ]
    assert values(read([HEADER, *SHOPS, *rows]), "deal_name") == NAMES[:3]
    assert read([HEADER, *SHOPS, ["Low Price", None, 4_100_000], ["Fir Court", "Ada", 1_100_000]]).deal_count == 5


def test_hi_and_lo_are_extremes_where_their_numbers_are() -> None:
    """And names of deals where they are not."""
    extremes: Rows = [["Hi", None, 7_250_000, 0.071, 48_500], ["Lo:", None, 3_100_000, 0.059, 21_000]]
    extraction = read([HEADER, *SHOPS, [], *extremes])
    assert values(extraction, "deal_name") == NAMES[:3]
    assert not extraction.issues
    assert read([HEADER, *SHOPS, ["Lo", None, 9_100_000, 0.081, 61_000]]).deal_count == 4


@pytest.mark.parametrize(
    "rows",
    [
        [["Indicated Value", None, 5_000_000, 0.062, 40_000]],
        [["Subject Asking Price", None, 5_200_000], ["Recommended List Price", None, 5_100_000]],
        [["Subject NOI"], ["Cap Rate", None, None, 0.06], ["Value", None, 5_000_000]],
        [["Concluded Value per SF", None, 125], ["Subject SF:", None, None, None, 40_000], ["Say", None, 5_000_000]],
        [["Rowan Broker", "(918) 555-0134", "rowan@example.com"]],
        [["Rowan Broker", "rowan@example.com"]],
        [["Rowan Realty", "T: 918.555.0134", "www.example.com"]],
    ],
)
def test_conclusions_and_contacts_below_comparables_are_no_deals(rows: Rows) -> None:
    """Below a blank row, as brokers write them."""
    extraction = read([HEADER, *SHOPS, [], *rows])
    assert values(extraction, "deal_name") == NAMES[:3]
    assert not extraction.issues


@pytest.mark.parametrize(
    "row",
    [["Value Inn", "Moore", 5_000_000], ["Subject to Zoning", None, 5_000_000], ["Cap Rate Plaza", None, None, 0.06]],
)
def test_deals_that_only_sound_like_conclusions_stay_deals(row: list[object]) -> None:
    """Names that say more, or a city."""
    assert read([HEADER, *SHOPS, row]).deal_count == 4


def test_a_list_with_a_column_of_contacts_keeps_its_last_deal() -> None:
    """Of which nothing else is known."""
    rows: Rows = [[*row, f"agent{at}@example.com"] for at, row in enumerate(SHOPS)]
    last = ["Fir Court", "Ada", None, None, None, "agent@example.com"]
    assert read([[*HEADER, "Broker"], *rows, last]).deal_count == 4


PIPELINE = ["Deal", "City", "Units", "Price", "Stage"]
STAGED: Rows = [
    ["Fir Court", "Ada", 24, 3_600_000, "LOI"],
    ["Gum Court", "Ada", 40, 6_200_000, "LOI"],
    ["Holly Court", "Ada", 12, 1_500_000, "Lead"],
]


@pytest.mark.parametrize(
    "summary",
    [
        [["LOI", None, 64, 9_800_000], ["Lead", None, 12, 1_500_000]],
        [["LOI", 2, 64, 9_800_000], ["Lead", 1, 12, 1_500_000]],
        [["Lead", None, None, 1_500_000], ["LOI", None, None, 9_800_000]],
        [["LOI", None, 2], ["Lead", None, 1]],
        [["LOI Deals:", None, 64, 9_800_000], ["Lead Deals:", None, 12, 1_500_000]],
        [[None, None, 64, 9_800_000, "LOI"], [None, None, 12, 1_500_000, "Lead"]],
    ],
)
@pytest.mark.parametrize("more", [[], [["Total", None, 76, 11_300_000]]])
def test_a_summary_by_stage_below_the_deals_is_none(summary: Rows, more: Rows) -> None:
    """Without a header of its own, with a total and without, in any order."""
    extraction = read([PIPELINE, *STAGED, [], *summary, *more])
    assert values(extraction, "deal_name") == [row[0] for row in STAGED]
    assert not [i for i in extraction.issues if i.severity != "info"]


def test_a_deal_named_like_a_stage_whose_figures_are_its_own_stays_a_deal() -> None:
    """Nothing sums up to it."""
    assert read([PIPELINE, *STAGED, ["Lead", None, 30, 4_400_000]]).deal_count == 4


@pytest.mark.parametrize("contact", ["ann@heron.example.com", "(305) 555-0142"])
def test_the_last_deal_stays_one_though_it_is_the_first_with_a_contact(contact: str) -> None:
    """The newest lead of a pipeline: no amount yet, but a stage as others have, and a column that is for contacts."""
    header = ["Deal", "City", "Stage", "Deal Value", "Contact"]
    deals = [[f"Plover {n}", f"Town {n}", ("Lead", "LOI")[n % 2], 1_250_000 + 131 * n, None] for n in range(8)]
    for place in ("Lead", "Screening"):
        extraction = read([header, *deals, ["Heron Point", "Tampa", place, None, contact]])
        assert extraction.deal_count == 9
