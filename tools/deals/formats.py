"""The number formats of a column's cells, held once each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.workbook.grid import Sheet

Bools = NDArray[np.bool_]
_NO_DIGITS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')
_COMMAS = re.compile(r"[0#?](,+)(?=[^0#?,]*$)")


class Formats:
    """One number format a record: `codes` are the distinct ones, `ids` the index of each record's."""

    def __init__(self, codes: Sequence[str], ids: NDArray[np.int64]) -> None:
        self.codes, self.ids = tuple(codes), ids

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Formats:
        """The formats given one by one."""
        codes = list(dict.fromkeys(texts))
        return cls(codes, np.array([codes.index(text) for text in texts], dtype=np.int64))

    @classmethod
    def of_column(cls, sheet: Sheet, rows: Sequence[int], column: int) -> Formats:
        """The formats of a sheet's column (0-based) in some rows (1-based)."""
        if not sheet.styles.size:
            return cls(("",), np.zeros(len(rows), np.int64))
        styles, ids = np.unique(sheet.styles[np.asarray(rows) - sheet.top, column - sheet.left], return_inverse=True)
        return cls([sheet.style_table[int(style)].number_format for style in styles], ids)

    def mask(self, holds: Callable[[str], bool]) -> Bools:
        """For each record, whether `holds` is true of its format."""
        said = np.array([holds(code) for code in self.codes], dtype=bool)
        return said[self.ids] if len(said) else np.zeros(len(self.ids), bool)

    def __getitem__(self, record: int) -> str:
        return self.codes[int(self.ids[record])]


def divided_by(number_format: str) -> int:
    """What a format divides a number by before it shows it: a thousand for each comma behind its last digit.

    ECMA-376 part 1, 18.8.31.
    """
    bare = _NO_DIGITS.sub("", number_format.partition(";")[0])
    commas = _COMMAS.search(bare)
    return 1000 ** len(commas[1]) if commas else 1
