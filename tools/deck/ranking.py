"""The deals in order: the table, page by page, and the bars of the leading measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from schemas.deck import Box, ChartBlock, ChartSeries, Paragraph, Run
from schemas.figures import Figure
from tools.deck import grid
from tools.deck.grid import FULL, MARGIN, TOP, inches, points
from tools.deck.listing import Column, Entry, Listing, fits, lay_out
from tools.deck.markup import Level
from tools.deck.page import DeckDraft, Page
from tools.deck.plots import category, ceiling, floor_under, label, number_format, unit_of
from tools.figures import formats
from tools.figures.breakdowns import pooled
from tools.figures.columns import Printed, TableColumn, printed, printed_total, table_columns
from tools.figures.findings import extreme, highlights, in_words, name_of, share_of
from tools.figures.registry import Sentence, counted, sentence
from tools.figures.series import Series, figure, value_figure
from tools.figures.verbs import more_than, of_measure

MOST_TABLE_SLIDES = 8
MOST_BARS = 12
NAME_LINES = 4
LABEL_HIGH = 0.09
"""The part of a chart's height that a label over a bar takes."""
LEAST_BARS = 3
_TABLE_TITLES = ("caps", "price_psf", "price_unit", "rates", "dscr", "ltv", "rents", "occupancy", "states")
"""Findings that may stand over the table, best first: none that a chart of its own carries."""
_SIDES = (("Above the average", True, "accent1", "bg1"), ("Below the average", False, "accent5", "tx1"))


# The table -----------------------------------------------------------------------------------------------------------


def plan_table(deck: DeckDraft) -> None:
    """Add the table of deals, twelve a slide, the greatest first; of very many, the first slides' worth."""
    portfolio = deck.portfolio
    order = portfolio.ranked(deck.emphasis)
    shown = order[: MOST_TABLE_SLIDES * grid.ROWS_A_SLIDE]
    pages = _evenly(shown)
    columns = table_columns(portfolio, deck.emphasis)
    for number, records in enumerate(pages, 1):
        part = f" · {number} of {len(pages)}" if len(pages) > 1 else ""
        page = deck.page("Table", f"{portfolio.profile.nouns.capitalize()}{part}")
        page.title(_table_title(deck, len(shown)))
        last = number == len(pages)
        _table_page(page, columns, records, total=last)
        page.done()


def _evenly(records: list[int]) -> list[list[int]]:
    """Pages of like length, none longer than a slide holds."""
    number = -(-len(records) // grid.ROWS_A_SLIDE)
    size = -(-len(records) // max(number, 1))
    return [records[at : at + size] for at in range(0, len(records), size)]


def _table_title(deck: DeckDraft, shown: int) -> Sentence:
    """How the deals are ordered, who leads, and, where not all are shown, where the others are."""
    portfolio, lead = deck.portfolio, deck.portfolio.lead(deck.emphasis)
    if shown < portfolio.count:
        first = counted(shown, f"{portfolio.profile.nouns} in the table", "records listed on the slides")
        every = portfolio.deals(portfolio.count)
        by = f", the greatest {lead.label} first" if lead else ""
        return sentence("The table shows ", first, " of ", every, f" {portfolio.profile.nouns}{by}; deals.xlsx has all")
    if lead is None or not lead.records:
        count = in_words(portfolio, portfolio.count, "in the table", capital=True)
        return sentence(count, f" {portfolio.noun(portfolio.count)}, in the order of the sheet")
    extra = [one for one in highlights(portfolio, deck.emphasis, most=9)[3:] if one.about in _TABLE_TITLES]
    if extra:
        return min(extra, key=lambda one: _TABLE_TITLES.index(one.about)).lead
    top = portfolio.ranked(deck.emphasis)[0]
    return sentence(
        name_of(portfolio, top), " leads by ", lead.label, " with ", value_figure(portfolio.view, lead, top)
    )


def _table_page(page: Page, columns: Sequence[TableColumn], records: Sequence[int], *, total: bool) -> None:
    portfolio = page.deck.portfolio
    cells = {(i, c.key): printed(portfolio, c, i) for i in records for c in columns}
    where = page.cite(f"{portfolio.cells_of_records()}, one {portfolio.profile.noun} a record")
    missing = _missing_mark(page, columns, records, cells)
    rows = [[_entry(page, c, cells[record, c.key], record, missing) for c in columns] for record in records]
    total = total and any(printed_total(portfolio, column) for column in columns)
    if total:
        rows.append([_total_entry(page, column, at) for at, column in enumerate(columns)])
    made = [_column(page, column, where if column.role == "name" else None) for column in columns]
    box = Box(MARGIN, TOP, FULL, grid.BODY)
    listing = Listing("Table", box, made, rows, _table_alt(page, records), total=total, tiled=True)
    while not fits(listing) and len(made) > 5:
        made, rows = made[:-1], [row[:-1] for row in rows]
        listing = Listing("Table", box, made, rows, listing.alt, total=total, tiled=True)
    page.add(lay_out(page, listing))


def _column(page: Page, column: TableColumn, mark: Run | None) -> Column:
    page.quote(column.head)
    elastic = column.role in ("name", "text")
    return Column(column.head, column.align, mark, elastic)


def _missing_mark(
    page: Page, columns: Sequence[TableColumn], records: Sequence[int], cells: dict[tuple[int, str], Printed]
) -> Run | None:
    """One note for all that is not provided on the slide, with the first cells and what text they hold."""
    view = page.deck.portfolio.view
    places: list[str] = []
    for record in records:
        for column in columns:
            if cells[record, column.key].missing and column.fields:
                cell = view.cell(column.fields[0], record)
                raw = view.raw_text(column.fields[0], record)
                places += [f"{cell} reads “{raw}”" if raw else f"{cell} empty"] if cell else []
    if not places:
        return None
    more = " and others" if len(places) > 3 else ""
    return page.cite(f"{formats.NOT_PROVIDED} = not provided: {', '.join(places[:3])}{more}")


def _entry(page: Page, column: TableColumn, cell: Printed, record: int, missing: Run | None) -> Entry:
    words = _registered(page, cell)
    if column.role == "number":
        return Entry(words, fill=page.deck.tile(record))
    if cell.note:
        return Entry(words, page.cite(cell.note), color="accent2", bold=True)
    return Entry(words, missing if cell.missing else None)


def _registered(page: Page, cell: Printed) -> str:
    """A cell's text, noted as a figure or as copied from the file."""
    return page.show(cell.figure, cell.text) if cell.figure else page.quote(cell.text)


def _total_entry(page: Page, column: TableColumn, at: int) -> Entry:
    portfolio = page.deck.portfolio
    if column.role == "name":
        return Entry("Total or weighted")
    cell = printed_total(portfolio, column)
    if at == 0 or cell is None or cell.figure is None:
        return Entry("")
    page.derive(cell.figure)
    series = column.series
    covers = len(series.records) if series else portfolio.held
    words = page.show(cell.figure, cell.text)
    if covers == portfolio.held:
        return Entry(words)
    return Entry(words, page.cite(f"{column.head}: {cell.figure.derivation}"))


def _table_alt(page: Page, records: Sequence[int]) -> str:
    portfolio = page.deck.portfolio
    names = ", ".join(portfolio.view.name(record) for record in records[:3])
    return f"Table of {len(records)} {portfolio.profile.nouns}, beginning with {names}."


# The bars ------------------------------------------------------------------------------------------------------------


def plan_bars(deck: DeckDraft, series: Series | None) -> None:
    """Add the sorted bars of `series` with the average across them; nothing for fewer than three values."""
    if series is None or len(series.records) < LEAST_BARS:
        return
    portfolio = deck.portfolio
    order = sorted(series.records, key=lambda i: (-(series.values[i] or Decimal(0)), i))
    page = deck.page("Chart wide", series.label[:1].upper() + series.label[1:])
    average = _average(deck, series)
    scale = _scale(series)
    page.title(_bars_title(deck, series, order, average))
    words = (Paragraph(_bars_words(page, series, order, average, scale)),)
    page.say_fitted("Takeaway", words, (Level(13),), Box(MARGIN, TOP, FULL, inches(0.36)))
    page.add(_bars(page, series, order[:MOST_BARS], average, scale))
    page.note("Bars are in order, the greatest first; each is the cell that its label names.")
    for record in order[:MOST_BARS]:
        page.derive(value_figure(portfolio.view, series, record))
    page.done()


def _scale(series: Series) -> formats.Scale:
    if series.spec.unit == "money":
        return formats.money_scale((series.values[i] for i in series.records), series.spec.currency)
    return formats.Scale("", 1, series.spec.places)


def _average(deck: DeckDraft, series: Series) -> Figure:
    """The mean of an amount; the weighted figure of a ratio."""
    portfolio = deck.portfolio
    whole = portfolio.totals.get(series.key)
    number = len(series.records)
    if whole is not None and not series.additive:
        return whole
    mean = sum((series.values[i] or Decimal(0) for i in series.records), Decimal(0)) / number
    spec = replace(series.spec, label=f"average {series.label}")
    cells, pinned = (whole.cells, whole.pinned) if whole else ((), False)
    return figure(portfolio.figure_id(f"mean.{series.key}"), spec, mean, f"sum ÷ {number:,}", cells, pinned=pinned)


def _bars_title(deck: DeckDraft, series: Series, order: Sequence[int], average: Figure) -> Sentence:
    """`Five properties earn more than the $2.04M average and make 54.9% of NOI`."""
    portfolio = deck.portfolio
    value = average.value if isinstance(average.value, Decimal) else Decimal(0)
    above = [i for i in order if (series.values[i] or Decimal(0)) > value]
    if not above:
        return sentence(f"The {series.label} is the same wherever it is given: ", average)
    count = in_words(portfolio, len(above), f"above the average {series.label}", capital=True)
    noun = portfolio.noun(len(above))
    start = sentence(count, f" {noun} {more_than(series, len(above) != 1)} the ", average, " average")
    if not series.additive:
        return start
    part = pooled(portfolio, f"above.{series.key}", "those above the average", series, above)
    does = "makes" if len(above) == 1 else "make"
    return sentence(start, f" and {does} ", part.share, f" {of_measure(series)}") if part.share else start


def _bars_words(
    page: Page, series: Series, order: Sequence[int], average: Figure, scale: formats.Scale
) -> tuple[Run, ...]:
    portfolio = page.deck.portfolio
    page.quote(scale.head)
    mark = page.mark(portfolio.totals.get(series.key, average))
    name = series.label[:1].upper() + series.label[1:]
    shown = min(len(order), MOST_BARS)
    start = f"{name} by {portfolio.profile.noun}{unit_of(scale)}"
    if shown < len(order):
        number, every = portfolio.deals(shown, "bars"), portfolio.deals(len(order), f"with {series.label}")
        page.show(number)
        page.show(every)
        start += f", the {number.text} greatest of {every.text}"
    start += "; the line is the average"
    start += "; those in another currency are left out" if series.foreign else ""
    tail = _ends(page, series, order)
    return (Run(start), mark, *page.runs(tail)) if tail else (Run(start), mark)


def _ends(page: Page, series: Series, order: Sequence[int]) -> Sentence | None:
    portfolio = page.deck.portfolio
    if not series.additive:
        return None
    first, last = share_of(portfolio, series, order[0]), share_of(portfolio, series, order[-1])
    if first is None or last is None:
        return None
    (top, highest), (bottom, lowest) = (extreme(portfolio, series, way) for way in (order, order[::-1]))
    start = ". The greatest, " if len(highest) == 1 else ". "
    joint = ", is " if len(highest) == 1 else " are greatest, each "
    end = sentence("; the least, ", bottom, ", ", last, ".") if len(lowest) == 1 else sentence(".")
    return sentence(start, top, joint, first, " of the total", end)


def _bars(page: Page, series: Series, order: Sequence[int], average: Figure, scale: formats.Scale) -> ChartBlock:
    deck = page.deck
    figures = [value_figure(deck.portfolio.view, series, record) for record in order]
    values = [label(page, figure, scale) or 0.0 for figure in figures]
    mean = label(page, average, scale) or 0.0
    high = ceiling(max(*values, mean) * 1.06)
    low = floor_under(min(values), high)
    slot = points(FULL) / len(order) - 8
    names = [f"{page.number(record)} {page.quote(deck.portfolio.view.name(record))}" for record in order]
    code = number_format(scale.places)
    parts: list[ChartSeries] = []
    for name, over, color, ink in _SIDES:
        own = tuple(value if (value > mean) is over else None for value in values)
        at = tuple(i for i, value in enumerate(own) if value is not None)
        inside = tuple(i for i in at if _roomy(own[i] or 0, mean, high))
        parts.append(ChartSeries(name, own, color, code, label_color=ink, labelled=at, inside=inside))
    clear = _clear_of_labels(values, mean, high)
    code = f'"Average "{code}'
    line = ChartSeries("Average", (mean,) * len(order), "accent2", code, "average", "accent2", clear)
    alt = f"{series.label}, sorted: " + "; ".join(f"{f.label} {f.text}" for f in figures) + f". Average {average.text}."
    shown = tuple(category(page, name, slot, 11, NAME_LINES) for name in names)
    return ChartBlock("Chart", "columns", shown, (*parts, line), alt, (0, 0.02, 1, 0.81), low, high, gap_pct=42)


def _clear_of_labels(values: Sequence[float], mean: float, high: float) -> tuple[int, ...]:
    """The last bar over which the average's name meets neither the bar nor its label; none where all are in the way."""
    room = high * LABEL_HIGH
    for at in reversed(range(len(values))):
        under = values[at] if _roomy(values[at], mean, high) else values[at] + room
        if under < mean:
            return (at,)
    return ()


def _roomy(value: float, mean: float, high: float) -> bool:
    """Whether a bar's value may stand within it: tall enough, and clear of the line of the average."""
    return value > high * 0.12 and not mean < value < mean + high * LABEL_HIGH
