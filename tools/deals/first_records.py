"""Header rows that hold a record: a deal of which only words are known, right under the header."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from schemas.workbook import Region, RowSpan, SheetCensus
from tools.deals.dictionary import FieldSpec, dictionary
from tools.deals.header_match import context_words, header_scores, vocabulary
from tools.deals.header_text import read_header
from tools.deals.mapping import MAPPED, UNSURE_LOW
from tools.deals.value_texts import is_refinement, is_value_text
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.words import is_unit, numbers_columns

_LONGEST_HEADER, _LOOK_ROWS = 300, 40
_FEWEST_FIELDS, _FIELDS_SHARE, _FILLED_SHARE, _SPEAKING_SHARE = 2, 0.5, 0.6, 0.34
_BETTER = 0.02
_FEWEST_VALUES, _VALUES_SHARE, _LABELS_SHARE, _REFINED_SHARE = 2, 0.5, 0.5, 0.5
_WORD = re.compile(r"[^\W_]+")
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


@dataclass(frozen=True, slots=True)
class _Line:
    """A header row under others: their `labels` with what these mean, what it has `said`, and where it holds values."""

    labels: Row
    known: Mapping[int, tuple[float, FieldSpec | None]]
    context: frozenset[str]
    said: Row
    values: frozenset[int]

    @property
    def words(self) -> dict[int, str]:
        """What it has said that are no values."""
        return {at: text for at, text in self.said.items() if at not in self.values}

    def spec(self, at: int) -> FieldSpec | None:
        """The field that a column's label means."""
        return self.known.get(at, (0.0, None))[1]

    def is_text(self, at: int) -> bool:
        """Whether a column's label means a field of words."""
        spec = self.spec(at)
        return spec is not None and spec.type == "text"

    def means(self, text: str) -> bool:
        """Whether `text` means a field by itself."""
        return _meaning(text, self.context)[1] is not None

    def is_label(self, text: str) -> bool:
        """Whether `text` speaks for a field in words of headers alone: "Project Gold" is a name."""
        words = _WORD.findall(text.casefold())
        least = UNSURE_LOW if len(words) == 1 else MAPPED
        return _meaning(text, self.context)[0] >= least and vocabulary().issuperset(words)


def _line(heads: Sequence[Row], said: Row) -> _Line:
    labels = _joined(heads)
    context = context_words((), [read_header(text) for text in labels.values()])
    known = {at: _meaning(text, context) for at, text in labels.items()}
    specs = {at: known[at][1] if at in known else None for at in said}
    values = frozenset(at for at, text in said.items() if is_value_text(text, specs[at]))
    return _Line(labels, known, context, said, values)


def _weigh(table: DetectedTable, heads: Sequence[Row], row: int, said: Row, strict: bool = True) -> int | None:
    """How sure it is that header row `row` is a record under `heads`: None where it is none.

    The rows above name the fields by themselves; its own words name none, and add nothing to the names above. Of a row
    of values, such as amounts and ranges, less is asked.
    """
    line = _line(heads, said)
    bold, above, below = (_bold(table, at) for at in (row, table.header_rows[0], table.record_rows[0]))
    if not _may_be_record(line):
        return None
    if strict and _holds_values(line) and not _is_merged(table, row, row):
        return _SURE if bold == below else _LIKELY
    if _is_merged(table, row, _above(table, row)) or not _is_wide(line, strict) or _better(line):
        return None
    if line.is_label(said[min(said)]):
        return None
    again, values = _again(table, said), {at for at in line.values if not line.is_label(said[at])}
    speaking = sum(line.means(said[at]) for at in said if at not in again and at not in values)
    if strict and speaking > _SPEAKING_SHARE * len(said):
        return None
    if bold != below:
        return None if strict else _LIKELY
    return _SURE if again or values or above != bold else _LIKELY


def _may_be_record(line: _Line) -> bool:
    """Whether the row stands under names of fields, and neither numbers the columns nor says which amounts they are."""
    said = line.said
    fields = sum(line.spec(at) is not None for at in said)
    if fields < max(_FEWEST_FIELDS, _FIELDS_SHARE * len(said)) or numbers_columns(list(said.values())):
        return False
    measures = [at for at in said if line.spec(at) is not None and not line.is_text(at)]
    refined = sum(is_refinement(said[at], line.spec(at)) for at in measures)
    return not refined or refined < _REFINED_SHARE * len(measures)


def _holds_values(line: _Line) -> bool:
    """Whether most cells under measures are values, beside words of which most are no labels, and no units."""
    words = line.words
    held = {at for at in line.values if not line.is_text(at)}
    measures = {at for at in line.said if at in held or (line.spec(at) is not None and not line.is_text(at))}
    if not held or len(held) < min(_FEWEST_VALUES, len(measures)) or len(held) < _VALUES_SHARE * len(measures):
        return False
    labels = sum(map(line.is_label, words.values()))
    return bool(words) and not _units(words) and labels <= _LABELS_SHARE * len(words)


def _units(said: Row) -> int:
    return sum(is_unit(text) or text.casefold() in _TYPE_WORDS for text in said.values())


def _is_wide(line: _Line, strict: bool) -> bool:
    """Whether the row fills most columns, the first one too, all of them named above, with no units or types."""
    labels, said = line.labels, line.said
    if len(said) < _FEWEST_FIELDS or not labels or min(said) != min(labels) or not set(said) <= set(labels):
        return False
    names = list(labels.values())
    filled = len(said) >= (_FILLED_SHARE if strict else 1.0) * len(labels)
    return filled and not _units(said) and len(set(names)) == len(names)


def _better(line: _Line) -> bool:
    """Whether the row's words make a field clearer than the rows above alone: words of one header."""
    return any(
        _meaning(f"{line.labels[at]} / {text}", line.context)[0] > line.known[at][0] + _BETTER
        for at, text in line.words.items()
    )


def _again(table: DetectedTable, said: Row) -> set[int]:
    """The columns where one of the first records holds the same text again."""
    rows = table.record_rows[:_LOOK_ROWS]
    return {at for at, text in said.items() if any(_text(table.sheet.value(row, at)) == text for row in rows)}


def _meaning(text: str, context: frozenset[str]) -> tuple[float, FieldSpec | None]:
    """How strongly `text` speaks for a field, and the field that it means where that is enough."""
    scores = header_scores(read_header(text), context)
    best = max(scores, key=lambda name: scores[name], default=None)
    if best is None:
        return 0.0, None
    return scores[best], dictionary().fields[best] if scores[best] >= MAPPED else None


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
