"""Rows of averages, extremes and sums among the records are no deals, and names that sound like them are."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import Rows, issues, read, read_csv, values

HEADER = ["Property Name", "City", "Units", "Building SF", "Sale Price", "Cap Rate"]
DEALS: Rows = (
    ["Heron Point", "Tampa", 216, 151_200, 41_300_000, 0.0571],
    ["Cedar Hollow", "Macon", 94, 70_125, 9_950_000, 0.0655],
    ["Union Yard", "Mobile", 131, 98_040, 15_475_000, 0.0612],
    ["Prairie Hub", "Joliet", 308, 240_770, 62_100_000, 0.0533],
    ["Kestrel Row", "Reno", 77, 61_310, 12_205_000, 0.0648],
)
NUMBERS = list(zip(*DEALS, strict=True))[2:]
SUM = sum(NUMBERS[2])
MEANS = [sum(column) / len(column) for column in NUMBERS]
MEDIANS = [sorted(column)[2] for column in NUMBERS]


def count(*after: list[object], before: Rows = ()) -> Extraction:
    """The extraction of the deals with rows before and after them."""
    return read([HEADER, *before, *DEALS, *after])


@pytest.mark.parametrize(
    "row",
    [
        ["Average", None, *MEANS],
        ["Mean:", None, *MEANS],
        ["Wtd. Avg.", None, None, None, 20_000_000, 0.0581],
        ["Portfolio average", None, *(round(mean, 4) for mean in MEANS)],
        [None, "Median", *MEDIANS],
        ["Min", None, *map(min, NUMBERS)],
        ["Maximum", None, *map(max, NUMBERS)],
        ["Std. Dev.", None, 96.2, 72_000, 22_000_000, 0.0051],
        ["Mittelwert", None, *MEANS],
        [None, None, *MEANS],
        [None, None, *map(sum, NUMBERS[:3]), None],
        ["The whole book", None, *map(sum, NUMBERS[:3]), 0.0588],
    ],
)
def test_a_row_that_sums_up_the_others_is_a_total(row: list[object]) -> None:
    """By its label where its numbers bear it out; by arithmetic where it has none."""
    extraction = count(row)
    assert extraction.deal_count == len(DEALS)
    assert [(s.first, s.last, s.row_class) for s in extraction.tables[0].excluded_rows] == [(7, 7, "total")]
    rows = [(s.first, s.last, s.row_class) for s in extraction.census[0].rows]
    assert rows == [(1, 1, "header"), (2, 6, "record"), (7, 7, "total")]
    assert not issues(extraction, "total.mismatch")


@pytest.mark.parametrize(
    "rows",
    [
        [["Less: reserves", None, None, None, -500_000, None], ["Net", None, None, None, SUM - 500_000, None]],
        [["Less closing costs", None, None, None, 500_000, None], ["Net total", None, None, None, SUM - 500_000, None]],
        [["Debt", None, None, None, 90_000_000, None], ["Equity", None, None, None, SUM - 90_000_000, None]],
        [["Budget", None, None, None, 150e6, None], ["Variance", None, None, None, SUM - 150e6, None]],
        [["Per unit", None, None, 500, 170_000, None], ["Prior year", None, 820, None, None, 0.07]],
        [[None, "Closing costs", None, None, 250_000, None]],
        [["* Excludes closing costs of", None, None, None, 250_000, None]],
        [
            ["(1) Includes a seller's credit of", None, None, None, 250_000, None],
            ["(2) Net of", None, None, None, 9_000, None],
        ],
        [[], ["Notes"], [1, "Excludes closing costs", None, None, 250_000]],
        [["% of total", None, 1, 1, 1, None]],
    ],
)
@pytest.mark.parametrize("kind", ["xlsx", "csv"])
def test_what_is_added_to_a_total_and_footnotes_are_no_deals(rows: list[list[object]], kind: str) -> None:
    """Nor is the total below them held against the deals alone."""
    table = [HEADER, *DEALS, ["Total", None, *map(sum, NUMBERS[:3]), None], *rows]
    lines = "\n".join(",".join("" if value is None else str(value) for value in row) for row in table)
    extraction = read(table) if kind == "xlsx" else read_csv(lines)
    assert extraction.deal_count == len(DEALS)
    assert not issues(extraction, "total.mismatch")
    assert not issues(extraction, "record.after_total")


def test_a_bare_row_below_the_total_stays_a_deal_and_is_told() -> None:
    """A late deal may have no city yet; one that has it is told of in no way."""
    total = ["Total", None, *map(sum, NUMBERS[:3]), None]
    extraction = read(
        [
            HEADER,
            *DEALS,
            total,
            ["Less Lane", "Reno", 40, 30_000, 4_000_000, 0.06],
            ["Ferry Quay", None, 1, 2, 3e6, 0.06],
        ]
    )
    assert extraction.deal_count == len(DEALS) + 2
    (said,) = issues(extraction, "record.after_total")
    assert said.cells == ("Deals!A9",)
    assert not issues(read([HEADER, *DEALS[:4], total, DEALS[4]]), "record.after_total")


def test_several_statistics_under_a_blank_row_are_all_left_out() -> None:
    """An average, a median, a low and a high, each of the deals and not of the ones before it."""
    extraction = count(
        [],
        ["Average", None, *MEANS],
        ["Median", None, *MEDIANS],
        ["Low", None, *map(min, NUMBERS)],
        ["High", None, *map(max, NUMBERS)],
    )
    assert values(extraction, "units") == list(NUMBERS[0])


def test_an_average_over_the_first_deal_is_left_out() -> None:
    """Some lists put their statistics right under the header."""
    extraction = count(before=[["Average", None, *MEANS]])
    assert values(extraction, "units") == list(NUMBERS[0])


def test_averages_after_each_group_are_left_out() -> None:
    """As the subtotals of a spreadsheet program write them."""
    first, second = DEALS[:3], [[f"{row[0]} II", *row[1:]] for row in DEALS[2:]]
    groups: list[list[object]] = []
    for name, group in (("Florida", first), ("Nevada", second)):
        numbers = list(zip(*group, strict=True))[2:]
        groups += [*group, [f"{name} Average", None, *(sum(column) / len(column) for column in numbers)]]
    extraction = read([HEADER, *groups])
    assert len(values(extraction, "units")) == 6


@pytest.mark.parametrize(
    "row",
    [
        ["Median Street Lofts", "Tampa", 120, 90_000, 20_000_000, 0.06],
        ["Average Joe's Gym", "Macon", 120, 90_000, 20_000_000, 0.06],
        ["Max", "Mobile", 120, 90_000, 20_000_000, 0.06],
        ["High Range", "Reno", 900, 900_000, 200_000_000, 0.04],
        [None, "Macon", 120, 90_000, 20_000_000, 0.06],
        [None, None, 131, 98_040, 20_000_000, 0.06],
        ["Twice Heron", "Tampa", 432, 302_400, 82_600_000, 0.0571],
    ],
)
def test_a_deal_that_only_sounds_like_a_statistic_stays_one(row: list[object]) -> None:
    """Its numbers are its own."""
    assert count(row).deal_count == len(DEALS) + 1


def test_a_grand_total_over_hundreds_of_rows_needs_no_label() -> None:
    """Far beyond what is looked at for subtotals."""
    rows = [
        [f"Place {i}", "Reno", 10 + i * 7 % 97, 5000 + i * 311 % 9973, 10**6 + i * 7919 % 10**6, 0.06]
        for i in range(300)
    ]
    sums = [sum(column) for column in list(zip(*rows, strict=True))[2:5]]
    assert read([HEADER, *rows, [None, None, *sums, None]]).deal_count == 300


def test_deals_that_are_all_alike_are_no_averages_of_one_another() -> None:
    """The mean of equal numbers is each of them."""
    rows = [[f"Place {i}", "Reno", 10, 5000, 10**6, 0.06] for i in range(6)]
    assert read([HEADER, *rows, [None, "Reno", 10, 5000, 10**6, 0.06]]).deal_count == 7


SHORT: Rows = (
    ["Larch Yard", "Reno", 10, 12_500, 1_100_000, 0.05],
    ["Rowan Hall", "Reno", 22, 20_300, 2_400_000, 0.06],
    ["Sedge Mill", "Elko", 31, 33_100, 3_000_000, 0.055],
)
SHORT_NUMBERS = list(zip(*SHORT, strict=True))[2:]


def statistics(numbers: list[tuple[object, ...]]) -> list[list[object]]:
    """An average, a median, a maximum and a minimum of columns of numbers."""
    columns = [sorted(float(str(number)) for number in column) for column in numbers]
    held = [[sum(c) / len(c) for c in columns], [(c[(len(c) - 1) // 2] + c[len(c) // 2]) / 2 for c in columns]]
    held += [[c[-1] for c in columns], [c[0] for c in columns]]
    return [[name, None, *row] for name, row in zip(["Average", "Median", "Maximum", "Minimum"], held, strict=True)]


@pytest.mark.parametrize("deals", [SHORT[:2], SHORT, (*SHORT, DEALS[0])])
def test_statistics_may_outnumber_the_deals(deals: Rows) -> None:
    """Two deals or three, and six lines of statistics under them."""
    lines = statistics(list(zip(*deals, strict=True))[2:])
    more = [["Std Dev", None, 9, 8_000, 900_000, 0.006], ["Weighted Avg.", None, None, None, None, 0.055]]
    extraction = read([HEADER, *deals, *lines, *more])
    assert extraction.deal_count == len(deals)
    assert [(s.last - s.first + 1, s.row_class) for s in extraction.tables[0].excluded_rows] == [(6, "total")]


@pytest.mark.parametrize(
    "row",
    [
        ["25th Percentile", None, 16, 16_400, 1_750_000, 0.0525],
        ["Upper Quartile", None, 26.5, 26_700, 2_700_000, 0.0575],
        ["Ranges", None, "10 - 31", "12,500 to 33,100", "$1.1m - $3.0m", "5% - 6%"],
        ["Range", None, 21, 20_600, 1_900_000, 0.01],
        ["Portfolio Total/Avg.", None, *map(sum, SHORT_NUMBERS[:3]), 0.0556],
        ["Snitt", None, *(sum(column) / 3 for column in SHORT_NUMBERS)],
        ["Gemiddelde", None, *(sum(column) / 3 for column in SHORT_NUMBERS)],
        ["\u5e73\u5747", None, *(sum(column) / 3 for column in SHORT_NUMBERS)],
        ["Ø", None, *(sum(column) / 3 for column in SHORT_NUMBERS)],
        ["Máximo", None, *map(max, SHORT_NUMBERS)],
    ],
)
def test_statistics_of_other_names_and_languages_are_left_out(row: list[object]) -> None:
    """Of three deals."""
    assert read([HEADER, *SHORT, row]).deal_count == len(SHORT)


@pytest.mark.parametrize("name", ["Media", "Mean", "Snitt"])
def test_a_deal_named_like_a_statistic_with_a_city_of_its_own_stays_one(name: str) -> None:
    """Its numbers lie among those of the others, as most deals' do, and are none of their means."""
    assert read([HEADER, *SHORT, [name, "Elko", 17, 20_123, 2_222_000, 0.052]]).deal_count == len(SHORT) + 1


SHORT_SUMS = [*map(sum, SHORT_NUMBERS[:3])]


@pytest.mark.parametrize("blank", [True, False])
@pytest.mark.parametrize(
    "rows",
    [
        [["Less: Debt", None, None, None, -3_600_000]],
        [["Net Equity", None, None, None, 2_900_000]],
        [["Check", None, None, None, 0]],
        [["Variance to budget", None, None, None, -250_000], ["Change vs. prior year", None, 3]],
        [["Other assets", None, None, None, 400_000], ["Total Assets", None, None, None, 6_900_000]],
        [["Cash", None, None, None, 400_000], ["Mortgage", None, None, None, -2_000_000]],
        [["Abz\u00fcglich Fremdkapital", None, None, None, -3_600_000]],
    ],
)
@pytest.mark.parametrize("label", ["Total", "Portfolio Total/Avg."])
def test_what_is_added_to_the_total_of_few_deals_is_no_deal(label: str, rows: list[list[object]], blank: bool) -> None:
    """Three deals, and two; right under their total, and under a blank row."""
    for deals in (SHORT, SHORT[:2]):
        sums = [sum(float(str(row[at])) for row in deals) for at in (2, 3, 4)]
        extraction = read([HEADER, *deals, [label, None, *sums, 0.0555], *([[]] if blank else []), *rows])
        assert extraction.deal_count == len(deals)
        assert not issues(extraction, "record.after_total")


@pytest.mark.parametrize(
    "row",
    [
        [None, "Check", None, None, None, 0],
        [3, "Properties", None, 63, 65_900, 6_500_000],
        [3, "Deals", None, None, None, 6_500_000],
        [None, "3 deals", None, None, None, 6_500_000],
    ],
)
def test_a_count_of_the_deals_and_a_check_are_no_deals(row: list[object]) -> None:
    """In one cell or in two; a check that finds nothing."""
    numbered = [[at, *deal] for at, deal in enumerate(SHORT, 1)]
    assert read([["No.", *HEADER], *numbered, row]).deal_count == len(SHORT)


def test_a_bare_row_between_two_totals_stays_a_deal_and_is_told() -> None:
    """Nothing says what it is; a bare deal of the last group is told of in no way."""
    rows: Rows = [["Total", None, *SHORT_SUMS], ["Ferry Quay", None, None, None, 400_000]]
    extraction = read([HEADER, *SHORT, *rows, ["Total 2026", None, None, None, 6_900_000]])
    assert extraction.deal_count == len(SHORT) + 1
    (said,) = issues(extraction, "record.after_total")
    assert said.cells == ("Deals!A6",)
    groups = [*SHORT[:2], ["Total Reno", None, 32, 32_800, 3_500_000], SHORT[2], ["Ferry Quay", None, 1, 2, 400_000]]
    extraction = read([HEADER, *groups, ["Total Elko", None, 32, 33_102, 3_400_000]])
    assert extraction.deal_count == len(SHORT) + 1
    assert not issues(extraction, "record.after_total")


@pytest.mark.parametrize("fixed", ["{0}{1}", "${0}${1}"])
def test_a_row_that_adds_subtotals_by_formula_is_a_total(fixed: str) -> None:
    """In one column; the deal that adds two columns of its own row is none."""

    def added(letter: str, *rows: int) -> str:
        return "=" + "+".join(fixed.format(letter, row) for row in rows)

    rows: list[list[object]] = [
        ["Property", "City", "Units", "Price", "Costs", "All in"],
        *(
            [name, "Reno", 10 + at, 1_000_003 * at, 51 * at, f"=D{at + 1}+E{at + 1}"]
            for at, name in enumerate("ABC", 1)
        ),
        ["Reno Total", None, None, "=SUM(D2:D4)"],
        *([name, "Elko", 20 + at, 1_500_007 * at, 71 * at, f"=D{at + 5}+E{at + 5}"] for at, name in enumerate("DE", 1)),
        ["Elko Total", None, None, "=SUM(D6:D7)"],
        ["Both cities", None, None, added("D", 5, 8)],
    ]
    extraction = read(rows)
    assert values(extraction, "deal_name") == [*"ABCDE"]
    assert not issues(extraction, "total.mismatch")
