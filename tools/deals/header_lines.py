"""A row of words under the names of columns: what each cell says against what its column's name means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.deals.dictionary import FieldSpec, dictionary
from tools.deals.header_match import context_words, header_scores, vocabulary
from tools.deals.header_text import letters_read, read_header
from tools.deals.mapping import MAPPED, UNSURE_LOW
from tools.deals.value_texts import is_value_text
from tools.workbook.detect import DetectedTable
from tools.workbook.words import is_unit

_LONGEST_HEADER, _LOOK_ROWS = 300, 40
_WORD = re.compile(r"[^\W_]+")
#: Rows of these say what a column must hold.
_TYPES = """text string number numeric integer decimal currency money date percent percentage boolean formula required
optional mandatory input calculated"""
_TYPE_WORDS = frozenset(_TYPES.split())
Row = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A header row under others: their `labels` with what these mean, what it has `said`, and where it holds values."""

    labels: Row
    known: Mapping[int, tuple[float, FieldSpec | None]]
    context: frozenset[str]
    said: Row
    values: frozenset[int]

    @property
    def words(self) -> dict[int, str]:
        """What it has said that are no values."""
        return {at: text for at, text in self.said.items() if at not in self.values}

    def spec(self, at: int) -> FieldSpec | None:
        """The field that a column's label means."""
        return self.known.get(at, (0.0, None))[1]

    def is_text(self, at: int) -> bool:
        """Whether a column's label means a field of words."""
        spec = self.spec(at)
        return spec is not None and spec.type == "text"

    def means(self, text: str) -> bool:
        """Whether `text` means a field by itself."""
        return meaning(text, self.context)[1] is not None

    def is_label(self, text: str) -> bool:
        """Whether `text` speaks for a field in words of headers alone: "Project Gold" is a name."""
        words = _WORD.findall(text.casefold())
        least = UNSURE_LOW if len(words) == 1 else MAPPED
        return meaning(text, self.context)[0] >= least and vocabulary().issuperset(words)


def line_under(heads: Sequence[Row], said: Row) -> HeaderLine:
    """A row that has `said` its texts under the rows `heads`."""
    labels = joined(heads)
    longest = letters_read(len(labels))
    context = context_words((), [read_header(text[:longest]) for text in labels.values()])
    known = {at: meaning(text[:longest], context) for at, text in labels.items()}
    specs = {at: known[at][1] if at in known else None for at in said}
    values = frozenset(at for at, text in said.items() if is_value_text(text, specs[at]))
    return HeaderLine(labels, known, context, said, values)


def meaning(text: str, context: frozenset[str]) -> tuple[float, FieldSpec | None]:
    """How strongly `text` speaks for a field, and the field that it means where that is enough."""
    scores = header_scores(read_header(text), context)
    best = max(scores, key=lambda name: scores[name], default=None)
    if best is None:
        return 0.0, None
    return scores[best], dictionary().fields[best] if scores[best] >= MAPPED else None


def is_unit_or_type(text: str) -> bool:
    """Whether `text` names a unit or a scale, or says what sort of values a column must hold."""
    return is_unit(text) or text.casefold() in _TYPE_WORDS


def held_again(table: DetectedTable, said: Row, after: int = 0) -> set[int]:
    """The columns where one of the first records, from that at `after` on, holds the same text again."""
    rows = table.record_rows[after : after + _LOOK_ROWS]
    return {at for at, text in said.items() if any(_text(table.sheet.value(row, at)) == text for row in rows)}


def said_in(table: DetectedTable, row: int) -> dict[int, str]:
    """The text in each filled column of a row; a merged one in every column that it covers."""
    merged = [merge for merge in table.sheet.merges if merge[0] <= row <= merge[2]]
    found: dict[int, str] = {}
    for column in range(table.first_column, table.last_column + 1):
        value = table.sheet.value(row, column)
        if value is None:
            value = next((table.sheet.value(m[0], m[1]) for m in merged if m[1] <= column <= m[3]), None)
        if value is not None:
            found[column] = _text(value)
    return found


def _text(value: object) -> str:
    return " ".join(str(getattr(value, "code", value)).split())[:_LONGEST_HEADER]


def joined(rows: Sequence[Row]) -> dict[int, str]:
    """The header of each column that has one: its texts, joined, none twice."""
    columns = sorted({column for row in rows for column in row})
    return {at: " / ".join(dict.fromkeys(row[at] for row in rows if row.get(at))) for at in columns}
