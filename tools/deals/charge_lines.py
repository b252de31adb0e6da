"""Rows that repeat their unit and tenant, each with another charge: the lines of one lease, not several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.neighbours import is_rent_code
from tools.deals.numbers import is_amount

_FEWEST_UNITS, _MOST_CHARGES, _NAMED_SHARE, _AGAIN_SHARE = 2, 40, 0.6, 0.75
_CHARGE = re.compile(
    r"\b(?:\w*rents?|rnt\w*|cam|tax(?:es)?|ins|insurance|charges?|reimb\w*|recover\w*|utilit\w*|parking|storage|fees?|escrow|"
    r"maintenance|expenses?|opex|services?|water|sewer|electric\w*|gas|trash|pets?|garage|late|concessions?|credits?|"
    r"promotion|marketing|hvac|amenity|cable|internet|discount|abatement|ret|misc\w*|other)\b",
    re.IGNORECASE,
)


def charge_lines(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> list[int]:
    """The positions of rows that only add a charge to the lease whose line they follow or precede.

    Rows one under another are one lease where unit and tenant are the same, and they differ in nothing but the charge
    that they name and in amounts. The line that fills most stands for it, that of the rent before others.
    """
    pairs = list(zip(columns, mapped, strict=True))
    suites = next((view.values for view, m in pairs if m.field == "suite"), None)
    if suites is None or any(view.cells for view in columns):
        return []
    tenants = next((view.values for view, m in pairs if m.field == "tenant"), [None] * len(suites))
    charges = column_of_charges(columns, mapped)
    if charges is None or charges.kinds != frozenset((str,)) or not _come_again(charges):
        return []
    steady = [view for view in columns if view is not charges and not _holds_amounts(view)]
    lines: list[int] = []
    leases = [run for run in _runs(suites, tenants) if len(run) > 1]
    for run in leases:
        told = [charges.values[at] for at in run]
        if len(set(told)) < len(run) or any(_differ(view, run) for view in steady):
            return []
        head = max(run, key=lambda at: (_filled(columns, at), is_rent_code(str(charges.values[at])), -at))
        lines += [at for at in run if at != head]
    return lines if len(leases) >= _FEWEST_UNITS else []


def column_of_charges(columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> ColumnView | None:
    """The column that says in few words what is charged; None where there is none."""
    return next(
        (view for view, m in zip(columns, mapped, strict=True) if m.field is None and _names_charges(view)), None
    )


def _names_charges(view: ColumnView) -> bool:
    if str not in view.kinds or not view.kinds <= frozenset((str, type(None))):
        return False
    told = {str(value) for value in view.values if value is not None}
    named = sum(_CHARGE.search(text) is not None for text in told)
    return len(told) <= _MOST_CHARGES and named >= _NAMED_SHARE * len(told)


def _come_again(view: ColumnView) -> bool:
    """Whether the column says several things, and most of them in several rows."""
    return 2 <= len(set(view.values)) <= _AGAIN_SHARE * len(view.values)


def _holds_amounts(view: ColumnView) -> bool:
    return all(value is None or is_amount(value) for value in view.values)


def _runs(suites: Sequence[object], tenants: Sequence[object]) -> list[list[int]]:
    """The positions of one lease's lines each: its suite again and again, its tenant too or left blank."""
    runs: list[list[int]] = []
    for at, suite in enumerate(suites):
        head = runs[-1][0] if runs else at
        same = runs and suite is not None and suite == suites[head] and tenants[at] in (None, tenants[head])
        if same:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _filled(columns: Sequence[ColumnView], at: int) -> int:
    return sum(view.values[at] is not None for view in columns)


def _differ(view: ColumnView, run: Sequence[int]) -> bool:
    """Whether the lines of a lease hold two values of the column; blanks go with any."""
    return len({view.values[at] for at in run} - {None}) > 1
