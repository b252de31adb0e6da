"""Amounts beside a column's records, as its totals hold them: read as the column's own texts, in its cells' unit."""

from __future__ import annotations

import numpy as np

from schemas.deal import Column
from tools.deals.numbers import NumberText, read_number

_SAMPLE, _NEAR = 200, 1e-6


class TotalAmounts:
    """Reads amounts of a column whose cells times `factor` are its values."""

    def __init__(self, column: Column, factor: float) -> None:
        """`column` with the values that were read for its records."""
        pairs = zip(column.raws, column.values, strict=True)
        texts = [(raw, value) for raw, value in pairs if isinstance(raw, str)]
        self._factor = factor
        self._comma = _decimal_comma([(raw, float(value)) for raw, value in texts if _is_number(value)], factor)
        self._usual = abs(sum(float(value) for value in column.values if _is_number(value)) / factor)
        self.open = any(value is None and _is_open(raw) for raw, value in texts)
        """Whether a text of a record may be two numbers, and neither was taken: no sum of the records is known."""

    def read(self, value: object) -> float | None:
        """The amount in a cell; None where it holds none. A text that may be two numbers is the likelier of them."""
        if not isinstance(value, str):
            return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
        number = read_number(value, self._comma)
        if not isinstance(number, NumberText) or number.percent:
            return None
        found = number.value
        if number.other is not None and self._off(number.other) < self._off(found):
            found = number.other
        return found / self._factor if number.scaled else found

    def _off(self, amount: float) -> float:
        """How far an amount is from the sum of all records, as a ratio."""
        return abs(float(np.log((abs(amount) + 1e-9) / (self._usual + 1e-9))))


def _decimal_comma(texts: list[tuple[str, float]], factor: float) -> bool | None:
    """Whether the commas in texts that were read as those values are decimal signs; None where nothing tells."""
    votes = 0
    for text, value in texts[:_SAMPLE]:
        said = [read_number(text, comma) for comma in (True, False)]
        fits = [isinstance(one, NumberText) and _fits(one, value, factor) for one in said]
        votes += fits[0] - fits[1]
    return None if not votes else votes > 0


def _fits(number: NumberText, value: float, factor: float) -> bool:
    expected = number.value * (1 if number.scaled else factor)
    return abs(expected - value) <= _NEAR * abs(value)


def _is_open(text: str) -> bool:
    number = read_number(text, None)
    return isinstance(number, NumberText) and number.other is not None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
