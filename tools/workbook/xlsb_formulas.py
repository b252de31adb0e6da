"""The formulas of an xlsb sheet, taken in record by record ([MS-XLSB] 2.5.97)."""

from __future__ import annotations

from tools.workbook.formula_tokens import XLSB
from tools.workbook.token_formulas import TokenFormulas

_TEXT, _NUMBER = 8, 9
SHARED = 427
FORMULA_CELLS = frozenset({_TEXT, _NUMBER, 10, 11})


class XlsbFormulas(TokenFormulas):
    """The formulas of a sheet's part `data`, as far as their records have come."""

    def __init__(self, data: bytes) -> None:
        """None yet."""
        super().__init__(data, XLSB)
        self._part = data

    def take(self, kind: int, at: int, row: int, column: int) -> None:
        """Takes in a record of FORMULA_CELLS: column and style, value, flags, tokens; row and column count from 0."""
        letters = self._count(at + 8) if kind == _TEXT else 0
        value_bytes = 4 + 2 * letters if kind == _TEXT else 8 if kind == _NUMBER else 1
        start = at + 8 + value_bytes + 2
        self.note(row, column, start + 4, self._count(start), is_empty=kind == _TEXT and not letters)

    def take_shared(self, at: int) -> None:
        """Takes in a record of SHARED: a range, then tokens."""
        self.note_shared(at + 20, self._count(at + 16))

    def _count(self, at: int) -> int:
        return int.from_bytes(self._part[at : at + 4], "little")
