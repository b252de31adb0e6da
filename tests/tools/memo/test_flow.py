"""What pages are filled with: charts that stand together."""

from __future__ import annotations

import pytest

from tests import extractions as made
from tests.tools.memo import reading
from tools.figures.registry import sentence
from tools.memo.flow import LEAST_OF_CHARTS, Charts, Drawing, words
from tools.memo.styles import WIDE


def charts() -> tuple[Charts, list[float]]:
    """Two charts of 100 and 60 points, and the heights that they are drawn at."""
    drawn: list[float] = []
    parts = [
        (
            words(sentence("Finding"), "caption"),
            Drawing(height, lambda _canvas, _width, high: drawn.append(high)),
            words(sentence("Note"), "note"),
        )
        for height in (100.0, 60.0)
    ]
    return Charts(parts), drawn


@pytest.mark.parametrize(("missing", "fits"), [(0.0, True), (20.0, True), (47.0, True), (49.0, False), (300.0, False)])
def test_charts_that_just_miss_a_page_are_drawn_lower(missing: float, fits: bool) -> None:
    """Down to a part of their height; what misses by more moves on whole, at its own height."""
    assert LEAST_OF_CHARTS == 0.7
    both, _ = charts()
    whole = both.wrap(WIDE, 700)[1]
    taken = both.wrap(WIDE, whole - missing)[1]
    assert (taken <= whole - missing) is fits
    assert taken == whole or fits
    assert both.wrap(WIDE, 700)[1] == whole


def test_the_charts_of_the_summary_stand_on_one_page() -> None:
    """The mix and the largest deals, whatever stands above them."""
    for extraction in (made.portfolio12(), made.many_properties(), made.pipeline()):
        texts = [reading.flat(text) for text in reading.page_texts(reading.rendered(extraction).draft)]
        pages = {at for at, text in enumerate(texts) if "The line is the average of" in text}
        assert any(" by property type, " in texts[at] or " by stage, " in texts[at] for at in pages)


def test_a_fact_says_once_that_it_is_computed() -> None:
    """Computed interest is computed by its name; other facts say so after it."""
    loans = " ".join(reading.page_texts(reading.rendered(made.loan_tape()).draft))
    assert "Computed interest" in loans
    assert "Computed interest, computed" not in reading.flat(loans)
    assert "Price per SF, computed" in " ".join(reading.page_texts(reading.rendered(made.portfolio12()).draft))
