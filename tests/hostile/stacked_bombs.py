"""Sheets of so many small tables that whatever holds each against all others is the bomb."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

from tests.hostile import ooxml
from tests.hostile.bomb import Bomb

_MORE = ("NOI", "Units", "Building SF", "Year Built", "Asking Price", "Loan Amount", "Appraised Value")
_HELD = {"NOI": 50_000, "Units": 10, "Building SF": 20_000, "Year Built": 1950}


def stacked(count: int) -> bytes:
    """`count` tables of three deals below each other, each with its own order of headers and a total that is wrong."""
    return ooxml.book({"Comps": ooxml.sheet(ooxml.rows(*_lines(count)))})


def _lines(count: int) -> Iterator[list[object]]:
    for n, headers in enumerate(islice(permutations(_MORE), count)):
        yield [f"Schedule {n} of sales"]
        yield []
        yield ["Property", "City", "Sale Price", *headers]
        for deal in range(3 * n, 3 * n + 3):
            more = [_HELD.get(header, 900_000) + deal % 9 for header in headers]
            yield [f"Maple Court {deal}", "Austin", 1_000_000 + deal * 1000, *more]
        yield ["Total", None, 7_777_777 + n, *(333_333 + n for _ in headers)]
        yield []
        yield []


BOMBS = (Bomb("400 stacked tables", lambda: stacked(400), deals=1200, long=True, cheap=True),)
