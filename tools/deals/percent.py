"""Percentages: number format, header and plausible range decide together whether 5.5 is 0.055."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.numbers import clean_float

_LITERALS = re.compile(r'"[^"]*"|\\.')
_FAR_BELOW = 20


def shows_percent(number_format: str) -> bool:
    """Whether a number format multiplies by a hundred; a quoted or escaped % is only painted."""
    return "%" in _LITERALS.sub("", number_format)


def hundredth(value: float) -> float:
    """`value` percent as a fraction."""
    return clean_float(value / 100)


def resolve_bare(
    spec: FieldSpec, bare: Sequence[tuple[int, float]], fractions: bool
) -> tuple[dict[int, float | None], list[Finding]]:
    """Fractions for numbers without a percent sign or format, by record, with findings.

    `bare` holds (record, number); `fractions` says whether other values of the column are fractions for certain. A number
    that only fits as a fraction or only as percents is read so; the others follow the column, or stay open where it is mixed.
    """
    as_fraction = [(r, v) for r, v in bare if v != 0 and spec.plausible(v) and not spec.plausible(v / 100)]
    as_percent = [(r, v) for r, v in bare if v != 0 and spec.plausible(v / 100) and not spec.plausible(v)]
    percent_style = len(as_percent) > len(as_fraction) or (not as_fraction and bool(as_percent) and not fractions)
    if not (as_percent and (as_fraction or fractions)):
        return _one_style(spec, bare, bool(as_percent))
    return _mixed(spec, bare, percent_style)


def _one_style(spec: FieldSpec, bare: Sequence[tuple[int, float]], percents: bool) -> tuple[dict[int, float | None], list[Finding]]:
    values: dict[int, float | None] = {}
    findings: list[Finding] = []
    if not percents:
        for record, value in bare:
            values[record] = value
            _check(spec, record, value, value, findings)
        return values, findings
    ordered = sorted(value for _, value in bare if value != 0)
    median = ordered[len(ordered) // 2]
    for record, value in bare:
        if 0 < value <= 1 and value * _FAR_BELOW < median and spec.plausible(value):
            values[record] = None
            findings.append(Finding("percent.ambiguous", record, value))
            continue
        values[record] = hundredth(value)
        _check(spec, record, hundredth(value), value, findings)
    return values, findings


def _mixed(spec: FieldSpec, bare: Sequence[tuple[int, float]], percent_style: bool) -> tuple[dict[int, float | None], list[Finding]]:
    values: dict[int, float | None] = {}
    findings: list[Finding] = []
    for record, value in bare:
        fits, fits_percent = spec.plausible(value), spec.plausible(value / 100)
        if fits and fits_percent and value != 0:
            values[record] = None
            findings.append(Finding("percent.ambiguous", record, value))
        elif fits or fits_percent:
            values[record] = value if fits else hundredth(value)
            if value != 0 and fits_percent is not percent_style:
                findings.append(Finding("percent.mixed", record, value))
        else:
            values[record] = hundredth(value) if percent_style else value
            findings.append(Finding("value.implausible", record, value))
    return values, findings


def _check(spec: FieldSpec, record: int, value: float, raw: object, findings: list[Finding]) -> None:
    """Adds what is wrong with a fraction that is certain to be written so."""
    if value == 0 or spec.plausible(value):
        return
    for factor in (0.01, 100):
        if spec.plausible(value * factor):
            findings.append(Finding("slip.hundredfold", record, raw, clean_float(value * factor)))
            return
    findings.append(Finding("value.implausible", record, raw))


def check_certain(spec: FieldSpec, record: int, value: float, raw: object) -> list[Finding]:
    """What is wrong with a value whose sign or format says that it is a percentage."""
    findings: list[Finding] = []
    _check(spec, record, value, raw, findings)
    return findings
