"""A small account of an extraction: how many deals of what kind, their totals, and the issues by code."""

from __future__ import annotations

from collections import Counter
from typing import Any

from schemas.deal import Column, Extraction, Table
from tools.deals.dictionary import dictionary

_TOTALS = (
    "price",
    "asking_price",
    "sale_price",
    "deal_value",
    "noi",
    "gross_income",
    "loan_amount",
    "rent_annual",
    "rent_monthly",
    "building_sf",
    "units",
    "land_acres",
)
_MOST_TABLES, _MOST_CODES = 20, 30


def summarise(extraction: Extraction) -> dict[str, Any]:
    """JSON-plain, bounded whatever the rows: deals, tables, totals by field and currency, issues by code, pins."""
    codes = Counter(issue.code for issue in extraction.issues)
    severities = Counter(issue.severity for issue in extraction.issues)
    return {
        "deals": extraction.deal_count,
        "kinds": dict(sorted(Counter(_weighted_kinds(extraction)).items())),
        "tables": [_table(table) for table in extraction.tables[:_MOST_TABLES]],
        "tables_in_all": len(extraction.tables),
        "totals": _totals(extraction),
        "issues": {
            "by_code": dict(sorted(codes.items())[:_MOST_CODES]),
            "by_severity": dict(sorted(severities.items())),
        },
        "deals_with_warnings": sum(len(table.warnings) for table in extraction.tables),
        "pins": len(extraction.pins),
    }


def _weighted_kinds(extraction: Extraction) -> list[str]:
    return [table.kind for table in extraction.tables for _ in table.records]


def _table(table: Table) -> dict[str, Any]:
    fields = [column.field for column in table.columns if column.field]
    return {"table_id": table.table_id, "kind": table.kind, "deals": len(table.records), "fields": fields}


def _totals(extraction: Extraction) -> dict[str, Any]:
    """Sum and number of values by field; money by currency, `none` where no currency is known."""
    totals: dict[str, dict[str, dict[str, float | int]]] = {}
    for table in extraction.tables:
        for column in table.columns:
            if column.field in _TOTALS:
                _add(totals.setdefault(str(column.field), {}), column)
    return totals


def _add(into: dict[str, dict[str, float | int]], column: Column) -> None:
    money = dictionary().fields[str(column.field)].type == "money"
    for record, value in enumerate(column.values):
        if value is None or isinstance(value, str):
            continue
        unit = (column.currencies.get(record, column.currency) or "none") if money else "all"
        total = into.setdefault(unit, {"sum": 0, "count": 0})
        total["sum"] = round(total["sum"] + value, 4)
        total["count"] += 1
