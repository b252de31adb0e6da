"""Reading delimited text: its encoding and delimiter are found out, every value stays text."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from tools.workbook import refusal
from tools.workbook.code_pages import likeliest_code_page
from tools.workbook.grid import Sheet
from tools.workbook.limits import Limits

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 1 << 18
_SAMPLE_LINES = 200
_DELIMITERS = ",;\t|"
_MOST_COLUMNS = 16_384
_SUSPECT_LINE = 4096
_MOST_UNCLOSED = 64
_KEPT_AS_IT_IS = re.compile(r'="((?:[^"]|"")*)"\s*|=(-?\d+(?:\.\d+)?)\s*')
_LINE_ENDS = ("\n", "\r")
_CONTROLS = frozenset(map(chr, range(32))) - set("\t\n\r\x0b\x0c\x1a\x1b")


def read_delimited(data: bytes, filename: str, limits: Limits) -> Sheet:
    """The one sheet of a text file; raises InputError when it is no text, or has more cells than `limits.cells`."""
    text, code_page = decoded(data, filename)
    text = text.replace("\0", "").rstrip("\r\n\x1a")
    delimiter, text = find_delimiter(text)
    line_ends, marks = max(text.count("\n"), text.count("\r")), text.count(delimiter)
    try:
        if max(line_ends, marks) > limits.cells or marks > _MOST_COLUMNS * (1 + line_ends):
            raise _TooWideError
        if len(text) > _SUSPECT_LINE * (1 + line_ends):
            _check_fields(text, delimiter)
        rows = _read(text, delimiter, limits)
    except _TooWideError:
        what = f"has more than {limits.cells:,} cells, or {_MOST_COLUMNS:,} columns"
        raise refusal.unsafe(filename, what) from None
    except csv.Error as error:
        raise refusal.unsafe(filename, f"has a cell of more than {csv.field_size_limit():,} characters") from error
    width = max(map(len, rows), default=0)
    blank: list[object] = [None] * width
    return Sheet(None, [row + blank[len(row) :] if row else blank for row in rows], code_page=code_page)


class _TooWideError(Exception):
    """The text has more cells or columns than are read."""


def _read(text: str, delimiter: str, limits: Limits) -> list[list[object]]:
    """The values of each line, as many as it has."""
    rows, width = list[list[object]](), 0
    for line in _records(_lines(text), delimiter):
        rows.append([text if (text := _value(value)) and text.strip() else None for value in line])
        width = max(width, len(line))
        if width > _MOST_COLUMNS or width * len(rows) > limits.cells:
            raise _TooWideError
    return rows


def _value(text: str) -> str:
    """A field's text; that of ="02134", which tells programs to keep it as it is, or of =12, without the marks."""
    kept = _KEPT_AS_IT_IS.fullmatch(text) if text.startswith("=") else None
    return text if kept is None else kept[2] or kept[1].replace('""', '"')


def _records(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    """The fields of each record. A quote that opens a field and closes before no delimiter or line's end is none.

    A record over several lines, and the last, is looked at again, strictly; where that fails, its first line stands
    alone, and the others are read anew. After some of those, the quotes of a file are taken to mean nothing.
    """
    taken: list[str] = []
    for _ in range(_MOST_UNCLOSED):
        source = _noted(lines, taken)
        try:
            for record in csv.reader(source, delimiter=delimiter):
                if (len(taken) > 1 or not taken[0].endswith(_LINE_ENDS)) and not _is_sound(taken, delimiter):
                    break
                yield record
                taken.clear()
            else:
                return
        except csv.Error:
            if not taken:
                raise
        yield _unquoted(taken[0], delimiter)
        lines = chain(taken[1:], lines)
        taken = []
    yield from csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _noted(lines: Iterator[str], taken: list[str]) -> Iterator[str]:
    """The same lines, each put into `taken` as it is handed on."""
    for line in lines:
        taken.append(line)
        yield line


def _is_sound(lines: list[str], delimiter: str) -> bool:
    """Whether the quotes of one record over several lines are where they should be, or that of one line closes."""
    try:
        return len(list(csv.reader(lines, delimiter=delimiter, strict=True))) == 1
    except csv.Error as error:
        return len(lines) == 1 and "end of data" not in str(error)


def _unquoted(line: str, delimiter: str) -> list[str]:
    """The fields of a line whose last quote never closes: what follows that quote is cut at the delimiters."""
    fields = next(csv.reader([line], delimiter=delimiter))
    return fields[:-1] + next(csv.reader([fields[-1]], delimiter=delimiter, quoting=csv.QUOTE_NONE), [""])


def _check_fields(text: str, delimiter: str) -> None:
    """Raises csv.Error for a field longer than the parser takes, before the text is copied for it."""
    if re.search(rf"[^\r\n\"{re.escape(delimiter)}]{{{csv.field_size_limit() + 1}}}", text):
        raise csv.Error


def _lines(text: str) -> Iterator[str]:
    """The lines of `text` with their ends; io.StringIO would keep them at four bytes a letter."""
    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass", newline="")


def decoded(data: bytes, filename: str) -> tuple[str, str]:
    """The text of `data`, and the code page that it was read in where neither a mark nor UTF-8 tells; else ""."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace"), ""
    sample = data[:_SAMPLE_BYTES]
    encoding = _unmarked_utf16(sample)
    if encoding is None and b"\0" in sample:
        raise refusal.not_workbook(filename, "is neither a workbook nor text")
    for candidate in filter(None, (encoding, "utf-8")):
        with contextlib.suppress(UnicodeDecodeError):
            return _sound(data.decode(candidate), filename), ""
    for candidate in (likeliest_code_page(sample), "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            return _sound(data.decode(candidate), filename), candidate.lower()
    return data.decode("latin-1"), "latin-1"


def _sound(text: str, filename: str) -> str:
    """The same text; raises InputError where control characters show that it is none."""
    if sum(c in _CONTROLS for c in text[:4096]) > len(text[:4096]) // 50:
        raise refusal.not_workbook(filename, "is neither a workbook nor text")
    return text


def _unmarked_utf16(sample: bytes) -> str | None:
    """The UTF-16 whose zero bytes lie where plain letters would put them, or None."""
    if len(sample) < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.3 * len(sample) / 2 or min(even, odd) > 0.05 * max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def find_delimiter(text: str) -> tuple[str, str]:
    """The delimiter, and the text without the line that names it (`sep=;`)."""
    first, _, _ = text[:8].partition("\n")
    named = first.rstrip("\r")[4:]
    if first.lower().startswith("sep=") and len(named) == 1:
        text = text[text.index("\n") + 1 :] if "\n" in text else ""
        if named == "\t" or (named.isprintable() and not named.isalnum() and named not in "\"' "):
            return named, text
    sample = text[:_SAMPLE_BYTES]
    scores = {mark: _evenness(sample, mark) for mark in _DELIMITERS if mark in sample}
    best = max(scores, key=lambda mark: (scores[mark], -_DELIMITERS.index(mark)), default=",")
    return (best if scores.get(best, 0.0) > 1.2 * scores.get(",", 0.0) else ","), text


def _evenness(sample: str, delimiter: str) -> float:
    """How evenly `delimiter` cuts lines: the share of lines that agree on a number of fields, more for more fields."""
    try:
        rows = [row for row in islice(csv.reader(_lines(sample), delimiter=delimiter), _SAMPLE_LINES) if any(row)]
    except csv.Error:
        return 0.0
    counts = Counter(len(row) for row in rows)
    counts.pop(1, None)
    if not counts:
        return 0.0
    fields, lines = counts.most_common(1)[0]
    return lines / len(rows) * (1 - 1 / fields)
