"""The extraction document (dealwright.extraction/1), streamed, and the columnar archive of an extraction."""

from __future__ import annotations

import datetime as dt
import json
import math
from decimal import Decimal
from typing import IO, Any

from schemas.deal import Deal, Extraction, FieldValue, Issue, Table
from schemas.workbook import RowSpan, SheetCensus
from tools.deals.archive import dump, load
from tools.deals.said import plain

__all__ = [
    "SCHEMA",
    "deal_plain",
    "dump",
    "extraction_document",
    "issue_plain",
    "load",
    "value_plain",
    "write_document",
]

SCHEMA = "dealwright.extraction/1"
_ERRORS = ("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA", "#SPILL!", "#CALC!")


def extraction_document(extraction: Extraction) -> dict[str, Any]:
    """The whole document as plain JSON values; for large files `write_document` keeps one deal in memory at a time."""
    document = _head(extraction)
    document["deals"] = [deal_plain(deal) for deal in extraction.deals()]
    return document | _tail(extraction)


def write_document(extraction: Extraction, stream: IO[str]) -> None:
    """Writes the same document to `stream`, deal by deal, keys in the same order."""
    head = json.dumps(_head(extraction), ensure_ascii=False)
    stream.write(head[:-1] + ', "deals": [')
    for at, deal in enumerate(extraction.deals()):
        stream.write((",\n" if at else "\n") + json.dumps(deal_plain(deal), ensure_ascii=False))
    stream.write("], " + json.dumps(_tail(extraction), ensure_ascii=False)[1:] + "\n")


def _head(extraction: Extraction) -> dict[str, Any]:
    source = extraction.source
    return {
        "schema": SCHEMA,
        "source": {
            "filename": source.filename,
            "sha256": source.sha256,
            "bytes": source.size_bytes,
            "format": source.format,
        },
        "tables": [_table_plain(table) for table in extraction.tables],
    }


def _tail(extraction: Extraction) -> dict[str, Any]:
    return {
        "census": [_census_plain(census) for census in extraction.census],
        "issues": [issue_plain(issue) for issue in extraction.issues],
    }


def _table_plain(table: Table) -> dict[str, Any]:
    return {
        "table_id": table.table_id,
        "sheet": table.sheet,
        "range": table.range,
        "kind": table.kind,
        "orientation": table.orientation,
        "header_rows": list(table.header_rows),
        "first_row": table.first_row,
        "last_row": table.last_row,
        "excluded_rows": [{"row": row, "class": span.row_class} for span in table.excluded_rows for row in _rows(span)],
        "scale": dict(table.scale),
        "scale_cell": table.scale_cell,
        "columns": [
            {"column": c.place, "header": c.header, "field": c.field, "confidence": c.confidence} for c in table.columns
        ],
    }


def _rows(span: RowSpan) -> range:
    return range(span.first, span.last + 1)


def deal_plain(deal: Deal) -> dict[str, Any]:
    """A deal as plain JSON values; cells that hold nothing are left out, those that hold no usable value are not."""
    plain: dict[str, Any] = {
        "deal_id": deal.deal_id,
        "match_key": deal.match_key,
        "table_id": deal.table_id,
        "row": deal.row,
    }
    if deal.column is not None:
        plain["column"] = deal.column
    plain["section"] = deal.section
    plain["fields"] = {name: value_plain(value) for name, value in deal.fields.items() if _told(value)}
    plain["extra"] = {name: value_plain(value) for name, value in deal.extra.items() if _told(value)}
    plain["warnings"] = list(deal.warnings)
    return plain


def _told(value: FieldValue) -> bool:
    return value.value is not None or value.pin is not None or (value.raw is not None and value.raw not in _ERRORS)


def value_plain(value: FieldValue) -> dict[str, Any]:
    """A value with its currency, raw content and cell, and the pin that replaced it if any."""
    plain: dict[str, Any] = {"value": _plain(value.value)}
    if value.currency is not None:
        plain["currency"] = value.currency
    plain["raw"] = "" if value.raw is None else _plain(value.raw)
    plain["cell"] = value.cell
    if value.pin is not None:
        pin = value.pin
        plain["pin"] = {"by": pin.by, "on": pin.decided_on, "reason": pin.reason, "was": pin.was}
    return plain


def _plain(value: object) -> Any:
    """`value` for JSON: whole numbers as ints, decimals as the shortest number, days as ISO."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else None if math.isnan(value) else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(sep=" ")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return plain(value)
    return value if isinstance(value, (str, int, bool)) or value is None else str(value)


def issue_plain(issue: Issue) -> dict[str, Any]:
    """An issue as plain JSON values."""
    plain: dict[str, Any] = {
        "code": issue.code,
        "severity": issue.severity,
        "message": issue.message,
        "cells": list(issue.cells),
    }
    if issue.expected is not None or issue.found is not None:
        plain |= {"expected": issue.expected, "found": issue.found}
    return plain


def _census_plain(census: SheetCensus) -> dict[str, Any]:
    return {
        "sheet": census.sheet,
        "non_empty_rows": census.non_empty_rows,
        "accounted_rows": census.accounted_rows,
        "non_empty": census.non_empty,
        "accounted": census.accounted,
        "hidden": census.hidden,
        "rows": [_span_plain(span) for span in census.rows],
    }


def _span_plain(span: RowSpan) -> dict[str, Any]:
    plain: dict[str, Any] = {"first": span.first, "last": span.last, "class": span.row_class}
    if span.table_id is not None:
        plain["table_id"] = span.table_id
    if span.columns is not None:
        plain["columns"] = span.columns
    return plain
