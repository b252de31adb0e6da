"""The parts of a deck: template, slides, charts and their workbooks, texts fitted to their places."""

from __future__ import annotations

import io
import warnings
from typing import Any

import pytest
from lxml import etree
from openpyxl import load_workbook
from pptx import Presentation

from schemas.deck import Box, ChartBlock, ChartSeries, Paragraph, Run
from tools.deck import fitting, grid
from tools.deck.chart_workbook import chart_workbook
from tools.deck.chart_xml import chart_xml
from tools.deck.listing import Column, Entry, Listing, lay_out
from tools.deck.markup import Level, paragraph, text
from tools.deck.package import zipped
from tools.deck.page import source_of
from tools.deck.plots import ceiling, floor_under
from tools.deck.pricing import amount_scale, rate_scale
from tools.deck.template import template, template_file
from tools.figures import text as measured
from tools.figures import tokens
from tools.figures.series import Spec, figure

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
SLOTS = {
    "Cover": {"Title", "Subtitle", "Facts", "Status", "Sources"},
    "Summary": {"KPI 1", "KPI 5", "Highlight 3", "Risk", "Mix", "Mix title"},
    "Table": {"Table"},
    "Chart": {"Chart", "Takeaway"},
    "Chart wide": {"Chart", "Takeaway"},
    "Canvas": {"Table", "Takeaway"},
    "Property": {"Facts", "Second table", "Chart", "Chart title"},
    "Ledger": {"Table", "Second table", "First heading", "Second heading"},
}
STACK = ChartBlock(
    "Chart",
    "stack",
    ("MTM", "2027", "=1+1"),
    (
        ChartSeries("Rent", (1.5, None, -2.0), "accent1", "#,##0;(#,##0)", labelled=(0, 2)),
        ChartSeries("Total", (1.5, 0.0, -2.0), "tx1", "#,##0;(#,##0)", "totals", labelled=(0,)),
        ChartSeries("Cumulative", (0.3, 0.3, 1.0), "accent2", "0%;(0%)", "cumulative", labelled=(0, 1, 2)),
    ),
    "A stack.",
    (0, 0, 1, 1),
    -3,
    3,
    legend=True,
)


def test_the_template_has_the_names_that_are_the_contract() -> None:
    """Layouts and placeholders by name; a customer's template needs these and nothing else."""
    layouts = template().layouts
    assert set(layouts) == set(SLOTS)
    for name, slots in SLOTS.items():
        assert slots <= set(layouts[name].slots)
        if name != "Cover":
            assert {"Title", "Kicker", "Status", "Sources", "Footer", "Slide number"} <= set(layouts[name].slots)


def test_the_template_keeps_style_where_an_editor_can_change_it() -> None:
    """Typefaces and colours are the theme's, the table's rules a table style; nothing of a layout is off the slide."""
    deck: Any = Presentation(io.BytesIO(template_file()))
    theme = next(data for name, data in template().parts.items() if name == "ppt/theme/theme1.xml").decode()
    assert 'typeface="Georgia"' in theme
    assert 'typeface="Calibri"' in theme
    assert all(color in theme for color in (*tokens.CHART, tokens.INK, tokens.DEEP))
    for layout in deck.slide_layouts:
        for shape in layout.placeholders:
            assert shape.left >= 0
            assert shape.left + shape.width <= grid.WIDTH
            assert shape.top + shape.height <= grid.HEIGHT


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_reads_on_every_colour_that_it_stands_on() -> None:
    """Contrast of 4.5 at least, on paper, on the kinds' colours and on the strongest shades of the grid."""
    pairs = [(tokens.INK, tokens.WHITE), (tokens.COPPER, tokens.WHITE), (tokens.SLATE, tokens.WHITE)]
    pairs += [*zip(tokens.ON_CHART, tokens.CHART, strict=True), (tokens.INK, tokens.ABOVE), (tokens.INK, tokens.BELOW)]
    for one, other in pairs:
        high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (one, other)
    assert tokens.blend("000000", "FFFFFF", 0.5) == "808080"


def test_a_chart_points_at_its_workbook_and_a_gap_is_a_gap() -> None:
    """Each reference leads to the cells that hold the cached values; a missing value is in neither."""
    root = etree.fromstring(chart_xml(STACK))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl remarks that there is no named style
        sheet: Any = load_workbook(io.BytesIO(chart_workbook(STACK)))["Data"]
    for reference in root.iter(f"{CHART}numRef", f"{CHART}strRef"):
        place = reference.findtext(f"{CHART}f").removeprefix("Data!").replace("$", "")
        cells = sheet[place]
        held = [row[0].value for row in cells] if isinstance(cells, tuple) else [cells.value]
        cached: list[Any] = [None] * len(held)
        for point in reference.iter(f"{CHART}pt"):
            value = point.findtext(f"{CHART}v")
            cached[int(point.get("idx"))] = value if reference.tag.endswith("strRef") else float(value)
        assert cached == held
    assert sheet["B3"].value is None
    assert (sheet["A4"].value, sheet["A4"].data_type) == ("=1+1", "s")
    assert root.xpath("//*[local-name()='dispBlanksAs']/@val") == ["gap"]


def test_axes_have_small_positive_ids_and_the_helper_series_is_not_in_the_legend() -> None:
    """PowerPoint's schema and LibreOffice both take these."""
    root = etree.fromstring(chart_xml(STACK))
    ids = [int(value) for value in root.xpath("//*[local-name()='axId']/@val")]
    assert all(0 < one < 10_000 for one in ids)
    assert root.xpath("//*[local-name()='legendEntry']/*[local-name()='idx']/@val") == ["1"]


def test_markup_from_outside_is_escaped_and_what_xml_forbids_is_left_out() -> None:
    """Text stays text whatever it says."""
    assert text("<a:t>&\x00\ud800") == "&lt;a:t&gt;&amp;"
    made = paragraph(Paragraph((Run("a<b", bold=True), Run("1", mark=True))))
    root = etree.fromstring(f'<x xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">{made}</x>')
    assert [node.text for node in root.iter("{*}t")] == ["a<b", "1"]
    assert 'baseline="30000"' in made


def test_a_package_has_no_clock_in_it() -> None:
    """Same parts, same bytes; every entry has the same time."""
    assert zipped({"a.xml": b"<a/>", "b.xlsx": b"x"}) == zipped({"a.xml": b"<a/>", "b.xlsx": b"x"})


@pytest.mark.parametrize("words", ["Short", "word " * 22, "word " * 60, "W" * 300])
def test_titles_take_two_lines_at_most(words: str) -> None:
    """One line, else two of like length, else cut; never more, never wider."""
    room = grid.points(grid.TITLE.width)
    runs, whole = fitting.title(words.strip(), room)
    said = "".join(run.text for run in runs)
    size = runs[0].size_pt or 24
    lines = [line for run in runs for line in measured.lines(run.text, size, room, "serif")]
    assert len(lines) <= 2
    assert whole == (said.replace(" ", "") == words.strip().replace(" ", ""))
    assert size >= 20


def test_paragraphs_are_cut_to_their_box_from_the_last_and_keep_their_marks() -> None:
    """What is cut is given back whole, for the notes."""
    levels = (Level(16, serif=True, bold=True), Level(13, lead_pct=110))
    long = Paragraph((Run("many words " * 40), Run("7", mark=True)), 2)
    box = Box(0, 0, grid.HIGHLIGHT_WIDTH, grid.inches(1.25))
    kept, cut = fitting.shorten((Paragraph((Run("Lead"),)), long), levels, box)
    assert fitting.height_pt(kept, levels, grid.points(box.width)) <= grid.points(box.height)
    assert kept[1].runs[0].text.endswith("…")
    assert kept[1].runs[-1].mark
    assert cut == ("many words " * 40,)


class _Page:
    """Stands in for a page where only cutting matters."""

    def clipped(self, words: str, size_pt: float, room_pt: float, *, bold: bool = False) -> str:
        """As a page clips."""
        return measured.clip(words, size_pt, room_pt, bold=bold)


def test_columns_fill_their_box_and_numbers_are_never_cut() -> None:
    """Long texts give way; widths add up to the box to the EMU."""
    columns = (Column("#", "center"), Column("Name", elastic=True), Column("NOI $000", "right"))
    rows = [[Entry("1"), Entry("A very long name " * 20), Entry("1,234,567,890")]]
    box = Box(grid.MARGIN, grid.TOP, grid.span(4), 0)
    page: Any = _Page()
    block = lay_out(page, Listing("Table", box, columns, rows, "A table."))
    assert sum(block.widths) == box.width
    name, amount = (block.rows[1][at].paragraphs[0].runs[-1].text for at in (1, 2))
    assert name.endswith("…")
    assert amount == "1,234,567,890"
    assert block.box.height == sum(block.heights)


def test_axes_end_at_round_numbers_that_hold_all_values() -> None:
    """Whole steps, at most eight of them."""
    assert (ceiling(3.2), ceiling(0.07), ceiling(0), ceiling(999)) == (4, pytest.approx(0.08), 1, 1000)
    assert floor_under(5, 100) == 0
    assert floor_under(-1, 100) == -10
    for most in (0.3, 7, 56.1, 1e9):
        low, high, step = amount_scale(most)
        assert low == 0
        assert most <= high <= 8.001 * step
    for least, most in ((0.0555, 0.086), (-0.02, 0.05), (0.5, 0.5), (0, 3e7)):
        low, high, step = rate_scale(least, most)
        assert low <= least
        assert high >= most
        assert (high - low) / step <= 9


def test_a_source_names_its_cells_before_its_rule_and_a_sheet_once() -> None:
    """The line at a slide's foot."""
    cells = ("Deals!F7:F17", "Deals!G7:G17", "Deals!H7")
    shown = figure("x", Spec("cap", "fraction", 2), None, "Σ NOI ÷ Σ price", cells)
    assert source_of(shown) == "Deals!F7:F17, G7:G17 and others, Σ NOI ÷ Σ price"
