"""`dealwright bench`: what it prints, and that its bare twins hold what they are compared with."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE

from tests.cli.conftest import Line
from worker.commands.bench import beside
from worker.commands.bench_deck import bare_deck, slides_of
from worker.commands.bench_memo import bare_memo
from worker.commands.bench_workbook import kept_workbook, make_workbook


def test_extraction_is_measured_beside_calamine_in_the_contracts_words(line: Line) -> None:
    """One JSON document: how many deals, our seconds, the bare ones, the ratio; peak memory where asked."""
    ran = line("bench", "extract", "--rows", "60", "--columns", "10", "--runs", "1", "--memory", "--json")
    assert ran.code == 0, ran.err
    measured = ran.document
    assert measured["deals"] == 60
    assert measured["ratio_to_calamine"] == pytest.approx(measured["ours_s"] / measured["bare_s"], rel=0.2)
    assert measured["ours_peak_bytes"] > measured["bare_peak_bytes"] > 1_000_000


def test_both_sides_take_turns_after_one_that_is_not_counted() -> None:
    """Both sides take turns, so that a busy moment hurts both."""
    order: list[str] = []
    ours_s, bare_s = beside(lambda: order.append("ours"), lambda: order.append("bare"), 1)
    assert order == ["ours", "bare"] * 2
    assert ours_s >= 0
    assert bare_s >= 0


def test_the_same_size_gives_the_same_workbook_and_it_is_made_once(tmp_path: Path) -> None:
    """So that two runs measure the same thing; extra columns are free ones."""
    first = kept_workbook(tmp_path / "kept", 30, 23)
    made_ns = first.stat().st_mtime_ns
    assert kept_workbook(tmp_path / "kept", 30, 23).stat().st_mtime_ns == made_ns
    make_workbook(tmp_path / "again.xlsx", 30, 23)
    assert (tmp_path / "again.xlsx").read_bytes() == first.read_bytes()


def test_counts_below_one_are_refused(line: Line) -> None:
    """A median of nothing is no figure."""
    ran = line("bench", "extract", "--runs", "0")
    assert (ran.code, len(ran.sentences)) == (2, 1)


def test_the_bare_deck_holds_the_same_tables_charts_and_texts() -> None:
    """Else the ratio would compare unlike things; a scatter keeps its points."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(2, 3, 0, 0, 900, 900).table
    table.cell(1, 2).text = "corner"
    bars = CategoryChartData()
    bars.categories = ["a", "b"]
    bars.add_series("NOI", (1, None))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 900, 900, bars)
    points = XyChartData()
    points.add_series("cap").add_data_point(1, 2)
    slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, 0, 0, 900, 900, points)
    slide.shapes.add_textbox(0, 0, 900, 900).text_frame.text = "Title"
    stream = io.BytesIO()
    deck.save(stream)
    slides = [*slides_of(stream.getvalue())]
    copy = [*slides_of(bare_deck(slides))]
    assert copy == slides
    assert slides[0].charts[1][3] == [("cap", [1.0], [2.0])]


def test_the_bare_memo_is_a_pdf_of_all_rows() -> None:
    """A thousand rows take more than a page, and text with markup in it is text."""
    rows = [["Property", "Price"], *([f"Building {n}", str(n)] for n in range(1000))]
    data = bare_memo(["Summary <of> deals & more", rows])
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") > 10
