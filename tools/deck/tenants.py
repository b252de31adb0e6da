"""The largest tenants of a rent roll, grouped by the name as written."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from schemas.deck import Box
from tools.deck import grid
from tools.deck.grid import FULL, MARGIN, TOP, inches
from tools.deck.listing import Column, Entry, Listing, lay_out
from tools.deck.page import DeckDraft, Page, short_cells
from tools.figures import formats
from tools.figures.breakdowns import Group, by_field, pooled
from tools.figures.findings import leases_of, tenants_highlight
from tools.figures.formats import Scale
from tools.figures.measures import Portfolio
from tools.figures.registry import sentence

MOST_TENANTS = 10


def plan_tenants(deck: DeckDraft) -> None:
    """Add the ten largest tenants by rent; nothing without a rent roll of at least four."""
    roll = leases_of(deck.portfolio)
    cut = by_field(roll, "tenant", roll.measures["rent"], most=10_000) if roll else None
    groups = [group for group in cut.groups if group.from_file] if cut else []
    if roll is None or cut is None or len(groups) < 4:
        return
    page = deck.page("Table", "Tenancy")
    found = tenants_highlight(roll)
    page.title(found.lead if found else sentence("The largest tenants by rent"))
    if found:
        page.note("".join(run.text for run in page.runs(found.detail)))
    whole = page.mark(cut.whole)
    scale = formats.money_scale((_amount(group) for group in groups), roll.measures["rent"].spec.currency)
    rows = [_row(page, roll, at, group, scale) for at, group in enumerate(groups[:MOST_TENANTS], 1)]
    if len(groups) > MOST_TENANTS:
        rest = [record for group in groups[MOST_TENANTS:] for record in group.records]
        others = pooled(roll, "other.tenants", "other tenants", roll.measures["rent"], rest)
        rows.append(_row(page, roll, None, others, scale))
    head = f"Rent {page.quote(scale.head)}".strip()
    columns = (
        Column("#", "center"), Column("Tenant", mark=whole, elastic=True), Column("Leases", "right"),
        Column("SF", "right"), Column(head, "right"), Column("% of rent", "right"), Column("First end", "right"),
        Column("Last end", "right"), Column("Cells", elastic=True, size_pt=10, color="muted"),
    )  # fmt: skip
    box = Box(MARGIN, TOP, FULL, grid.BODY)
    listing = Listing(
        "Table", box, columns, rows, "The largest tenants by annual rent.", 12, inches(0.352), inches(0.36)
    )
    page.add(lay_out(page, listing))
    left = "; rents in another currency are left out" if roll.measures["rent"].foreign else ""
    page.note(f"Tenants are grouped by the name as written{left}.")
    page.done()


def _amount(group: Group) -> Decimal | None:
    value = group.amount.value if group.amount else None
    return value if isinstance(value, Decimal) else None


def _row(page: Page, roll: Portfolio, place: int | None, group: Group, scale: Scale) -> list[Entry]:
    area = roll.measures.get("area")
    space = (
        pooled(roll, f"area.{group.records[0]}.{len(group.records)}", group.label, area, group.records)
        if area
        else None
    )
    let = formats.number(_amount(space) if space else None)
    percent = group.share.value if group.share else None
    shown = formats.number(percent * 100 if isinstance(percent, Decimal) else None, 1)
    first, last = _ends(page, roll, group)
    amount = formats.scaled(_amount(group), scale)
    others = "other lease" if len(group.records) == 1 else "leases of other tenants"
    tenant = page.quote(group.label) if place else f"{page.show(group.count)} {others}"
    return [
        Entry(page.tell(str(place)) if place else ""),
        Entry(tenant),
        Entry(page.show(group.count)),
        Entry(page.show(space.amount, let) if space and space.amount else let),
        Entry(page.show(group.amount, amount) if group.amount else amount),
        Entry(page.show(group.share, shown) if group.share else shown),
        Entry(first),
        Entry(last),
        Entry(page.quote(short_cells(group.amount.cells if group.amount else (), 2))),
    ]


def _ends(page: Page, roll: Portfolio, group: Group) -> tuple[str, str]:
    """The first and the last lease end of a tenant, as printed."""
    ends = roll.view.dates("lease_expiry")
    known: list[date] = sorted(end for i in group.records if (end := ends[i]) is not None)
    if not known:
        return formats.NOT_PROVIDED, formats.NOT_PROVIDED
    return page.tell(formats.month(known[0])), page.tell(formats.month(known[-1]))
