"""Suites without a tenant's name that bear rent: further ones of the tenant above, where their terms tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index
from tools.deals.findings import MOST_CELLS
from tools.deals.mapping import ColumnView
from tools.deals.numbers import NumberText, read_number
from tools.deals.table_reading import TableReading

_RENTS = ("rent_annual", "rent_monthly", "rent_psf")
_TERMS = ("lease_start", "lease_expiry")
_NO_TENANT = re.compile(r"\W*(?:vacan\w*|available|unoccupied|unleased|leerstand|vuoto|vacío|libre)\b", re.IGNORECASE)


def with_tenants(reading: TableReading) -> TableReading:
    """The reading; suites that bear rent without a tenant's name have that of the row above, whose days they share.

    The name is cited where it stands. A suite that bears no rent, or whose lease does not end on the same day, is left:
    it may be vacant.
    """
    at = _tenant_column(reading)
    if at is None:
        return reading
    view, rows = reading.columns[at], reading.table.record_rows
    heads = list(range(len(view.values)))
    for record in _rented_unnamed(reading, view):
        above = record - 1
        if above >= 0 and rows[above] == rows[record] - 1 and _one_lease(reading, above, record):
            heads[record] = heads[above]
    filled = [view.values[head] for head in heads]
    named = [name is not None and _NO_TENANT.match(str(name)) is None for name in filled]
    heads = [head if said else record for record, (head, said) in enumerate(zip(heads, named, strict=True))]
    if all(head == record for record, head in enumerate(heads)):
        return reading
    cells = tuple((rows[head], column_index(view.letters)) for head in heads)
    whole = replace(view, values=[view.values[head] for head in heads], cells=cells, types=None)
    return replace(reading, columns=(*reading.columns[:at], whole, *reading.columns[at + 1 :]))


def issue_of_unnamed(reading: TableReading) -> Issue | None:
    """A warning `tenant.blank` that names the suites with a rent and no tenant; None without any."""
    at = _tenant_column(reading)
    blank = [] if at is None else _rented_unnamed(reading, reading.columns[at])
    if at is None or not blank:
        return None
    table, count = reading.table, f"{len(blank):,} suite" + ("s bear" if len(blank) > 1 else " bears")
    message = (
        f"tenant: {count} a rent and no tenant's name; none was taken, as nothing tells a further suite of the tenant "
        "above from a vacant one with an asking rent. Put the name beside each."
    )
    column = column_index(reading.columns[at].letters)
    cells = tuple(cell_address(table.sheet.name, table.record_rows[r], column) for r in blank[:MOST_CELLS])
    return Issue("tenant.blank", "warning", message, cells)


def _tenant_column(reading: TableReading) -> int | None:
    """The column of tenants with gaps, in a table with a suite and a rent a row; None in others."""
    fields = {m.field: i for i, m in enumerate(reading.mapped) if m.field}
    at, table = fields.get("tenant"), reading.table
    if at is None or "suite" not in fields or table.orientation != "rows" or table.kind != "table":
        return None
    return at if type(None) in frozenset(map(type, reading.columns[at].values)) else None


def _rented_unnamed(reading: TableReading, tenants: ColumnView) -> list[int]:
    """The records without a tenant that have a suite and a rent."""
    suites, rents = _column(reading, "suite"), [_column(reading, name) for name in _RENTS]
    return [
        record
        for record, tenant in enumerate(tenants.values)
        if tenant is None and suites and suites[record] is not None and any(r and _is_paid(r[record]) for r in rents)
    ]


def _is_paid(value: object) -> bool:
    if isinstance(value, str):
        said = read_number(value, None)
        return isinstance(said, NumberText) and said.value > 0
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def _one_lease(reading: TableReading, above: int, record: int) -> bool:
    """Whether both leases end on the same day and begin on none other, in the same property and section.

    A day of beginning alone says little: in a new building all leases have the same.
    """
    ends = _column(reading, "lease_expiry")
    terms = [values for name in _TERMS if (values := _column(reading, name))] if ends and ends[record] else []
    names = [values for name in ("deal_name", "address") if (values := _column(reading, name))]
    shared = [values[above] == values[record] for values in terms if values[record] is not None]
    sections = reading.table.sections
    together = all(values[record] in (None, values[above]) for values in names)
    return bool(shared) and all(shared) and together and sections[above] == sections[record]


def _column(reading: TableReading, field: str) -> Sequence[object]:
    pairs = zip(reading.columns, reading.mapped, strict=True)
    return next((view.values for view, m in pairs if m.field == field), ())
