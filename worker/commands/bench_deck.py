"""The deck's time beside the same slides, charts and cells made by direct python-pptx calls."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from schemas.documents import EDITIONS, DocumentOrder
from worker.commands.bench import Measured, beside, source

AS_OF = date(2026, 9, 30)
ROWS = 200
"""Records of the workbook made for this: more give no more slides."""


@dataclass
class Slide:
    """What one slide holds: boxes are left, top, width, height in EMU."""

    texts: list[tuple[tuple[int, ...], list[str]]] = field(default_factory=list[tuple[tuple[int, ...], list[str]]])
    shapes: list[tuple[int, tuple[int, ...]]] = field(default_factory=list[tuple[int, tuple[int, ...]]])
    tables: list[tuple[tuple[int, ...], list[list[str]]]] = field(
        default_factory=list[tuple[tuple[int, ...], list[list[str]]]]
    )
    charts: list[tuple[tuple[int, ...], Any, list[Any], list[tuple[str, list[Any], list[Any]]]]] = field(
        default_factory=list[Any]
    )


def measure_deck(arguments: argparse.Namespace) -> Measured:
    """The deck in both its editions beside one made bare, from slides that are read off our own outside the time.

    The bare side neither measures text nor cites cells, and its one file has no draft mark to come in two editions.
    """
    from tools.deals.extract import extract
    from tools.deck.render import render_deck

    name, data = source(arguments, ROWS)
    extraction = extract(data, name)
    order = DocumentOrder(kind="deck", title="Measured")
    slides = [*slides_of(render_deck(extraction, order, AS_OF).final)]
    ours_s, bare_s = beside(lambda: render_deck(extraction, order, AS_OF), lambda: bare_deck(slides), arguments.runs)
    return {
        "what": "deck",
        "file": name,
        "deals": extraction.deal_count,
        "slides": len(slides),
        "native_charts": sum(len(slide.charts) for slide in slides),
        "table_cells": sum(len(row) for slide in slides for _, grid in slide.tables for row in grid),
        "editions": len(EDITIONS),
        "runs": arguments.runs,
        "ours_s": round(ours_s, 4),
        "bare_s": round(bare_s, 4),
        "ratio_to_bare": round(ours_s / bare_s, 3),
        "ratio_per_edition": round(ours_s / bare_s / len(EDITIONS), 3),
    }


def slides_of(deck: bytes) -> Iterator[Slide]:
    """What each slide of `deck` holds."""
    from pptx import Presentation

    for slide in Presentation(io.BytesIO(deck)).slides:
        found = Slide()
        for shape in _flat(slide.shapes):
            _note(found, shape)
        yield found


def _flat(shapes: Any) -> Iterator[Any]:
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _flat(shape.shapes)
        else:
            yield shape


def _note(found: Slide, shape: Any) -> None:
    box = (shape.left or 0, shape.top or 0, shape.width or 0, shape.height or 0)
    if getattr(shape, "has_table", False):
        found.tables.append((box, [[cell.text for cell in row.cells] for row in shape.table.rows]))
    elif getattr(shape, "has_chart", False):
        found.charts.append((box, *_chart(shape.chart)))
    elif shape.has_text_frame and shape.text_frame.text:
        found.texts.append((box, [paragraph.text for paragraph in shape.text_frame.paragraphs]))
    else:
        found.shapes.append((1, box))


def _chart(chart: Any) -> tuple[Any, list[Any], list[tuple[str, list[Any], list[Any]]]]:
    """Type, categories and series (name, x of a scatter, y); several plots count as one of the first's type."""
    series: list[tuple[str, list[Any], list[Any]]] = []
    for plot in chart.plots:
        for one in plot.series:
            across = [float(node.text) for node in one._element.xpath("c:xVal//c:v")]  # noqa: SLF001  # no public way to a scatter's x
            series.append((one.name, across, list(one.values)))
    return chart.chart_type, [str(label) for label in chart.plots[0].categories], series


def bare_deck(slides: list[Slide]) -> bytes:
    """The bytes of a deck that holds `slides`, by direct calls."""
    from pptx import Presentation

    deck = Presentation()
    for slide in slides:
        _add(deck.slides.add_slide(deck.slide_layouts[6]).shapes, slide)
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def _add(shapes: Any, slide: Slide) -> None:
    for kind, box in slide.shapes:
        shapes.add_shape(kind, *box)
    for box, paragraphs in slide.texts:
        frame = shapes.add_textbox(*box).text_frame
        frame.text = paragraphs[0]
        for text in paragraphs[1:]:
            frame.add_paragraph().text = text
    for box, grid in slide.tables:
        table = shapes.add_table(len(grid), len(grid[0]), *box).table
        for row, texts in enumerate(grid):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
    for box, kind, categories, series in slide.charts:
        shapes.add_chart(kind, *box, _chart_data(categories, series))


def _chart_data(categories: list[Any], series: list[tuple[str, list[Any], list[Any]]]) -> Any:
    from pptx.chart.data import CategoryChartData, XyChartData

    if any(across for _, across, _ in series):
        scatter: Any = XyChartData()
        for name, across, values in series:
            points = scatter.add_series(name)
            for x, y in zip(across, values, strict=False):
                points.add_data_point(x, y)
        return scatter
    data: Any = CategoryChartData()
    data.categories = categories
    for name, _, values in series:
        data.add_series(name, values)
    return data
