"""Notes under the parts of a table: each is about the part over it, where all have one and none has a note on top."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from tools.deals.part_gaps import Gap, Line, is_note
from tools.deals.statements import Statement, stated
from tools.workbook.detect import DetectedTable

_ABOVE = re.compile(r"\babove\b", re.IGNORECASE)
_ROW = re.compile(r"\d+$")


def as_titles(table: DetectedTable, gaps: Sequence[Gap]) -> tuple[list[Gap], list[Line], list[Line]]:
    """The gaps with each footnote over the part that it is about, the first part's ones, and those below the last.

    Without footnotes to all parts the gaps are as they were, but for notes on "all amounts above".
    """
    headed = [gap for gap in gaps if gap.record and gap.heads]
    tail = [line for line in table.note_lines if _row(line) > table.record_rows[-1] and is_note(line[0])]
    under = [_under(gap) for gap in headed]
    if not tail or not headed or not all(under) or _is_stated_over(table, gaps) or any(map(_is_titled, headed)):
        return [_parted(gap) for gap in gaps], [], []
    after = dict(zip((gap.record for gap in headed), [*under[1:], tail], strict=True))
    found = [
        replace(gap, start=_start(gap), lines=(*_rest(gap), *after[gap.record]), above=()) if gap in headed else gap
        for gap in gaps
    ]
    return found, list(under[0]), tail


def _under(gap: Gap) -> tuple[Line, ...]:
    """The notes of a gap before any title, which are about the part over it if it has footnotes."""
    return (*gap.above, *takewhile(lambda line: is_note(line[0]), gap.lines))


def _rest(gap: Gap) -> tuple[Line, ...]:
    return gap.lines[len(_under(gap)) - len(gap.above) :]


def _start(gap: Gap) -> int:
    """The first row of a gap below its footnotes."""
    return min([*map(_row, _rest(gap)), *gap.heads])


def _is_titled(gap: Gap) -> bool:
    """Whether a title in a gap states something of the part below it."""
    return any(stated(text) != Statement() for text, _ in _rest(gap))


def _is_stated_over(table: DetectedTable, gaps: Sequence[Gap]) -> bool:
    """Whether something is stated over the first part."""
    top = table.record_rows[0]
    lines = [line for line in table.note_lines if _row(line) < top]
    lines += [line for gap in gaps if not gap.record for line in gap.lines]
    return any(stated(text) != Statement() for text, _ in lines)


def _parted(gap: Gap) -> Gap:
    """A gap whose notes on "all amounts above" are about what stands over it, and nothing else."""
    said = tuple(line for line in gap.lines if gap.record and _ABOVE.search(line[0]) and is_note(line[0]))
    if not said:
        return gap
    return replace(
        gap, lines=tuple(line for line in gap.lines if line not in said), above=(*gap.above, *said), ends=True
    )


def _row(line: Line) -> int:
    match = _ROW.search(line[1])
    return int(match[0]) if match else 0
