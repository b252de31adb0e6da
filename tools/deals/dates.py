"""Dates written as text or as serial numbers; a whole column settles whether the day or the month comes first."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from tools.workbook.words import as_seen

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner janvier enero ene",
            "feb february februar février fev febrero febr",
            "mar march märz maerz mars marzo mär mrz",
            "apr april avril abril abr avr",
            "may mai mayo",
            "jun june juni juin junio",
            "jul july juli juillet julio juil",
            "aug august août aout agosto ago",
            "sep sept september septembre septiembre",
            "oct october oktober octobre octubre okt",
            "nov november novembre noviembre",
            "dec december dezember décembre diciembre dez dic déc",
        ),
        1,
    )
    for name in names.split()
}
_TIME = re.compile(r"[T ]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]M)?(?:Z|\s*[+-]\d{2}:?\d{2})?$", re.IGNORECASE)
_WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_COMPACT = re.compile(r"(19|20)(\d{2})(\d{2})(\d{2})")
_NUMERIC = re.compile(r"(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4}|\d{2})")
_DOTTED = re.compile(r"\d{1,2}\.\s*\d{1,2}\.\s*(?:\d{4}|\d{2})")
_NAMED_DAY_FIRST = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|er|\.)?[-\s/.]*(?:of |de |d[’'])?([^\W\d_]+)\.?,?[-\s/.]*(?:de |del )?(\d{4}|\d{2})"
)
_NAMED_MONTH_FIRST = re.compile(r"([^\W\d_]+)\.?[-\s/.]*(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|[-\s/.]+)(\d{4}|\d{2})")
_PARTIALS = (
    r"(?:Q[1-4]|[1-4]Q|H[12]|[12]H)\s*['’/-]?\s*(?:\d{4}|\d{2})?",
    r"(?:19|20)\d{2}",
    r"\d{1,2}[-/.](?:19|20)\d{2}|(?:19|20)\d{2}[-/](?:0?[1-9]|1[0-2])",
    r"[^\W\d_]{3,9}\.?[-\s/'’]*(?:\d{4}|\d{2})",
    r"(?:early|mid|late|spring|summer|fall|autumn|winter|end of)[\s-]+(?:of\s+)?.{1,12}",
)
_PARTIAL = re.compile("|".join(_PARTIALS), re.IGNORECASE)
_EPOCH = dt.date(1899, 12, 30)
_EPOCH_1904_DAYS = 1462
_SERIALS = range(18_264, 109_575)
_CENTURY_PIVOT = 69
_SHORT = 2
#: Serial numbers that are years where a date's format was put on them: all days in 1905.
_TYPED_YEARS = range(1900, 2101)
_SEEMS_OLD = dt.date(1950, 1, 1)


class AmbiguousDateError(Exception):
    """Day and month can be told either way, and nothing says which."""


def read_date(text: str, day_first: bool | None) -> dt.date | None:
    """The day that `text` names, None for none; raises AmbiguousDateError for 3/4/2024 where `day_first` is None."""
    plain = _TIME.sub("", _WEEKDAY.sub("", " ".join(as_seen(text).split())))
    if match := _ISO.fullmatch(plain):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    if match := _COMPACT.fullmatch(plain):
        return _day(int(match[1] + match[2]), int(match[3]), int(match[4]))
    if match := _NUMERIC.fullmatch(plain):
        return _numeric(int(match[1]), int(match[2]), _year(match[3]), day_first)
    if match := _NAMED_MONTH_FIRST.fullmatch(plain):
        return _named(match[1], match[2], match[3])
    if match := _NAMED_DAY_FIRST.fullmatch(plain):
        return _named(match[2], match[1], match[3])
    return None


def _numeric(first: int, second: int, year: int, day_first: bool | None) -> dt.date | None:
    if first > 12 or second > 12 or first == second:
        return _day(year, second, first) if first > 12 else _day(year, first, second)
    if day_first is None:
        raise AmbiguousDateError
    return _day(year, second, first) if day_first else _day(year, first, second)


def _named(month: str, day: str, year: str) -> dt.date | None:
    number = _MONTHS.get(month.casefold())
    return None if number is None else _day(_year(year), number, int(day))


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else int(text) + (2000 if int(text) < _CENTURY_PIVOT else 1900)


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def is_numeric(text: str) -> bool:
    """Whether `text` is a date of numbers alone whose year comes last."""
    return bool(_NUMERIC.fullmatch(_TIME.sub("", " ".join(as_seen(text).split()))))


def is_year_first(text: str) -> bool:
    """Whether `text` is a date of numbers that begins with a year of four digits."""
    return bool(_ISO.fullmatch(_TIME.sub("", " ".join(as_seen(text).split()))))


def is_short(text: str) -> bool:
    """Whether `text` is a date of three numbers of which none is a year of four digits."""
    match = _NUMERIC.fullmatch(_TIME.sub("", " ".join(as_seen(text).split())))
    return match is not None and len(match[3]) <= _SHORT


def is_dotted(text: str) -> bool:
    """Whether `text` is a date of numbers parted by dots, which the countries that write so begin with the day."""
    return bool(_DOTTED.fullmatch(_TIME.sub("", " ".join(text.split()))))


def is_partial(text: str) -> bool:
    """Whether `text` names a quarter, a month or a year but no day."""
    return bool(_PARTIAL.fullmatch(" ".join(text.split())))


def day_first_in(texts: Iterable[str]) -> bool | None:
    """Whether the numeric dates of one column put the day first; None where none of them tells or they contradict."""
    day = month = 0
    for text in texts:
        match = _NUMERIC.fullmatch(_TIME.sub("", " ".join(as_seen(text).split())))
        if match:
            first, second, year = int(match[1]), int(match[2]), _year(match[3])
            day += first > 12 >= second and _day(year, second, first) is not None
            month += second > 12 >= first and _day(year, first, second) is not None
    return None if bool(day) == bool(month) else bool(day)


def typed_years(values: Iterable[object], epoch_1904: bool, alone: bool) -> dict[dt.date, int]:
    """The years of days that are years typed into cells with the format of a date, by those days.

    So it is where all of a column's days are of 1905 (of 1909 in the other epoch) or, where they need not stand
    `alone`, of 1950 and later.
    """
    days = {value for value in values if isinstance(value, dt.date)}
    serials = {day: (_date_of(day) - _EPOCH).days - (_EPOCH_1904_DAYS if epoch_1904 else 0) for day in days}
    years = {day: serial for day, serial in serials.items() if serial in _TYPED_YEARS}
    return years if all(not alone and _date_of(day) >= _SEEMS_OLD for day in days - years.keys()) else {}


def _date_of(day: dt.date) -> dt.date:
    return day.date() if isinstance(day, dt.datetime) else day


def serial_date(number: float, epoch_1904: bool) -> dt.date | None:
    """The day of an Excel serial number, or of a number written YYYYMMDD; None outside the years 1950 to 2199."""
    if not abs(number) <= 1e8:
        return None
    whole = int(number)
    if match := _COMPACT.fullmatch(str(whole)):
        return _day(int(match[1] + match[2]), int(match[3]), int(match[4]))
    days = whole + (_EPOCH_1904_DAYS if epoch_1904 else 0)
    return _EPOCH + dt.timedelta(days=days) if days in _SERIALS else None
