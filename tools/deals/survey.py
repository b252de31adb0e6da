"""A workbook in a few words, for whoever settles what the rules leave open: its tables, their fields, the questions."""

from __future__ import annotations

from typing import Any

from schemas.survey import ExcludedTable, Survey, TableSurvey
from schemas.workbook import Overrides, Question, Structure
from tools.deals.mapping import questions_of, quoted
from tools.deals.reading import read_tables
from tools.deals.table_reading import TableReading
from tools.workbook.detect import detect_tables
from tools.workbook.open import DEFAULT_LIMITS, Limits, open_workbook

MOST_QUESTIONS = 12
_MOST_TABLES, _MOST_EXCLUDED, _MOST_COLUMNS = 12, 12, 40


def survey(
    data: bytes, filename: str, *, overrides: Overrides | None = None, limits: Limits = DEFAULT_LIMITS
) -> Survey:
    """The survey of a file, bounded in size whatever its rows; raises InputError as `extract` does."""
    settled = overrides or Overrides()
    workbook = open_workbook(data, filename, limits)
    layout = detect_tables(workbook, settled.bounds)
    return survey_readings(read_tables(layout, settled))


def surveyed_structure(data: bytes, filename: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Structure, Survey]:
    """A file's structure, as its tables were understood, and its survey; raises InputError as `extract` does."""
    workbook = open_workbook(data, filename, limits)
    layout = detect_tables(workbook)
    found = survey_readings(read_tables(layout, Overrides()))
    return Structure(workbook.source, layout.regions, layout.census), found


def survey_readings(readings: list[TableReading]) -> Survey:
    """The survey of tables already read."""
    deals = [reading for reading in readings if reading.why_not is None]
    others = [reading for reading in readings if reading.why_not is not None]
    asked = [
        pair for reading in deals for pair in questions_of(reading.table.table_id, reading.columns, reading.mapped)
    ]
    asked.sort(key=lambda pair: (-pair[0], pair[1].table_id, len(pair[1].column), pair[1].column))
    return Survey(
        tables=tuple(_table(reading) for reading in deals[:_MOST_TABLES]),
        questions=tuple(question for _, question in asked[:MOST_QUESTIONS]),
        excluded=tuple(_excluded(reading) for reading in others[:_MOST_EXCLUDED]),
        tables_in_all=len(deals),
        excluded_in_all=len(others),
        questions_in_all=len(asked),
    )


def _table(reading: TableReading) -> TableSurvey:
    table = reading.table
    mapped = [m for m in reading.mapped if m.field]
    return TableSurvey(
        table.table_id,
        table.sheet.name,
        reading.range,
        reading.kind,
        table.orientation,
        table.header_rows,
        table.first_row,
        table.last_row,
        len(table.record_rows),
        tuple(
            (m.letters, " ".join(m.header.text.split())[:60], str(m.field), m.confidence)
            for m in mapped[:_MOST_COLUMNS]
        ),
        len(reading.mapped) - len(mapped),
    )


def _excluded(reading: TableReading) -> ExcludedTable:
    return ExcludedTable(reading.table.table_id, reading.table.sheet.name, reading.range, str(reading.why_not))


def survey_answer(found: Survey) -> dict[str, Any]:
    """The survey as JSON-plain values; names and samples from the file are quoted text."""
    return {
        "tables": [_table_answer(table) for table in found.tables],
        "questions": [_question_answer(question) for question in found.questions],
        "not_deals": [
            {"table_id": t.table_id, "sheet": _name(t.sheet), "range": t.range, "why": t.why} for t in found.excluded
        ],
        "more": {
            "tables": found.tables_in_all - len(found.tables),
            "questions": found.questions_in_all - len(found.questions),
            "not_deals": found.excluded_in_all - len(found.excluded),
        },
    }


def _name(sheet: str | None) -> str | None:
    return None if sheet is None else quoted(sheet)


def _table_answer(table: TableSurvey) -> dict[str, Any]:
    return {
        "table_id": table.table_id,
        "sheet": _name(table.sheet),
        "range": table.range,
        "kind": table.kind,
        "orientation": table.orientation,
        "header_rows": list(table.header_rows),
        "first_row": table.first_row,
        "last_row": table.last_row,
        "records": table.records,
        "mapped": [
            {"column": column, "header": quoted(header), "field": field, "confidence": confidence}
            for column, header, field, confidence in table.columns
        ],
        "unmapped_columns": table.unmapped,
    }


def _question_answer(question: Question) -> dict[str, Any]:
    return {
        "table_id": question.table_id,
        "column": question.column,
        "header": quoted(question.header),
        "samples": list(question.samples),
        "candidates": [{"field": c.field, "score": c.score, "evidence": c.evidence} for c in question.candidates],
    }
