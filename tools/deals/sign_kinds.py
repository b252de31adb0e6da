"""What texts in cells beside amounts are: currencies, magnitudes, units and periods, or what closes amounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from tools.deals.currency_signs import currency_in, currency_of_sign
from tools.deals.dictionary import FieldSpec, dictionary
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.numbers import NumberText, is_placeholder, read_number
from tools.deals.scale import scale_in
from tools.deals.words import WORDS
from tools.workbook.words import as_seen

#: What closes or goes on with an amount: bookkeeping programs put it in a cell of its own, so that digits stay aligned.
_ENDINGS = frozenset({")", "%", ")%", "%)"})
_LOOKED_AT, _LONGEST, _FEWEST, _ODD_SHARE = 8, 24, 3, 0.4
#: Units that a tick, a state or a word are as well.
_NO_UNITS = frozenset({"x", "we", "pa", "an", "ans", "times"})
AREAS = frozenset({"sf", "sqm", "sqyd", "acres", "hectares"})
TERMS = frozenset({"months", "years"})
PERIODS = frozenset({"monthly", "annual"})


class SignKind(NamedTuple):
    """The kind of most texts of a column, and those that are of none."""

    kind: str
    odd: frozenset[str] = frozenset()


def plain_sign(text: object) -> str:
    """A cell's text as it is seen."""
    return as_seen(str(text)).strip()


@lru_cache(maxsize=1024)
def said_by(text: str) -> NumberText | None:
    """What a text behind an amount says of it, as the reading of one such; None where it says nothing."""
    if len(text) > _LONGEST or text.casefold() in _NO_UNITS:
        return None
    number = read_number(f"1 {text}", False)
    if not isinstance(number, NumberText) or number.beside or number.approximate or number.unit == "ratio":
        return None
    return number if number.scaled or number.unit or number.currency or number.percent else None


@lru_cache(maxsize=1024)
def factor_of(text: str) -> int | None:
    """What a text beside amounts multiplies them by: k, million, $000s; None where it is no magnitude."""
    if known := WORDS.magnitudes.get(text.casefold()):
        return known
    scale = scale_in(text) if len(text) <= _LONGEST else None
    return scale.factor if scale and scale.text == text.strip() else None


KINDS: Mapping[str, Callable[[str], bool]] = {
    "currency": lambda text: len(text) <= _LONGEST and currency_of_sign(text) is not None,
    "magnitude": lambda text: factor_of(text) is not None,
    "ending": lambda text: text in _ENDINGS,
    "unit": lambda text: said_by(text) is not None,
}


def sign_kind(texts: Iterable[object]) -> SignKind | None:
    """The kind of the `texts` of a column, each as often as it stands there; a few may be of none.

    Placeholders are of any kind: where there is no amount, there is no unit.
    """
    held = iter(texts)
    first = list(islice(held, _LOOKED_AT))
    if not any(is_sign(plain_sign(text)) for text in first):
        return None
    counts = Counter(chain(first, held))
    told = {text: n for raw, n in counts.items() if not is_absent(text := plain_sign(raw))}
    whole = next((kind for kind, holds in KINDS.items() if told and all(map(holds, told))), None)
    return SignKind(whole) if whole else _mostly(told)


def is_sign(text: str) -> bool:
    """Whether a text is of any kind."""
    return any(holds(text) for holds in KINDS.values())


def is_absent(text: str) -> bool:
    """Whether a text says that there is nothing to say."""
    return is_placeholder(text) and not is_sign(text)


def _mostly(told: Mapping[str, int]) -> SignKind | None:
    """The first kind that all but a few of many texts are of."""
    total = sum(told.values())
    for kind in ("currency", "magnitude", "unit"):
        odd = frozenset(text for text in told if not KINDS[kind](text))
        if total - sum(told[t] for t in odd) >= _FEWEST and sum(told[t] for t in odd) <= _ODD_SHARE * total:
            return SignKind(kind, odd)
    return None


def currency_beside(text: str) -> str | None:
    """The currency that a text beside an amount names, alone or with a magnitude."""
    return currency_of_sign(text) or (currency_in(text) if len(text) <= _LONGEST else None)


def likely_field(header: str) -> FieldSpec | None:
    """The field that a header speaks for most; None where it speaks for none."""
    scores = header_scores(read_header(header), frozenset())
    return dictionary().fields[max(scores, key=lambda name: scores[name])] if scores else None


def suits(texts: Iterable[str], header: str) -> bool:
    """Whether amounts under `header` may have one of the units that `texts` say."""
    spec = likely_field(header)
    return spec is None or any(_suits(number, spec) for text in texts if (number := said_by(text)))


def _suits(number: NumberText, spec: FieldSpec) -> bool:
    if number.unit in AREAS:
        return spec.type not in ("money", "fraction", "date", "year")
    if number.unit in TERMS:
        return spec.unit in TERMS or spec.type == "number"
    if number.unit == "units":
        return spec.unit == "units"
    if number.percent or number.unit == "bps":
        return spec.type == "fraction"
    return spec.type == "money"
