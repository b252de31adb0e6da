"""Rows that close a list and are no record of it: sums and means without a name, differences, rates, counts.

They have a label or nothing, and leave empty what else tells a record: its city, its status, its date.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np

from schemas.workbook import RowClass
from tools.workbook.cells import Cells, Flags, Floats
from tools.workbook.units_below import Units
from tools.workbook.words import DATE, EMPTY, TEXT

_MOSTLY = 0.6
_FEWEST, _FEWEST_RECORDS, _MOST_SHARE, _MOST_ENDING = 3, 2, 0.2, 8
_LONE = 2
_NOUNS = (
    "records?|listings?|properties|property|deals?|rows?|items?|assets?|loans?|comps?|comparables?|tenants?|leases?|sales?|"
    "transactions?|opportunities|entries|results?|buildings?|objekte|liegenschaften|immeubles|inmuebles|immobili"
)
COUNTED = re.compile(rf"\W*(?:(?P<many>\d[\d,]*)\s+)?(?:{_NOUNS})\W*", re.IGNORECASE)
"""A count of deals: "3 deals" with its number as `many`, or "deals" beside one."""
_DIFFERENCE = re.compile(
    r"\W*(?:(?:difference|variance|delta|diff\.?|change|over\W+\(?under\)?)(?:\s+\(?[%$#]\)?)?|"
    r"[%$#]\s*(?:difference|variance|delta|diff\.?|change))\W*",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"(?:%|percent|per cent|pct\.?)\s*\w*|\w*\s*(?:%|percent|per cent|pct\.?)|(?:occupancy|vacancy)(?:\s+rate)?",
    re.IGNORECASE,
)

_ADJUSTMENT = re.compile(
    r"\W*(?:less|add|plus|minus|net|deduct(?:ions?)?|adjust(?:ed|ments?)|debt|equity|budget(?:ed)?|target|forecast|actual|"
    r"(?:prior|previous|last|current)\s+(?:year|period|quarter|month)|reserves?|(?:loss|losses)|effective|"
    r"(?:price |amount |cost )?per\s+(?:unit|key|room|bed|sf|sq\.?\s*(?:ft|m)\.?|square\s+(?:foot|feet|met(?:er|re)))|"
    r"(?:closing|transaction|financing|acquisition)\s+costs?|check|ok|rounding|vacan\w+|tax(?:es)?|fees?|vat|discount|"
    r"other\s+(?:assets?|liabilit\w+|income|costs?|expenses?|investments?|holdings?|items?|adjustments?|receivables?)|"
    r"(?:working\s+capital|cash|mortgages?|loans?|liabilities|nav)(?!\s+\w)|(?:cash|net)\s+(?:and|at|flow)|"
    r"abz\u00fcglich|zuz\u00fcglich|differenz|abweichung|eigenkapital|fremdkapital|netto|neto|moins|menos|meno|mindre)\b"
    r"(?:\W.*)?|"
    r"(?:variance|difference|delta|diff\.?|change|increase|decrease|growth|over\W+\(?under\)?)"
    r"(?:\W+(?:to|from|vs\.?|versus|against|over|of|in|on|with)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_CHECK = re.compile(
    r"\W*(?:check(?:\s*(?:sum|figure|total))?|control(?:\s+total)?|rounding|tie[\s-]?out|proof|kontroll?e?|"
    r"pr\u00fcfsumme|rundung|contr\u00f4le|verifica)\W*",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(
    r"\s*(?:[*\u2020\u2021\u00a7]+|\(?\d{1,2}\)|\[\d{1,2}\]|notes?\s*[:.\d(]|sources?\s*:|(?:exclud|includ)(?:es|ing)\b)\s*\S.*",
    re.IGNORECASE | re.DOTALL,
)


def closing_rows(
    cells: Cells, rows: Sequence[int], columns: range, after_total: Collection[int], totals: Sequence[int] = ()
) -> dict[int, RowClass]:
    """The positions among the records at visible `rows` of those that only close the list: totals, and notes.

    `after_total` are the positions that stand right under a total, `totals` the rows of the totals. What is added to a
    total, or taken from it, and footnotes with an amount are notes; a unit under a total is a record, vacant or not.
    """
    codes = cells.codes[np.ix_(rows, columns)]
    told = (codes == TEXT) | (codes == DATE)
    # Rows below the first total may be no records, and as many as the records are.
    first = min(after_total, default=len(rows))
    telling = told[: first if first >= _FEWEST_RECORDS else len(rows)].mean(axis=0) >= _MOSTLY
    if len(rows) <= _FEWEST_RECORDS or not telling.any():
        return {}
    closing = _Closing(cells, rows, columns, after_total)
    found: dict[int, RowClass] = {}
    bare = _bare(told[:, telling], len(rows))
    units = Units(cells, rows, columns, totals)
    ending = _at_the_end(bare, len(rows))
    for at in bare:
        label = next((str(cells.value(rows[at], columns[j])) for j in np.flatnonzero(codes[at] == TEXT)), "")
        follows = at in after_total or at - 1 in found
        elsewhere = bool(told[at, telling].any() and not told[at, telling][0])
        if follows and units.holds(at, bare):
            continue
        if at in ending and closing.checks(at, label):
            found[at] = "note"
            continue
        if (follows and _ADJUSTMENT.fullmatch(label)) or (_FOOTNOTE.fullmatch(label) and (follows or at in ending)):
            found[at] = "note"
        elif elsewhere and follows and int((codes[at] != EMPTY).sum()) <= _LONE:
            # Its label stands where no record's name does: more of the total right above it.
            found[at] = "total"
        elif closing.counts(at, label, found) or (not elsewhere and closing.closes(at, label.strip(), found)):
            found[at] = "total"
    return found


def _at_the_end(bare: Sequence[int], many: int) -> set[int]:
    """Those of the positions after which no other comes."""
    return {at for place, at in enumerate(reversed(bare), 1) if at == many - place}


def _bare(told: Flags, many: int) -> list[int]:
    """The positions that hold at most a label where records hold texts and dates; where labels are all, the last."""
    held = told.sum(axis=1)
    if told.shape[1] == 1:
        nameless = np.flatnonzero(held == 0).tolist()
        return sorted({*(nameless if len(nameless) <= _MOST_SHARE * many else []), many - 1})
    bare = np.flatnonzero(held <= 1).tolist()
    ending = len(_at_the_end(bare, many))
    few = len(bare) - ending <= max(_FEWEST, _MOST_SHARE * many) and ending <= max(_MOST_ENDING, _MOST_SHARE * many)
    return bare if few else []


class _Closing:
    """Compares rows that may close a list with the records above them."""

    def __init__(self, cells: Cells, rows: Sequence[int], columns: range, after_total: Collection[int]) -> None:
        self._cells, self._rows, self._columns = cells, rows, columns
        self._after_total = after_total

    @cached_property
    def _numbers(self) -> Floats:
        return self._cells.number_block(np.array(self._rows), np.array(self._columns))

    def closes(self, at: int, label: str, before: Collection[int]) -> bool:
        """Whether the row closes the list; `before` are the positions that do so above it."""
        if not label:
            return any(self._sums_up(at, pool) for pool in self._pools(at, before))
        if (at in self._after_total or at - 1 in before) and _RATE.fullmatch(label):
            return True
        return _DIFFERENCE.fullmatch(label) is not None and self._is_difference(at)

    def counts(self, at: int, label: str, before: Collection[int]) -> bool:
        """Whether the row says how many records stand above it: "3 deals", in one cell or in two."""
        counted = COUNTED.fullmatch(label)
        if counted is None:
            return False
        many = counted["many"]
        given = self._numbers[at][~np.isnan(self._numbers[at])]
        said = int(many.replace(",", "")) if many else float(given[0]) if len(given) and self._leads(at) else -1
        above = at - sum(other < at for other in before)
        since = at - max((other + 1 for other in range(at) if self._rows[other + 1] - self._rows[other] > 1), default=0)
        return said in (above, since if not many else above)

    def _leads(self, at: int) -> bool:
        """Whether the first cell of the row is a number, right before its label."""
        filled = np.flatnonzero(self._cells.filled[self._rows[at]][self._columns.start : self._columns.stop])
        codes = self._cells.codes[self._rows[at]][self._columns.start : self._columns.stop]
        return len(filled) > 1 and codes[filled[0]] != TEXT and codes[filled[1]] == TEXT

    def checks(self, at: int, label: str) -> bool:
        """Whether the row only checks sums, and finds nothing: all its numbers are zero."""
        return _CHECK.fullmatch(label) is not None and not np.nan_to_num(self._numbers[at]).any()

    def _pools(self, at: int, before: Collection[int]) -> Iterator[Floats]:
        """All records above a row, and those since the row above that closes a list."""
        above = [i for i in range(at) if i not in before]
        yield self._numbers[above]
        since = [i for i in above if i > max(before, default=-1)]
        if len(since) < len(above):
            yield self._numbers[since]

    def _sums_up(self, at: int, parts: Floats) -> bool:
        """Whether the row holds sums, or means, of `parts` in two columns that vary and half of its numbers."""
        x = self._numbers[at]
        given = ~np.isnan(x) & (x != 0)
        if len(parts) < _FEWEST or not given.any():
            return False
        x, parts = x[given], parts[:, given]
        many = (~np.isnan(parts)).sum(axis=0)
        total = np.nansum(parts, axis=0)
        room = 1e-6 * np.abs(x) + 1e-9
        varied = (many > 1) & (np.nan_to_num(parts).max(axis=0) > np.nan_to_num(parts).min(axis=0))
        summed = int(((np.abs(total - x) <= room) & varied).sum())
        meant = int(((np.abs(total / np.maximum(many, 1) - x) <= room) & varied).sum())
        best = max(summed, meant if len(x) > 1 else 0)
        return best >= min(2, len(x)) and best >= 0.5 * len(x)

    def _is_difference(self, at: int) -> bool:
        """Whether the row is the difference of two of the three rows above it, in units or as a share."""
        x, row = self._numbers[at], self._rows[at]
        above = self._cells.number_block(np.arange(max(0, row - _FEWEST), row), np.array(self._columns))
        given = ~np.isnan(x)
        for a in above[:, given] if given.any() else ():
            for b in above[:, given]:
                step = np.where(b == 0, np.nan, b)
                fits = np.isclose(a - b, x[given]) | np.isclose((a - b) / step, x[given], atol=5e-3)
                if (fits & (a != b)).mean() > 0.5:
                    return True
        return False
