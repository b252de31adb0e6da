"""Tables whose titles or sections state other scales, currencies or units on the way down, cut where they do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from schemas.deal import Issue
from schemas.workbook import RowSpan, column_letters
from tools.deals.footnotes import as_titles
from tools.deals.header_lines import joined, said_in
from tools.deals.part_account import cut_account, pieces
from tools.deals.part_gaps import Gap, Line, gaps_of
from tools.deals.part_sizes import are_alike, are_in_full, doubt, sizes_of, times_larger
from tools.deals.said import as_held
from tools.deals.scale_notes import NoteScale, read_note
from tools.deals.statements import FULL, Statement, all_stated, is_statement, stated
from tools.workbook.detect import DetectedTable, Layout

_MOST_PARTS = 40
_MANY = "titles and sections state other scales, currencies or units {n} times; only the first ones were taken"


@dataclass(slots=True)
class _Part:
    """Records from position `first` on, what is stated of them, and the lines that state it.

    `own` are the lines right over it; `carried` those of parts before it that still hold, by what they state.
    `renamed` says that its header is another than that of the part before it.
    """

    first: int
    start: int
    said: Statement
    own: tuple[Line, ...]
    carried: dict[str, Line] = field(default_factory=dict[str, Line])
    heads: tuple[int, ...] = ()
    renamed: bool = False

    def line_of(self, what: str) -> Line | None:
        """The line by which its scale, currency or area is stated, not that of the whole table; None without."""
        own = next((line for line in reversed(self.own) if _states(line, what)), None)
        return own or self.carried.get(what)

    @property
    def factor(self) -> int:
        """The factor of the scale that its own lines state; 1 without."""
        line = self.line_of("scale")
        common = stated(line[0]).scale if line else None
        return common.common.factor if common and common.common else 1


def part_as_stated(layout: Layout) -> dict[str, tuple[Issue, ...]]:
    """Cuts the tables of `layout` where titles or sections state something else; what is doubtful, by table.

    What all of a table's sections state becomes lines about the whole.
    """
    doubts: dict[str, tuple[Issue, ...]] = {}
    found: list[DetectedTable] = []
    taken = {table.table_id for table in layout.tables}
    for table in layout.tables:
        whole = table.orientation == "rows" and table.kind == "table" and table.record_rows and table.excluded
        gaps = gaps_of(table) if whole else []
        if not gaps:
            found.append(table)
            continue
        walk = _Walk(table, gaps)
        table.sections = _named(table.sections, gaps)
        found += _parted(layout, table, walk, taken)
        doubts[table.table_id] = tuple(walk.issues)
    layout.tables = found
    return doubts


def _parted(layout: Layout, table: DetectedTable, walk: _Walk, taken: set[str]) -> list[DetectedTable]:
    parts = walk.parts
    if len(parts) == 1 or len(parts) > _MOST_PARTS:
        said = [line for line in parts[0].own if stated(line[0]) != Statement() and line not in table.note_lines]
        table.note_lines = (*table.note_lines, *said)
        return [table]
    letters = (column_letters(at).lower() for at in range(1, 700))
    ids = iter([one for letter in letters if (one := table.table_id + letter) not in taken])
    ends = [*(part.first for part in parts[1:]), len(table.record_rows)]
    made = [_made(table, part, end, walk.common) for part, end in zip(parts, ends, strict=True)]
    for part in made[1:]:
        part.table_id = next(ids)
        taken.add(part.table_id)
    placed = [(part.start, one) for part, one in zip(parts, made, strict=True)]
    spans = [piece for span in table.excluded for piece in pieces(span, placed)]
    starts = [*(part.start for part in parts), table.sheet.bottom + 1]
    for one, (start, after) in zip(made, pairwise(starts), strict=True):
        one.idle = tuple(row for row in table.idle if start <= row < after)
        one.names = tuple(row for row in table.names if start <= row < after)
        mine = (span for span in spans if span.table_id == one.table_id)
        one.excluded = tuple(rest for span in mine for rest in _without(span, one.header_rows))
    cut_account(layout, table.table_id, table.sheet.name, placed)
    return made


def _made(table: DetectedTable, part: _Part, end: int, common: Sequence[Line]) -> DetectedTable:
    """The part of a table down to the record before position `end`, with the lines about it."""
    rows = table.record_rows[part.first : end]
    kept = [line for line in common if not (part.said.scale == FULL and read_note(line[0]))]
    kept += [line for line in dict.fromkeys(part.carried.values()) if line not in kept]
    # Of several lines the first one with a currency speaks, and the last one with a scale.
    first = part.own if part.line_of("currency") in part.own and any(_states(line, "currency") for line in kept) else ()
    made = replace(
        table,
        record_rows=rows,
        sections=table.sections[part.first : end],
        first_row=rows[0],
        last_row=rows[-1],
        note_lines=(*first, *kept, *part.own),
    )
    if part.first:
        made.header_rows = part.heads
    if part.renamed:
        said = joined([said_in(table, row) for row in part.heads])
        made.headers = [said.get(column, "") for column in range(table.first_column, table.last_column + 1)]
    return made


def _without(span: RowSpan, rows: Sequence[int]) -> Iterator[RowSpan]:
    """What a span leaves without some of its rows."""
    start = span.first
    for row in (*sorted(row for row in rows if span.first <= row <= span.last), span.last + 1):
        if start < row:
            yield replace(span, first=start, last=row - 1)
        start = row + 1


def _named(sections: Sequence[str | None], gaps: Sequence[Gap]) -> list[str | None]:
    """The sections without notes on scales, which name none: each is called what stands beside the note, or nothing."""
    found = list(sections)
    for gap, end in zip(gaps, [*(gap.record for gap in gaps[1:]), len(found)], strict=True):
        name = found[gap.record]
        if name and is_statement(name) and read_note(name):
            others = [text for text, _ in gap.lines if not is_statement(text)]
            found[gap.record : end] = [" ".join(others[0].split()) if others else None] * (end - gap.record)
    return found


class _Walk:
    """A table from top to bottom: its parts, the lines about all of them, and what is doubtful."""

    def __init__(self, table: DetectedTable, gaps: Sequence[Gap]) -> None:
        self.table = table
        self.issues: list[Issue] = []
        gaps, below, of_parts = as_titles(table, gaps)
        own = [*_own_titles(table, gaps), *below]
        self.common = [line for line in table.note_lines if line not in own and line not in of_parts]
        over = [line for gap in gaps if not gap.record for line in gap.lines]
        said = all_stated(text for text, _ in [*self.common, *own, *over])
        self.parts = [_Part(0, 0, said, (*own, *over), heads=table.header_rows)]
        self._ends = {gap.record: end for gap, end in zip(gaps, [*(g.record for g in gaps[1:]), None], strict=True)}
        for gap in gaps[1:] if not gaps[0].record else gaps:
            part = self.parts[-1]
            if gap.above:
                part.own, part.said = (*part.own, *gap.above), all_stated(t for t, _ in gap.above).over(part.said)
            if after := self._after(part, gap):
                self.parts.append(after)
        if len(self.parts) <= _MOST_PARTS:
            self._tell_alike()
        else:
            what = _MANY.format(n=len(self.parts) - 1)
            self.issues = [doubt(table, 0, len(table.record_rows), what, [self.parts[1].own[0][1]])]

    def _after(self, part: _Part, gap: Gap) -> _Part | None:
        """The part that begins below a gap, where something else is stated of it than of the one above; else None."""
        says = all_stated(text for text, _ in gap.lines)
        says = replace(says, scale=self._scale(part, gap, says))
        said = replace(says.over(part.said), scale=says.scale or part.said.scale)
        renamed = self._is_renamed(part, gap.heads)
        if _key(said) == _key(part.said) and not renamed:
            return None
        carried = {
            what: line
            for what in ("scale", "currency", "area", "period")
            if getattr(says, what) is None and (line := part.line_of(what))
        }
        if said.scale == FULL:
            # What goes on of a line whose scale does not: no more than the name of its currency.
            kept = {what: line for what, line in carried.items() if not read_note(line[0])}
            code = part.said.currency
            carried = kept | ({"currency": (code, carried["currency"][1])} if code and "currency" in carried else {})
        return _Part(gap.record, gap.start, said, gap.lines, carried, gap.heads, renamed)

    def _scale(self, part: _Part, gap: Gap, says: Statement) -> NoteScale | None:
        """The scale that a gap states; None where that of the part above goes on."""
        if gap.ends and says.scale is None:
            return FULL
        if not gap.lines or part.factor == 1 or says.scale not in (None, FULL):
            return None if says.scale == FULL else says.scale
        end = self._ends[gap.record] or len(self.table.record_rows)
        ratio = times_larger(sizes_of(self.table, gap.record, end), sizes_of(self.table, part.first, gap.record))
        if says.scale == FULL:
            goes_on = are_alike(ratio, part.factor) and says.currency != part.said.currency
            if goes_on:
                self._tell(gap.record, end, part, "its amounts are like those", "read in the same scale", gap)
            return None if goes_on else FULL
        if not are_in_full(ratio, part.factor):
            return None
        self._tell(gap.record, end, part, "its amounts are far above those", "read in full", gap)
        return FULL

    def _tell(self, first: int, end: int, stating: _Part, sizes: str, taken: str, gap: Gap | None = None) -> None:
        line = stating.line_of("scale")
        if line is not None:
            what = f"no scale is stated there, and {sizes} for which {as_held(line[0])} states one; {taken}"
            cells = [line[1], *(cell for _, cell in (gap.lines[:1] if gap else ()))]
            self.issues.append(doubt(self.table, first, end, what, cells))

    def _tell_alike(self) -> None:
        """Names the parts without a scale whose amounts are as those of a part that has one."""
        ends = [*(part.first for part in self.parts[1:]), len(self.table.record_rows)]
        sizes = [sizes_of(self.table, part.first, end) for part, end in zip(self.parts, ends, strict=True)]
        scaled = [at for at, part in enumerate(self.parts) if part.factor > 1]
        for at, part in enumerate(self.parts):
            if part.said.scale in (None, FULL) and scaled:
                near = min(scaled, key=lambda other: abs(other - at))
                stating = self.parts[near]
                if are_alike(times_larger(sizes[at], sizes[near]), stating.factor):
                    self._tell(part.first, ends[at], stating, "the amounts are like those", "read in full")

    def _is_renamed(self, part: _Part, heads: Sequence[int]) -> bool:
        """Whether header rows that come again differ from those before, and not only in what names the records."""
        known = {_labels(self.table, row) for row in part.heads}
        return any(_labels(self.table, row) not in known for row in heads)


def _labels(table: DetectedTable, row: int) -> tuple[tuple[int, str], ...]:
    """The texts of a header row with their columns, but for the one that names the records."""
    sheet, columns = table.sheet, range(table.first_column, table.last_column + 1)
    first = next((c for c in columns if any(sheet.value(head, c) is not None for head in table.header_rows)), None)
    held = ((c, value) for c in columns if c != first and (value := sheet.value(row, c)) is not None)
    return tuple((column, " ".join(str(value).split()).casefold()) for column, value in held)


def _own_titles(table: DetectedTable, gaps: Sequence[Gap]) -> list[Line]:
    """The lines right over the header that are about its first part: as many rows as later parts have titles."""
    rows = max((len({_row(cell) for _, cell in gap.lines}) for gap in gaps if gap.record and gap.heads), default=0)
    found: list[Line] = []
    for row in range(min(table.header_rows, default=0) - 1, min(table.header_rows, default=0) - 1 - rows, -1):
        lines = [line for line in table.note_lines if _row(line[1]) == row]
        if not lines:
            break
        found = [*lines, *found]
    return found


def _row(cell: str) -> int:
    match = re.search(r"\d+$", cell)
    return int(match[0]) if match else 0


def _states(line: Line, what: str) -> bool:
    said: object = getattr(stated(line[0]), what)
    return said not in (None, FULL)


def _key(said: Statement) -> tuple[object, ...]:
    """What parts are told apart by: the same in other words is the same."""
    note = said.scale or FULL
    named = sorted((words, scale.factor) for words, scale in note.named)
    area = None if said.area == "sf" else said.area
    return note.common and note.common.factor, named, note.excepted, said.currency, area, said.period
