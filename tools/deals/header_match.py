"""How strongly a header speaks for a field: synonyms, what stands beside them, units and periods."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.deals.dictionary import FieldSpec, dictionary
from tools.deals.header_text import Header, tokenize

Tokens = tuple[str, ...]
Strength = Literal["strong", "generic", "weak"]
#: Units that are turned into the field's own, and by what they are multiplied.
CONVERSIONS: dict[tuple[str, str], float] = {
    ("sqm", "sf"): 10.763910416709722,
    ("hectares", "acres"): 2.471053814671653,
    ("sqyd", "sf"): 9.0,
    #: 400/121 square metres, in Korea (pyeong) and Taiwan (ping) too.
    ("tsubo", "sf"): 35.583174,
    ("years", "months"): 12.0,
    ("per_sqm", "per_sf"): 0.09290304,
    ("per_sf_monthly", "per_sf"): 12.0,
    ("per_sqm_monthly", "per_sf"): 12 * 0.09290304,
}
#: Those, and units that only a value by itself is turned from.
VALUE_CONVERSIONS: dict[tuple[str, str], float] = {
    **CONVERSIONS,
    ("sf", "acres"): 1 / 43_560,
    ("sqm", "acres"): 1 / 4046.8564224,
    ("sqyd", "acres"): 9 / 43_560,
    ("monthly", "annual"): 12.0,
}
_OTHER_NAME = 0.985
_WEAK, _GENERIC, _WEAK_STEP = 0.56, 0.74, 0.1
_COST_NEUTRAL, _COST_DIGIT, _COST_UNKNOWN, _COST_OTHER = 0.03, 0.06, 0.15, 0.22
_OF_ANOTHER, _OF_OTHER_SIZE = 0.65, 0.5
#: They say no more than that a column holds money.
_SIGNS = frozenset({"$", "€", "£", "usd"})
#: Over several columns they say of what kind these are, and take nothing from what the lower header names.
_GROUPS = frozenset({"size", "sizes"})
#: An unknown word before "per SF" is some cost more often than a price.
_PER_SIZE = frozenset({"per_sf", "per_unit"})
_FIGURES = frozenset({"money", "fraction"})
#: Of a plan: "Year 10".
_LAST_YEAR = 30
_LATER_YEAR = re.compile(r"(?:y|yr|year)(?:[2-9]|[12]\d)")
_TYPO_LENGTH, _TYPO_LIKENESS = 5, 0.86


@dataclass(frozen=True, slots=True, eq=False)
class Synonym:
    """A way to write a field's header; weak ones need their context. There is one object of each."""

    field: str
    tokens: Tokens
    strength: Strength


@cache
def _index() -> dict[str, tuple[Synonym, ...]]:
    """Synonyms by each token that they hold."""
    found: dict[str, list[Synonym]] = {}
    for spec in dictionary().fields.values():
        by_strength: dict[Strength, tuple[str, ...]] = {
            "strong": spec.synonyms,
            "generic": spec.generic,
            "weak": spec.weak,
        }
        for strength, texts in by_strength.items():
            for tokens in {tokenize(text) for text in texts}:
                synonym = Synonym(spec.name, tokens, strength)
                for token in set(tokens):
                    found.setdefault(token, []).append(synonym)
    return {
        token: tuple(sorted(items, key=lambda s: (s.field, s.tokens, s.strength))) for token, items in found.items()
    }


@cache
def vocabulary() -> frozenset[str]:
    """All words that the dictionary knows."""
    known = dictionary()
    spelt = {part for text in known.tokens.values() for part in text.split()}
    excluded = {token for spec in known.fields.values() for text in spec.excluded for token in tokenize(text)}
    return frozenset(set(_index()) | spelt | set(known.tokens) | excluded | known.neutral | known.never | known.others)


@cache
def own_name(field: str) -> Tokens:
    """The words of a field's own name: a header that is just that outranks its synonyms."""
    return tokenize(field)


@lru_cache(maxsize=32_768)
def spell(token: str) -> Tokens:
    """The known words that `token` runs together or misspells (yearbuilt, adress); itself where it is like none."""
    words = vocabulary()
    if token in words or len(token) < _TYPO_LENGTH or not token.isalpha():
        return (token,)
    parts = _split(token, words)
    if parts:
        return tuple(part for word in parts for part in tokenize(word))
    close = difflib.get_close_matches(token, _with_like_letters(token), 1, _TYPO_LIKENESS)
    return (close[0],) if close else (token,)


@cache
def _long_words() -> tuple[NDArray[np.str_], NDArray[np.int64], NDArray[np.int64]]:
    """The known words that typos are looked for in, the letters of each as bits, and its length."""
    words = sorted(word for word in vocabulary() if len(word) >= _TYPO_LENGTH)
    return np.array(words), np.array([*map(_letters, words)]), np.array([*map(len, words)])


def _letters(word: str) -> int:
    return functools.reduce(int.__or__, (1 << (ord(letter) & 31) for letter in word))


def _with_like_letters(token: str) -> list[str]:
    """The words that `token` may be like at all: so many letters that only one of both has make a pair unlike.

    Of two words as like as asked for, with n letters in all, half of n times that likeness stand in both.
    """
    words, letters, lengths = _long_words()
    shared = _TYPO_LIKENESS * (lengths + len(token)) / 2
    own, theirs = np.bitwise_count(_letters(token) & ~letters), np.bitwise_count(letters & ~_letters(token))
    return words[(own <= len(token) - shared) & (theirs <= lengths - shared)].tolist()


def _split(token: str, words: frozenset[str], depth: int = 3) -> tuple[str, ...] | None:
    for cut in range(len(token) - 2, 2, -1):
        head, tail = token[:cut], token[cut:]
        if head in words:
            if tail in words and len(tail) > 1:
                return head, tail
            rest = _split(tail, words, depth - 1) if depth > 1 and len(tail) > 4 else None
            if rest:
                return (head, *rest)
    return None


def header_scores(header: Header, context: frozenset[str]) -> Mapping[str, float]:
    """Score (0 to 1) of each field that `header` speaks for; `context` holds the words about and in the table."""
    return _scores_of(replace(header, text=""), context)


@lru_cache(maxsize=4_096)
def _scores_of(header: Header, context: frozenset[str]) -> Mapping[str, float]:
    """Those scores, kept: forms and stacked tables say the same again and again. No text of a header tells."""
    whole = tuple(part for token in header.tokens for part in spell(token))
    last = tuple(part for token in header.last for part in spell(token))
    scores = _scores(whole, whole, header, context)
    if last != whole:
        beside = tuple(token for token in whole if token in last or token not in _GROUPS)
        for name, score in _scores(last, beside, header, context).items():
            scores[name] = max(scores.get(name, 0.0), 0.94 * score)
    return scores


def _scores(tokens: Tokens, whole: Tokens, header: Header, context: frozenset[str]) -> dict[str, float]:
    scores: dict[str, float] = {}
    index, fields = _index(), dictionary().fields
    for synonym in {s for token in tokens for s in index.get(token, ())}:
        score = _match(tokens, synonym.tokens)
        if score <= 0.3:
            continue
        spec = fields[synonym.field]
        if _refused(spec, synonym.tokens, whole, header) or _refuted(spec.name, synonym.tokens, context):
            continue
        if synonym.strength != "strong":
            score *= _GENERIC if synonym.strength == "generic" else _weak_strength(spec, header, context)
            score *= 0.5 if _says_more(tokens, synonym.tokens) else 1.0
        if _speaks_of_another(tokens, synonym.tokens):
            score *= _OF_OTHER_SIZE if spec.unit in _PER_SIZE else _OF_ANOTHER
        if _has_unit(spec, header):
            score = min(1.0, score + 0.04)
        if tokens != own_name(spec.name):
            score = min(_OTHER_NAME, score)
        scores[spec.name] = max(scores.get(spec.name, 0.0), score)
    return scores


def _says_more(tokens: Tokens, synonym: Tokens) -> bool:
    """Whether words beside a weak synonym may turn its meaning: "fund name" is no deal's name."""
    neutral = dictionary().neutral
    return any(token not in synonym and token not in neutral and token not in _SIGNS for token in tokens)


def _speaks_of_another(tokens: Tokens, synonym: Tokens) -> bool:
    """Whether the synonym only owns what an unknown word names: a "property description" names no property."""
    neutral = dictionary().neutral
    beside = (token for token in tokens if token not in synonym and token not in _SIGNS)
    return neutral.issuperset(synonym) and any(token not in neutral and not token.isdecimal() for token in beside)


def _weak_strength(spec: FieldSpec, header: Header, context: frozenset[str]) -> float:
    """How far a weak synonym counts: in full when the unit is the field's, by its context otherwise."""
    against = sum(word in context for word in spec.against)
    if _has_unit(spec, header) and not against:
        return 0.95
    hits = sum(2 if f"sheet:{word}" in context else word in context for word in spec.context)
    hits -= 2 * against
    return min(0.94, max(0.0, _WEAK + _WEAK_STEP * hits))


def _match(tokens: Tokens, synonym: Tokens) -> float:
    """How far `tokens` are `synonym`: 1 when the same, less for each word that stands beside it."""
    if tokens == synonym:
        return 1.0
    have, need = set(tokens), set(synonym)
    if have == need:
        return 0.97
    if need <= have:
        near = 0.0 if _contiguous(tokens, synonym) else 0.06
        return max(0.0, 0.99 - near - sum(map(_cost, have - need)) / len(need) ** 0.25)
    return 0.46 * len(have) / len(need) if have < need and 2 * len(have) >= len(need) else 0.0


def _cost(token: str) -> float:
    known = dictionary()
    if token in known.neutral or token in _SIGNS:
        return _COST_NEUTRAL
    if token.isdecimal():
        return _COST_DIGIT
    return _COST_OTHER if token in known.others else _COST_UNKNOWN


def _contiguous(tokens: Tokens, part: Tokens) -> bool:
    return part[0] in tokens and any(tokens[i : i + len(part)] == part for i in range(len(tokens) - len(part) + 1))


def _refused(spec: FieldSpec, synonym: Tokens, tokens: Tokens, header: Header) -> bool:
    """Whether something in the header says that it is not the field."""
    beside = tuple(token for token in tokens if token not in synonym)
    known = dictionary()
    if any(token in known.never for token in beside) or (spec.place and any(t in known.others for t in beside)):
        return True
    if spec.type in _FIGURES and _of_later_year(beside):
        return True
    alone = tuple(token[:-1] if len(token) > 3 and token.endswith("s") else token for token in beside)
    if any(_contiguous(beside, words) or _contiguous(alone, words) for words in _excluded(spec.name)):
        return True
    if spec.period and header.period and spec.period != header.period:
        return True
    return _unit_refuses(spec, synonym, header)


def _of_later_year(tokens: Tokens) -> bool:
    """Whether a figure is that of a year to come, which is none of today's: NOI (Year 3), Yr 5 cap rate, Y2."""
    return any(
        _LATER_YEAR.fullmatch(word) or (word == "year" and after.isdecimal() and 2 <= int(after) <= _LAST_YEAR)
        for word, after in pairwise((*tokens, ""))
    )


def _refuted(name: str, synonym: Tokens, context: frozenset[str]) -> bool:
    """Whether the words about the table give the synonym another meaning."""
    return any(words <= context for words in _refuting(name).get(synonym, ()))


@cache
def _refuting(name: str) -> dict[Tokens, tuple[frozenset[str], ...]]:
    said = dictionary().fields[name].refuted or {}
    return {tokenize(synonym): tuple(frozenset(tokenize(text)) for text in texts) for synonym, texts in said.items()}


@cache
def _excluded(name: str) -> tuple[Tokens, ...]:
    return tuple(words for text in dictionary().fields[name].excluded if (words := tokenize(text)))


def _unit_refuses(spec: FieldSpec, synonym: Tokens, header: Header) -> bool:
    if spec.type in ("text", "date", "year"):
        sized = bool(header.units - {"years", "months"})
        return sized or (header.percent and "percent" not in synonym and spec.type == "text")
    if header.percent and spec.type != "fraction":
        return True
    if header.currency and spec.type != "money":
        return True
    units = header.units - ({"years", "months"} if spec.unit not in ("months", "years") else set())
    if not units or (spec.unit == "per_sf" and units <= {"sf"} and {"sf", "per"} & set(synonym)):
        return False
    return not _has_unit(spec, header)


def _has_unit(spec: FieldSpec, header: Header) -> bool:
    """Whether the header states the field's unit, or one that is turned into it."""
    return spec.unit is not None and any(u == spec.unit or (u, spec.unit) in CONVERSIONS for u in header.units)


def context_words(about: Iterable[str], headers: Iterable[Header]) -> frozenset[str]:
    """The words about a table (its sheet's name and titles, marked `sheet:` as well) and of all its headers."""
    titled = {part for text in about for token in tokenize(text) for part in spell(token)}
    said = {part for header in headers for token in header.tokens for part in spell(token)}
    return frozenset(titled | said | {f"sheet:{word}" for word in titled})
