"""The order of a deck's slides for each kind of portfolio and each emphasis."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from schemas.deck import DeckPlan
from schemas.documents import Emphasis
from tools.deck.cover import plan_cover
from tools.deck.deals import plan_deals
from tools.deck.ledger import plan_quality, plan_sources
from tools.deck.overview import plan_overview
from tools.deck.page import DeckDraft
from tools.deck.places import plan_places
from tools.deck.pricing import plan_scatter, plan_sensitivity
from tools.deck.ranking import plan_bars, plan_table
from tools.deck.stages import plan_bands, plan_stages
from tools.deck.tenants import plan_tenants
from tools.deck.years import plan_expiry
from tools.figures.citations import dated
from tools.figures.kinds import PortfolioKind
from tools.figures.measures import Portfolio
from tools.figures.registry import FigureRegistry
from tools.figures.text import printable


def _bars(deck: DeckDraft) -> None:
    plan_bars(deck, deck.portfolio.lead(deck.emphasis))


_CHARTS: dict[PortfolioKind, dict[Emphasis, tuple[Callable[[DeckDraft], None], ...]]] = {
    "property": {
        "income": (_bars, plan_expiry, plan_tenants, plan_scatter, plan_sensitivity, plan_places),
        "price": (plan_scatter, _bars, plan_sensitivity, plan_places, plan_expiry),
    },
    "loans": {
        "income": (plan_bands, _bars, plan_scatter, plan_expiry),
        "price": (plan_expiry, plan_bands, _bars, plan_scatter, plan_places),
    },
    "pipeline": {
        "income": (plan_stages, _bars, plan_expiry, plan_places),
        "price": (_bars, plan_stages, plan_expiry, plan_scatter),
    },
    "rent_roll": {
        "income": (plan_expiry, plan_tenants, _bars),
        "price": (_bars, plan_expiry, plan_tenants),
    },
}


def plan_deck(portfolio: Portfolio, title: str, emphasis: Emphasis, as_of: date) -> tuple[DeckPlan, FigureRegistry]:
    """The deck's slides, and the register of what they print. Slides that the data do not carry are left out."""
    name = printable(title, 120) or "Deals"
    deck = DeckDraft(portfolio, emphasis, name, as_of)
    for make in (plan_cover, plan_overview, plan_table, *_CHARTS[portfolio.kind][emphasis]):
        make(deck)
    for make in (plan_deals, plan_quality, plan_sources):
        make(deck)
    day = dated(as_of)
    footer = f"{printable(name, 60)}  ·  {day.text}  ·  Confidential"
    for number in range(1, len(deck.slides) + 1):
        deck.registry.show(day, f"deck:{number}")
        deck.registry.quote(f"{printable(name, 60)} {number}", f"deck:{number}")
    return DeckPlan(name, footer, tuple(deck.slides)), deck.registry
