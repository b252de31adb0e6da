"""The formulas of a sheet whose file keeps them as tokens: noted where they stand, read within bounds."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from struct import error as StructError  # noqa: N812 - the library's own name says nothing

from tools.workbook.formula_text import StoredFormulas
from tools.workbook.formula_tokens import Form, Origin, text_of

_EXPRESSION, _EXPRESSION_BYTES = b"\x01", 5
_MOST_TOKEN_BYTES, _LONGEST_BYTES = 3_000_000, 4_000
"""What is read of the formulas of a sheet: some 150,000 of them. A spreadsheet program writes 1,800 bytes each."""


class TokenFormulas:
    """The formulas of a sheet in `data`, a stream or part of a file of `form`, as far as their records have come."""

    def __init__(self, data: bytes, form: Form) -> None:
        """None yet."""
        self._data, self._form = data, form
        self._found = array("q")
        self._shared: dict[tuple[int, int], bytes] = {}

    def note(self, row: int, column: int, start: int, size_bytes: int, *, is_empty: bool) -> None:
        """Notes the formula of a cell, counted from 0: where its tokens are, and whether its value is no letters."""
        self._found.extend((row, column, start, min(size_bytes, _LONGEST_BYTES + 1), int(is_empty)))

    def note_empty(self) -> None:
        """Notes that the value of the last formula is a text of no letters."""
        if self._found:
            self._found[-1] = 1

    def note_shared(self, start: int, size_bytes: int) -> None:
        """Notes where the tokens are that others share with the cell of the last formula."""
        if self._found:
            end = start + min(size_bytes, _LONGEST_BYTES + 1)
            self._shared[self._found[-5], self._found[-4]] = self._data[start:end]

    def add_to(self, stored: StoredFormulas, sheets: Sequence[str | None]) -> None:
        """Adds them to `stored`; `sheets` are the names that the numbers of references to other sheets mean.

        Beyond what is read of a sheet, only those are added that have no value.
        """
        found, left = self._found, _MOST_TOKEN_BYTES
        for number in range(0, len(found), 5):
            row, column, start, size, is_empty = found[number : number + 5]
            tokens = self._tokens(start, size)
            left -= len(tokens)
            is_read = left >= 0 and len(tokens) <= _LONGEST_BYTES
            if is_read or is_empty:
                text = text_of(tokens, Origin(row, column, sheets, self._form)) if is_read else ""
                stored.add(row + 1, column, text, None, cached=True, is_empty_text=bool(is_empty))

    def _tokens(self, start: int, size: int) -> bytes:
        tokens = self._data[start : start + size]
        if tokens[:1] != _EXPRESSION or len(tokens) != _EXPRESSION_BYTES:
            return tokens
        try:
            row, column = self._form.shared.unpack_from(self._data, start + 1)
        except StructError:
            return b""
        return self._shared.get((row, column), b"")
