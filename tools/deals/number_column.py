"""A column of numbers, each read once out of what its cell holds, with what was found on the way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.deals.column_context import ColumnContext
from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.numbers import (
    NotNumber,
    NumberText,
    clean_float,
    decimal_comma_in,
    mil_is_thousand,
    read_number,
    says_mil,
)
from tools.deals.words import WORDS
from tools.workbook.grid import CellError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
NUMBERS = frozenset({float, int, type(None)})
_MIL_RATIO = 1_000
_PLAIN_DECIMAL = re.compile(r"-?\d+(?:\.(?:\d{1,2}|\d{4,}))?")


class NumberColumn:
    """Reads one column of numbers; each distinct text is read once."""

    def __init__(self, spec: FieldSpec, context: ColumnContext, raws: Sequence[object], kinds: frozenset[type]) -> None:
        self.spec, self.context, self.raws, self.kinds = spec, context, raws, kinds
        texts = [raw for raw in raws if isinstance(raw, str)] if str in self.kinds else []
        said = decimal_comma_in(dict.fromkeys(texts)) if texts else None
        self.comma = context.decimal_comma if said is None else said
        self.findings: list[Finding] = []
        self.currencies: dict[int, str] = {}
        self._mil = context.mil_is_thousand or mil_is_thousand(texts, ())
        self._seen: dict[str, NumberText | NotNumber] = {}

    @property
    def factor(self) -> float:
        """What bare numbers are multiplied by."""
        return 1.0

    def note(self, code: str, record: int, expected: object = None) -> None:
        """Keeps a finding about a record."""
        self.findings.append(Finding(code, record, self.raws[record], expected))

    def number(self, record: int, raw: object) -> NumberText | None:
        """The number in a cell, or None with a finding that says why there is none."""
        if isinstance(raw, bool):
            self.note("value.boolean", record)
        elif isinstance(raw, (int, float)):
            return NumberText(float(raw))
        elif isinstance(raw, CellError):
            self.findings.append(Finding("value.error", record, raw.code))
        elif isinstance(raw, str):
            return self._read(record, raw)
        else:
            self.note("value.unparsed", record)
        return None

    def _read(self, record: int, text: str) -> NumberText | None:
        if _PLAIN_DECIMAL.fullmatch(text):
            return NumberText(float(text))
        found = self._seen.get(text)
        if found is None:
            found = self._seen[text] = self._settle(read_number(text, self.comma))
            if isinstance(found, NumberText) and found.scaled and says_mil(text):
                found = self._seen[text] = self._in_mil(found)
        if isinstance(found, NotNumber):
            self.note(f"value.{found.why}", record)
            return None
        if found.other is not None:
            self.note("number.ambiguous", record)
            return None
        if found.approximate:
            self.note("value.approximate", record)
        if found.scaled:
            self.note("value.magnitude", record)
        if found.beside:
            self.note("value.qualified", record)
        return found

    def _in_mil(self, found: NumberText) -> NumberText | NotNumber:
        """A number in mil by its currency or language; euros may be either, and the field's range may tell."""
        thousands = clean_float(found.value / _MIL_RATIO)
        if self._mil or found.currency in WORDS.mil_currencies:
            return replace(found, value=thousands)
        if found.currency != "EUR":
            return found
        likely = [value for value in (found.value, thousands) if self.spec.plausible(abs(value))]
        return replace(found, value=likely[0]) if len(likely) == 1 else NotNumber("mil")

    def _settle(self, found: NumberText | NotNumber) -> NumberText | NotNumber:
        """Of two readings, the one that the field's range, or the common way of writing thousands, leaves."""
        if isinstance(found, NotNumber) or found.other is None:
            return found
        likely = [v for v in (found.value, found.other) if self.spec.plausible(abs(v) * self.factor)]
        if len(likely) == 1:
            return replace(found, value=likely[0], other=None)
        grouped = abs(found.value) > abs(found.other)
        if grouped and self.comma is not True:
            return replace(found, other=None)
        return found
