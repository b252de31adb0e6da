"""What a column's neighbours say of it: a rent over its area is that of a month or that of a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeGuard

from schemas.workbook import Candidate

_RENTS = ("rent_monthly", "rent_annual")
_AREAS = frozenset({"building_sf", "leased_sf"})
_CHARGE_WORDS = frozenset({"charge", "charges"})
_RENT_CODES = ("rent", "rnt", "base rent", "brent", "resrent", "contract rent", "lease rent")
_MOSTLY = 0.8
_MOST_MONTHLY, _LEAST_ANNUAL = 4.5, 9.0
_OPEN, _STEP, _MOST, _FEWEST, _SAMPLED = 0.2, 0.1, 0.94, 2, 400


@dataclass(frozen=True, slots=True)
class Valued:
    """A column's values with its candidates, best first."""

    values: Sequence[object]
    candidates: tuple[Candidate, ...]


def settle_periods(columns: Sequence[Valued]) -> list[tuple[Candidate, ...]]:
    """The candidates; where a rent may be a month's or a year's, its amount per SF speaks for one of them.

    Less than $4.50 a month and more than $9.00 a year are common in the United States; between them it stays open.
    """
    areas = next((c.values for c in columns if c.candidates and c.candidates[0].field in _AREAS), None)
    if areas is None:
        return [column.candidates for column in columns]
    return [_settled(column, areas) if _is_open(column.candidates) else column.candidates for column in columns]


def _is_open(candidates: tuple[Candidate, ...]) -> bool:
    scores = {c.field: c.score for c in candidates if c.field in _RENTS}
    best = bool(candidates) and candidates[0].field in _RENTS
    return best and len(scores) == len(_RENTS) and abs(scores["rent_monthly"] - scores["rent_annual"]) < _OPEN


def _settled(column: Valued, areas: Sequence[object]) -> tuple[Candidate, ...]:
    pairs = zip(column.values[:_SAMPLED], areas[:_SAMPLED], strict=True)
    shares = [
        a / b for a, b in pairs if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a > 0 and b > 0
    ]
    if len(shares) < _FEWEST:
        return column.candidates
    each = median(shares)
    field = "rent_monthly" if each < _MOST_MONTHLY else "rent_annual" if each > _LEAST_ANNUAL else None
    if field is None:
        return column.candidates
    best = min(_MOST, column.candidates[0].score + _STEP)
    told = [_moved(c, each, best if c.field == field else best - 2 * _STEP) for c in column.candidates]
    return tuple(sorted(told, key=lambda c: (-c.score, c.field)))


def _moved(candidate: Candidate, each: float, score: float) -> Candidate:
    """The candidate with the score and the evidence that the amount per SF gives, if it is a rent."""
    if candidate.field not in _RENTS:
        return candidate
    return Candidate(candidate.field, round(score, 3), f"{candidate.evidence}, {each:.2f} per SF")


def rent_among_charges(headers: Sequence[tuple[str, ...]], columns: Sequence[Sequence[object]]) -> int | None:
    """The index of the column that holds each unit's rent beside the code of the charge; None where there is none.

    Management systems list a unit's charges line by line; the first line of each unit is its rent.
    """
    for at, (words, values) in enumerate(zip(headers, columns, strict=True)):
        if not set(words) & _CHARGE_WORDS or at + 1 >= len(columns):
            continue
        held = [str(value) for value in values if value is not None]
        if not held:
            continue
        amounts = [value for value in columns[at + 1] if value is not None]
        numbers = sum(isinstance(value, (int, float)) and not isinstance(value, bool) for value in amounts)
        rents = sum(map(is_rent_code, held))
        if rents >= _MOSTLY * len(held) and amounts and numbers >= _MOSTLY * len(amounts):
            return at + 1
    return None


def is_rent_code(text: str) -> bool:
    """Whether a code or name of a charge is that of the rent."""
    return text.strip().casefold().startswith(_RENT_CODES)


def is_share_of(parts: Sequence[object], wholes: Sequence[object], areas: Sequence[object]) -> bool:
    """Whether a column holds nearly everywhere what another comes to for each unit of area."""
    rows = zip(parts[:_SAMPLED], wholes[:_SAMPLED], areas[:_SAMPLED], strict=True)
    known = [
        (x, whole / area) for x, whole, area in rows if _is_positive(x) and _is_positive(whole) and _is_positive(area)
    ]
    return bool(known) and sum(abs(x - each) <= 0.01 * each for x, each in known) >= _MOSTLY * len(known)


def _is_positive(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
