"""Formulas as trees. A tree's cell references are relative to the formula's cell, so that copies share one tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from schemas.workbook import column_index
from tools.workbook.grid import LAST_COLUMN, LAST_ROW

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>"(?:[^"]|"")*")
    |(?P<range>(?:(?P<sheet>'(?:[^']|'')+'|[A-Za-z_][\w.]*)!)?
        (?:\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d{1,7}:\$?\d{1,7}))(?![\w.(!])
    |(?P<error>\#(?:N/A|REF!|VALUE!|DIV/0!|NUM!|NAME\?|NULL!))
    |(?P<call>[A-Za-z_][\w.]*)\(
    |(?P<truth>TRUE|FALSE)\b
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<mark><=|>=|<>|[-+*/^&=<>%(),])
    )""",
    re.VERBOSE,
)
_CORNER = re.compile(r"(\$?)([A-Za-z]{0,3})(\$?)(\d*)")
_LEVELS = (("=", "<", ">", "<=", ">=", "<>"), ("&",), ("+", "-"), ("*", "/"), ("^",))
_DEEPEST = 64
_SIGNS, _WHOLE = ("neg", "pct"), ("SUM", "AVERAGE", "MIN", "MAX", "COUNT", "PRODUCT")


class NotPlainError(Exception):
    """The formula is more than the plain ones that are computed here."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a text or a truth value."""

    value: float | str | bool


@dataclass(frozen=True, slots=True)
class ErrorConstant:
    """An error value written into the formula."""

    code: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A cell or range; corners are (row, row is fixed, column, column is fixed), offsets where not fixed."""

    sheet: str | None
    first: tuple[int, bool, int, bool]
    last: tuple[int, bool, int, bool]
    single: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator (`+`, and `neg`, `pct` for those with one operand) over its arguments."""

    name: str
    arguments: tuple[Node, ...]


Node = Constant | ErrorConstant | Reference | Call
Token = tuple[str, str]


def tokens(formula: str) -> list[tuple[str, str]]:
    """(kind, text) of each token; raises NotPlainError for what belongs to no plain formula."""
    found: list[Token] = []
    at = 0
    text = formula.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise NotPlainError
        kind = "range" if match["range"] else match.lastgroup
        found.append((kind, match[kind]))
        at = match.end()
    return found


def relative(found: Sequence[Token], row: int, column: int) -> tuple[Token | Reference, ...]:
    """The tokens with each reference relative to the cell at `row`, `column`: equal for copies of a formula."""
    return tuple(_reference(text, row, column) if kind == "range" else (kind, text) for kind, text in found)


def _reference(text: str, row: int, column: int) -> Reference:
    sheet, _, area = text.rpartition("!")
    first, _, last = area.partition(":")
    name = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
    start, end = _corner(first, row, column, True), _corner(last or first, row, column, False)
    return Reference(name or None, start, end, not last)


def _corner(text: str, row: int, column: int, is_first: bool) -> tuple[int, bool, int, bool]:
    match = _CORNER.fullmatch(text)
    if match is None:
        raise NotPlainError
    fixed_column, letters, fixed_row, digits = match.groups()
    across = column_index(letters) if letters else (0 if is_first else LAST_COLUMN)
    down = int(digits) if digits else (1 if is_first else LAST_ROW)
    is_fixed_column, is_fixed_row = bool(fixed_column) or not letters, bool(fixed_row) or not digits
    if letters == "" and fixed_column:
        is_fixed_row = True
    return (
        down if is_fixed_row else down - row,
        is_fixed_row,
        across if is_fixed_column else across - column,
        is_fixed_column,
    )


class _Parser:
    def __init__(self, found: Sequence[Token | Reference]) -> None:
        self._found = found
        self._at = 0

    def _peek(self) -> Token | Reference | None:
        return self._found[self._at] if self._at < len(self._found) else None

    def _take(self, mark: str) -> bool:
        if self._peek() == ("mark", mark):
            self._at += 1
            return True
        return False

    def whole(self) -> Node:
        node = self._binary(0, 0)
        if self._peek() is not None:
            raise NotPlainError
        return node

    def _binary(self, level: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise NotPlainError
        if level == len(_LEVELS):
            return self._unary(depth)
        node = self._binary(level + 1, depth)
        while isinstance(token := self._peek(), tuple) and token[0] == "mark" and token[1] in _LEVELS[level]:
            self._at += 1
            node = Call(token[1], (node, self._binary(level + 1, depth)))
        return node

    def _unary(self, depth: int) -> Node:
        if self._take("-"):
            return Call("neg", (self._unary(depth + 1),))
        if self._take("+"):
            return self._unary(depth + 1)
        node = self._atom(depth)
        while self._take("%"):
            node = Call("pct", (node,))
        return node

    def _atom(self, depth: int) -> Node:
        token = self._peek()
        self._at += 1
        if isinstance(token, Reference):
            return token
        match token:
            case ("number", text):
                return Constant(float(text))
            case ("text", text):
                return Constant(text[1:-1].replace('""', '"'))
            case ("truth", text):
                return Constant(text == "TRUE")
            case ("error", code):
                return ErrorConstant(code)
            case ("call", name):
                return Call(name.upper().removeprefix("_XLFN."), self._arguments(depth + 1))
            case ("mark", "("):
                node = self._binary(0, depth + 1)
                if self._take(")"):
                    return node
            case _:
                pass
        raise NotPlainError

    def _arguments(self, depth: int) -> tuple[Node, ...]:
        if self._take(")"):
            return ()
        found = [self._binary(0, depth)]
        while self._take(","):
            found.append(self._binary(0, depth))
        if not self._take(")"):
            raise NotPlainError
        return tuple(found)


def parse(found: Sequence[Token | Reference]) -> Node:
    """The tree of relative tokens; raises NotPlainError for what is no plain formula."""
    return _Parser(found).whole()


def is_cell_by_cell(node: Node) -> bool:
    """Whether a formula that fills many cells does one thing to each: operators on ranges, and sums and their kin."""
    if not isinstance(node, Call):
        return True
    if node.name in _WHOLE:
        return all(isinstance(part, (Constant, Reference)) for part in node.arguments)
    return (node.name in _SIGNS or not node.name[0].isalpha()) and all(map(is_cell_by_cell, node.arguments))
