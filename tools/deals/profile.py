"""What a column's values look like, told from an even sample of them."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tools.deals.dates import AmbiguousDateError, is_partial, read_date
from tools.deals.dictionary import FieldSpec
from tools.deals.numbers import NotNumber, NumberText, decimal_comma_in, is_placeholder, read_number
from tools.deals.words import WORDS
from tools.workbook.grid import CellError
from tools.workbook.words import as_seen

SAMPLE = 160
_POSTAL = re.compile(
    r"'?\d{3,5}(?:[- ]\d{3,4})?(?:\.0)?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{9}", re.IGNORECASE
)
_STATE = re.compile(r"[A-Z]{2,3}|[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}")
#: When it was built, and renovated, in one cell of a column that says both: 1974/1998, 1974 (R 1998).
TWO_YEARS = re.compile(r"\s*((?:1[5-9]|20)\d{2})\s*[/,;&(–-]\s*[a-z. ]{0,12}((?:1[5-9]|20)\d{2})\)?\s*", re.IGNORECASE)
_CODED = re.compile(r"[A-Za-z]{0,4}[-_.]?\d{3,}[A-Za-z]?")
_MOSTLY_ANSWERS = 0.8
_MOSTLY_UNITS = 0.8
_FEWEST_COUNTED = 3
_RANGES_ALONE = 0.6
#: A share of numbers with their units, above which texts are measures and no places.
_MEASURED = 0.3
_SCALES = (1, 1_000, 1_000_000)
#: Whole numbers that are years under the header of a day.
_YEARS_ALONE = (1950, 2100)


@dataclass(frozen=True, slots=True)
class Profile:
    """Shares (0 to 1) among the sampled values that are not placeholders, and the numbers read.

    `others` are the second readings of numbers whose separators allow two, where some do, in the same order.

    `unit` is the one that nearly all of them state themselves: "22,000 SF".
    """

    count: int
    filled: float
    numeric: float = 0.0
    dates: float = 0.0
    partial_dates: float = 0.0
    text: float = 0.0
    numbers: tuple[float, ...] = ()
    others: tuple[float, ...] = ()
    percent: float = 0.0
    distinct: float = 0.0
    lettered: float = 0.0
    numbered_text: float = 0.0
    postal: float = 0.0
    state: float = 0.0
    length: float = 0.0
    answers: float = 0.0
    ranges: float = 0.0
    coded: float = 0.0
    two_years: float = 0.0
    unit: str | None = None


def sample(values: Sequence[object]) -> list[object]:
    """At most SAMPLE values that are not missing, evenly spread, first ones included."""
    if len(values) > 4 * SAMPLE:
        step = len(values) // (4 * SAMPLE)
        values = [*values[: SAMPLE // 4], *values[SAMPLE // 4 :: step]]
    held = [value for value in values if value is not None]
    return held if len(held) <= SAMPLE else held[:: len(held) // SAMPLE + 1]


def profile(values: Sequence[object], gaps: bool = True, decimal_comma: bool | None = None) -> Profile:
    """The profile of a column's `values`, None where missing; `gaps` is False where none is.

    Errors say nothing of what a column holds. `decimal_comma` is how the table writes numbers where the column's own
    texts do not tell.
    """
    held = [value for value in sample(values) if not isinstance(value, CellError)]
    filled = 0.0 if not values else 1 - values.count(None) / len(values) if gaps else 1.0
    absent = {text for text in {v for v in held if isinstance(v, str)} if is_placeholder(text)}
    told = [v for v in held if not (isinstance(v, str) and v in absent)] if absent else held
    if not told:
        return Profile(0, filled)
    texts = [v for v in told if isinstance(v, str)]
    others = [v for v in told if not isinstance(v, str)] if len(texts) < len(told) else []
    numbers, seconds, percents, ranges, units = _numbers(others, texts, decimal_comma)
    n = len(told)
    looks = {text: _look(text) for text in set(texts)}
    seen = _Look(*map(sum, zip(*(looks[text] for text in texts), strict=True))) if texts else _Look()
    days = sum(isinstance(v, dt.date) for v in others)
    return Profile(
        count=n,
        filled=filled,
        numeric=len(numbers) / n,
        dates=(days + seen.dated) / n,
        partial_dates=seen.partial / n,
        text=len(texts) / n,
        numbers=tuple(numbers),
        others=tuple(seconds),
        percent=percents / n,
        distinct=len({*looks, *map(str, others)}) / n,
        lettered=seen.lettered / n,
        numbered_text=seen.numbered / n,
        postal=(seen.postal + sum(bool(_POSTAL.fullmatch(_plain(v))) for v in others)) / n,
        state=seen.state / n,
        length=seen.length / max(1, len(texts)),
        answers=(seen.answer + sum(_is_answer(v) for v in others)) / n,
        ranges=ranges / n,
        two_years=seen.two_years / n,
        unit=next((unit for unit, count in units.items() if count >= _MOSTLY_UNITS * n), None),
        coded=seen.coded / n,
    )


class _Look(NamedTuple):
    """What one text looks like, or how many of a column's texts do; `length` is in letters."""

    dated: int = 0
    partial: int = 0
    lettered: int = 0
    numbered: int = 0
    postal: int = 0
    state: int = 0
    length: int = 0
    answer: int = 0
    two_years: int = 0
    coded: int = 0


def _look(text: str) -> _Look:
    text = as_seen(text)
    stripped = text.strip()
    lettered = any(map(str.isalpha, text))
    digits = any(map(str.isdigit, text))
    return _Look(
        dated=digits and _is_dated(text),
        partial=is_partial(text),
        lettered=lettered,
        numbered=digits and lettered,
        postal=_POSTAL.fullmatch(stripped) is not None,
        state=lettered and _STATE.fullmatch(stripped) is not None,
        length=len(text),
        answer=stripped.casefold() in WORDS.answers,
        two_years=digits and TWO_YEARS.fullmatch(text) is not None,
        coded=digits and _CODED.fullmatch(stripped) is not None,
    )


def _is_dated(text: str) -> bool:
    try:
        return read_date(text, None) is not None
    except AmbiguousDateError:
        return True


def _is_answer(value: object) -> bool:
    return isinstance(value, bool) or str(value).strip().casefold() in WORDS.answers


def _plain(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def _numbers(
    others: list[object], texts: list[str], decimal_comma: bool | None
) -> tuple[list[float], list[float], int, int, Counter[str]]:
    """The numbers, their second readings where some have one, and how many are percentages, ranges and of each unit."""
    found = [float(v) for v in others if isinstance(v, (int, float)) and not isinstance(v, bool)]
    comma = decimal_comma_in(texts) if texts else None
    readings = {text: read_number(text, decimal_comma if comma is None else comma) for text in set(texts)}
    tried = [readings[text] for text in texts]
    read = [number for number in tried if isinstance(number, NumberText)]
    ranges = sum(isinstance(number, NotNumber) and number.why == "range" for number in tried)
    values = [number.value / 100 if number.unit == "bps" else number.value for number in read]
    units = Counter(number.unit for number in read if number.unit is not None)
    seconds = [value if number.other is None else number.other for number, value in zip(read, values, strict=True)]
    return found + values, [] if seconds == values else found + seconds, sum(n.percent for n in read), ranges, units


def fit(spec: FieldSpec, seen: Profile) -> float:
    """How well values as `seen` fit field `spec`, 0 to 1; 0.85 where there are none to tell."""
    if not seen.count:
        return 0.85
    if spec.type == "text":
        return _fit_text(spec.shape, seen)
    if spec.type == "date":
        serials = sum(20_000 < v < 80_000 or 19_500_101 < v < 21_001_231 or v == 0 for v in seen.numbers) / seen.count
        years = sum(_YEARS_ALONE[0] <= v <= _YEARS_ALONE[1] and v == int(v) for v in seen.numbers) / seen.count
        return min(1.0, seen.dates + 0.75 * serials + 0.7 * (seen.partial_dates if seen.text else years))
    if spec.type == "year":
        years = sum(spec.plausible(v) or v == 0 for v in seen.numbers if v == int(v))
        return min(1.0, years / seen.count + seen.two_years + 0.6 * seen.dates)
    return _fit_number(spec, seen)


def _fit_number(spec: FieldSpec, seen: Profile) -> float:
    if seen.dates > 0.5:
        return 0.0
    if not seen.numbers:
        return _RANGES_ALONE * seen.ranges
    factors = (0.01, 1) if spec.type == "fraction" else _SCALES if spec.type == "money" else (1,)
    share = min(1.0, (seen.numeric + _RANGES_ALONE * seen.ranges) * 1.15)
    return share * max(_fit_sizes(spec, numbers, factors) for numbers in (seen.numbers, seen.others) if numbers)


def _fit_sizes(spec: FieldSpec, numbers: Sequence[float], factors: Sequence[float]) -> float:
    """How many of `numbers` are as large as those of a field are, times one of `factors`, and whole where these are."""
    sizes = [abs(v) for v in numbers] if spec.negative else numbers
    inside = sum(v == 0 or any(spec.plausible(v * f) for f in factors) for v in sizes) / len(sizes)
    whole = sum(v == int(v) for v in numbers) / len(numbers) if spec.type == "count" else 1.0
    return (0.3 + 0.7 * inside) * (0.4 + 0.6 * whole)


def counts_up(numbers: Sequence[float]) -> bool:
    """Whether each number is one more than that before it: no amounts, but numbers of loans or rows."""
    return len(numbers) >= _FEWEST_COUNTED and all(after - before == 1 for before, after in pairwise(numbers))


def _fit_text(shape: str | None, seen: Profile) -> float:
    if seen.answers >= _MOSTLY_ANSWERS and shape in ("category", "name"):
        return 0.0
    plain_number = seen.numeric + seen.dates
    if shape == "postal":
        return seen.postal if seen.postal > 0.4 else seen.postal * 0.5
    if shape == "code":
        return (
            0.0 if seen.dates > 0.6 and seen.numeric < 0.6 else (1.0 if seen.distinct > 0.5 or seen.count < 5 else 0.75)
        )
    if shape == "state":
        return max(seen.state, 0.3 * seen.lettered)
    if shape == "address":
        return seen.lettered * (0.55 + 0.45 * min(1.0, 1.4 * seen.numbered_text))
    if shape == "place":
        named = seen.lettered * (1.0 - 0.4 * seen.numbered_text) * (1.0 if seen.length < 45 else 0.5)
        return named * (1.0 - seen.numeric) if seen.numeric > _MEASURED else named
    if shape == "category":
        return (
            seen.lettered
            * (1.0 if seen.distinct < 0.6 or seen.count < 12 else 0.8)
            * (1.0 if 1 < seen.length < 60 else 0.4)
        )
    if shape == "name":
        named = max(0.0, seen.lettered - 0.8 * seen.dates) * (1.0 if seen.length < 90 else 0.6)
        return named * (1 - 0.7 * seen.coded)
    return max(0.0, 1.0 - plain_number) if seen.lettered < 0.5 else 1.0
