"""The formulas of a sheet as text, those that cells share with one another included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from openpyxl.formula.translate import Translator, TranslatorError

from schemas.workbook import cell_address
from tools.workbook.scan import FormulaCell


class Formulas(Mapping[tuple[int, int], str]):
    """Formula text by (1-based row, 0-based column), with no equals sign; a shared one is worked out when asked for."""

    def __init__(self, cells: Mapping[tuple[int, int], FormulaCell]) -> None:
        self._cells = cells
        self._origins = {cell.shared: (at, cell.text) for at, cell in cells.items() if cell.shared and cell.text}

    def __getitem__(self, at: tuple[int, int]) -> str:
        cell = self._cells[at]
        if cell.text or cell.shared not in self._origins:
            return cell.text
        origin, text = self._origins[cell.shared]
        try:
            translator: Any = Translator("=" + text, cell_address(None, *origin))
            moved = str(translator.translate_formula(cell_address(None, *at)))
        except TranslatorError:
            return text
        return moved.removeprefix("=")

    def origin(self, row: int, column: int) -> tuple[tuple[int, int], str]:
        """Where a cell's formula is written, and its text there: a shared one stands in the first that shares it."""
        cell = self._cells[row, column]
        shared = None if cell.text or cell.shared is None else self._origins.get(cell.shared)
        return shared or ((row, column), cell.text)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def uncached(self) -> list[tuple[int, int]]:
        """The cells whose formula has no stored value."""
        return [at for at, cell in self._cells.items() if not cell.cached]
