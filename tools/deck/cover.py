"""The cover: a name, what it is, when it was read and from what, over the skyline where the data make one."""

from __future__ import annotations

from schemas.deck import Box, Paragraph, Run
from tools.deck import grid
from tools.deck.fitting import value_size
from tools.deck.grid import inches, left_of, points, span
from tools.deck.markup import Level
from tools.deck.page import DeckDraft, Page
from tools.deck.plots import key
from tools.deck.skyline import MOST_BLOCKS, blocks, roof_color, skyline
from tools.figures import formats, text
from tools.figures.breakdowns import by_field
from tools.figures.citations import dated
from tools.figures.findings import in_words
from tools.figures.registry import Quoted, Sentence, counted, sentence
from tools.figures.summary import headline

TITLE_PT, LEAST_TITLE_PT = 54, 30


def plan_cover(deck: DeckDraft) -> None:
    """Add the cover."""
    page = deck.page("Cover", "")
    page.quote(deck.title)
    room = points(grid.COVER_TITLE.width)
    size = value_size(deck.title, room, TITLE_PT, LEAST_TITLE_PT)
    shown = text.clip_lines(deck.title, size, room, 2, "serif")
    if shown != deck.title:
        page.cut(deck.title, shown)
    page.plain_title((Run(shown, size_pt=size),))
    what = (Paragraph(page.runs(_what(deck))),)
    page.say_fitted("Subtitle", what, (Level(20),), Box(0, 0, span(9), inches(0.5)))
    name = text.clip(text.printable(deck.portfolio.view.filename, 120), 13, points(span(9)) - 120)
    read = sentence("Read from ", Quoted(name), "  ·  ", dated(deck.as_of))
    names = Paragraph((Run("Figures are computed from the file; each names its cell."),))
    page.say("Facts", Paragraph(page.runs(read)), names)
    said = page.runs(headline(deck.portfolio, deck.emphasis))
    if drawn := blocks(deck.portfolio):
        _draw(page, drawn)
    else:
        page.say("Sources", Paragraph(said))
    page.note("".join(run.text for run in said) + ".")
    page.done()


def _what(deck: DeckDraft) -> Sentence:
    """`Twelve properties in ten states`."""
    portfolio = deck.portfolio
    count = in_words(portfolio, portfolio.held, "on the cover", capital=True)
    cut = by_field(portfolio, "state", None, most=10_000)
    named = [group for group in cut.groups if group.from_file] if cut else []
    where: Sentence | None = None
    if len(named) > 1:
        cells = portfolio.view.ranges(("state",), range(portfolio.count))
        number = counted(len(named), "states", "count of different states", cells, formats.count_word(len(named)))
        where = sentence(" in ", number, " states")
    return sentence(count, f" {portfolio.noun(portfolio.held)}", where)


def _draw(page: Page, drawn: list[int]) -> None:
    """The skyline over the foot of the cover, how to read it, and the colours of its roofs."""
    deck = page.deck
    for record in drawn:
        page.number(record)
    page.add(skyline(deck, Box(0, inches(4.25), grid.WIDTH, inches(2.75)), dark=True))
    all_drawn = len(drawn) == deck.portfolio.count
    which = "Each block is one property"
    if not all_drawn:
        number = deck.portfolio.deals(len(drawn), "properties drawn")
        page.show(number)
        kind = f"the {number.text} of greatest NOI" if len(drawn) == MOST_BLOCKS else f"the {number.text} with both"
        which += f" of {kind}"
    page.say("Sources", Paragraph((Run(f"{which}: its width is the building area, its height the NOI."),)))
    if deck.kinds:
        seen = dict.fromkeys(deck.kinds.places[record] for record in drawn if record in deck.kinds.places)
        first = {deck.kinds.places.get(record): record for record in reversed(drawn)}
        entries = [(roof_color(deck, first[at]), page.quote(deck.kinds.groups[at].label)) for at in sorted(seen)]
        room = grid.MARGIN + grid.FULL - left_of(8)
        page.add(key(page, entries, left_of(8), inches(7.09), room, "accent5"))
