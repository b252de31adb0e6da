"""The last slides: what was checked and what came of it, and where everything comes from."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.deck import Box, Paragraph, Run, TableBlock
from tools.deck.grid import BOTTOM, FULL, MARGIN, TOP, inches
from tools.deck.listing import Column, Entry, Listing, lay_out
from tools.deck.page import DeckDraft, Page, short_cells
from tools.figures.citations import dated
from tools.figures.measures import Portfolio
from tools.figures.quality import Check, Quality, class_names, quality, sheet_name
from tools.figures.registry import Sentence, counted, sentence
from tools.figures.text import printable

ROW, HEAD = inches(0.262), inches(0.28)
MOST_CHECKS, MOST_TABLES = 8, 6
_TINTS = {"Ties": "accent3", "Look": "accent2", "Corrected": "accent1", "Noted": "accent6"}


def plan_quality(deck: DeckDraft) -> None:
    """Add the data quality slide; corrections by people stand before the issues."""
    found = quality(deck.portfolio)
    page = deck.page("Ledger", "Data quality")
    page.title(found.title)
    limits = page.cite("Each check can be repeated from the cells named; totals tie within a dollar or a thousandth")
    page.say("First heading", Paragraph((Run("What was checked"), limits)))
    first = _checks(page, found)
    page.add(first)
    kept = page.cite("Stated values stay in the record beside those used")
    heading = Box(MARGIN, first.box.bottom + inches(0.14), FULL, inches(0.28))
    page.say("Second heading", Paragraph((Run(_exceptions_heading(found)), kept)), box=heading)
    page.add(_exceptions(page, found, heading.bottom))
    page.done()


def _exceptions_heading(found: Quality) -> str:
    if not found.exceptions and not found.corrections:
        return "No issues, no corrections"
    return "Issues by kind, and corrections by people" if found.corrections else "Issues by kind"


def _said(page: Page, words: Sentence) -> str:
    return "".join(run.text for run in page.runs(words))


def _checks(page: Page, found: Quality) -> TableBlock:
    """The checks; those that need a look first, so that they are never among those left out."""
    order = sorted(found.checks, key=lambda check: check.verdict == "Ties")
    rows = [_check_row(page, check) for check in order[:MOST_CHECKS]]
    for check in order[MOST_CHECKS:]:
        page.note(f"Also checked: {_said(page, check.name)}: {_said(page, check.result)}, {check.verdict}.")
    columns = (
        Column("Check", elastic=True),
        Column("Result", "right"),
        Column("Detail", elastic=True),
        Column("Verdict", bold=True),
    )
    box = Box(MARGIN, TOP + inches(0.27), FULL, 0)
    return lay_out(page, Listing("Table", box, columns, rows, "What was checked, with results.", 11, ROW, HEAD))


def _check_row(page: Page, check: Check) -> list[Entry]:
    words = (_said(page, one) for one in (check.name, check.result, check.detail))
    return [*(Entry(text) for text in words), Entry(check.verdict, color=_TINTS[check.verdict])]


def _exceptions(page: Page, found: Quality, top: int) -> TableBlock:
    """Corrections, then issues by code, in the room that is left; the rest is counted and goes into the notes."""
    rows = [
        [
            Entry(page.quote(printable(one.cell or "", 40))), Entry("Corrected", color="accent1", bold=True), Entry(""),
            Entry(_said(page, one.note)),
        ]
        for one in found.corrections
    ]  # fmt: skip
    for one in found.exceptions:
        tint = {"error": "accent2", "warning": "accent2"}.get(one.severity, "accent6")
        cells = page.quote(short_cells(one.cells, 1))
        rows.append(
            [
                Entry(cells), Entry(page.quote(one.name), color=tint, bold=True), Entry(page.show(one.number)),
                Entry(_said(page, one.message)),
            ]
        )  # fmt: skip
    room = (BOTTOM - top - HEAD) // ROW
    if len(rows) > room:
        for row in rows[room - 1 :]:
            page.note("Also: " + " · ".join(entry.text for entry in row if entry.text))
        left = counted(
            len(rows) - room + 1, "kinds of issue in the notes", "count of rows that the slide has no room for"
        )
        rows = [
            *rows[: room - 1],
            [Entry(""), Entry("More"), Entry(page.show(left)), Entry("in the notes and in deals.xlsx")],
        ]
    rows = rows or [[Entry(""), Entry("none"), Entry(""), Entry("Nothing was found that a reader must know")]]
    columns = (
        Column("Cells", elastic=True),
        Column("Kind", elastic=True),
        Column("Times", "right"),
        Column("What", elastic=True),
    )
    box = Box(MARGIN, top, FULL, 0)
    return lay_out(page, Listing("Second table", box, columns, rows, "Issues and corrections.", 11, ROW, HEAD))


def plan_sources(deck: DeckDraft) -> None:
    """Add the sources slide: sheets and ranges, what of them is shown, the file, and how the figures came about."""
    page = deck.page("Ledger", "Sources")
    when = dated(deck.as_of)
    page.title(sentence("Everything here comes from one file, received on ", when))
    page.say("First heading", Paragraph((Run("What was read"),)))
    first = _tables(page)
    page.add(first)
    heading = Box(MARGIN, first.box.bottom + inches(0.2), FULL, inches(0.28))
    page.say("Second heading", Paragraph((Run("How it was made, and what it is not"),)), box=heading)
    page.add(_making(page, heading.bottom))
    page.done()


def _tables(page: Page) -> TableBlock:
    portfolio = page.deck.portfolio
    measured = (portfolio, *portfolio.companions)
    rows = [_source_row(page, one, main=one is portfolio) for one in measured[:MOST_TABLES]]
    for one in measured[MOST_TABLES:]:
        page.note(f"Also read: {page.quote(one.cells_of_records())}, {page.show(one.deals(one.count))} records.")
    if len(measured) > MOST_TABLES:
        more = counted(len(measured) - MOST_TABLES, "tables in the notes", "count of tables not listed on the slide")
        rows.append([Entry("More"), Entry(""), Entry("in the notes"), Entry(page.show(more)), Entry("")])
    columns = (
        Column("Sheet", elastic=True), Column("Range"), Column("Holds", elastic=True), Column("Records", "right"),
        Column("Left out", elastic=True),
    )  # fmt: skip
    box = Box(MARGIN, TOP + inches(0.27), FULL, 0)
    return lay_out(page, Listing("Table", box, columns, rows, "The tables that were read.", 11, ROW, HEAD))


def _source_row(page: Page, one: Portfolio, *, main: bool) -> list[Entry]:
    table = one.table
    kind = table.kind.replace("_", " ")
    holds = f"{kind}, the main table of this deck" if main else kind
    hidden = next((c.hidden for c in one.extraction.census if c.sheet == table.sheet), 0)
    parts = class_names(table.excluded_rows)
    cells = counted(hidden, f"{table.table_id} hidden cells", "filled cells in hidden rows and columns of the sheet")
    parts += [f"{page.show(cells)} hidden cell{'s' if hidden > 1 else ''}"] if hidden else []
    return [
        Entry(page.quote(sheet_name(table.sheet).text)), Entry(page.quote(table.range)), Entry(holds),
        Entry(page.show(one.deals(one.count, "records"))), Entry(", ".join(parts) or "nothing"),
    ]  # fmt: skip


def _making(page: Page, top: int) -> TableBlock:
    source = page.deck.portfolio.extraction.source
    size = counted(source.size_bytes, "bytes of the file", "size of the file as received")
    name = page.quote(printable(source.filename, 120))
    digest = page.quote(source.sha256)
    lead = page.deck.portfolio.lead(page.deck.emphasis)
    called = page.deck.portfolio.called
    order = f"{page.deck.emphasis.capitalize()} leads" + (f": {called} are in order of {lead.label}" if lead else "")
    rows: list[Sequence[Entry]] = [
        [Entry("File"), Entry(f"{name}, {page.show(size)} bytes, {source.format}")],
        [Entry(page.quote("SHA-256")), Entry(digest)],
        [Entry("Figures"), Entry("Computed by code from the cells named; each is in figures.json with its derivation")],
        [
            Entry("Ratios"),
            Entry("Sums over sums, or weighted means, over those that have both parts"),
        ],
        [Entry("Order"), Entry(order)],
        [Entry("Wording"), Entry("A summary of one file; not an appraisal, not an offer, not advice")],
    ]
    columns = (Column("Item", least_pt=96), Column("Value", elastic=True))
    box = Box(MARGIN, top, FULL, 0)
    return lay_out(page, Listing("Second table", box, columns, rows, "How it was made.", 11, ROW, HEAD))
