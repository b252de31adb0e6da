"""What rows of averages and the like are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

SPREADS = frozenset(["count", "stdev", "stddev", "std", "deviation", "range", "anzahl", "spread"])
"""These need not lie among the values that they speak of."""
EXTREMES = frozenset(["min", "minimum", "max", "maximum", "high", "highest", "low", "lowest"])
STATISTICS = (
    EXTREMES
    | SPREADS
    | frozenset(
        [
            "average",
            "avg",
            "averages",
            "mean",
            "median",
            "durchschnitt",
            "mittelwert",
            "mittel",
            "moyenne",
            "médiane",
            "promedio",
            "mediana",
            "media",
        ]
    )
)
# Words that stand beside them and change nothing.
_BESIDE = """weighted wtd wgtd simple arithmetic geometric portfolio overall total totals all of the for and comp comps
comparables comparable sales sale properties property deals deal section group sample set value values standard dev by
gewichteter gewichtet grand"""
_BESIDE_STATISTICS = frozenset(_BESIDE.split())
# Each word holds one of these.
_STEMS = tuple(w for w in sorted(STATISTICS) if not any(o != w and o in w for o in STATISTICS))
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class StatisticLabel:
    """A row's label: the statistic's words, and whether it says nothing else."""

    words: frozenset[str]
    pure: bool


def spoken(texts: Sequence[str]) -> set[str]:
    """Those of `texts` that hold a statistic's word, also inside another word: a cheap look."""
    joined = "\0".join(texts).lower()
    stems = [word for word in _STEMS if word in joined]
    lows = joined.split("\0") if stems else []
    return {text for stem in stems for text, low in zip(texts, lows, strict=False) if stem in low}


def statistic_label(text: str) -> StatisticLabel | None:
    """What the text says of statistics, if its first or last word does."""
    words = [word.casefold() for word in _WORD.findall(text)]
    said = frozenset(words) & STATISTICS
    if not said:
        return None
    pure = all(word in STATISTICS or word in _BESIDE_STATISTICS for word in words)
    return StatisticLabel(said, pure) if pure or words[-1] in said or words[0] in said else None
