"""The formulas of a piece of a sheet's XML, read in bulk."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.workbook.formula_text import EMPTY_TEXT, NOTHING, OWN, VALUE, Ints, StoredFormulas

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
_ARRAY = re.compile(rb'<(?=[^>]*\bt="array")[^>]*?\bref="([A-Z0-9:]+)"')
_SHARED = re.compile(rb'\bsi="(\d+)"')


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of a piece: where each starts, where its local name starts less one, the name's first two letters."""

    piece: bytes
    text: Bytes
    starts: Places
    own: Places
    first: Bytes
    second: Bytes

    def is_closing(self, tags: Places, name: str) -> Flags:
        """Which of `tags` end an element whose name begins with the letter `name`."""
        slash, letter = self.text[self.starts[tags] + 1] == ord("/"), self.text[self.own[tags] + 2] == ord(name)
        return slash & letter


def add_formulas(stored: StoredFormulas, tags: Tags, cells: Places, rows: Ints, columns: Ints) -> None:
    """Adds the formulas of the cells whose tags have the numbers `cells`, in `rows` and `columns`.

    Empty text counts as a formula's value only where the cell says that it is text.
    """
    last = len(tags.starts) - 1
    found = np.flatnonzero((tags.first == ord("f")) & (tags.second <= ord(">")))
    at = np.searchsorted(cells, found - 1)
    # A formula stands right behind the tag of its cell; one at the end of a broken piece has no end.
    inside = (at < len(cells)) & (found < last)
    inside[inside] = cells[at[inside]] == found[inside] - 1
    found, at = found[inside], at[inside]
    if not len(found):
        return
    value = found + 1 + tags.is_closing(found + 1, "f")
    held = _held(tags, found - 1, np.minimum(value, last))
    texts, groups = _texts(stored, tags, found, held)
    stored.extend(rows[at], columns[at], held, groups, texts)


def _held(tags: Tags, cells: Places, values: Places) -> Ints:
    """What each cell holds as the value of its formula, whose tag should be the one in `values`."""
    first, second = tags.first[values], tags.second[values]
    is_value = (first == ord("v")) & (second <= ord(">"))
    ends = np.append(tags.starts, len(tags.piece))[values + 1]
    empty = is_value & ((text_end := tags.text[ends - 1]) == ord(">"))
    held = np.where(((first == ord("i")) & (second == ord("s"))) | (is_value & (text_end != ord(">"))), VALUE, NOTHING)
    for number in np.flatnonzero(empty).tolist():
        start, end = tags.starts[cells[number] : cells[number] + 2].tolist()
        held[number] = EMPTY_TEXT if b't="str"' in tags.piece[start:end] else NOTHING
    return held.astype(np.int32)


def _texts(stored: StoredFormulas, tags: Tags, found: Places, held: Ints) -> tuple[list[bytes], Ints]:
    """The text of each formula, empty where the cell shares one, and its group."""
    piece, groups = tags.piece, np.full(len(found), OWN, np.int32)
    ends = tags.starts[found + 1]
    bare = tags.second[found] == ord(">")
    starts = np.where(bare, tags.own[found] + 3, tags.starts[found])
    texts = [piece[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    seen: dict[bytes, tuple[bytes, int]] = {}
    for number in np.flatnonzero(~bare).tolist():
        whole = texts[number]
        if whole not in seen:
            seen[whole] = _parted(stored, whole)
        texts[number], groups[number] = seen[whole]
        if held[number] != VALUE and (array := _ARRAY.match(whole)):
            stored.add_array(array[1].decode())
    return texts, groups


def _parted(stored: StoredFormulas, whole: bytes) -> tuple[bytes, int]:
    """The text and the group of a formula, of its tag and what follows up to the next one."""
    tag, _, text = whole.partition(b">")
    shared = _SHARED.search(tag) if b't="shared"' in tag else None
    return b"" if tag.endswith(b"/") else text, stored.group(shared[1].decode() if shared else None)
