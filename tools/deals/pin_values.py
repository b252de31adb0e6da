"""A corrected value as a person writes it, read by its field's type and held to what is plausible for the field."""

from __future__ import annotations

import datetime as dt

from schemas.errors import InputError
from tools.deals.dates import AmbiguousDateError, read_date
from tools.deals.dictionary import FieldSpec
from tools.deals.numbers import NotNumber, read_number, whole
from tools.deals.percent import hundredth

_DAYS = (dt.date(1800, 1, 1), dt.date(2200, 1, 1))
_MAY_BE_ZERO = frozenset({"noi", "occupancy"})
"""What an empty building has none of."""
_MAY_BE_NEGATIVE = frozenset({"noi"})
"""Their range is that of the amount, whatever its sign, as it is where files are read."""
_EXAMPLES = {
    "money": "3200000",
    "fraction": "5.5%",
    "number": "12500",
    "count": "54",
    "year": "1985",
    "date": "2025-06-30",
    "text": "",
}


def parse_value(spec: FieldSpec, text: str) -> str | int | float | dt.date | None:
    """`text` as a value of the field, in full units; raises InputError `pin.value` for what is none, or implausible."""
    if not text:
        return None
    if spec.type == "text":
        return text
    if spec.type == "date":
        return _date(spec, text)
    number = read_number(text, False)
    if (
        isinstance(number, NotNumber)
        or (number.percent and spec.type != "fraction")
        or number.unit not in (None, spec.unit)
    ):
        raise _bad(spec, text)
    value = whole(number.value) if spec.type != "fraction" else number.value
    if number.percent:
        value = hundredth(number.value)
    elif spec.type == "fraction" and not spec.plausible(value) and spec.plausible(value / 100):
        raise InputError(
            "pin.value", f"{text} for {spec.name}: write {text}% or {hundredth(value)}, so that it is certain."
        )
    if spec.type in ("count", "year") and not isinstance(value, int):
        raise _bad(spec, text)
    if not _plausible(spec, value):
        raise _implausible(spec, text)
    return value


def _plausible(spec: FieldSpec, value: float) -> bool:
    if value == 0 and spec.name in _MAY_BE_ZERO:
        return True
    return spec.plausible(abs(value) if spec.name in _MAY_BE_NEGATIVE else value)


def _implausible(spec: FieldSpec, text: str) -> InputError:
    """Refused rather than flagged: a slip of the hand would become a headline under the person's name."""
    low, high = _shown(spec, spec.low), _shown(spec, spec.high)
    fits = f"from {low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
    return InputError(
        "pin.value",
        f"{text} is not plausible for {spec.name}, which is {fits}; "
        f"write it in full, such as {_EXAMPLES[spec.type]}, or nothing after the = if there is none.",
    )


def _shown(spec: FieldSpec, bound: float | None) -> str:
    if bound is None:
        return ""
    return f"{bound * 100:g}%" if spec.type == "fraction" else f"{bound:g}" if spec.type == "year" else f"{bound:,}"


def _date(spec: FieldSpec, text: str) -> dt.date:
    try:
        day = read_date(text, None)
    except AmbiguousDateError:
        day = None
    if day is None:
        raise _bad(spec, text)
    if not _DAYS[0] <= day <= _DAYS[1]:
        raise InputError("pin.value", f"{text} is not plausible for {spec.name}; write a day from 1800 to 2200.")
    return day


def _bad(spec: FieldSpec, text: str) -> InputError:
    return InputError(
        "pin.value", f"{text!r} is no value for {spec.name}; write it in full, such as {_EXAMPLES[spec.type]}."
    )
