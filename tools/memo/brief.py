"""What a memorandum is about: the measured portfolio, the order of its deals, and what was noted on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from schemas.deal import Extraction
from schemas.documents import DocumentOrder, Emphasis
from schemas.figures import Figure
from tools.figures.breakdowns import Breakdown, Timeline, by_field, group_field
from tools.figures.columns import TableColumn, table_columns
from tools.figures.findings import expiry
from tools.figures.measures import Portfolio, portfolio
from tools.figures.series import Series
from tools.memo.flow import Marks

MOST_IN_BODY = 60
"""Deals whose table stands in the body; of more, the body has the greatest and an appendix has all."""
MOST_LISTED = 5_000
"""Deals that a memorandum lists; deals.xlsx lists any number."""
MOST_CHAPTERS = 12
"""Deals with a chapter of their own, where there are more than ALL_CHAPTERS."""
ALL_CHAPTERS = 15


@dataclass(frozen=True)
class Brief:
    """One memorandum's subject. What grows as the story is written: `marks`, and `clipped`, texts by their cells.

    `wholes` has the texts, by cell, that are longer than names are printed.
    """

    extraction: Extraction
    order: DocumentOrder
    as_of: date
    measured: Portfolio
    marks: Marks = field(default_factory=Marks)
    clipped: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    wholes: dict[str, str] = field(default_factory=dict[str, str])
    _tenancy: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    @property
    def emphasis(self) -> Emphasis:
        """Whether income or price leads."""
        return self.order.emphasis

    @cached_property
    def ranked(self) -> Sequence[int]:
        """The records, the greatest in the leading measure first."""
        return self.measured.ranked(self.emphasis)

    @cached_property
    def lead(self) -> Series | None:
        """The measure that ranks."""
        return self.measured.lead(self.emphasis)

    @cached_property
    def amount(self) -> Series | None:
        """The measure that shares are of."""
        return self.measured.amount(self.emphasis)

    @cached_property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns of the table of deals."""
        return table_columns(self.measured, self.emphasis, 12)

    @cached_property
    def kinds(self) -> Breakdown | None:
        """The portfolio by kind, in the colours of the charts."""
        name = group_field(self.measured)
        return None if name is None else by_field(self.measured, name, self.amount)

    @cached_property
    def expiry(self) -> tuple[Portfolio, Timeline] | None:
        """What ends when, and the portfolio that it is of; None without dates."""
        return expiry(self.measured)

    @cached_property
    def _groups(self) -> dict[int, int]:
        groups = self.kinds.groups if self.kinds else ()
        return {record: at for at, group in enumerate(groups) for record in group.records}

    def group(self, record: int) -> int | None:
        """The place of `record`'s kind among the chart colours: 0 where there are no kinds, None if it has none."""
        return self._groups.get(record) if self.kinds else 0

    def kind_name(self, record: int) -> str:
        """The kind that `record` is of; nothing where it has none, or is named by it."""
        if self.kinds is None or self.kinds.field in self.measured.view.names[:1]:
            return ""
        return self.measured.view.text(self.kinds.field, record) or ""

    @cached_property
    def chapters(self) -> Sequence[int]:
        """The records that get a chapter, in the order of the emphasis; empty space gets none."""
        told = [record for record in self.ranked if record not in self.measured.vacant]
        return told if len(told) <= ALL_CHAPTERS else told[:MOST_CHAPTERS]

    @cached_property
    def chapter_set(self) -> frozenset[int]:
        """The records that get a chapter."""
        return frozenset(self.chapters)

    def tenancy(self, roll: Portfolio) -> dict[str, list[int]]:
        """The records of a rent roll by the property that they name, case apart."""
        if not self._tenancy:
            names = zip(roll.view.texts("deal_name"), roll.view.texts("address"), strict=True)
            for at, (name, address) in enumerate(names):
                self._tenancy.setdefault((name or address or "").casefold(), []).append(at)
        return self._tenancy

    def name(self, record: int) -> str:
        """What to call a deal."""
        return self.measured.view.name(record)

    def mark(self, figure: Figure) -> int:
        """The number of `figure`'s footnote."""
        return self.marks.number(figure)


def brief(extraction: Extraction, order: DocumentOrder, as_of: date) -> Brief:
    """The subject of the memorandum that `order` asks for."""
    return Brief(extraction, order, as_of, portfolio(extraction, as_of))
