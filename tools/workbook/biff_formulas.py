"""The formulas of an xls sheet, taken in record by record."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from struct import Struct

from tools.workbook.formula_text import StoredFormulas
from tools.workbook.formula_tokens import Origin, text_of

_CELL, _WORD = Struct("<HH"), Struct("<H")
FORMULA, STRING, SHARED = 0x06, 0x207, 0x4BC
FORMULA_RECORDS = frozenset({FORMULA, STRING, SHARED})
_EXPRESSION = 0x01
_EMPTY = 3
_MOST_TOKEN_BYTES, _LONGEST_BYTES = 3_000_000, 4_000
"""What is read of the formulas of a sheet: some 150,000 of them. A spreadsheet program writes 1,800 bytes each."""


class BiffFormulas:
    """The formulas of a sheet of the workbook in `stream`, as far as their records have come."""

    def __init__(self, stream: bytes) -> None:
        """None yet."""
        self._stream = stream
        self._found = array("q")
        self._shared: dict[tuple[int, int], bytes] = {}

    def take(self, kind: int, at: int, size: int) -> None:
        """Takes in a record of FORMULA_RECORDS; raises struct.error for one that breaks off."""
        stream = self._stream
        if kind == FORMULA:
            is_other, which = stream[at + 12 : at + 14] == b"\xff\xff", stream[at + 6]
            is_empty = is_other and which == _EMPTY
            self._found.extend((*_CELL.unpack_from(stream, at), at, size, 1 if is_empty else 0))
        elif kind == STRING and self._found and not _WORD.unpack_from(stream, at)[0]:
            self._found[-1] = 1
        elif kind == SHARED and self._found:
            (length,) = _WORD.unpack_from(stream, at + 8)
            self._shared[self._found[-5], self._found[-4]] = stream[at + 10 : at + 10 + length]

    def add_to(self, stored: StoredFormulas, sheets: Sequence[str | None]) -> None:
        """Adds them to `stored`; `sheets` are the names that the numbers of references to other sheets mean.

        Beyond what is read of a sheet, only those are added that have no value.
        """
        found, left = self._found, _MOST_TOKEN_BYTES
        for number in range(0, len(found), 5):
            row, column, at, size, is_empty = found[number : number + 5]
            tokens = self._tokens(at, size)
            left -= len(tokens)
            is_read = left >= 0 and len(tokens) <= _LONGEST_BYTES
            if is_read or is_empty:
                text = text_of(tokens, Origin(row, column, sheets)) if is_read else ""
                stored.add(row + 1, column, text, None, cached=True, is_empty_text=bool(is_empty))

    def _tokens(self, at: int, size: int) -> bytes:
        length = int.from_bytes(self._stream[at + 20 : at + 22], "little")
        tokens = self._stream[at + 22 : min(at + 22 + length, at + size)]
        if tokens[:1] == bytes([_EXPRESSION]) and len(tokens) == 5:
            row, column = _CELL.unpack_from(tokens, 1)
            return self._shared.get((row, column), b"")
        return tokens
