"""One page a deal, for the first twelve: its facts with their cells, how it stands in the portfolio, and its leases."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from schemas import ids
from schemas.deck import Box, ChartBlock, ChartSeries, Paragraph, Run
from schemas.figures import Figure
from tools.deck.grid import BESIDE, BOTTOM, FACTS, MARGIN, TOP, inches, points, span
from tools.deck.listing import Column, Entry, Listing, lay_out
from tools.deck.page import DeckDraft, Page
from tools.deck.plots import ceiling, floor_under, one_label, unit_of
from tools.deck.skyline import blocks, skyline
from tools.figures import formats
from tools.figures.citations import rule_of
from tools.figures.columns import printed_extra, printed_fact
from tools.figures.findings import leases_of, name_of, share_of
from tools.figures.measures import Portfolio
from tools.figures.registry import Sentence, counted, sentence
from tools.figures.series import Series, correction, value_figure
from tools.figures.text import printable
from tools.figures.verbs import deal_verb, of_measure

MOST_DEALS = 12
MOST_FACTS = 12
MOST_LEASES = 5
MOST_BARS = 24
FACT_ROW = inches(0.292)
_FACTS = (
    ("address", "Address"), ("city", "City"), ("state", "State"), ("property_type", "Type"), ("stage", "Stage"),
    ("status", "Status"), ("sector", "Sector"), ("year_built", "Year built"), ("tenant", "Tenant"), ("suite", "Suite"),
    ("lease_expiry", "Lease end"), ("maturity_date", "Maturity"), ("close_date", "Close"), ("sale_date", "Sale date"),
    ("broker", "Broker"), ("lender", "Lender"), ("seller", "Seller"), ("buyer", "Buyer"),
)  # fmt: skip


def plan_deals(deck: DeckDraft) -> None:
    """Add a page for each of the first deals under the deck's emphasis; a rent roll's leases have none."""
    portfolio = deck.portfolio
    if portfolio.kind == "rent_roll":
        return
    order = [record for record in portfolio.ranked(deck.emphasis) if _known(portfolio, record)]
    for place, record in enumerate(order[:MOST_DEALS], 1):
        _deal(deck, record, place, min(len(order), MOST_DEALS))


def _known(portfolio: Portfolio, record: int) -> bool:
    """Whether there is a number to say of a deal."""
    return any(series.values[record] is not None for series in portfolio.measures.values())


def _deal(deck: DeckDraft, record: int, place: int, number: int) -> None:
    portfolio = deck.portfolio
    page = deck.page("Property", f"{portfolio.profile.noun} {record + 1} · page {place} of {number}")
    page.title(_title(deck, record))
    name, short = portfolio.view.name(record), name_of(portfolio, record).text
    if name != short:
        page.cut(name, short)
    bottom = _facts(page, record)
    leases = _leases(portfolio, record)
    right = _lease_table(page, *leases) if leases is not None and leases[1] else _standing(page, record)
    lead = portfolio.lead(deck.emphasis)
    if lead is not None and record in set(lead.records) and len(lead.records) > 2:
        _position(page, lead, record, right)
    drawn = blocks(portfolio)
    strip = Box(MARGIN, BOTTOM - inches(0.74), span(5), inches(0.5))
    if record in drawn and bottom < strip.top:
        page.add(skyline(deck, strip, record))
    page.done()


def _title(deck: DeckDraft, record: int) -> Sentence:
    """`Fairhaven Office Park: $1.79M of NOI, 7.3% of the total`: what leads, else the name alone."""
    portfolio = deck.portfolio
    name, amount, lead = name_of(portfolio, record), portfolio.amount(deck.emphasis), portfolio.lead(deck.emphasis)
    if lead is None or lead.values[record] is None:
        return sentence(name, f": no {lead.label if lead else 'amount'} is provided")
    shown = value_figure(portfolio.view, lead, record)
    part = share_of(portfolio, amount, record) if amount and amount.key == lead.key else None
    if part is None:
        return sentence(name, f" {deal_verb(lead)} ", shown)
    return sentence(name, f" {deal_verb(lead)} ", shown, ", ", part, f" {of_measure(lead)}")


# Facts ---------------------------------------------------------------------------------------------------------------


def _facts(page: Page, record: int) -> int:
    """The table of facts; its lower edge."""
    portfolio = page.deck.portfolio
    rows = _fact_rows(page, record)
    rows += [row for key in portfolio.measures if (row := _measure_row(page, key, record))]
    rows = rows[:MOST_FACTS] if len(rows) > MOST_FACTS else rows + _extra_rows(page, record)[: MOST_FACTS - len(rows)]
    columns = (
        Column("Fact"),
        Column("Value", bold=True, elastic=True),
        Column("Cell", elastic=True, size_pt=10, color="muted"),
    )
    alt = f"Facts of {portfolio.view.name(record)}, each with its cell."
    table = lay_out(page, Listing("Facts", FACTS, columns, rows, alt, 11.5, FACT_ROW, inches(0.3)))
    page.add(table)
    return table.box.bottom


def _fact_rows(page: Page, record: int) -> list[list[Entry]]:
    view = page.deck.portfolio.view
    rows: list[list[Entry]] = []
    for field, head in _FACTS:
        cell = printed_fact(page.deck.portfolio, field, record)
        if cell.missing or (field,) == view.names[:1]:
            continue
        words = page.show(cell.figure, cell.text) if cell.figure else page.quote(cell.text)
        mark = page.cite(cell.note) if cell.note else None
        rows.append(
            [
                Entry(head),
                Entry(words, mark, color="accent2" if mark else None),
                Entry(_cell_text(page, (view.cell(field, record) or "",))),
            ]
        )
    return rows[:6]


def _measure_row(page: Page, key: str, record: int) -> list[Entry] | None:
    """A measure of the deal in full, missing ones as such, with its cells or its rule."""
    portfolio = page.deck.portfolio
    series, shown = portfolio.measures[key], portfolio.value(key, record)
    if shown is None:
        return None
    value = series.values[record]
    spec = series.spec
    text = formats.full(value, spec.unit, series.currency_of(record), spec.places)
    page.show(shown, text)
    note = correction(portfolio.view, series.fields_of(record), record)
    mark = page.cite(note) if note else None
    where = series.rule if record in series.derived else ""
    cells = page.tell(where, rule_of(shown)) if where else _cell_text(page, shown.cells)
    page.derive(shown)
    tint = "accent2" if mark else None
    return [Entry(series.label[:1].upper() + series.label[1:]), Entry(text, mark, color=tint), Entry(cells)]


def _extra_rows(page: Page, record: int) -> list[list[Entry]]:
    """Columns that have no field, as the file has them."""
    table = page.deck.portfolio.table
    rows: list[list[Entry]] = []
    for column in table.columns:
        value = None if column.field else column.values[record]
        if value is None or not column.header:
            continue
        held, head = printed_extra(page.deck.portfolio, column, record), page.quote(printable(column.header, 40))
        words = page.show(held.figure) if held.figure else page.quote(held.text)
        rows.append([Entry(head), Entry(words), Entry(_cell_text(page, (table.cell(column, record) or "",)))])
    return rows


def _cell_text(page: Page, cells: Sequence[str]) -> str:
    return page.quote(printable(", ".join(cell for cell in cells if cell), 60))


# Beside the facts ----------------------------------------------------------------------------------------------------


def _standing(page: Page, record: int) -> int:
    """How the deal stands against the portfolio, measure by measure; the table's lower edge."""
    portfolio = page.deck.portfolio
    rows: list[list[Entry]] = []
    for key, series in portfolio.measures.items():
        whole = portfolio.totals.get(key)
        if series.values[record] is None or whole is None or whole.value is None or record in series.foreign:
            continue
        shown = value_figure(portfolio.view, series, record)
        part = share_of(portfolio, series, record) if series.additive else None
        place, among = _rank(portfolio, series, record)
        page.derive(whole)
        rank = f"{page.show(place)} of {page.show(among)}"
        row = [series.label[:1].upper() + series.label[1:], page.show(shown), page.show(whole)]
        rows.append([*(Entry(text) for text in row), Entry(page.show(part) if part else ""), Entry(rank)])
    if not rows:
        return TOP
    nouns = portfolio.profile.nouns
    columns = (
        Column("Against the portfolio", elastic=True), Column("This one", "right", bold=True),
        Column(f"All {nouns}", "right"), Column("Share", "right"), Column("Rank", "right"),
    )  # fmt: skip
    alt = f"{portfolio.view.name(record)} against all {nouns}."
    table = lay_out(page, Listing("Second table", BESIDE, columns, rows[:5], alt, 11, inches(0.29), inches(0.3)))
    page.add(table)
    return table.box.bottom


def _rank(portfolio: Portfolio, series: Series, record: int) -> tuple[Figure, Figure]:
    """A deal's place by a measure, the greatest first, and among how many."""
    value = series.values[record] or Decimal(0)
    above = sum((series.values[i] or Decimal(0)) > value for i in series.records)
    cells = portfolio.view.ranges(series.fields, series.records)
    place = counted(above + 1, f"rank by {series.label}", "place by value, the greatest first", cells)
    among = counted(len(series.records), f"ranked by {series.label}", "deals that have the value", cells)
    update = {"id": portfolio.figure_id(f"{portfolio.view.place(record)}.rank.{series.key}")}
    return place.model_copy(update=update), among.model_copy(update={"id": portfolio.figure_id(f"ranked.{series.key}")})


def _leases(portfolio: Portfolio, record: int) -> tuple[Portfolio, list[int]] | None:
    """The rent roll and its leases at the deal, by the name as written."""
    roll = leases_of(portfolio)
    name = portfolio.view.text("deal_name", record)
    if roll is None or roll is portfolio or not name:
        return None
    key = ids.normalise_key(name)
    names = roll.view.texts("deal_name")
    return roll, [i for i, other in enumerate(names) if other and ids.normalise_key(other) == key]


def _lease_table(page: Page, roll: Portfolio, records: Sequence[int]) -> int:
    """The deal's largest leases; the table's lower edge."""
    rent, area = roll.measures["rent"], roll.measures.get("area")
    order = sorted(records, key=lambda i: (i in rent.foreign, -(rent.values[i] or Decimal(0)), i))
    scale = formats.money_scale((rent.values[i] for i in rent.records), rent.spec.currency)
    rows: list[list[Entry]] = []
    for record in order[:MOST_LEASES]:
        shown, end = value_figure(roll.view, rent, record), printed_fact(roll, "lease_expiry", record)
        space = value_figure(roll.view, area, record) if area else None
        ends = page.show(end.figure, end.text) if end.figure else page.quote(end.text)
        let = formats.number(space.value if space and isinstance(space.value, Decimal) else None)
        rows.append(
            [
                Entry(page.quote(roll.view.name(record))), Entry(page.show(space, let) if space else let),
                Entry(page.show(shown, None if record in rent.foreign else formats.scaled(rent.values[record], scale))),
                Entry(ends),
                Entry(_cell_text(page, shown.cells[:1])),
            ]
        )  # fmt: skip
    head = f"Rent {page.quote(scale.head)}".strip()
    columns = (
        Column("Tenant", elastic=True), Column("SF", "right"), Column(head, "right"), Column("Lease end", "right"),
        Column("Cell", elastic=True, size_pt=10, color="muted"),
    )  # fmt: skip
    if len(order) > MOST_LEASES:
        rest = [page.quote(roll.view.name(i)) for i in order[MOST_LEASES:]]
        page.note("Further leases, in the rent roll: " + "; ".join(rest))
    table = lay_out(
        page, Listing("Second table", BESIDE, columns, rows, "Its largest leases.", 11, inches(0.29), inches(0.3))
    )
    page.add(table)
    return table.box.bottom


def _position(page: Page, lead: Series, record: int, above: int) -> None:
    """The bars of the leading measure, this deal's in its colour, in the room under the table."""
    portfolio = page.deck.portfolio
    order = sorted(lead.records, key=lambda i: (-(lead.values[i] or Decimal(0)), i))
    at = order.index(record)
    start = max(0, min(at - MOST_BARS // 2, len(order) - MOST_BARS))
    window = order[start : start + MOST_BARS]
    own_scale = formats.Scale("", 1, lead.spec.places)
    own = [lead.values[i] for i in lead.records]
    scale = formats.money_scale(own, lead.spec.currency) if lead.spec.unit == "money" else own_scale
    values = [float(formats.half_up((lead.values[i] or Decimal(0)) / scale.divisor, scale.places + 6)) for i in window]
    lit = window.index(record)
    _, code = one_label(page, value_figure(portfolio.view, lead, record), scale, points(BESIDE.width))
    tile = page.deck.tile(record)[0]
    tile = "accent1" if tile == "hair" else tile
    series = ChartSeries(lead.label, tuple(values), "hair", code, labelled=(lit,), point_colors=((lit, tile),))
    page.quote(scale.head)
    name = (
        f"{lead.label[:1].upper()}{lead.label[1:]}{unit_of(scale)}: this {portfolio.profile.noun} among all, by number"
    )
    heading = above + inches(0.16)
    box = Box(BESIDE.left, heading, BESIDE.width, inches(0.28))
    if len(window) < len(order):
        name = name.replace("among all", "and its neighbours")
    page.say("Chart title", Paragraph((Run(name), page.mark(value_figure(portfolio.view, lead, record)))), box=box)
    high = ceiling(max(values) * 1.14)
    low = floor_under(min(values), high)
    names = tuple(page.number(i) for i in window)
    alt = f"{lead.label} of {portfolio.view.name(record)} among the {portfolio.profile.nouns}, the greatest first."
    frame = Box(BESIDE.left, heading + inches(0.34), BESIDE.width, BOTTOM - heading - inches(0.34))
    chart = ChartBlock("Chart", "columns", names, (series,), alt, (0, 0.03, 1, 0.85), low, high, gap_pct=30, box=frame)
    page.add(chart)
