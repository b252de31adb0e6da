"""Formulas of xlsb files: read out of their tokens, worked out where the file holds an empty text for them."""

from __future__ import annotations

import struct

import pytest

from tests.hostile.binary_books import record12, wide, xlsb, xlsb_number, xlsb_row, xlsb_text
from tools.deals.extract import extract
from tools.workbook.grid import Sheet
from tools.workbook.open import open_workbook

PLUS, TIMES, OVER, PERCENT, BRACKETS = b"\x03", b"\x05", b"\x06", b"\x14", b"\x15"
THIS_BOOK = record12(353) + record12(357) + record12(362, struct.pack("<IIII", 1, 0, 0, 0)) + record12(354)
OTHER_BOOK = (
    record12(353) + record12(355, wide("rId9")) + record12(362, struct.pack("<IIII", 1, 0, 0, 0)) + record12(354)
)


def formula(column: int, tokens: bytes, value: str | float = "", extra: bytes = b"") -> bytes:
    """A record of a formula; an empty text is its stored value, as libraries write it that work nothing out."""
    kind, stored = (8, wide(value)) if isinstance(value, str) else (9, struct.pack("<d", value))
    sizes = struct.pack("<I", len(tokens)), struct.pack("<I", len(extra))
    return record12(kind, struct.pack("<II", column, 0) + stored + bytes(2) + sizes[0] + tokens + sizes[1] + extra)


def cell(row: int, column: int, *, fixed: bool = False) -> bytes:
    """The token of a reference to a cell."""
    return struct.pack("<BIH", 0x44, row, column | (0 if fixed else 0xC000))


def area(top: int, bottom: int, column: int) -> bytes:
    """The token of a reference to cells of one column."""
    return struct.pack("<BIIHH", 0x25, top, bottom, column | 0xC000, column | 0xC000)


def number(value: float) -> bytes:
    """The token of a number."""
    return struct.pack("<Bd", 0x1F, value)


def called(function: int, arguments: int) -> bytes:
    """The token of a function."""
    return struct.pack("<BBH", 0x22, arguments, function)


def read(*rows: bytes, over: bytes = THIS_BOOK) -> Sheet:
    """The sheet of a file with 40 in A1, 60 in A2 and what else the two rows, and others, hold."""
    one, two, *more = (*rows, b"", b"")[: max(2, len(rows))]
    lines = [xlsb_number(0, 40.0) + one, xlsb_number(0, 60.0) + two, *more]
    data = xlsb(b"".join(xlsb_row(at, [line]) for at, line in enumerate(lines)), over=over)
    return open_workbook(data, "deals.xlsb").sheets[0]


@pytest.mark.parametrize(
    ("tokens", "text", "value"),
    [
        (cell(0, 0) + number(0.5) + TIMES, "A1*0.5", 20.0),
        (cell(0, 0, fixed=True) + cell(1, 0) + PLUS + BRACKETS + cell(0, 0) + OVER, "($A$1+A2)/A1", 2.5),
        (area(0, 1, 0) + b"\x19\x10\0\0", "SUM(A1:A2)", 100.0),
        (area(0, 1_048_575, 0) + called(4, 1), "SUM(A1:A1048576)", 100.0),
        (cell(0, 16_383) + cell(1, 0) + PLUS, "XFD1+A2", 60.0),
        (area(0, 1, 0) + b"\x17\x03\0>\x004\x000\0" + called(345, 2), 'SUMIF(A1:A2,">40")', 60.0),
        (area(0, 1, 0) + area(0, 1, 0) + b"\x1e\x28\0" + called(482, 3), "SUMIFS(A1:A2,A1:A2,40)", 40.0),
        (cell(0, 0) + b"\x1e\0\0" + OVER + b"\x1e\x07\0" + b"\x21\xe0\x01", "IFERROR(A1/0,7)", 7.0),
        (struct.pack("<BH", 0x1E, 5) + PERCENT, "5%", 0.05),
        (b'\x17\x03\x00a\0"\0\xe9\0' + cell(0, 0) + b"\x08", '"a""\xe9"&A1', 'a"\xe940'),
        (struct.pack("<BHIH", 0x5A, 0, 1, 0xC000) + b"\x13", "-'S'!A2", -60.0),
        (struct.pack("<BHIIHH", 0x3B, 0, 0, 1, 0, 0) + called(7, 1), "MAX('S'!$A$1:$A$2)", 60.0),
    ],
)
def test_a_formula_with_an_empty_text_is_worked_out(tokens: bytes, text: str, value: object) -> None:
    """Operators, functions, areas, other sheets: as typed, and their value."""
    sheet = read(formula(1, tokens))
    assert (sheet.formula(1, 1), sheet.value(1, 1), sheet.computed) == (text, value, {(1, 1)})


def test_formulas_that_share_one_are_each_their_own() -> None:
    """References count from the cell that shares it, round the end of the sheet."""
    tokens = struct.pack("<BIH", 0x4C, 0, 0xC000 | 0x3FFF) + number(2.0) + TIMES
    shared = record12(427, struct.pack("<IIIII", 0, 1, 1, 1, len(tokens)) + tokens + bytes(4))
    lead, extra = struct.pack("<BI", 1, 0), struct.pack("<I", 1)
    sheet = read(formula(1, lead, extra=extra) + shared, formula(1, lead, extra=extra))
    assert (sheet.value(1, 1), sheet.value(2, 1), sheet.formula(2, 1)) == (80.0, 120.0, "A2*2.0")


@pytest.mark.parametrize(
    "tokens",
    [
        *(b"\x23\x01\0\0\0", b"\x22\x01\xff\x00", b"\x7e", PLUS, b"", struct.pack("<BI", 1, 7)),
        *(b"\x17\xff\xff", struct.pack("<BHIH", 0x5A, 9, 1, 0xC000), b"\x18\x19" + bytes(12)),
    ],
)
def test_a_formula_that_is_not_known_has_no_value(tokens: bytes) -> None:
    """Names, tables, functions of others, operators without operands: flagged, never guessed."""
    sheet = read(formula(1, tokens) + xlsb_text(2, "x"))
    assert (sheet.value(1, 1), sheet.value(1, 2), set(sheet.uncached)) == (None, "x", {(1, 1)})


def test_a_reference_to_another_file_has_no_value() -> None:
    """Its number means no sheet of this one."""
    sheet = read(formula(1, struct.pack("<BHIH", 0x5A, 0, 1, 0xC000)), over=OTHER_BOOK)
    assert (sheet.value(1, 1), set(sheet.uncached)) == (None, {(1, 1)})


def test_a_formula_whose_record_lies_about_its_size_spoils_nothing() -> None:
    """The cells behind it keep their values, and it has none."""
    record = record12(8, struct.pack("<III", 1, 0, 0) + bytes(2) + struct.pack("<I", 0xFFFFFFF0) + cell(0, 0))
    sheet = read(record + xlsb_text(2, "x"))
    assert (sheet.value(1, 1), sheet.value(1, 2), set(sheet.uncached)) == (None, "x", {(1, 1)})


def test_an_empty_text_among_values_that_a_program_worked_out_is_believed() -> None:
    """The file was saved by a spreadsheet program then, and the formula does show nothing."""
    sheet = read(formula(1, cell(0, 0), 40.0) + formula(2, b"\x23\x01\0\0\0"))
    assert (sheet.rows, set(sheet.uncached)) == ([[40.0, 40.0, None], [60.0, None, None]], set())


def test_zeros_that_no_program_worked_out_are_none() -> None:
    """A library stores 0 for every formula: each is worked out."""
    sheet = read(formula(1, cell(0, 0) + number(2.0) + TIMES, 0.0), formula(1, cell(1, 0) + number(2.0) + TIMES, 0.0))
    assert (sheet.value(1, 1), sheet.value(2, 1), len(sheet.computed)) == (80.0, 120.0, 2)


def test_a_total_that_is_stale_is_told() -> None:
    """What the file stores for a total is not what its formula gives."""
    prices = [3_200_000.0, 1_450_000.0, 980_000.0, 2_115_000.0]
    names = ("Elm Court", "Oak Court", "Ash Court", "Fir Court")
    heads = [xlsb_text(0, "Property"), xlsb_text(1, "City"), xlsb_text(2, "Asking Price")]
    rows = [
        [xlsb_text(0, name), xlsb_text(1, "Dallas"), xlsb_number(2, price)]
        for name, price in zip(names, prices, strict=True)
    ]
    total = [xlsb_text(0, "Total"), formula(2, area(1, 4, 2) + b"\x19\x10\0\0", 7_000_000.0)]
    body = b"".join(xlsb_row(at, cells) for at, cells in enumerate([heads, *rows, total]))
    made = extract(xlsb(body), "deals.xlsb")
    assert made.deal_count == 4
    assert [issue.code for issue in made.issues if "S!C6" in issue.cells] == ["total.stale"]


def test_long_formulas_and_many_cost_little() -> None:
    """Beyond what a spreadsheet program writes, formulas are not read."""
    long = formula(1, cell(0, 0) + (number(1.0) + PLUS) * 500)
    sheet = read(*[long] * 1_000)
    assert (sheet.value(1, 1), set(sheet.uncached) >= {(1, 1), (1_000, 1)}) == (None, True)
