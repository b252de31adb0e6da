"""Values of formulas that say nothing: empty texts, zeros of programs that don't calculate, cells of array formulas."""

from __future__ import annotations

import io
from typing import Any

import pytest
import xlsxwriter

from tests.tools.workbook.books import MAIN, opened, raw_sheet
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import Sheet
from tools.workbook.open import open_workbook

WALKED = "<!-- walked -->"


def sheet(*rows: str, before: str = "") -> Sheet:
    """The sheet of `rows` of cells, read."""
    body = "".join(f'<row r="{n}">{cells}</row>' for n, cells in enumerate(rows, 1))
    return opened(raw_sheet(f'<worksheet xmlns="{MAIN}">{before}<sheetData>{body}</sheetData></worksheet>'))


def empty(at: str, formula: str) -> str:
    """A cell for whose formula an empty text is stored."""
    return f'<c r="{at}" t="str"><f>{formula}</f><v></v></c>'


@pytest.mark.parametrize("before", ["", WALKED], ids=["bulk", "walked"])
def test_an_empty_text_of_a_formula_that_gives_a_number_is_no_value(before: str) -> None:
    """The number is worked out; what gives an empty text itself stays empty, what can't be worked out is flagged."""
    book = sheet(
        '<c r="A1"><v>40</v></c>' + empty("B1", "A1*2") + empty("C1", 'IF(A1=40,"",A1)') + empty("D1", "NOW()"),
        before=before,
    )
    assert book.rows == [[40.0, 80.0, None, None]]
    assert (book.computed, set(book.uncached)) == ({(1, 1)}, {(1, 3)})


def test_in_a_file_that_was_worked_out_an_empty_text_is_believed() -> None:
    """A formula that can't be worked out here, or fails, is no lost value where others have theirs."""
    book = sheet(
        '<c r="A1"><v>40</v></c><c r="B1"><f>A1*2</f><v>80</v></c>' + empty("C1", "NOW()") + empty("D1", "A1/0"),
        '<c r="A2"><f>IF(C1="",7,8)</f></c><c r="B2"><f>IF(C1&gt;5,1,2)</f></c>' + empty("C2", "A1+1"),
    )
    assert book.rows == [[40.0, 80.0, None, None], [7.0, 1.0, 41.0, None]]
    assert not book.uncached


def test_a_formula_without_a_value_that_shows_nothing_is_empty() -> None:
    """No value was lost there, and what refers to it sees an empty text."""
    book = sheet('<c r="A1"><f>IF(B1="","",B1)</f></c><c r="C1"><f>IF(A1="",1,2)</f></c>')
    assert (book.value(1, 0), book.value(1, 2)) == (None, 1.0)
    assert not book.uncached


def written(formulas: dict[str, str], values: dict[str, float] | None = None) -> Sheet:
    """A sheet with 4,000,000 in A1 and 6.5% in B1, and formulas, all of them 0 but those in `values`."""
    stream = io.BytesIO()
    book: Any = xlsxwriter.Workbook(stream)
    page = book.add_worksheet("Deals")
    page.write_row(0, 0, [4_000_000, 0.065])
    for at, formula in formulas.items():
        page.write_formula(at, formula, None, (values or {}).get(at, 0))
    book.close()
    return open_workbook(stream.getvalue(), "x.xlsx").sheets[0]


def zeros(book: Sheet) -> int:
    """How many zeros were not taken."""
    assert isinstance(book.formulas, Formulas)
    return book.formulas.zeros


def test_zeros_of_a_program_that_works_nothing_out_are_no_values() -> None:
    """All formulas have a 0, and some give something else: worked out, and flagged where that can't be."""
    book = written({"C1": "=A1*B1", "D1": "=C1/A1", "E1": "=A1-A1", "F1": "=NOW()"})
    assert book.rows == [[4_000_000.0, 0.065, 260_000.0, 0.065, 0.0, None]]
    assert (book.computed, set(book.uncached), zeros(book)) == ({(1, 2), (1, 3), (1, 4)}, {(1, 5)}, 4)


@pytest.mark.parametrize(
    ("formulas", "values"),
    [
        ({"C1": "=A1*B1", "D1": "=A1-A1"}, {"C1": 260_000.0}),
        ({"C1": "=A1-A1", "D1": "=NOW()", "E1": "=0.3-0.1-0.2"}, {}),
        ({"C1": "=A1/0"}, {}),
    ],
    ids=["one has a value", "nothing else comes out", "an error comes out"],
)
def test_zeros_that_may_be_right_stay(formulas: dict[str, str], values: dict[str, float]) -> None:
    """Where a program has worked one formula out, or all give 0, the stored values are kept."""
    book = written(formulas, values)
    stored = [values.get(at, 0.0) for at in formulas]
    assert book.rows == [[4_000_000.0, 0.065, *stored]]
    assert (book.computed, zeros(book), set(book.uncached)) == (set(), 0, set())


@pytest.mark.parametrize("before", ["", WALKED], ids=["bulk", "walked"])
def test_all_cells_of_an_array_formula_without_values_are_known(before: str) -> None:
    """Worked out cell by cell where it is plain, flagged in each of them where it is not."""
    array = '<f t="array" ref="{}">{}</f>'
    book = sheet(
        f'<c r="A1"><v>40</v></c><c r="B1">{array.format("B1:B3", "A1:A3*100")}</c>'
        f'<c r="C1">{array.format("C1:C3", "SUM(A1:A3)+1")}</c><c r="D1">{array.format("D1:D3", "SQRT(A1:A3)")}</c>',
        '<c r="A2"><v>41</v></c><c r="B2"/>',
        '<c r="A3"><v>42</v></c>',
        before=before,
    )
    assert book.rows == [[40.0, 4000.0, 124.0, None], [41.0, 4100.0, 124.0, None], [42.0, 4200.0, 124.0, None]]
    assert set(book.uncached) == {(1, 3), (2, 3), (3, 3)}


def test_an_array_formula_over_a_whole_sheet_costs_no_more_than_the_sheet() -> None:
    """Only its cells within the sheet's own are looked at; the others hold nothing anyway."""
    book = sheet('<c r="A1"><v>2</v></c><c r="B1"><f t="array" ref="B1:XFD1048576">A1*2</f></c>', '<c r="A2"/>')
    assert book.rows == [[2.0, 4.0]]
