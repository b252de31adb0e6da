"""An order for a deck carried out: planned, written in both editions, checked."""

from __future__ import annotations

from datetime import date

from schemas.deal import Extraction
from schemas.documents import DocumentOrder, RenderedDocument
from tools.deck.check import check_deck
from tools.deck.plan import plan_deck
from tools.deck.write import write_deck
from tools.figures.measures import portfolio


def render_deck(extraction: Extraction, order: DocumentOrder, as_of: date) -> RenderedDocument:
    """The deck that `order` asks for, draft and final from one plan, with every figure that it prints.

    The same extraction, order and day give the same bytes. Raises OutputError when the deck fails its own checks.
    """
    plan, registry = plan_deck(portfolio(extraction, as_of), order.title, order.emphasis, as_of)
    draft, final = write_deck(plan, as_of)
    check_deck(draft, registry, len(plan.slides))
    return RenderedDocument("deck", draft, final, len(plan.slides), registry.figures())
