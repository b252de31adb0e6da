"""Rows that go on with the record above them: names wrapped, comments, records of two lines."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tools.workbook.books import layout

NAMES = ["Property", "City", "Price", "Area", "Closing"]
DEALS = [[f"Plaza {n}", "Reno", 1_048_613 + 977 * n**3, 10_007 + 53 * n * n, f"2024-0{n}-05"] for n in range(1, 5)]
LISTED = [
    ["Maple Square", "Retail", "$4.2M", "22,000 SF", "6.8%", "Desk A"],
    ["Cedar Park", "Flex", "$11.75M", "98,400 SF", "7.1%", "Desk A"],
    ["Ivy Medical", "Office", "Call", "14,250 SF", "7.4%", "Desk B"],
]
ADDRESSES = [[f"{n} Maple St, Ames, IA", None, None, f"{n}.1 AC", None, f"555-201-334{n}"] for n in range(1, 4)]


@pytest.mark.parametrize(
    ("text", "row_class"),
    [("of a shopping center", "other"), ("c/o the trustee", "other"), ("Comments: wants to close soon", "note")],
)
def test_a_name_that_goes_on_and_a_comment_under_a_record_head_no_section(text: str, row_class: str) -> None:
    """The records after it stay in no section."""
    rows: list[list[Any]] = [NAMES, DEALS[0], [text], *DEALS[1:]]
    (table,) = layout(rows).tables
    assert table.record_rows == [2, 4, 5, 6]
    assert table.sections == [None] * 4
    assert [(span.first, span.row_class) for span in table.excluded] == [(3, row_class)]


def test_a_label_between_records_heads_a_section_where_it_does_not_go_on() -> None:
    """It starts with a capital letter, or stands under another label."""
    (table,) = layout([NAMES, DEALS[0], ["Under contract"], *DEALS[1:]]).tables
    assert table.sections == [None, "Under contract", "Under contract", "Under contract"]


def test_the_second_lines_of_records_of_two_lines_are_no_records() -> None:
    """The address, the land and the telephone number stand under the name, the area and the broker."""
    pairs = [line for pair in zip(LISTED, ADDRESSES, strict=True) for line in pair]
    (table,) = layout([["Property", "Type", "Price", "Size", "Cap", "Broker"], *pairs]).tables
    assert table.record_rows == [2, 4, 6]


def test_records_of_which_every_second_one_is_sparse_are_records_where_they_hold_numbers_or_come_unevenly() -> None:
    """Figures of a year in every second row; and a list of properties of which some have no price yet."""
    shares = [[f"thereof {n}", None, None, 17.5 + n, None] for n in range(1, 5)]
    pairs = [line for pair in zip(DEALS, shares, strict=True) for line in pair]
    assert len(layout([NAMES, *pairs]).tables[0].record_rows) == 8
    uneven = [LISTED[0], ADDRESSES[0], ADDRESSES[1], LISTED[1], LISTED[2], ADDRESSES[2]]
    (table,) = layout([["Property", "Type", "Price", "Size", "Cap", "Broker"], *uneven]).tables
    assert len(table.record_rows) == 6


@pytest.mark.parametrize("lines", [1, 2])
def test_as_many_lone_lines_under_each_record_are_its_own(lines: int) -> None:
    """An address under a name is no section of the next property; a line over each is one."""
    below = [[[f"{n} Quay Street"], ["Reno, NV"]][:lines] for n in range(1, 5)]
    rows = [row for deal, more in zip(DEALS, below, strict=True) for row in (deal, *more)]
    (table,) = layout([NAMES, *rows]).tables
    assert table.record_rows == [2 + n * (1 + lines) for n in range(4)]
    assert table.sections == [None] * 4
    over = [row for deal, more in zip(DEALS, below, strict=True) for row in (*more, deal)]
    (table,) = layout([NAMES, *over]).tables
    assert None not in table.sections


@pytest.mark.parametrize("lines", [["Broker: Acme", "Broker: Beta", "Broker: Gamma"], ["Vacant", "Leased", "Listed"]])
@pytest.mark.parametrize("total", [[], [["TOTAL", None, 3_200_000, 30_500, None]]])
def test_a_lone_line_under_each_record_is_its_own_whatever_ends_the_table(lines: list[str], total: list[Any]) -> None:
    """The last has a total below it, or nothing."""
    pairs = [row for deal, line in zip(DEALS[:3], lines, strict=True) for row in (deal, [line])]
    (table,) = layout([NAMES, *pairs, *total]).tables
    assert table.record_rows == [2, 4, 6]
    assert table.sections == [None] * 3


@pytest.mark.parametrize(
    "text",
    ["Value-add story; seller motivated", "Assumable loan at 3.9% through 2029", "The seller wants to close soon."],
)
def test_a_sentence_under_some_records_heads_no_section(text: str) -> None:
    """It is told as going on with its record."""
    (table,) = layout([NAMES, DEALS[0], [text], *DEALS[1:]]).tables
    assert table.sections == [None] * 4
    assert [(span.first, span.row_class) for span in table.excluded] == [(3, "other")]


def test_labels_over_groups_of_records_stay_sections() -> None:
    """A broker over each group, and the first group without one."""
    rows = [NAMES, DEALS[0], ["Broker: Acme"], *DEALS[1:3], ["Broker: Beta"], DEALS[3]]
    (table,) = layout(rows).tables
    assert table.sections == [None, "Broker: Acme", "Broker: Acme", "Broker: Beta"]
