"""The styles of an ods file as the number formats that other workbooks write."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tools.workbook.grid import PLAIN, CellStyle
from tools.workbook.xml_events import local

_KINDS = frozenset(
    {"number-style", "percentage-style", "currency-style", "date-style", "time-style", "boolean-style", "text-style"}
)
_LETTERS = {"year": "yy", "month": "m", "day": "d", "hours": "h", "minutes": "m", "seconds": "s", "am-pm": "AM/PM"}
_CURRENCY = re.compile(r"[A-Z]{3}")
_SIGN = re.compile(r"[$€£¥₹]")
_SHOWN_SIGN = re.compile(r"(?<![A-Za-z])[A-Z]{0,3}[$€£¥₹₩₪₫₱₺₽฿]|(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])|kr\.?|zł|Kč")
_NO_SIGN = re.compile(r"\[\$(?=[\]-])")
_SECTIONS = ("value()>=0", "value()>0", "value()<0", "value()=0")
"""The conditions of a data style whose formats are the sections of a number format, in their order there."""
_RAISED = re.compile(r"super|[\d.]*[1-9]")
"""A position above the line, by its name or as a share of the letters' height; one below it has a minus."""
_MOST_PLACES = 15
_DEEPEST = 16


def attribute(element: Any, name: str) -> str:
    """The attribute of an element by its name without the namespace; "" where it has none."""
    key = next((key for key in element.keys() if key.rpartition("}")[2] == name), None)  # noqa: SIM118 - an element
    return "" if key is None else element.get(key)


class OdsStyles:
    """Cell styles by name, gathered from the parts of a file; a style of no name or format is the plain one.

    `marks` are the styles of text that is raised or struck out: by name, whether it is either.
    """

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._sections: dict[str, list[str]] = {}
        self._cells: dict[str, tuple[str, str, bool | None]] = {}
        self._hidden_tables: set[str] = set()
        self._numbers: dict[tuple[str, str, str], int] = {}
        self.table: list[CellStyle] = [PLAIN]
        self.marks: dict[str, tuple[bool, bool]] = {}

    def __len__(self) -> int:
        """How many styles there are, of whatever kind."""
        return len(self._codes) + len(self._cells) + len(self.marks)

    def add(self, element: Any) -> None:
        """Takes in a style or a data style, whichever `element` is."""
        name = attribute(element, "name")
        if local(element) in _KINDS:
            self._codes[name] = format_code(element)
            self._sections[name] = _sections(element)
        elif local(element) == "style" and attribute(element, "family") == "table-cell":
            weight = _inner(element, "text-properties", "font-weight")
            bold = None if not weight else weight == "bold" or (weight.isdecimal() and int(weight[:4]) >= 600)
            self._cells[name] = (attribute(element, "data-style-name"), attribute(element, "parent-style-name"), bold)
        elif local(element) == "style" and attribute(element, "family") == "text":
            raised = _RAISED.match(_inner(element, "text-properties", "text-position")) is not None
            lines = {_inner(element, "text-properties", f"text-line-through-{of}") for of in ("style", "type")}
            struck = "none" not in lines and lines != {""}
            if raised or struck:
                self.marks[name] = (raised, struck)

    def number(self, name: str, kind: str, currency: str = "", shown: str = "") -> int:
        """The place in `table` of cell style `name` under a value of `kind` and `currency` that is `shown` so.

        These tell a format where the style sets none; the currency, where its format shows none. A format may say that
        it shows the currency of the program's own country: then only the text that was shown tells which that is.
        """
        currency = currency if _CURRENCY.fullmatch(currency) else ""
        if kind == "currency" and not currency and shown:
            currency = _sign_in(shown)
        key = (name, kind, currency)
        if key not in self._numbers:
            style = self._resolve(name, kind, currency)
            if style not in self.table:
                self.table.append(style)
            self._numbers[key] = self.table.index(style)
        return self._numbers[key]

    def _resolve(self, name: str, kind: str, currency: str) -> CellStyle:
        code, bold = "", None
        for _ in range(_DEEPEST):
            if name not in self._cells:
                break
            data_style, name, own = self._cells[name]
            code = code or self._code(data_style)
            bold = own if bold is None else bold
        if not code and kind == "percentage":
            code = "0%"
        if kind == "currency" and currency and not _SIGN.search(code.replace("[$", "[")):
            code = _NO_SIGN.sub(f"[${currency}", code)
            code = code if "[$" in code else f"[${currency}] {code or '#,##0.00'}"
        return CellStyle(code, bool(bold))

    def _code(self, data_style: str) -> str:
        """The number format of a data style, with a section for each of the conditions that it has formats for."""
        own = self._codes.get(data_style, "")
        sections = [self._codes.get(name, "") for name in self._sections.get(data_style, ())]
        return ";".join(part for part in (*sections, own) if part) or own


@lru_cache(maxsize=1024)
def _sign_in(shown: str) -> str:
    """The currency's sign or code in a text that a cell shows; "" where there is none."""
    found = _SHOWN_SIGN.search(shown)
    return found[0] if found else ""


def _sections(element: Any) -> list[str]:
    """The names of the data styles that `element` has for values of some kinds, as a number format orders them."""
    maps = {attribute(child, "condition").replace(" ", ""): attribute(child, "apply-style-name") for child in element}
    return [maps[condition] for condition in _SECTIONS if condition in maps]


def format_code(element: Any) -> str:
    """The number format that a data style stands for, as `0.0%` or `yyyy-mm-dd`."""
    pieces = [_piece(child) for child in element]
    code = "".join(piece for piece in pieces if piece)
    if local(element) == "percentage-style" and "%" not in code:
        code += "%"
    if local(element) == "time-style" and attribute(element, "truncate-on-overflow") == "false":
        code = code.replace("h", "[h]", 1) if "hh" not in code else code.replace("hh", "[h]", 1)
    return "" if local(element) in ("text-style", "boolean-style") else code


def _piece(child: Any) -> str:
    name, long = local(child), attribute(child, "style") == "long"
    if name in _LETTERS:
        letters = _LETTERS[name]
        if name == "month" and attribute(child, "textual") == "true":
            return "mmmm" if long else "mmm"
        return letters * 2 if long and name != "am-pm" else letters
    if name == "number":
        return _digits(child)
    if name == "scientific-number":
        return "0.00E+00"
    if name == "currency-symbol":
        locale = "-".join(part for name in ("language", "country") if (part := attribute(child, name)))
        return f"[${child.text or ''}{'-' * (locale != '')}{locale}]"
    if name == "text":
        return _literal(child.text or "")
    return ""


def _literal(text: str) -> str:
    """`text` as a number format writes it: quoted, save for what stands for itself there."""
    return text if not text.strip(" -/.,:%()") else '"' + text.replace('"', "") + '"'


def _digits(child: Any) -> str:
    said = attribute(child, "decimal-places") or attribute(child, "min-decimal-places")
    places = min(int(said), _MOST_PLACES) if said.isascii() and said.isdecimal() and len(said) < 4 else 0
    if attribute(child, "grouping") == "true":
        return "#,##0" + ("." + "0" * places if places else "")
    said = attribute(child, "min-integer-digits")
    whole = "0" * max(1, min(int(said), _MOST_PLACES) if said.isascii() and said.isdecimal() and len(said) < 4 else 1)
    for text in child:
        at = attribute(text, "position")
        if at.isascii() and at.isdecimal() and len(at) < 4 and 0 < int(at) < len(whole):
            whole = f"{whole[: -int(at)]}{_literal(text.text or '')}{whole[-int(at) :]}"
    return whole + ("." + "0" * places if places else "")


def _inner(element: Any, name: str, wanted: str) -> str:
    children: Iterable[Any] = element
    return next((attribute(child, wanted) for child in children if local(child) == name), "")
