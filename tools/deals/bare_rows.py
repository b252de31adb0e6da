"""Rows in a list of deals with a label and figures only: heads of groups, summaries, conclusions; and lines of contact.

They leave blank whatever tells a deal in words or days: its city, its status, its date. By itself that says little, as
little may be known of a deal too: their figures, their words or their place must bear it out.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache

from schemas.workbook import RowClass, column_index
from tools.deals.bare_words import is_conclusion, is_contact, is_property_type
from tools.deals.dictionary import dictionary
from tools.deals.figures_of_groups import Proof, count_in, number_in, prove
from tools.deals.left_out import leave_out
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.numbers import is_amount, is_placeholder
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.statistic_words import statistic_label
from tools.workbook.words import totals_among

_FEWEST, _MOST_RECORDS, _MOST_ENDING, _SAMPLE, _LONGEST = 3, 20_000, 12, 200, 40
_FEW = 50
_MOSTLY, _MOST_SHARE, _NEEDED_DIGITS, _RARE = 0.5, 0.5, 3.0, 0.1
_FEWEST_HEADS = 2
_CLASSES: tuple[RowClass, ...] = ("note", "section", "total")
_OF_CONTACTS = re.compile(r"contact|e-?mail|phone|\btel\b|mobile|website|\burl\b", re.IGNORECASE)
_OF_KIND = re.compile(r"\b(?:deals?|propert(?:y|ies)|assets?|loans?|listings?)$|[\s:]+$", re.IGNORECASE)


def leave_bare_out(
    layout: Layout, table: DetectedTable, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> bool:
    """Takes such rows out of the records of a table; whether there were any.

    A group's head gives its records their section; with sums it is a total, which the records are held against.
    """
    known = dictionary().fields
    names = [v for v, m in zip(columns, mapped, strict=True) if m.field and known[m.field].identity]
    if table.orientation != "rows" or table.kind != "table" or len(table.record_rows) < _FEWEST or not names:
        return False
    rows = _Rows(table, columns, names[0])
    found: dict[int, RowClass] = dict.fromkeys(rows.ending, "note")
    heads, above = rows.heads()
    if above and not any(table.sections):
        named = {**rows.marks, **{head: rows.label(head) for head in heads}}
        for (head, label), after in zip(sorted(named.items()), [*sorted(named)[1:], rows.count], strict=True):
            table.sections[head:after] = [label or None] * (after - head)
    found |= heads
    gone: list[int] = []
    for row_class in _CLASSES if len(found) < rows.count else ():
        mine = [at for at in sorted(found) if found[at] == row_class]
        if mine:
            leave_out(layout, table, [at - sum(other < at for other in gone) for at in mine], row_class)
        gone += mine
    return bool(found)


class _Rows:
    """The records of a table, by what they hold beside their names."""

    def __init__(self, table: DetectedTable, columns: Sequence[ColumnView], names: ColumnView) -> None:
        self._names, self._others = names, [view for view in columns if view is not names]
        self.count = len(table.record_rows)
        self.marks = _totals_between(table, names)
        told = [view for view in self._others if _says_in_words(view)]
        # Where few values come again and again, a look is cheap.
        self._told = sorted(told, key=lambda view: len({*map(str, view.values[:_SAMPLE])}))

    def label(self, at: int) -> str:
        """What stands in the column of names; an empty text for a number or nothing."""
        value = self._names.values[at]
        return " ".join(value.split()) if isinstance(value, str) else ""

    def _is_bare(self, at: int) -> bool:
        """Whether the row holds a label, and in no column of words or days more than a number or a count."""
        label = self.label(at)
        return bool(label) and not is_placeholder(label) and all(_is_blank(view.values[at]) for view in self._told)

    def _is_figured(self, at: int) -> bool:
        """Whether all that the row holds beside its label are numbers, one at least."""
        held = [view.values[at] for view in self._others if view.values[at] is not None]
        return any(map(_is_figure, held)) and all(_is_figure(v) or _is_blank(v) for v in held)

    @cached_property
    def ending(self) -> list[int]:
        """The rows at the end that conclude something, sum up the deals of one kind, or say whom to ask."""
        least = max(_FEWEST - 1, self.count - _MOST_ENDING)
        start = self.count
        while start > least and (self._concludes(start - 1) or self._is_contact(start - 1)):
            start -= 1
        return list(range(self._summary(start, least), self.count))

    def _concludes(self, at: int) -> bool:
        return is_conclusion(self.label(at)) and self._is_bare(at) and self._is_figured(at)

    def _is_contact(self, at: int) -> bool:
        """Whether a row without numbers holds a phone number or mail address as no other does, no text of theirs."""
        held = [(view, value) for view in self._others if (value := view.values[at]) is not None]
        spoken = [view for view, value in held if is_contact(value)]
        plain = all(isinstance(value, str) and (is_contact(value) or not is_amount(value)) for _, value in held)
        again = any(value in view.values[max(0, at - _SAMPLE) : at] for view, value in held if not is_contact(value))
        return plain and not again and any(self._is_rare_contact(view, at) for view in spoken)

    def _is_rare_contact(self, view: ColumnView, at: int) -> bool:
        if _OF_CONTACTS.search(view.header):
            return False
        others = [value for value in view.values[max(0, at - _SAMPLE) : at] if value is not None]
        return sum(map(is_contact, others)) <= _RARE * len(others)

    def _summary(self, end: int, least: int) -> int:
        """The first of the rows right above `end` that are named as a kind of deals is, and sum those up.

        `end` where there are none. Their figures must be those of the deals that they name.
        """
        start = end
        while start > least and self._may_sum_up(start - 1):
            start -= 1
        for view in self._told if start < end else ():
            kinds = [_folded(value) for value in view.values[:end]]
            said = {at: self._kind_said(at, view, kinds[:start]) for at in range(start, end)}
            first = next((at for at in said if said[at] in kinds[:start]), end)
            run = range(first, end)
            pools = [[i for i in range(first) if kinds[i] == said[at]] for at in run]
            proofs = [self._prove(at, pool) if pool else None for at, pool in zip(run, pools, strict=True)]
            if all(pools) and 2 * sum(map(bool, proofs)) >= max(1, len(run)) and _digits(proofs) >= 1:
                return first
        return end

    def _may_sum_up(self, at: int) -> bool:
        """Whether the row holds figures, and one text: a label, or without a name what deals hold in its column."""
        if self._names.values[at] is not None:
            return self._is_bare(at) and self._is_figured(at)
        worded = [view for view in self._told if not _is_blank(view.values[at])]
        return len(worded) == 1 and any(_is_figure(view.values[at]) for view in self._others)

    def _kind_said(self, at: int, view: ColumnView, kinds: Sequence[str]) -> str:
        """The kind of deals that the row speaks of: LOI for "LOI" and for "LOI deals", in either column."""
        said = _folded(self._names.values[at]) or _folded(view.values[at])
        return said if said in kinds else _OF_KIND.sub("", _OF_KIND.sub("", said)).strip()

    def heads(self) -> tuple[dict[int, RowClass], bool]:
        """The heads or ends of groups among the records with their classes, and whether they stand over the groups."""
        last = self.ending[0] if self.ending else self.count
        if self.count > _MOST_RECORDS:
            return {}, False
        few = self._blank_in(self._told[0].values[:last]) if self._told else range(last)
        bare = [at for at in few if self._is_bare(at) and self._is_figured(at) and self._leaves_blank(at)]
        if not bare or len(bare) > _MOST_SHARE * last:
            return {}, False
        cuts = sorted({-1, last, *bare, *(at - 0.5 for at in self.marks)})
        for above in (True, False):
            if bare[0] == 0 or 0 in self.marks if above else bare[-1] == last - 1 or last in self.marks:
                pools = [_beside(at, cuts, above) for at in bare]
                proofs = self._proofs(bare, pools) if all(pools) else []
                if proofs:
                    return {at: _class_of(proof) for at, proof in zip(bare, proofs, strict=True)}, above
        return {}, False

    @staticmethod
    def _blank_in(values: Sequence[object]) -> list[int]:
        """Where a column of words or days holds none: a look at each value once."""
        blank = {value for value in {*values} if _is_blank(value)}
        return [at for at, value in enumerate(values) if value in blank] if blank else []

    def _leaves_blank(self, at: int) -> bool:
        """Whether the row leaves blank what tells deals in words or days; where nothing does, half of the figures."""
        given = [view for view in self._others if any(map(_is_figure, view.values[:_FEWEST]))]
        return bool(self._told) or 2 * sum(view.values[at] is None for view in given) >= max(2, len(given))

    def _proofs(self, bare: Sequence[int], pools: Sequence[Sequence[int]]) -> list[Proof | None]:
        """What speaks for each row being about its group; empty where that is not enough.

        It is where all figures are those of the groups, to some digits or in words; or those of half of them where
        types of property name all.
        """
        labels = [self.label(at).casefold() for at in bare]
        heads = len(bare) + sum(map(bool, self.marks.values()))
        typed = bool(self._told) and len(bare) >= _FEWEST_HEADS and all(map(is_property_type, labels))
        proofs: list[Proof | None] = []
        for at, pool in zip(bare, pools, strict=True) if len({*labels}) == len(labels) else ():
            proofs.append(self._prove(at, pool))
            if proofs[-1] is None and not typed:
                return []
        counted = any(count_in(view.values[at]) for at in bare for view in self._told)
        enough = heads >= _FEWEST_HEADS and _digits(proofs) >= _NEEDED_DIGITS
        half = 2 * sum(map(bool, proofs)) >= len(bare)
        return proofs if (typed and half) or (all(proofs) and (counted or enough)) else []

    def _prove(self, at: int, pool: Sequence[int]) -> Proof | None:
        row = [view.values[at] for view in self._others]
        return prove(row, [[view.values[i] for view in self._others] for i in pool])


def _totals_between(table: DetectedTable, names: ColumnView) -> dict[int, str]:
    """The positions among the records before which a total stands, with its label; empty where that says total only."""
    column = column_index(names.letters)
    totals = [row for span in table.excluded if span.row_class == "total" for row in range(span.first, span.last + 1)]
    found: dict[int, str] = {}
    for row in totals:
        label = table.sheet.value(row, column)
        plain = isinstance(label, str) and not totals_among([label]) and statistic_label(label) is None
        found[bisect_left(table.record_rows, row)] = " ".join(str(label).split()) if plain else ""
    return found


def _beside(at: int, cuts: Sequence[float], above: bool) -> list[int]:
    """The records from row `at` to the next of the `cuts` below it, or from the one above it."""
    place = bisect_left(cuts, at)
    first, last = (at + 1, math.ceil(cuts[place + 1])) if above else (math.floor(cuts[place - 1]) + 1, at)
    return list(range(first, last))


def _class_of(proof: Proof | None) -> RowClass:
    """A head that gives sums is a total, and so is one whose sums are wrong; with means and counts it is a section."""
    return "total" if proof is None or proof.summed else "section"


def _digits(proofs: Sequence[Proof | None]) -> float:
    return sum(proof.digits for proof in proofs if proof)


def _says_in_words(view: ColumnView) -> bool:
    """Whether most of a column's cells hold texts or days that are no numbers."""
    some = view.values[:: max(1, len(view.values) // _FEW)]
    worded = sum(value is not None and not is_amount(value) and not count_in(value) for value in some)
    return worded >= _MOSTLY * len(some)


def _is_figure(value: object) -> bool:
    return number_in(value) is not None or count_in(value) is not None


def _is_blank(value: object) -> bool:
    """Whether a cell of a column of words or days holds none: nothing, a placeholder, a number, a count of deals."""
    if isinstance(value, str):
        return len(value) <= _LONGEST and _says_nothing(value)
    return value is None or _is_figure(value)


@lru_cache(maxsize=4096)
def _says_nothing(text: str) -> bool:
    return is_placeholder(text) or _is_figure(text)


def _folded(value: object) -> str:
    return " ".join(value.split()).casefold() if isinstance(value, str) else ""
