"""deals.xlsx: the records with the cells that they came from, the columns, the issues, and the account of rows."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

from schemas.deal import Column, Deal, Extraction, FieldValue, Pin, Table
from tools.deals.dictionary import dictionary
from tools.deals.pin_currencies import pin_words
from tools.deals.pins import pin_place

_HEAD = Font(bold=True)
_CORRECTED = PatternFill("solid", start_color="FFF2CC", end_color="FFF2CC")
"""The fill of a value that a person set."""
_NOTE_PX = (280, 110)
_FORMATS = {
    "money": "#,##0.00",
    "fraction": "0.00%",
    "number": "#,##0.##",
    "count": "#,##0",
    "year": "0",
    "date": "yyyy-mm-dd",
}
_LEADS = ("=", "+", "-", "@", "\t", "\r")
_NO_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_TEXT = 32_000
_EPOCH = dt.datetime(2000, 1, 1)  # noqa: DTZ001 - workbook properties hold naive times
#: openpyxl writes the time of saving here, whatever the properties say.
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_MODIFIED_THEN = rb"\g<1>2000-01-01T00:00:00Z"
_ZIP_DATE = (2000, 1, 1, 0, 0, 0)
_PLACE_HEADS = ["Deal", "Table", "Sheet", "Row or column", "Section"]
_TAIL_HEADS = ["currency", "Other columns", "Warnings", "Source cells"]


def deals_xlsx(extraction: Extraction) -> bytes:
    """An xlsx of four sheets, Deals, Columns, Issues and Census, the same bytes for the same extraction.

    Deals has one row a deal and names its source cells; Columns says which cells each field was read from. A value that
    a person set is filled, its note says what it was, and a fifth sheet, Corrections, lists them all. Text is never a
    formula: what begins with = + - @ is written as text and marked so that a spreadsheet keeps it text.
    """
    book = Workbook(write_only=True)
    _write_deals(book, extraction)
    heads = ["Table", "Kind", "Field", "Header", "Source cells", "Confidence", "Scale", "Currency"]
    _Writer(book, "Columns", heads).rows(_columns(extraction))
    issues = ([i.severity, i.code, i.message, ", ".join(i.cells), i.expected, i.found] for i in extraction.issues)
    _Writer(book, "Issues", ["Severity", "Code", "Message", "Cells", "Expected", "Found"]).rows(issues)
    _Writer(book, "Census", ["Sheet", "First row", "Last row", "Class", "Table", "Columns"]).rows(_census(extraction))
    if extraction.pins:
        heads = ["Deal", "Name", "Field", "Was", "Now", "Cell", "Set by", "On", "Why"]
        _Writer(book, "Corrections", heads).rows(_corrections(extraction))
    book.properties.creator = "dealwright"
    book.properties.created = _EPOCH
    packed = io.BytesIO()
    book.save(packed)
    return _repacked(packed.getvalue())


@dataclass(frozen=True, slots=True)
class _Corrected:
    """A value that a person set, and how."""

    value: object
    pin: Pin


def _note(pin: Pin) -> str:
    before, value = pin_words(pin)
    was = f"{pin.cell} read {before}" if pin.cell and before is not None else "It was empty"
    return _printable(f"{was}; set to {value or 'nothing'} by {pin.by} on {pin.decided_on}: {pin.reason}")[:2000]


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(c for c in text if c >= " " or c in "\t\n\r")


class _Writer:
    """Writes rows to a sheet; openpyxl writes each at once, so that one cell a column serves them all."""

    def __init__(self, book: Workbook, name: str, heads: Sequence[str], types: Sequence[str] = ()) -> None:
        self._sheet: Any = book.create_sheet(name)
        self._sheet.freeze_panes = "A2"
        for at, head in enumerate(heads, 1):
            self._sheet.column_dimensions[get_column_letter(at)].width = max(10, min(40, len(head) + 4))
        self._types = types or ["text"] * len(heads)
        self._cells: dict[tuple[int, str], Any] = {}
        self._sheet.append([self._cell(at, "head", head) for at, head in enumerate(heads)])

    def rows(self, rows: Iterable[Sequence[object]]) -> None:
        """Writes all rows, each with one value a head."""
        for row in rows:
            self._sheet.append([self._value(at, value) for at, value in enumerate(row)])

    def _value(self, at: int, value: object) -> Any:
        """A cell that holds `value` as a number, a day or text, never as a formula."""
        if isinstance(value, _Corrected):
            return self._corrected(at, value)
        if value is None or value == "":
            return None
        if isinstance(value, (int, float, Decimal, dt.date)) and not isinstance(value, bool):
            days = isinstance(value, dt.date)
            return self._cell(at, "date" if days else self._types[at], value)
        text = str(value)
        if not text.isprintable():
            text = _NO_XML.sub("", text)
        return self._cell(at, "quoted" if text.startswith(_LEADS) else "plain", text[:_LONGEST_TEXT])

    def _corrected(self, at: int, corrected: _Corrected) -> Any:
        """A cell of its own, so that no other value bears its note."""
        plain = self._value(at, corrected.value)
        cell: Any = WriteOnlyCell(self._sheet, None if plain is None else plain.value)
        if plain is not None:
            cell.number_format, cell.quotePrefix, cell.data_type = (
                plain.number_format,
                plain.quotePrefix,
                plain.data_type,
            )
        cell.fill = _CORRECTED
        cell.comment = Comment(_note(corrected.pin), "dealwright", height=_NOTE_PX[1], width=_NOTE_PX[0])
        return cell

    def _cell(self, at: int, look: str, value: object) -> Any:
        cell: Any = self._cells.get((at, look))
        if cell is None:
            cell = self._cells[at, look] = WriteOnlyCell(self._sheet)
            if look == "head":
                cell.font = _HEAD
            elif look in _FORMATS:
                cell.number_format = _FORMATS[look]
            cell.quotePrefix = look == "quoted"
        cell.value = value
        if look == "quoted":
            cell.data_type = "s"
        return cell


def _write_deals(book: Workbook, extraction: Extraction) -> None:
    fields = _fields(extraction)
    types = [str(dictionary().fields[name].type) for name in fields]
    money = [name for name, kind in zip(fields, types, strict=True) if kind == "money"]
    heads = [*_PLACE_HEADS, *fields, *_TAIL_HEADS]
    looks = ["text"] * len(_PLACE_HEADS) + types + ["text"] * len(_TAIL_HEADS)
    rows = ([*_place(deal), *_values(deal, fields), *_tail(deal, money)] for deal in extraction.deals())
    _Writer(book, "Deals", heads, looks).rows(rows)


def _fields(extraction: Extraction) -> list[str]:
    """The canonical fields that some table has, in the dictionary's order."""
    present = {column.field for table in extraction.tables for column in table.columns if column.field}
    return [name for name in dictionary().fields if name in present]


def _place(deal: Deal) -> list[object]:
    return [deal.deal_id, deal.table_id, deal.sheet, deal.row if deal.row is not None else deal.column, deal.section]


def _values(deal: Deal, fields: Sequence[str]) -> list[object]:
    return [_shown(deal.fields.get(name)) for name in fields]


def _shown(value: FieldValue | None) -> object:
    """A field's value, else what its cell holds where that is no usable value."""
    if value is None:
        return None
    if value.pin is not None:
        return _Corrected(value.value, value.pin)
    return value.raw if value.value is None and isinstance(value.raw, str) else value.value


def _corrections(extraction: Extraction) -> Iterable[Sequence[object]]:
    """Every value that a person set, with the value and the cell that it replaced."""
    for pin in extraction.pins:
        name = pin_place(extraction, pin)[0]
        was, value = pin_words(pin)
        yield pin.deal_id, name, pin.field, was, value, pin.cell, pin.by, pin.decided_on, pin.reason


def _tail(deal: Deal, money: Sequence[str]) -> list[object]:
    codes = sorted({v.currency for name in money if (v := deal.fields.get(name)) and v.currency})
    others = "; ".join(f"{name}: {v.value}" for name, v in deal.extra.items() if v.value is not None)
    return [", ".join(codes), others, "; ".join(deal.warnings), _span(deal)]


def _span(deal: Deal) -> str | None:
    """The first and last cell of a deal's values."""
    cells = [v.cell for v in (*deal.fields.values(), *deal.extra.values()) if v.cell and v.raw is not None]
    if not cells:
        return None
    return cells[0] if len(cells) == 1 else f"{cells[0]}:{cells[-1].rpartition('!')[2]}"


def _columns(extraction: Extraction) -> Iterable[Sequence[object]]:
    for table in extraction.tables:
        for column in table.columns:
            place = _range(table, column)
            scale = table.scale.get(column.place)
            name = column.field or "(other)"
            yield table.table_id, table.kind, name, column.header, place, column.confidence, scale, column.currency


def _range(table: Table, column: Column) -> str | None:
    """The cells that hold a column's values, first to last."""
    cells = [cell for record in (0, len(table.records) - 1) if (cell := table.cell(column, record))]
    if not cells:
        return None
    return cells[0] if cells[0] == cells[-1] else f"{cells[0]}:{cells[-1].rpartition('!')[2]}"


def _census(extraction: Extraction) -> Iterable[Sequence[object]]:
    for census in extraction.census:
        for span in census.rows:
            yield census.sheet, span.first, span.last, span.row_class, span.table_id, span.columns


def _repacked(data: bytes) -> bytes:
    """The same package with fixed dates on its parts and in its properties, so that equal content is equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as read, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as written:
        for name in read.namelist():
            info = zipfile.ZipInfo(name, _ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            part = read.read(name)
            written.writestr(info, _MODIFIED.sub(_MODIFIED_THEN, part) if name == "docProps/core.xml" else part)
    return packed.getvalue()
