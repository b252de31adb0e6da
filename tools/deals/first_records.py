"""Header rows that hold a record: a deal of which only words are known, right under the header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from schemas.workbook import Region, RowSpan, SheetCensus
from tools.deals.header_match import context_words, header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED
from tools.deals.numbers import is_placeholder
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.words import TEXT, code_of_text, is_unit

_LONGEST_HEADER, _LOOK_ROWS = 300, 40
_FEWEST_FIELDS, _FIELDS_SHARE, _FILLED_SHARE, _SPEAKING_SHARE = 2, 0.5, 0.6, 0.34
_BETTER = 0.02
#: Rows of these say what a column must hold.
_TYPES = """text string number numeric integer decimal currency money date percent percentage boolean formula required
optional mandatory input calculated"""
_TYPE_WORDS = frozenset(_TYPES.split())
Row = Mapping[int, str]


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
    said = [_said(table, row) for row in heads]
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

    The rows above name the fields by themselves; its own words name none, and add nothing to the names above.
    """
    labels = _joined(heads)
    if _is_merged(table, row) or not _is_wide(labels, said, strict):
        return None
    context = context_words((), [read_header(text) for text in labels.values()])
    best = {at: _score(text, context) for at, text in labels.items()}
    fields = sum(best[at] >= MAPPED for at in said)
    if fields < max(_FEWEST_FIELDS, _FIELDS_SHARE * len(said)) or _better(labels, said, best, context):
        return None
    again = _again(table, said)
    speaking = sum(_score(text, context) >= MAPPED for at, text in said.items() if at not in again)
    if strict and speaking > _SPEAKING_SHARE * len(said):
        return None
    bold, above, below = (_bold(table, at) for at in (row, table.header_rows[0], table.record_rows[0]))
    if bold != below:
        return None if strict else _LIKELY
    values = any(code_of_text(text) != TEXT or is_placeholder(text) for text in said.values())
    return _SURE if again or values or above != bold else _LIKELY


def _is_wide(labels: Row, said: Row, strict: bool) -> bool:
    """Whether the row fills most columns, the first one too, all of them named above, with no units or types."""
    if len(said) < _FEWEST_FIELDS or not labels or min(said) != min(labels) or not set(said) <= set(labels):
        return False
    units = sum(is_unit(text) or text.casefold() in _TYPE_WORDS for text in said.values())
    names = list(labels.values())
    return len(said) >= (_FILLED_SHARE if strict else 1.0) * len(labels) and not units and len(set(names)) == len(names)


def _better(labels: Row, said: Row, best: Mapping[int, float], context: frozenset[str]) -> bool:
    """Whether the row's words make a field clearer than the rows above alone: words of one header."""
    return any(_score(f"{labels[at]} / {text}", context) > best[at] + _BETTER for at, text in said.items())


def _again(table: DetectedTable, said: Row) -> set[int]:
    """The columns where one of the first records holds the same text again."""
    rows = table.record_rows[:_LOOK_ROWS]
    return {at for at, text in said.items() if any(_text(table.sheet.value(row, at)) == text for row in rows)}


def _score(text: str, context: frozenset[str]) -> float:
    return max(header_scores(read_header(text), context).values(), default=0.0)


def _bold(table: DetectedTable, row: int) -> bool:
    """Whether most cells of a row are bold."""
    held = [at for at in _columns(table) if table.sheet.value(row, at) is not None]
    return sum(table.sheet.bold(row, at) for at in held) > 0.5 * len(held)


def _is_merged(table: DetectedTable, row: int) -> bool:
    """Whether cells are merged in the row, or in the one above it."""
    above = table.header_rows[table.header_rows.index(row) - 1]
    columns = range(table.first_column, table.last_column + 1)
    return any(
        top <= row and bottom >= above and left <= columns[-1] and right >= columns[0]
        for top, left, bottom, right in table.sheet.merges
    )


def _columns(table: DetectedTable) -> list[int]:
    columns = range(table.first_column, table.last_column + 1)
    return [column for column in columns if column not in table.sheet.hidden_columns]


def _said(table: DetectedTable, row: int) -> dict[int, str]:
    """The text in each filled column of a row; a merged one in every column that it covers."""
    merged = [merge for merge in table.sheet.merges if merge[0] <= row <= merge[2]]
    found: dict[int, str] = {}
    for column in range(table.first_column, table.last_column + 1):
        value = table.sheet.value(row, column)
        if value is None:
            value = next((table.sheet.value(m[0], m[1]) for m in merged if m[1] <= column <= m[3]), None)
        if value is not None:
            found[column] = _text(value)
    return found


def _text(value: object) -> str:
    return " ".join(str(getattr(value, "code", value)).split())[:_LONGEST_HEADER]


def _joined(rows: Sequence[Row]) -> dict[int, str]:
    """The header of each column that has one: its texts, joined, none twice."""
    columns = sorted({column for row in rows for column in row})
    return {at: " / ".join(dict.fromkeys(row[at] for row in rows if row.get(at))) for at in columns}


def _move(layout: Layout, table: DetectedTable, said: Sequence[Row], cut: int) -> None:
    """Makes the header rows from the one at `cut` on the first records."""
    labels, whole, rows = _joined(said[:cut]), _joined(said), list(table.header_rows[cut:])
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
