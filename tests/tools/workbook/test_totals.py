"""Rows that sum up others: found by label, by formulas and by arithmetic; and records that only look like it."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from tests.tools.workbook.books import HEADER, Row, deals, layout, xlsx
from tools.workbook.detect import Layout, detect_tables
from tools.workbook.open import open_workbook
from tools.workbook.sums import REACH, candidates
from tools.workbook.words import TEXT, code_of_text, codes_of_texts, totals_among

NAMES = ["Deal", "Price", "Income", "Area", "Rate"]


def plain(count: int, start: int = 1) -> list[list[object]]:
    """Records of a name, three amounts that add up to nothing among them, and a rate."""
    return [
        [f"Plaza {n}", 1_048_613 + 977 * n**3, 80_141 + 331 * n * n, 10_007 + 53 * n**2, 0.05 + (n * 7 % 13) / 1000]
        for n in range(start, start + count)
    ]


def summed(label: str | None, rows: list[list[object]], rate: float | None = None) -> list[object]:
    """A row with the sums of the amounts of `rows`."""
    return [label, *(sum(float(str(row[j])) for row in rows) for j in (1, 2, 3)), rate]


def totals(rows: list[list[object]]) -> list[int]:
    """The rows of class total."""
    return [
        row
        for one in layout(rows).census
        for s in one.rows
        if s.row_class == "total"
        for row in range(s.first, s.last + 1)
    ]


def test_the_first_row_sums_up_a_block_where_one_column_adds_up_and_the_others_hold_rates() -> None:
    """A country over its states: people add up, shares don't."""
    parts = [[f"State {n}", 1003.7 + 97.3 * n * n, 40 + n % 7 + 0.3, 11 + n % 5 + 0.7] for n in range(1, 20)]
    whole: list[object] = ["All states", sum(float(str(p[1])) for p in parts), 43.1, 13.2]
    assert totals([["State", "People", "Urban", "Rural"], whole, *parts]) == [2]


def test_rows_that_overlap_are_totals_though_their_parts_belong_to_another_total() -> None:
    """55 and over, 65 and over: each sums the last bands again."""
    bands = plain(12)
    rows = [NAMES, summed("All", bands), *bands, summed("Top seven", bands[5:]), summed("Top three", bands[9:])]
    assert totals(rows) == [2, 15, 16]


def test_a_share_of_a_total_is_none_itself_unless_it_stands_right_under_one() -> None:
    """A measure of that name among others, and the line of shares under the total."""
    measures: list[list[object]] = [
        ["Item", "2019 sales", "2020 sales", "2021 sales"],
        ["Homes", 4923.1, 4991.7, 5014.3],
        ["Percent of total", 30.68, 33.58, 33.85],
        ["Shops", 2007.9, 2367.2, 2423.1],
        ["Plants", 8439.4, 6837.8, 7192.9],
    ]
    assert totals(measures) == []
    rows = plain(5)
    total = summed("Total", rows)
    assert totals([NAMES, *rows, total, ["% of total", 0.4, 0.3, 0.3, None]]) == [7, 8]


@pytest.mark.parametrize(
    "statistic", ["SUM({0}2:{0}7)", "SUBTOTAL(9,{0}2:{0}7)", "AVERAGE({0}$2:{0}$7)", "+MAX({0}2:{0}7)"]
)
def test_a_row_whose_formulas_take_a_range_of_their_column_is_a_total_whatever_it_is_called(statistic: str) -> None:
    """The label says nothing: the formula tells."""
    rows: list[Row] = [HEADER, *deals(6), ["The book", None, "=" + statistic.format("C"), "=" + statistic.format("D")]]
    (table,) = detect_tables(open_workbook(xlsx(("Deals", rows)), "x.xlsx")).tables
    assert table.record_rows == [2, 3, 4, 5, 6, 7]
    assert [(span.first, span.row_class) for span in table.excluded] == [(8, "total")]


def test_formulas_along_a_row_or_over_another_column_make_no_total() -> None:
    """A price per foot, a row's own sum, and a running sum of the column beside it."""
    rows: list[list[object]] = [["Deal", "Price", "Costs", "All in", "So far"]]
    rows += [
        [f"Plaza {n}", 1_000_003 + n**3, 500 + n * n, f"=SUM(B{n + 1}:C{n + 1})", f"=SUM(B$2:B{n + 1})"]
        for n in range(1, 7)
    ]
    (table,) = detect_tables(open_workbook(xlsx(("Deals", rows)), "x.xlsx")).tables
    assert table.record_rows == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("label", ["Average", "Median", "Minimum", "Max:", "Wtd. Avg."])
def test_a_row_of_a_statistic_that_its_numbers_bear_out_is_a_total_of_the_structure(label: str) -> None:
    """Each of a column's own: the row says nothing new of any deal."""
    rows = plain(5)
    columns = [sorted(float(str(row[j])) for row in rows) for j in range(1, 5)]
    pick = {"Minimum": min, "Max:": max, "Median": lambda column: column[2]}
    held = [pick.get(label, lambda column: sum(column) / 5)(column) for column in columns]
    assert totals([NAMES, *rows, [label, *held]]) == [7]


def test_averages_over_the_parts_of_a_table_in_blocks_are_totals() -> None:
    """The same header twice, and one row of means at the end, of both blocks."""
    first, second = plain(4), plain(5, 5)
    means = [sum(float(str(row[j])) for row in first + second) / 9 for j in range(1, 5)]
    rows = [NAMES, *first, [None], [None], NAMES, *second, ["Average", *means]]
    assert totals(rows) == [len(rows)]


def test_round_numbers_that_add_up_by_chance_make_no_total() -> None:
    """In millions and in tens, a third of all deals is the sum of two others somewhere."""
    draw = random.Random(7)
    rows = [["Deal", "Price", "Units", "Rate"]]
    rows += [[f"Plaza {n}", 1_000_000 * draw.randint(1, 9), 10 * draw.randint(1, 9), 0.05] for n in range(120)]
    assert totals(rows) == []


def test_a_portfolio_that_is_said_to_sum_up_others_far_away_is_a_total() -> None:
    """Three deals in the middle of the list, and their sum at its end."""
    rows = plain(14)
    assert totals([NAMES, *rows, summed("Northern portfolio", rows[4:7])]) == [16]


def test_a_record_whose_name_begins_with_total_is_a_record() -> None:
    """It has its city as the others do, and none of its numbers stands out; the total of the same table lacks both."""
    places = ["Reno", "Boise", "Provo", "Omaha", "Tulsa"]
    records = [[row[0], place, *row[1:4]] for place, row in zip(places, plain(5), strict=True)]
    store = ["Total Wine Plaza", "Tempe", 1_050_000, 81_900, 10_100]
    whole = ["Total West", None, *(sum(float(str(row[j])) for row in records) + 7 for j in (2, 3, 4))]
    header = ["Deal", "City", "Price", "Income", "Area"]
    assert totals([header, *records[:3], store, *records[3:]]) == []
    assert totals([header, *records[:3], store, *records[3:], whole]) == [8]


FULL = ["Deal", "City", "Units", "Price", "Rate"]


def full(count: int) -> list[list[object]]:
    """Records of a name, a city, units, a price and a rate."""
    return [[f"Plaza {n}", "Reno", 10 + 7 * n, 1_000_003 + 977 * n**3, 0.05 + n / 1000] for n in range(1, count + 1)]


@pytest.mark.parametrize("place", [0, 1, 3])
@pytest.mark.parametrize(
    "deal",
    [
        ["Total Wine & More", "Tempe", 90, 9_000_000, 0.061],
        ["Total Wine Plaza", "Tempe", 15, 1_000_000, 0.061],
        ["Grand Total Center", "Reno", 29, 9_000_000, 0.055],
    ],
)
def test_a_full_record_named_total_something_that_does_not_add_up_is_a_record(place: int, deal: list[object]) -> None:
    """However large; in the middle, first and last. The same row as the sum of the others is a total."""
    rows = full(3)
    assert totals([FULL, *rows[:place], deal, *rows[place:]]) == []
    assert totals([FULL, *rows[:place], deal, *rows[place:], ["Total", None, 162, 12_035_177, 0.056]]) == [6]
    sums = [sum(float(str(row[at])) for row in rows) for at in (2, 3)]
    assert totals([FULL, *rows, [deal[0], deal[1], *sums, 0.053]]) == [5]
    assert totals([FULL, *rows, [deal[0], None, sums[0], sums[1] + 9_000_000, 0.053]]) == [5]


def test_a_total_whose_only_amount_has_a_scale_in_words_is_one() -> None:
    """It stands as text in its cell."""
    records = [[f"Haus {n}", "Bonn", f"{n},25 Mio €"] for n in range(1, 4)]
    assert totals([["Objekt", "Ort", "Preis"], *records, ["Summe", None, "6,75 Mio €"]]) == [5]


def test_deals_named_total_something_with_a_date_or_a_number_of_their_own_are_records_however_large() -> None:
    """An anchor tenant; and the real total, which has neither, stays one."""
    rents: list[list[object]] = [
        ["100", "Total Fiction & More", 25_013, "2030-01-31"],
        ["110", "Corner Books", 1_201, "2027-01-31"],
        ["120", "Sub Total Sandwiches", 1_507, "2027-06-30"],
        ["130", "Grand Nails", 911, "2026-05-31"],
    ]
    assert totals([["Suite", "Tenant", "Area", "Expiry"], *rents, ["TOTAL", None, 28_632, None]]) == [6]


def test_a_subtotal_with_a_number_before_its_label_is_one_where_it_adds_up() -> None:
    """The number counts the rows of the report, not the records."""
    rows = plain(3)
    numbered = [[at, *row] for at, row in enumerate([*rows, summed("Total Phase One", rows)], 1)]
    assert totals([["No.", *NAMES], *numbered]) == [5]


def test_a_full_record_that_equals_the_sum_of_two_others_by_chance_is_none() -> None:
    """Round numbers; it has a city, a status and a date, as all records have and no total."""
    figures: list[tuple[float, int]] = [
        (2.0, 100),
        (3.0, 120),
        (4.0, 160),
        (5.0, 200),
        (1.5, 90),
        (1.25, 70),
        (1.75, 75),
        (2.25, 85),
        (2.35, 86),
    ]
    rows = [
        [f"Plaza {n}", "Reno", "Open", f"2024-0{n}-02", a * 1_000_000, b * 100] for n, (a, b) in enumerate(figures, 1)
    ]
    assert totals([["Deal", "City", "Status", "Closing", "Price", "Area"], *rows]) == []


DATED = ["Deal", "City", "Price", "Area", "Closing"]


def dated(count: int) -> list[list[object]]:
    """Records of a name, a city, round amounts and a date: 1 million, 2 million and so on."""
    return [[f"Plaza {n}", "Reno", 1_000_000 * n, 1000 * n, f"2024-0{n}-05"] for n in range(1, count + 1)]


@pytest.mark.parametrize(
    "closing",
    [
        [[None, None, 2_000_000, 2000, None]],
        [[None, None, 6_000_000, 6000, None]],
        [[], [None, None, 6_000_000, 6000, None]],
        [[], ["3 listings", None, 6_000_000, None, None]],
        [[None, None, 6_000_000, 6000, None], ["Occupied %", None, None, 0.92, None]],
        [["Difference", None, 1_000_000, 1000, None]],
        [["Variance", "", 0.5, 0.5, None]],
    ],
)
def test_rows_that_close_a_list_are_no_records(closing: list[list[object]]) -> None:
    """Means and sums without a name, a count of what is listed, a rate under a total, a difference of two records."""
    assert totals([DATED, *dated(3), *closing]) == [row for row, held in enumerate(closing, 5) if held]


@pytest.mark.parametrize(
    "record",
    [
        [None, None, 2_500_000, 2100, None],
        ["5 listings", None, 6_000_000, None, None],
        ["Difference", None, 1_234_567, 777, None],
        ["Difference", "Reno", 1_000_000, 1000, "2024-04-05"],
        ["Occupied %", None, None, 0.92, None],
    ],
)
def test_rows_that_only_look_as_if_they_closed_a_list_stay_records(record: list[object]) -> None:
    """Amounts that say nothing of the others, a count of something else, a deal of that name, a rate under records."""
    assert totals([DATED, *dated(3), record]) == []


def test_a_subject_compared_with_the_mean_above_it_is_a_record_and_the_comparison_none() -> None:
    """The difference is one of the rows right above it, of whatever class, here as a share."""
    mean: list[object] = ["Average", None, 2_000_000, 2000, None]
    subject: list[object] = ["Subject", "Reno", 2_500_000, 2100, "2024-09-05"]
    assert totals([DATED, *dated(3), mean, subject, ["% Difference", None, 0.25, 0.05, None]]) == [5, 7]


def test_totals_that_lead_their_groups_name_the_section_of_these() -> None:
    """An outline: each group's row carries its sums, and the last row those of all."""
    names = ["Property", "Units", "Price", "Income"]
    texas = [["Ash", 100, 12_000_000, 700_000], ["Birch", 150, 18_000_000, 1_100_000]]
    nevada = [["Cedar", 60, 7_000_000, 420_000], ["Dogwood", 70, 9_000_000, 540_000]]
    rows = [names, summed("Texas (2)", texas)[:4], *texas, summed("Nevada (2)", nevada)[:4], *nevada]
    (table,) = layout([*rows, summed("Portfolio", texas + nevada)[:4]]).tables
    assert table.record_rows == [3, 4, 6, 7]
    assert table.sections == ["Texas (2)", "Texas (2)", "Nevada (2)", "Nevada (2)"]


def test_lines_that_say_more_of_a_total_are_no_records() -> None:
    """Their label stands beside the column of names, and they hold one number."""
    records = [[f"B-{n}", f"Tenant {n}", *row[1:4]] for n, row in enumerate(plain(6))]
    whole = [None, "Total area", *(sum(float(str(row[j])) for row in records) for j in (2, 3, 4))]
    rows = [["Suite", "Tenant", "Rent", "Income", "Area"], *records, whole, [None, "Vacant area (SF)", None, None, 977]]
    read = layout(rows)
    assert [table.record_rows for table in read.tables] == [[2, 3, 4, 5, 6, 7]]


def test_a_text_with_a_zero_character_moves_no_label() -> None:
    """Texts are looked at in one string, which that character parts them in."""
    assert totals_among(["Elm\0Court", "Total", "\0", "Grand total\0 of all"]) == {"Total", "Grand total\0 of all"}


def test_rows_that_may_be_sums_are_the_same_whether_or_not_a_number_is_negative() -> None:
    """In a long block the shortcut for numbers that are never negative finds what comparing all windows finds."""
    dice = np.random.default_rng(7)
    values = dice.integers(0, 1000, (4000, 6)).astype(float)
    values[dice.random(values.shape) < 0.1] = np.nan
    for at, many in zip(range(20, 3900, 97), range(2, 61), strict=False):
        values[at] = np.nansum(values[at + 1 : at + 1 + many], 0)
    below = np.vstack([values, np.full((1, 6), -1.0)])
    found, compared = candidates(values), candidates(below)
    assert found.sum() >= 40
    assert (found[:-REACH] == compared[: -REACH - 1]).all()


def test_texts_coded_together_have_the_codes_that_each_has_alone() -> None:
    """The quick look at many texts takes none for plain that a close look at it alone does not."""
    dice = random.Random(3)  # made-up texts, no secrets
    parts = [
        "1",
        "20",
        "2024",
        "2024-01-02",
        "1/2/24",
        " ",
        "T",
        "am",
        "n",
        "na",
        "TBD",
        "-",
        "(",
        "$",
        "%",
        "Street",
        "…",
    ]
    texts = {"".join(dice.choices(parts, k=dice.randint(0, 4))) for _ in range(5000)}
    found = codes_of_texts(texts)
    assert {text for text in texts if found.get(text, TEXT) != code_of_text(text)} == set()
    assert len(set(found.values())) >= 6


def rolled(label: str) -> Layout:
    """What is found in 6,000 units of a rent roll with a subtotal under every three, named so."""
    rows: list[list[object]] = [["Unit", "Tenant", "Area (SF)", "Monthly rent", "Lease end"]]
    for n in range(2_000):
        units = [[f"U-{n}-{k}", f"Tenant {n} of {k}", 800 + (3 * n + k) % 701, 1500 + n % 907, "x"] for k in range(3)]
        rows += [*units, [label.format(n), None, *(sum(int(str(u[j])) for u in units) for j in (2, 3))]]
    return layout(rows)


def test_subtotals_with_names_of_their_own_take_little_longer_than_those_without() -> None:
    """Each looks at what most rows hold, which is worked out once for all: by itself it would grow with the square."""
    spent: list[float] = []
    for label in ("Subtotal", "Subtotal Building {}"):
        started = time.process_time()
        found = rolled(label)
        spent.append(time.process_time() - started)
        assert sum(s.row_class == "total" for one in found.census for s in one.rows) == 2_000
    assert spent[1] < 2 * spent[0]
