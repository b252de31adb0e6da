"""The appendices: each marked figure, each deal's cells, all deals where there are many, texts in full."""

from __future__ import annotations

import re

from reportlab.platypus import CondPageBreak, Flowable, Spacer

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.citations import cited, labelled, rule_of
from tools.figures.columns import TableColumn, table_columns
from tools.figures.findings import in_words
from tools.figures.measures import Portfolio
from tools.figures.registry import Part, Quoted, Sentence, counted, sentence
from tools.figures.text import printable
from tools.figures.tokens import COPPER, INK
from tools.memo.brief import MOST_IN_BODY, MOST_LISTED, Brief
from tools.memo.canvas import wide
from tools.memo.flow import heading, plain, words
from tools.memo.glyphs import LONG
from tools.memo.ledger import MINI, Cell, Column, Ledger, cells_cell, figure_cell, quoted_cell, said_cell
from tools.memo.styles import BODY_HEIGHT
from tools.memo.tables import deals_table

MOST_SPANS = 8
"""Ranges of cells that a row of appendix A names; figures.json has all."""
MOST_TEXTS = 200
MOST_SOURCED = 60
"""Deals of a table whose cells appendix B names one by one."""


def appendix_a(brief: Brief) -> list[Flowable]:
    """Every marked figure: its number, value, rule and cells; the number leads back to where it is printed."""
    rows = [_figure_row(number, shown) for number, shown in enumerate(brief.marks.figures, 1)]
    value = min(max([76.0, *(wide(row[2].text, row[2].face, MINI[0]) + 4 for row in rows)]), 110.0)
    columns = [
        Column("No.", 26),
        Column("Figure", 128),
        Column("Value", value, "r"),
        Column("Rule", 226 - value),
        Column("Cells", 124),
    ]
    none = words(sentence("The file gives no number to print."))
    content = Ledger(columns, rows, mini=True, name_column=1) if rows else none
    return _appendix("A", "Figures and their cells", "appendix-a", [content])


def _appendix(letter: str, title: str, key: str, content: list[Flowable]) -> list[Flowable]:
    """An appendix: its heading, with room for its first table, whole if that is short, and what is in it."""
    table = next((one.wrap()[1] for one in content if isinstance(one, Ledger)), 0.0)
    need = 90 + (table if table < BODY_HEIGHT * 0.6 else 160)
    name = f"Appendix {letter}: {title[:1].lower()}{title[1:]}"
    heads = [plain(f"APPENDIX {letter}", "kicker-gap"), heading(sentence(title), 0, key, name)]
    return [CondPageBreak(need), *heads, *content]


def _figure_row(number: int, shown: Figure) -> list[Cell]:
    return [
        Cell(str(number), None, True, link=f"use-{number}", anchor=f"fig-{number}", color=COPPER, face="bold"),
        said_cell(_label(shown), INK), figure_cell(shown, _full(shown), "bold"),
        said_cell(cited(printable(_rule(shown), 400), rule_of(shown)), INK), cells_cell(shown.cells, MOST_SPANS, INK),
    ]  # fmt: skip


def _label(shown: Figure) -> Sentence:
    """The figure's label with a capital, but where it begins with a name from the file."""
    label = shown.label if "," in shown.label else shown.label[:1].upper() + shown.label[1:]
    return labelled(shown.model_copy(update={"label": printable(label, 160)}))


def _rule(shown: Figure) -> str:
    """How the figure came about, and whether a value in it is a person's."""
    corrected = shown.pinned and "; set to" not in shown.derivation
    return shown.derivation + ("; a person set a value in it" if corrected else "")


def _full(shown: Figure) -> str:
    """The value in full, as it stands in the record, with the decimals that are printed."""
    if shown.value is None or isinstance(shown.value, str):
        return shown.text
    printed = re.search(r"\.(\d+)(?!.*[MBTE])", shown.text)
    places = len(printed.group(1)) if printed else 0
    return formats.full(shown.value, shown.unit, shown.currency, places)


def appendix_b(brief: Brief) -> list[Flowable]:
    """The cells that each deal's values are from, table by table."""
    made: list[Flowable] = []
    for measured in (brief.measured, *brief.measured.companions):
        made += _sources(brief, measured)
    return _appendix("B", f"{brief.measured.called.capitalize()} and their cells", "appendix-b", made[1:])


def _sources(brief: Brief, measured: Portfolio) -> list[Flowable]:
    own = measured is brief.measured
    columns = [
        c
        for c in (brief.columns if own else table_columns(measured, brief.emphasis))
        if c.role != "number" and (c.fields or c.role == "name")
    ]
    columns = columns[:10]
    records = (brief.ranked if own else range(measured.count))[:MOST_SOURCED]
    heads = [
        Column("#", 0.1 + 0.05 * len(formats.count(measured.count)), "r"),
        *(Column(_bare(c), 1.5 if c.role == "name" else 0.5, lines=0 if c.role != "name" else 1) for c in columns),
    ]
    rows = [
        [figure_cell(measured.number(record)), *(_address(measured, c, record) for c in columns)]
        for record in sorted(records)
    ]
    where = "the file" if measured.table.sheet is None else f"sheet {printable(measured.table.sheet, 60)}"
    said: list[Part | Sentence] = ["Cells of ", Quoted(where), ", ", Quoted(measured.table.range), "."]
    if measured.count > MOST_SOURCED:
        listed = in_words(measured, MOST_SOURCED, "with their cells in appendix B")
        said += [
            " Here are ",
            listed,
            " of ",
            measured.deals(measured.count),
            "; deals.xlsx has a column of source cells for all.",
        ]
    table = Ledger(heads, rows, mini=True, name_column=1)
    height = table.wrap()[1]
    need = 24 + (height if height < BODY_HEIGHT * 0.6 else 100)
    return [CondPageBreak(need), words(sentence(*said)), table, Spacer(1, 8)]


def _bare(column: TableColumn) -> str:
    """The head without its unit: the column holds addresses."""
    head = column.head.partition(" %")[0] if column.series is not None else column.head
    return head.partition(" $")[0].partition(" €")[0].partition(" £")[0] or head


def _address(measured: Portfolio, column: TableColumn, record: int) -> Cell:
    if column.role == "name":
        return quoted_cell(measured.view.name(record))
    fields = column.series.fields_of(record) if column.series else column.fields
    cells = [(measured.view.cell(name, record) or "").rpartition("!")[2] for name in fields]
    return quoted_cell(", ".join(cell for cell in cells if cell))


def appendix_c(brief: Brief) -> list[Flowable]:
    """All deals, where the body has only the greatest."""
    count = brief.measured.count
    if count <= MOST_IN_BODY:
        return []
    records = range(count) if count <= MOST_LISTED else sorted(brief.ranked[:MOST_LISTED])
    table = deals_table(brief, records, compact=True)
    return _appendix("C", f"All {brief.measured.profile.nouns}", "appendix-c", [table])


def texts_in_full(brief: Brief) -> list[Flowable]:
    """Texts that a table shortened, and prose of deals without a chapter; nothing where there are none."""
    texts = [*brief.clipped.items(), *_prose(brief)]
    if not texts:
        return []
    letter = "D" if brief.measured.count > MOST_IN_BODY else "C"
    rows = [[cells_cell(cells, 3, INK), quoted_cell(printable(text, LONG))] for text, cells in texts[:MOST_TEXTS]]
    made: list[Flowable] = []
    if len(texts) > MOST_TEXTS:
        left = counted(len(texts) - MOST_TEXTS, "texts not listed in full", "count of texts")
        made.append(words(sentence("Another ", left, " stand in deals.xlsx.")))
    made.append(Ledger([Column("Cell", 0.8), Column("Text", 4)], rows, mini=True, name_column=1))
    return _appendix(letter, "Texts in full", "texts", made)


def _prose(brief: Brief) -> list[tuple[str, list[str]]]:
    """The notes of deals that have no chapter, each with its cell."""
    view = brief.measured.view
    column = view.column("notes")
    if column is None:
        return []
    rest = (record for record in range(min(view.count, MOST_LISTED)) if record not in brief.chapter_set)
    return [(str(column.values[at]), [view.cell("notes", at) or ""]) for at in rest if column.values[at]]
