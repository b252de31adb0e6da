"""Amounts written out in full in a column of thousands or millions, as those around them prove."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from tools.deals.numbers import NumberText, read_number

_FEWEST, _WIDE = 2, 10.0


def written_in_full(raws: Sequence[object], factor: float, comma: bool | None) -> frozenset[str]:
    """The texts among `raws` that are no multiples of `factor` though their column is.

    Each shows a currency or groups its thousands; taken for full it is like the column's plain numbers, taken as the
    column is it is far above them all.
    """
    plain = [abs(v) for v in raws if isinstance(v, (int, float)) and not isinstance(v, bool) and v]
    texts: dict[str, NumberText] = {}
    for text in {raw for raw in raws if isinstance(raw, str)}:
        number = read_number(text, comma)
        if isinstance(number, NumberText) and not number.scaled and number.unit is None:
            if number.currency or "," in text or "." in text:
                texts[text] = number
            else:
                plain.append(abs(number.value))
    if len(plain) < _FEWEST:
        return frozenset()
    usual, most = median(plain), max(plain)
    return frozenset(
        text
        for text, number in texts.items()
        if abs(number.value) > most * math.sqrt(factor) and usual / _WIDE <= abs(number.value) / factor <= most * _WIDE
    )
