"""Values as issues say them to people: a cap rate is 6.5%, an amount 3,200,000, what a cell holds as it shows it."""

from __future__ import annotations

import datetime as dt
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from schemas.deal import FieldType
from tools.deals.dictionary import dictionary
from tools.workbook.grid import CellError

_SMALL = Decimal("0.01")
_LARGE, _TINY = Decimal(10) ** 15, Decimal("1e-6")
_LONGEST = 40
_MINUTE_S = 60


def said(value: object, field: str | None) -> str:
    """`value` of canonical field `field`: fractions in per cent, numbers in groups, all half-up to two places.

    What is smaller than these would show keeps four digits; years, days and texts stand as they are.
    """
    spec = dictionary().fields.get(field or "")
    kind: FieldType = spec.type if spec else "text"
    if kind not in ("money", "fraction", "number", "count"):
        return str(value)
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if not exact.is_finite():
        return str(value)
    return f"{_grouped(exact * 100)}%" if kind == "fraction" else _grouped(exact)


def _grouped(value: Decimal) -> str:
    if abs(value) >= _LARGE:
        return _short(value)
    if 0 < abs(value) < _SMALL:
        return f"{value:.4g}"
    text = f"{value.quantize(_SMALL, ROUND_HALF_UP):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def as_held(value: object) -> str:
    """What a cell holds, in a sentence: texts quoted on one line and cut, all else as `plain`."""
    if not isinstance(value, str):
        return plain(value)
    text = plain(value)
    mark = '"' if "'" in text else "'"
    return f"{mark}{text}{mark}"


def plain(value: object) -> str:
    """`value` as people write it, at most 40 characters of a text.

    Numbers of more than 15 digits in short (1.0e308), days as ISO, times as 00:00, durations in hours (30:00), yes and
    no as spreadsheets show them.
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float, Decimal)):
        return _number(value)
    if isinstance(value, dt.datetime):
        day = value.date().isoformat()
        return day if value.time() == dt.time() else f"{day} {plain(value.time())}"
    if isinstance(value, dt.time):
        return value.isoformat("seconds" if value.second else "minutes")
    if isinstance(value, dt.timedelta):
        return _duration(value)
    if isinstance(value, CellError):
        return value.code
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(str(value).split()))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _number(value: float | Decimal) -> str:
    exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        return str(value)
    if exact and not _TINY <= abs(exact) < _LARGE:
        return _short(exact)
    text = f"{Decimal(f'{value:.15g}'):f}" if isinstance(value, float) else f"{exact:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _short(value: Decimal) -> str:
    return f"{value:.1e}".replace("e+", "e")


def _duration(value: dt.timedelta) -> str:
    sign = "-" if value < dt.timedelta() else ""
    minutes, seconds = divmod(round(abs(value).total_seconds()), _MINUTE_S)
    hours, minutes = divmod(minutes, _MINUTE_S)
    return f"{sign}{hours}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
