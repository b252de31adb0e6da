"""Values of formulas that a file stores without one: plain arithmetic, sums, means, rounding and conditions.

What is more than that, refers to itself, or leads to cells that are, keeps no value; its formula stays known.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from functools import partial
from typing import cast

from tools.workbook.formula_functions import (
    FUNCTIONS,
    Argument,
    FormulaError,
    Scalar,
    as_text,
    joined,
    number,
    truth,
)
from tools.workbook.formula_parse import (
    Call,
    Constant,
    ErrorConstant,
    Node,
    NotPlainError,
    Reference,
    Token,
    parse,
    relative,
    tokens,
)
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, CellError, Sheet, Workbook
from tools.workbook.number_formats import is_date_format
from tools.workbook.serials import from_serial

_MOST_CELLS = 3_000_000
_FORMULA_COST = 15
_DEEPEST = 40
_EPOCH_1900 = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a spreadsheet's dates have no time zone
_EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001 - as above


class _TooDeepError(NotPlainError):
    """The chain of formulas is longer than one visit follows; a later visit may start nearer to its end."""


def fill_uncached(workbook: Workbook) -> None:
    """Puts the value of each plain formula that has none into its sheet, and notes it in the sheet's `computed`."""
    evaluator = _Evaluator(workbook)
    for sheet in workbook.sheets:
        done: set[tuple[int, int]] = set()
        # A chain of formulas may run down the sheet or up it: the second visit finds those that the first could not.
        found = [at for at in sheet.formulas if at in sheet.uncached]
        for cells in (found, found[::-1]):
            evaluator.start_visit()
            for row, column in cells:
                if evaluator.is_spent:
                    break
                if (row, column) in done:
                    continue
                value = evaluator.value(sheet, row, column)
                if value is not None:
                    sheet.rows[row - sheet.top][column - sheet.left] = value
                    done.add((row, column))
        sheet.computed = frozenset(done)
        sheet.uncached = sheet.uncached - done


class _Evaluator:
    def __init__(self, workbook: Workbook) -> None:
        self._sheets = {(sheet.name or "").lower(): sheet for sheet in workbook.sheets}
        self._epoch = _EPOCH_1904 if workbook.epoch_1904 else _EPOCH_1900
        self._trees: dict[tuple[Token | Reference, ...], Node | None] = {}
        self._shared: dict[tuple[str, tuple[int, int]], Node] = {}
        self._open: set[tuple[int, int, int]] = set()
        self._deep: set[tuple[int, int, int]] = set()
        self._left = _MOST_CELLS

    def start_visit(self) -> None:
        """Forgets which cells an earlier visit left as too deep."""
        self._deep.clear()

    @property
    def is_spent(self) -> bool:
        """Whether as many cells have been looked at as a file may cost; the formulas left keep no value."""
        return self._left < 0

    def value(self, sheet: Sheet, row: int, column: int) -> object:
        """The value of the formula at `row`, `column` as the cell would hold it; None where it is not plain."""
        try:
            found = self._formula(sheet, row, column)
        except FormulaError as error:
            return CellError(error.code)
        except (NotPlainError, OverflowError, ValueError, ArithmeticError, IndexError, RecursionError):
            return None
        if isinstance(found, float) and not math.isfinite(found):
            return CellError("#NUM!")
        code = sheet.number_format(row, column)
        if isinstance(found, float) and is_date_format(code):
            return from_serial(found, code, self._epoch is _EPOCH_1904)
        return None if found == "" else found

    def _formula(self, sheet: Sheet, row: int, column: int) -> Scalar:
        key = (id(sheet), row, column)
        if key in self._open:
            raise NotPlainError
        if len(self._open) >= _DEEPEST or key in self._deep:
            self._deep |= self._open
            raise _TooDeepError
        self._left -= _FORMULA_COST
        if self._left < 0:
            raise NotPlainError
        tree = self._tree_at(sheet, row, column)
        self._open.add(key)
        try:
            return _single(self._node(tree, sheet, row, column))
        finally:
            self._open.discard(key)

    def _tree_at(self, sheet: Sheet, row: int, column: int) -> Node:
        """The tree of the formula at `row`, `column`; that of a shared one is made where it is written."""
        if not isinstance(sheet.formulas, Formulas):
            return self._tree(sheet.formulas[row, column], row, column)
        at, text = sheet.formulas.origin(row, column)
        if at == (row, column):
            return self._tree(text, *at)
        if (text, at) not in self._shared:
            self._shared[text, at] = self._tree(text, *at)
        return self._shared[text, at]

    def _tree(self, formula: str, row: int, column: int) -> Node:
        found = relative(tokens(formula), row, column)
        if found not in self._trees:
            try:
                self._trees[found] = parse(found)
            except NotPlainError:
                self._trees[found] = None
        tree = self._trees[found]
        if tree is None:
            raise NotPlainError
        return tree

    def _node(self, node: Node, sheet: Sheet, row: int, column: int) -> Argument:
        match node:
            case Constant(value):
                return value
            case ErrorConstant(code):
                raise FormulaError(code)
            case Reference():
                return self._range(node, sheet, row, column)
            case Call(name, arguments):
                return self._call(name, [partial(self._node, a, sheet, row, column) for a in arguments])

    def _call(self, name: str, arguments: list[Callable[[], Argument]]) -> Argument:
        if name == "IF" and len(arguments) in (2, 3):
            if truth(arguments[0]()):
                return arguments[1]()
            return arguments[2]() if len(arguments) == 3 else False
        if name in ("IFERROR", "IFNA") and len(arguments) == 2:
            try:
                return _single(arguments[0]())
            except FormulaError as error:
                if name == "IFNA" and error.code != "#N/A":
                    raise
                return arguments[1]()
        values = [argument() for argument in arguments]
        if name in FUNCTIONS and values:
            return FUNCTIONS[name](values)
        if name in _ONE_OPERAND:
            return _ONE_OPERAND[name](_single(values[0]))
        if name in _TWO_OPERANDS:
            return _TWO_OPERANDS[name](_single(values[0]), _single(values[1]))
        raise NotPlainError

    def _range(self, node: Reference, sheet: Sheet, row: int, column: int) -> Argument:
        target = sheet if node.sheet is None else self._sheets.get(node.sheet.lower())
        if target is None:
            raise NotPlainError
        (top, left), (bottom, right) = _corner(node.first, row, column), _corner(node.last, row, column)
        if node.single:
            return self._cell(target, top, left)
        top, bottom = sorted((top, bottom))
        left, right = sorted((left, right))
        right, bottom = min(right, max(left, target.right)), min(bottom, max(top, target.bottom))
        return [self._line(target, r, left, right) for r in range(top, bottom + 1)]

    def _line(self, sheet: Sheet, row: int, left: int, right: int) -> list[Scalar]:
        """The values of a row's cells from column `left` to `right`."""
        if sheet.strays:
            return [self._cell(sheet, row, c) for c in range(left, right + 1)]
        at, start, end = row - sheet.top, max(left, sheet.left), min(right, sheet.right)
        self._left -= 1 + max(0, end - start)
        if self._left < 0:
            raise NotPlainError
        if start > end or not 0 <= at < sheet.height:
            return [None] * (right - left + 1)
        values = sheet.rows[at][start - sheet.left : end - sheet.left + 1]
        inside = [
            self._formula(sheet, row, c) if v is None and (row, c) in sheet.uncached else self._scalar(v)
            for c, v in enumerate(values, start)
        ]
        return [None] * (start - left) + inside + [None] * (right - end)

    def _cell(self, sheet: Sheet, row: int, column: int) -> Scalar:
        self._left -= 1
        if self._left < 0:
            raise NotPlainError
        value = sheet.value(row, column)
        if value is None and (row, column) in sheet.uncached:
            return self._formula(sheet, row, column)
        return self._scalar(value)

    def _scalar(self, value: object) -> Scalar:
        if value is None or type(value) in (float, str, bool):
            return cast("Scalar", value)
        if isinstance(value, int):
            return float(value)
        if isinstance(value, CellError):
            raise FormulaError(value.code)
        if isinstance(value, dt.timedelta):
            return value / dt.timedelta(days=1)
        if isinstance(value, dt.time):
            return (value.hour * 3600 + value.minute * 60 + value.second) / 86_400
        if isinstance(value, dt.datetime):
            return (value - self._epoch) / dt.timedelta(days=1)
        if isinstance(value, dt.date):
            return float((value - self._epoch.date()).days)
        raise NotPlainError


def _corner(corner: tuple[int, bool, int, bool], row: int, column: int) -> tuple[int, int]:
    down, fixed_row, across, fixed_column = corner
    at, over = down if fixed_row else down + row, across if fixed_column else across + column
    if not (1 <= at <= LAST_ROW and 0 <= over <= LAST_COLUMN):
        raise FormulaError("#REF!")
    return at, over


def _single(value: Argument) -> Scalar:
    if not isinstance(value, list):
        return value
    if len(value) != 1 or len(value[0]) != 1:
        raise NotPlainError
    return value[0][0]


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


_ONE_OPERAND: dict[str, Callable[[Scalar], Scalar]] = {
    "neg": lambda a: -number(a),
    "pct": lambda a: number(a) / 100,
}
_TWO_OPERANDS: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
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
