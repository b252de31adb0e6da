"""Where the deals are: a map of tiles for the states of the US, bars for any other regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from schemas.deck import Box, ChartBlock, GroupBlock, Paragraph, Run, Shape, TableBlock
from tools.deck import grid
from tools.deck.grid import FULL, MARGIN, TOP, inches, points
from tools.deck.listing import Column, Entry, Listing, lay_out
from tools.deck.page import KIND_COLORS, DeckDraft, Page
from tools.deck.plots import amount_of, category, ceiling, group_bars, key, scale_of, unit_of
from tools.figures import formats, tokens
from tools.figures.breakdowns import Breakdown, Group, by_field
from tools.figures.registry import Quoted, Sentence, quoted, sentence
from tools.figures.states import NAMES, TILES, state_code
from tools.figures.verbs import in_currency, of_measure, verb

TILE, GAP, PIN = inches(0.54), inches(0.04), inches(0.245)
MOST_STATES = 12
MOST_PINS = 2
"""Numbered pins that a tile holds; more become one that counts them."""


def plan_places(deck: DeckDraft) -> None:
    """Add the map or the bars by state; nothing where fewer than two states are named."""
    portfolio = deck.portfolio
    cut = by_field(portfolio, "state", portfolio.amount(deck.emphasis), most=10_000)
    named = [group for group in cut.groups if group.from_file] if cut else []
    if cut is None or len(named) < 2:
        return
    codes = {group.label: code for group in named if (code := state_code(group.label))}
    known = sum(len(group.records) for group in named if group.label in codes)
    if known * 5 >= portfolio.held * 4:
        _map_slide(deck, cut, named, codes)
    else:
        _bars_slide(deck, cut, named)


def _title(named: Sequence[Group], cut: Breakdown) -> Sentence:
    """`NC, TX and OH earn 43.5% of NOI; the rest is spread over seven states`: the first two, and how many others."""
    first, second = named[0], named[1]
    if first.share is None or second.share is None:
        return sentence(_name(first), " and ", _name(second), " have most of all")
    one = sentence(_name(first), f" {verb(cut.measure, False)} ", first.share, f" {of_measure(cut.measure)}")
    return sentence(one, ", ", _name(second), " ", second.share)


def _name(group: Group) -> Quoted:
    return quoted(NAMES.get(state_code(group.label) or "", group.label), 40)


# The map -------------------------------------------------------------------------------------------------------------


def _map_slide(deck: DeckDraft, cut: Breakdown, named: Sequence[Group], codes: Mapping[str, str]) -> None:
    page = deck.page("Canvas", "Where they are")
    page.title(_title(named, cut))
    read = "One tile is one state; a deeper tile holds more. A pin is one by its number in the table, or how many."
    page.say("Takeaway", Paragraph((Run(read), page.mark(cut.whole))))
    page.add(_tiles(page, named, codes))
    if deck.kinds and len(deck.kinds.groups) > 1:
        entries = [(KIND_COLORS[at][0], page.quote(one.label)) for at, one in enumerate(deck.kinds.groups)]
        left = MARGIN + TILE + 2 * GAP
        page.add(key(page, entries, left, TOP + inches(0.03), 9 * (TILE + GAP) - GAP, most_rows=2))
    page.add(_state_table(page, cut, named))
    page.done()


def _tiles(page: Page, named: Sequence[Group], codes: Mapping[str, str]) -> GroupBlock:
    at_state: dict[str, list[int]] = {}
    sizes: dict[str, Decimal] = {}
    for group in named:
        if code := codes.get(group.label):
            at_state.setdefault(code, []).extend(group.records)
            value = amount_of(group).value
            sizes[code] = sizes.get(code, Decimal(0)) + (value if isinstance(value, Decimal) else Decimal(0))
    most = max(sizes.values(), default=Decimal(0)) or Decimal(1)
    shapes: list[Shape] = []
    for code, (row, column) in TILES.items():
        box = Box(MARGIN + column * (TILE + GAP), TOP + row * (TILE + GAP), TILE, TILE)
        here = at_state.get(code)
        part = float(max(sizes.get(code, Decimal(0)), Decimal(0)) / most)
        fill = tokens.blend(tokens.TILE_LIGHT, tokens.TILE_DARK, part) if here else "bg2"
        word = Run(code, bold=bool(here), size_pt=10, color="tx1" if here else "accent6")
        anchor, inset = ("top", 3) if here else ("middle", 0)
        shapes.append(Shape("rectangle", f"State {code}", box, fill, (word,), anchor, inset))
        shapes += _pins(page, code, box, sorted(here)) if here else []
    listed = "; ".join(f"{NAMES[code]}: {len(records)}" for code, records in sorted(at_state.items()))
    return GroupBlock("Map", f"Tile map of the United States. {listed}.", tuple(shapes))


def _pins(page: Page, code: str, tile: Box, records: Sequence[int]) -> list[Shape]:
    center, middle = tile.left + tile.width // 2, tile.top + round(tile.height * 0.68)
    if len(records) > MOST_PINS or page.deck.portfolio.count > 99:
        words = (Run(page.tell(f"×{len(records):,}"), bold=True, size_pt=10, color="bg1"),)
        width = round(PIN * (1 if len(records) < 10 else 1.4 if len(records) < 100 else 1.7))
        place = Box(center - width // 2, middle - PIN // 2, width, PIN)
        return [Shape("oval", f"Pins {code}", place, "accent6", words)]
    made: list[Shape] = []
    for at, record in enumerate(records):
        left = center - PIN // 2 + round((at - (len(records) - 1) / 2) * PIN * 1.02)
        fill, ink = page.deck.tile(record)
        words = (Run(page.number(record), bold=True, size_pt=10, color=ink),)
        made.append(Shape("oval", f"Pin {record + 1}", Box(left, middle - PIN // 2, PIN, PIN), fill, words))
    return made


def _state_table(page: Page, cut: Breakdown, named: Sequence[Group]) -> TableBlock:
    """The states with most: how many deals, how much, what share."""
    scale = scale_of(cut.groups, cut.measure)
    label = cut.measure.label if cut.measure else ""
    head = f"{label[:1].upper()}{label[1:]} {page.quote(scale.head)}".strip()
    columns = [Column("State", elastic=True), Column(page.deck.portfolio.profile.nouns.capitalize(), "right")]
    columns += [Column(head, "right"), Column("Share %", "right")] if cut.measure else [Column("Share %", "right")]
    rows = [_state_row(page, group, scale, bool(cut.measure)) for group in named[:MOST_STATES]]
    rest = [group for group in cut.groups if group not in named[:MOST_STATES]]
    if rest:
        page.note("Others: " + "; ".join(f"{page.quote(one.label)} {page.show(amount_of(one))}" for one in rest))
    box = grid.CANVAS_TABLE
    return lay_out(page, Listing("Table", box, columns, rows, "States by what they hold.", row=inches(0.33)))


def _state_row(page: Page, group: Group, scale: formats.Scale, measured: bool) -> list[Entry]:
    value = group.share.value if group.share else None
    percent = formats.number(value * 100 if isinstance(value, Decimal) else None, 1)
    shown = page.show(group.share, percent) if group.share else percent
    row = [Entry(page.quote(NAMES.get(state_code(group.label) or "", group.label))), Entry(page.show(group.count))]
    if measured:
        amount = group.amount
        exact = amount.value if amount and isinstance(amount.value, Decimal) else None
        text = formats.scaled(exact, scale)
        row.append(Entry(page.show(amount, text) if amount else text))
    return [*row, Entry(shown)]


# Bars for other regions ----------------------------------------------------------------------------------------------


def _bars_slide(deck: DeckDraft, cut: Breakdown, named: Sequence[Group]) -> None:
    page = deck.page("Chart wide", "Where they are")
    page.title(_title(named, cut))
    shown = named[:MOST_STATES]
    scale = scale_of(shown, cut.measure)
    label = cut.measure.label if cut.measure else deck.portfolio.profile.nouns
    page.quote(scale.head)
    scope = in_currency(cut.measure) if cut.measure else ""
    words = f"{label[:1].upper()}{label[1:]}{scope} by region{unit_of(scale)}"
    page.say("Takeaway", Paragraph((Run(words), page.mark(cut.whole))))
    series = group_bars(page, label, shown, scale, "accent1")
    names = tuple(category(page, one.label, points(FULL) / len(shown) - 8, 12) for one in shown)
    high = ceiling(max((value or 0 for value in series.values), default=1) * 1.08)
    alt = "By region: " + "; ".join(f"{one.label} {amount_of(one).text}" for one in shown) + "."
    page.add(ChartBlock("Chart", "columns", names, (series,), alt, (0, 0.02, 1, 0.86), 0, high))
    page.done()
