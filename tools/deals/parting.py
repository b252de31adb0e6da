"""Tables that touch, taken for one: a header among the records starts the next, and others stand beside them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from schemas.workbook import Region, RowSpan, SheetCensus, column_index, column_letters
from tools.deals.beside import parts_at_forms, parts_beside
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED
from tools.workbook.detect import DetectedTable, Layout

_FEWEST_NAMES, _NAMES_SHARE, _NUMBERS_SHARE = 3, 0.7, 0.5
_SAMPLE, _MOST_LOOKS, _MOST_PARTS = 200, 400, 20
_RANGE = re.compile(r"([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)")


def part_tables(layout: Layout, bounded: Collection[str]) -> None:
    """Parts the tables of `layout` that are several, but for those that somebody bounded; the account stays even."""
    found: list[DetectedTable] = []
    for table in layout.tables:
        parts = [table] if table.table_id in bounded else parts_at_forms(table)
        if parts == [table] and table.orientation == "rows" and table.kind == "table" and table.table_id not in bounded:
            parts = [part for upper in _below(table) for part in parts_beside(upper)]
        for at, part in enumerate(parts):
            part.table_id = table.table_id + (column_letters(at + 1).lower() if at else "")
            part.excluded = tuple(replace(span, table_id=part.table_id) for span in part.excluded)
        if len(parts) > 1:
            layout.regions = tuple(piece for region in layout.regions for piece in _regions(region, parts))
            layout.census = tuple(_census(census, parts) for census in layout.census)
        found += parts
    layout.tables = found


def _below(table: DetectedTable) -> list[DetectedTable]:
    """The tables one under the other, cut where a record holds the names of other columns and records follow."""
    cuts = [row for row in _heads(table) if table.record_rows[0] < row < table.record_rows[-1]][: _MOST_PARTS - 1]
    if not cuts:
        return [table]
    columns = range(table.first_column, table.last_column + 1)
    parts: list[DetectedTable] = []
    for start, end in zip([0, *cuts], [*cuts, table.last_row + 1], strict=True):
        kept = [at for at, row in enumerate(table.record_rows) if start < row < end]
        rows = [table.record_rows[at] for at in kept]
        part = replace(
            table,
            record_rows=rows,
            sections=[table.sections[at] for at in kept],
            first_row=rows[0],
            last_row=rows[-1],
            excluded=tuple(span for span in table.excluded if start <= span.first < end),
        )
        if start:
            part.header_rows = (start,)
            part.headers = [_text(table.sheet.value(start, column)) for column in columns]
        parts.append(part)
    return parts


def _text(value: object) -> str:
    return " ".join(str(value).split())[:300] if value is not None else ""


def _heads(table: DetectedTable) -> list[int]:
    """The records that hold the names of columns: words where others hold numbers, most of them fields' names."""
    columns = [at for at in range(table.first_column, table.last_column + 1) if at not in table.sheet.hidden_columns]
    numbers = [at for at in columns if _holds_numbers(table, at)]
    if not numbers or not table.header_rows:
        return []
    # Nearly every record holds a number in the one with the fewest texts, and is looked at no further.
    sheet = table.sheet
    held = {at: sheet.columns[at - sheet.left].values for at in numbers}
    some = [row - sheet.top for row in table.record_rows[:_SAMPLE]]
    plainest = held[min(numbers, key=lambda at: sum(isinstance(held[at][row], str) for row in some))]
    first = [(row, plainest[row - sheet.top]) for row in table.record_rows]
    wordy = [row for row, value in first if value is None or isinstance(value, str)]
    found = [row for row in wordy if _is_worded(table, numbers, row)]
    rows = set(table.record_rows)
    return [
        row
        for row in found[:_MOST_LOOKS]
        if row + 1 in rows and row + 1 not in found and _names_columns(table, columns, row)
    ]


def _holds_numbers(table: DetectedTable, column: int) -> bool:
    sheet = table.sheet
    step = max(1, len(table.record_rows) // _SAMPLE)
    held = [value for row in table.record_rows[::step] if (value := sheet.value(row, column)) is not None]
    return sum(_has_digit(value) for value in held) >= max(1, _NUMBERS_SHARE * len(held))


def _has_digit(value: object) -> bool:
    return any(map(str.isdigit, value)) if isinstance(value, str) else True


def _is_worded(table: DetectedTable, numbers: Sequence[int], row: int) -> bool:
    """Whether a record holds words in columns of numbers, and no number in any."""
    worded = False
    for at in numbers:
        value = table.sheet.value(row, at)
        if value is not None:
            if _has_digit(value):
                return False
            worded = True
    return worded


def _names_columns(table: DetectedTable, columns: Sequence[int], row: int) -> bool:
    """Whether nearly all cells of a record are names of fields, and most are others than the header's."""
    said = {at: value for at in columns if (value := table.sheet.value(row, at)) is not None}
    texts = [value for value in said.values() if isinstance(value, str)]
    if len(texts) != len(said) or len(set(texts)) < max(_FEWEST_NAMES, len(texts)):
        return False
    heads = dict(enumerate(table.headers, table.first_column))
    other = sum(_text(value).casefold() != heads[at].casefold() for at, value in said.items())
    named = sum(_speaks(text) for text in texts)
    return named >= max(_FEWEST_NAMES - 1, _NAMES_SHARE * len(texts)) and other > 0


def _speaks(text: str) -> bool:
    return max(header_scores(read_header(text), frozenset()).values(), default=0.0) >= MAPPED


def _regions(region: Region, parts: Sequence[DetectedTable]) -> Iterator[Region]:
    """The regions of the parts in place of the one that they were, as large together; any other as it is."""
    match = _RANGE.fullmatch(region.range)
    if region.table_id != parts[0].table_id or match is None:
        yield region
        return
    tops = sorted({_top(part) for part in parts})
    for part in parts:
        at, lefts = tops.index(_top(part)), sorted({p.first_column for p in parts if _top(p) == _top(part)})
        side = lefts.index(part.first_column)
        top, left = _top(part) if at else int(match[2]), part.first_column if side else column_index(match[1])
        bottom = tops[at + 1] - 1 if at + 1 < len(tops) else int(match[4])
        right = lefts[side + 1] - 1 if side + 1 < len(lefts) else column_index(match[3])
        place = f"{column_letters(left)}{top}:{column_letters(right)}{bottom}"
        yield replace(region, range=place, header_rows=part.header_rows, table_id=part.table_id)


def _top(part: DetectedTable) -> int:
    return min((*part.header_rows, part.first_row))


def _census(census: SheetCensus, parts: Sequence[DetectedTable]) -> SheetCensus:
    """The census of the parts' sheet, each row with the part that it is in."""
    whole = parts[0]
    if census.sheet != whole.sheet.name:
        return census
    spans = (
        piece for span in census.rows for piece in (_pieces(span, parts) if span.table_id == whole.table_id else [span])
    )
    return replace(census, rows=tuple(spans))


def _pieces(span: RowSpan, parts: Sequence[DetectedTable]) -> list[RowSpan]:
    """A span of the whole table as spans of its parts: cut at the rows of headers, and doubled side by side."""
    found: list[RowSpan] = []
    for at, part in enumerate(parts):
        top = _top(part)
        below = [_top(other) for other in parts if _top(other) > top]
        first, last = max(span.first, top if at else 0), min([span.last, *(row - 1 for row in below)])
        sides = [other for other in parts if other.first_column != part.first_column]
        columns = f"{column_letters(part.first_column)}:{column_letters(part.last_column)}" if sides else span.columns
        piece = replace(span, table_id=part.table_id, columns=columns)
        if first > last:
            continue
        if top in part.header_rows and span.row_class == "record" and first == top:
            found.append(replace(piece, first=first, last=first, row_class="header"))
            first += 1
        if first <= last:
            found.append(replace(piece, first=first, last=last))
    return sorted(found, key=lambda piece: (piece.first, piece.columns or ""))
