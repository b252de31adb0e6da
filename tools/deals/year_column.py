"""A column of years as whole numbers."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from tools.deals.column_context import Normal
from tools.deals.dates import typed_years
from tools.deals.findings import Finding
from tools.deals.number_column import NUMBERS, Floats, NumberColumn
from tools.deals.profile import TWO_YEARS
from tools.workbook.words import as_seen

_SPAN = re.compile(r"\d\s*[-–]")
_YEAR_IN_TEXT = re.compile(r"(?:c(?:irc)?a?\.?\s*)?((?:1[5-9]|20)\d{2})s?", re.IGNORECASE)


class YearColumn(NumberColumn):
    """A column of years; `typed` are those that the format of a date shows as days."""

    typed: Mapping[dt.date, int] = MappingProxyType({})

    def years(self) -> Normal:
        """Years as whole numbers; zero stands for unknown."""
        if self.kinds <= NUMBERS:
            array = np.array(self.raws, dtype=float)
            low, high = self.spec.low or 0, self.spec.high or 9999
            if not ((array != np.floor(array)) | (array < low) | (array > high)).any():
                return Normal(_whole_or_none(array), self.findings)
        if any(issubclass(kind, dt.date) for kind in self.kinds):
            self.typed = typed_years(self.raws, self.context.epoch_1904, alone=True)
        return Normal(
            [None if raw is None else self._year(record, raw) for record, raw in enumerate(self.raws)], self.findings
        )

    def _two_years(self, text: str) -> re.Match[str] | None:
        """When it was built and renovated, in one cell; a dash is that of a span, unless the header speaks of both."""
        both = "renovated" in self.context.header.tokens
        return TWO_YEARS.fullmatch(text) if both or not _SPAN.search(text) else None

    def _year(self, record: int, raw: object) -> int | None:
        if isinstance(raw, dt.date):
            if raw in self.typed:
                self.findings.append(Finding("date.year", record, raw, self.typed[raw]))
            return self.typed.get(raw, raw.year)
        if isinstance(raw, str) and (two := self._two_years(raw)):
            self.note("value.qualified", record)
            return int(two[2 if self.spec.name == "year_renovated" else 1])
        if isinstance(raw, str) and (match := _YEAR_IN_TEXT.fullmatch(as_seen(raw).strip())):
            if not as_seen(raw).strip().isdecimal():
                self.note("value.approximate", record)
            return int(match[1])
        number = self.number(record, raw)
        if number is None:
            return None
        if number.value == 0:
            self.note("value.zero", record)
            return None
        if number.value != int(number.value) or not self.spec.plausible(number.value):
            self.note("value.implausible", record)
            return None
        return int(number.value)


def _whole_or_none(array: Floats) -> list[Any]:
    """The whole numbers of an array, None for NaN."""
    missing = np.isnan(array)
    values: list[Any] = np.where(missing, 0, array).astype(np.int64).tolist()
    for record in np.flatnonzero(missing).tolist():
        values[record] = None
    return values
