"""Values of date fields: days; which of day and month comes first is settled once for the whole column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from tools.deals.dates import AmbiguousDateError, day_first_in, is_partial, read_date, serial_date
from tools.deals.findings import Finding
from tools.deals.numbers import is_placeholder
from tools.workbook.grid import CellError

_EARLIEST, _LATEST = dt.date(1800, 1, 1), dt.date(2200, 1, 1)
Reading = tuple[dt.date | None, str | None]


def date_values(
    raws: Sequence[object], table_day_first: bool | None, epoch_1904: bool
) -> tuple[list[dt.date | None], list[Finding]]:
    """The day of each raw value, None where it names none; `table_day_first` is what the table's other columns say."""
    texts = dict.fromkeys(raw for raw in raws if isinstance(raw, str))
    said = day_first_in(texts)
    reader = _Reader(table_day_first if said is None else said, _contradicts(texts), epoch_1904)
    seen: dict[tuple[type, object], Reading] = {}
    values: list[dt.date | None] = []
    findings: list[Finding] = []
    for record, raw in enumerate(raws):
        if raw is None:
            values.append(None)
            continue
        key = (type(raw), raw)
        if key not in seen:
            seen[key] = reader.read(raw)
        value, code = seen[key]
        values.append(value)
        if code:
            findings.append(Finding(code, record, raw.code if isinstance(raw, CellError) else raw))
    return values, findings


def _contradicts(texts: Sequence[str] | dict[str, None]) -> bool:
    """Whether some values can only be day first and others only month first."""
    votes = {vote for text in texts if (vote := day_first_in((text,))) is not None}
    return len(votes) == 2


class _Reader:
    def __init__(self, day_first: bool | None, contradicts: bool, epoch_1904: bool) -> None:
        self.day_first, self.contradicts, self.epoch_1904 = day_first, contradicts, epoch_1904

    def read(self, raw: object) -> Reading:
        """The day in a cell, and the code of what is to be said about it."""
        if isinstance(raw, CellError):
            return None, "value.error"
        if isinstance(raw, dt.date):
            day = raw.date() if isinstance(raw, dt.datetime) else raw
            return (day, None) if _EARLIEST <= day <= _LATEST else (None, "date.implausible")
        if isinstance(raw, (int, float)) and not isinstance(raw, bool):
            return self._number(raw)
        if isinstance(raw, str):
            return self._text(raw.strip())
        return None, "value.unparsed"

    def _number(self, number: float) -> Reading:
        if number == 0:
            return None, "value.zero"
        day = serial_date(number, self.epoch_1904)
        if day is not None:
            return day, "date.serial"
        return None, "date.partial" if 1800 <= number <= 2200 and number == int(number) else "value.unparsed"

    def _text(self, text: str) -> Reading:
        if not text or is_placeholder(text):
            return None, "value.placeholder" if text else None
        try:
            day = read_date(text, None if self.contradicts else self.day_first)
        except AmbiguousDateError:
            if self.contradicts:
                return None, "date.mixed"
            day = read_date(text, False)
            return (day, "date.ambiguous") if day else (None, "value.unparsed")
        if day is not None:
            return (day, None) if _EARLIEST <= day <= _LATEST else (None, "date.implausible")
        return self._other(text)

    def _other(self, text: str) -> Reading:
        plain = text.replace(".0", "") if text.endswith(".0") else text
        if plain.isdigit():
            return self._number(float(plain))
        return None, "date.partial" if is_partial(text) else "value.unparsed"
