"""Rendering as one function of values, for a child process: deals and an order in, both editions and figures out."""

from __future__ import annotations

import gc
from datetime import date

from pydantic import TypeAdapter

from schemas.documents import DocumentKind, DocumentOrder
from schemas.figures import Figure

Made = tuple[bytes, bytes, bytes, int]
_LINES = b"Property,City,State,Asking Price,NOI,Cap Rate,Building SF\nElm Court,Dover,DE,1200000,66000,5.5%,9000\n"


def render(deals: bytes, kind: DocumentKind, title: str, emphasis: str, as_of: date) -> Made:
    """The document ordered of the deals artifact `deals`: draft, final, figures as JSON, and its slides or pages.

    The same inputs give the same bytes.

    Raises OutputError for a document that fails its own checks.
    """
    from tools.deals.document import load

    order = DocumentOrder.model_validate({"kind": kind, "title": title, "emphasis": emphasis})
    extraction = load(deals)
    if kind == "deck":
        from tools.deck.render import render_deck

        made = render_deck(extraction, order, as_of)
    else:
        from tools.memo.render import render_memo

        made = render_memo(extraction, order, as_of)
    figures = TypeAdapter(tuple[Figure, ...]).dump_json(made.figures)
    listed = b'{"document":"%s","figures":%s}' % (kind.encode(), figures)
    return made.draft, made.final, listed, made.pages


def warm_up() -> None:
    """Render each kind of document once, so that no child has to load libraries, fonts and templates."""
    from tools.deals.document import dump
    from tools.deals.extract import extract

    deals = dump(extract(_LINES * 3, "sample.csv"))
    render(deals, "deck", "Sample", "income", date(2026, 1, 1))
    render(deals, "memo", "Sample", "income", date(2026, 1, 1))
    gc.collect()
    gc.freeze()
    gc.disable()  # a child makes one document and ends: looking for cycles costs a fifth of a memorandum's time
