"""Rows of a rent roll that name no tenant: options and steps of the lease above, income beside rents, statistics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.numbers import is_amount

_KEPT_SHARE, _LONGEST, _MARKS = 0.6, 80, " -–—•*>.:(+"
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
        self._tenants = [_label(value) for value in tenants]
        self._suites = by_field.get("suite")
        self._areas = [by_field[name] for name in ("leased_sf", "building_sf") if name in by_field]
        self._others = [view.values for view, m in pairs if m.field not in ("tenant", "suite")]
        held = [value is not None for value in self._suites or ()]
        self._numbered = bool(held) and sum(held) >= _KEPT_SHARE * len(held)

    def of_leases(self) -> list[int]:
        """The positions of options and steps of the lease above, and of income that is no tenant's rent.

        They have neither a unit nor an area but that of the lease; income has an amount alone.
        """
        found: list[int] = []
        head = 0
        for at, text in enumerate(self._tenants):
            if at and text and (self._goes_on(text, at, head) or self._is_income(text, at)):
                found.append(at)
            else:
                head = at
        return found

    def of_summary(self) -> list[int]:
        """The positions of statistics: so much leased, so much vacant. A vacant unit has a number, or stands alone."""
        said = {text for text in set(self._tenants) if _BARE.fullmatch(text) or _SIZED.fullmatch(text)}
        maybe = [at for at, text in enumerate(self._tenants) if at and text in said and self._is_bare(at)]
        sized = {at for at in maybe if _SIZED.fullmatch(self._tenants[at])}
        vacant = {at for at in maybe if _VACANT.match(self._tenants[at])}
        pairs = [(a, b) for a, b in pairwise(maybe) if b - a == 1 and (a in vacant) != (b in vacant)]
        return sorted(sized.union(*pairs))

    def _goes_on(self, text: str, at: int, head: int) -> bool:
        if self._suites and self._suites[at] not in (None, self._suites[head]):
            return False
        same = all(values[at] in (None, values[head]) for values in self._areas)
        return same and bool(self._suites or self._areas) and _OF_LEASE.fullmatch(text) is not None

    def _is_income(self, text: str, at: int) -> bool:
        sized = any(values[at] is not None for values in self._areas)
        return not sized and _INCOME.fullmatch(text) is not None and self._is_bare(at)

    def _is_bare(self, at: int) -> bool:
        """Whether a row leaves its unit blank where units have numbers, and holds plain amounts, one at least."""
        held = [values[at] for values in self._others if values[at] is not None]
        unnumbered = self._suites is None or (self._numbered and self._suites[at] is None)
        return unnumbered and bool(held) and all(is_amount(value) for value in held)


def _label(value: object) -> str:
    """What stands in a tenant's place, if it is short, without marks before it; "" for all else."""
    return " ".join(value.split()).lstrip(_MARKS) if isinstance(value, str) and len(value) <= _LONGEST else ""
