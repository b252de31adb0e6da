"""Formulas of xls files: read out of their tokens, worked out where the file holds an empty text for them."""

from __future__ import annotations

import struct

import pytest

from tests.hostile.binary_books import biff, xls, xls_number, xls_text
from tools.workbook.grid import Sheet
from tools.workbook.open import open_workbook

EMPTY = struct.pack("<BxxxxxH", 3, 0xFFFF)
TEXT = struct.pack("<BxxxxxH", 0, 0xFFFF)


def formula(row: int, column: int, tokens: bytes, result: bytes = EMPTY) -> bytes:
    """A record of a formula; an empty text is its stored value, as libraries write it that work nothing out."""
    return biff(0x06, struct.pack("<HHH8sHIH", row, column, 0, result, 0, 0, len(tokens)) + tokens)


def cell(row: int, column: int, *, fixed: bool = False) -> bytes:
    """The token of a reference to a cell."""
    return struct.pack("<BHH", 0x44, row, column | (0 if fixed else 0xC000))


def number(value: float) -> bytes:
    """The token of a number."""
    return struct.pack("<Bd", 0x1F, value)


TIMES, PLUS, OVER, PERCENT, BRACKETS = b"\x05", b"\x03", b"\x06", b"\x14", b"\x15"
AREA = struct.pack("<BHHHH", 0x25, 0, 1, 0xC000, 0xC000)


def read(*records: bytes, over: tuple[bytes, ...] = ()) -> Sheet:
    """The first sheet of a file with 40 in A1, 60 in A2 and the records."""
    data = xls([xls_number(0, 0, 40.0), xls_number(1, 0, 60.0), *records], over=over)
    return open_workbook(data, "deals.xls").sheets[0]


@pytest.mark.parametrize(
    ("tokens", "text", "value"),
    [
        (cell(0, 0) + number(0.5) + TIMES, "A1*0.5", 20.0),
        (cell(0, 0, fixed=True) + cell(1, 0) + PLUS + BRACKETS + cell(0, 0) + OVER, "($A$1+A2)/A1", 2.5),
        (AREA + b"\x19\x10\0\0", "SUM(A1:A2)", 100.0),
        (AREA + b"\x22\x01" + struct.pack("<H", 5), "AVERAGE(A1:A2)", 50.0),
        (cell(0, 0) + struct.pack("<BH", 0x1E, 3) + OVER + b"\x1e\0\0" + b"\x21" + struct.pack("<H", 27), "", 13.0),
        (struct.pack("<BH", 0x1E, 5) + PERCENT, "5%", 0.05),
        (b'\x17\x03\x00a"b' + cell(0, 0) + b"\x08", '"a""b"&A1', 'a"b40'),
        (struct.pack("<BHHH", 0x5A, 0, 1, 0xC000) + b"\x13", "-'S0'!A2", -60.0),
    ],
)
def test_a_formula_with_an_empty_text_is_worked_out(tokens: bytes, text: str, value: object) -> None:
    """Operators, functions, areas, other sheets: as typed, and their value."""
    book, extern = biff(0x1AE, b"\x01\x00\x01\x04"), biff(0x17, struct.pack("<HHHH", 1, 0, 0, 0))
    sheet = read(formula(0, 1, tokens), over=(book, extern))
    assert text in ("", sheet.formula(1, 1))
    assert (sheet.value(1, 1), sheet.computed) == (value, {(1, 1)})


def test_a_formula_with_a_record_of_no_letters_is_worked_out() -> None:
    """The text of a formula's value stands in a record of its own."""
    sheet = read(formula(0, 1, cell(0, 0) + cell(0, 0) + PLUS, TEXT), biff(0x207, struct.pack("<HB", 0, 0)))
    assert (sheet.value(1, 1), sheet.computed) == (80.0, {(1, 1)})


def test_formulas_that_share_one_are_each_their_own() -> None:
    """References count from the cell that shares it."""
    shared = struct.pack("<BHH", 0x4C, 0, 0xC0FF) + number(2.0) + TIMES
    lead = b"\x01" + struct.pack("<HH", 0, 1)
    sheet = read(
        formula(0, 1, lead),
        biff(0x4BC, struct.pack("<HHBBBBH", 0, 1, 1, 1, 0, 2, len(shared)) + shared),
        formula(1, 1, lead),
    )
    assert (sheet.value(1, 1), sheet.value(2, 1), sheet.formula(2, 1)) == (80.0, 120.0, "A2*2.0")


@pytest.mark.parametrize("tokens", [b"\x23\x01\0\0\0", b"\x22\x01\xff\x00", b"\x7e", PLUS, b""])
def test_a_formula_that_is_not_known_has_no_value(tokens: bytes) -> None:
    """Names, functions of others, operators without operands: flagged, never guessed."""
    sheet = read(formula(0, 1, tokens), xls_text(0, 2, "x"))
    assert (sheet.value(1, 1), set(sheet.uncached)) == (None, {(1, 1)})


def test_an_empty_text_among_values_that_a_program_worked_out_is_believed() -> None:
    """The file was saved by a spreadsheet program then, and the formula does show nothing."""
    worked_out = formula(0, 1, cell(0, 0), struct.pack("<d", 40.0))
    sheet = read(worked_out, formula(0, 2, b"\x23\x01\0\0\0"))
    assert (sheet.rows, set(sheet.uncached)) == ([[40.0, 40.0, None], [60.0, None, None]], set())


def test_long_formulas_and_many_cost_little() -> None:
    """Beyond what a spreadsheet program writes, formulas are not read."""
    long = formula(0, 1, cell(0, 0) + (number(1.0) + PLUS) * 500)
    sheet = read(*[long] * 1_000)
    assert (sheet.value(1, 1), set(sheet.uncached)) == (None, {(1, 1)})
