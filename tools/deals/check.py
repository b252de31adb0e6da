"""Whether a table's values agree with each other.

To $1.00 or 0.1 %, the tolerance of agreed-upon procedures on loan tapes; a stated value agrees as well where it is the
expected one rounded to the digits that it shows. Codes: `<field>.mismatch` for a value that its inputs do not
give, `<field>.systematic` where most are so, `slip.hundredfold`, `slip.thousandfold` and `slip.twelvefold` where one
is off by just that, `dates.order`, `years.order`, `years.ahead`, `noi.exceeds_income`, `dscr.exceeds_cover`; and those
of `totals` and `doubles`.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.deal import Column, Issue, Table
from tools.deals.dictionary import dictionary
from tools.deals.doubles import check_doubles, check_magnitudes
from tools.deals.said import plain, said
from tools.deals.stated_totals import stated_totals
from tools.deals.sums_above import SumsAbove
from tools.deals.table_reading import TableReading
from tools.deals.totals import compare_totals, unmarked

Floats = NDArray[np.float64]
RELATIVE, MONEY = 0.001, 1.0
_MOST_ISSUES = 25
_SYSTEMATIC_SHARE, _SYSTEMATIC_LEAST = 0.5, 8
_SLIPS = (
    (100.0, "slip.hundredfold", "a hundred times"),
    (1000.0, "slip.thousandfold", "a thousand times"),
    (12.0, "slip.twelvefold", "twelve times"),
)
_SLIP_NEAR = 0.02
_MOST_DIGITS = 1e15
#: Days that had come when a table was written; and how many years a building may still be planned ahead of them.
_PAST_DAYS, _PLANNED = ("sale_date", "list_date", "origination_date", "lease_start"), 10
#: The year of these rules: what a table without such days is measured from, since tools know no clock.
_RULES_YEAR = 2026
_PRICES = ("sale_price", "asking_price", "price")


@dataclass(frozen=True, slots=True)
class Ratio:
    """`target` must be one of `above` over one of `below` (times `factor`); `words` say so to people."""

    target: str
    above: tuple[str, ...]
    below: tuple[str, ...]
    words: str
    factor: float = 1.0


RATIOS = (
    Ratio("cap_rate", ("noi",), _PRICES, "NOI ÷ price"),
    Ratio("price_per_sf", _PRICES, ("building_sf",), "price ÷ building SF"),
    Ratio("price_per_unit", _PRICES, ("units",), "price ÷ units"),
    Ratio("ltv", ("loan_amount", "original_balance"), ("appraised_value", *_PRICES), "loan ÷ value"),
    Ratio("rent_annual", ("rent_monthly",), (), "monthly rent × 12", 12.0),
    Ratio("rent_psf", ("rent_annual",), ("leased_sf", "building_sf"), "annual rent ÷ SF"),
    Ratio("occupancy", ("leased_sf",), ("building_sf",), "leased SF ÷ building SF"),
)
ORDERS = (
    ("lease_start", "lease_expiry"),
    ("origination_date", "maturity_date"),
    ("list_date", "sale_date"),
    ("list_date", "close_date"),
    ("year_built", "year_renovated"),
)


def check_table(
    table: Table, reading: TableReading, warnings: dict[int, list[str]], above: SumsAbove | None = None
) -> list[Issue]:
    """The issues of a table's arithmetic, dates, totals, doubles and magnitudes; `warnings` grow with them.

    `above` are the sums of the tables before it on its sheet, which a grand total may sum up with it.
    """
    table.totals = stated_totals(table, reading.table.sheet, above)
    found = check_records(table, warnings) + unmarked(table) + compare_totals(table)
    return found + check_doubles(table) + check_magnitudes(table, warnings)


def check_values(table: Table, warnings: dict[int, list[str]]) -> list[Issue]:
    """The issues that the values and the stated totals give, without the sheet; `warnings` grow with them."""
    return check_records(table, warnings) + compare_totals(table) + check_magnitudes(table, warnings)


def check_records(table: Table, warnings: dict[int, list[str]]) -> list[Issue]:
    """The issues of each record's own arithmetic and dates; `warnings` grow with them."""
    checker = _Checker(table, warnings)
    for ratio in RATIOS:
        checker.ratio(ratio)
    for earlier, later in ORDERS:
        checker.order(earlier, later)
    checker.bounds()
    for field in ("year_built", "year_renovated"):
        checker.ahead(field)
    return checker.issues


class _Checker:
    def __init__(self, table: Table, warnings: dict[int, list[str]]) -> None:
        self.table, self.warnings = table, warnings
        self.issues: list[Issue] = []
        self._arrays: dict[str, tuple[Column, Floats]] = {}
        for column in table.columns:
            if column.field and column.type not in ("text", "date"):
                self._arrays[column.field] = (column, np.array(column.values, dtype=float))

    def ratio(self, ratio: Ratio) -> None:
        """Compares a stated ratio with what its inputs give; any pair of inputs that agrees will do."""
        if ratio.target not in self._arrays:
            return
        target, stated = self._arrays[ratio.target]
        options = self._options(ratio)
        if not options:
            return
        expected, inputs = _nearest(stated, options)
        with np.errstate(invalid="ignore"):
            off = np.flatnonzero(np.abs(stated - expected) > np.maximum(RELATIVE * np.abs(expected), _floor(ratio)))
        wrong = [r for r in off.tolist() if not rounds_to(float(expected[r]), float(stated[r]))]
        compared = int(np.count_nonzero(~np.isnan(stated) & ~np.isnan(expected)))
        self._report(ratio, target, wrong, compared, lambda r: (float(expected[r]), inputs[int(r)]))

    def _options(self, ratio: Ratio) -> list[tuple[Floats, tuple[Column, ...]]]:
        """What each pair of inputs gives, NaN where one is missing or nothing to divide by."""
        options: list[tuple[Floats, tuple[Column, ...]]] = []
        for above in (name for name in ratio.above if name in self._arrays):
            top, upper = self._arrays[above]
            ours = np.where(_same_currency(self._arrays[ratio.target][0], top), upper, np.nan)
            if not ratio.below:
                options.append((ours * ratio.factor, (top,)))
            for below in (name for name in ratio.below if name in self._arrays):
                bottom, lower = self._arrays[below]
                same = _same_currency(top, bottom)
                with np.errstate(divide="ignore", invalid="ignore"):
                    given = np.where((lower > 0) & (ours != 0) & same, ours / lower * ratio.factor, np.nan)
                options.append((given, (top, bottom)))
        return options

    def _report(
        self,
        ratio: Ratio,
        target: Column,
        wrong: Sequence[int],
        compared: int,
        explain: Callable[[int], tuple[float, tuple[Column, ...]]],
    ) -> None:
        if not wrong:
            return
        code = f"{ratio.target}.mismatch"
        for record in wrong:
            self.warnings.setdefault(record, []).append(f"{code}: {ratio.words}")
        if len(wrong) >= _SYSTEMATIC_LEAST and len(wrong) > _SYSTEMATIC_SHARE * compared:
            cells = tuple(c for r in wrong[:_MOST_ISSUES] if (c := self.table.cell(target, r)))
            message = (
                f"{ratio.target} differs from {ratio.words} in {len(wrong):,} of {compared:,} deals; "
                "one of the columns may mean something else."
            )
            self.issues.append(Issue(f"{ratio.target}.systematic", "warning", message, cells))
            return
        for record in wrong[:_MOST_ISSUES]:
            self.issues.append(self._mismatch(ratio, target, record, *explain(record)))
        if len(wrong) > _MOST_ISSUES:
            cells = tuple(c for r in wrong[_MOST_ISSUES : 3 * _MOST_ISSUES] if (c := self.table.cell(target, r)))
            self.issues.append(
                Issue(
                    code,
                    "warning",
                    f"{ratio.target} differs from {ratio.words} in {len(wrong) - _MOST_ISSUES:,} more deals.",
                    cells,
                )
            )

    def _mismatch(
        self, ratio: Ratio, target: Column, record: int, expected: float, inputs: tuple[Column, ...]
    ) -> Issue:
        found = target.values[record]
        cells = tuple(c for column in (target, *inputs) if (c := self.table.cell(column, record)))
        wanted = f"{expected:.2f}" if 1000 <= abs(expected) < _MOST_DIGITS else f"{expected:.6g}"
        shown, given = said(found, ratio.target), said(expected, ratio.target)
        message = f"{ratio.target} is {shown} where {ratio.words} gives {given}"
        slip = slip_of(float(found), expected)
        if slip is None:
            return Issue(f"{ratio.target}.mismatch", "warning", f"{message}.", cells, wanted, plain(found))
        code, words = slip
        return Issue(code, "error", f"{message}: {words} off.", cells, wanted, plain(found))

    def order(self, earlier: str, later: str) -> None:
        """Days and years that must follow each other."""
        first, second = self.table.column_of(earlier), self.table.column_of(later)
        if first is None or second is None:
            return
        pairs = enumerate(zip(first.values, second.values, strict=True))
        wrong = [r for r, (a, b) in pairs if a is not None and b is not None and _before(b, a)]
        code = "years.order" if earlier.startswith("year") else "dates.order"
        for record in wrong:
            self.warnings.setdefault(record, []).append(f"{code}: {later} before {earlier}")
        for record in wrong[:_MOST_ISSUES]:
            cells = tuple(c for column in (second, first) if (c := self.table.cell(column, record)))
            message = f"{later} ({second.values[record]}) lies before {earlier} ({first.values[record]})."
            least = f"{first.values[record]} or later"
            self.issues.append(Issue(code, "warning", message, cells, least, str(second.values[record])))
        if len(wrong) > _MOST_ISSUES:
            message = f"{later} lies before {earlier} in {len(wrong) - _MOST_ISSUES:,} more deals."
            self.issues.append(Issue(code, "warning", message))

    def bounds(self) -> None:
        """What cannot be more than something else: NOI than income, a DSCR than the cover of interest alone."""
        self._bound("noi", self._beside("noi", "gross_income"), "noi.exceeds_income", "gross income")
        noi, loan, rate = self._value("noi"), self._beside("noi", "loan_amount"), self._value("interest_rate")
        if noi is not None and loan is not None and rate is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                known = (loan > 0) & (rate > 0) & (np.abs(noi) >= (dictionary().fields["noi"].low or 0))
                cover = np.where(known, noi / (loan * rate), np.nan)
            self._bound("dscr", cover * 1.05, "dscr.exceeds_cover", "NOI ÷ yearly interest")

    def _beside(self, name: str, other: str) -> Floats | None:
        """The values of field `other`, NaN where they are in another currency than those of `name`."""
        if name not in self._arrays or other not in self._arrays:
            return self._value(other)
        column, values = self._arrays[other]
        return np.where(_same_currency(self._arrays[name][0], column), values, np.nan)

    def ahead(self, name: str) -> None:
        """Years of buildings further ahead than any plan; the value stays."""
        if name not in self._arrays:
            return
        (column, years), newest = self._arrays[name], self._newest_day()
        from_year = newest or _RULES_YEAR
        with np.errstate(invalid="ignore"):
            wrong = np.flatnonzero(years > from_year + _PLANNED).tolist()
        for record in wrong:
            self.warnings.setdefault(record, []).append(f"years.ahead: {name}")
        if wrong:
            after = f"{newest}, the year of the newest day in the table" if newest else str(_RULES_YEAR)
            more = f", and {len(wrong) - 1:,} more are" if len(wrong) > 1 else ""
            message = f"{name} is {column.values[wrong[0]]}{more}, over {_PLANNED} years after {after}; check it."
            cells = tuple(c for r in wrong[:_MOST_ISSUES] if (c := self.table.cell(column, r)))
            self.issues.append(Issue("years.ahead", "warning", message, cells))

    def _newest_day(self) -> int | None:
        """The year of the newest day in the table that had come when it was written."""
        columns = [column for name in _PAST_DAYS if (column := self.table.column_of(name))]
        days = (max(_days(column), default=None) for column in columns)
        return max((day.year for day in days if day), default=None)

    def _value(self, name: str) -> Floats | None:
        return self._arrays[name][1] if name in self._arrays else None

    def _bound(self, name: str, most: Floats | None, code: str, words: str) -> None:
        if most is None or name not in self._arrays:
            return
        column, stated = self._arrays[name]
        with np.errstate(invalid="ignore"):
            wrong = np.flatnonzero(stated > most * (1 + RELATIVE) + 1e-9).tolist()
        for record in wrong:
            self.warnings.setdefault(record, []).append(f"{code}: {name}")
        shown = wrong[:_MOST_ISSUES]
        if len(wrong) >= _SYSTEMATIC_LEAST and len(wrong) > _SYSTEMATIC_SHARE * int(np.count_nonzero(~np.isnan(most))):
            cells = tuple(c for record in shown if (c := self.table.cell(column, record)))
            message = f"{name} is more than {words} allows in {len(wrong):,} deals; a column may mean something else."
            self.issues.append(Issue(code, "warning", message, cells))
            return
        for record in shown:
            cell = self.table.cell(column, record)
            found, limit = column.values[record], f"{float(most[record]):.6g}"
            message = f"{name} is {said(found, name)}, more than {words} allows ({said(float(most[record]), name)})."
            self.issues.append(Issue(code, "warning", message, (cell,) if cell else (), limit, plain(found)))


def _days(column: Column) -> list[dt.date]:
    return [day for day in column.values if day is not None]


def _before(a: object, b: object) -> bool:
    if isinstance(a, dt.date) and isinstance(b, dt.date):
        return a < b
    return isinstance(a, int) and isinstance(b, int) and a < b


def _floor(ratio: Ratio) -> float:
    """The least difference that counts: a dollar for money, nothing for other ratios."""
    return MONEY if ratio.target == "rent_annual" else 0.0


def _same_currency(one: Column, other: Column) -> bool | NDArray[np.bool_]:
    """Whether two columns are in one currency, record by record where any has its own; what is no money always is."""
    if one.type != "money" or other.type != "money":
        return True
    if not one.currencies and not other.currencies:
        return one.currency == other.currency
    records = range(len(one.values))
    return np.array([one.currencies.get(r, one.currency) == other.currencies.get(r, other.currency) for r in records])


def _nearest(
    stated: Floats, options: list[tuple[Floats, tuple[Column, ...]]]
) -> tuple[Floats, list[tuple[Column, ...]]]:
    """For each record the expected value nearest to the stated one, and its inputs."""
    stack = np.vstack([given for given, _ in options])
    distance = np.where(np.isnan(stack), np.inf, np.abs(stack - stated))
    best = np.argmin(distance, axis=0)
    return stack[best, np.arange(stack.shape[1])], [options[i][1] for i in best.tolist()]


def rounds_to(expected: float, stated: float) -> bool:
    """Whether `stated` is `expected` rounded to the digits that `stated` shows, to 1 % at the coarsest.

    Fractions of two digits and more may be 2 % off: 4.75 % is rounded to 4.8 %.
    """
    if math.isnan(expected) or math.isnan(stated):
        return True
    if stated == 0:
        return False
    mantissa, _, exponent = f"{stated:.12e}".partition("e")
    shown = len(mantissa.lstrip("-").replace(".", "").rstrip("0"))
    half = 0.5 * 10 ** (int(exponent) - shown + 1)
    coarsest = 0.02 if shown > 1 and abs(stated) < 1 else 0.01
    return abs(expected - stated) <= min(half * 1.0001, coarsest * abs(stated))


def slip_of(found: float, expected: float) -> tuple[str, str] | None:
    """The code and words of a slip by 100, 1,000 or 12 between two values, or None."""
    if not found or not expected:
        return None
    ratio = found / expected
    for factor, code, words in _SLIPS:
        for times in (factor, 1 / factor):
            if abs(ratio / times - 1) <= _SLIP_NEAR:
                return code, words
    return None
