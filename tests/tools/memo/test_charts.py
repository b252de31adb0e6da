"""Charts: ticks are round and span the data; drawings hold what they are given, whatever it is."""

from __future__ import annotations

import io
import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.figures import Figure
from tests import extractions as made
from tests.tools.memo import reading
from tools.figures.registry import FigureRegistry
from tools.memo.brief import brief
from tools.memo.canvas import MemoCanvas
from tools.memo.charts import Bar, Shown, bars, strip, ticks
from tools.memo.plots import bars_plot, expiry_plot, mix_plot, scatter_plot
from tools.memo.styles import font_name, register_fonts


def shown(text: str) -> Shown:
    """A figure printed as `text`."""
    return Shown(Figure(id=text, label=text, value=None, unit="count", text=text, derivation="", cells=()), text)


def blank() -> MemoCanvas:
    """A canvas to draw one chart on."""
    register_fonts()
    canvas = MemoCanvas(io.BytesIO(), initialFontName=font_name("sans"), registry=FigureRegistry())
    canvas.begin_page()
    return canvas


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
@example([999999505.0, 999999504.0])
def test_ticks_span_the_values_in_even_steps(values: list[float]) -> None:
    """The first tick is not above the least value nor the last below the greatest; steps are alike, and few."""
    marks = ticks(values)
    assert 2 <= len(marks) <= 12
    slack = (marks[-1] - marks[0]) * 1e-6
    assert marks[0] <= min(values) + slack
    assert marks[-1] >= max(values) - slack
    # Two floats near a thousand million are known to a ten-millionth, of steps of a fifth so much less.
    steps = {round((b - a) / (marks[1] - marks[0]), 5) for a, b in itertools.pairwise(marks)}
    assert steps == {1.0}


def test_bars_below_zero_stand_left_of_zero() -> None:
    """A loss is drawn, labelled in brackets, and its label does not cover a name."""
    canvas = blank()
    first, second = shown("1").figure, shown("2").figure
    rows = [Bar(first, "Gain", 90.0, shown("90"), True), Bar(second, "Loss", -40.0, shown("(40)"), False)]
    bars(rows, (25.0, shown("25")))(canvas, 504, 60)
    assert {"90", "(40)", "25", "Gain", "Loss"} <= set(canvas.drawn[1])


def test_a_part_too_narrow_for_its_label_draws_none() -> None:
    """The strip prints no number that would run into the next part."""
    canvas = blank()
    strip([("Most", 99.0, shown("99.0%")), ("Least", 1.0, shown("1.0%"))])(canvas, 504, 22)
    assert "99.0%" in canvas.drawn[1]
    assert "1.0%" not in canvas.drawn[1]


@pytest.mark.parametrize(
    ("kind", "charts"),
    [
        ("portfolio12", (True, True, True, True)),
        ("loan_tape", (True, True, True, True)),
        ("pipeline", (True, True, True, True)),
        ("rent_roll", (True, True, False, True)),
        ("bare", (False, True, False, False)),
    ],
)
def test_each_kind_of_data_gets_the_charts_that_fit(kind: str, charts: tuple[bool, ...]) -> None:
    """Mix, bars, scatter and expiry are drawn where the data have them, and nowhere else."""
    subject = brief(getattr(made, kind)(), reading.order(), reading.AS_OF)
    drawn = tuple(
        plot is not None
        for plot in (mix_plot(subject), bars_plot(subject), scatter_plot(subject), expiry_plot(subject))
    )
    assert drawn == charts


def test_a_chart_of_many_deals_says_what_it_leaves_out() -> None:
    """Five hundred dots are four hundred of the greatest, and twelve bars are of how many."""
    subject = brief(made.many_properties(600), reading.order(), reading.AS_OF)
    dots, greatest = scatter_plot(subject), bars_plot(subject)
    assert dots is not None
    assert greatest is not None
    assert "the 400 greatest are drawn" in dots.note.text
    assert greatest.finding.text.startswith("Twelve largest of 514 by NOI")
