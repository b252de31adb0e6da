"""What rows of averages and the like are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SPREADS = """count stdev stddev std deviation range ranges spread stdabw standardabweichung anzahl écart ecart
desviación desviacion scarto desvio odchylenie keskihajonta standardafwijking standardavvikelse standardavvik"""
SPREADS = frozenset(_SPREADS.split())
"""These need not lie among the values that they speak of."""
_EXTREMES = """min minimum minimums minima max maximum maximums maxima high highest low lowest minimalwert maximalwert
höchstwert mindestwert mínimo minimo máximo maximo massimo mínima máxima minimalt maksimum maksimi minimi
минимум максимум najmniejsza największa najniższa najwyższa hoogste laagste högsta lägsta høyeste laveste
最大 最大値 最大值 最小 最小値 最小值 最高 最低 최대 최소"""
EXTREMES = frozenset(_EXTREMES.split())
_MIDDLES = """average averages avg avgs wavg blended mean means median medians percentile percentiles pctl pctile
quartile quartiles decile quantile durchschnitt durchschnittlich schnitt mittelwert mittel ø moyenne moyennes médiane
mediane centile promedio promedios mediana medianas media medie medias média médias perzentil quartil percentil
cuartil snitt genomsnitt medelvärde medel gennemsnit gjennomsnitt middelværdi middelverdi gemiddelde gemiddeld mediaan
średnia srednia průměr prumer medián keskiarvo mediaani átlag atlag ortalama medyan среднее средняя медиана μέσος 平均
平均値 平均值 中央値 中位数 평균 중앙값"""
STATISTICS = EXTREMES | SPREADS | frozenset(_MIDDLES.split())
# Words that stand beside them and change nothing.
_BESIDE = """weighted wtd wgtd simple arithmetic geometric portfolio overall total totals all of the for and comp comps
comparables comparable sales sale properties property deals deal section group sample set value values standard dev by
gewichteter gewichtet gewichtetes grand type estándar estandar standaard th st nd rd first second third upper lower top
bottom vägt viktat vogtet gewogen pondérée ponderado ponderada ponderata όρος sum sums"""
_BESIDE_STATISTICS = frozenset(_BESIDE.split())
_MEASURED = """cap caps rate rates price prices psf ppsf sf sqft sq ft per unit units noi yield yields rent rents
occupancy grm ltv dscr irr walt wault asking adjusted"""
_MEASURES = frozenset(_MEASURED.split())
# Short for extremes where nothing else stands beside them; in names they mean all sorts of things.
_SHORT = {"hi": "high", "lo": "low"}
_SUMS = frozenset(["total", "totals", "sum", "sums"])
# Each word holds one of these.
_STEMS = tuple(w for w in sorted(STATISTICS) if not any(o != w and o in w for o in STATISTICS))
_PLAIN_STEMS = tuple(filter(str.isascii, _STEMS))
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class StatisticLabel:
    """A row's label: the statistic's words, whether it says nothing else, and whether it speaks of sums too.

    `measured` says that it says nothing else but what was measured: Avg Cap Rate.
    """

    words: frozenset[str]
    pure: bool
    sums: bool = False
    measured: bool = False


def spoken(texts: Sequence[str]) -> set[str]:
    """Those of `texts` that hold a statistic's word, also inside another word: a cheap look."""
    joined = "\0".join(texts).lower()
    stems = [word for word in (_PLAIN_STEMS if joined.isascii() else _STEMS) if word in joined]
    short = [f"\0{word}{end}" for word in _SHORT for end in ":\0"]
    bounded = f"\0{joined}\0"
    lows = joined.split("\0") if stems or any(word in bounded for word in short) else []
    found = {text for stem in stems for text, low in zip(texts, lows, strict=False) if stem in low}
    return found | {text for text, low in zip(texts, lows, strict=False) if low.rstrip(": ") in _SHORT}


def statistic_label(text: str) -> StatisticLabel | None:
    """What the text says of statistics, if its first or last word does."""
    words = [word.casefold() for word in _WORD.findall(text)]
    words = [_SHORT[word] for word in words] if _SHORT.keys() >= {*words} else words
    said = frozenset(words) & STATISTICS
    if not said:
        return None
    pure = all(word in STATISTICS or word in _BESIDE_STATISTICS for word in words)
    measured = all(word in STATISTICS or word in _BESIDE_STATISTICS or word in _MEASURES for word in words)
    sums = not _SUMS.isdisjoint(words)
    leads = measured or words[-1] in said or words[0] in said
    return StatisticLabel(said, pure, sums, measured and not pure) if leads else None
