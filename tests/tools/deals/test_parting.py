"""Tables that touch: one right under another, or beside it; each is read by itself, and what stays unsure is said."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import issues, read, read_csv

PROPERTIES = [["Property", "City", "Asking Price"], ["Heron Point", "Tampa", 1e6], ["Cedar Hollow", "Macon", 2e6]]
TENANTS = [
    ["Tenant", "Suite", "Base Rent", "SF"],
    ["Kite Foods", "100", 24_000, 1000],
    ["Lark Shoes", "200", 36_000, 2000],
]


def names(extraction: Extraction) -> list[tuple[str, list[object]]]:
    """The range of each table, and the names of its deals."""
    found: list[tuple[str, list[object]]] = []
    for table in extraction.tables:
        column = table.column_of("deal_name") or table.column_of("tenant")
        found.append((table.range, list(column.values) if column else []))
    return found


BOTH = [("A1:D3", ["Heron Point", "Cedar Hollow"]), ("A4:D6", ["Kite Foods", "Lark Shoes"])]


def test_a_header_right_under_a_table_starts_the_next_one() -> None:
    """No name of a column becomes a deal, and no rent a price."""
    extraction = read([*PROPERTIES, *TENANTS])
    assert names(extraction) == BOTH
    assert extraction.tables[1].header_rows == (4,)
    spans = [(s.first, s.last, s.row_class, s.table_id) for s in extraction.census[0].rows]
    assert [span[:3] for span in spans] == [(1, 1, "header"), (2, 3, "record"), (4, 4, "header"), (5, 6, "record")]
    assert spans[0][3] == spans[1][3] != spans[2][3] == spans[3][3]


def test_a_header_under_a_table_of_a_text_file_starts_the_next_one() -> None:
    """Numbers of a text file are text."""
    lines = [",".join(str(value) for value in row) for row in [*PROPERTIES, *TENANTS]]
    assert [found for _, found in names(read_csv("\n".join(lines)))] == [found for _, found in BOTH]


def test_a_third_table_starts_likewise() -> None:
    """Each header starts one."""
    loans = [["Loan", "Borrower", "Loan Amount", "Rate"], ["L-1", "Kite", 5e6, 0.05], ["L-2", "Lark", 6e6, 0.06]]
    assert len(read([*PROPERTIES, *TENANTS, *loans]).tables) == 3


@pytest.mark.parametrize(
    "row", [["Auction House", "Retail", "Call for offers"], ["Office", "Reno", "TBD"], ["Price Tower", "City", None]]
)
def test_a_deal_of_words_starts_no_table(row: list[object]) -> None:
    """Its words name no columns, or too few."""
    extraction = read([*PROPERTIES, row, ["Union Yard", "Mobile", 3e6]])
    assert len(extraction.tables) == 1
    assert len(extraction.tables[0].records) == 4


@pytest.mark.parametrize("gap", [0, 1])
def test_the_same_columns_again_to_the_right_are_a_table_beside(gap: int) -> None:
    """All deals of both halves are read."""
    right = [["Union Yard", "Mobile", 3e6], ["Prairie Hub", "Joliet", 4e6]]
    rows = [[*row, *[None] * gap, *other] for row, other in zip(PROPERTIES, [PROPERTIES[0], *right], strict=True)]
    extraction = read(rows)
    assert [found for _, found in names(extraction)] == [["Heron Point", "Cedar Hollow"], ["Union Yard", "Prairie Hub"]]
    assert len({deal.deal_id for deal in extraction.deals()}) == 4


def test_tenants_beside_an_empty_column_that_end_earlier_are_told() -> None:
    """They may be a table of their own; the rows are read as they stand, and a warning says so."""
    rows = [
        [*a, None, *b]
        for a, b in zip([*PROPERTIES, ["Union Yard", "Mobile", 3e6]], [*TENANTS, [None] * 4], strict=True)
    ]
    extraction = read(rows)
    if len(extraction.tables) == 1:
        (said,) = issues(extraction, "table.beside")
        assert said.severity == "warning"
        assert "E" in said.message
    else:
        assert [found for _, found in names(extraction)][1] == ["Kite Foods", "Lark Shoes"]
