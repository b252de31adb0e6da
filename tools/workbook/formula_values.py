"""The values of formulas, worked out from the cells that they refer to, within what a file may cost."""

from __future__ import annotations

import datetime as dt
import math
from functools import partial
from typing import cast

from tools.workbook.formula_functions import (
    FUNCTIONS,
    Argument,
    FormulaError,
    Scalar,
    number,
    truth,
)
from tools.workbook.formula_lookups import (
    CONDITIONALS,
    LOOK_UPS,
    Index,
    conditional,
    index_of,
    line_of,
    look_up,
)
from tools.workbook.formula_operators import OPERATORS, guarded, operation, single
from tools.workbook.formula_parse import (
    Call,
    Constant,
    ErrorConstant,
    Node,
    NotPlainError,
    Reference,
    Token,
    is_cell_by_cell,
    parse,
    relative,
    tokens,
)
from tools.workbook.formula_ranges import held_range
from tools.workbook.formula_text import Formulas
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, CellError, Sheet, Workbook
from tools.workbook.number_formats import is_date_format
from tools.workbook.serials import from_serial

MOST_CELLS = 2_500_000
"""What a file's formulas may cost: 1 a cell, 2 if a formula may fill it or compares it, 1 a part of a long one."""
FORMULA_COST = 15
_PARSE_COST = 15
_USUAL_TOKENS, _USUAL_LETTERS = 20, 60
_LONGEST, _LONGEST_BYTES = 8_192, 8_192 * 6
_MOST_KEPT_TOKENS = 100_000
_DEEPEST, _SLOW = 40, 2
_EPOCH_1900 = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a spreadsheet's dates have no time zone
_EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001 - as above


class _TooDeepError(NotPlainError):
    """The chain of formulas is longer than one visit follows; a later visit may start nearer to its end."""


Place = tuple[int, int]
_Tree = tuple[Node | None, int]
"""The tree of a formula, None for one that is not plain, and what it costs each time beside the cells it reads."""


class Evaluator:
    """Works formulas out from what a workbook's cells hold, as many as a file may cost."""

    def __init__(self, workbook: Workbook, most_cells: int = MOST_CELLS, *, believes_empty: bool = True) -> None:
        """For the formulas of `workbook`; `most_cells` is what they may cost in all.

        `believes_empty` says that an empty text stored for a formula is its value where it can't be worked out.
        """
        self._believes_empty = believes_empty
        self._arrays: dict[tuple[int, tuple[int, int]], Argument] = {}
        self._sheets = {(sheet.name or "").lower(): sheet for sheet in workbook.sheets}
        self._epoch = _EPOCH_1904 if workbook.epoch_1904 else _EPOCH_1900
        self._trees: dict[tuple[Token | Reference, ...], _Tree] = {}
        self._shared: dict[tuple[int, tuple[int, int]], _Tree] = {}
        self._kept_tokens = 0
        self._open: set[tuple[int, int, int]] = set()
        self._deep: set[tuple[int, int, int]] = set()
        self._tables: dict[tuple[object, ...], Argument] = {}
        self._indexes: dict[tuple[int, str], Index] = {}
        self._kept: set[int] = set()
        self._most = self._left = most_cells

    def start_visit(self) -> None:
        """Forgets which cells an earlier visit left as too deep."""
        self._deep.clear()

    @property
    def is_spent(self) -> bool:
        """Whether as many cells have been looked at as a file may cost; the formulas left keep no value."""
        return self._left < 0

    @property
    def spent(self) -> int:
        """What the formulas so far have cost, at most what they may."""
        return self._most - max(0, self._left)

    def value(self, sheet: Sheet, row: int, column: int) -> object:
        """The value of the formula at `row`, `column` as the cell would hold it; None where it is not plain.

        "" is the value of a formula that shows nothing.
        """
        try:
            found = self._formula(sheet, row, column)
        except FormulaError as error:
            return "" if self._is_believed(sheet, row, column) else CellError(error.code)
        except (NotPlainError, OverflowError, ValueError, ArithmeticError, IndexError, RecursionError):
            return None
        if isinstance(found, float) and not math.isfinite(found):
            return CellError("#NUM!")
        code = sheet.number_format(row, column)
        if isinstance(found, float) and is_date_format(code):
            return from_serial(found, code, self._epoch is _EPOCH_1904)
        return found

    def _is_believed(self, sheet: Sheet, row: int, column: int) -> bool:
        """Whether the file stores an empty text as the value of the formula there, and is believed."""
        return self._believes_empty and _is_blank(sheet, row, column)

    def _formula(self, sheet: Sheet, row: int, column: int) -> Scalar:
        key = (id(sheet), row, column)
        try:
            return self._worked_out(key, sheet, row, column)
        except _TooDeepError:
            raise
        except NotPlainError:
            if self._is_believed(sheet, row, column):
                return ""
            raise

    def _worked_out(self, key: tuple[int, int, int], sheet: Sheet, row: int, column: int) -> Scalar:
        if key in self._open:
            raise NotPlainError
        if len(self._open) >= _DEEPEST or key in self._deep:
            self._deep |= self._open
            raise _TooDeepError
        self._charge(FORMULA_COST)
        first = sheet.formulas.array_of.get((row, column)) if isinstance(sheet.formulas, Formulas) else None
        tree, cost = self._tree_at(sheet, *(first or (row, column)))
        if tree is None:
            raise NotPlainError
        self._charge(cost)
        self._open.add(key)
        try:
            if first is not None:
                return self._in_array(tree, sheet, first, (row - first[0], column - first[1]))
            return single(self._node(tree, sheet, row, column))
        finally:
            self._open.discard(key)

    def _in_array(self, tree: Node, sheet: Sheet, first: Place, at: Place) -> Scalar:
        """The value `at` so far down and across a formula that fills the cells from `first` on."""
        key = id(sheet), first
        if key not in self._arrays:
            if not is_cell_by_cell(tree):
                raise NotPlainError
            self._arrays[key] = self._array(tree, sheet, *first)
        table = self._arrays[key]
        if not isinstance(table, list):
            return table
        # A table of one row or column is repeated; beyond one of more there is nothing.
        down, across = (0 if size == 1 else place for size, place in zip((len(table), len(table[0])), at, strict=True))
        if down >= len(table) or across >= len(table[0]):
            raise FormulaError("#N/A")
        return table[down][across]

    def _tree_at(self, sheet: Sheet, row: int, column: int) -> _Tree:
        """The tree of the formula at `row`, `column`; that of a shared one is made where it is written."""
        if not isinstance(sheet.formulas, Formulas):
            return self._tree(sheet.formulas[row, column], row, column)
        written = sheet.formulas.written(row, column)
        at = sheet.formulas.place(written)
        key = id(sheet), at
        if key not in self._shared:
            text = "" if sheet.formulas.size_bytes(written) > _LONGEST_BYTES else sheet.formulas.text(written)
            tree = self._tree(text, *at)
            if at == (row, column):
                return tree
            self._shared[key] = tree
        return self._shared[key]

    def _tree(self, formula: str, row: int, column: int) -> _Tree:
        """The tree of `formula`; copies share one. None for what is longer than spreadsheet programs let it be."""
        if len(formula) > _LONGEST:
            return None, 0
        self._charge(max(0, len(formula) - _USUAL_LETTERS))
        try:
            found = relative(tokens(formula), row, column)
        except NotPlainError:
            return None, 0
        if found in self._trees:
            return self._trees[found]
        self._charge(_PARSE_COST)
        try:
            tree = parse(found)
        except NotPlainError:
            tree = None
        made = tree, max(0, len(found) - _USUAL_TOKENS)
        if self._kept_tokens + len(found) <= _MOST_KEPT_TOKENS:
            self._kept_tokens += len(found)
            self._trees[found] = made
        return made

    def _node(self, node: Node, sheet: Sheet, row: int, column: int) -> Argument:
        match node:
            case Constant(value):
                return value
            case ErrorConstant(code):
                raise FormulaError(code)
            case Reference():
                return self._range(node, sheet, row, column)
            case Call():
                return self._call(node, sheet, row, column)

    def _call(self, node: Call, sheet: Sheet, row: int, column: int) -> Argument:
        name, arguments = node.name, [partial(self._node, a, sheet, row, column) for a in node.arguments]
        if name == "IF" and len(arguments) in (2, 3):
            if truth(arguments[0]()):
                return arguments[1]()
            return arguments[2]() if len(arguments) == 3 else False
        if name in ("IFERROR", "IFNA") and len(arguments) == 2:
            return guarded(name, *arguments)
        if name == "SUMPRODUCT" and arguments:
            return FUNCTIONS[name]([self._array(a, sheet, row, column) for a in node.arguments])
        if name == "SUBTOTAL" and len(arguments) > 1:
            return self._subtotal(node, sheet, row, column)
        if name in LOOK_UPS and len(arguments) > 1:
            tables = [partial(self._table, a, sheet, row, column) for a in node.arguments]
            return look_up(name, [table() for table in tables], self._indexed)
        values = [argument() for argument in arguments]
        if name in CONDITIONALS and len(values) > 1:
            self._charge(sum(len(v) * len(v[0]) for v in values if isinstance(v, list) and v))
            return conditional(name, values)
        if name in FUNCTIONS and values:
            return FUNCTIONS[name](values)
        return operation(name, values)

    def _array(self, node: Node, sheet: Sheet, row: int, column: int) -> Argument:
        """The value of a part of SUMPRODUCT, whose operators work on ranges cell by cell."""
        if not isinstance(node, Call) or node.name not in OPERATORS:
            return self._node(node, sheet, row, column)
        parts = [self._array(part, sheet, row, column) for part in node.arguments]
        shapes = {(len(part), len(part[0])) for part in parts if isinstance(part, list)}
        if not shapes:
            return operation(node.name, parts)
        if len(shapes) > 1:
            raise NotPlainError
        ((height, width),) = shapes
        self._charge(height * width)
        cells = [part if isinstance(part, list) else [[part] * width] * height for part in parts]
        return [
            [single(operation(node.name, values)) for values in zip(*lines, strict=True)]
            for lines in zip(*cells, strict=True)
        ]

    def _subtotal(self, node: Call, sheet: Sheet, row: int, column: int) -> Argument:
        """SUBTOTAL passes over other subtotals in its ranges, and over rows that are hidden or filtered out."""
        code = int(number(self._node(node.arguments[0], sheet, row, column)))
        kept: list[Argument] = [float(code % 100)]
        for part in node.arguments[1:]:
            if not isinstance(part, Reference) or part.sheet is not None:
                raise NotPlainError
            table = self._range(part, sheet, row, column)
            corners = _corner(part.first, row, column), _corner(part.last, row, column)
            top, left = map(min, zip(*corners, strict=True))
            lines = table if isinstance(table, list) else [[table]]
            self._charge(10 * sum(map(len, lines)))
            hidden = [at for at in range(len(lines)) if top + at in sheet.hidden_rows]
            # Rows that a filter hides count in no subtotal, those hidden by hand in the older kind.
            if hidden and code < 100:
                raise NotPlainError
            kept.append(
                [
                    [None if self._is_subtotal(sheet, top + i, left + j) else v for j, v in enumerate(line)]
                    for i, line in enumerate(lines)
                    if i not in hidden
                ]
            )
        return FUNCTIONS["SUBTOTAL"](kept)

    def _is_subtotal(self, sheet: Sheet, row: int, column: int) -> bool:
        if (row, column) not in sheet.formulas:
            return False
        formulas = sheet.formulas
        text = formulas.origin(row, column)[1] if isinstance(formulas, Formulas) else formulas[row, column]
        return "SUBTOTAL(" in text.upper() or "AGGREGATE(" in text.upper()

    def _table(self, node: Node, sheet: Sheet, row: int, column: int) -> Argument:
        """The value of a look-up's argument; a range is read once for all look-ups in it, unless formulas fill it."""
        if not isinstance(node, Reference) or node.single:
            return self._node(node, sheet, row, column)
        target = sheet if node.sheet is None else self._sheets.get(node.sheet.lower())
        corners = (_corner(node.first, row, column), _corner(node.last, row, column))
        key = (id(target), *corners)
        if key not in self._tables:
            table = self._range(node, sheet, row, column)
            if target is None or target.uncached:
                return table
            self._tables[key] = table
            self._kept.add(id(table))
        return self._tables[key]

    def _indexed(self, table: Argument, which: str) -> Index:
        key = (id(table), which)
        if key in self._indexes:
            return self._indexes[key]
        lines = table if isinstance(table, list) else [[table]]
        line = line_of(table) if which == "line" else lines[0] if which == "row" else [row[0] for row in lines]
        index = index_of(line)
        if id(table) in self._kept:
            self._indexes[key] = index
        return index

    def _charge(self, cells: int) -> None:
        """Counts cells as looked at; raises NotPlainError once they are more than a file may cost."""
        self._left -= cells
        if self._left < 0:
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
        size = (bottom - top + 1) * (right - left + 1)
        held = held_range(target, top, left, bottom, right) if size <= self._left else None
        if held is not None:
            self._charge(size)
            return held
        return [self._line(target, r, left, right) for r in range(top, bottom + 1)]

    def _line(self, sheet: Sheet, row: int, left: int, right: int) -> list[Scalar]:
        """The values of a row's cells from column `left` to `right`."""
        if sheet.strays or sheet.covered:
            return [self._cell(sheet, row, c) for c in range(left, right + 1)]
        at, start, end = row - sheet.top, max(left, sheet.left), min(right, sheet.right)
        self._charge(_SLOW * max(1, end - start + 1))
        if start > end or not 0 <= at < sheet.height:
            return [None] * (right - left + 1)
        values = [one.values[at] for one in sheet.columns[start - sheet.left : end - sheet.left + 1]]
        inside = [
            self._scalar(v) if v is not None else self._absent(sheet, row, c) for c, v in enumerate(values, start)
        ]
        return [None] * (start - left) + inside + [None] * (right - end)

    def _cell(self, sheet: Sheet, row: int, column: int) -> Scalar:
        self._charge(1)
        value = sheet.value(row, column)
        if value is not None:
            return self._scalar(value)
        covered = sheet.covered.get((row, column))
        return self._absent(sheet, row, column) if covered is None else self._scalar(covered)

    def _absent(self, sheet: Sheet, row: int, column: int) -> Scalar:
        """The value of a cell that holds none: that of its formula, which may be the empty text."""
        if (row, column) in sheet.uncached:
            return self._formula(sheet, row, column)
        return "" if _is_blank(sheet, row, column) else None

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


def _is_blank(sheet: Sheet, row: int, column: int) -> bool:
    """Whether the formula of a cell is known to show nothing."""
    return isinstance(sheet.formulas, Formulas) and (row, column) in sheet.formulas.blank


def _corner(corner: tuple[int, bool, int, bool], row: int, column: int) -> tuple[int, int]:
    down, fixed_row, across, fixed_column = corner
    at, over = down if fixed_row else down + row, across if fixed_column else across + column
    if not (1 <= at <= LAST_ROW and 0 <= over <= LAST_COLUMN):
        raise FormulaError("#REF!")
    return at, over
