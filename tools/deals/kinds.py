"""What kind of deals a table lists, and why a table lists none."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schemas.workbook import TableKind
from tools.deals.dictionary import dictionary
from tools.deals.header_match import spell
from tools.deals.header_text import tokenize
from tools.deals.mapping import UNSURE_LOW, ColumnView, MappedColumn
from tools.deals.parties import deal_count_column
from tools.deals.periods import period_columns
from tools.deals.words import WORDS

_KIND_WORDS, _KIND_FLOOR, _FEW_FILLED = 1.5, 1.5, 0.1
_SET_ASIDE = frozenset({"excluded", "rejected", "removed", "discarded", "exclusions", "ausgeschlossen"})
_PIVOT = re.compile(
    r"(?:sum|count|average|max|min) of .|row labels|column labels|grand total"
    r"|summe von .|anzahl von .|mittelwert von .|zeilenbeschriftungen|gesamtergebnis|\(blank\)",
    re.IGNORECASE,
)
_RECAP = re.compile(
    r"summary(?:\s+groups?|\s+(?:by|of)\s.+)?|(?:lease\s+)?charges?(?:\s+code)?\s+summary|(?:unit|tenant)\s+type\s+summary",
    re.IGNORECASE,
)
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_PERIODS = (
    r"(?:fy|cy|year|yr|month|mo|period|quarter|week|day|jahr|monat)\s*[-#]?\s*\d{1,4}e?",
    r"(?:19|20)\d{2}[aef]?(?:\.0)?",
    r"[1-4]q\s*['’]?\d{2,4}|q[1-4](?:\s*['’-]?\d{2,4})?",
    rf"(?:{_MONTHS})\.?[\s'’/-]*(?:\d{{2,4}})?",
    r"(?:19|20)\d{2}-\d{2}-\d{2}.*",
    r"t-?\d{1,2}|(?:1|3|5|7|10|15|20)[\s-]?(?:yr|year)s?",
)
_PERIOD = re.compile("|".join(_PERIODS), re.IGNORECASE)
_MEASURE_TYPES = frozenset({"money", "fraction", "number", "count", "date", "year"})
_WEAK_IDENTITY = frozenset({"source_id", "buyer", "seller", "suite", "postal_code"})
_DEAL_TEXT = frozenset({"status", "stage", "lease_type"})
_FEWEST_FIELDS, _FEWEST_WEAK = 3, 4


@dataclass(frozen=True, slots=True)
class TableView:
    """What is known of a table when its kind is told."""

    about: Sequence[str]
    columns: Sequence[ColumnView]
    mapped: Sequence[MappedColumn]
    key_value: bool = False


def kind_of(view: TableView) -> TableKind:
    """The kind of deals that the table's fields and its titles speak for; `other` where they say little."""
    if counts_deals(view.mapped) is not None or period_columns(view.columns, view.mapped) is not None:
        return "other"
    scores: dict[TableKind, float] = {}
    said = {part for text in view.about for token in tokenize(text) for part in spell(token)}
    said |= {" ".join(pair) for text in view.about for pair in _pairs(tokenize(text))}
    for kind, words in dictionary().kinds.items():
        found = min(2, sum(word in said for word in words))
        scores[kind] = _KIND_WORDS * found
    for column in view.mapped:
        for kind, weight in _weights(column.field).items():
            scores[kind] += weight * max(_FEW_FILLED, column.profile.filled)
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] >= _KIND_FLOOR else "other"


def counts_deals(mapped: Sequence[MappedColumn]) -> MappedColumn | None:
    """The column that counts several deals for each row: such rows are parties with their totals, no deals."""
    at = deal_count_column([m.header for m in mapped], [m.profile for m in mapped])
    return None if at is None else mapped[at]


def _weights(field: str | None) -> Mapping[TableKind, float]:
    return (dictionary().fields[field].kinds or {}) if field else {}


def _pairs(tokens: Sequence[str]) -> list[tuple[str, str]]:
    return list(itertools.pairwise(tokens))


def why_no_deals(view: TableView) -> str | None:
    """Why the table lists no deals, a clause for people; None where it lists some."""
    if any(set(tokenize(text)) & _SET_ASIDE for text in view.about[:1]):
        return "its sheet's name says that these were set aside"
    return _by_headers(view) or _by_values(view) or _by_fields(view)


def _by_headers(view: TableView) -> str | None:
    headers = [" ".join(column.header.split()) for column in view.columns]
    filled = [header for header in headers if header]
    if sum(bool(_PIVOT.match(header)) for header in filled) >= 1 and _few_mapped(view, 4):
        return "it is a pivot of other data"
    if headers and _RECAP.fullmatch(headers[0]):
        return "it sums up another table"
    periods = sum(is_period(header.rsplit(" / ", 1)[-1]) for header in filled[1:])
    if periods >= 3 and periods >= 0.5 * len(filled[1:]) and not view.key_value and _few_mapped(view, 3):
        return "its columns are periods: a statement or a series, not deals"
    return _decoy(filled, view)


def is_period(text: str) -> bool:
    """Whether `text` names a time, or a length of one: FY 2024, Q1, March, T-12, 5 years."""
    return _PERIOD.fullmatch(text.strip()) is not None


def _few_mapped(view: TableView, most: int) -> bool:
    return sum(column.field is not None for column in view.mapped) < most


def _decoy(headers: Sequence[str], view: TableView) -> str | None:
    words = [set(tokenize(header)) for header in headers]
    joined = {" ".join(pair) for header in headers for pair in _pairs(tokenize(header))}
    every = set[str]().union(*words) | joined if words else joined
    for decoy in dictionary().decoys:
        if sum(word in every for word in decoy.words) >= decoy.least and _few_mapped(view, 6):
            return decoy.why
    return None


def _by_values(view: TableView) -> str | None:
    if not view.columns or view.key_value:
        return None
    first = [str(value) for value in view.columns[0].values[:400] if value is not None]
    if not first:
        return None
    if sum(bool(WORDS.line_items & set(tokenize(text))) for text in first) >= max(3, 0.3 * len(first)):
        return "its rows are the lines of a statement"
    named = {column.field for column in view.mapped} & {"deal_name", "address", "tenant"}
    periods = sum(is_period(text.removesuffix(".0")) for text in first)
    if periods >= 0.8 * len(first) and len(set(first)) >= 0.8 * len(first) and not named:
        return "its rows are periods: a market series, not deals"
    return None


def _by_fields(view: TableView) -> str | None:
    fields = {column.field for column in view.mapped if column.field}
    known = dictionary().fields
    named = any(known[name].identity for name in fields)
    measures = [name for name in fields if known[name].type in _MEASURE_TYPES or name in _DEAL_TEXT]
    weak = _WEAK_IDENTITY - {"suite", "postal_code"} if view.key_value else _WEAK_IDENTITY
    if not named and not fields & weak:
        return "no column names a property, a tenant, a company or a loan"
    if not measures:
        return "no column holds a price, a size, a rent, a rate, a date or a stage"
    form = view.key_value and any("deal" in column.header.tokens for column in view.mapped)
    unsure = sum(_may_be_field(column) for column in view.mapped) if named and not view.key_value else 0
    if len(fields) + unsure < (_FEWEST_FIELDS if named or form else _FEWEST_WEAK):
        return "too few of its columns speak of deals"
    return None


def _may_be_field(column: MappedColumn) -> bool:
    """Whether a column in no field speaks for a measure, if not clearly: it is asked about."""
    if column.field is not None or not column.candidates:
        return False
    best = column.candidates[0]
    return best.score >= UNSURE_LOW and dictionary().fields[best.field].type in _MEASURE_TYPES
