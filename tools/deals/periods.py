"""Tables whose rows are periods: a building's year is no deal, and its sums count the building once for each year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tools.deals.dictionary import dictionary
from tools.deals.mapping import ColumnView, MappedColumn

_WORDS = frozenset(
    {"year", "month", "quarter", "period", "fiscal", "week", "reporting", "report", "date", "end", "ended"}
)
_NAMES = ("source_id", "deal_name", "address")
_FEWEST_ROWS, _REPEATED = 6, 0.9


def period_columns(
    columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]
) -> tuple[MappedColumn, MappedColumn] | None:
    """The column of periods and the one that names whose they are; None where each row is a record of its own.

    Nearly every name stands in several rows, and in no two of them with the same period.
    """
    pairs = list(zip(columns, mapped, strict=True))
    named = next(((v, m) for name in _NAMES for v, m in pairs if m.field == name), None)
    if named is None or len(named[0].values) < _FEWEST_ROWS:
        return None
    periods = [(view, m) for view, m in pairs if _speaks_of_periods(m)]
    if not periods:
        return None
    names = [str(value) for value in named[0].values]
    counts = Counter(names)
    if sum(count > 1 for count in counts.values()) < _REPEATED * len(counts):
        return None
    for view, m in periods:
        if len(set(zip(names, map(str, view.values), strict=True))) == len(names):
            return m, named[1]
    return None


def _speaks_of_periods(mapped: MappedColumn) -> bool:
    words = set(mapped.header.tokens) - dictionary().neutral
    return bool(words) and words <= _WORDS and mapped.profile.filled == 1.0
