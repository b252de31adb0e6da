"""Formulas without a stored value: computed where they are plain, known where they are not."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.tools.workbook.books import opened, rewritten, xlsx
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
    monkeypatch.setattr(formulas, "MOST_CELLS", 20_000)
    sheet = opened(xlsx(("Deals", [[float(n), f"=SUM($A$1:A{n})+SUM(A:A)"] for n in range(1, 201)])))
    assert sheet.value(1, 1) == 1 + 200 * 201 / 2
    assert sheet.value(200, 1) is None
    assert sheet.formula(200, 1) == "SUM($A$1:A200)+SUM(A:A)"


LOOKED_UP = [
    ["Elm", 120.0, "Retail", 0.05],
    ["Oak", 80.0, "Office", 0.06],
    ["Ash", 30.0, "retail", None],
    ["Fir", "n/a", "Retail*", 0.08],
    [None, 7.0, None, 0.09],
]


def looked_up(formula: str) -> object:
    """The value of `formula` in F1 beside LOOKED_UP in A1:D5, which no program has computed."""
    rows: list[list[Any]] = [list(row) for row in LOOKED_UP]
    rows[0] += [None, f"={formula}"]
    return opened(xlsx(("Deals", rows), ("Other 1", [["x", 5.0], ["y", 6.0]]))).value(1, 5)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('VLOOKUP("oak",A1:D5,2,FALSE)', 80.0),
        ('VLOOKUP("OAK",$A$1:$D$5,3,0)', "Office"),
        ("VLOOKUP(\"y\",'Other 1'!A:B,2,FALSE)", 6.0),
        ("HLOOKUP(120,A1:D5,2,FALSE)", 80.0),
        ('MATCH("Ash",A1:A5,0)', 3.0),
        ("MATCH(0.06,D:D,0)", 2.0),
        ("INDEX(B1:B5,2)", 80.0),
        ("INDEX(A1:D1,3)", "Retail"),
        ("INDEX(A1:D5,2,4)", 0.06),
        ('INDEX(B1:B5,MATCH("Ash",A1:A5,0))', 30.0),
        ('XLOOKUP("Oak",A1:A5,B1:B5)', 80.0),
        ('XLOOKUP("Yew",A1:A5,B1:B5,-1)', -1.0),
        ('_xlfn.XLOOKUP("Oak",A1:A5,B1:B5,0,0,1)', 80.0),
        ('IFERROR(VLOOKUP("Yew",A1:B5,2,FALSE),0)+1', 1.0),
        ('SUMIF(C1:C5,"Retail",B1:B5)', 150.0),
        ('SUMIF(C1:C5,"ret*",B1:B5)', 150.0),
        ('COUNTIF(C1:C5,"ret*")', 3.0),
        ('COUNTIF(C1:C5,"Retail~*")', 1.0),
        ('COUNTIF(C1:C5,"?ffice")', 1.0),
        ('COUNTIF(C1:C5,"<>retail")', 3.0),
        ('SUMIF(B1:B5,">=80")', 200.0),
        ("COUNTIF(B1:B5,80)", 1.0),
        ('COUNTIF(D1:D5,"<"&D4)', 2.0),
        ('SUMIFS(B1:B5,C1:C5,"retail",B1:B5,"<100")', 30.0),
        ('COUNTIFS(C1:C5,"retail",D1:D5,">0.01")', 1.0),
        ('AVERAGEIF(C1:C5,"retail",B1:B5)', 75.0),
        ('AVERAGEIFS(D1:D5,B1:B5,">10",C1:C5,"<>x")', 0.055),
        ('SUMPRODUCT((C1:C5="retail")*(D1:D5>0)*B1:B3)', None),
        ('SUMPRODUCT((C1:C3="retail")*B1:B3)', 150.0),
        ('SUMPRODUCT(--(C1:C5="retail"))', 2.0),
        ("SUMPRODUCT(B1:B3*2,D1:D3)", 21.6),
        ("SUMPRODUCT(B1:B3,D1:D3)/SUM(B1:B3)", 10.8 / 230),
        ("MEDIAN(B1:B3)", 80.0),
        ("PRODUCT(B1:B2,2)", 19_200.0),
        ("INT(-2.5)+MOD(-7,3)", -1.0),
    ],
)
def test_exact_look_ups_and_conditional_sums_are_computed(formula: str, value: object) -> None:
    """As a spreadsheet computes them: text without case, wildcards, the first match; None where it isn't plain."""
    assert looked_up(formula) == (value if value is None or isinstance(value, str) else pytest.approx(value))


@pytest.mark.parametrize(
    "formula",
    [
        'VLOOKUP("oak",A1:D5,2)',
        "VLOOKUP(100,B1:D5,2,TRUE)",
        "MATCH(100,B1:B5,1)",
        "MATCH(100,B1:B5)",
        'XLOOKUP("Yew",A1:A5,B1:B5,0,-1)',
        'VLOOKUP("o*",A1:D5,2,FALSE)',
        "INDEX(A1:D5,2)",
        "INDEX(A1:D5,0,1)",
        'SUMIF(C1:C5,"x",B1:B2)',
        "SUMPRODUCT(ABS(B1:B3))",
        'SUM((C1:C3="retail")*B1:B3)',
        'COUNTIF(C1:C5,"' + "x" * 300 + '")',
    ],
)
def test_look_ups_that_depend_on_order_or_program_have_no_value(formula: str) -> None:
    """Approximate ones, wildcards in look-ups, ranges where one value is wanted: flagged, never guessed."""
    assert looked_up(formula) is None


@pytest.mark.parametrize(
    ("formula", "code"),
    [('VLOOKUP("Yew",A1:D5,2,FALSE)', "#N/A"), ("MOD(1,0)", "#DIV/0!"), ('AVERAGEIF(C1:C5,"Yew",B1:B5)', "#DIV/0!")],
)
def test_look_ups_that_find_nothing_hold_their_error(formula: str, code: str) -> None:
    """As a spreadsheet would show it."""
    assert looked_up(formula) == CellError(code)


def test_a_subtotal_passes_over_subtotals_and_hidden_rows() -> None:
    """The grand total over blocks with subtotals counts each record once."""
    rows: list[list[Any]] = [
        [10.0],
        [20.0],
        ["=SUBTOTAL(9,A1:A2)"],
        [5.0],
        ["=SUBTOTAL(9,A4:A4)"],
        ["=SUBTOTAL(9,A1:A5)"],
    ]
    sheet = opened(xlsx(("Deals", rows)))
    assert [sheet.value(row, 0) for row in (3, 5, 6)] == [30.0, 5.0, 35.0]

    def hide(book: Any) -> None:
        book.active.row_dimensions[2].hidden = True

    rows = [[10.0], [20.0], ["=SUBTOTAL(109,A1:A2)", "=SUBTOTAL(9,A1:A2)"]]
    sheet = opened(xlsx(("Deals", rows), change=hide))
    assert (sheet.value(3, 0), sheet.value(3, 1), sheet.uncached) == (10.0, None, {(3, 1)})


def test_many_look_ups_in_one_range_cost_no_more_than_a_few() -> None:
    """Five thousand look-ups in a table of a thousand rows all have their value."""
    table = [[f"Deal {n}", float(n)] for n in range(1000)]
    asked = [[f"=VLOOKUP(\"deal {n % 1000}\",'T'!$A$1:$B$1000,2,FALSE)"] for n in range(5000)]
    sheet = open_workbook(xlsx(("Q", asked), ("T", table)), "x.xlsx").sheets[0]
    assert [row[0] for row in sheet.rows] == [float(n % 1000) for n in range(5000)]


def test_wildcards_made_to_be_slow_are_not() -> None:
    """Stars before a letter that never comes, over a text as long as a cell's."""
    formula = 'COUNTIF(A1:A5,"' + "*a" * 100 + '*b")'
    assert opened(xlsx(("Deals", [["a" * 32_000, f"={formula}"]]))).value(1, 1) == 0.0


def test_stored_values_that_formulas_no_longer_give_are_found() -> None:
    """From the other cells as they are stored, whichever formulas those hold."""
    content = xlsx(("Deals", [[10.0], [20.0], ["=SUM(A1:A2)", "=A3*2", "=NOW()"], [1.0]]))
    stored = {b"<f>SUM(A1:A2)</f><v/>": b"<f>SUM(A1:A2)</f><v>29</v>", b"<f>A3*2</f><v/>": b"<f>A3*2</f><v>58</v>"}

    def cache(part: bytes) -> bytes:
        for old, new in stored.items():
            assert old in part or old.replace(b"<v/>", b"<v></v>") in part
            part = part.replace(old, new).replace(old.replace(b"<v/>", b"<v></v>"), new)
        return part

    book = open_workbook(rewritten(content, "xl/worksheets/sheet1.xml", cache), "x.xlsx")
    cells = [(3, 0), (3, 1), (3, 2), (4, 0)]
    assert formulas.recompute(book, book.sheets[0], cells, formulas.Allowance(1_000)) == {(3, 0): 30.0, (3, 1): 58.0}


@pytest.mark.parametrize("text", ["$1,200", "5%", "3 May 2024", "1/2/2024", "10:30 PM", "(500)"])
def test_text_that_a_spreadsheet_may_read_as_a_number_is_not_guessed(text: str) -> None:
    """No value, and none of IFERROR's either, as it may be no error."""
    sheet = opened(xlsx(("Deals", [[text, "=A1*2", "=IFERROR(A1*2,7)"]])))
    assert (sheet.value(1, 1), sheet.value(1, 2)) == (None, None)


@pytest.mark.parametrize("text", ["12 units", "n/a", "Elm", "Suite 5B"])
def test_text_that_is_no_number_to_any_spreadsheet_is_an_error(text: str) -> None:
    """IFERROR takes its other value then."""
    sheet = opened(xlsx(("Deals", [[text, "=A1*2", "=IFERROR(A1*2,7)"]])))
    assert (sheet.value(1, 1), sheet.value(1, 2)) == (CellError("#VALUE!"), 7.0)
