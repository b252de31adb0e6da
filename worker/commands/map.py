"""A structure document as a map for people: a letter a row, runs folded, and the regions under it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import shorten
from typing import Any

from schemas.survey import Survey
from worker.commands.map_meaning import meaning_lines, unsaid_line

LETTERS = {"title": "T", "header": "H", "section": "S", "record": "r", "total": "+", "note": "n", "other": "?"}
RUN = 6
"""A run of rows of one class that is longer is folded: `r×206`."""
WIDTH = 88
INDENT = " " * 13


def map_lines(document: dict[str, Any], survey: Survey | None = None) -> Iterator[str]:
    """The lines of the map of a structure document, sheet by sheet, with what `survey` says of each."""
    yield str(document["file"])
    if "error" in document:
        yield f"  {document['error']['message']}"
        return
    rows: list[dict[str, Any]] = document["rows"]
    for sheet, spans in groupby(rows, key=lambda span: span["sheet"]):
        yield f"  {sheet if sheet is not None else '(no sheets)'}"
        for first, strip in _wrap(_strip(list(spans))):
            yield f"  {first:>9}  {strip}"
        for region in document["regions"]:
            if region["sheet"] == sheet:
                yield f"{INDENT}{_region(region)}"
        for line in _counted(document, sheet):
            yield f"{INDENT}{line}"
        if survey is not None:
            for line in meaning_lines(survey, sheet):
                yield f"{INDENT}{line}"
    more = unsaid_line(survey) if survey is not None else None
    if more:
        yield f"  {more}"
    yield "  " + "  ".join(f"{letter} {name}" for name, letter in LETTERS.items()) + "  . empty"


def _counted(document: dict[str, Any], sheet: str | None) -> Iterator[str]:
    """Where a sheet's totals stand, and how many of its cells are hidden."""
    spans = [span for span in document["rows"] if span["sheet"] == sheet and span["class"] == "total"]
    if spans:
        rows = ", ".join(str(s["first"]) if s["first"] == s["last"] else f"{s['first']}-{s['last']}" for s in spans)
        yield f"total rows: {shorten(rows, WIDTH, placeholder=' ...')}"
    hidden = sum(count["cells"] for count in document.get("hidden", ()) if count["sheet"] == sheet)
    if hidden:
        yield f"hidden: {hidden:,} cell{'' if hidden == 1 else 's'}, left out"


def _strip(spans: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    """Pieces of a sheet's strip, each with the row that it begins at; empty rows between spans are dots."""
    at = 1
    for span in sorted(spans, key=lambda span: (span["first"], span["last"])):
        if span["first"] > at:
            yield at, _fold(".", span["first"] - at)
        beside = f"[{span['columns']}]" if span.get("columns") else ""
        yield span["first"], _fold(LETTERS[span["class"]], span["last"] - span["first"] + 1) + beside
        at = max(at, span["last"] + 1)


def _fold(letter: str, count: int) -> str:
    return letter * count if count <= RUN else f"{letter}×{count:,} "


def _wrap(pieces: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    first, line = 0, ""
    for at, piece in pieces:
        if line and len(line) + len(piece) > WIDTH:
            yield first, line.rstrip()
            line = ""
        first = first if line else at
        line += piece
    if line:
        yield first, line.rstrip()


def _region(region: dict[str, Any]) -> str:
    heads: list[int] = region.get("header_rows") or []
    shown = f", header row{'s' if len(heads) > 1 else ''} {', '.join(map(str, heads))}" if heads else ""
    return f"{region['range']}: {str(region['kind']).replace('_', '-')}{shown}"
