"""Reading delimited text: its delimiter and the use of its quotes are found out, every value stays text."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from tools.workbook import refusal
from tools.workbook.columns import by_column
from tools.workbook.decoding import decoded, has_strays, with_letters
from tools.workbook.error_codes import ERROR_OF_CODE
from tools.workbook.grid import LAST_ROW, CellError, Sheet
from tools.workbook.limits import Limits

_SAMPLE_LETTERS = 1 << 18
_SAMPLE_LINES = 200
_DELIMITERS = ",;\t|"
_LAST_COLUMN = 16_384
_MOST_COLUMNS = 2_048
"""Several times what any table of deals has; a sheet saved as text has empty fields up to its last column."""
_SUSPECT_LINE = 4096
_MOST_UNCLOSED = 64
_MOST_KNOWN = 1 << 16
_KEPT_AS_IT_IS = re.compile(r'="((?:[^"]|"")*)"\s*|=(-?\d+(?:\.\d+)?)\s*')
#: The mark of a text before digits that are a name, which spreadsheets show as the digits alone.
_MARKED_TEXT = re.compile(r"'\d{3,}[\d-]*")
_ERRORS = frozenset({*ERROR_OF_CODE.values(), "#SPILL!", "#CALC!"})
_LINE_ENDS = ("\n", "\r")
Line = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """How a text is cut into fields; `blanks` says that quotes are where they are behind a delimiter and blanks."""

    delimiter: str
    blanks: bool = False

    def fields(self, lines: Iterable[str], **more: Any) -> Iterator[list[str]]:
        """The fields of each record; `more` is what the csv module takes."""
        return csv.reader(lines, delimiter=self.delimiter, skipinitialspace=self.blanks, **more)


def read_delimited(data: bytes, filename: str, limits: Limits) -> Sheet:
    """The one sheet of a text file; raises InputError when it is no text, or has more cells than `limits.cells`."""
    text, code_page = decoded(data, filename)
    text = text.replace("\0", "").rstrip("\r\n\x1a")
    delimiter, text = find_delimiter(text)
    line_ends, marks = max(text.count("\n"), text.count("\r")), text.count(delimiter)
    try:
        if max(line_ends, marks) > limits.cells or marks > _LAST_COLUMN * (1 + line_ends):
            raise _TooWideError
        if line_ends > LAST_ROW and '"' not in text:
            raise _TooWideError
        if len(text) > _SUSPECT_LINE * (1 + line_ends):
            _check_fields(text, delimiter)
        form, lines, mixed = _form_of(text, delimiter), _lines(text), has_strays(text)
        if line_ends > LAST_ROW:
            _check_height(_lines(text), form)
        del text
        rows = _read(lines, form, limits)
    except _TooWideError:
        what = f"has more than {limits.cells:,} cells, {LAST_ROW:,} rows or {_MOST_COLUMNS:,} columns"
        raise refusal.unsafe(filename, what) from None
    except csv.Error as error:
        raise refusal.unsafe(filename, f"has a cell of more than {csv.field_size_limit():,} characters") from error
    strays = _mend(rows) if mixed else ()
    width = max(map(len, rows), default=0)
    return Sheet(None, (), columns=by_column(_drained(rows, width), width), code_page=code_page, strays_read=strays)


class _TooWideError(Exception):
    """The text has more cells, rows or columns than are read."""


def _read(lines: Iterator[str], form: _Form, limits: Limits) -> list[Line]:
    """The values of each line, as many as it has; texts that come again are kept once, as far as they are few."""
    rows, width, known = list[Line](), 0, dict[str, object]()
    for line in _records(lines, form):
        if len(line) > _MOST_COLUMNS:
            if len(line) > _LAST_COLUMN or any(map(str.strip, line[_MOST_COLUMNS:])):
                raise _TooWideError
            del line[_MOST_COLUMNS:]
        try:
            rows.append(tuple([known[value] for value in line]))
        except KeyError:
            if len(known) > _MOST_KNOWN:
                known.clear()
            rows.append(tuple([known.setdefault(value, _value(value)) for value in line]))
        width = max(width, len(line))
        if len(rows) > LAST_ROW or width * len(rows) > limits.cells:
            raise _TooWideError
    return rows


def _drained(rows: list[Line], width: int) -> Iterator[Line]:
    """Each of `rows`, `width` wide; it is gone from there once the next one is asked for."""
    rows.reverse()
    while rows:
        row = rows.pop()
        yield row + (None,) * (width - len(row))


def _mend(rows: list[Line]) -> tuple[tuple[int, int], ...]:
    """Puts letters for strays in `rows`; returns the places where that was, as a sheet counts them."""
    found = list[tuple[int, int]]()
    for number, row in enumerate(rows, 1):
        places = [at for at, value in enumerate(row) if isinstance(value, str) and has_strays(value)]
        if places:
            found += ((number, at) for at in places)
            rows[number - 1] = tuple(with_letters(v) if isinstance(v, str) else v for v in row)
    return tuple(found)


def _value(text: str) -> str | CellError | None:
    """A field's text; that of ="02134", which tells programs to keep it as it is, or of =12, without the marks.

    So is '02134. None for one of nothing but blanks; what spreadsheets write for an error is one.
    """
    if text.startswith("#") and text.strip() in _ERRORS:
        return CellError(text.strip())
    if kept := _KEPT_AS_IT_IS.fullmatch(text) if text.startswith("=") else None:
        text = kept[2] or kept[1].replace('""', '"')
    text = text[1:] if text.startswith("'") and _MARKED_TEXT.fullmatch(text) else text
    return text if text and not text.isspace() else None


def _records(lines: Iterator[str], form: _Form) -> Iterator[list[str]]:
    """The fields of each record. A quote that opens a field and closes before no delimiter or line's end is none.

    A record over several lines, and the last, is looked at again, strictly; where that fails, its first line stands
    alone, and the others are read anew. After some of those, the quotes of a file are taken to mean nothing.
    """
    taken: list[str] = []
    for _ in range(_MOST_UNCLOSED):
        source = _noted(lines, taken)
        try:
            for record in form.fields(source):
                if (len(taken) > 1 or not taken[0].endswith(_LINE_ENDS)) and not _is_sound(taken, form):
                    break
                yield record
                taken.clear()
            else:
                return
        except csv.Error:
            if not taken:
                raise
        yield _unquoted(taken[0], form)
        lines = chain(taken[1:], lines)
        taken = []
    yield from form.fields(lines, quoting=csv.QUOTE_NONE)


def _noted(lines: Iterator[str], taken: list[str]) -> Iterator[str]:
    """The same lines, each put into `taken` as it is handed on."""
    for line in lines:
        taken.append(line)
        yield line


def _is_sound(lines: list[str], form: _Form) -> bool:
    """Whether the quotes of one record over several lines are where they should be, or that of one line closes."""
    try:
        return len(list(form.fields(lines, strict=True))) == 1
    except csv.Error as error:
        return len(lines) == 1 and "end of data" not in str(error)


def _unquoted(line: str, form: _Form) -> list[str]:
    """The fields of a line whose last quote never closes: what follows that quote is cut at the delimiters."""
    fields = next(form.fields([line]))
    return fields[:-1] + next(form.fields([fields[-1]], quoting=csv.QUOTE_NONE), [""])


def _check_fields(text: str, delimiter: str) -> None:
    """Raises csv.Error for a field longer than the parser takes, before the text is copied for it.

    Such a field holds one of the places that lie as far apart as it may be long: only around these is looked.
    """
    most, marks = csv.field_size_limit(), (*_LINE_ENDS, '"', delimiter)
    for at in range(most, len(text), most + 1):
        start = 1 + max(at - most - 1, *(text.rfind(mark, at - most, at) for mark in marks))
        end = start + most + 1
        if end <= len(text) and all(text.find(mark, at, end) < 0 for mark in marks):
            raise csv.Error


def _check_height(lines: Iterator[str], form: _Form) -> None:
    """Raises _TooWideError for more records than a sheet has rows, before one of them is kept."""
    if next(islice(_records(lines, form), LAST_ROW, None), None) is not None:
        raise _TooWideError


def _form_of(text: str, delimiter: str) -> _Form:
    """The form of a text; quotes stand behind blanks where nearly all that do close before the next delimiter."""
    mark = re.escape(delimiter)
    opening = rf"{mark} +\""
    closed = rf'{opening}(?:[^"]++|"")*+" *(?={mark}|[\r\n]|\Z)'
    sample = text[:_SAMPLE_LETTERS]
    found = len(re.findall(opening, sample))
    return _Form(delimiter, found > 0 and 10 * len(re.findall(closed, sample)) >= 9 * found)


def _lines(text: str) -> Iterator[str]:
    """The lines of `text` with their ends; io.StringIO would keep them at four bytes a letter."""
    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass", newline="")


def find_delimiter(text: str) -> tuple[str, str]:
    """The delimiter, and the text without the line that names it (`sep=;`)."""
    first, _, _ = text[:8].partition("\n")
    named = first.rstrip("\r")[4:]
    if first.lower().startswith("sep=") and len(named) == 1:
        text = text[text.index("\n") + 1 :] if "\n" in text else ""
        if named == "\t" or (named.isprintable() and not named.isalnum() and named not in "\"' "):
            return named, text
    sample = text[:_SAMPLE_LETTERS]
    scores = {mark: _evenness(sample, mark) for mark in _DELIMITERS if mark in sample}
    best = max(scores, key=lambda mark: (scores[mark], -_DELIMITERS.index(mark)), default=",")
    return (best if scores.get(best, 0.0) > 1.2 * scores.get(",", 0.0) else ","), text


def _evenness(sample: str, delimiter: str) -> float:
    """How evenly `delimiter` cuts lines: the share of lines that agree on a number of fields, more for more fields."""
    try:
        rows = [row for row in islice(_form_of(sample, delimiter).fields(_lines(sample)), _SAMPLE_LINES) if any(row)]
    except csv.Error:
        return 0.0
    counts = Counter(len(row) for row in rows)
    counts.pop(1, None)
    if not counts:
        return 0.0
    fields, lines = counts.most_common(1)[0]
    return lines / len(rows) * (1 - 1 / fields)
