"""What a sheet's tables were understood as, as lines under its map: deals, columns, and what is still open."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from schemas.survey import Survey, TableSurvey
from schemas.workbook import Question

WIDTH = 88
SURE = 0.8
"""A column said with less confidence is marked."""


def meaning_lines(survey: Survey, sheet: str | None) -> Iterator[str]:
    """Lines for each table of `sheet`: the deals it lists, its columns' fields, its questions; or why it lists none."""
    for table in survey.tables:
        if table.sheet == sheet:
            yield _table(table)
            yield from textwrap.wrap(_columns(table), WIDTH, initial_indent="  ", subsequent_indent="  ")
            asked = (question for question in survey.questions if question.table_id == table.table_id)
            for question in asked:
                yield from textwrap.wrap(_question(question), WIDTH, initial_indent="  ? ", subsequent_indent="    ")
    for other in survey.excluded:
        if other.sheet == sheet:
            yield f"{other.range}: no deals, as {other.why}"


def unsaid_line(survey: Survey) -> str | None:
    """How many tables and questions a survey leaves out, None where it holds them all."""
    more = {
        "tables": survey.tables_in_all - len(survey.tables),
        "tables without deals": survey.excluded_in_all - len(survey.excluded),
        "questions": survey.questions_in_all - len(survey.questions),
    }
    said = [f"{count:,} more {what}" for what, count in more.items() if count]
    return f"and {', '.join(said)}" if said else None


def _table(table: TableSurvey) -> str:
    deals = f"{table.records:,} deal{'' if table.records == 1 else 's'}"
    across = ", one a column" if table.orientation == "columns" and table.records > 1 else ""
    known = f"{len(table.columns)} of {len(table.columns) + table.unmapped} columns understood"
    return f"{table.range}: {deals}{across} ({table.kind.replace('_', ' ')}), {known}"


def _columns(table: TableSurvey) -> str:
    return ", ".join(
        f"{letters} {field.replace('_', ' ')}{'' if confidence >= SURE else f' ({confidence:.0%} sure)'}"
        for letters, _, field, confidence in table.columns
    )


def _question(question: Question) -> str:
    heard = " or ".join(f"{c.field.replace('_', ' ')} ({c.score:.2f})" for c in question.candidates) or "anything"
    return f'{question.column} "{" ".join(question.header.split())}" may be {heard}: {", ".join(question.samples)}'
