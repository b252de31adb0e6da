"""Header rows that hold a record: a deal of which only words are known, right under the header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schemas.workbook import Region, RowSpan, SheetCensus
from tools.deals.header_lines import (
    HeaderLine,
    Row,
    held_again,
    is_unit_or_type,
    joined,
    line_under,
    meaning,
    said_in,
)
from tools.deals.value_texts import is_refinement
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.words import numbers_columns

_FEWEST_FIELDS, _FIELDS_SHARE, _FILLED_SHARE, _SPEAKING_SHARE = 2, 0.5, 0.6, 0.34
_BETTER = 0.02
_FEWEST_VALUES, _VALUES_SHARE, _LABELS_SHARE, _REFINED_SHARE = 2, 0.5, 0.5, 0.5


@dataclass(frozen=True, slots=True)
class FirstRecords:
    """What became of header rows like records: `taken` are records now, `kept` stayed and may be some."""

    taken: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()


NO_ROWS = FirstRecords()


def give_back(layout: Layout, table: DetectedTable) -> FirstRecords:
    """Turns the last header rows into records where they are some, in `table` and in the account of `layout`.

    Of rows that nothing shows to be records, those taken for some are named as well as those that stayed.
    """
    heads = table.header_rows
    if table.orientation != "rows" or table.kind != "table" or len(heads) < 2 or not table.record_rows:
        return FirstRecords()
    said = [said_in(table, row) for row in heads]
    for cut in range(1, len(heads)):
        verdicts = [_weigh(table, said[:cut], heads[at], said[at]) for at in range(cut, len(heads))]
        if None not in verdicts and any(verdicts):
            _move(layout, table, said, cut)
            return FirstRecords(taken=() if all(verdict == _SURE for verdict in verdicts) else tuple(heads[cut:]))
    doubtful = _weigh(table, said[:-1], heads[-1], said[-1], strict=False)
    return FirstRecords(kept=heads[-1:] if doubtful is not None else ())


_SURE, _LIKELY = 2, 1


def _weigh(table: DetectedTable, heads: Sequence[Row], row: int, said: Row, strict: bool = True) -> int | None:
    """How sure it is that header row `row` is a record under `heads`: None where it is none.

    The rows above name the fields by themselves; its own words name none, and add nothing to the names above. Of a row
    of values, such as amounts and ranges, less is asked.
    """
    line = line_under(heads, said)
    bold, above, below = (_bold(table, at) for at in (row, table.header_rows[0], table.record_rows[0]))
    if not _may_be_record(line):
        return None
    if strict and _holds_values(line) and not _is_merged(table, row, row):
        return _SURE if bold == below else _LIKELY
    if _is_merged(table, row, _above(table, row)) or not _is_wide(line, strict) or _better(line):
        return None
    if line.is_label(said[min(said)]):
        return None
    again, values = held_again(table, said), {at for at in line.values if not line.is_label(said[at])}
    speaking = sum(line.means(said[at]) for at in said if at not in again and at not in values)
    if strict and speaking > _SPEAKING_SHARE * len(said):
        return None
    if bold != below:
        return None if strict else _LIKELY
    return _SURE if again or values or above != bold else _LIKELY


def _may_be_record(line: HeaderLine) -> bool:
    """Whether the row stands under names of fields, and neither numbers the columns nor says which amounts they are."""
    said = line.said
    fields = sum(line.spec(at) is not None for at in said)
    if fields < max(_FEWEST_FIELDS, _FIELDS_SHARE * len(said)) or numbers_columns(list(said.values())):
        return False
    measures = [at for at in said if line.spec(at) is not None and not line.is_text(at)]
    refined = sum(is_refinement(said[at], line.spec(at)) for at in measures)
    return not refined or refined < _REFINED_SHARE * len(measures)


def _holds_values(line: HeaderLine) -> bool:
    """Whether most cells under measures are values, beside words of which most are no labels, and no units."""
    words = line.words
    held = {at for at in line.values if not line.is_text(at)}
    measures = {at for at in line.said if at in held or (line.spec(at) is not None and not line.is_text(at))}
    if not held or len(held) < min(_FEWEST_VALUES, len(measures)) or len(held) < _VALUES_SHARE * len(measures):
        return False
    labels = sum(map(line.is_label, words.values()))
    return bool(words) and not _units(words) and labels <= _LABELS_SHARE * len(words)


def _units(said: Row) -> int:
    return sum(map(is_unit_or_type, said.values()))


def _is_wide(line: HeaderLine, strict: bool) -> bool:
    """Whether the row fills most columns, the first one too, all of them named above, with no units or types."""
    labels, said = line.labels, line.said
    if len(said) < _FEWEST_FIELDS or not labels or min(said) != min(labels) or not set(said) <= set(labels):
        return False
    names = list(labels.values())
    filled = len(said) >= (_FILLED_SHARE if strict else 1.0) * len(labels)
    return filled and not _units(said) and len(set(names)) == len(names)


def _better(line: HeaderLine) -> bool:
    """Whether the row's words make a field clearer than the rows above alone: words of one header."""
    return any(
        meaning(f"{line.labels[at]} / {text}", line.context)[0] > line.known[at][0] + _BETTER
        for at, text in line.words.items()
    )


def _bold(table: DetectedTable, row: int) -> bool:
    """Whether most cells of a row are bold."""
    held = [at for at in _columns(table) if table.sheet.value(row, at) is not None]
    return sum(table.sheet.bold(row, at) for at in held) > 0.5 * len(held)


def _above(table: DetectedTable, row: int) -> int:
    return table.header_rows[table.header_rows.index(row) - 1]


def _is_merged(table: DetectedTable, row: int, first: int) -> bool:
    """Whether cells are merged in the rows from `first` to `row`."""
    columns = range(table.first_column, table.last_column + 1)
    return any(
        top <= row and bottom >= first and left <= columns[-1] and right >= columns[0]
        for top, left, bottom, right in table.sheet.merges
    )


def _columns(table: DetectedTable) -> list[int]:
    columns = range(table.first_column, table.last_column + 1)
    return [column for column in columns if column not in table.sheet.hidden_columns]


def _move(layout: Layout, table: DetectedTable, said: Sequence[Row], cut: int) -> None:
    """Makes the header rows from the one at `cut` on the first records."""
    labels, whole, rows = joined(said[:cut]), joined(said), list(table.header_rows[cut:])
    table.header_rows = table.header_rows[:cut]
    table.headers = [
        header.removesuffix(whole.get(at, "")[len(labels.get(at, "")) :])
        for at, header in enumerate(table.headers, table.first_column)
    ]
    table.record_rows = [*rows, *table.record_rows]
    table.sections = [None] * len(rows) + table.sections
    table.first_row = rows[0]
    layout.regions = tuple(_renamed(region, table) for region in layout.regions)
    layout.census = tuple(_recounted(census, table, rows) for census in layout.census)


def _renamed(region: Region, table: DetectedTable) -> Region:
    if region.table_id != table.table_id:
        return region
    return replace(region, header_rows=tuple(row for row in region.header_rows if row in table.header_rows))


def _recounted(census: SheetCensus, table: DetectedTable, rows: Sequence[int]) -> SheetCensus:
    """The census of the table's sheet with `rows` as records."""
    if census.sheet != table.sheet.name:
        return census
    spans: list[RowSpan] = []
    for span in census.rows:
        mine = span.row_class == "header" and span.table_id == table.table_id
        inside = [row for row in rows if mine and span.first <= row <= span.last]
        if not inside:
            spans.append(span)
            continue
        if span.first < inside[0]:
            spans.append(replace(span, last=max(row for row in table.header_rows if row < inside[0])))
        spans += [replace(span, first=row, last=row, row_class="record") for row in inside]
    return replace(census, rows=tuple(spans))
