"""Formulas as a pass over a sheet keeps them: the same in either pass, in whatever order they stand."""

from __future__ import annotations

import pytest

from tests.tools.workbook.books import MAIN, opened, raw_sheet
from tools.workbook.cells import Cells

CELLS = (
    '<c r="{at}"><f>A1*2</f><v>2</v></c>',
    '<c r="{at}"><f>A1*2</f></c>',
    '<c r="{at}"><f>A1*2</f><v></v></c>',
    '<c r="{at}"><f>A1*2</f><v/></c>',
    '<c r="{at}" t="str"><f>A1&amp;"&lt;"</f><v></v></c>',
    '<c r="{at}" t="inlineStr"><f>A1</f><is><t>x</t></is></c>',
    '<c r="{at}"><f>\n A1 </f>\n <v>3</v></c>',
    '<c r="{at}"><f/><v>3</v></c>',
    '<c r="{at}"><f ca="1">A1</f><v>3</v></c>',
    '<c r="{at}"><f t="array" ref="{at}">SUM(A1:A1)</f><v>3</v></c>',
    '<c r="{at}"><f t="shared" ref="{at}:{at}" si="7">A1+7</f><v>3</v></c>',
    '<c r="{at}"><f t="shared" si="7"/><v>3</v></c>',
    '<c r="{at}"><f t="shared" si="9"/></c>',
)


def sheet(rows: str, walked: bool = False) -> bytes:
    """A workbook of a sheet with `rows`; a comment makes the reader walk it element by element."""
    comment = "<!-- walked -->" if walked else ""
    return raw_sheet(f'<worksheet xmlns="{MAIN}">{comment}<sheetData>{rows}</sheetData></worksheet>')


@pytest.mark.parametrize("backwards", [False, True])
def test_both_passes_find_the_same_formulas(backwards: bool) -> None:
    """Texts, shared ones, and which have no value; rows may stand in any order."""
    lines = [f'<row r="{n}">{cell.format(at=f"B{n}")}</row>' for n, cell in enumerate(CELLS, 2)]
    rows = '<row r="1"><c r="A1"><v>1</v></c></row>' + "".join(lines[::-1] if backwards else lines)
    bulk, walked = opened(sheet(rows)), opened(sheet(rows, walked=True))
    assert len(bulk.formulas) == len(CELLS)
    assert dict(bulk.formulas) == dict(walked.formulas)
    assert bulk.formulas[13, 1] == "A2+7"
    assert set(bulk.uncached) == set(walked.uncached)
    assert bulk.computed == walked.computed
    assert bulk.rows == walked.rows


def test_of_two_formulas_in_one_cell_the_later_one_counts() -> None:
    """As of two values."""
    twice = '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="A1"><f>2+2</f><v>4</v></c></row>'
    assert dict(opened(sheet(twice)).formulas) == {(1, 0): "2+2"}


def test_a_shared_sum_of_the_own_column_is_one_in_each_cell_that_shares_it() -> None:
    """What moves with the cell moves; a sum that would hold itself, or lie in another column, is none."""
    numbers = "".join(f'<row r="{n}"><c r="B{n}"><v>{n}</v></c><c r="C{n}"><v>{n}</v></c></row>' for n in (1, 2, 3))
    share = '<c r="{0}4"><f t="shared" si="0"/><v>6</v></c>'
    total = (
        f'<row r="4"><c r="B4"><f t="shared" ref="B4:D4" si="0">SUM(B$1:B3)</f><v>6</v></c>{share.format("C")}</row>'
    )
    first = '<c r="B5"><f t="shared" ref="B5:C5" si="1">SUM($B1:$B3)</f><v>6</v></c>'
    fixed = f'<row r="5">{first}<c r="C5"><f t="shared" si="1"/><v>6</v></c></row>'
    found = opened(sheet(numbers + total + fixed))
    assert Cells(found).column_sums == {4: {1, 2}, 5: {1}}
