"""A portfolio cut by kind, by state, by stage or by year: each part with its count, its amount and its share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from schemas.figures import Figure
from tools.figures.measures import Portfolio, cells_of, has_pin, month_to_month, share
from tools.figures.registry import counted
from tools.figures.series import Series, figure

MOST_KINDS = 4
"""Kinds told apart by colour; where there are more, the fourth is "Other"."""
MOST_YEARS = 10
YES_NO = frozenset(("yes", "no", "y", "n", "true", "false", "x", "0", "1"))


@dataclass(frozen=True, slots=True)
class Group:
    """One part: its name (`from_file` when the file wrote it), records, count, amount and share where there are any."""

    label: str
    from_file: bool
    records: tuple[int, ...]
    count: Figure
    amount: Figure | None
    share: Figure | None


@dataclass(frozen=True)
class Breakdown:
    """A portfolio in parts by `field`, the greatest first, "Other" and "Not provided" last; shares are of `whole`."""

    field: str
    measure: Series | None
    groups: tuple[Group, ...]
    whole: Figure

    @cached_property
    def places(self) -> dict[int, int]:
        """The number (0-based) of the group that holds each record."""
        return {record: at for at, group in enumerate(self.groups) for record in group.records}


@dataclass(frozen=True, slots=True)
class Timeline:
    """Amounts by year of a date field, in order of time, with the cumulative share after each.

    `undated` are the records that have an amount and no date; they are in no bucket and in no share.
    """

    field: str
    measure: Series | None
    groups: tuple[Group, ...]
    cumulative: tuple[Figure, ...]
    whole: Figure
    undated: tuple[int, ...]

    @property
    def peak(self) -> int:
        """The bucket with the greatest amount, the earliest of equals."""
        return max(range(len(self.groups)), key=lambda at: (_size(self.groups[at]), -at))


def _size(group: Group) -> Decimal:
    value = group.amount.value if group.amount else group.count.value
    return value if isinstance(value, Decimal) else Decimal(0)


def group_field(portfolio: Portfolio) -> str | None:
    """The field that tells kinds apart: the first of the profile's that at least half the records have."""
    fields = portfolio.profile.group_fields
    return next((name for name in fields if _tells_kinds(portfolio, name)), None)


def _tells_kinds(portfolio: Portfolio, name: str) -> bool:
    """Whether half the records have the field, and it says more than yes or no."""
    if portfolio.view.present(name) * 2 < portfolio.count:
        return False
    return any(text and text.casefold() not in YES_NO for text in portfolio.view.texts(name))


def by_field(portfolio: Portfolio, field: str, measure: Series | None, most: int = MOST_KINDS) -> Breakdown | None:
    """The portfolio by the text of `field`, whatever its case, in at most `most` parts; None when no record has it."""
    members, labels = _members(portfolio, field)
    if not labels:
        return None
    weight = _weights(portfolio, measure)
    order = sorted(labels, key=lambda key: (-sum((weight[i] for i in members[key]), Decimal(0)), members[key][0]))
    missing = members.get("", [])
    room = most - bool(missing)
    parts = [(labels[key], True, members[key]) for key in order]
    if len(parts) > room:
        rest = sorted(record for _, _, records in parts[room - 1 :] for record in records)
        parts = [*parts[: room - 1], ("Other", False, rest)]
    parts += [("Not provided", False, missing)] if missing else []
    return _breakdown(portfolio, field, measure, parts)


def _members(portfolio: Portfolio, field: str) -> tuple[dict[str, list[int]], dict[str, str]]:
    """Records by folded text ("" where missing), and each text's first spelling."""
    members: dict[str, list[int]] = {}
    labels: dict[str, str] = {}
    for record, text in enumerate(portfolio.view.texts(field)):
        if record in portfolio.vacant:
            continue
        key = text.casefold() if text else ""
        members.setdefault(key, []).append(record)
        if text:
            labels.setdefault(key, text)
    return members, labels


def _weights(portfolio: Portfolio, measure: Series | None) -> Sequence[Decimal]:
    if measure is None:
        return [Decimal(1)] * portfolio.count
    return [(v or Decimal(0)) if i not in measure.foreign else Decimal(0) for i, v in enumerate(measure.values)]


def _breakdown(
    portfolio: Portfolio, field: str, measure: Series | None, parts: Sequence[tuple[str, bool, list[int]]]
) -> Breakdown:
    whole = _whole(portfolio, measure)
    groups = tuple(_group(portfolio, f"by_{field}.{at}", measure, part, whole) for at, part in enumerate(parts, 1))
    return Breakdown(field, measure, groups, whole)


def _whole(portfolio: Portfolio, measure: Series | None) -> Figure:
    return portfolio.deals(portfolio.count) if measure is None else portfolio.totals[measure.key]


def _group(
    portfolio: Portfolio, name: str, measure: Series | None, part: tuple[str, bool, list[int]], whole: Figure
) -> Group:
    """A part with its figures; a share is of the amounts present, or of the count where there is no measure."""
    label, from_file, records = part
    number = counted(len(records), f"{label}, {portfolio.profile.nouns}", f"count of records: {label}")
    number = number.model_copy(update={"id": portfolio.figure_id(f"{name}.count"), "cells": _where(portfolio, records)})
    if measure is None:
        return Group(label, from_file, tuple(records), number, None, share(portfolio, name, number, whole))
    members = [i for i in records if measure.values[i] is not None and i not in measure.foreign]
    value = sum((measure.values[i] or Decimal(0) for i in members), Decimal(0)) if members else None
    cells = cells_of(portfolio.view, (measure,), members)
    identity = portfolio.figure_id(f"{name}.{measure.key}")
    rule = f"sum of {len(members):,} of {len(records):,} with {label}"
    pinned = has_pin(portfolio.view, (measure,), members)
    amount = figure(identity, measure.spec, value, rule, cells, pinned=pinned)
    amount = amount.model_copy(update={"label": f"{label}, {measure.label}"})
    return Group(label, from_file, tuple(records), number, amount, share(portfolio, name, amount, whole))


def _where(portfolio: Portfolio, records: Sequence[int]) -> tuple[str, ...]:
    """The cells of the first naming field that the records have, for a count."""
    names = portfolio.view.names or tuple(c.field for c in portfolio.table.columns[:1] if c.field)
    return portfolio.view.ranges(names[:1], records)


def by_year(portfolio: Portfolio, field: str, measure: Series | None) -> Timeline | None:
    """The portfolio by year of date `field`: what has ended or runs month to month first, a long tail last.

    None when no record has the date, or the amounts add up to nothing. Years before `as_of` are one bucket, and so are
    those from the tenth on.
    """
    key = ("by_year", field, measure.key if measure else "")
    if key not in portfolio.kept:
        portfolio.kept[key] = _by_year(portfolio, field, measure)
    return portfolio.kept[key]


def _by_year(portfolio: Portfolio, field: str, measure: Series | None) -> Timeline | None:
    ends, weight = portfolio.view.dates(field), _weights(portfolio, measure)
    dated: dict[str, list[int]] = {}
    undated: list[int] = []
    for record, end in enumerate(ends):
        if record in portfolio.vacant or not weight[record]:
            continue
        key = _bucket(portfolio, field, record, end)
        if key is None:
            undated.append(record)
        else:
            dated.setdefault(key, []).append(record)
    years = sorted(key for key in dated if key.isdigit())
    if not years or sum((weight[i] for records in dated.values() for i in records), Decimal(0)) <= 0:
        return None
    parts = [(key, False, dated[key]) for key in ("Ended", "MTM") if key in dated]
    parts += _years(dated, years)
    return _timeline(portfolio, field, measure, parts, tuple(undated))


def _years(dated: dict[str, list[int]], years: list[str]) -> list[tuple[str, bool, list[int]]]:
    """Each year from first to last, also those with nothing, the tail after the tenth in one."""
    first, last = int(years[0]), int(years[-1])
    tail = first + MOST_YEARS - 1
    shown = [(str(year), True, dated.get(str(year), [])) for year in range(first, min(last, tail) + 1)]
    if last > tail:
        rest = sorted(record for year in years if int(year) >= tail for record in dated[year])
        shown[-1] = (f"{tail} on", True, rest)
    return shown


def _bucket(portfolio: Portfolio, field: str, record: int, end: date | None) -> str | None:
    if end is None:
        return "MTM" if field == "lease_expiry" and month_to_month(portfolio.view, record) else None
    if portfolio.as_of is not None and end < portfolio.as_of:
        return "Ended"
    return str(end.year)


def _timeline(
    portfolio: Portfolio,
    field: str,
    measure: Series | None,
    parts: list[tuple[str, bool, list[int]]],
    undated: tuple[int, ...],
) -> Timeline:
    records = sorted(record for _, _, members in parts for record in members)
    everything = _group(portfolio, f"{field}.dated", measure, ("a date", False, records), _whole(portfolio, measure))
    whole = everything.amount or everything.count
    what = measure.label if measure else portfolio.profile.nouns
    whole = whole.model_copy(update={"label": f"{what} with a date"})
    groups: list[Group] = []
    running: list[Figure] = []
    for at, part in enumerate(parts, 1):
        groups.append(_group(portfolio, f"{field}.{at}", measure, part, whole))
        so_far = [record for _, _, members in parts[:at] for record in members]
        label = (f"up to {part[0]}", False, sorted(so_far))
        reached = _group(portfolio, f"{field}.to_{at}", measure, label, whole).share
        assert reached is not None  # the whole is above 0: each record in it has a weight
        running.append(reached)
    return Timeline(field, measure, tuple(groups), tuple(running), whole, undated)


def pooled(portfolio: Portfolio, name: str, label: str, measure: Series, records: Sequence[int]) -> Group:
    """Any set of records as a part: its count, amount, and share of the total of `measure`."""
    return _group(portfolio, name, measure, (label, False, sorted(records)), _whole(portfolio, measure))
