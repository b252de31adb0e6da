"""The memorandum's time beside the same cells and paragraphs in bare reportlab tables and paragraphs."""

from __future__ import annotations

import argparse
import io
from datetime import date
from typing import Any
from xml.sax.saxutils import escape

from schemas.deal import Extraction
from schemas.documents import EDITIONS, DocumentOrder
from worker.commands.bench import Measured, beside, source

AS_OF = date(2026, 9, 30)
ROWS = 1_000

Block = list[list[str]] | str
"""A table's texts, its head first, or a paragraph's text."""


def measure_memo(arguments: argparse.Namespace) -> Measured:
    """The memorandum in both its editions beside one made bare, of texts that are read off our own outside the time.

    The bare side neither measures nor cites, and draws no chart; its one file has no draft mark.
    """
    from tools.deals.extract import extract
    from tools.memo.render import render_memo

    name, data = source(arguments, ROWS)
    extraction = extract(data, name)
    order = DocumentOrder(kind="memo", title="Measured")
    blocks = blocks_of(extraction, order)
    tables = [block for block in blocks if not isinstance(block, str)]
    ours_s, bare_s = beside(lambda: render_memo(extraction, order, AS_OF), lambda: bare_memo(blocks), arguments.runs)
    return {
        "what": "memo",
        "file": name,
        "deals": extraction.deal_count,
        "pages": render_memo(extraction, order, AS_OF).pages,
        "table_rows": sum(len(table) - 1 for table in tables),
        "table_cells": sum(len(row) for table in tables for row in table),
        "editions": len(EDITIONS),
        "runs": arguments.runs,
        "ours_s": round(ours_s, 4),
        "bare_s": round(bare_s, 4),
        "ratio_to_bare": round(ours_s / bare_s, 3),
        "ratio_per_edition": round(ours_s / bare_s / len(EDITIONS), 3),
    }


def blocks_of(extraction: Extraction, order: DocumentOrder) -> list[Block]:
    """The tables and paragraphs of our memorandum, as texts."""
    from tools.memo.brief import brief
    from tools.memo.ledger import Ledger
    from tools.memo.render import story_of

    blocks: list[Block] = []
    for one in story_of(brief(extraction, order, AS_OF)):
        if isinstance(one, Ledger):
            blocks.append(
                [[column.head for column in one.columns], *([cell.text for cell in row.cells] for row in one.laid)]
            )
        elif hasattr(one, "getPlainText"):
            blocks.append(str(getattr(one, "getPlainText")()))  # noqa: B009  # reportlab has no types
    return blocks


def bare_memo(blocks: list[Block]) -> bytes:
    """The bytes of a PDF that holds `blocks` one after another, in reportlab's own tables and paragraphs."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import LongTable, Paragraph, SimpleDocTemplate, TableStyle

    style: Any = getSampleStyleSheet()["BodyText"]
    ruled = TableStyle([("FONTSIZE", (0, 0), (-1, -1), 7), ("LINEBELOW", (0, 0), (-1, -1), 0.25, "black")])
    stream = io.BytesIO()
    story: list[Any] = []
    for block in blocks:
        if isinstance(block, str):
            story.append(Paragraph(escape(block), style))
        else:
            story.append(LongTable(block, repeatRows=1, style=ruled))
    SimpleDocTemplate(stream).build(story)
    return stream.getvalue()
