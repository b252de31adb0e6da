"""Documents made in child processes."""

from __future__ import annotations

from datetime import date

import pytest

from schemas.documents import DocumentOrder
from schemas.errors import InputError, OutputError
from tests.walks.workbook import small_workbook
from tools.deals.archive import dump
from tools.deals.extract import extract
from tools.isolation.child import Outcome
from tools.isolation.child_process import Fault
from worker import rendering
from worker.adapters.renderers import Rendered, error_of, render

DECK = DocumentOrder(kind="deck", title="Harbor deals")


@pytest.fixture(scope="module")
def deals() -> bytes:
    """The deals artifact of three deals."""
    return dump(extract(small_workbook(), "deals.xlsx"))


@pytest.mark.parametrize("kind", ["deck", "memo"])
def test_a_child_makes_the_same_bytes(deals: bytes, kind: str) -> None:
    """As the functions that it calls, here or there, now or later."""
    order = DocumentOrder.model_validate({"kind": kind, "title": "Harbor deals", "emphasis": "price"})
    here = rendering.render(deals, order.kind, order.title, order.emphasis, date(2026, 3, 1))
    assert render(deals, order, date(2026, 3, 1)) == Rendered(*here)


def test_an_error_of_ours_comes_back_as_it_was() -> None:
    """Its family, its code and its sentence."""
    with pytest.raises(InputError) as refused:
        render(b"no archive of deals", DECK, date(2026, 3, 1))
    assert (refused.value.code, refused.value.message.endswith(".")) == ("deals.unreadable", True)


@pytest.mark.parametrize(
    ("end", "value", "code"),
    [
        ("refused", OutputError("deck.check", "Slide 3 does not fit."), "deck.check"),
        ("memory", None, "render.too_large"),
        ("time", None, "render.too_large"),
        ("fault", Fault("KeyError", ()), "render.fault"),
        ("crash", "signal 11", "render.lost"),
        ("lost", None, "render.lost"),
    ],
)
def test_each_end_of_a_child_has_its_meaning(end: str, value: object, code: str) -> None:
    """Too large is the order's fault, a lost child nobody's, and whatever else is ours."""
    outcome = Outcome(end, value, 0, 0.0, 0.0)  # pyright: ignore[reportArgumentType] as a literal
    assert error_of(outcome, DECK).code == code
