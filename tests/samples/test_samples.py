"""The committed samples are what their maker writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.samples.make_samples import FOLDER, SAMPLES


def cells(path: Path, values: bool) -> dict[tuple[str, str], object]:
    """Each non-empty cell of a workbook by sheet and address: its saved value, or its formula."""
    book = load_workbook(path, data_only=values)
    return {(sheet.title, cell.coordinate): cell.value for sheet in book for row in sheet for cell in row if cell.value is not None}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_what_its_maker_writes(name: str, tmp_path: Path) -> None:
    """Nobody edits a sample by hand, so that its facts can be read in one place."""
    SAMPLES[name](tmp_path / name)
    if name.endswith(".csv"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()
        return
    for values in (True, False):
        assert cells(tmp_path / name, values) == cells(FOLDER / name, values)


def test_the_portfolio_has_saved_totals_and_the_loan_tape_has_none() -> None:
    """Both kinds of workbook are among the samples: saved by Excel, and written by a library."""
    portfolio = load_workbook(FOLDER / "portfolio.xlsx", data_only=True)["Portfolio"]
    totals = [row for row in portfolio.iter_rows(values_only=True) if row[2] == "TOTAL PORTFOLIO"]
    assert totals[0][12] == pytest.approx(871_200)
    tape = load_workbook(FOLDER / "loan_tape.xlsx", data_only=True)["Tape_0926"]
    assert [row[9] for row in tape.iter_rows(values_only=True) if row[0] == "TOTAL"] == [None]
