"""The operators of formulas, as spreadsheets apply them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tools.workbook.formula_functions import Argument, FormulaError, Scalar, as_text, joined, number
from tools.workbook.formula_parse import NotPlainError


def _divide(a: Scalar, b: Scalar) -> float:
    if number(b) == 0:
        raise FormulaError("#DIV/0!")
    return number(a) / number(b)


def _power(a: Scalar, b: Scalar) -> float:
    found: float | complex = number(a) ** number(b)
    if isinstance(found, complex):
        raise FormulaError("#NUM!")
    return found


def _order(a: Scalar, b: Scalar) -> int:
    """-1, 0 or 1 as a spreadsheet compares: numbers before texts before truth values, texts without case."""
    ranked = [_ranked(value, other) for value, other in ((a, b), (b, a))]
    return (ranked[0] > ranked[1]) - (ranked[0] < ranked[1])


def _ranked(value: Scalar, other: Scalar) -> tuple[int, float, str]:
    if value is None:
        value = "" if isinstance(other, str) else 0.0
    if isinstance(value, bool):
        return 2, float(value), ""
    return (1, 0.0, value.lower()) if isinstance(value, str) else (0, value, "")


ONE_OPERAND: dict[str, Callable[[Scalar], Scalar]] = {
    "neg": lambda a: -number(a),
    "pct": lambda a: number(a) / 100,
}
TWO_OPERANDS: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "+": lambda a, b: number(a) + number(b),
    "-": lambda a, b: number(a) - number(b),
    "*": lambda a, b: number(a) * number(b),
    "/": _divide,
    "^": _power,
    "&": lambda a, b: joined((as_text(a), as_text(b))),
    "=": lambda a, b: _order(a, b) == 0,
    "<>": lambda a, b: _order(a, b) != 0,
    "<": lambda a, b: _order(a, b) < 0,
    ">": lambda a, b: _order(a, b) > 0,
    "<=": lambda a, b: _order(a, b) <= 0,
    ">=": lambda a, b: _order(a, b) >= 0,
}
OPERATORS = frozenset(ONE_OPERAND) | frozenset(TWO_OPERANDS)


def single(value: Argument) -> Scalar:
    """The one value of an argument; raises NotPlainError for a range of more cells."""
    if not isinstance(value, list):
        return value
    if len(value) != 1 or len(value[0]) != 1:
        raise NotPlainError
    return value[0][0]


def guarded(name: str, value: Callable[[], Argument], otherwise: Callable[[], Argument]) -> Argument:
    """The value of IFERROR or IFNA."""
    try:
        return single(value())
    except FormulaError as error:
        if name == "IFNA" and error.code != "#N/A":
            raise
        return otherwise()


def operation(name: str, values: Sequence[Argument]) -> Scalar:
    """The value of an operator over its operands; raises NotPlainError for what is none."""
    if name in ONE_OPERAND:
        return ONE_OPERAND[name](single(values[0]))
    if name in TWO_OPERANDS:
        return TWO_OPERANDS[name](single(values[0]), single(values[1]))
    raise NotPlainError
