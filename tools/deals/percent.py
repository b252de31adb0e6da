"""Percentages: number format, header and plausible range decide together whether 5.5 is 0.055."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.numbers import clean_float

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_LITERALS = re.compile(r'"[^"]*"|\\.')
_FAR_BELOW = 20
_MOST_FRACTION = 1.5
_DIGITS = 14
_LARGEST_ROUNDED = 1e15


def shows_percent(number_format: str) -> bool:
    """Whether a number format multiplies by a hundred; a quoted or escaped % is only painted."""
    return "%" in _LITERALS.sub("", number_format)


def hundredth(value: float) -> float:
    """`value` percent as a fraction."""
    return clean_float(value / 100)


def fits(spec: FieldSpec, values: Floats) -> Bools:
    """Which values lie in the field's range; NaN does in none."""
    low = -np.inf if spec.low is None else spec.low
    high = np.inf if spec.high is None else spec.high
    with np.errstate(invalid="ignore"):
        return (values >= low) & (values <= high)


def resolve_bare(spec: FieldSpec, bare: Floats, fractions: bool) -> tuple[Floats, list[Finding]]:
    """Fractions for numbers without a percent sign or format (NaN: none, or not certain), with findings.

    `fractions` says whether other values of the column are fractions for certain. A number that only fits as a fraction
    or only as percents is read so; the others follow the column, or stay open where it is mixed.
    """
    held = ~np.isnan(bare) & (bare != 0)
    parts = bare / 100
    # Rounding multiplies first, which turns the largest numbers into infinity.
    small = np.abs(parts) < _LARGEST_ROUNDED
    parts[small] = np.round(parts[small], _DIGITS)
    whole, fits_percent = held & fits(spec, bare), held & fits(spec, parts)
    # What is no more than 1 is hardly a number of percents: 0.3 among 0.05 and 0.06 is an odd fraction.
    as_fraction, as_percent = whole & ~fits_percent, fits_percent & ~whole & (bare > 1)
    if as_percent.any() and not as_fraction.any():
        far = whole & fits_percent & (bare * _FAR_BELOW < np.median(bare[as_percent]))
        if 2 * int(far.sum()) > int(held.sum()):
            as_fraction, fits_percent = far, fits_percent & ~far
    if as_percent.any() and (as_fraction.any() or fractions):
        return _mixed(bare, parts, whole, fits_percent, int(as_percent.sum()) > int(as_fraction.sum()))
    if not as_percent.any():
        return bare.copy(), _implausible(spec, bare, held & ~whole, bare)
    values, findings = parts, list[Finding]()
    with np.errstate(invalid="ignore"):
        open_ones = whole & (bare <= _MOST_FRACTION) & (bare > 0) & (bare * _FAR_BELOW < np.median(bare[held]))
    values[open_ones] = np.nan
    findings += [
        Finding("percent.ambiguous", record, float(bare[record])) for record in np.flatnonzero(open_ones).tolist()
    ]
    return values, findings + _implausible(spec, parts, held & ~fits_percent & ~open_ones, bare)


def _mixed(
    bare: Floats, parts: Floats, whole: Bools, fits_percent: Bools, percent_style: bool
) -> tuple[Floats, list[Finding]]:
    """Each value by what it alone fits; those that fit both ways stay open, those that fit neither follow most."""
    values = np.where(fits_percent | (percent_style & ~whole), parts, bare)
    values[whole & fits_percent] = np.nan
    held = ~np.isnan(bare) & (bare != 0)
    findings: list[Finding] = []
    for code, mask in (
        ("percent.ambiguous", whole & fits_percent),
        ("percent.mixed", (whole ^ fits_percent) & (fits_percent != percent_style)),
        ("value.implausible", held & ~whole & ~fits_percent),
    ):
        findings += [Finding(code, record, float(bare[record])) for record in np.flatnonzero(mask).tolist()]
    return values, findings


def _implausible(spec: FieldSpec, values: Floats, mask: Bools, bare: Floats) -> list[Finding]:
    return [
        _doubt(spec, record, float(values[record]), float(bare[record])) for record in np.flatnonzero(mask).tolist()
    ]


def _doubt(spec: FieldSpec, record: int, value: float, raw: object) -> Finding:
    """What to say of a fraction outside its range: a hundredfold slip where that would bring it in."""
    for factor in (0.01, 100):
        if spec.plausible(value * factor):
            return Finding("slip.hundredfold", record, raw, clean_float(value * factor))
    return Finding("value.implausible", record, raw)


def check_certain(spec: FieldSpec, record: int, value: float, raw: object) -> list[Finding]:
    """What is wrong with a value whose sign or format says that it is a percentage."""
    return [] if value == 0 or spec.plausible(value) else [_doubt(spec, record, value, raw)]
