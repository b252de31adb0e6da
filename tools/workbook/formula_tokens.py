"""Formulas as text, out of the tokens in which xls and xlsb files keep them ([MS-XLS] 2.5.198, [MS-XLSB] 2.5.97)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from struct import Struct
from struct import error as StructError  # noqa: N812 - the library's own name says nothing

from schemas.workbook import column_letters
from tools.workbook.error_codes import ERROR_OF_CODE

_WORD, _FLOAT = Struct("<H"), Struct("<d")
_BINARY = dict(enumerate(("+", "-", "*", "/", "^", "&", "<", "<=", "=", ">=", ">", "<>"), 0x03))
_UNARY = {0x12: ("+", ""), 0x13: ("-", ""), 0x14: ("", "%"), 0x15: ("(", ")")}
_FIXED_ROW, _FIXED_COLUMN = 0x8000, 0x4000
_SPACE, _CHOOSE, _SUM = 0x40, 0x04, 0x10
_FUNCTIONS: dict[int, tuple[str, int]] = {
    0: ("COUNT", -1),
    1: ("IF", -1),
    2: ("ISNA", 1),
    3: ("ISERROR", 1),
    4: ("SUM", -1),
    5: ("AVERAGE", -1),
    6: ("MIN", -1),
    7: ("MAX", -1),
    24: ("ABS", 1),
    25: ("INT", 1),
    27: ("ROUND", 2),
    29: ("INDEX", -1),
    34: ("TRUE", 0),
    35: ("FALSE", 0),
    36: ("AND", -1),
    37: ("OR", -1),
    38: ("NOT", 1),
    39: ("MOD", 2),
    59: ("PMT", -1),
    64: ("MATCH", -1),
    74: ("NOW", 0),
    101: ("HLOOKUP", -1),
    102: ("VLOOKUP", -1),
    128: ("ISNUMBER", 1),
    129: ("ISBLANK", 1),
    169: ("COUNTA", -1),
    183: ("PRODUCT", -1),
    212: ("ROUNDUP", 2),
    213: ("ROUNDDOWN", 2),
    221: ("TODAY", 0),
    227: ("MEDIAN", -1),
    228: ("SUMPRODUCT", -1),
    336: ("CONCATENATE", -1),
    344: ("SUBTOTAL", -1),
    345: ("SUMIF", -1),
    346: ("COUNTIF", 2),
    359: ("HYPERLINK", -1),
    480: ("IFERROR", 2),
    481: ("COUNTIFS", -1),
    482: ("SUMIFS", -1),
    483: ("AVERAGEIF", -1),
    484: ("AVERAGEIFS", -1),
}
"""Names of functions by their numbers, with how many arguments they have: -1 where the token says so."""
_LONGEST = 8_192


class UnknownTokenError(Exception):
    """The formula holds a token that is not known here."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a format writes references to cells and areas, the last row and column, and whether text is wide.

    `shared` is where the first token of a formula that is another's says whose it is: the row and the column.
    """

    cell: Struct
    area: Struct
    shared: Struct
    last_row: int
    last_column: int
    is_wide: bool


XLS = Form(Struct("<HH"), Struct("<HHHH"), Struct("<HH"), 0xFFFF, 0xFF, is_wide=False)
XLSB = Form(Struct("<IH"), Struct("<IIHH"), Struct("<I4xI"), 0xFFFFF, 0x3FFF, is_wide=True)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a formula stands, row and column from 0, the sheet that each number of a reference means, the format."""

    row: int
    column: int
    sheets: Sequence[str | None] = ()
    form: Form = XLS


def text_of(tokens: bytes, origin: Origin) -> str:
    """The formula that `tokens` are, as it would be typed, with no equals sign; "" where it is not known how."""
    try:
        return _Reader(tokens, origin).whole()
    except (UnknownTokenError, StructError, IndexError):
        return ""


class _Reader:
    """Reads tokens, which stand in the order of their working out, into pieces of text."""

    def __init__(self, tokens: bytes, origin: Origin) -> None:
        self._tokens, self._origin, self._at = tokens, origin, 0
        self._pieces: list[str] = []

    def whole(self) -> str:
        while self._at < len(self._tokens):
            kind = self._tokens[self._at]
            self._at += 1
            self._take(kind if kind < 0x20 else 0x20 | kind & 0x1F)
            if len(self._pieces[-1]) > _LONGEST:
                raise UnknownTokenError
        if len(self._pieces) != 1:
            raise UnknownTokenError
        return self._pieces[0]

    def _take(self, kind: int) -> None:
        if kind in _BINARY:
            right, left = self._pieces.pop(), self._pieces.pop()
            self._pieces.append(f"{left}{_BINARY[kind]}{right}")
        elif kind in _UNARY:
            before, after = _UNARY[kind]
            self._pieces.append(f"{before}{self._pieces.pop()}{after}")
        elif kind == 0x19:
            self._take_attribute()
        elif kind in _OPERANDS:
            self._pieces.append(_OPERANDS[kind](self))
        elif kind == 0x21:
            self._take_function(self._next(_WORD)[0], -1)
        elif kind == 0x22:
            count = self._tokens[self._at] & 0x7F
            self._at += 1
            self._take_function(self._next(_WORD)[0] & 0x7FFF, count)
        else:
            raise UnknownTokenError

    def _next(self, form: Struct) -> tuple[int, ...]:
        found = form.unpack_from(self._tokens, self._at)
        self._at += form.size
        return found

    def _take_attribute(self) -> None:
        """What a token says of its neighbours: nothing that a text shows but for a sum of one argument."""
        kind = self._tokens[self._at]
        self._at += 1
        (count,) = self._next(_WORD)
        if kind & _CHOOSE and not kind & _SPACE:
            self._at += 2 * (count + 1)
        if kind & _SUM and not kind & _SPACE:
            self._pieces.append(f"SUM({self._pieces.pop()})")

    def _take_function(self, number: int, count: int) -> None:
        name, usual = _FUNCTIONS.get(number, ("", -1))
        count = usual if count < 0 else count
        if not name or not 0 <= count <= len(self._pieces):
            raise UnknownTokenError
        arguments = self._pieces[len(self._pieces) - count :]
        del self._pieces[len(self._pieces) - count :]
        self._pieces.append(name if name in ("TRUE", "FALSE") else f"{name}({','.join(arguments)})")

    def string(self) -> str:
        size, wide = self._tokens[self._at], self._tokens[self._at + 1] & 1
        if self._origin.form.is_wide:
            size, wide = int.from_bytes(self._tokens[self._at : self._at + 2], "little"), 1
        start = self._at + 2
        self._at = start + size * (1 + wide)
        if self._at > len(self._tokens):
            raise UnknownTokenError
        text = self._tokens[start : self._at].decode("utf-16-le" if wide else "latin-1", "replace")
        return '"' + text.replace('"', '""') + '"'

    def byte(self) -> int:
        self._at += 1
        return self._tokens[self._at - 1]

    def number(self) -> str:
        (value,) = _FLOAT.unpack_from(self._tokens, self._at)
        self._at += _FLOAT.size
        return repr(value)

    def word(self) -> str:
        return str(self._next(_WORD)[0])

    def cell(self, *, is_offset: bool = False) -> str:
        row, column = self._next(self._origin.form.cell)
        return self._corner(row, column, is_offset)

    def area(self, *, is_offset: bool = False) -> str:
        top, bottom, left, right = self._next(self._origin.form.area)
        return f"{self._corner(top, left, is_offset)}:{self._corner(bottom, right, is_offset)}"

    def on_sheet(self, reference: Callable[[], str]) -> str:
        (number,) = self._next(_WORD)
        name = self._origin.sheets[number]
        if name is None:
            raise UnknownTokenError
        quoted = name.replace("'", "''")
        return f"'{quoted}'!{reference()}"

    def _corner(self, row: int, flagged: int, is_offset: bool) -> str:
        """A cell as it is typed; offsets count from the formula's own cell, round the end of the sheet."""
        form, fixed_row, fixed_column = self._origin.form, not flagged & _FIXED_ROW, not flagged & _FIXED_COLUMN
        column = flagged & form.last_column
        if is_offset:
            row = row if fixed_row else (row + self._origin.row) & form.last_row
            column = column if fixed_column else (column + self._origin.column) & form.last_column
        return f"{'$' * fixed_column}{column_letters(column)}{'$' * fixed_row}{row + 1}"


_OPERANDS: dict[int, Callable[[_Reader], str]] = {
    0x16: lambda _: "",
    0x17: _Reader.string,
    0x1C: lambda reader: ERROR_OF_CODE.get(reader.byte(), "#VALUE!"),
    0x1D: lambda reader: "TRUE" if reader.byte() else "FALSE",
    0x1E: _Reader.word,
    0x1F: _Reader.number,
    0x24: _Reader.cell,
    0x25: _Reader.area,
    0x2C: lambda reader: reader.cell(is_offset=True),
    0x2D: lambda reader: reader.area(is_offset=True),
    0x3A: lambda reader: reader.on_sheet(reader.cell),
    0x3B: lambda reader: reader.on_sheet(reader.area),
}
