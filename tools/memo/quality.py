"""Data quality and method: what was checked and found, what people changed, how and from what figures were made."""

from __future__ import annotations

from reportlab.platypus import CondPageBreak, Flowable, PageBreak

from schemas.deal import Table
from tools.figures import formats
from tools.figures.citations import dated
from tools.figures.quality import Quality, class_names, open_issues, quality
from tools.figures.registry import Quoted, Sentence, counted, sentence
from tools.figures.text import printable
from tools.figures.tokens import COPPER, INK, NAVY, SLATE, TEAL
from tools.figures.told_issues import told, told_value
from tools.memo.brief import Brief
from tools.memo.flow import heading, plain, words
from tools.memo.glyphs import unprinted
from tools.memo.ledger import Cell, Column, Ledger, cells_cell, figure_cell, quoted_cell, said_cell

MOST_TABLES_LISTED = 24
KIND_WORDS = {
    "sale_comps": "Sale comparables", "lease_comps": "Lease comparables", "rent_roll": "Rent roll",
    "offering_list": "Offering list", "pipeline": "Pipeline", "loan_tape": "Loan tape",
    "property_summary": "Property summary", "other": "Rows",
}  # fmt: skip
MOST_ISSUES = 120
MOST_FOREIGN = 40
VERDICT_COLORS = {"Ties": TEAL, "Look": COPPER, "Corrected": NAVY, "Noted": SLATE}
SEVERITY_RANK = {"error": 0, "warning": 1, "info": 2}


def quality_chapter(brief: Brief) -> list[Flowable]:
    """Checks, issues, what people corrected, and what could not be printed."""
    found = quality(brief.measured)
    made: list[Flowable] = [
        PageBreak(), plain("DATA QUALITY", "kicker"), heading(found.title, 0, "quality", "Data quality"),
        _checks(found),
    ]  # fmt: skip
    return [*made, *_issues(brief), *_corrections(found), *_foreign(brief)]


def _checks(found: Quality) -> Ledger:
    columns = [Column("Check", 170), Column("Result", 62, "r"), Column("Detail", 222), Column("Verdict", 50)]
    rows = [
        [
            said_cell(check.name, INK),
            said_cell(check.result, INK),
            said_cell(check.detail),
            Cell(check.verdict, face="bold", color=VERDICT_COLORS[check.verdict]),
        ]
        for check in found.checks
    ]
    for one in found.exceptions:
        verdict = "Noted" if one.severity == "info" else "Look"
        name = quoted_cell(one.name)
        rows.append(
            [
                name,
                figure_cell(one.number),
                said_cell(one.message),
                Cell(verdict, face="bold", color=VERDICT_COLORS[verdict]),
            ]
        )
    return Ledger(columns, rows, title=heading(sentence("Checks"), 1, "checks"))


def _issues(brief: Brief) -> list[Flowable]:
    """Each issue with its cells, the worst first; what is over the bound is in deals.xlsx."""
    issues = sorted(open_issues(brief.extraction), key=lambda issue: SEVERITY_RANK[issue.severity])
    if not issues:
        return []
    columns = [Column("Cell", 96), Column("What was found", 236), Column("In the file", 86), Column("Expected", 86)]
    rows = [
        [
            cells_cell(issue.cells, 4, INK), said_cell(told(issue, 600), INK),
            said_cell(told_value(issue, issue.found), INK), said_cell(told_value(issue, issue.expected), INK),
        ]
        for issue in issues[:MOST_ISSUES]
    ]  # fmt: skip
    made: list[Flowable] = [Ledger(columns, rows, title=heading(sentence("Issues"), 1, "issues"))]
    if len(issues) > MOST_ISSUES:
        left = counted(len(issues) - MOST_ISSUES, "issues not listed here", "count of issues")
        made.append(words(sentence(left, " more issues are in deals.xlsx, on its sheet of issues."), "note"))
    return made


def _corrections(found: Quality) -> list[Flowable]:
    title = heading(sentence("Corrections by people"), 1, "corrections")
    if not found.corrections:
        return [CondPageBreak(70), title, words(sentence("No value was changed by a person: all stand as read."))]
    columns = [
        Column("Cell", 90),
        Column("What the cell read, and what it was set to", 250),
        Column("Reason given", 164),
    ]
    rows = [
        [quoted_cell(one.cell or ""), said_cell(one.note, INK), quoted_cell(one.reason.text)]
        for one in found.corrections
    ]
    return [Ledger(columns, rows, title=title)]


def _foreign(brief: Brief) -> list[Flowable]:
    """The cells whose letters no font here draws; nothing where there are none."""
    found: list[tuple[str, str]] = []
    for table in brief.extraction.tables:
        for column in table.columns:
            for record, value in enumerate(column.values):
                letters = unprinted(value) if isinstance(value, str) else ""
                if letters:
                    found.append(
                        (table.cell(column, record) or "", " ".join(f"U+{ord(letter):04X}" for letter in letters[:12]))
                    )
    if not found:
        return []
    number = counted(len(found), "cells with letters that the fonts lack", "count of cells")
    said = sentence(
        number, " cells hold letters that the embedded fonts do not have; they are written by their nearest letters, "
        "or named in brackets. deals.xlsx has them as they are.",
    )  # fmt: skip
    rows = [[quoted_cell(cell), quoted_cell(codes)] for cell, codes in found[:MOST_FOREIGN]]
    made: list[Flowable] = [
        CondPageBreak(120),
        heading(sentence("Letters that could not be printed"), 1, "letters"),
        words(said),
    ]
    return [*made, Ledger([Column("Cell", 1), Column("Letters", 3)], rows, mini=True)]


def method_chapter(brief: Brief) -> list[Flowable]:
    """How the file was read, how figures are made, what people did, and the sources."""
    source = brief.extraction.source
    reading = sentence(
        "One file was read: ", Quoted(printable(source.filename, 120)), ". Every row that is not empty is accounted "
        "for as a record, header, section, total, note or other before anything is computed. Hidden rows and columns "
        "are left out and counted. Values are taken from cells as stored; a cell that holds no number stays "
        f"{formats.NOT_PROVIDED} and never becomes zero.",
    )  # fmt: skip
    figures = sentence(
        "Each figure is computed once and printed from one register, here and in the deck. Ratios of a portfolio are "
        "sums over sums, of those that have both: a blended cap rate is the sum of NOI over the sum of price, and "
        "never a mean of cap rates. Years to run count days from ", dated(brief.as_of), ", and a "
        "month-to-month lease counts as zero. No growth, renewal or market figure is assumed. Rounding is half-up, and "
        "only in print.",
    )  # fmt: skip
    people = sentence(
        "A value that a person set is marked, keeps what its cell read, and is not overwritten by a later reading. "
        "Approvals are kept in the job’s record, not in this document.",
    )  # fmt: skip
    made: list[Flowable] = [
        CondPageBreak(300),
        plain("METHOD", "kicker-gap"),
        heading(sentence("How the figures were made"), 0, "method", "Method and sources"),
    ]
    for title, said in (("Reading", reading), ("Figures", figures), ("People", people)):
        made += [CondPageBreak(80), heading(sentence(title), 1), words(said)]
    return [*made, _tables_read(brief), words(_source_note(brief), "note")]


def _tables_read(brief: Brief) -> Ledger:
    columns = [
        Column("Sheet", 0.9, lines=1),
        Column("Range", 0.7, lines=1),
        Column("Holds", 1.2),
        Column("Records", 0.5, "r"),
        Column("Left out", 1.2),
    ]
    rows = [_table_row(brief, table) for table in brief.extraction.tables[:MOST_TABLES_LISTED]]
    return Ledger(columns, rows, title=heading(sentence("What was read"), 1, "sources"))


def _table_row(brief: Brief, table: Table) -> list[Cell]:
    name = "(no sheets)" if table.sheet is None else table.sheet
    deals = counted(len(table.records), f"{table.table_id} deals", "count of records", (table.range,))
    hidden = next((census.hidden for census in brief.extraction.census if census.sheet == table.sheet), 0)
    left: list[Sentence] = [sentence(", ".join(class_names(table.excluded_rows)).capitalize())]
    if hidden:
        number = counted(
            hidden, f"{table.table_id} hidden cells", "filled cells in hidden rows and columns of the sheet"
        )
        tail = f" hidden cell{'s' if hidden > 1 else ''} on the sheet"
        left = [sentence(*left, "; " if left[0].text else None, number, tail)]
    return [
        quoted_cell(name), quoted_cell(table.range), Cell(KIND_WORDS[table.kind]), figure_cell(deals),
        said_cell(left[0] if left[0].text else sentence("Nothing"), INK),
    ]  # fmt: skip


def _source_note(brief: Brief) -> Sentence:
    source = brief.extraction.source
    more = len(brief.extraction.tables) - MOST_TABLES_LISTED
    tail = (
        sentence(" ", counted(more, "tables not listed", "count of tables"), " more tables are in deals.xlsx.")
        if more > 0
        else None
    )
    size = counted(source.size_bytes, "bytes of the file", "size of the file as received")
    name, digest = Quoted(f"{printable(source.filename, 120)}, "), Quoted(f" bytes, SHA-256 {source.sha256}.")
    return sentence(name, f"{source.format}, ", size, digest, tail)
