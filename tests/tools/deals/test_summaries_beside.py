"""Summaries beside a list, one empty column away, from the header row on: they say nothing of the deals beside them."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import issues, read, read_csv

DEALS: list[list[Any]] = [
    ["Property", "City", "Units", "Price"],
    ["Elm", "Reno", 10, 1_000_000],
    ["Oak", "Reno", 20, 2_000_000],
    ["Fir", "Elko", 30, 4_500_000],
    ["Ash", "Elko", 35, 5_500_000],
]
TOTAL = ["Total", None, 95, 13_000_000]
LOANS: list[list[Any]] = [
    ["Lender", "Loan", "Rate"],
    ["Kite Bank", 3_000_000, 0.05],
    ["Lark Bank", 2_000_000, 0.06],
    ["Tern Bank", 1_000_000, 0.055],
    ["Wren Bank", 2_500_000, 0.052],
    ["Heron Bank", 1_500_000, 0.058],
]
MARKETS = [["Market", "Avg Price"], ["Elko", 5_000_000], ["Reno", 1_500_000], ["Total", 3_250_000]]
PIVOT = [
    ["Row Labels", "Sum of Price", "Count"],
    ["Elko", 10_000_000, 2],
    ["Reno", 3_000_000, 2],
    ["Grand Total", 13_000_000, 4],
]


def beside(left: list[list[Any]], right: list[list[Any]]) -> list[list[Any]]:
    """Two blocks side by side with one empty column between them."""
    height, width = max(len(left), len(right)), max(map(len, left))
    blocks = [[*block, *([[]] * (height - len(block)))] for block in (left, right)]
    return [[*a, *[None] * (width - len(a) + 1), *b] for a, b in zip(*blocks, strict=True)]


def loans(count: int, total: str = "Total") -> list[list[Any]]:
    """A list of loans by lender with its total."""
    return [*LOANS[: count + 1], [total, sum(row[1] for row in LOANS[1 : count + 1]), 0.055]]


def held(extraction: Extraction) -> list[dict[str, Any]]:
    """What each deal's fields hold."""
    return [{name: field.value for name, field in deal.fields.items()} for deal in extraction.deals()]


ALONE = held(read(DEALS))


@pytest.mark.parametrize(
    "summary",
    [
        pytest.param(MARKETS, id="means by city with a total"),
        pytest.param(MARKETS[:-1], id="means by city"),
        pytest.param([["City", "Volume ($M)"], ["Reno", 3.0], ["Elko", 10.0]], id="sums in the deals' order"),
        pytest.param([["Segment", "Deals"], ["Small", 2], ["Large", 2]], id="counts"),
        pytest.param([["Year", "Volume"], [2021, 5_000_000], [2022, 8_000_000], ["Total", 13_000_000]], id="years"),
        pytest.param([["Year", "Volume"], [2021, 5_000_000], [2022, 8_000_000]], id="years that add up to the deals"),
        pytest.param(PIVOT, id="a pivot"),
        pytest.param(
            [["Zeilenbeschriftungen", "Summe von Price"], *(row[:2] for row in PIVOT[1:3])], id="German pivot"
        ),
        pytest.param([["Type", "Price"], ["Office", "$3.0M"], ["Retail", "$8M"], ["Total", "$11M"]], id="words"),
        pytest.param([["Broker", "Fee"], ["Kite", 0.02], ["Lark", 0.01], ["Weighted average", 0.017]], id="an average"),
        pytest.param(loans(2), id="fewer loans"),
        pytest.param(loans(2, "Total loans"), id="a total that is named"),
        pytest.param([LOANS[0], loans(2)[-1], *LOANS[1:3]], id="a total on top"),
        pytest.param(loans(3), id="as many rows"),
        pytest.param(loans(4), id="a row more"),
        pytest.param(loans(5), id="two rows more"),
        pytest.param([["Key figures", None], ["Volume", 13_000_000], ["Mean", 3_250_000], ["Deals", 4]], id="figures"),
        pytest.param([LOANS[0], *LOANS[1:3], [], ["Total", 5_000_000, 0.054]], id="a blank row before the total"),
        pytest.param([LOANS[0], LOANS[1], [], ["Total", *LOANS[1][1:]]], id="one line and its total"),
        pytest.param([["Markets"], ["Reno"], ["Elko"]], id="a list of what one column holds"),
        pytest.param([["Market", "Region"], ["Elko", "North"], ["Reno", "West"]], id="what its words mean"),
        pytest.param([["Rank", "Property", "Score"], [1, "Fir", 9], [2, "Elm", 8], [3, "Ash", 7]], id="a ranking"),
    ],
)
def test_a_summary_one_empty_column_right_of_the_deals_gives_them_nothing(summary: list[list[Any]]) -> None:
    """The deals are as they would be alone; the summary lists none."""
    assert held(read(beside(DEALS, summary))) == ALONE
    if len(summary) != len(DEALS) + 1:
        assert held(read(beside([*DEALS, TOTAL], summary))) == ALONE


@pytest.mark.parametrize("summary", [MARKETS, MARKETS[:-1], PIVOT, loans(2)])
def test_a_summary_left_of_the_deals_gives_them_nothing(summary: list[list[Any]]) -> None:
    """Sides make no difference."""
    assert held(read(beside(summary, DEALS))) == ALONE


def test_a_pivot_beside_three_deals_loses_none_of_them() -> None:
    """Its grand total stands beside the last deal."""
    pivot = [PIVOT[0], ["Elko", 4_500_000, 1], ["Reno", 3_000_000, 2], ["Grand Total", 7_500_000, 3]]
    extraction = read(beside(DEALS[:4], pivot))
    assert held(extraction) == ALONE[:3]
    assert [issue.code for issue in extraction.issues] == ["table.no_deals"]


def test_a_summary_in_a_text_file_gives_the_deals_beside_it_nothing() -> None:
    """Numbers of a text file are text."""
    rows = beside(DEALS, MARKETS)
    extraction = read_csv("\n".join(",".join("" if v is None else str(v) for v in row) for row in rows))
    assert [(table.range, len(table.records)) for table in extraction.tables] == [("A1:D5", 4)]


def test_summaries_beside_deals_that_have_an_empty_column_themselves_leave_them_whole() -> None:
    """The first empty column parts nothing, the second does."""
    income = [["NOI", "Cap Rate"], [60_000, 0.06], [120_000, 0.06], [270_000, 0.06], [330_000, 0.06]]
    deals = beside(DEALS, income)
    assert held(read(beside(beside(deals, MARKETS), loans(2)))) == held(read(deals))
    assert held(read(deals))[0]["noi"] == 60_000


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param(LOANS[:5], id="a lender each"),
        pytest.param([*LOANS[:5], [None, 8_500_000]], id="a lender each and the loans' total"),
        pytest.param([["Tenant", "Rent"], ["Kite", 5], ["Lark", 7], ["Tern", 4], ["Total Wine", 9]], id="called Total"),
        pytest.param([["Risk", "Score"], ["Low", 3], ["Medium", 5], ["High", 1], ["Average", 9]], id="rated Average"),
        pytest.param([["Market", "Rent"], ["Reno", 5], ["Reno", 6], ["Elko", 4], ["Elko", 7]], id="its market"),
        pytest.param([["Buyer", "Fee"], ["Kite", 5], [], ["Lark", 4], []], id="buyers of some"),
        pytest.param([["NOI", "Cap Rate"], [60_000, 0.06], [120_000, 0.06], [], [330_000, 0.06]], id="numbers"),
        pytest.param([["Comments"], ["Call back"], ["Reno is hot"]], id="comments on some"),
    ],
)
def test_more_columns_of_the_deals_behind_an_empty_one_stay_theirs(columns: list[list[Any]]) -> None:
    """No total, category or sum of the deals stands in them."""
    for total in ([], [TOTAL]):
        (table,) = read(beside([*DEALS, *total], columns)).tables
        assert len(table.records) == 4
        assert table.columns[-1].header == columns[0][-1]


def test_group_columns_left_of_records_with_subtotals_stay_theirs() -> None:
    """The total of a group's properties has the group beside it, and is none of another table."""
    groups: list[list[Any]] = [["Fund", "Vintage"], *[["Fund I", 2019]] * 4, *[["Fund II", 2021]] * 3]
    records: list[list[Any]] = [["Property", "Units", "Price"], *([r[0], *r[2:]] for r in DEALS[1:4])]
    records += [["Total", 60, 7_500_000], ["Ash", 35, 5_500_000], ["Yew", 12, 2_000_000], ["Total", 47, 7_500_000]]
    (table,) = read(beside(groups, records)).tables
    assert len(table.records) == 5


@pytest.mark.parametrize(
    ("columns", "total", "said"),
    [
        pytest.param(LOANS[:3], [], "2 rows hold something on one side only", id="lenders of the first deals"),
        pytest.param([["Status", "Stage"], ["A", "Active"], ["D", "Dead"]], [], "2 rows hold", id="words"),
        pytest.param(LOANS, [], "1 row holds something on one side only", id="a lender more"),
        pytest.param(loans(4), [TOTAL], "row 6 is called a total on both sides", id="two totals"),
        pytest.param([["Year", "Volume"], *([2020 + n, 7 * n] for n in range(4))], [], "years in a row", id="years"),
    ],
)
def test_columns_behind_an_empty_one_that_may_be_a_table_are_told(
    columns: list[list[Any]], total: list[Any], said: str
) -> None:
    """Nothing settles it: the rows are read as they stand, and a warning names the columns."""
    extraction = read(beside([*DEALS, *total], columns))
    assert len(extraction.tables) == 1
    (issue,) = issues(extraction, "table.beside")
    assert issue.severity == "warning"
    assert "columns A to D from F to" in issue.message
    assert said in issue.message


@pytest.mark.parametrize("columns", [LOANS[:5], [["NOI", "Cap Rate"], [60_000, 0.06], [], [270_000, 0.06], []]])
def test_columns_behind_an_empty_one_filled_as_the_deals_are_tell_nothing(columns: list[list[Any]]) -> None:
    """A spacer is usual."""
    assert not issues(read(beside(DEALS, columns)), "table.beside")


def test_a_pivot_beside_deals_without_a_number_gives_them_nothing() -> None:
    """A count by stage beside a pipeline of names."""
    pipeline = [
        ["Property", "City", "Broker", "Stage"],
        ["Elm", "Reno", "Kite", "Active"],
        ["Oak", "Reno", "Lark", "Dead"],
        ["Fir", "Elko", "Kite", "Active"],
        ["Ash", "Elko", "Tern", "Dead"],
    ]
    pivot = [["Row Labels", "Count of Property"], ["Active", 2], ["Dead", 2], ["Grand Total", 4]]
    assert held(read(beside(pipeline, pivot))) == held(read(pipeline))


def test_names_alone_left_of_an_empty_column_stay_with_their_numbers() -> None:
    """A total whose label stands right of the empty column is the whole row's where it has no plain deal beside it."""
    names = [["Property"], ["Elm"], ["Oak"], ["Fir"], ["Portfolio"]]
    numbers = [["City", "Units", "Price"], ["Reno", 10, 1_000_000], ["Elko", 20, 2_000_000], ["Ely", 35, 3_000_000]]
    (table,) = read(beside(names, [*numbers, ["Total", 65, 6_000_000]])).tables
    assert len(table.records) == 3
