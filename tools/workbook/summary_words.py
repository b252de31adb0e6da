"""What summaries beside lists are labelled with: their closing rows, their headers, their amounts in words."""

from __future__ import annotations

import re
from collections.abc import Collection

from tools.workbook.statistic_words import statistic_label
from tools.workbook.words import totals_among

_WORD = re.compile(r"[^\W\d_]+")
# What stands beside a total's own word where its row sums up all.
_BESIDE = """grand sub result general général geral complessivo overall all average averages avg mean wtd weighted sum
and or w a"""
_OF_TOTALS = frozenset(_BESIDE.split())
# The last rows of pivot tables, in the languages of spreadsheet programs, and other words for all of it.
_GRAND = """gesamtergebnis|eindtotaal|suma końcowa|celkový součet|totalsumma|totalsum|hovedtotal|kaikki yhteensä|
общий итог|총합계|overall|sum|σ|∑"""
_WHOLE = frozenset(_GRAND.replace("\n", "").split("|"))
_ALL = ("all", "portfolio", "combined", "whole", "alle", "todos", "tous", "toutes", "tutti")
_MEANS = "average averages avg mean median durchschnitt mittelwert moyenne médiane promedio mediana"
_MIDDLE = frozenset(_MEANS.split())
_LABELS = """row labels|column labels|zeilenbeschriftungen|spaltenbeschriftungen|étiquettes de lignes|
étiquettes de colonnes|etiquetas de fila|etiquetas de columna|etichette di riga|etichette di colonna|rijlabels|
kolomlabels|rótulos de linha|rótulos de coluna"""
_OF_PIVOTS = frozenset(_LABELS.replace("\n", "").split("|"))
_AGGREGATED = re.compile(
    r"(?:sum|count|counta|average|avg|mean|min|max|median|product|stdev|var|summe|anzahl|mittelwert|somme|nombre|"
    r"moyenne|suma|cuenta|promedio|somma|conteggio|media)(?: (?:of|von|de|di)| -) (.+)"
)
_COUNT = re.compile(r"\W*(?:no\.?|number|count|deals?|properties|assets?|anzahl)\b.{0,20}|#.{0,20}")
_AMOUNT = re.compile(
    r"\(?[$€£¥]\s*\d[\d,.]*\s*[a-z]{1,4}\.?\)?|\d[\d,.]*\s*(?:k|mm?|mn|mio|bn|million|billion)\.?", re.IGNORECASE
)


def closes(label: str) -> bool:
    """Whether a label says total, average or the like and nothing else: no name of something called Total."""
    text = " ".join(label.split()).casefold().rstrip(" :")
    if text in _WHOLE:
        return True
    said = statistic_label(label)
    if said is not None and said.pure and said.words & _MIDDLE:
        return True
    return bool(totals_among([label])) and all(w in _OF_TOTALS or totals_among([w]) for w in _WORD.findall(text))


def wholes_among(labels: Collection[str]) -> set[str]:
    """Those of `labels` that may be said of a total: Total Loans, All Markets, Portfolio."""
    return {*totals_among(labels), *(label for label in labels if label.casefold().startswith(_ALL))}


def is_pivots(heads: Collection[str], others: Collection[str]) -> bool:
    """Whether the headers, in lower case, are those of a pivot: Row Labels, or Sum of what one of `others` is named."""
    said = [match[1].strip() for text in heads if (match := _AGGREGATED.fullmatch(text))]
    return not _OF_PIVOTS.isdisjoint(heads) or not set(others).isdisjoint(said)


def counts(heads: Collection[str]) -> bool:
    """Whether one of the headers, in lower case, is that of a count: # of Deals, Properties."""
    return any(_COUNT.fullmatch(text) for text in heads)


def is_amount(text: str) -> bool:
    """Whether a text is an amount with its scale: $4.5M, 12 mm."""
    return _AMOUNT.fullmatch(text) is not None
