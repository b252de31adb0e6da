"""Places in a workbook, its regions, and what is asked about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

RowClass = Literal["title", "header", "section", "record", "total", "note", "other"]
RegionKind = Literal["table", "key_value", "title", "notes", "chart_data", "other"]
TableKind = Literal[
    "sale_comps", "lease_comps", "rent_roll", "offering_list", "pipeline", "loan_tape", "property_summary", "other"
]
Orientation = Literal["rows", "columns"]


def column_letters(index: int) -> str:
    """The letters of a 0-based column index: 0 is A, 26 is AA."""
    letters, number = "", index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_index(letters: str) -> int:
    """The 0-based index of column `letters`; raises ValueError for anything but A to Z."""
    index = 0
    for letter in letters.upper():
        if not "A" <= letter <= "Z":
            raise ValueError(f"{letters!r} is no column")
        index = index * 26 + ord(letter) - 64
    return index - 1


def cell_address(sheet: str | None, row: int, column: int) -> str:
    """The address of a cell, `Comps!G6`, or `G6` for a file without sheets; `row` is 1-based, `column` 0-based."""
    place = f"{column_letters(column)}{row}"
    return place if sheet is None else f"{sheet}!{place}"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as received: its name for people, and the artifact name that ids derive from."""

    filename: str
    sha256: str
    size_bytes: int
    format: str
    artifact: str


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a sheet and what it is; every non-empty cell lies in exactly one."""

    sheet: str | None
    range: str
    kind: RegionKind
    header_rows: tuple[int, ...] = ()
    table_id: str | None = None


@dataclass(frozen=True, slots=True)
class RowSpan:
    """Rows `first` to `last` (1-based, inclusive) of one class; `columns` where tables stand side by side."""

    sheet: str | None
    first: int
    last: int
    row_class: RowClass
    table_id: str | None = None
    columns: str | None = None


@dataclass(frozen=True, slots=True)
class SheetCensus:
    """The account of a sheet's rows and cells: what is not empty, and what of it has a class."""

    sheet: str | None
    non_empty_rows: int
    accounted_rows: int
    non_empty: int
    accounted: int
    hidden: int
    rows: tuple[RowSpan, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """A workbook's regions and row classes, whatever they mean."""

    source: SourceFile
    regions: tuple[Region, ...]
    census: tuple[SheetCensus, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A field that a column may hold, how likely, and the evidence in words."""

    field: str
    score: float
    evidence: str


@dataclass(frozen=True, slots=True)
class Question:
    """A column whose meaning the rules leave open, with what a reader needs to settle it."""

    table_id: str
    column: str
    header: str
    samples: tuple[str, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class TableBounds:
    """Where a table's header and records lie, 1-based rows, as an agent or a person corrected them."""

    header_rows: tuple[int, ...]
    first_row: int
    last_row: int


@dataclass(frozen=True, slots=True)
class Overrides:
    """What was settled about a workbook after the rules spoke; keyed by table id, and column letters."""

    fields: dict[tuple[str, str], str | None] = field(default_factory=dict[tuple[str, str], str | None])
    bounds: dict[str, TableBounds] = field(default_factory=dict[str, TableBounds])
    ignored: dict[str, str] = field(default_factory=dict[str, str])
