"""Deals out of a file's bytes: opened, tables found, columns mapped, values normalised, and all of it checked."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from schemas.deal import Extraction, Issue, Table
from schemas.errors import InputError
from schemas.workbook import Overrides, cell_address, column_index
from tools.deals.build import TableBuilder
from tools.deals.check import check_table
from tools.deals.cover_notes import notes_on_covers
from tools.deals.joined_labels import joined_labels
from tools.deals.merged_over import issue_of_merged, marks_of_merged, merged_over
from tools.deals.overlong import issue_of_overlong, overlong
from tools.deals.reading import read_tables
from tools.deals.said import as_held
from tools.deals.same_deals import same_deals
from tools.deals.stale import stale_formulas
from tools.deals.sums_above import SumsAbove
from tools.deals.table_reading import TableReading
from tools.workbook.detect import Layout, detect_tables
from tools.workbook.grid import Sheet, Workbook
from tools.workbook.open import DEFAULT_LIMITS, Limits, open_workbook
from tools.workbook.stages import tell_stage

_SHOWN = 20
#: Signs that stand in figures and sentences and are no letters: a text with none but these hardly is in another page.
_READ_THE_SAME = frozenset("€£§®™°²³–—‘’“”„•…·«»\xa0\xad")
_NONE = " lists no deals: "


def extract(
    data: bytes,
    filename: str,
    *,
    artifact: str | None = None,
    overrides: Overrides | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Extraction:
    """All deals in the file, none where its tables list none: an issue says why for each of those.

    `filename` serves for messages; ids derive from `artifact`, the file's name where none is given. `overrides` holds
    what an agent or a person settled. Raises InputError (`file.*`) as `open_workbook` does.
    """
    settled = overrides or Overrides()
    with _uncollected():
        workbook = open_workbook(data, filename, limits)
        workbook.source = replace(workbook.source, artifact=artifact or filename)
        layout = detect_tables(workbook, settled.bounds)
        return extract_readings(workbook, layout, read_tables(layout, settled))


@contextmanager
def _uncollected() -> Generator[None]:
    """Keeps the collector of cycles from walking a growing grid of cells again and again: a tenth of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def extract_readings(workbook: Workbook, layout: Layout, readings: Sequence[TableReading]) -> Extraction:
    """The extraction of tables already read."""
    issues: list[Issue] = [*_hidden(workbook), *_undecided(workbook), *_in_code_page(workbook)]
    issues += joined_labels(workbook, layout)
    tables: list[Table] = []
    above: dict[str | None, SumsAbove] = defaultdict(SumsAbove)
    for reading in readings:
        tell_stage(f"reading the deals of table {reading.table.table_id}")
        if reading.why_not is not None:
            issues.append(_no_deals(reading))
            continue
        builder = TableBuilder(reading, workbook.epoch_1904)
        table = builder.build()
        issues += builder.issues
        issues += _marked(reading, workbook.source.format, builder.warnings)
        issues += check_table(table, reading, builder.warnings, above[table.sheet])
        table.warnings = {record: tuple(said) for record, said in sorted(builder.warnings.items())}
        above[table.sheet].add(table)
        tables.append(table)
    _give_lanes(tables)
    issues += [*same_deals(tables), *stale_formulas(workbook, tables), *notes_on_covers(workbook, tables)]
    return Extraction(workbook.source, tables, layout.census, tuple(issues))


def _marked(reading: TableReading, form: str, warnings: dict[int, list[str]]) -> list[Issue]:
    """Issues on records whose cells are not as a table's are; each such record is marked in `warnings`."""
    issues: list[Issue] = []
    if form == "csv" and (said := issue_of_overlong(reading)):
        issues.append(said)
        for record in overlong(reading):
            warnings.setdefault(record, []).append("record.fields: values may stand in wrong columns")
    if merged := merged_over(reading):
        issues.append(issue_of_merged(reading, merged))
        for record, mark in marks_of_merged(merged):
            warnings.setdefault(record, []).append(mark)
    return issues


def _give_lanes(tables: Sequence[Table]) -> None:
    """Tells tables apart that stand side by side: all but the leftmost get their first column's letters."""
    taken: dict[tuple[str | None, str], set[int]] = {}
    for table in sorted(tables, key=lambda table: column_index(_first_letters(table))):
        places = taken.setdefault((table.sheet, table.orientation), set())
        if not places.isdisjoint(table.records):
            table.lane = _first_letters(table)
        places.update(table.records)


def _first_letters(table: Table) -> str:
    return table.range.partition(":")[0].rstrip("0123456789")


def require_deals(extraction: Extraction) -> None:
    """Raises InputError `file.no_deals` where the extraction holds none, with what its tables are instead."""
    if extraction.deal_count:
        return
    why = [issue for issue in extraction.issues if issue.code == "table.no_deals"]
    name = extraction.source.filename
    if not why:
        hidden = any(issue.code == "hidden.sheet" for issue in extraction.issues)
        said = "no table that can be read"
        if hidden:
            raise InputError("file.no_table", f"{name} holds {said} but on hidden sheets; show them and send it again.")
        raise InputError("file.no_table", f"{name} holds {said}; send the workbook that lists the deals.")
    more = f", and {len(why) - 1} more" if len(why) > 1 else ""
    first = f"{why[0].cells[0]}: {why[0].message.partition(_NONE)[2].rstrip('.')}"
    raise InputError("file.no_deals", f"{name} holds no deals ({first}{more}); send the workbook that lists them.")


def _no_deals(reading: TableReading) -> Issue:
    sheet = reading.table.sheet.name
    where = reading.range if sheet is None else f"{sheet}!{reading.range}"
    return Issue("table.no_deals", "info", f"The table at {where}{_NONE}{reading.why_not}.", (where,))


def _titled(sheet: Sheet) -> str:
    """What a sentence calls a sheet; those of texts and pages may have no name."""
    return "The sheet" if sheet.name is None else f"Sheet {as_held(sheet.name)}"


def _undecided(workbook: Workbook) -> list[Issue]:
    """An issue for each rule of a page that hides what nobody can tell: it was read as if it were shown."""
    rules = dict.fromkeys(rule for sheet in workbook.sheets for rule in sheet.undecided)
    why = "which cannot be followed here; what it hides was read as shown: look for it in the page"
    return [Issue("hidden.rules", "warning", f"The page hides what {as_held(rule)} means, {why}.") for rule in rules]


def _in_code_page(workbook: Workbook) -> list[Issue]:
    """An issue `letters.guessed` with the first text that has letters beyond ASCII, where a file tells no code page.

    One of a file in UTF-8 has the cells that hold bytes of another encoding.
    """
    sheet = workbook.sheets[0] if workbook.sheets else None
    if sheet is not None and sheet.strays_read:
        return [_strays_read(sheet)]
    first = min(_foreign_texts(sheet), default=None) if sheet is not None and sheet.code_page else None
    if sheet is None or first is None:
        return []
    row, column, text = first
    message = (
        f"The file does not say how its letters are written; they were read in the code page {sheet.code_page}: "
        f"{as_held(text)}. Where that is wrong, save the file as UTF-8."
    )
    return [Issue("letters.guessed", "info", message, (cell_address(sheet.name, row, column),))]


def _strays_read(sheet: Sheet) -> Issue:
    """What is said of cells with bytes that no UTF-8 has, in a file that is UTF-8 otherwise."""
    places = list(sheet.strays_read)
    cells = f"{len(places):,} cell{'s hold' if len(places) > 1 else ' holds'}"
    message = (
        f"The file is in UTF-8, but {cells} bytes that are none; they were read in the code page cp1252: "
        f"{as_held(str(sheet.value(*places[0])))}. Where that is wrong, save the file as UTF-8."
    )
    return Issue("letters.guessed", "warning", message, tuple(cell_address(sheet.name, *at) for at in places[:_SHOWN]))


def _foreign_texts(sheet: Sheet) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of each cell that holds a letter beyond ASCII."""
    for at, column in enumerate(sheet.columns, sheet.left):
        for row, value in enumerate(column.values, sheet.top):
            if isinstance(value, str) and not value.isascii() and any(map(_is_foreign, value)):
                yield row, at, value


def _is_foreign(letter: str) -> bool:
    return letter > "\x7f" and letter not in _READ_THE_SAME


def _hidden(workbook: Workbook) -> list[Issue]:
    """One issue for each sheet that is hidden or hides rows or columns: they are left out of the records."""
    found: list[Issue] = []
    for sheet in workbook.sheets:
        if not sheet.visible:
            if sheet.columns:
                found.append(Issue("hidden.sheet", "info", f"{_titled(sheet)} is hidden and was left out."))
            continue
        rows = {row for row in sheet.hidden_rows if sheet.top <= row <= sheet.bottom}
        columns = {column for column in sheet.hidden_columns if sheet.left <= column <= sheet.right}
        under = sum(
            row not in sheet.hidden_rows and column not in sheet.hidden_columns for row, column in sheet.covered
        )
        for code, count, what in (
            ("hidden.rows", len(rows), "row"),
            ("hidden.columns", len(columns), "column"),
            ("hidden.cells", under, "merged-over cell"),
        ):
            if count:
                plural = "s are" if count > 1 else " is"
                found.append(Issue(code, "info", f"{_titled(sheet)}: {count:,} {what}{plural} hidden and left out."))
    return found
