"""A workbook in a few words, as it is handed to whoever settles what the rules leave open."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.workbook import Question, TableKind


@dataclass(frozen=True, slots=True)
class TableSurvey:
    """A table of deals; `columns` holds (letters, header, field, confidence), `unmapped` counts the others."""

    table_id: str
    sheet: str | None
    range: str
    kind: TableKind
    orientation: str
    header_rows: tuple[int, ...]
    first_row: int
    last_row: int
    records: int
    columns: tuple[tuple[str, str, str, float], ...]
    unmapped: int


@dataclass(frozen=True, slots=True)
class ExcludedTable:
    """A table that lists no deals, and why."""

    table_id: str
    sheet: str | None
    range: str
    why: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What a workbook holds; `tables_in_all` and `excluded_in_all` count those that did not fit as well."""

    tables: tuple[TableSurvey, ...]
    questions: tuple[Question, ...]
    excluded: tuple[ExcludedTable, ...]
    tables_in_all: int
    excluded_in_all: int
    questions_in_all: int
