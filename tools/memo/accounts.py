"""The last chapters: what was checked and found, how the figures were made, and the appendices that lead to the cells."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import CondPageBreak, Flowable, PageBreak, Spacer

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.columns import TableColumn, table_columns
from tools.figures.findings import in_words
from tools.figures.measures import Portfolio
from tools.figures.quality import Quality, quality
from tools.figures.registry import Quoted, Sentence, counted, sentence
from tools.figures.text import printable
from tools.figures.tokens import COPPER, NAVY, SLATE, TEAL
from tools.memo.brief import MOST_IN_BODY, MOST_LISTED, Brief, Clipped, figure_cell
from tools.memo.flow import heading, plain, words
from tools.memo.glyphs import LONG, unprinted
from tools.memo.ledger import Cell, Column, Ledger
from tools.memo.tables import deals_table

MOST_ISSUES = 120
MOST_SPANS = 8
"""Ranges of cells that a row of appendix A names; figures.json has all."""
MOST_SOURCED = 60
"""Deals of a table whose cells appendix B names one by one."""
MOST_FOREIGN = 40
VERDICT_COLORS = {"Ties": TEAL, "Look": COPPER, "Corrected": NAVY, "Noted": SLATE}
SEVERITY_RANK = {"error": 0, "warning": 1, "info": 2}


def said_cell(said: Sentence, color: str = SLATE) -> Cell:
    """A sentence in a ledger; its figures are noted by the ledger."""
    return Cell(said.text, color=color, said=said)


def quality_chapter(brief: Brief) -> list[Flowable]:
    """Checks, issues, what people corrected, and what could not be printed."""
    found = quality(brief.measured)
    made: list[Flowable] = [
        PageBreak(), plain("DATA QUALITY", "kicker"), heading(found.title, 0, "quality", "Data quality"),
        heading(sentence("Checks"), 1, "checks"), _checks(found),
    ]  # fmt: skip
    return [*made, *_issues(brief), *_corrections(brief, found), *_foreign(brief)]


def _checks(found: Quality) -> Ledger:
    columns = [Column("Check", 170), Column("Result", 62, "r"), Column("Detail", 222), Column("Verdict", 50)]
    rows = [
        [said_cell(check.name, _INK), said_cell(check.result, _INK), said_cell(check.detail), Cell(check.verdict, face="bold", color=VERDICT_COLORS[check.verdict])]
        for check in found.checks
    ]
    for one in found.exceptions:
        verdict = "Noted" if one.severity == "info" else "Look"
        name = Cell(one.code.replace(".", ", ").replace("_", " ").capitalize(), None, True)
        rows.append([name, figure_cell(one.number), Cell(one.message.text, None, True, color=SLATE), Cell(verdict, face="bold", color=VERDICT_COLORS[verdict])])
    return Ledger(columns, rows)


_INK = "1B2530"


def _issues(brief: Brief) -> list[Flowable]:
    """Each issue with its cells, the worst first; what is over the bound is in deals.xlsx."""
    issues = sorted(brief.extraction.issues, key=lambda issue: SEVERITY_RANK[issue.severity])
    if not issues:
        return []
    columns = [Column("Cell", 96), Column("What was found", 236), Column("In the file", 86), Column("Expected", 86)]
    rows = [
        [
            Cell(_some(issue.cells, 4), None, True), Cell(printable(issue.message, 600), None, True),
            Cell(printable(issue.found or "", 80), None, True), Cell(printable(issue.expected or "", 80), None, True),
        ]
        for issue in issues[:MOST_ISSUES]
    ]  # fmt: skip
    made: list[Flowable] = [CondPageBreak(120), heading(sentence("Issues"), 1, "issues"), Ledger(columns, rows)]
    if len(issues) > MOST_ISSUES:
        left = counted(len(issues) - MOST_ISSUES, "issues not listed here", "count of issues")
        made.append(words(sentence(left, " more issues are in deals.xlsx, on its sheet of issues."), "note"))
    return made


def _some(cells: Sequence[str], most: int) -> str:
    more = len(cells) - most
    return printable(", ".join(cells[:most]) + (f" and {more:,} more" if more > 0 else ""), 400)


def _corrections(brief: Brief, found: Quality) -> list[Flowable]:
    made: list[Flowable] = [CondPageBreak(100), heading(sentence("Corrections by people"), 1, "corrections")]
    if not found.corrections:
        return [*made, words(sentence("No value was changed by a person: all stand as read."))]
    columns = [Column("Cell", 90), Column("What the cell read, and what it was set to", 250), Column("Reason given", 164)]
    rows = [[Cell(one.cell or "", None, True), Cell(one.note.text, None, True), Cell(one.reason.text, None, True)] for one in found.corrections]
    del brief
    return [*made, Ledger(columns, rows)]


def _foreign(brief: Brief) -> list[Flowable]:
    """The cells whose letters no font here draws; nothing where there are none."""
    found: list[tuple[str, str]] = []
    for table in brief.extraction.tables:
        for column in table.columns:
            for record, value in enumerate(column.values):
                letters = unprinted(value) if isinstance(value, str) else ""
                if letters:
                    found.append((table.cell(column, record) or "", " ".join(f"U+{ord(letter):04X}" for letter in letters[:12])))
    if not found:
        return []
    number = counted(len(found), "cells with letters that the fonts lack", "count of cells")
    said = sentence(
        number, " cells hold letters that the embedded fonts do not have; they are written by their nearest letters, or named in brackets. "
        "deals.xlsx has them as they are."
    )  # fmt: skip
    rows = [[Cell(cell, None, True), Cell(codes, None, True)] for cell, codes in found[:MOST_FOREIGN]]
    made: list[Flowable] = [CondPageBreak(120), heading(sentence("Letters that could not be printed"), 1, "letters"), words(said)]
    return [*made, Ledger([Column("Cell", 1), Column("Letters", 3)], rows, mini=True)]


def method_chapter(brief: Brief) -> list[Flowable]:
    """How the file was read, how figures are made, what people did, and the sources."""
    source = brief.extraction.source
    reading = sentence(
        "One file was read: ", Quoted(printable(source.filename, 120)), ". Every row that is not empty is accounted for as a record, header, section, "
        "total, note or other before anything is computed. Hidden rows and columns are left out and counted. Values are taken from cells as stored; "
        f"a cell that holds no number stays {formats.NOT_PROVIDED} and never becomes zero.",
    )  # fmt: skip
    figures = sentence(
        "Each figure is computed once and printed from one register, here and in the deck. Ratios of a portfolio are sums over sums, of the deals "
        "that have both: a blended cap rate is the sum of NOI over the sum of price, never a mean of cap rates. Years to run count days from ",
        Quoted(formats.day(brief.as_of)), ", and a month-to-month lease counts as zero. No growth, renewal or market figure is assumed. "
        "Rounding is half-up, and only in print.",
    )  # fmt: skip
    people = sentence(
        "A value that a person set is marked, keeps what its cell read, and is not overwritten by a later reading. Approvals are kept in the job’s record, "
        "not in this document.",
    )  # fmt: skip
    made: list[Flowable] = [PageBreak(), plain("METHOD", "kicker"), heading(sentence("How the figures were made"), 0, "method", "Method and sources")]
    for title, said in (("Reading", reading), ("Figures", figures), ("People", people)):
        made += [CondPageBreak(80), heading(sentence(title), 1), words(said)]
    return made


def appendix_a(brief: Brief) -> list[Flowable]:
    """Every marked figure: its number, value, rule and cells; the number leads back to where it is printed."""
    columns = [Column("No.", 26), Column("Figure", 128), Column("Value", 76, "r"), Column("Rule", 150), Column("Cells", 124)]
    rows = [_figure_row(number, shown) for number, shown in enumerate(brief.marks.figures, 1)]
    made = _appendix("A", "Figures and their cells", "appendix-a")
    if not rows:
        return [*made, words(sentence("The file gives no number to print."))]
    return [*made, Ledger(columns, rows, mini=True, name_column=1)]


def _appendix(letter: str, title: str, key: str) -> list[Flowable]:
    return [
        Spacer(1, 18), CondPageBreak(170), plain(f"APPENDIX {letter}", "kicker"),
        heading(sentence(title), 0, key, f"Appendix {letter}: {title[:1].lower()}{title[1:]}"),
    ]  # fmt: skip


def _figure_row(number: int, shown: Figure) -> list[Cell]:
    return [
        Cell(str(number), None, True, link=f"use-{number}", anchor=f"fig-{number}", color=COPPER, face="bold"),
        Cell(printable(shown.label[:1].upper() + shown.label[1:], 160), None, True), figure_cell(shown, _full(shown), "bold"),
        Cell(printable(shown.derivation, 400), None, True), Cell(_some(shown.cells, MOST_SPANS) or "none", None, True),
    ]  # fmt: skip


def _full(shown: Figure) -> str:
    """The value in full, as it stands in the record; a word for a count stays what was printed."""
    if shown.value is None or isinstance(shown.value, str):
        return shown.text
    places = max(formats.UNIT_PLACES.get(shown.unit, 0), len(shown.text.partition(".")[2].rstrip("%xMBK/SFunitsyeacr\u00a0 ")))
    return formats.full(shown.value, shown.unit, shown.currency, min(places, 2))


def appendix_b(brief: Brief) -> list[Flowable]:
    """The cells that each deal's values are from, table by table."""
    made = _appendix("B", "Deals and their cells", "appendix-b")
    for measured in (brief.measured, *brief.measured.companions):
        made += _sources(brief, measured)
    return made


def _sources(brief: Brief, measured: Portfolio) -> list[Flowable]:
    own = measured is brief.measured
    columns = [c for c in (brief.columns if own else table_columns(measured, brief.emphasis)) if c.role != "number" and (c.fields or c.role == "name")]
    columns = columns[:8]
    records = (brief.ranked if own else range(measured.count))[:MOST_SOURCED]
    heads = [Column("#", 0.16, "r"), *(Column(_bare(c), 0.9 if c.role == "name" else 0.5, lines=0 if c.role != "name" else 1) for c in columns)]
    rows = [[Cell(formats.count(record + 1), None, True), *(_address(measured, c, record) for c in columns)] for record in sorted(records)]
    where = "the file" if measured.table.sheet is None else f"sheet {printable(measured.table.sheet, 60)}"
    said: list[Sentence | str | Quoted] = ["Cells of ", Quoted(where), ", ", Quoted(measured.table.range), "."]
    if measured.count > MOST_SOURCED:
        listed = in_words(measured, MOST_SOURCED, "with their cells in appendix B")
        said += [" Here are ", listed, " of ", measured.deals(measured.count), "; deals.xlsx has a column of source cells for all."]
    return [CondPageBreak(100), words(sentence(*said)), Ledger(heads, rows, mini=True, name_column=1), Spacer(1, 8)]


def _bare(column: TableColumn) -> str:
    """The head without its unit: the column holds addresses."""
    head = column.head.partition(" %")[0] if column.series is not None else column.head
    return head.partition(" $")[0].partition(" €")[0].partition(" £")[0] or head


def _address(measured: Portfolio, column: TableColumn, record: int) -> Cell:
    if column.role == "name":
        return Cell(measured.view.name(record), None, True)
    fields = column.series.fields_of(record) if column.series else column.fields
    cells = [(measured.view.cell(name, record) or "").rpartition("!")[2] for name in fields]
    return Cell(", ".join(cell for cell in cells if cell), None, True)


def appendix_c(brief: Brief) -> list[Flowable]:
    """All deals, where the body has only the greatest."""
    count = brief.measured.count
    if count <= MOST_IN_BODY:
        return []
    records = range(count) if count <= MOST_LISTED else sorted(brief.ranked[:MOST_LISTED])
    return [*_appendix("C", f"All {brief.measured.profile.nouns}", "appendix-c"), deals_table(brief, records, compact=True)]


def texts_in_full(brief: Brief) -> list[Flowable]:
    """Texts in full that a table shortened, and prose of deals without a chapter; nothing where there are none."""
    texts: list[Clipped] = [*brief.clipped.values(), *_prose(brief)]
    if not texts:
        return []
    letter = "D" if brief.measured.count > MOST_IN_BODY else "C"
    rows = [[Cell(one.cell, None, True), Cell(printable(one.text, LONG), None, True)] for one in texts]
    return [*_appendix(letter, "Texts in full", "texts"), Ledger([Column("Cell", 0.8), Column("Text", 4)], rows, mini=True, name_column=1)]


def _prose(brief: Brief) -> list[Clipped]:
    view = brief.measured.view
    column = view.column("notes")
    if column is None:
        return []
    rest = [record for record in range(min(view.count, MOST_LISTED)) if record not in brief.chapter_set and column.values[record]]
    return [Clipped("Notes", printable(column.values[record], LONG), view.cell("notes", record) or "") for record in rest[:MOST_SOURCED]]
