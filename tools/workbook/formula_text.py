"""The formulas of a sheet as text, those that cells share with one another included."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openpyxl.formula.translate import Translator, TranslatorError

from schemas.workbook import cell_address, column_index
from tools.workbook.grid import LAST_COLUMN, LAST_ROW
from tools.workbook.place_set import Keys, PlaceSet, key_of, keys_of, place_of

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]
OWN = -1
"""The group of a formula that no other cell shares."""
NOTHING, VALUE, EMPTY_TEXT = 0, 1, 2
"""What a file stores as the value of a formula."""
Box = tuple[int, int, int, int]
_MOST_ARRAY_CELLS = 250_000
_MARK = b"<"
_RANGE = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")


class StoredFormulas:
    """Formulas as a file stores them, collected piece by piece: places, groups that share a text, texts as in XML."""

    def __init__(self) -> None:
        """No formulas yet."""
        self._pieces: list[tuple[Keys, Ints, Ints, Ints, bytes]] = []
        self._single: list[tuple[int, int, int, bytes]] = []
        self.arrays: list[Box] = []
        self._groups: dict[str, int] = {}

    def group(self, name: str | None) -> int:
        """The number of the group that the file calls `name`; OWN for None."""
        return OWN if name is None else self._groups.setdefault(name, len(self._groups))

    def add(
        self, row: int, column: int, text: str, shared: str | None, *, cached: bool, is_empty_text: bool = False
    ) -> None:
        """Adds one formula: its text ("" where the cell shares one), its group, whether a value is stored, and which.

        `is_empty_text` says that the stored value is a text of no letters.
        """
        held = EMPTY_TEXT if is_empty_text else VALUE if cached else NOTHING
        self._single.append((key_of(row, column), held, self.group(shared), html.escape(text, quote=False).encode()))

    def add_array(self, ref: str) -> None:
        """Adds the range of a formula without a value that fills more cells than the one it is written in."""
        if box := box_of(ref):
            self.arrays.append(box)

    def extend(self, rows: Ints, columns: Ints, held: Ints, groups: Ints, texts: Sequence[bytes]) -> None:
        """Adds formulas in bulk; `texts` are as they stand in XML."""
        self._add_piece(keys_of(rows, columns), held, groups, texts)

    def _add_piece(self, keys: Keys, held: Ints, groups: Ints, texts: Sequence[bytes]) -> None:
        sizes = np.fromiter(map(len, texts), np.int32, len(texts))
        self._pieces.append((keys, held, groups, sizes, _MARK.join((*texts, b""))))

    def columns(self) -> tuple[Keys, Ints, Ints, Keys, bytes]:
        """Keys in rising order, what is stored, groups, where each text starts, and all texts, each after a mark."""
        if self._single:
            keys, held, groups, texts = zip(*self._single, strict=True)
            self._single = []
            self._add_piece(np.array(keys, np.int64), np.array(held, np.int32), np.array(groups, np.int32), texts)
        if not self._pieces:
            nothing = np.zeros(0, np.int64)
            return nothing, nothing.astype(np.int32), nothing.astype(np.int32), nothing, _MARK
        keys, held, groups, sizes = (np.concatenate([piece[part] for piece in self._pieces]) for part in range(4))
        starts = np.cumsum(sizes.astype(np.int64) + 1) - sizes
        texts = _MARK + b"".join(piece[4] for piece in self._pieces)
        if (np.diff(keys) > 0).all():
            return keys, held, groups, starts, texts
        # Where a cell has two formulas, the later one counts.
        kept = len(keys) - 1 - np.unique(keys[::-1], return_index=True)[1]
        return keys[kept], held[kept], groups[kept], starts[kept], texts


class Formulas(Mapping[tuple[int, int], str]):
    """Formula text by (1-based row, 0-based column), with no equals sign; a shared one is worked out when asked for.

    `array_of` leads from each cell that a formula without a value fills together with others to the first of them.
    `zeros` counts the formulas whose stored value is the 0 of a program that works nothing out, and was not taken.
    `blank` are the cells whose formula shows nothing: those for which an empty text is stored, at first.
    """

    def __init__(self, stored: StoredFormulas) -> None:
        """The formulas in `stored`, which is done."""
        self.keys_, self._held, self.groups, self.starts, self.texts = stored.columns()
        self._view = self.keys_.data
        self._arrays = stored.arrays
        self.array_of: dict[tuple[int, int], tuple[int, int]] = {}
        self.zeros = 0
        self.blank = self.empty_texts()

    @cached_property
    def origins(self) -> dict[int, int]:
        """By group, the number of the formula in which its text is written."""
        written = np.flatnonzero((self.groups != OWN) & ~self.sharing)
        return dict(zip(self.groups[written].tolist(), written.tolist(), strict=True))

    @cached_property
    def sharing(self) -> Flags:
        """Which formulas have no text of their own."""
        ends = np.frombuffer(self.texts, np.uint8)[self.starts] if len(self.starts) else np.zeros(0, np.uint8)
        return ends == _MARK[0]

    @cached_property
    def _by_start(self) -> tuple[Keys, Keys]:
        """Where texts start, rising, and the number of the formula that each belongs to."""
        order = np.argsort(self.starts, kind="stable")
        return self.starts[order], order

    @cached_property
    def _by_group(self) -> tuple[Ints, Keys]:
        """The groups of the formulas that have no text of their own, rising, and the numbers of those formulas."""
        sharing = np.flatnonzero(self.sharing)
        order = sharing[np.argsort(self.groups[sharing], kind="stable")]
        return self.groups[order], order

    def written_at(self, start: int) -> int:
        """The number of the formula whose text starts at `start`; -1 where none does."""
        starts, numbers = self._by_start
        at = bisect_right(starts.data, start) - 1
        return int(numbers[at]) if at >= 0 and starts[at] == start else -1

    def sharers(self, number: int) -> Keys:
        """The numbers of the formulas that have the text of formula `number`, itself the first; none for itself alone.

        A later formula of a group that has a text of its own shares it with none.
        """
        group = int(self.groups[number])
        if group == OWN or self.origins.get(group) != number:
            return np.zeros(0, np.int64)
        groups, sharing = self._by_group
        first, last = np.searchsorted(groups, (group, group + 1)).tolist()
        return np.concatenate((np.array([number], np.int64), sharing[first:last]))

    def _find(self, row: int, column: int) -> int:
        """The number of the formula at a place; -1 where there is none."""
        key = key_of(row, column)
        at = bisect_right(self._view, key) - 1
        return at if at >= 0 and self._view[at] == key else -1

    def text(self, number: int) -> str:
        """The text of formula `number` as it is written in its own cell."""
        start = int(self.starts[number])
        raw = self.texts[start : self.texts.index(_MARK, start)].decode("utf-8", "replace")
        return html.unescape(raw) if "&" in raw else raw

    def place(self, number: int) -> tuple[int, int]:
        """The row and the column of formula `number`."""
        return place_of(self._view[number])

    def __getitem__(self, at: tuple[int, int]) -> str:
        """The text at a place; raises KeyError where there is none."""
        origin, text = self.origin(*at)
        if origin == at:
            return text
        try:
            translator: Any = Translator("=" + text, cell_address(None, *origin))
            moved = str(translator.translate_formula(cell_address(None, *at)))
        except TranslatorError:
            return text
        return moved.removeprefix("=")

    def size_bytes(self, number: int) -> int:
        """How long the text of formula `number` is as stored."""
        start = int(self.starts[number])
        return self.texts.index(_MARK, start) - start

    def written(self, row: int, column: int) -> int:
        """The number of the formula whose text counts at a place, the first that shares it; KeyError where none is."""
        number = self._find(row, column)
        if number < 0:
            raise KeyError((row, column))
        group = int(self.groups[number])
        return number if group == OWN or self.size_bytes(number) else self.origins.get(group, number)

    def origin(self, row: int, column: int) -> tuple[tuple[int, int], str]:
        """Where a cell's formula is written, and its text there: a shared one stands in the first that shares it."""
        number = self.written(row, column)
        return self.place(number), self.text(number)

    def among(self, keys: Keys) -> Flags:
        """Which of the places that `keys` stand for hold a formula."""
        if not len(self.keys_):
            return np.zeros(len(keys), np.bool_)
        at = np.minimum(np.searchsorted(self.keys_, keys), len(self.keys_) - 1)
        return self.keys_[at] == keys

    def __contains__(self, at: object) -> bool:
        """Whether a place holds a formula."""
        return isinstance(at, tuple) and self._find(*at) >= 0  # pyright: ignore[reportUnknownArgumentType] places are asked for

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each place in reading order."""
        return iter(PlaceSet(self.keys_))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.keys_)

    def uncached(self) -> PlaceSet:
        """The cells whose formula has no stored value."""
        return PlaceSet(self.keys_[self._held == NOTHING])

    def empty_texts(self) -> PlaceSet:
        """The cells whose formula has a text of no letters as its stored value."""
        return PlaceSet(self.keys_[self._held == EMPTY_TEXT])

    def valued(self) -> PlaceSet:
        """The cells whose formula has any other stored value."""
        return PlaceSet(self.keys_[self._held == VALUE])

    def spread(self, last_row: int, last_column: int) -> None:
        """Notes the cells that formulas without a value fill together, as far as the sheet's last row and column."""
        found = (
            ((row, column), (top, left))
            for top, left, bottom, right in self._arrays
            for row in range(top, min(bottom, last_row) + 1)
            for column in range(left, min(right, last_column) + 1)
        )
        cells = islice(found, _MOST_ARRAY_CELLS)
        self.array_of = {at: first for at, first in cells if at == first or at not in self}


def box_of(ref: str) -> Box | None:
    """First row, first column, last row and last column of a range, `E2:E4`; None for one cell and for no range."""
    match = _RANGE.fullmatch(ref)
    if match is None:
        return None
    left, top, right, bottom = column_index(match[1]), int(match[2]), column_index(match[3]), int(match[4])
    inside = 1 <= top <= bottom <= LAST_ROW and left <= right <= LAST_COLUMN
    return (top, left, bottom, right) if inside and (top, left) != (bottom, right) else None
