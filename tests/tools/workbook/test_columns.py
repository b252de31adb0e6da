"""Blocks kept by columns: their types are those of their values, whatever comes in and is put in later."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from tools.workbook.columns import BlockColumn, by_column
from tools.workbook.grid import Sheet

DAY = dt.date(2024, 2, 29)
KINDS: tuple[tuple[object, ...], ...] = (
    ("Elm", "Oak", ""),
    ("Elm", None),
    (1.0, 2.5),
    (1, True, 1.0),
    (DAY, None, "x"),
)


def kinds_of(column: BlockColumn, start: int, end: int) -> set[type]:
    """The types of some values, looked at one by one."""
    return set(map(type, column.values[start:end]))


@pytest.mark.parametrize("height", [1, 255, 256, 257, 1100])
def test_types_noted_while_reading_are_those_of_the_values(height: int) -> None:
    """For every span of rows, the noted types are the ones that a look at each value finds."""
    dice = random.Random(height)  # made-up values, no secrets
    stretches = [[dice.choice(KINDS) for _ in range(7)] for _ in range(3)]
    rows = [[dice.choice(stretch[at * 7 // height]) for stretch in stretches] for at in range(height)]
    for column, values in zip(by_column(rows, 3, blank=""), zip(*rows, strict=True), strict=True):
        assert list(map(repr, column.values)) == [repr(None if value == "" else value) for value in values]
        for _ in range(20):
            start, end = sorted(dice.choices(range(height + 1), k=2))
            assert column.kinds(start, end) == kinds_of(column, start, end)


def test_a_value_put_in_later_changes_the_types() -> None:
    """What a column has noted of its types never outlives the values that it was noted of."""
    (column,) = by_column([["Elm"]] * 600, 1)
    column.put(300, DAY)
    assert column.kinds(0, 600) == {str, dt.date}
    assert column.kinds(301, 600) == {str}


def test_texts_that_come_again_are_kept_once_and_texts_that_differ_are_not_looked_up() -> None:
    """A column of few texts holds one object for each, at whatever row it came again."""
    rows = [["".join(("El", "m" * (at % 3))), f"P-{at}"] for at in range(2000)]
    alike, differing = by_column(rows, 2)
    assert (alike.repeats, differing.repeats) == (True, False)
    assert len({id(value) for value in alike.values}) == 3
    assert [alike.values, differing.values] == list(map(list, zip(*rows, strict=True)))


def test_rows_of_a_sheet_are_those_that_it_was_made_of() -> None:
    """A sheet made of rows gives the same rows, cell by cell too; a copy, so that changing them changes no sheet."""
    rows: list[list[object]] = [["a", None, 1.0], [DAY, True, ""]]
    sheet = Sheet("Deals", rows, top=3, left=2)
    sheet.rows[0][0] = "b"
    assert (sheet.rows, sheet.height, sheet.width) == (rows, 2, 3)
    assert [sheet.value(4, 2), sheet.value(3, 4), sheet.value(2, 2)] == [DAY, 1.0, None]
