"""The skyline: a block a property, as wide as its area, as high as its NOI, its roof the colour of its kind."""

from __future__ import annotations

from decimal import Decimal

from schemas.deck import Box, GroupBlock, Run, Shape
from tools.deck.grid import PT
from tools.deck.page import DeckDraft
from tools.figures import tokens
from tools.figures.measures import Portfolio

MOST_BLOCKS = 40


def blocks(portfolio: Portfolio) -> list[int]:
    """The records that have an area and an NOI above 0, in order of the sheet; of many the 40 of greatest NOI.

    None where fewer than three have both: the picture would say nothing.
    """
    area, noi = portfolio.measures.get("area"), portfolio.measures.get("noi")
    if area is None or noi is None:
        return []
    both = [i for i in noi.records if (area.values[i] or 0) > 0 and (noi.values[i] or 0) > 0]
    if len(both) < 3:
        return []
    return sorted(sorted(both, key=lambda i: (-(noi.values[i] or Decimal(0)), i))[:MOST_BLOCKS])


def skyline(deck: DeckDraft, ground: Box, lit: int | None = None, *, dark: bool = False) -> GroupBlock:
    """The skyline standing in `ground`; `dark` for the cover, else grey with record `lit` in its colour."""
    area, noi = deck.portfolio.measures["area"], deck.portfolio.measures["noi"]
    records = blocks(deck.portfolio)
    tallest = max(noi.values[i] or Decimal(0) for i in records)
    gap = round(ground.width * 0.004)
    whole = sum((area.values[i] or Decimal(0) for i in records), Decimal(0))
    unit = (ground.width - gap * (len(records) - 1)) / whole
    shapes: list[Shape] = []
    left = ground.left
    for record in records:
        width = max(round((area.values[record] or Decimal(0)) * unit), PT)
        height = max(round(ground.height * (noi.values[record] or Decimal(0)) / tallest), 2 * PT)
        box = Box(left, ground.bottom - height, min(width, ground.left + ground.width - left), height)
        shapes += _block(deck, record, box, dark=dark, lit=record == lit)
        left += width + gap
    description = "Skyline: one block a property, as wide as its area, as high as its NOI"
    if noi.foreign:
        description += "; those in another currency are left out"
    if lit is not None:
        description += f"; {deck.portfolio.view.name(lit)} is coloured"
    return GroupBlock("Skyline", description + ".", tuple(shapes))


def _block(deck: DeckDraft, record: int, box: Box, *, dark: bool, lit: bool) -> list[Shape]:
    number = record + 1
    if not dark:
        return [Shape("rectangle", f"Block {number}", box, deck.tile(record)[0] if lit else "hair")]
    shade = tokens.blend(tokens.DEEP, tokens.SKY, 0.16 + 0.10 * (number % 3))
    words: tuple[Run, ...] = ()
    if box.width > 18 * PT and box.height > 22 * PT:
        words = (Run(deck.portfolio.number(record).text, bold=True, size_pt=11, color=tokens.WHITE),)
    roof = Box(box.left, box.top, box.width, min(round(2.5 * PT), box.height))
    return [
        Shape("rectangle", f"Block {number}", box, shade, words, "bottom", 5),
        Shape("rectangle", f"Roof {number}", roof, roof_color(deck, record)),
    ]


def roof_color(deck: DeckDraft, record: int) -> str:
    """The colour of a record's kind on the dark cover."""
    at = deck.kinds.places.get(record) if deck.kinds else None
    return tokens.ROOFS[at or 0]
