"""The formulas of an xls sheet, taken in record by record."""

from __future__ import annotations

from struct import Struct

from tools.workbook.formula_tokens import XLS
from tools.workbook.token_formulas import TokenFormulas

_CELL, _WORD = Struct("<HH"), Struct("<H")
FORMULA, STRING, SHARED = 0x06, 0x207, 0x4BC
FORMULA_RECORDS = frozenset({FORMULA, STRING, SHARED})
_EMPTY = 3


class BiffFormulas(TokenFormulas):
    """The formulas of a sheet of the workbook in `stream`, as far as their records have come."""

    def __init__(self, stream: bytes) -> None:
        """None yet."""
        super().__init__(stream, XLS)
        self._stream = stream

    def take(self, kind: int, at: int, size: int) -> None:
        """Takes in a record of FORMULA_RECORDS; raises struct.error for one that breaks off."""
        stream = self._stream
        if kind == FORMULA:
            is_other, which = stream[at + 12 : at + 14] == b"\xff\xff", stream[at + 6]
            length = min(int.from_bytes(stream[at + 20 : at + 22], "little"), max(0, size - 22))
            row, column = _CELL.unpack_from(stream, at)
            self.note(row, column, at + 22, length, is_empty=is_other and which == _EMPTY)
        elif kind == STRING and not _WORD.unpack_from(stream, at)[0]:
            self.note_empty()
        elif kind == SHARED:
            self.note_shared(at + 10, _WORD.unpack_from(stream, at + 8)[0])
