"""The spreadsheet functions that are computed when a file stores no value for them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal
from statistics import median
from typing import cast

from tools.workbook.formula_parse import NotPlainError
from tools.workbook.grid import LONGEST_TEXT

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_MAYBE_NUMBER = re.compile(
    rf"(?=.*\d)(?:[\d\s]|[^\w\s]|\b(?:am|pm|(?:{_MONTHS})[a-z]*)\b)++", re.IGNORECASE | re.DOTALL
)
Scalar = float | str | bool | None
Matrix = list[list[Scalar]]
Argument = Scalar | Matrix


class FormulaError(Exception):
    """The formula's value is an error value, `#DIV/0!` and its kind."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def number(value: Argument) -> float:
    """`value` as a spreadsheet takes it for a number: empty is 0, text must read as one, a range must be one cell.

    Raises NotPlainError for a range of more, of which programs of different ages take different cells, and for text
    that only some programs read as a number.
    """
    if isinstance(value, list):
        if len(value) != 1 or len(value[0]) != 1:
            raise NotPlainError
        value = value[0][0]
    if value is None:
        return 0.0
    try:
        found = float(value)
    except ValueError:
        if _MAYBE_NUMBER.fullmatch(cast("str", value)):
            # $1,200, 5% and 3 May are numbers to a spreadsheet, which of them depends on its language.
            raise NotPlainError from None
        raise FormulaError("#VALUE!") from None
    if isinstance(value, str) and ("_" in value or not math.isfinite(found)):
        raise FormulaError("#VALUE!")
    return found


def truth(value: Argument) -> bool:
    """`value` as a condition."""
    return bool(number(value))


def numbers(arguments: Sequence[Argument]) -> Iterator[float]:
    """The numbers of the arguments; in ranges, text, truth values and empty cells are passed over."""
    for argument in arguments:
        if isinstance(argument, list):
            yield from (v for row in argument for v in row if isinstance(v, float))
        else:
            yield number(argument)


def _mean(arguments: Sequence[Argument]) -> float:
    found = list(numbers(arguments))
    if not found:
        raise FormulaError("#DIV/0!")
    return sum(found) / len(found)


def _median(arguments: Sequence[Argument]) -> float:
    found = list(numbers(arguments))
    if not found:
        raise FormulaError("#NUM!")
    return median(found)


def _remainder(arguments: Sequence[Argument]) -> float:
    by = number(arguments[1])
    if by == 0:
        raise FormulaError("#DIV/0!")
    return number(arguments[0]) % by


def _round(arguments: Sequence[Argument], mode: str) -> float:
    places = int(number(arguments[1])) if len(arguments) > 1 else 0
    if abs(places) > 30:
        return number(arguments[0])
    return float(Decimal(repr(number(arguments[0]))).quantize(Decimal(1).scaleb(-places), mode))


def _sum_of_products(arguments: Sequence[Argument]) -> float:
    tables = [argument if isinstance(argument, list) else [[argument]] for argument in arguments]
    if len({(len(table), len(table[0])) for table in tables}) != 1:
        raise FormulaError("#VALUE!")
    total = 0.0
    for lines in zip(*tables, strict=True):
        for values in zip(*lines, strict=True):
            product = 1.0
            for value in values:
                product *= value if isinstance(value, float) else 0.0
            total += product
    return total


def _subtotal(arguments: Sequence[Argument]) -> float:
    code = int(number(arguments[0])) % 100
    if code not in _SUBTOTALS:
        raise FormulaError("#VALUE!")
    return _SUBTOTALS[code](arguments[1:])


def _count(arguments: Sequence[Argument]) -> float:
    return float(sum(isinstance(v, float) for v in _flat(arguments)))


def _count_filled(arguments: Sequence[Argument]) -> float:
    return float(sum(v is not None for v in _flat(arguments)))


def _flat(arguments: Sequence[Argument]) -> Iterator[Scalar]:
    for argument in arguments:
        if isinstance(argument, list):
            for row in argument:
                yield from row
        else:
            yield argument


def _total(arguments: Sequence[Argument]) -> float:
    return sum(numbers(arguments))


def _payment(arguments: Sequence[Argument]) -> float:
    """The level payment of a loan, from rate, periods and amount, and optionally what remains and when it is due."""
    rate, periods, amount, rest, due = (*map(number, arguments), 0.0, 0.0)[:5]
    if periods == 0:
        raise FormulaError("#NUM!")
    if rate == 0:
        return -(amount + rest) / periods
    growth = (1 + rate) ** periods
    return -(amount * growth + rest) * rate / ((growth - 1) * (1 + rate if due else 1))


def _shown_link(arguments: Sequence[Argument]) -> Argument:
    """A link's text; its address is never followed."""
    return arguments[-1]


def _joined(arguments: Sequence[Argument]) -> str:
    return joined(as_text(value) for value in _flat(arguments))


def joined(texts: Iterable[str]) -> str:
    """The texts as one; `#VALUE!` for more than a cell holds, or a few copies of copies would fill the memory."""
    whole = ""
    for text in texts:
        whole += text
        if len(whole) > LONGEST_TEXT:
            raise FormulaError("#VALUE!")
    return whole


def as_text(value: Scalar) -> str:
    """`value` as the text operator `&` sees it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return value if isinstance(value, str) else f"{value:.15g}"


_SUBTOTALS: dict[int, Callable[[Sequence[Argument]], float]] = {
    1: _mean,
    2: _count,
    3: _count_filled,
    4: lambda a: max(numbers(a), default=0.0),
    5: lambda a: min(numbers(a), default=0.0),
    9: _total,
}
FUNCTIONS: dict[str, Callable[[Sequence[Argument]], Argument]] = {
    "SUM": _total,
    "AVERAGE": _mean,
    "MIN": lambda a: min(numbers(a), default=0.0),
    "MAX": lambda a: max(numbers(a), default=0.0),
    "COUNT": _count,
    "MEDIAN": _median,
    "PRODUCT": lambda a: math.prod(numbers(a)),
    "INT": lambda a: float(math.floor(number(a[0]))),
    "MOD": _remainder,
    "COUNTA": _count_filled,
    "SUMPRODUCT": _sum_of_products,
    "SUBTOTAL": _subtotal,
    "ROUND": lambda a: _round(a, ROUND_HALF_UP),
    "ROUNDUP": lambda a: _round(a, ROUND_UP),
    "ROUNDDOWN": lambda a: _round(a, ROUND_DOWN),
    "ABS": lambda a: abs(number(a[0])),
    "AND": lambda a: all(truth(v) for v in _flat(a) if v is not None),
    "OR": lambda a: any(truth(v) for v in _flat(a) if v is not None),
    "NOT": lambda a: not truth(a[0]),
    "ISNUMBER": lambda a: isinstance(a[0], float),
    "ISBLANK": lambda a: a[0] is None,
    "PMT": _payment,
    "HYPERLINK": _shown_link,
    "CONCATENATE": _joined,
    "CONCAT": _joined,
}
