"""Rows of text files that have more fields than the header: their values may stand in wrong columns, and it is said."""

from __future__ import annotations

from tests.tools.deals.books import deal, issues, read_csv

HEADER = "Property,City,Asking Price,NOI"
ROWS = ["Alpha Plaza,Reno,1000000,60000", "Beta Plaza,Waco, TX,2000000,120000", "Gamma Plaza,Waco,2500000,150000"]


def test_a_row_with_more_fields_than_the_header_is_named_and_its_deal_is_marked() -> None:
    """A delimiter inside a value moves the values right of it."""
    extraction = read_csv("\n".join([HEADER, *ROWS]))
    (said,) = issues(extraction, "record.fields")
    assert said.severity == "error"
    assert said.cells == ("E3",)
    assert "row 3 has 5, the header 4" in said.message
    assert any(text.startswith("record.fields") for text in deal(extraction, 1).warnings)
    assert not any(text.startswith("record.fields") for text in deal(extraction, 0).warnings)


def test_rows_that_end_in_delimiters_have_no_more_fields() -> None:
    """Programs pad rows with empty fields."""
    extraction = read_csv("\n".join([HEADER + ",", *(row.replace(", TX", "") + ",," for row in ROWS)]))
    assert not issues(extraction, "record.fields")


def test_a_delimiter_in_the_amounts_of_all_rows_is_told_once() -> None:
    """Each row has more fields; one issue names them all."""
    rows = [f"Place {n},Reno,{n},000,000,60,000" for n in range(1, 4)]
    (said,) = issues(read_csv("\n".join([HEADER, *rows])), "record.fields")
    assert said.cells == ("E2", "E3", "E4")
