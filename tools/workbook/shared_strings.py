"""What the shared strings of a workbook would cost: one long string that many cells refer to is copied for each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tools.workbook import refusal
from tools.workbook.package import Package
from tools.workbook.rich_text import is_marked

_ITEM_END = re.compile(rb"</(?:\w+:)?si>")
_REFERENCE = re.compile(rb't="s"(?:(?!t="s")[^<>])*+>\s*+<(?:\w+:)?v>\s*(\d+)')
_COUNT = re.compile(rb'(?i)\buniqueCount\s*=\s*["\']\s*\+?(\d{1,30})')
_ROOT = re.compile(rb"<(?:\w+:)?sst\b[^<>]*")
# Readers make room for as many different texts as are declared; how often they are used (`count`) costs nothing,
# and a number that is a little off is common and harmless.
_MOST_MISSING = 10_000_000
_BLANK = re.compile(rb">\s+</(?:\w+:)?t>")


@dataclass(slots=True)
class SharedStrings:
    """The size in bytes of each shared string as stored, and whether one may be nothing but blanks.

    `marked` says that one may hold raised or struck-out text.
    """

    sizes_bytes: NDArray[np.int64]
    blanks: bool = False
    marked: bool = False

    @property
    def longest_bytes(self) -> int:
        """The size of the longest string; 0 without strings."""
        return int(self.sizes_bytes.max(initial=0))

    def copied_bytes(self, package: Package, parts: list[str]) -> int:
        """How many bytes the cells of sheet `parts` would copy out of the shared strings."""
        total = 0
        for part in parts:
            carry = b""
            for piece in package.chunks(part):
                carry += piece
                cut = carry.rfind(b"</") + 1
                used = np.array([int(m[1]) for m in _REFERENCE.finditer(carry, 0, cut)], np.int64)
                total += int(self.sizes_bytes[used[used < len(self.sizes_bytes)]].sum())
                carry = carry[cut:]
        return total


def measure_strings(package: Package, part: str | None) -> SharedStrings:
    """The sizes of the strings in `part`, which keeps its declared size and declares no entities, or InputError."""
    if part is None:
        return SharedStrings(np.zeros(0, np.int64))
    sizes, carry, blanks, declared = list[NDArray[np.int64]](), b"", False, 0
    open_bytes, marked = 0, False
    for piece in chain(package.chunks(part), [b""]):
        carry += piece
        marked = marked or is_marked(carry)
        if not sizes and (root := _ROOT.search(carry)):
            declared = max(map(int, _COUNT.findall(root[0])), default=0)
        cut = _cut(carry) if piece else len(carry)
        ends = _item_ends(carry[:cut])
        sizes.append(np.diff(ends, prepend=-open_bytes))
        open_bytes = cut - int(ends[-1]) if len(ends) else open_bytes + cut
        blanks = blanks or _BLANK.search(carry, 0, cut) is not None
        carry = carry[cut:]
    found = np.concatenate([*sizes, np.zeros(0, np.int64)])
    if declared > len(found) + _MOST_MISSING:
        raise refusal.unsafe(package.filename, f"declares {declared:,} texts and holds {len(found):,}")
    return SharedStrings(found, blanks, marked)


def _cut(carry: bytes) -> int:
    """Where to cut what has come in: before the last tag but one, so that blanks stay with the tags around them."""
    return max(0, carry.rfind(b"<", 0, max(0, carry.rfind(b"<"))))


def _item_ends(text: bytes) -> NDArray[np.int64]:
    """Where each string of `text` ends: all at once, save where the tags have a prefix."""
    if b":si>" in text:
        return np.array([end.end() for end in _ITEM_END.finditer(text)], np.int64)
    letters = np.frombuffer(text + bytes(4), np.uint8)
    ends = np.flatnonzero(letters[:-4] == ord("<"))
    for at, letter in enumerate(b"/si>", 1):
        ends = ends[letters[ends + at] == letter]
    return ends.astype(np.int64) + len(b"</si>")
