"""What the parts of an OOXML package say of its sheets, taken in tag by tag, so that no tree is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from openpyxl.styles.numbers import BUILTIN_FORMATS

from tools.workbook.grid import CellStyle

Attributes = Mapping[str, str]
_TRUE = frozenset({"1", "true", "on"})


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


@dataclass(slots=True)
class RelationsReader:
    """The relations of a part: the attributes of each."""

    found: list[Attributes] = field(default_factory=list[Attributes])

    def start(self, tag: str, attributes: Attributes) -> None:
        """Takes in the start of an element."""
        if _local(tag) == "Relationship":
            self.found.append(dict(attributes))

    def end(self, tag: str) -> None:
        """Takes in the end of an element."""

    def close(self) -> None:
        """Takes in the end of the part."""


@dataclass(slots=True)
class BookReader:
    """A workbook part: its root's name, (name, relation, state) of each sheet, whether its dates count from 1904."""

    root: str = ""
    sheets: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    epoch_1904: bool = False

    def start(self, tag: str, attributes: Attributes) -> None:
        """Takes in the start of an element."""
        name = _local(tag)
        self.root = self.root or name
        if name == "sheet":
            key = next((value for key, value in attributes.items() if key.endswith("}id")), "")
            self.sheets.append((attributes.get("name", ""), key, attributes.get("state", "visible")))
        elif name == "workbookPr":
            self.epoch_1904 |= attributes.get("date1904", "").lower() in _TRUE

    def end(self, tag: str) -> None:
        """Takes in the end of an element."""

    def close(self) -> None:
        """Takes in the end of the part."""


class StylesReader:
    """A styles part: number formats by number, whether each font is bold, (number format, font) of each cell format."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._formats: dict[int, str] = {}
        self._bold: list[bool] = []
        self._cells: list[tuple[int, int]] = []

    def start(self, tag: str, attributes: Attributes) -> None:
        """Takes in the start of an element."""
        self._path.append(_local(tag))
        if len(self._path) not in (3, 4):
            return
        group, kind = self._path[1:3]
        if group == "fonts":
            if len(self._path) == 3:
                self._bold.append(False)
            elif self._path[3] == "b":
                self._bold[-1] |= (attributes.get("val") or "1").lower() in _TRUE
        elif len(self._path) == 4:
            return
        elif kind == "numFmt":
            self._formats[_number(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif group == "cellXfs":
            self._cells.append((_number(attributes.get("numFmtId")), _number(attributes.get("fontId"))))

    def end(self, tag: str) -> None:  # noqa: ARG002 - the parser hands it over
        """Takes in the end of an element."""
        self._path.pop()

    def close(self) -> None:
        """Takes in the end of the part."""

    def table(self) -> tuple[CellStyle, ...]:
        """The style of each cell format, in the order that cells refer to."""
        return tuple(self._style(*cell) for cell in self._cells)

    def _style(self, number: int, font: int) -> CellStyle:
        code = self._formats.get(number) or BUILTIN_FORMATS.get(number, "")
        return CellStyle("" if code == "General" else code, font < len(self._bold) and self._bold[font])


def _number(text: str | None) -> int:
    """The number of a format or font; 0, the default, for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
