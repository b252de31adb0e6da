"""One streaming pass over a sheet's XML for what its values do not tell: styles, formulas, errors, what is hidden.

The pass reads bytes in bulk: cell references and style numbers come out of whole pieces of the part at once. A part
that no common writer makes (no cell references, comments, other encodings) is walked element by element instead.
"""

from __future__ import annotations

import contextlib
import html
import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from schemas.workbook import column_index
from tools.workbook import refusal
from tools.workbook.formula_cells import Tags, add_formulas
from tools.workbook.formula_text import StoredFormulas
from tools.workbook.grid import LAST_COLUMN, LAST_ROW, LONGEST_TEXT, Merge
from tools.workbook.package import PROLOG_BYTES, Package
from tools.workbook.rich_text import is_marked
from tools.workbook.tag_bounds import without_codes

_WINDOW_BYTES, _LONG_WINDOW_BYTES = 24, 160
_PREAMBLE_BYTES = 1 << 16
_MOST_HELD_BYTES = 2 << 20
_MOST_MERGES = 250_000
_MOST_TOLD_COLUMNS = 100_000
"""Six times as many stretches of columns as a sheet has columns."""
_SHORTEST_STYLE = len(' t="" s="0"')
_HIDING = re.compile(rb"""\s(?:hidden=["'](?:1|true|on)|(?:ht|width)=["']0+(?:\.0*)?)["']""")
_PREFIX = re.compile(rb"<(?:([A-Za-z_][\w.-]*):)?worksheet[\s>]")
_DIMENSION = re.compile(rb"""<(?:[\w.-]+:)?dimension\s+ref=(?:"([^"]*)"|'([^']*)')""")
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]


class IrregularSheetError(Exception):
    """The bulk pass cannot read this part; the walk can."""


@dataclass(slots=True)
class SheetScan:
    """What a pass found. `cells` counts cells with content; `box` is (first row, first column, last row, last column).

    `untidy` says that some text may be nothing but blanks, or longer than a cell holds; `marked` that one may be raised
    or struck out; `misstated` that the sheet says of its own size what is no range; `coded` that values are written
    with codes of letters. `told_columns` counts how often columns were said to be hidden, `filled_rows` the rows that
    hold a cell; `filled_columns` has a 1 for each column that does.
    """

    cells: int = 0
    box: tuple[int, int, int, int] | None = None
    styled: list[tuple[Ints, Ints, Ints]] = field(default_factory=list[tuple[Ints, Ints, Ints]])
    formulas: StoredFormulas = field(default_factory=StoredFormulas)
    errors: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    merges: list[Merge] = field(default_factory=list[Merge])
    untidy: bool = False
    misstated: bool = False
    marked: bool = False
    coded: bool = False
    told_columns: int = 0
    filled_rows: int = 0
    filled_columns: bytearray = field(default_factory=lambda: bytearray(LAST_COLUMN + 1))
    _hides: bytearray = field(default_factory=lambda: bytearray(LAST_COLUMN + 1))
    _last_row: int = 0

    def put(self, top: int, left: int, bottom: int, right: int) -> None:
        """Counts a box of cells with content; boxes in one row come one after the other."""
        self.cells += (bottom - top + 1) * (right - left + 1)
        self.grow(top, left, bottom, right)
        self.filled_rows += bottom - top + 1 if top != self._last_row else 0
        self._last_row = top
        width = max(0, min(right, LAST_COLUMN) + 1 - left)
        self.filled_columns[left : left + width] = b"\1" * width

    def put_all(self, rows: NDArray[np.integer], columns: NDArray[np.integer]) -> None:
        """As `put` for single cells at `rows` and `columns`."""
        if not len(rows):
            return
        self.cells += len(rows)
        self.grow(int(rows.min()), int(columns.min()), int(rows.max()), int(columns.max()))
        self.filled_rows += int(np.count_nonzero(np.diff(rows))) + (int(rows[0]) != self._last_row)
        self._last_row = int(rows[-1])
        np.frombuffer(self.filled_columns, np.uint8)[columns[columns <= LAST_COLUMN]] = 1

    def grow(self, top: int, left: int, bottom: int, right: int) -> None:
        """Widens `box` to hold another one."""
        a, b, c, d = self.box or (top, left, bottom, right)
        self.box = (min(a, top), min(b, left), max(c, bottom), max(d, right))

    def hide_columns(self, first: str, last: str) -> None:
        """Marks columns `first` to `last`, 1-based numbers as text, as hidden."""
        self.hide_span(max(int(first), 1) - 1, int(last) - 1)

    def hide_span(self, first: int, last: int) -> None:
        """Marks columns `first` to `last` as hidden; those that are already cost next to nothing."""
        self.told_columns += 1
        end = min(last, LAST_COLUMN) + 1
        while (first := self._hides.find(0, first, end)) >= 0:
            self._hides[first] = 1
            self.hidden_columns.add(first)

    def note_dimension(self, ref: str) -> None:
        """Looks whether `ref`, what the sheet says of its size, is a range at all."""
        try:
            for corner in ref.split(":", 1):
                place(corner)
        except ValueError:
            self.misstated = True

    def merge(self, ref: str) -> None:
        """Adds the merged range `ref`, `A1:C2`; what is no range merges nothing."""
        first, _, last = ref.replace("$", "").partition(":")
        with contextlib.suppress(ValueError):
            (top, left), (bottom, right) = place(first), place(last or first)
            if 1 <= top <= bottom and left <= right:
                self.merges.append((top, left, bottom, right))


def place(ref: str) -> tuple[int, int]:
    """(1-based row, 0-based column) of a cell reference such as G6; raises ValueError for anything else."""
    match = _PLACE.fullmatch(ref)
    row, column = (int(match[2]), column_index(match[1])) if match else (0, 0)
    if not (1 <= row <= LAST_ROW and column <= LAST_COLUMN):
        raise ValueError(f"{ref!r} is no cell")
    return row, column


@dataclass(frozen=True, slots=True)
class _Patterns:
    prefix: bytes
    row_end: bytes
    cell: bytes
    error: re.Pattern[bytes]
    merge: re.Pattern[bytes]


@lru_cache(maxsize=8)
def _patterns(prefix: bytes) -> _Patterns:
    def pattern(text: bytes) -> re.Pattern[bytes]:
        return re.compile(text.replace(b"~", re.escape(prefix)))

    cell = rb'<~c r="([A-Z]{1,3}\d{1,7})"'
    formula = rb"<~f((?:\s[^<>]*?)?)(?:/>|>([^<]*)</~f>)"
    return _Patterns(
        prefix,
        b"</" + prefix + b"row>",
        b"<" + prefix + b"c ",
        pattern(cell + rb'[^<>]*?\st="e"[^<>]*>\s*(?:' + formula + rb")?\s*<~v>([^<]*)"),
        pattern(rb'<~mergeCell\s[^<>]*?ref="([A-Z0-9:$]+)"'),
    )


def scan_sheet(package: Package, part: str) -> SheetScan:
    """What the pass finds in sheet `part`; raises IrregularSheetError where only a walk can read it."""
    scan, carry = SheetScan(), b""
    patterns: _Patterns | None = None
    for piece in package.chunks(part, noting=False):
        carry += piece
        if patterns is None:
            root = _PREFIX.search(carry, 0, 2 * PROLOG_BYTES)
            if root is None:
                raise IrregularSheetError
            patterns = _patterns(root[1] + b":" if root[1] else b"")
            carry = carry[root.start() :]
            if dimension := _DIMENSION.search(carry, 0, _PREAMBLE_BYTES):
                scan.note_dimension((dimension[1] or dimension[2] or b"").decode("utf-8", "replace"))
        if cut := _cut(carry, patterns):
            _scan_piece(scan, carry[:cut], patterns)
            carry = carry[cut:]
            check_layout(scan, package.filename)
    if patterns is None:
        raise IrregularSheetError
    _scan_piece(scan, carry, patterns)
    check_layout(scan, package.filename)
    return scan


def check_layout(scan: SheetScan, filename: str) -> None:
    """Raises InputError for more merged ranges than anybody has made, or more hidden columns than there are.

    A report merges a few cells of each page.
    """
    if scan.told_columns > _MOST_TOLD_COLUMNS:
        raise refusal.unsafe(filename, f"hides columns more than {_MOST_TOLD_COLUMNS:,} times")
    if len(scan.merges) > _MOST_MERGES:
        raise refusal.unsafe(filename, f"merges more than {_MOST_MERGES:,} ranges of cells")


def _cut(carry: bytes, patterns: _Patterns) -> int:
    """Where what has come in can be cut: behind its last row; much of anything else before its last cell, or tag."""
    end = carry.rfind(patterns.row_end)
    if end >= 0:
        return end + len(patterns.row_end)
    if len(carry) < _MOST_HELD_BYTES:
        return 0
    cell = carry.rfind(patterns.cell)
    return cell if cell > 0 else carry.rfind(b"<")


def _scan_piece(scan: SheetScan, piece: bytes, patterns: _Patterns) -> None:
    """Adds what `piece`, whole rows, holds. Tags are told apart by their first letters, all tags at once."""
    plain = without_codes(piece)
    scan.coded, piece = scan.coded or plain != piece, plain
    text = np.frombuffer(piece + b"\0" * _LONG_WINDOW_BYTES, np.uint8)
    tags = np.flatnonzero(text == ord("<"))
    if not len(tags):
        return
    own = tags + len(patterns.prefix)
    first, second = text[own + 1], text[own + 2]
    bare = not patterns.prefix
    leading = first if bare else text[tags + 1]
    if ((leading < ord("A")) & (leading != ord("/"))).any():
        raise IrregularSheetError
    cells = np.flatnonzero((first == ord("c")) & (second <= ord(">")))
    rows, columns = _scan_cells(scan, text, own[cells] + 3)
    lines = np.flatnonzero(((first == ord("r")) | (first == ord("c"))) & (second == ord("o")))
    starts, ends = tags[lines].tolist(), np.append(tags, len(piece))[lines + 1].tolist()
    _scan_hidden(scan, [piece[a:b] for a, b in zip(starts, ends, strict=True)])
    values = own[(first == ord("v")) & (second == ord(">"))]
    if (text[values + 3] == ord("#")).any():
        for match in patterns.error.finditer(piece):
            scan.errors[place(match[1].decode())] = html.unescape(match[4].decode("utf-8", "replace"))
    if (first == ord("f")).any():
        add_formulas(scan.formulas, Tags(piece, text, tags, own, first, second), cells, rows, columns)
    if (first == ord("i")).any():
        scan.marked = scan.marked or is_marked(piece)
    if (first == ord("m")).any():
        for match in patterns.merge.finditer(piece):
            scan.merge(match[1].decode())
    closings = tags[(leading == ord("/")) & ((second if bare else text[own + 2]) == ord("t"))]
    scan.untidy = scan.untidy or bool(
        (text[closings - 1] <= ord(" ")).any() or np.diff(tags).max(initial=0) > LONGEST_TEXT
    )


def _scan_hidden(scan: SheetScan, tags: list[bytes]) -> None:
    """Adds the rows and columns that `tags` hide, by their flag or by having no size."""
    if not _HIDING.search(b"".join(tags)):
        return
    for tag in filter(_HIDING.search, tags):
        attributes = dict(re.findall(r'\b(r|min|max)="(\d{1,9})"', tag.decode("utf-8", "replace")))
        if "min" in attributes and "max" in attributes:
            scan.hide_columns(attributes["min"], attributes["max"])
        elif "r" in attributes and int(attributes["r"]) <= LAST_ROW:
            scan.hidden_rows.add(int(attributes["r"]))


def _scan_cells(scan: SheetScan, text: Bytes, starts: Places) -> tuple[Ints, Ints]:
    """Adds box, count and styles of the cells whose attributes start at `starts`; returns their rows and columns."""
    if not len(starts):
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    rows, columns, quote = _references(text, starts)
    styles, filled = np.zeros(len(starts), np.int32), np.zeros(len(starts), np.bool_)
    after = starts + quote + 1
    short = _read_styles(text, after, np.arange(len(starts)), styles, filled, _WINDOW_BYTES)
    if len(_read_styles(text, after, short, styles, filled, _LONG_WINDOW_BYTES)):
        raise IrregularSheetError
    scan.put_all(rows[filled], columns[filled])
    kept = np.flatnonzero(filled & (styles > 0))
    scan.styled.append((rows[kept], columns[kept], styles[kept]))
    return rows, columns


def _references(text: Bytes, starts: Places) -> tuple[Ints, Ints, Places]:
    """Rows, columns and the closing quote's offset of cells whose attributes begin with `r="`."""
    head = np.ascontiguousarray(sliding_window_view(text, 15)[starts].T)
    if not ((head[0] == ord("r")) & (head[1] == ord("=")) & (head[2] == ord('"'))).all():
        raise IrregularSheetError
    ref = head[3:]
    quote = (ref == ord('"')).argmax(axis=0)
    letters = (ref[:4] >= ord("A")).argmin(axis=0)
    if ((letters < 1) | (letters > 3) | (quote <= letters) | (quote > 10) | (ref[0] > ord("Z"))).any():
        raise IrregularSheetError
    columns, rows = np.zeros(len(quote), np.int32), np.zeros(len(quote), np.int32)
    for j in range(int(letters.max())):
        columns = np.where(j < letters, columns * 26 + (ref[j].astype(np.int32) - (ord("A") - 1)), columns)
    for j in range(1, int(quote.max())):
        digit = ref[j].astype(np.int32) - ord("0")
        rows = np.where((j >= letters) & (j < quote), rows * 10 + digit, rows)
    if (rows < 1).any() or (rows > LAST_ROW).any() or (columns > LAST_COLUMN + 1).any():
        raise IrregularSheetError
    return rows, columns - 1, quote + 3


def _read_styles(text: Bytes, after: Places, which: Places, styles: Ints, filled: Flags, width: int) -> Places:
    """Reads the attributes from `after` on of the cells `which`: their style number, and whether they have content.

    Returns the cells whose tag is longer than `width` bytes from there, unread.
    """
    if not len(which):
        return which
    window = sliding_window_view(text, width)[after[which]]
    lines, closing = np.arange(len(which)), (window == ord(">")).argmax(axis=1)
    ends = window[lines, closing] == ord(">")
    filled[which] = (closing == 0) | (window[lines, closing - 1] != ord("/"))
    start = np.where((window[:, 1] == ord("s")) & (window[:, 2] == ord("=")), 0, -1)
    later = np.flatnonzero((start < 0) & (closing > _SHORTEST_STYLE))
    rest = window[later]
    marks = (rest[:, :-2] == ord(" ")) & (rest[:, 1:-1] == ord("s")) & (rest[:, 2:] == ord("="))
    found = marks.argmax(axis=1)
    good = marks[np.arange(len(later)), found] & (found < closing[later])
    start[later[good]] = found[good]
    at = np.flatnonzero(start >= 0)
    styles[which[at]] = _digits(text, after[which[at]] + start[at] + 4)
    return which[~ends]


def _digits(text: Bytes, at: Places) -> Ints:
    """The numbers whose digits start at `at`."""
    numbers, going = np.zeros(len(at), np.int32), np.ones(len(at), np.bool_)
    for j in range(6):
        digit = text[at + j].astype(np.int32) - ord("0")
        going &= (digit >= 0) & (digit <= 9)
        if not going.any():
            break
        numbers = np.where(going, numbers * 10 + digit, numbers)
    return numbers
