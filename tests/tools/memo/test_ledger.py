"""Tables: what is split is all there, heads repeat, totals and headings never stand alone."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.figures.registry import Sentence
from tools.memo.flow import heading
from tools.memo.ledger import Cell, Column, Ledger, quoted_cell, some_cells
from tools.memo.styles import BODY_HEIGHT, WIDE

COLUMNS = (Column("Name", 2), Column("Amount", 1, "r"))


def rows(texts: Sequence[str]) -> list[list[Cell]]:
    """A row a text."""
    return [[quoted_cell(text), Cell("")] for text in texts]


def parts_of(table: Ledger, first_room: float) -> list[Ledger]:
    """The parts of `table` as a page layout makes them, the first in `first_room` points."""
    parts: list[Ledger] = []
    room, rest = first_room, table
    while rest.wrap()[1] > room:
        split = rest.split(WIDE, room)
        if not split:
            assert room < BODY_HEIGHT, "a fresh page must take something"
            room = BODY_HEIGHT
            continue
        assert isinstance(split[0], Ledger)
        assert isinstance(split[1], Ledger)
        assert split[0].wrap()[1] <= room + 0.01
        parts.append(split[0])
        rest, room = split[1], BODY_HEIGHT
    return [*parts, rest]


def words_of(parts: Sequence[Ledger]) -> str:
    """The first column's text over all parts."""
    return " ".join(" ".join(row.main[0]) for part in parts for row in part.laid)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.one_of(st.integers(1, 30), st.integers(200, 900)), min_size=1, max_size=20),
    st.floats(30, BODY_HEIGHT),
    st.booleans(),
    st.booleans(),
)
def test_splitting_loses_and_doubles_nothing(sizes: list[int], room: float, total: bool, mini: bool) -> None:
    """Whatever the rows' heights and the room, all words come out once, in order, in parts that fit."""
    texts = [" ".join(f"w{row}x{word}" for word in range(size)) for row, size in enumerate(sizes)]
    table = Ledger(COLUMNS, rows(texts), total=total, mini=mini)
    assert words_of(parts_of(table, room)) == " ".join(texts)


def test_parts_after_the_first_say_continued_once() -> None:
    """The head of each further part names the first column as continued; the first part does not."""
    parts = parts_of(Ledger(COLUMNS, rows([f"row{n}" for n in range(200)]), total=True), 300)
    heads = [part.columns[0].head for part in parts]
    assert heads == ["Name"] + ["Name, continued"] * (len(parts) - 1)
    assert len(parts) > 3


def test_a_total_is_never_alone_on_a_page() -> None:
    """The last part has a record beside the total."""
    for count in range(20, 60):
        parts = parts_of(Ledger(COLUMNS, rows([f"row{n}" for n in range(count)]), total=True), BODY_HEIGHT)
        assert len(parts[-1].laid) >= 2
        assert [part.total for part in parts] == [False] * (len(parts) - 1) + [True]


def test_a_short_table_moves_whole_rather_than_leave_a_row_behind() -> None:
    """Ten rows of which two would not fit begin on the next page, heading and all."""
    title = heading(Sentence(("Table",)), 1)
    table = Ledger(COLUMNS, rows([f"row{n}" for n in range(10)]), title=title)
    assert table.split(WIDE, table.wrap()[1] - 25) == []
    parts = parts_of(table, table.wrap()[1] - 25)
    assert len(parts) == 1
    assert parts[0].title is title


def test_shortened_texts_are_reported_and_others_are_not() -> None:
    """A text over its lines ends in an ellipsis and is told of; one that fits is not."""
    told: list[Cell] = []
    long, short = quoted_cell("A name that goes on " * 20), quoted_cell("Short")
    table = Ledger(
        (Column("Name", 1, lines=2), Column("More", 1)), [[long, Cell("")], [short, Cell("")]], shorten=told.append
    )
    assert told == [long]
    assert len(table.laid[0].main[0]) == 2
    assert table.laid[0].main[0][-1].endswith("…")
    assert table.laid[1].main[0] == ("Short",)


def test_cells_of_one_sheet_name_it_once() -> None:
    """Addresses that follow one another on a sheet repeat its name no more; what is over the bound is counted."""
    cells = ("Deals!F7", "Deals!F9:F12", "Rent Roll!C3", "Deals!G1", "Deals!G2")
    assert some_cells(cells, 4) == "Deals!F7, F9:F12, Rent Roll!C3, Deals!G1 and 1 more"
    assert some_cells(("F7", "F9"), 4) == "F7, F9"
    assert some_cells((), 3) == ""
