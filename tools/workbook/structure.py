"""The structure of a workbook, whatever it means: its regions and row classes, as values and as a document."""

from __future__ import annotations

from typing import Any

from schemas.workbook import Region, RowSpan, Structure
from tools.workbook.detect import detect_tables
from tools.workbook.limits import DEFAULT_LIMITS, Limits
from tools.workbook.open import open_workbook


def structure(data: bytes, filename: str, limits: Limits = DEFAULT_LIMITS) -> Structure:
    """The structure of the workbook in `data`; raises InputError for a file that cannot be read."""
    workbook = open_workbook(data, filename, limits)
    layout = detect_tables(workbook)
    return Structure(workbook.source, layout.regions, layout.census)


def structure_document(found: Structure) -> dict[str, Any]:
    """The structure as plain JSON: `file`, `regions`, `rows`, and per sheet how many cells a reader does not see."""
    return {
        "file": found.source.filename,
        "regions": [_region(region) for region in found.regions],
        "rows": [_rows(span) for census in found.census for span in census.rows],
        "hidden": [{"sheet": census.sheet, "cells": census.hidden} for census in found.census if census.hidden],
    }


def _region(region: Region) -> dict[str, Any]:
    document: dict[str, Any] = {"sheet": region.sheet, "range": region.range, "kind": region.kind}
    document["header_rows"] = list(region.header_rows)
    return document


def _rows(span: RowSpan) -> dict[str, Any]:
    document: dict[str, Any] = {"sheet": span.sheet, "first": span.first, "last": span.last, "class": span.row_class}
    if span.columns is not None:
        document["columns"] = span.columns
    return document
