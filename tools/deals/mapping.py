"""Which column holds which field, by header, values and neighbours; what stays unsure becomes a question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from schemas.workbook import Candidate, Question
from tools.deals.asked import prefer_paid
from tools.deals.building_marks import marks_buildings
from tools.deals.currency_sizes import in_any_currency, in_currency
from tools.deals.dictionary import PRICE_FIELDS, FieldSpec, dictionary
from tools.deals.header_match import context_words, header_scores
from tools.deals.header_text import Header, letters_read, read_header
from tools.deals.neighbours import Valued, is_share_of, rent_among_charges, settle_periods
from tools.deals.numbers import NumberText, decimal_comma_in, read_number
from tools.deals.parties import name_parties
from tools.deals.profile import Profile, counts_up, fit, profile, sample
from tools.deals.said import plain
from tools.deals.sale_years import without_sale_years
from tools.deals.scale import Scale
from tools.deals.type_words import settle_types
from tools.deals.years import prefer_newest

MAPPED, UNSURE_LOW, UNSURE_HIGH = 0.6, 0.42, 0.72
NEAR_TIE = 0.05
_SECOND_CHOICE = 0.1
_FIT_FLOOR = 0.18
_UNIT_IN_VALUES, _PLAIN = 0.85, 0.9
_NAME_SHARE, _NAME_CONFIDENCE, _NAME_WITHIN = 0.6, 0.62, 3
_NAME_LIKELY, _NAME_LETTERED, _ADDRESSES_APART = 0.55, 0.8, 0.9
_CODED = 0.8
_FIT_SHARE = {"text": 0.45}
_RENTS = frozenset({"rent_monthly", "rent_annual", "rent_psf"})
_CHARGE_CONFIDENCE = 0.85
SETTLED = 1.0
_NAMES = frozenset({"deal_name", "tenant", "address"})


@dataclass(frozen=True, slots=True)
class SignsBeside:
    """Currency signs in cells of their own beside a column's values: codes and (row, column) of the cells, by record.

    A sign that several currencies share stands in the place of a code. `column` holds them where it is one by itself.
    """

    codes: Mapping[int, str]
    cells: Mapping[int, tuple[int, int]]
    column: ColumnView | None = None


@dataclass(frozen=True)
class ColumnView:
    """A column to be mapped: its letters, its header as written, and its values from the records.

    Where the fields stand in rows, `letters` is the row's number as text; `cells` holds the (row, column) of each
    value, None where the records are rows and the column is the one that `letters` names. `raws` is what the cells hold
    where `values` are only part of it, or more. `signs`, `scale`, `unit` and `period` are what the cells beside the
    values, their number formats or a title say of them; `apart` the values and those cells as they were, where these
    are a column; `unread` are (row, column) of those among them that say nothing we know.
    """

    letters: str
    header: str
    values: Sequence[object]
    cells: tuple[tuple[int, int], ...] | None = None
    types: frozenset[type] | None = None
    raws: Sequence[object] | None = None
    signs: SignsBeside | None = None
    scale: Scale | None = None
    unit: str | None = None
    period: str | None = None
    apart: tuple[ColumnView, ColumnView] | None = None
    unread: tuple[tuple[int, int], ...] = ()

    @cached_property
    def kinds(self) -> frozenset[type]:
        """The types of the values: `types` where they were counted before."""
        return frozenset(map(type, self.values)) if self.types is None else self.types


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A column's field (None for `extra`) with its confidence, and the candidates that were weighed, best first."""

    letters: str
    header: Header
    field: str | None
    confidence: float
    candidates: tuple[Candidate, ...]
    profile: Profile


def map_columns(
    columns: Sequence[ColumnView], about: Sequence[str], settled: Mapping[str, str | None] | None = None
) -> list[MappedColumn]:
    """The field of each column, each once; `about` are the sheet's name and titles, `settled` fields by letters."""
    longest = letters_read(sum(bool(column.header) for column in columns))
    headers = [_header(column, longest) for column in columns]
    context = context_words(about, headers)
    comma = _decimal_comma_of(columns)
    profiles = [profile(column.values, type(None) in column.kinds, comma) for column in columns]
    found = [_candidates(h, p, context) for h, p in zip(headers, profiles, strict=True)]
    told = settle_periods([Valued(c.values, candidates) for c, candidates in zip(columns, found, strict=True)])
    held = [column.values for column in columns]
    told = without_sale_years(held, headers, profiles, settle_types(held, prefer_paid(headers, told)))
    weighed = prefer_newest(headers, name_parties(headers, profiles, told))
    chosen = _assign(columns, profiles, weighed, settled or {})
    _rent_from_charges(columns, headers, chosen)
    _rent_per_area(columns, chosen)
    _name_from_buyer(weighed, chosen)
    _name_beside_buildings(columns, headers, profiles, weighed, chosen)
    _name_from_first_text(columns, headers, profiles, chosen)
    _id_from_codes(weighed, profiles, chosen)
    return [
        MappedColumn(c.letters, h, *chosen.get(i, (None, _best(weighed[i]))), weighed[i], p)
        for i, (c, h, p) in enumerate(zip(columns, headers, profiles, strict=True))
    ]


def _decimal_comma_of(columns: Sequence[ColumnView]) -> bool | None:
    """Whether the numbers among a table's texts have a decimal comma; None where none tells, or they contradict."""
    said: set[bool] = set()
    for column in columns:
        texts = {text for text in sample(column.values) if isinstance(text, str)} if str in column.kinds else set[str]()
        comma = decimal_comma_in(texts) if texts else None
        if comma is not None and all(isinstance(read_number(text, comma), NumberText) for text in texts):
            said.add(comma)
    return said.pop() if len(said) == 1 else None


def _header(column: ColumnView, longest: int) -> Header:
    """The column's header as understood, with the scale, unit and period beside its values; `longest` is in letters."""
    said = read_header((f"{column.header} {column.period}" if column.period else column.header)[:longest])
    units = frozenset({column.unit}) if column.unit else said.units
    return replace(said, text=column.header, scale=column.scale or said.scale, units=units)


def calibrated(score: float) -> float:
    """The confidence that a column of such a score holds the field: the share that does, as measured."""
    scores, shares = zip(*dictionary().calibration, strict=True)
    return round(float(np.interp(score, scores, shares)), 2)


def _best(candidates: tuple[Candidate, ...]) -> float:
    """Confidence that a column left alone is rightly left alone."""
    return round(1.0 - (candidates[0].score if candidates else 0.0), 3)


def _candidates(header: Header, seen: Profile, context: frozenset[str]) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for name, score in header_scores(header, context).items():
        spec = dictionary().fields[name]
        # Where the header is plain, amounts too large for dollars are in another currency, or told as implausible.
        suits = fit(in_any_currency(spec) if score >= _PLAIN else in_currency(spec, header.currency), seen)
        if spec.unit == "sf" and header.scale:
            suits = max(suits, fit(spec, replace(seen, numbers=tuple(header.scale.factor * n for n in seen.numbers))))
        numbers = spec.type == "money" and header.scale is None and counts_up(seen.numbers)
        if suits < _FIT_FLOOR or (numbers and not spec.plausible(seen.numbers[-1])):
            continue
        states = spec.unit is not None and seen.unit == spec.unit and score >= UNSURE_LOW
        said = max(score, _UNIT_IN_VALUES) if states else score
        share = _FIT_SHARE.get(spec.type, 0.6)
        total = round(said * (1 - share + share * suits), 3)
        found.append(Candidate(name, total, f"header {score:.2f}, values {suits:.2f}"))
    return tuple(sorted(found, key=lambda c: (-c.score, c.field)))


def _assign(
    columns: Sequence[ColumnView],
    profiles: Sequence[Profile],
    weighed: Sequence[tuple[Candidate, ...]],
    settled: Mapping[str, str | None],
) -> dict[int, tuple[str | None, float]]:
    """Column index to (field, confidence): settled ones first, then the best pairs; a field once, a column once."""
    chosen: dict[int, tuple[str | None, float]] = {
        i: (settled[c.letters], SETTLED) for i, c in enumerate(columns) if c.letters in settled
    }
    taken = {field for field, _ in chosen.values()}
    pairs = [
        (candidate.score + 0.02 * profiles[i].filled, -i, candidate)
        for i, candidates in enumerate(weighed)
        for candidate in candidates
        if candidate.score >= MAPPED and candidate.score >= candidates[0].score - _SECOND_CHOICE
    ]
    for _, negative, candidate in sorted(pairs, key=lambda pair: (-pair[0], -pair[1])):
        if -negative not in chosen and candidate.field not in taken:
            chosen[-negative] = (candidate.field, calibrated(candidate.score))
            taken.add(candidate.field)
    return chosen


def _rent_from_charges(
    columns: Sequence[ColumnView], headers: Sequence[Header], chosen: dict[int, tuple[str | None, float]]
) -> None:
    """Where units have their charges line by line, the amount on the line of the rent is the month's rent."""
    taken = {field for field, _ in chosen.values()}
    at = rent_among_charges([h.tokens for h in headers], [c.values for c in columns])
    if at is not None and at not in chosen and not taken & _RENTS and taken & {"tenant", "suite"}:
        chosen[at] = ("rent_monthly", _CHARGE_CONFIDENCE)


def _rent_per_area(columns: Sequence[ColumnView], chosen: dict[int, tuple[str | None, float]]) -> None:
    """Where leases have a rent and none a price, what stands over an area is the rent's: a year's, or it is left."""
    at = {field: i for i, (field, _) in chosen.items() if field}
    rent = next((name for name in ("rent_annual", "rent_monthly") if name in at), None)
    per_area = at.get("price_per_sf")
    if rent is None or per_area is None or chosen[per_area][1] == SETTLED or "rent_psf" in at:
        return
    if not at.keys() & {"tenant", "suite"} or at.keys() & {*PRICE_FIELDS, "deal_value"}:
        return
    area = next((name for name in ("leased_sf", "building_sf") if name in at), None)
    values = [columns[at[name]].values for name in (rent, area) if name]
    monthly = (
        area is not None and rent == "rent_monthly" and is_share_of(columns[per_area].values, values[0], values[1])
    )
    chosen[per_area] = (None, 1.0) if monthly else ("rent_psf", chosen[per_area][1])


def _name_from_buyer(weighed: Sequence[tuple[Candidate, ...]], chosen: dict[int, tuple[str | None, float]]) -> None:
    """Where no column names the deals but a company at the left was taken for the buyer, it is what is bought."""
    if {field for field, _ in chosen.values()} & _NAMES:
        return
    for at in range(min(_NAME_WITHIN, len(weighed))):
        named = next((c for c in weighed[at] if c.field == "deal_name" and c.score >= _NAME_LIKELY), None)
        if named is not None and chosen.get(at, (None, 0.0))[0] == "buyer" and chosen[at][1] < SETTLED:
            chosen[at] = ("deal_name", calibrated(max(MAPPED, named.score)))
            return


def _name_beside_buildings(
    columns: Sequence[ColumnView],
    headers: Sequence[Header],
    profiles: Sequence[Profile],
    weighed: Sequence[tuple[Candidate, ...]],
    chosen: dict[int, tuple[str | None, float]],
) -> None:
    """Where the name column only tells buildings apart, another that may name or place the deals takes its part.

    Where addresses do so already, and no two deals share one, it is left in no field.
    """
    named = {i: field for i, (field, _) in chosen.items() if field in _NAMES}
    marks = [i for i, column in enumerate(columns) if marks_buildings(headers[i], column.values)]
    at = next((i for i, field in named.items() if field == "deal_name"), -1)
    if not marks or (at not in marks if at >= 0 else named) or (at >= 0 and chosen[at][1] == SETTLED):
        return
    if any(field == "address" and profiles[i].distinct >= _ADDRESSES_APART for i, field in named.items()):
        chosen.pop(at, None)
        return
    rivals = [
        (candidate.field == "deal_name", candidate.score, -i, candidate.field)
        for i, candidates in enumerate(weighed)
        if i not in chosen and profiles[i].lettered >= _NAME_LETTERED
        for candidate in candidates
        if candidate.field in ("deal_name", "address") and candidate.score >= _NAME_LIKELY
    ]
    if rivals:
        _, score, negative, field = max(rivals)
        chosen[-negative] = (field, calibrated(max(MAPPED, score)))
        chosen.pop(at, None)


def _name_from_first_text(
    columns: Sequence[ColumnView],
    headers: Sequence[Header],
    profiles: Sequence[Profile],
    chosen: dict[int, tuple[str | None, float]],
) -> None:
    """Where no column names the deals, the leftmost unmapped column of distinct names does, whatever its header."""
    fields = {field for field, _ in chosen.values()}
    if any(c.cells for c in columns) or fields & _NAMES or len(fields - {None}) < 3:
        return
    never = dictionary().never | dictionary().no_names
    for i, seen in enumerate(profiles[:_NAME_WITHIN]):
        texty = seen.lettered >= 0.8 and seen.distinct >= _NAME_SHARE and seen.length < 80 and seen.dates < 0.2
        if i not in chosen and texty and seen.coded < 0.5 and not set(headers[i].tokens) & never:
            chosen[i] = ("deal_name", _NAME_CONFIDENCE)
            return


def _id_from_codes(
    weighed: Sequence[tuple[Candidate, ...]], profiles: Sequence[Profile], chosen: dict[int, tuple[str | None, float]]
) -> None:
    """Where another column names the deals, one of codes that might have named them holds their ids."""
    taken = {field for field, _ in chosen.values()}
    if "deal_name" not in taken or "source_id" in taken:
        return
    for i, seen in enumerate(profiles[:_NAME_WITHIN]):
        named = next((c for c in weighed[i] if c.field == "deal_name" and c.score >= MAPPED), None)
        if i not in chosen and named is not None and seen.coded >= _CODED and seen.distinct == 1.0:
            chosen[i] = ("source_id", calibrated(named.score))
            return


def questions_of(
    table_id: str, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> list[tuple[float, Question]]:
    """The columns whose field is unsure, each with its worth (how much the answer would matter)."""
    asked: list[tuple[float, Question]] = []
    taken = {m.field for m in mapped if m.field}
    for view, m in zip(columns, mapped, strict=True):
        open_ones = [c for c in m.candidates if c.field == m.field or c.field not in taken]
        if m.confidence == SETTLED or _outright(m) or not _unsure(m, open_ones):
            continue
        samples = tuple(quoted(v) for v in _first(view.values))
        worth = max(map(_worth, (dictionary().fields[c.field] for c in open_ones)), default=0.2) * (
            0.5 + m.profile.filled
        )
        asked.append((worth, Question(table_id, view.letters, view.header[:120], samples, tuple(open_ones[:4]))))
    return asked


def _outright(m: MappedColumn) -> bool:
    """Whether the header is the field's own name, over values that fit."""
    return bool(m.candidates) and m.candidates[0].score == 1.0 and m.candidates[0].field == m.field


def quoted(value: object) -> str:
    """A cell's content as quoted data, at most 60 characters of it, control characters escaped."""
    return json.dumps((value if isinstance(value, str) else plain(value))[:60], ensure_ascii=False)


def _unsure(m: MappedColumn, candidates: Sequence[Candidate]) -> bool:
    if not candidates or not m.profile.count:
        return m.field is not None and m.confidence == _NAME_CONFIDENCE
    rivals = [c for c in candidates[1:] if not {c.field, candidates[0].field} <= set(PRICE_FIELDS)]
    tied = bool(rivals) and candidates[0].score - rivals[0].score < NEAR_TIE and candidates[0].score >= UNSURE_LOW
    return tied or UNSURE_LOW <= candidates[0].score < UNSURE_HIGH


def _worth(spec: FieldSpec) -> float:
    return {"money": 1.0, "fraction": 1.0, "number": 0.8, "count": 0.8, "date": 0.7, "year": 0.5, "text": 0.5}[
        spec.type
    ] + (0.4 if spec.identity else 0.0)


def _first(values: Sequence[object], limit: int = 5) -> list[object]:
    """The first few distinct values that are not missing."""
    found: dict[str, object] = {}
    for value in values:
        if value is not None:
            found.setdefault(str(value), value)
            if len(found) == limit:
                break
    return list(found.values())
