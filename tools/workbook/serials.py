"""Serial numbers as the days and times that a number format shows."""

from __future__ import annotations

import datetime as dt

from tools.workbook.number_formats import is_elapsed_format, shows_day

_LAST_SERIAL = 2_958_465
_DAYS_1904 = 1_462
_LEAP_DAY_1900 = 60
_DAY_ZERO = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a spreadsheet's dates have no time zone


def from_serial(serial: float, code: str, epoch_1904: bool) -> object:
    """The date, time or span that `serial` is under date format `code`; the number itself where it is none.

    No day is before the first or after 9999, and a day is no part of one: spreadsheets show `#####` for those.
    """
    if is_elapsed_format(code):
        return dt.timedelta(days=serial) if abs(serial) <= _LAST_SERIAL else serial
    if 0 <= serial < 1 and not shows_day(code):
        return (_DAY_ZERO + _span(serial)).time()
    days = serial + _DAYS_1904 if epoch_1904 else serial
    if serial < (0 if epoch_1904 else 1) or days >= _LAST_SERIAL + 1:
        return serial
    # 1900 had no 29 February, which spreadsheets count.
    moment = _DAY_ZERO + _span(days + 1 if days < _LEAP_DAY_1900 else days)
    return moment.date() if moment.time() == dt.time.min else moment


def _span(days: float) -> dt.timedelta:
    """`days` to the millisecond, as spreadsheets keep times."""
    return dt.timedelta(milliseconds=round(days * 86_400_000))
