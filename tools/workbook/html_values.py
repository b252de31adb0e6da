"""The value of a cell of a web page: its text, or what a spreadsheet program wrote into its attributes."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping

from tools.workbook.grid import LONGEST_TEXT, CellError
from tools.workbook.named_formats import code_of
from tools.workbook.number_formats import is_date_format
from tools.workbook.serials import from_serial

_LINE_BREAK = "\v"
"""Stands for `<br>` in gathered text; as a letter of its own it would be a blank anyway."""
_DATE = re.compile(r"([0-9]{1,4})[/.-]([0-9]{1,2})[/.-]([0-9]{2,4})")
_ORDER = re.compile(r"(d{1,2}|m{1,2}|y{2,4})[/.-](d{1,2}|m{1,2})[/.-](d{1,2}|y{2,4})")
_ASIDE = re.compile(r"\[[^\]]{0,40}\]|[\\\"]|;.*")
_FIRST_OF_1900S = 30
"""The year of two digits from which on spreadsheet programs take it for one of the last century."""
_DIGITS = re.compile(r"\d{1,4}")
_MOST_PARTS = 8
_MOST_CHARS = 4 * LONGEST_TEXT


class CellText:
    """The text of a cell or line as it comes, cut where no cell holds more; `bold` where all of it is."""

    __slots__ = ("_pieces", "_plain", "chars")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._plain = False
        self.chars = 0

    def add(self, text: str, *, bold: bool) -> None:
        """Adds a piece."""
        if self.chars < _MOST_CHARS:
            self._pieces.append(text)
            self.chars += len(text)
            self._plain |= not bold and not text.isspace()

    def break_line(self) -> None:
        """Adds the end of a line."""
        if self.chars:
            self.add(_LINE_BREAK, bold=True)

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but blanks."""
        return not self.chars or all(piece.isspace() for piece in self._pieces)

    @property
    def takes_note(self) -> bool:
        """Whether what is raised now can mark a note: there is no text so far, or it ends as numbers do."""
        last = self._pieces[-1].rstrip()[-1:] if self._pieces else ""
        return last.isdigit() or last in ("%", ")", "")

    @property
    def bold(self) -> bool:
        """Whether there is text and all of it is bold."""
        return not self._plain and not self.is_blank

    @property
    def value(self) -> str | None:
        """The text, blanks folded as a browser folds them; None for nothing but blanks."""
        if len(self._pieces) < 2:
            return " ".join(self._pieces[0].split())[:LONGEST_TEXT] or None if self._pieces else None
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split(_LINE_BREAK))
        return "\n".join(filter(None, lines))[:LONGEST_TEXT] or None


def one_line(value: object) -> str | None:
    """A value as a line of text."""
    return None if value is None else " ".join(str(value).split())


def cell_value(
    text: str | None, attributes: Mapping[str, str], number_format: str | None, epoch_1904: bool
) -> tuple[object, str]:
    """A cell's value and number format.

    Excel writes the number behind a shown text as `x:num`, LibreOffice as `sdval`; it counts where the format that it
    is shown in is known too, or where the text is the plain number. Else the text counts, as in any text file.
    """
    if attributes.get("x:err"):
        return CellError(attributes["x:err"]), ""
    if attributes.get("x:bool", "").lower() in ("true", "false"):
        return attributes["x:bool"].lower() == "true", ""
    stored, code = attributes.get("x:num"), number_format
    if stored is None and "sdval" in attributes:
        stored = attributes["sdval"]
        shown_as = attributes.get("sdnum", "").split(";", 2)
        code = code_of(shown_as[2]) if len(shown_as) == 3 else code
    number = _number(stored)
    if number is None or text is None:
        return (_written_date(text, code) if text and code else None) or text, code or ""
    if code and code != "@":
        return (_shown_day(number, code, epoch_1904, text) if is_date_format(code) else number), code
    return (number, "") if _number(text.replace(",", "")) is not None else (text, "")


def _shown_day(number: float, code: str, epoch_1904: bool, text: str) -> object:
    """The date of a serial number, counted from the other epoch where only that gives the day that `text` shows.

    LibreOffice writes the serials of books that count from 1904 and says of none that they do.
    """
    day, other = (from_serial(number, code, epoch) for epoch in (epoch_1904, not epoch_1904))
    return other if _shows(other, text) and not _shows(day, text) else day


def _shows(day: object, text: str) -> bool:
    """Whether `text` names the year of a date, and its day where it names more than months and years."""
    if not isinstance(day, dt.date):
        return False
    numbers = [int(part) for part in _DIGITS.findall(text)[:_MOST_PARTS]]
    years = [at for at, number in enumerate(numbers) if number in (day.year, day.year % 100)]
    return any(day.day in numbers[:at] + numbers[at + 1 :] or len(numbers) == 1 for at in years)


def _written_date(text: str, code: str) -> dt.date | None:
    """The date that `text` shows under the format `code`, which says whether the day or the month comes first."""
    shown, order = _DATE.fullmatch(text), _ORDER.fullmatch(_ASIDE.sub("", code.lower()))
    if shown is None or order is None:
        return None
    parts = dict(zip((piece[0] for piece in order.groups()), map(int, shown.groups()), strict=True))
    if len(parts) < 3 or (parts["y"] > 99 and parts["y"] < 1000):
        return None
    year = parts["y"] + (0 if parts["y"] > 99 else 2000 if parts["y"] < _FIRST_OF_1900S else 1900)
    try:
        return dt.date(year, parts["m"], parts["d"])
    except ValueError:
        return None


def _number(text: str | None) -> float | None:
    """The number that `text` is as programs write it; None for all else."""
    if not text or len(text) > 40 or not text.isascii():
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None
