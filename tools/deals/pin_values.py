"""A corrected value as a person writes it, read by its field's type and held to what is plausible for the field."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from schemas.errors import InputError
from tools.deals.dates import AmbiguousDateError, day_first_in, read_date
from tools.deals.dictionary import FieldSpec
from tools.deals.numbers import NotNumber, NumberText, decimal_comma_in, read_number, whole
from tools.deals.percent import hundredth

Value = str | int | float | dt.date | None

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


@dataclass(frozen=True, slots=True)
class Written:
    """A value in full units, and the currency that its text shows: a code, or a sign that several currencies share."""

    value: Value
    currency: str | None = None


def read_written(spec: FieldSpec, text: str, beside: Sequence[str] = ()) -> Written:
    """What `text` means as a value of the field, by the rules for cells whose column has the texts `beside`.

    Raises InputError `pin.value` for what is no value of the field, or is implausible, or can be read in two ways.
    """
    if not text or spec.type == "text":
        return Written(text or None)
    if spec.type == "date":
        return Written(_date(spec, text, day_first_in(beside)))
    number = read_number(text, decimal_comma_in(beside))
    if isinstance(number, NotNumber) or not _fits_type(spec, number):
        raise _bad(spec, text)
    number = _settled(spec, text, number)
    return Written(_number(spec, text, number), number.currency)


def read_kept(spec: FieldSpec, text: str) -> Value:
    """The value that `text` keeps in the one form of pins: full units, a dot for decimals, ISO days."""
    if not text or spec.type == "text":
        return text or None
    if spec.type == "date":
        return _date(spec, text, None)
    try:
        number = float(text)
    except ValueError:
        raise _bad(spec, text) from None
    return number if spec.type == "fraction" else whole(number)


def _fits_type(spec: FieldSpec, number: NumberText) -> bool:
    if number.percent and spec.type != "fraction":
        return False
    return number.unit in (None, spec.unit) and (number.currency is None or spec.type == "money")


def _settled(spec: FieldSpec, text: str, number: NumberText) -> NumberText:
    """Of two readings of separators the one that is plausible, or the common way of writing thousands, as in cells."""
    if number.other is None:
        return number
    factor = 0.01 if number.percent else 1
    likely = [value for value in (number.value, number.other) if _plausible(spec, value * factor)]
    if spec.type in ("count", "year"):
        likely = [value for value in likely if value == int(value)]
    if len(likely) == 1:
        return replace(number, value=likely[0], other=None)
    if abs(number.value) > abs(number.other):
        return number
    one, two = (f"{whole(value):,}" for value in (number.value, number.other))
    raise InputError("pin.value", f"{text} for {spec.name} can be read as {one} or {two}; write it without separators.")


def _number(spec: FieldSpec, text: str, number: NumberText) -> int | float:
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


def _date(spec: FieldSpec, text: str, day_first: bool | None) -> dt.date:
    try:
        day = read_date(text, day_first)
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
