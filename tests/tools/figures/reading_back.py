"""What a reader of a document may find unexplained: numbers that no figure of that place prints.

What names a place or repeats the file is no figure, by these rules alone: words of the file (texts of cells, headers,
sections, names of sheets and of the file, its hash), addresses of cells and rows, what stands in quotation marks,
years, the unit of thousands in a head, the name of the hash, a number that is cut short with `…`, the numbers of
footnotes, and letters' codes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from schemas.deal import Extraction
from schemas.figures import Figure
from tools.figures.text import printable
from tools.memo.glyphs import drawable

TITLE = "Project Tamarack"
PRINTED = re.compile(r"\d+(?:[.,]\d+)*(?:E[+-]\d+)?[%MBTx]?")
_ADDRESS = re.compile(r"(?:\b[\w.&-]+!)?\b[A-Z]{1,3}\d{1,7}(?::[A-Z]{1,3}\d{1,7})?\b")
_ROWS = re.compile(r"\b[Rr]ows? \d+(?:(?:, | and )\d+)*")
_MARKED = re.compile(r"“[^”]*”|(?<!\w)'[^']*'(?!\w)|(?<!\w)\"[^\"]*\"(?!\w)")
_YEAR = re.compile(r"(?<![\d.,$])\b(?:19|20)\d\d\b(?![.,]?\d|%)")
_UNIT = re.compile(r"(?:[$€£¥₹]|\b[A-Z]{3}\s?|, )000\b(?![.,]?\d)|SHA-256")
_CUT = re.compile(r"\d[\d.,]*…")
_FOOTNOTE = re.compile(r"(?:^|(?<=\xa0\xa0 ))\d+\xa0|\bSource \d+, whole|\bU\+[0-9A-F]{4,5}\b")


def texts_of(extraction: Extraction) -> list[str]:
    """The words of the file that hold a digit, as documents print them, the longest first."""
    source = extraction.source
    held: set[str] = {source.filename, source.sha256}
    for table in extraction.tables:
        held |= {table.sheet or "", *(section or "" for section in table.sections)}
        for column in table.columns:
            held.add(column.header)
            held |= {str(value) for value in (*column.values, *column.raws) if isinstance(value, str)}
            if column.type == "text" and column.field is not None:
                held |= {str(value) for value in column.values if value is not None}
    held |= {printable(text, most) for text in held for most in (200, 90, 80, 60, 40)}
    held |= {drawable(text) for text in held} | {text.upper() for text in held}
    told = (text for text in held if PRINTED.search(text) and (len(text) > 2 or not text.isdigit()))
    return sorted(told, key=len, reverse=True)


def known_at(figures: Iterable[Figure]) -> Mapping[str, set[str]]:
    """The numbers in the figures' texts, by place."""
    known: dict[str, set[str]] = defaultdict(set)
    for figure in figures:
        for place in figure.where:
            known[place].update(PRINTED.findall(figure.text))
    return known


def unexplained(text: str, known: set[str], words: Iterable[str]) -> list[str]:
    """The numbers in `text` that are neither `known` nor, by the rules of this module, no figures."""
    left = text
    for word in words:
        if word in left:
            left = re.sub(rf"(?<![\w$])(?<![\d][.,]){re.escape(word)}(?![.,]?\w|%)", "\N{SECTION SIGN}", left)
    for rule in (_MARKED, _ADDRESS, _ROWS, _YEAR, _UNIT, _CUT, _FOOTNOTE):
        left = rule.sub("\N{SECTION SIGN}", left)
    return [number for number in PRINTED.findall(left) if number not in known]
