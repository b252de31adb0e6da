"""A column of percentages as fractions: what shows them is certain, bare numbers follow the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.deals.column_context import Normal
from tools.deals.findings import Finding
from tools.deals.number_column import NUMBERS, Floats, NumberColumn
from tools.deals.numbers import clean_float
from tools.deals.percent import check_certain, fits, hundredth, resolve_bare, shows_percent


class FractionColumn(NumberColumn):
    """A column of percentages."""

    @property
    def factor(self) -> float:
        """What bare numbers are multiplied by where they are percents."""
        return 0.01

    def fractions(self) -> Normal:
        """Percentages as fractions."""
        formats = self.context.formats() if self.kinds & {float, int} else None
        shown = formats.mask(shows_percent) if formats else np.zeros(len(self.raws), bool)
        if self.kinds <= NUMBERS:
            numbers = np.array(self.raws, dtype=float)
            values = np.where(shown, numbers, np.nan)
        else:
            numbers, values = self._mixed_fractions(shown)
        certain = ~np.isnan(values)
        plausible = fits(self.spec, values) & (values != 0)
        for record in np.flatnonzero(certain & ~plausible).tolist():
            self.findings += check_certain(self.spec, record, float(values[record]), self.raws[record])
        sure = any(not isinstance(self.raws[record], str) for record in np.flatnonzero(plausible).tolist())
        bare = np.where(np.isnan(values), numbers, np.nan)
        resolved, findings = resolve_bare(self.spec, bare, sure)
        merged = np.where(np.isnan(values), resolved, values)
        self.findings += [Finding(f.code, f.record, self.raws[f.record], f.expected) for f in findings]
        return Normal(_with_none(merged), self.findings)

    def _mixed_fractions(self, shown: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Bare numbers, and fractions that are certain; both NaN where there is none."""
        numbers, values = np.full(len(self.raws), np.nan), np.full(len(self.raws), np.nan)
        for record, raw in enumerate(self.raws):
            number = None if raw is None else self.number(record, raw)
            if number is None:
                continue
            if number.unit is not None and number.unit != "bps":
                self.note("value.unit", record)
            elif number.percent or number.unit == "bps":
                values[record] = hundredth(number.value) if number.percent else clean_float(number.value / 10_000)
            elif shown[record] and not isinstance(raw, str):
                values[record] = number.value
            else:
                numbers[record] = number.value
        return numbers, values


def _with_none(array: Floats) -> list[Any]:
    """The numbers of an array, None for NaN."""
    values: list[Any] = array.tolist()
    for record in np.flatnonzero(np.isnan(array)).tolist():
        values[record] = None
    return values
