"""What each cell of a block is, as far as layout goes: one code and one number a cell."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from itertools import compress
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tools.workbook.columns import BlockColumn, Kinds
from tools.workbook.grid import CellError
from tools.workbook.words import DATE, EMPTY, NA, NUM, TEXT, YEAR, codes_of_texts

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
_WORDED = 7
"""A text that has no code yet."""
_NOTHING: Kinds = frozenset({type(None)})
_NUMBERS: Kinds = frozenset({int, float})
_CODE_OF_TYPE: dict[type, int] = {
    type(None): EMPTY,
    str: _WORDED,
    bool: TEXT,
    int: NUM,
    float: NUM,
    dt.date: DATE,
    dt.datetime: DATE,
    dt.time: DATE,
    dt.timedelta: DATE,
    CellError: NA,
}


def coded(columns: Sequence[BlockColumn], height: int) -> tuple[Codes, Floats, list[str]]:
    """The codes of the cells, the numbers of those that are numbers, and the different texts, some of them twice.

    NaN stands where no number does (numbers written as text among them); a number that is none of a kind is infinite.
    The arrays lie column after column, which makes sums along rows and columns many times faster.
    """
    codes = np.zeros((height, len(columns)), np.int8, order="F")
    numbers = np.full((height, len(columns)), np.nan, order="F")
    texts: list[str] = []
    for j, column in enumerate(columns):
        for start, end, kinds in column.known_runs():
            if kinds != _NOTHING:
                _code_run(column.values[start:end], kinds, codes[start:end, j], numbers[start:end, j])
        texts += _code_texts(column, codes[:, j])
    return codes, numbers, texts


def _code_run(values: list[object], kinds: Kinds, codes: Codes, numbers: Floats) -> None:
    """Puts the codes and numbers of `values`, of types `kinds`, into the arrays."""
    if len(kinds) == 1:
        codes[:] = _CODE_OF_TYPE[next(iter(kinds))]
    else:
        codes[:] = np.frombuffer(bytearray(map(_CODE_OF_TYPE.__getitem__, map(type, values))), np.int8)
    if kinds.isdisjoint(_NUMBERS):
        return
    plain = codes == NUM
    held = values if len(kinds) == 1 else list(compress(values, plain.tobytes()))
    found = np.array(cast("list[float]", held), np.float64)
    found[np.isnan(found)] = np.inf
    numbers[plain] = found
    codes[plain] = np.where((found >= 1800) & (found < 2100) & (found == np.floor(found)), YEAR, NUM)


def _code_texts(column: BlockColumn, codes: Codes) -> Collection[str]:
    """Puts the codes of the column's texts into `codes`; the texts, once each where many come again."""
    if not any(str in kinds for _, _, kinds in column.known_runs()):
        return ()
    worded = codes == _WORDED
    values = cast("list[str]", column.values if worded.all() else list(compress(column.values, worded.tobytes())))
    texts = set(values) if column.repeats else values
    odd = codes_of_texts(texts)
    codes[worded] = [odd.get(text, TEXT) for text in values] if odd else TEXT
    return texts
