"""Deals as extracted: columnar in memory, one `Deal` at a time for those who read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from schemas import ids
from schemas.workbook import Orientation, RowSpan, SheetCensus, SourceFile, TableKind, cell_address, column_letters

Severity = Literal["info", "warning", "error"]
FieldType = Literal["text", "money", "fraction", "number", "count", "year", "date"]


@dataclass(frozen=True, slots=True)
class Issue:
    """Something a person should know about the data: a stable code, one sentence, the cells."""

    code: str
    severity: Severity
    message: str
    cells: tuple[str, ...] = ()
    expected: str | None = None
    found: str | None = None


@dataclass(frozen=True, slots=True)
class Pin:
    """A person's corrected value; it outranks whatever a file or a newer rule says.

    `by` and `decided_on` (ISO day) say who and when; `was` is the text of the file's value, None if missing. The two
    currencies are those of amounts, None where none is known.
    """

    deal_id: str
    field: str
    value: str
    reason: str
    by: str
    decided_on: str
    was: str | None = None
    cell: str | None = None
    currency: str | None = None
    was_currency: str | None = None


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One value in full units, with what its cell holds; money is a Decimal with a currency, percent a fraction."""

    value: str | int | float | bool | Decimal | date | None
    raw: Any
    cell: str | None
    currency: str | None = None
    pin: Pin | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal with its fields by canonical name, its unmapped columns by header, and its warnings."""

    deal_id: str
    match_key: str | None
    table_id: str
    sheet: str | None
    row: int | None
    column: str | None
    section: str | None
    fields: Mapping[str, FieldValue]
    extra: Mapping[str, FieldValue]
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Column:
    """One field of a table over all its records.

    `place` is the column's letters, or in a transposed table the row's number as text. `values` and `raws` have one
    entry a record: values in full units (money as float or int here, a Decimal in `Deal`), None where missing.
    `cells` names each value's cell where `place` alone does not; `currencies` holds the records whose currency is not
    the column's own, None where it is not known which one it is.
    """

    place: str
    header: str
    field: str | None
    confidence: float
    type: FieldType
    values: Sequence[Any]
    raws: Sequence[Any]
    currency: str | None = None
    currencies: Mapping[int, str | None] = default(default_factory=dict[int, "str | None"])
    cells: Sequence[str | None] | None = None


@dataclass(frozen=True, slots=True)
class StatedTotal:
    """A total that a sheet states in `cell`: `found`, as written there, for the values of the column at `place`.

    It stands for the records of `spans` (first and last record number, 0-based), which `words` name, and for what
    hidden rows add to them. `factor` is what the column's cells are multiplied by to give its values; `code` is the
    code of the issue where they disagree.
    """

    place: str
    cell: str
    found: float
    spans: tuple[tuple[int, int], ...]
    words: str
    code: str
    factor: float = 1.0
    hidden: float = 0.0


@dataclass(slots=True)
class Table:
    """A table of deals. `records` holds 1-based row numbers, or 0-based column indices where it is transposed.

    `lane` is None, or the letters of its first column where a table of deals to its left has records in the same rows:
    the row alone would not tell their deals apart.
    """

    table_id: str
    sheet: str | None
    range: str
    kind: TableKind
    orientation: Orientation
    header_rows: tuple[int, ...]
    first_row: int
    last_row: int
    records: Sequence[int]
    sections: Sequence[str | None]
    columns: list[Column]
    excluded_rows: tuple[RowSpan, ...] = ()
    scale: Mapping[str, int] = default(default_factory=dict[str, int])
    scale_cell: str | None = None
    warnings: Mapping[int, tuple[str, ...]] = default(default_factory=dict[int, tuple[str, ...]])
    lane: str | None = None
    totals: tuple[StatedTotal, ...] = ()

    def column_of(self, name: str) -> Column | None:
        """The column mapped to canonical field `name`, or None."""
        return next((column for column in self.columns if column.field == name), None)

    def cell(self, column: Column, record: int) -> str | None:
        """The address of `column`'s value in record number `record` (0-based)."""
        if column.cells is not None:
            return column.cells[record]
        at = self.records[record]
        if self.orientation == "columns":
            return cell_address(self.sheet, int(column.place), at)
        return f"{column.place}{at}" if self.sheet is None else f"{self.sheet}!{column.place}{at}"


@dataclass(slots=True)
class Extraction:
    """All that was read from one file: tables of deals, the account of every row, and the issues."""

    source: SourceFile
    tables: list[Table]
    census: tuple[SheetCensus, ...]
    issues: tuple[Issue, ...]
    pins: tuple[Pin, ...] = ()

    @property
    def deal_count(self) -> int:
        """How many deals there are."""
        return sum(len(table.records) for table in self.tables)

    def deals(self) -> Iterator[Deal]:
        """Each deal, table by table, in the order of the sheet."""
        pinned = {(pin.deal_id, pin.field): pin for pin in self.pins}
        for table in self.tables:
            for record in range(len(table.records)):
                yield read_deal(self.source.artifact, table, record, pinned)


def deal_id_at(artifact: str, table: Table, record: int) -> str:
    """The id of record number `record` (0-based) of `table`."""
    at = table.records[record]
    place = column_letters(at) if table.orientation == "columns" else at
    return ids.deal_id(artifact, table.sheet, place if table.lane is None else f"{table.lane}{place}")


def read_deal(artifact: str, table: Table, record: int, pinned: Mapping[tuple[str, str], Pin]) -> Deal:
    """Record number `record` (0-based) of `table` as a Deal, with the pins of `pinned` marked."""
    identity = deal_id_at(artifact, table, record)
    fields: dict[str, FieldValue] = {}
    extra: dict[str, FieldValue] = {}
    for column in table.columns:
        pin = pinned.get((identity, column.field)) if column.field else None
        value = field_value(column, record, table.cell(column, record), pin)
        if column.field:
            fields[column.field] = value
        else:
            extra[_free_name(column, extra)] = value
    plain = {
        name: fields[name].value if name in fields else None for name in ("source_id", "deal_name", "address", "tenant")
    }
    at, transposed = table.records[record], table.orientation == "columns"
    return Deal(
        identity,
        ids.match_key(plain["source_id"], plain["deal_name"], plain["address"], plain["tenant"]),
        table.table_id,
        table.sheet,
        None if transposed else at,
        column_letters(at) if transposed else None,
        table.sections[record],
        fields,
        extra,
        table.warnings.get(record, ()),
    )


def _free_name(column: Column, taken: Mapping[str, object]) -> str:
    name = column.header or f"Column {column.place}"
    return name if name not in taken else f"{name} ({column.place})"


def field_value(column: Column, record: int, cell: str | None, pin: Pin | None = None) -> FieldValue:
    """The value of `column` in record number `record`; money comes out as a Decimal with its currency."""
    value = column.values[record]
    if column.type != "money" or value is None or isinstance(value, str):
        return FieldValue(value, column.raws[record], cell, None, pin)
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    return FieldValue(exact, column.raws[record], cell, column.currencies.get(record, column.currency), pin)
