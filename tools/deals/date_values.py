"""Values of date fields: days; which of day and month comes first is settled once for the whole column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import cast

from tools.deals.dates import (
    AmbiguousDateError,
    day_first_in,
    is_dotted,
    is_numeric,
    is_partial,
    is_short,
    is_year_first,
    read_date,
    serial_date,
    typed_years,
)
from tools.deals.findings import Finding
from tools.deals.numbers import is_placeholder
from tools.workbook.grid import CellError
from tools.workbook.words import as_seen

_FEWEST_SWAPPED, _MONTHS_A_YEAR = 2, 12
_DAYS_ALONE = frozenset({dt.date, type(None)})
_EARLIEST, _LATEST = dt.date(1800, 1, 1), dt.date(2200, 1, 1)
Reading = tuple[dt.date | None, str | None]


def date_values(
    raws: Sequence[object], kinds: frozenset[type], table_day_first: bool | None, epoch_1904: bool, likely: bool = False
) -> tuple[list[dt.date | None], list[Finding]]:
    """The day of each raw value, None where it names none; `table_day_first` is what the table's other columns say.

    `kinds` are the types of the values. Where none tells, `likely` says whether the day comes first by the table's way
    with numbers: it writes 1.234,5.
    """
    held = {*raws} if any(issubclass(kind, dt.date) for kind in kinds) else set[object]()
    years = typed_years(held, epoch_1904, alone=False)
    if kinds <= _DAYS_ALONE and not years:
        days = cast("list[dt.date | None]", list(raws))
        if all(_EARLIEST <= day <= _LATEST for day in held if isinstance(day, dt.date)):
            return days, []
    texts = dict.fromkeys(raw for raw in raws if isinstance(raw, str))
    said = day_first_in(texts)
    dotted = day_first_in(text for text in texts if is_dotted(as_seen(text).strip()))
    reader = _Reader(table_day_first if said is None else said, dotted, _contradicts(texts), epoch_1904, likely)
    # Among dates that begin with the year, 24/03/04 may begin with it too.
    doubtful = {text for text in texts if is_short(text)} if any(map(is_year_first, texts)) else set[str]()
    seen: dict[tuple[type, object], Reading] = {}
    values: list[dt.date | None] = []
    findings: list[Finding] = []
    for record, raw in enumerate(raws):
        if raw is None:
            values.append(None)
            continue
        if isinstance(raw, dt.date) and raw in years:
            values.append(None)
            findings.append(Finding("date.partial", record, years[raw]))
            continue
        key = (type(raw), raw)
        if key not in seen:
            seen[key] = (None, "value.unparsed") if raw in doubtful else reader.read(raw)
        value, code = seen[key]
        values.append(value)
        if code:
            findings.append(Finding(code, record, raw.code if isinstance(raw, CellError) else raw))
    return values, findings + [Finding("date.swapped", record, raws[record]) for record in _swapped(raws, texts)]


def _swapped(raws: Sequence[object], texts: Iterable[str]) -> list[int]:
    """Real dates among texts that a program could not turn into dates: day and month of the former may be swapped.

    So it is where a program that puts the month first read a column with the day first: 03/04/2025 became a date, the
    fourth of March, while 13/04/2025 stayed text. No real date then has a day above 12, and all texts have one.
    """
    dated = [record for record, raw in enumerate(raws) if isinstance(raw, dt.date)]
    told = [text for text in texts if is_numeric(text)]
    if len(dated) < _FEWEST_SWAPPED or len(told) < _FEWEST_SWAPPED or any(day_first_in((t,)) is None for t in told):
        return []
    days = [raw.day for raw in raws if isinstance(raw, dt.date)]
    return dated if max(days) <= _MONTHS_A_YEAR and len(set(days)) > 1 else []


def _contradicts(texts: Sequence[str] | dict[str, None]) -> bool:
    """Whether some values can only be day first and others only month first."""
    votes = {vote for text in texts if (vote := day_first_in((text,))) is not None}
    return len(votes) == 2


class _Reader:
    def __init__(
        self, day_first: bool | None, dotted: bool | None, contradicts: bool, epoch_1904: bool, likely: bool
    ) -> None:
        self.day_first, self.dotted, self.contradicts = day_first, dotted, contradicts
        self.epoch_1904, self.likely = epoch_1904, likely

    def _day_first(self, text: str) -> bool | None:
        """Whether the day comes first; slashes with the month first say nothing of dots, which begin with the day."""
        if self.day_first is False and is_dotted(text):
            return self.dotted
        return self.day_first

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
            return self._text(as_seen(raw).strip())
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
            day = read_date(text, None if self.contradicts else self._day_first(text))
        except AmbiguousDateError:
            if self.contradicts:
                return None, "date.mixed"
            day_first = self.likely or is_dotted(text)
            day = read_date(text, day_first)
            code = "date.day_first" if day_first else "date.ambiguous"
            return (day, code) if day else (None, "value.unparsed")
        if day is not None:
            return (day, None) if _EARLIEST <= day <= _LATEST else (None, "date.implausible")
        return self._other(text)

    def _other(self, text: str) -> Reading:
        plain = text.replace(".0", "") if text.endswith(".0") else text
        if plain.isdecimal():
            return self._number(float(plain))
        return None, "date.partial" if is_partial(text) else "value.unparsed"
