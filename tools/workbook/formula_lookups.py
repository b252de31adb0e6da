"""Look-ups and conditional sums of formulas: exact ones, which have one answer wherever they are computed."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from tools.workbook.formula_functions import Argument, FormulaError, Matrix, Scalar, number, truth
from tools.workbook.formula_parse import NotPlainError

Key = tuple[int, float | str]
Index = dict[Key, int]
LOOK_UPS = frozenset({"VLOOKUP", "HLOOKUP", "MATCH", "INDEX", "XLOOKUP"})
CONDITIONALS = frozenset({"SUMIF", "SUMIFS", "COUNTIF", "COUNTIFS", "AVERAGEIF", "AVERAGEIFS"})
_WILD = re.compile(r"[*?~]")
_WILD_PART = re.compile(r"~[*?~]|[*?]|[^*?~]+|~")
_CRITERION = re.compile(r"(<=|>=|<>|=|<|>)?(.*)", re.DOTALL)
_LONGEST_CRITERION = 255
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def key_of(value: Scalar) -> Key | None:
    """What exact look-ups compare: text without case, numbers, truth values; None for an empty cell."""
    if value is None:
        return None
    if isinstance(value, bool):
        return 2, float(value)
    return (1, value.lower()) if isinstance(value, str) else (0, value)


def index_of(values: Sequence[Scalar]) -> Index:
    """Where each value stands first, from 0."""
    found: Index = {}
    for at, value in enumerate(values):
        key = key_of(value)
        if key is not None:
            found.setdefault(key, at)
    return found


def line_of(table: Argument) -> list[Scalar]:
    """The values of a range that is one row or one column; raises NotPlainError for any other."""
    if not isinstance(table, list):
        return [table]
    if len(table) == 1:
        return table[0]
    if any(len(row) != 1 for row in table):
        raise NotPlainError
    return [row[0] for row in table]


def look_up(name: str, arguments: Sequence[Argument], indexed: Callable[[Argument, str], Index]) -> Argument:
    """The value of VLOOKUP, HLOOKUP, MATCH, INDEX or XLOOKUP; raises NotPlainError for one that is not exact.

    `indexed` gives the index of a range's first column ("column"), first row ("row") or only line ("line").
    """
    if name == "INDEX":
        return _index(arguments)
    wanted = arguments[0]
    if isinstance(wanted, list):
        raise NotPlainError
    if isinstance(wanted, str) and _WILD.search(wanted):
        raise NotPlainError
    if name == "XLOOKUP":
        return _xlookup(wanted, arguments, indexed)
    _need_exact(arguments[3 if name != "MATCH" else 2 :])
    if name == "MATCH":
        return float(_found(wanted, indexed(arguments[1], "line")) + 1)
    table, which = _matrix(arguments[1]), int(number(arguments[2])) - 1
    if which < 0:
        raise FormulaError("#VALUE!")
    at = _found(wanted, indexed(arguments[1], "column" if name == "VLOOKUP" else "row"))
    return table[at][which] if name == "VLOOKUP" else table[which][at]


def _need_exact(rest: Sequence[Argument]) -> None:
    """Raises NotPlainError unless the argument that asks for an exact match is there and does."""
    if not rest or (rest[0] is not None and truth(rest[0])):
        raise NotPlainError


def _found(wanted: Scalar, index: Index) -> int:
    at = index.get(key_of(wanted) or (0, 0.0))
    if at is None:
        raise FormulaError("#N/A")
    return at


def _cell_of_line(table: Matrix, at: int) -> Scalar:
    """The cell number `at` of a range that is one row or one column."""
    if len(table) == 1:
        return table[0][at]
    if len(table[at]) != 1:
        raise NotPlainError
    return table[at][0]


def _matrix(value: Argument) -> Matrix:
    return value if isinstance(value, list) else [[value]]


def _index(arguments: Sequence[Argument]) -> Argument:
    """The cell of a range at a row and column; at one number where the range is a line."""
    table, places = _matrix(arguments[0]), [int(number(place)) for place in arguments[1:]]
    if len(places) == 1 and len(table) == 1:
        places = [1, places[0]]
    elif len(places) == 1 and len(table[0]) == 1:
        places = [places[0], 1]
    if len(places) != 2 or min(places) < 1:
        raise NotPlainError
    return table[places[0] - 1][places[1] - 1]


def _xlookup(wanted: Scalar, arguments: Sequence[Argument], indexed: Callable[[Argument, str], Index]) -> Argument:
    if any(value is not None and number(value) != usual for value, usual in zip(arguments[4:], (0, 1), strict=False)):
        raise NotPlainError
    at = indexed(arguments[1], "line").get(key_of(wanted) or (0, 0.0))
    if at is not None:
        return _cell_of_line(_matrix(arguments[2]), at)
    if len(arguments) > 3 and arguments[3] is not None:
        return arguments[3]
    raise FormulaError("#N/A")


def conditional(name: str, arguments: Sequence[Argument]) -> float:
    """The value of SUMIF, COUNTIF, AVERAGEIF and their kin with several conditions."""
    if name.endswith("IFS"):
        values, pairs = ([], arguments) if name == "COUNTIFS" else (arguments[0], arguments[1:])
    else:
        pairs, values = arguments[:2], arguments[2] if len(arguments) > 2 else arguments[0]
    tables = [_flat(table) for table in pairs[::2]]
    tests = [criterion(value) for value in pairs[1::2]]
    amounts = tables[0] if name in ("COUNTIF", "COUNTIFS") else _flat(values)
    if len(tests) != len(tables) or len({len(amounts), *map(len, tables)}) != 1:
        raise NotPlainError
    kept = [
        amount
        for amount, *held in zip(amounts, *tables, strict=True)
        if all(test(value) for test, value in zip(tests, held, strict=True))
    ]
    if name.startswith("COUNT"):
        return float(len(kept))
    numbers = [value for value in kept if isinstance(value, float)]
    if name.startswith("SUM"):
        return sum(numbers)
    if not numbers:
        raise FormulaError("#DIV/0!")
    return sum(numbers) / len(numbers)


def _flat(table: Argument) -> list[Scalar]:
    return [value for row in _matrix(table) for value in row]


def criterion(value: Argument) -> Callable[[Scalar], bool]:
    """The test that a condition such as 5, "Retail", "Ret*" or ">=100" sets."""
    if isinstance(value, list) or (isinstance(value, str) and len(value) > _LONGEST_CRITERION):
        raise NotPlainError
    if not isinstance(value, str):
        key = key_of(value) or (0, 0.0)
        return lambda held: key_of(held) == key
    sign, text = _split(value)
    amount = _amount(text)
    if sign in _COMPARE:
        compare, limit = _COMPARE[sign], text.lower() if amount is None else amount
        return lambda held: (
            isinstance(held, type(limit)) and compare(held.lower() if isinstance(held, str) else held, limit)
        )
    same = _equal_to(text, amount)
    return (lambda held: not same(held)) if sign == "<>" else same


def _split(text: str) -> tuple[str, str]:
    match = _CRITERION.fullmatch(text)
    return (match[1] or "", match[2]) if match else ("", text)


def _amount(text: str) -> float | None:
    try:
        return number(text) if text.strip() else None
    except FormulaError:
        return None


def _equal_to(text: str, amount: float | None) -> Callable[[Scalar], bool]:
    if amount is not None:
        return lambda held: not isinstance(held, bool) and held is not None and _amount_of(held) == amount
    if not text:
        return lambda held: held is None or held == ""
    if text.upper() in ("TRUE", "FALSE"):
        return lambda held: held is (text.upper() == "TRUE")
    pattern = _pattern(text)
    return lambda held: isinstance(held, str) and pattern.fullmatch(held) is not None


def _amount_of(held: float | str) -> float | None:
    return _amount(held) if isinstance(held, str) else held


def _pattern(text: str) -> re.Pattern[str]:
    """The text with `*` for any letters and `?` for one; what a star has taken is not tried again."""
    pieces, stars = [""], 0
    for part in _WILD_PART.findall(text):
        if part == "*":
            pieces.append("")
            stars += 1
        else:
            pieces[-1] += "." if part == "?" else re.escape(part[1:] if part[0] == "~" and part[1:] else part)
    head, middle, tail = pieces[0], pieces[1:-1], pieces[-1] if stars else ""
    whole = head + "".join(f"(?>.*?{piece})" for piece in middle) + (f".*{tail}" if stars else "")
    return re.compile(whole, re.IGNORECASE | re.DOTALL)
