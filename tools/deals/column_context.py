"""What stands around the values of a column, and its values once they are in full units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.deals.findings import Finding
from tools.deals.formats import Formats
from tools.deals.header_text import Header
from tools.deals.scale import Scale

Formatting = Callable[[], Formats | None]


@dataclass(frozen=True, slots=True)
class ColumnContext:
    """What stands around values: their header, the scale over their table, how it writes numbers and dates.

    `formats` gives the number formats when it is called, None where there are none; `size_scale` is that of a note on
    sizes; `united_states` says that postal codes are ZIP codes; `kinds` are the types of the values where known;
    `mil_is_thousand` that the headers are in Portuguese or Spanish;
    `likely_day_first` that places or currencies write the day first; `area_unit` is what the table measures areas in.
    """

    header: Header
    formats: Formatting = lambda: None
    note_scale: Scale | None = None
    size_scale: Scale | None = None
    decimal_comma: bool | None = None
    day_first: bool | None = None
    epoch_1904: bool = False
    united_states: bool = False
    kinds: frozenset[type] | None = None
    mil_is_thousand: bool = False
    likely_day_first: bool = False
    area_unit: str | None = None


@dataclass(slots=True)
class Normal:
    """A column's values in full units, one a record, with what was found on the way; `scale` is what was applied."""

    values: Sequence[Any]
    findings: list[Finding] = field(default_factory=list[Finding])
    currencies: dict[int, str] = field(default_factory=dict[int, str])
    scale: Scale | None = None
