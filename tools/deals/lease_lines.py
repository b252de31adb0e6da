"""Rows of a rent roll that name no tenant: options and steps of the lease above, income beside rents, statistics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.numbers import is_amount

_KEPT_SHARE, _LONGEST, _SAMPLE, _MARKS = 0.6, 80, 50, " -–—•*>.:(+"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\w*\.?\W+\d{1,4}.*"
_DAY = rf"(?:\d{{1,4}}[/.-]\d{{1,2}}(?:[/.-]\d{{1,4}})?|{_MONTH}|\d{{4}})"
_NUMBER = r"(?:#?\s?\d+|[ivx]{1,4}|one|two|three|four|five)"
_NTH = r"(?:one|two|three|four|\d+(?:st|nd|rd|th)|first|second|third|fourth|initial|next|1|2|3|4|5|\(?\d\)?\s?(?:x|@)?)"
_SPAN = rf"{_NUMBER}(?:\s?(?:-|–|to|thru|through|&)\s?{_NUMBER})?"
_OF_LEASE = re.compile(
    rf"\W*(?:{_NTH}\W+)?(?:\W*{_NUMBER}\W*(?:years?|yrs?)\W+)?(?:renewal|extension|extend|renew|purchase|termination)?"
    rf"\W*\bopt(?:ion)?s?\b\.?(?:\W*(?:{_NUMBER}|\d+\s?x\s?\d+|[a-e]|terms?|period|rent|rate|years?|to|for|at|:|exercised|notice)\b.*|\W*)"
    rf"|\W*(?:{_NTH}\W+)?(?:renewal|extension|extended|optional)(?:\W+(?:terms?|period|rent))?(?:\W+{_NUMBER})?(?:\W*:.*|\W*)"
    rf"|\W*(?:lease\W+)?(?:years?|yrs?\.?|yr|months?|mos?\.?|period|term|ly)\W*{_SPAN}(?:\W*:.*|\W+(?:rent|of)\b.*|\W*)"
    rf"|\W*(?:rent(?:al)?\W+)?(?:steps?|bumps?|increases?|escalat(?:ions?|or)|adjustments?)(?:[\s-]+(?:up|rent))?"
    rf"(?:\W*(?:{_SPAN}|{_DAY}|eff\w*\b.*|on\b.*|to\b.*|@.*))?\W*"
    rf"|\W*(?:eff(?:ective)?\.?|from|commencing|starting|beginning|as of|until|thru|through)\W+{_DAY}.*"
    r"|\W*(?:(?:future|scheduled|contract|stepped)\W+)?(?:rent\W+)(?:steps?|schedule|abatement|increases?|bumps?)\b.*"
    r"|\W*(?:cpi|fmv|fmr)\W+(?:increases?|adjustments?|option|steps?)\W*|\W*free\s+rent\b.*",
    re.IGNORECASE,
)
_CHARGED = r"(?:expense|cam|tax(?:es)?|insurance|opex|operating expense|utilit\w+|nnn|real estate tax(?:es)?|tenant)"
_SOURCE = (
    r"(?:other|misc\w*\.?|ancillary|additional|parking|storage|laundry|vending|signage|antenna|roof(?:top)?|billboard|"
    r"utility|pet|percentage|late|application|amenity|cam|interest|rubs)"
)
_INCOME = re.compile(
    rf"\W*(?:total\s+)?(?:(?:{_CHARGED}\W*(?:and\W+|&\W*)?)*(?:reimb\w*|recover\w+|pass[\s-]?throughs?)"
    rf"(?:\W+(?:income|revenue))?|(?:{_SOURCE}\W+)+(?:rents?\W+)?(?:income|revenue|fees?|charges?))\W*",
    re.IGNORECASE,
)
_SIZE = r"(?:sf|s\.f\.|sq\.?\s?(?:ft|feet)\.?|square\s+(?:feet|footage)|rsf|nra|gla|nrsf|area|units?|suites?)"
_STATE = r"(?:leased|occupied|vacant|available|unleased|unoccupied|rentable|committed)"
_SIZED = re.compile(
    rf"\W*(?:total\s+)?building\s+{_SIZE}\W*"
    rf"|\W*(?:%|percent|pct\.?)?\s*(?:total\s+|net\s+|gross\s+|building\s+)*(?:{_STATE}\W+(?:&\W*)?)+{_SIZE}\W*"
    rf"|\W*(?:%|percent|pct\.?)\s*{_STATE}\W*|\W*{_STATE}\s*\(?(?:%|percent|pct\.?)\)?\W*"
    rf"|\W*(?:gross|net|total|building)\s+(?:leasable|rentable|building)\s*(?:area|{_SIZE})?\W*"
    r"|\W*(?:physical\s+|economic\s+)?(?:occupancy|vacancy)(?:\s+(?:rate|%|percent\w*))?\W*|\W*(?:nra|gla|walt|wault)\W*",
    re.IGNORECASE,
)
_BARE = re.compile(rf"\W*(?:total\s+)?{_STATE}\W*(?:space)?\W*", re.IGNORECASE)
_VACANT = re.compile(r"\W*(?:vacant|available|unleased|unoccupied)\b.*", re.IGNORECASE)


class RollRows:
    """The rows of a rent roll, by position, as `columns` and `mapped` have them; none of a table without tenants."""

    def __init__(self, columns: Sequence[ColumnView], mapped: Sequence[MappedColumn]) -> None:
        pairs = list(zip(columns, mapped, strict=True))
        by_field = {m.field: view.values for view, m in pairs if m.field}
        tenants = by_field.get("tenant", ()) if not any(view.cells for view in columns) else ()
        self._tenants = tenants
        self._suites = by_field.get("suite")
        self._areas = [by_field[name] for name in ("leased_sf", "building_sf") if name in by_field]
        others = [view.values for view, m in pairs if m.field not in ("tenant", "suite")] if tenants else []
        self._others = sorted(others, key=_telling)
        held = [value is not None for value in self._suites or ()]
        self._numbered = bool(held) and sum(held) >= _KEPT_SHARE * len(held)
        first = self._others[0] if self._others else ()
        told = (str, int, float)  # a day tells by its type alone that the row is none
        looked = first if any(issubclass(kind, (*told, type(None))) for kind in {*map(type, first)}) else ()
        maybe = [at for at, v in enumerate(looked) if v is None or (isinstance(v, told) and _is_amount(v))]
        self._bare = {at for at in maybe if self._is_bare(at)}

    def of_leases(self) -> list[int]:
        """The positions of options and steps of the lease above, and of income that is no tenant's rent.

        They have neither a unit nor an area but that of the lease; income has an amount alone.
        """
        heads: dict[int, int] = {}
        for at in self._like_above():
            head = heads.get(at - 1, at - 1)
            if self._tenants[at] and (self._goes_on(at, head) or self._is_income(at)):
                heads[at] = head
        return [*heads]

    def _like_above(self) -> list[int]:
        """Where a row's area, or its suite, is blank or as in the row above, or blank there: of others none goes on."""
        values = next(iter(self._areas), self._suites)
        if values is None or not self._tenants:
            return sorted(self._bare - {0})
        pairs = enumerate(pairwise(values), start=1)
        return [at for at, (above, own) in pairs if own is None or own == above or above is None]

    def of_summary(self) -> list[int]:
        """The positions of statistics: so much leased, so much vacant. A vacant unit has a number, or stands alone."""
        maybe = {at: text for at in sorted(self._bare) if at and (text := self._statistic(at))}
        sized = {at for at, text in maybe.items() if _SIZED.fullmatch(text)}
        vacant = {at for at, text in maybe.items() if _VACANT.match(text)}
        pairs = [(a, b) for a, b in pairwise(maybe) if b - a == 1 and (a in vacant) != (b in vacant)]
        return sorted(sized.union(*pairs))

    def _goes_on(self, at: int, head: int) -> bool:
        if self._suites and self._suites[at] not in (None, self._suites[head]):
            return False
        for values in self._areas:
            if values[at] not in (None, values[head]):
                return False
        return bool(self._suites or self._areas) and _OF_LEASE.fullmatch(_label(self._tenants[at])) is not None

    def _is_income(self, at: int) -> bool:
        if at not in self._bare or any(values[at] is not None for values in self._areas):
            return False
        return _INCOME.fullmatch(_label(self._tenants[at])) is not None

    def _statistic(self, at: int) -> str:
        """A row's label, if it says how much is leased or vacant."""
        text = _label(self._tenants[at])
        return text if text and (_BARE.fullmatch(text) or _SIZED.fullmatch(text)) else ""

    def _is_bare(self, at: int) -> bool:
        """Whether a row leaves its unit blank where units have numbers, and holds plain amounts, one at least."""
        if self._suites is not None and not (self._numbered and self._suites[at] is None):
            return False
        held = 0
        for values in self._others:
            if values[at] is not None:
                held += 1
                if not _is_amount(values[at]):
                    return False
        return held > 0


def _telling(values: Sequence[object]) -> tuple[float, int]:
    """A column's place in the order of a cheap look: days first, then words, those that come again before others."""
    some = values[:: max(1, len(values) // _SAMPLE)]
    plain = sum(
        1.0 if value is None or isinstance(value, (int, float)) else isinstance(value, str) / 2 for value in some
    )
    return plain, len({*map(str, some)})


@lru_cache(2048, typed=True)  # 1.0 equals True, which is none
def _is_amount(value: object) -> bool:
    return is_amount(value)


def _label(value: object) -> str:
    """What stands in a tenant's place, if it is short, without marks before it; "" for all else."""
    return " ".join(value.split()).lstrip(_MARKS) if isinstance(value, str) and len(value) <= _LONGEST else ""
