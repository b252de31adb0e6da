"""How far the figures of a row are those of a group of records: sums, means, weighted means, or how many they are."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.deals.numbers import NumberText, read_number
from tools.workbook.closing import COUNTED

_LEAST_SHARE, _CLOSE = 0.5, 1e-6
_COUNT_DIGITS, _MOST_DECIMALS, _MOST_WEIGHTED = 1.0, 8, 500
_DECIMALS = re.compile(r"\.(\d+)$")


@dataclass(frozen=True, slots=True)
class Proof:
    """To how many digits a row's figures are those of a group, and whether one of them is its sum."""

    digits: float
    summed: bool


def number_in(value: object) -> float | None:
    """The number in a cell, or in its text; None where there is none."""
    if isinstance(value, str):
        read = read_number(value, decimal_comma=False)
        return read.value if isinstance(read, NumberText) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def count_in(value: object) -> int | None:
    """How many deals a text says there are: 3 for "3 deals"; None where it says no such thing."""
    counted = COUNTED.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(counted["many"].replace(",", "")) if counted and counted["many"] else None


def prove(row: Sequence[object], records: Sequence[Sequence[object]]) -> Proof | None:
    """What speaks for `row` being about `records`; None where most of its figures are none of theirs.

    Both hold the cells of the same columns. What a row says again of the only record of its group proves nothing, and
    speaks not against it.
    """
    found = [_figure(at, value, row, records) for at, value in enumerate(row) if value is not None]
    told = [proof for proof in found if proof is not None]
    if not records or not told or len(told) < _LEAST_SHARE * len(found):
        return None
    return Proof(sum(proof.digits for proof in told), any(proof.summed for proof in told))


def _figure(at: int, value: object, row: Sequence[object], records: Sequence[Sequence[object]]) -> Proof | None:
    many = count_in(value)
    if many is not None:
        return Proof(2 * _COUNT_DIGITS, summed=False) if many == len(records) else None
    x = number_in(value)
    held = [(number, record) for record in records if (number := number_in(record[at])) is not None]
    if x is None:
        return None
    room = _room(x)
    digits = math.log10(1 + abs(x) / (2 * room))
    numbers = [number for number, _ in held]
    if len(numbers) == 1 and abs(numbers[0] - x) <= room:
        return Proof(0.0, summed=True)
    if len(numbers) > 1 and abs(math.fsum(numbers) - x) <= room:
        return Proof(digits, summed=True)
    if x == len(records):
        return Proof(_COUNT_DIGITS * (1 if numbers else 2), summed=False)
    means = _means(at, held, len(row)) if len(numbers) > 1 and min(numbers) < max(numbers) else ()
    return Proof(digits, summed=False) if any(abs(mean - x) <= room for mean in means) else None


def _means(at: int, held: Sequence[tuple[float, Sequence[object]]], width: int) -> list[float]:
    """The mean of a column's numbers, and those weighted by the numbers of each other column."""
    means = [math.fsum(number for number, _ in held) / len(held)]
    for other in range(width if len(held) <= _MOST_WEIGHTED else 0):
        weights = [number_in(record[other]) for _, record in held] if other != at else []
        given = [weight for weight in weights if weight is not None and weight > 0]
        if weights and len(given) == len(weights):
            means.append(math.fsum(w * n for w, (n, _) in zip(given, held, strict=True)) / math.fsum(given))
    return means


def _room(x: float) -> float:
    """How far a figure may be from what it stands for: half a unit in its last place."""
    decimals = _DECIMALS.search(repr(x)) if x != round(x) else None
    places = min(len(decimals[1]), _MOST_DECIMALS) if decimals else 0
    return max(0.5 * 10.0**-places, _CLOSE * abs(x)) * (1 + _CLOSE)
