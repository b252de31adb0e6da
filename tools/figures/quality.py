"""Data quality: what was checked, what came of it, and what a reader should look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from schemas.deal import Extraction, Issue, Pin, Table
from schemas.figures import Figure
from schemas.workbook import RowClass, RowSpan, SheetCensus
from tools.figures import formats
from tools.figures.citations import remark
from tools.figures.measures import Portfolio
from tools.figures.registry import Quoted, Sentence, counted, quoted, sentence
from tools.figures.series import pin_note
from tools.figures.text import printable
from tools.figures.told_issues import told
from tools.figures.wording import issue_words

Verdict = Literal["Ties", "Look", "Corrected", "Noted"]
_RANK = {"error": 0, "warning": 1, "info": 2}
CLASS_NOUNS: dict[RowClass, str] = {
    "title": "titles", "header": "headers", "section": "sections", "record": "records", "total": "totals",
    "note": "notes", "other": "other rows",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what was checked, the result in a few words, the detail, and the verdict."""

    name: Sentence
    result: Sentence
    detail: Sentence
    verdict: Verdict
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exceptional:
    """The issues of one kind: how many, the first one's sentence, and the first cells."""

    name: str
    severity: str
    number: Figure
    message: Sentence
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's corrected value, in one sentence, and the reason given."""

    note: Sentence
    reason: Quoted
    cell: str | None


@dataclass(frozen=True, slots=True)
class Quality:
    """The account of a file's reading, the worst first in each list."""

    checks: tuple[Check, ...]
    exceptions: tuple[Exceptional, ...]
    corrections: tuple[Correction, ...]
    title: Sentence


def quality(portfolio: Portfolio) -> Quality:
    """The checks, exceptions and corrections of the extraction that `portfolio` is of."""
    extraction = portfolio.extraction
    checks = [_rows_check(census, extraction.tables) for census in extraction.census]
    checks += [_columns_check(table) for table in extraction.tables]
    checks += [_coverage_check(portfolio)]
    exceptions = exceptions_of(open_issues(extraction))
    corrections = tuple(_correction(portfolio, pin) for pin in extraction.pins)
    return Quality(tuple(checks), exceptions, corrections, _title(checks, exceptions, extraction))


def sheet_name(sheet: str | None) -> Quoted:
    """A sheet's name for print; a file without sheets is called the file."""
    return Quoted("the file") if sheet is None else quoted(sheet, 40)


def _rows_check(census: SheetCensus, tables: Sequence[Table]) -> Check:
    """Whether each row that is not empty has a class: how many are deals, and what the others are."""
    where = sheet_name(census.sheet).text
    done = counted(census.accounted_rows, f"rows accounted for, {where}", "rows that have a class")
    every = counted(census.non_empty_rows, f"rows not empty, {where}", "rows that hold anything")
    parts = _account(census, [table for table in tables if table.sheet == census.sheet], where)
    if census.hidden:
        cells = counted(census.hidden, f"hidden cells, {where}", "filled cells in hidden rows and columns, left out")
        parts += ["; ", cells, " cells are hidden" if census.hidden > 1 else " cell is hidden"]
    ties = census.accounted_rows == census.non_empty_rows and census.accounted == census.non_empty
    return Check(
        sentence("Rows accounted for, ", sheet_name(census.sheet)),
        sentence(done, " of ", every),
        sentence(*parts),
        "Ties" if ties else "Look",
    )


def _account(census: SheetCensus, tables: Sequence[Table], where: str) -> list[Figure | str]:
    """`50 records, 22 others (totals, sections, notes)`: two numbers that add up to the rows accounted for."""
    others = class_names(census.rows, but=("record",) if tables else ())
    if any(table.orientation == "columns" for table in tables):
        return [f"records stand in columns; rows are {', '.join(others)}" if others else "records stand in columns"]
    rows = {row for table in tables for row in table.records}
    left = census.accounted_rows - len(rows)
    parts: list[Figure | str] = ["no records"]
    if rows:
        noun = " record" if len(rows) == 1 else " records"
        parts = [counted(len(rows), f"records, {where}", "rows that are records"), noun]
    if left > 0:
        named = f" ({', '.join(others)})" if others else ""
        rest = counted(left, f"other rows, {where}", "rows accounted for that are no records")
        parts += [", ", rest, f" other{'s' if left > 1 else ''}{named}"]
    return parts


def class_names(spans: Iterable[RowSpan], but: Sequence[RowClass] = ()) -> list[str]:
    """`totals`, `sections`: the classes that rows of `spans` are of, the most frequent first."""
    tally: Counter[RowClass] = Counter()
    for span in spans:
        tally[span.row_class] += span.last - span.first + 1
    return [CLASS_NOUNS[name] for name, _ in tally.most_common() if name not in but]


def _columns_check(table: Table) -> Check:
    """How many columns have a field, and how surely; the others are kept as they are."""
    where = f"{table.table_id} {sheet_name(table.sheet).text}"
    mapped = [column for column in table.columns if column.field]
    unsure = [column for column in mapped if column.confidence < 0.8]
    kept = [column for column in table.columns if not column.field]
    known = counted(len(mapped), f"columns read, {where}", "columns that have a field")
    every = counted(len(table.columns), f"columns, {where}", "columns of the table")
    detail = sentence("each with its meaning")
    if unsure:
        names = ", ".join(printable(column.header, 30) for column in unsure[:3])
        detail = sentence("unsure: ", Quoted(names))
    elif kept:
        names = ", ".join(printable(column.header, 30) or "no header" for column in kept[:3])
        detail = sentence("kept as they are: ", Quoted(names), ", and others" if len(kept) > 3 else None)
    name = sentence("Columns read, ", sheet_name(table.sheet))
    return Check(name, sentence(known, " of ", every), detail, "Look" if unsure else "Ties", (table.range,))


def _coverage_check(portfolio: Portfolio) -> Check:
    """Which of the measures have gaps."""
    series = [one for one in portfolio.measures.values() if not one.derived or one.fields]
    gaps = [(one, portfolio.held - len(one.records) - len(one.foreign)) for one in series]
    gaps = sorted(((one, gap) for one, gap in gaps if gap > 0), key=lambda pair: -pair[1])
    full = counted(len(series) - len(gaps), "measures without a gap", "measures that every record has")
    every = counted(len(series), "measures", "measures that the main table has")
    parts: list[Figure | str] = []
    for one, gap in gaps[:4]:
        missing = counted(gap, f"records without {one.label}", "records without a value, in whatever currency")
        parts += [", " if parts else "without a value: ", one.label + " ", missing]
    detail = sentence(*parts) if parts else sentence("nothing is missing")
    return Check(sentence("Measures without a gap"), sentence(full, " of ", every), detail, "Noted" if gaps else "Ties")


def open_issues(extraction: Extraction) -> list[Issue]:
    """The issues but for those that tell of corrections, which are listed by themselves."""
    return [issue for issue in extraction.issues if issue.code != "pin.applied"]


def exceptions_of(issues: Sequence[Issue]) -> tuple[Exceptional, ...]:
    """Issues by code, errors before warnings before notes, the most frequent first."""
    by_code: dict[tuple[str, str], list[Issue]] = {}
    for issue in issues:
        by_code.setdefault((issue.severity, issue.code), []).append(issue)
    order = sorted(by_code.items(), key=lambda item: (_RANK[item[0][0]], -len(item[1]), item[0][1]))
    return tuple(
        Exceptional(
            printable(issue_words(code), 40),
            severity,
            counted(len(found), f"issues {code} {severity}", "issues of this code", _first_cells(found)),
            told(found[0], 300),
            _first_cells(found),
        )
        for (severity, code), found in order
    )


def _first_cells(issues: Sequence[Issue], most: int = 3) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell for issue in issues[:most] for cell in issue.cells))[:most]


def _correction(portfolio: Portfolio, pin: Pin) -> Correction:
    owners = (portfolio, *portfolio.companions)
    owner = next((one for one in owners if pin in one.view.pins.values()), portfolio)
    note = pin_note(owner.view, pin)
    told_note = remark(note, (pin.cell,) if pin.cell else ())
    return Correction(told_note, quoted(pin.reason, 120), pin.cell)


def _title(checks: Sequence[Check], exceptions: Sequence[Exceptional], extraction: Extraction) -> Sentence:
    """What the reader must know first: whether every row is accounted for, and how much needs an eye."""
    whole = all(census.accounted_rows == census.non_empty_rows for census in extraction.census)
    start = "Every row is accounted for" if whole else "Some rows are not accounted for"
    look = sum(check.verdict == "Look" for check in checks)
    open_ = sum(one.severity != "info" for one in exceptions)
    if not look and not open_:
        return sentence(start + "; nothing needs a second look")
    parts: list[Figure | str] = [start, "; "]
    if look:
        parts += [_word(look, "checks that need a look"), " of ", _word(len(checks), "checks")]
        parts += [" checks need a look" if look > 1 else " checks needs a look"]
    if open_:
        noun = " kind of issue is open" if open_ == 1 else " kinds of issue are open"
        parts += [" and " if look else "", _word(open_, "kinds of issue"), noun]
    return sentence(*parts)


def _word(number: int, label: str) -> Figure:
    return counted(number, label, "count", text=formats.count_word(number))
