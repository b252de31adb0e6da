"""Formulas longer, deeper or more in all than anybody writes; spreadsheet programs take 8,192 characters each."""

from __future__ import annotations

from tests.hostile import ooxml
from tests.hostile.bomb import Bomb


def one(formula: str) -> bytes:
    """A table of deals, and under it a formula without a value."""
    body = "".join(ooxml.row(n, values) for n, values in enumerate([ooxml.HEADERS, *ooxml.DEALS], 1))
    return ooxml.book({"Comps": ooxml.sheet(f'{body}<row r="9"><c r="D9"><f>{formula}</f></c></row>')})


def shared(count: int, formula: str) -> bytes:
    """A column of `count` cells beside the numbers in column A, that share a formula without values."""
    rows = [
        f'<row r="{n}"><c r="A{n}"><v>4</v></c><c r="B{n}"><f t="shared" si="0"'
        + (f' ref="B1:B{count}">{formula}</f></c></row>' if n == 1 else "/></c></row>")
        for n in range(1, count + 1)
    ]
    return ooxml.book({"Comps": ooxml.sheet("".join(rows))})


def own(count: int, formula: str) -> bytes:
    """A column of `count` cells with a formula each, no copy of one another."""
    rows = (f'<row r="{n}"><c r="A{n}"><v>4</v></c><c r="B{n}"><f>{formula}</f></c></row>' for n in range(1, count + 1))
    return ooxml.book({"Comps": ooxml.sheet("".join(rows))})


def looked_up(count: int) -> bytes:
    """A list of `count` deals; each counts its name, and sums up its name's prices, over the whole list."""
    last = count + 1

    def line(n: int) -> str:
        formulas = f"SUMIF(A$2:A${last},A{n},C$2:C${last})", f"COUNTIF(A:A,A{n})"
        cells = "".join(f'<c r="{letter}{n}"><f>{f}</f></c>' for letter, f in zip("DE", formulas, strict=True))
        held = zip("ABC", (f"Maple Court {n}", "Austin", 1_000_000 + n), strict=True)
        return f'<row r="{n}">{"".join(ooxml.cell(f"{at}{n}", value) for at, value in held)}{cells}</row>'

    header = ooxml.row(1, ("Property", "City", "Sale Price", "Sum", "Count"))
    return ooxml.book({"Comps": ooxml.sheet(header + "".join(map(line, range(2, count + 2))))})


BOMBS = (
    Bomb("10,000 conditional sums", lambda: looked_up(10_000), deals=10_000, long=True, cheap=True),
    Bomb("five million brackets", lambda: one("(" * 5_000_000 + "1" + ")" * 5_000_000), deals=2, cheap=True),
    Bomb("two million terms", lambda: one("1" + "+1" * 2_000_000), deals=2, cheap=True),
    Bomb("three million signs", lambda: one("-" * 3_000_000 + "1"), deals=2, cheap=True),
    Bomb("200,000 ranges in one sum", lambda: one("SUM(" + "A1:XFD1048576," * 200_000 + "1)"), deals=2, cheap=True),
    Bomb("a text of a million quotes", lambda: one("&quot;" * 1_000_001), deals=2, cheap=True),
    Bomb(
        "6,000 long sums that share a formula",
        lambda: shared(6_000, "+".join(["A1"] * 1_000)),
        deals=0,
        long=True,
        cheap=True,
    ),
    Bomb(
        "60,000 long sums of ranges that share a formula",
        lambda: shared(60_000, "+".join(["A1:A9"] * 1_300)),
        deals=0,
        long=True,
        cheap=True,
    ),
    Bomb("3,000 long formulas", lambda: own(3_000, "+".join(["A2*3"] * 1_500)), deals=0, long=True, cheap=True),
)
