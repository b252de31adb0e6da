"""Formulas without a stored value: computed where they are plain, known where they are not."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.tools.workbook.books import opened, xlsx
from tools.workbook import formulas
from tools.workbook.grid import CellError, Sheet
from tools.workbook.open import open_workbook

CELLS = [["Income", "Cost", "Name"], [120.0, 20.0, "Elm"], [80.0, None, "Oak"], [0.0, "n/a", None]]


def computed(formula: str) -> object:
    """The value of `formula` in E2 of a sheet of CELLS, which no program has computed."""
    rows = [list(row) for row in CELLS]
    rows[1] += [None, f"={formula}"]
    return opened(xlsx(("Deals", rows))).value(2, 4)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("A2-B2", 100.0),
        ("-A2^2", 14_400.0),
        ("2+3*4", 14.0),
        ("(2+3)*4%", 0.2),
        ("A2/B2", 6.0),
        ("SUM(A2:B3)", 220.0),
        ("SUM(A2:A4,5)", 205.0),
        ("AVERAGE(A2:A3)", 100.0),
        ("ROUND(A2/7,2)", 17.14),
        ("ROUND(2.5,0)", 3.0),
        ("ROUND(1250,-2)", 1300.0),
        ("IF(A2>100,B2,0)", 20.0),
        ('IF(C2="elm",1,2)', 1.0),
        ("IF(A4=0,7)", 7.0),
        ("SUMPRODUCT(A2:A3,A2:A3)", 20_800.0),
        ("SUBTOTAL(9,A2:A3)", 200.0),
        ("MIN(A2:A3)+MAX(A2:A3)", 200.0),
        ('C2&" Court"', "Elm Court"),
        ("IFERROR(A2/A4,-1)", -1.0),
        ("B3+1", 1.0),
        ("$A$2+Deals!A3", 200.0),
        ('HYPERLINK("https://example.com","Elm")', "Elm"),
        ("ROUND(PMT(0.06/12,360,-100000),2)", 599.55),
    ],
)
def test_plain_formulas_are_computed(formula: str, value: object) -> None:
    """Arithmetic, sums, means, rounding, conditions and the like, as a spreadsheet computes them."""
    assert computed(formula) == pytest.approx(value)


@pytest.mark.parametrize(
    ("formula", "code"),
    [("A2/A4", "#DIV/0!"), ("A2+C2", "#VALUE!"), ("SUM(A2,#REF!)", "#REF!"), ("AVERAGE(C2:C3)", "#DIV/0!")],
)
def test_a_formula_that_fails_holds_its_error(formula: str, code: str) -> None:
    """The error that a spreadsheet would show, never a number made up."""
    assert computed(formula) == CellError(code)


@pytest.mark.parametrize(
    "formula", ["NOW()", "INDIRECT(C2)", "Missing!A1+1", "E2+1", "A2:A3", "Table1[Cost]", "A2+", "{1,2}", "@A2"]
)
def test_what_is_not_plain_has_no_value_and_a_known_formula(formula: str) -> None:
    """Never None in silence, never the formula's text as a value."""
    rows = [list(row) for row in CELLS]
    rows[1] += [None, f"={formula}"]
    sheet = opened(xlsx(("Deals", rows)))
    assert sheet.value(2, 4) is None
    assert (2, 4) in sheet.uncached
    assert sheet.formula(2, 4) == formula


def chain(length: int, upwards: bool) -> Sheet:
    """A column of formulas, each one more than its neighbour."""
    cells: list[list[Any]] = [[f"=A{n - 1}+1"] for n in range(2, length + 1)]
    rows = [[1.0], *cells]
    if upwards:
        rows = [*([f"=A{n + 1}+1"] for n in range(1, length)), [1.0]]
    return opened(xlsx(("Deals", rows)))


@pytest.mark.parametrize("upwards", [False, True])
def test_long_chains_of_formulas_are_followed_down_and_up(upwards: bool) -> None:
    """A running balance of two thousand rows, whichever way it runs."""
    sheet = chain(2000, upwards)
    assert sheet.value(1 if upwards else 2000, 0) == 2000.0
    assert not sheet.uncached


def test_formulas_over_other_sheets_and_formulas_are_computed_in_any_order() -> None:
    """A price on one sheet, a rate on the next, each from the other's cells."""
    book = open_workbook(xlsx(("A", [["=B!A1*2", "=A1+1"]]), ("Bé 1", [[1]]), ("B", [["=3+4"]])), "x.xlsx")
    assert book.sheets[0].rows == [[14.0, 15.0]]
    assert book.sheets[0].computed == {(1, 0), (1, 1)}


def test_a_computed_date_is_a_date() -> None:
    """A serial number under a date format comes out as the day that it shows."""

    def dated(book: Any) -> None:
        book.active["B1"].number_format = "yyyy-mm-dd"

    sheet = opened(xlsx(("Deals", [[dt.date(2024, 1, 31), "=A1+30"]]), change=dated))
    assert sheet.value(1, 1) == dt.date(2024, 3, 1)


def test_a_row_of_formulas_alone_is_part_of_the_block() -> None:
    """Rows that hold nothing but formulas without values are there, inside the block, not dropped."""
    sheet = opened(xlsx(("Deals", [["a", 1], ["=NOW()", "=B1*2"], ["=B1+B2"]])))
    assert sheet.rows == [["a", 1.0], [None, 2.0], [3.0, None]]


def test_costly_formulas_end_within_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums over everything above, again and again, stop costing and are left without a value."""
    monkeypatch.setattr(formulas, "_MOST_CELLS", 20_000)
    sheet = opened(xlsx(("Deals", [[float(n), f"=SUM($A$1:A{n})+SUM(A:A)"] for n in range(1, 201)])))
    assert sheet.value(1, 1) == 1 + 200 * 201 / 2
    assert sheet.value(200, 1) is None
    assert sheet.formula(200, 1) == "SUM($A$1:A200)+SUM(A:A)"
