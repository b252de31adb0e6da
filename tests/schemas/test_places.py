"""Addresses of cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.workbook import cell_address, column_index, column_letters


@given(st.integers(0, 16_383))
def test_letters_and_index_are_inverse(index: int) -> None:
    """Every column of a sheet has one name."""
    assert column_index(column_letters(index)) == index


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")]
)
def test_columns_are_named_as_in_a_spreadsheet(index: int, letters: str) -> None:
    """The corners of the naming."""
    assert column_letters(index) == letters


def test_a_cell_of_a_file_without_sheets_has_no_sheet() -> None:
    """CSV cells are named by place alone."""
    assert cell_address(None, 6, 6) == "G6"
    assert cell_address("Comps", 6, 6) == "Comps!G6"


def test_what_is_no_column_is_refused() -> None:
    """Digits and signs name no column."""
    with pytest.raises(ValueError, match="no column"):
        column_index("A1")
