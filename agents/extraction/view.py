"""What of a workbook a model is shown: cleaned, quoted, with its address, cut short, bounded whatever the row count."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any

from agents.extraction.plan import NAMES, PRICES
from schemas.deal import Deal, Extraction, FieldValue
from schemas.state import TableNote
from schemas.survey import Survey, TableSurvey
from schemas.workbook import Question, column_index, column_letters

TEXT_CHARS = 40
SHOWN_DEALS = 10
SHOWN_COLUMNS = 24
NOTED_COLUMNS = 200
STATE_DEALS = 100
STATE_ISSUES = 60
SHOWN_FIELDS = (
    *NAMES,
    "city",
    "state",
    "property_type",
    *PRICES,
    "cap_rate",
    "noi",
    "building_sf",
    "units",
    "status",
    "stage",
)


def clean(text: object, limit: int = TEXT_CHARS) -> str:
    """`text` on one line without control or format characters, cut to `limit` characters."""
    kept = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in str(text))
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def quoted(text: object, limit: int = TEXT_CHARS) -> str:
    """`text` cleaned and in quotes, so that a reader sees where a file's words begin and end."""
    return '"' + clean(text, limit).replace('"', "'") + '"'


def survey_answer(seen: Survey) -> dict[str, Any]:
    """A survey as the model is shown it: tables, what their columns hold, the open questions, what lists no deals."""
    shown: dict[str, Any] = {
        "tables": [_table(table) for table in seen.tables],
        "questions": [_question(question) for question in seen.questions],
    }
    if seen.excluded:
        shown["not_deals"] = [f"{_place(each.sheet, each.range)}: {clean(each.why, 80)}" for each in seen.excluded[:6]]
    more = {
        "tables": seen.tables_in_all - len(seen.tables),
        "questions": seen.questions_in_all - len(seen.questions),
        "not_deals": seen.excluded_in_all - min(len(seen.excluded), 6),
    }
    left_out = {name: count for name, count in more.items() if count > 0}
    return shown | ({"not_shown": left_out} if left_out else {})


def _table(table: TableSurvey) -> dict[str, Any]:
    shown = {
        "table_id": table.table_id,
        "range": _place(table.sheet, table.range),
        "kind": table.kind,
        "records": table.records,
        "header_rows": list(table.header_rows),
        "mapped": [
            f"{column} {field} {quoted(header, 30)}" for column, header, field, _ in table.columns[:SHOWN_COLUMNS]
        ],
    }
    return shown | ({"runs": "across"} if table.orientation == "columns" else {})


def _place(sheet: str | None, cells: str) -> str:
    return cells if sheet is None else f"{quoted(sheet, 31)}!{cells}"


def _question(question: Question) -> dict[str, Any]:
    return {
        "table_id": question.table_id,
        "column": question.column,
        "header": quoted(question.header, 60),
        "samples": [clean(sample) for sample in question.samples[:3]],
        "candidates": [
            {"field": each.field, "score": round(each.score, 2), "evidence": clean(each.evidence, 80)}
            for each in question.candidates[:3]
        ],
    }


def notes(seen: Survey) -> dict[str, TableNote]:
    """What set_column_field and its like check their arguments against, for the tables that are shown."""
    asked: dict[str, dict[str, tuple[str, ...]]] = {}
    for question in seen.questions:
        asked.setdefault(question.table_id, {})[question.column] = tuple(each.field for each in question.candidates)
    return {
        table.table_id: TableNote(
            columns=_columns(table),
            candidates=asked.get(table.table_id, {}),
            first_row=table.first_row,
            last_row=table.last_row,
        )
        for table in seen.tables
    }


def _columns(table: TableSurvey) -> tuple[str, ...]:
    """All columns of a table by their letters, or the rows of one that runs across by their numbers."""
    first, last = re.findall(r"([A-Z]+)(\d+)", table.range)
    if table.orientation == "columns":
        return tuple(map(str, range(int(first[1]), int(last[1]) + 1)))[:NOTED_COLUMNS]
    return tuple(map(column_letters, range(column_index(first[0]), column_index(last[0]) + 1)))[:NOTED_COLUMNS]


def extraction_answer(made: Extraction) -> dict[str, Any]:
    """What came of an extraction: counts of deals, tables, kinds of deal and issues by code."""
    kinds: Counter[str] = Counter()
    for table in made.tables:
        kinds[table.kind] += len(table.records)
    codes = Counter(issue.code for issue in made.issues)
    return {
        "deals": made.deal_count,
        "tables": len(made.tables),
        "kinds": dict(kinds.most_common(8)),
        "issues": dict(codes.most_common(12)),
    }


def issues(made: Extraction) -> list[dict[str, Any]]:
    """The first issues of each code, errors before warnings, as state keeps them."""
    order = {"error": 0, "warning": 1, "info": 2}
    kept: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()
    for issue in sorted(made.issues, key=lambda each: order[each.severity]):
        seen[issue.code] += 1
        if seen[issue.code] <= 5 and len(kept) < STATE_ISSUES:
            message = clean(issue.message, 200)
            kept.append(
                {"code": issue.code, "severity": issue.severity, "message": message, "cells": list(issue.cells[:5])}
            )
    return kept


def deal_in_short(number: int, deal: Deal) -> dict[str, Any]:
    """A deal's number, id, name, price and cap rate, each as text exactly as extracted; what is missing is left out."""
    short: dict[str, Any] = {"number": number, "deal_id": deal.deal_id}
    for label, names in (("name", NAMES), ("price", PRICES), ("cap_rate", ("cap_rate",))):
        found = next(
            (deal.fields[name] for name in names if name in deal.fields and deal.fields[name].value is not None), None
        )
        if found is not None:
            short[label] = printed(found)
    return short


def deal_answer(number: int, deal: Deal) -> dict[str, Any]:
    """A deal as the model is shown it: its number, and its main fields with the cell of each."""
    shown: dict[str, Any] = {"number": number}
    for name in SHOWN_FIELDS:
        held = deal.fields.get(name)
        if held is not None and held.value is not None:
            shown[name] = f"{printed(held)} @{_address(held.cell or '')}"
    return shown


def _address(cell: str) -> str:
    """A cell's address; the sheet's name is the file's own words."""
    sheet, mark, place = cell.rpartition("!")
    return _place(sheet if mark else None, place)


def printed(held: FieldValue) -> str:
    """A value exactly, in full units, money with its currency; text is quoted."""
    value = held.value
    if isinstance(value, Decimal):
        return f"{value:f} {held.currency}" if held.currency else f"{value:f}"
    if isinstance(value, date):
        return value.isoformat()
    return quoted(value, 60) if isinstance(value, str) else str(value)
