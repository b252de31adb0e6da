"""deals.xlsx: the records with the cells that they came from, the issues, and the account of rows."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, cast

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.writer.excel import ExcelWriter

from schemas.deal import Deal, Extraction, FieldValue
from tools.deals.dictionary import dictionary

_HEAD = Font(bold=True)
_FORMATS = {
    "money": "#,##0.00",
    "fraction": "0.00%",
    "number": "#,##0.##",
    "count": "#,##0",
    "year": "0",
    "date": "yyyy-mm-dd",
}
_LEADS = ("=", "+", "-", "@", "\t", "\r")
_LONGEST_TEXT = 32_000
_EPOCH = dt.datetime(2000, 1, 1)  # noqa: DTZ001 - workbook properties hold naive times
_ZIP_DATE = (2000, 1, 1, 0, 0, 0)


def deals_xlsx(extraction: Extraction) -> bytes:
    """An xlsx of four sheets, Deals, Sources, Issues and Census, the same bytes for the same extraction.

    Sources repeats Deals with the address of each value's cell. Text is never a formula: what begins with = + - @ is
    written as text and marked so that a spreadsheet keeps it text.
    """
    book = Workbook(write_only=True)
    fields = _fields(extraction)
    _write_deals(book.create_sheet("Deals"), extraction, fields)
    _write_sources(book.create_sheet("Sources"), extraction, fields)
    issues = ([i.severity, i.code, i.message, ", ".join(i.cells), i.expected, i.found] for i in extraction.issues)
    _write(book.create_sheet("Issues"), ["Severity", "Code", "Message", "Cells", "Expected", "Found"], issues)
    _write(
        book.create_sheet("Census"),
        ["Sheet", "First row", "Last row", "Class", "Table", "Columns"],
        _census(extraction),
    )
    book.properties.creator = "dealwright"
    book.properties.created = book.properties.modified = _EPOCH
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        # Not book.save: it puts the moment into the properties.
        cast("Any", ExcelWriter(book, archive)).save()
    return _repacked(packed.getvalue())


def _fields(extraction: Extraction) -> list[str]:
    """The canonical fields that some table has, in the dictionary's order."""
    present = {column.field for table in extraction.tables for column in table.columns if column.field}
    return [name for name in dictionary().fields if name in present]


_PLACE_HEADS = ["Deal", "Table", "Sheet", "Row or column", "Section"]


def _write_deals(sheet: Any, extraction: Extraction, fields: Sequence[str]) -> None:
    money = {name for name in fields if dictionary().fields[name].type == "money"}
    heads = [*_PLACE_HEADS, *fields, "currency", "Other columns", "Warnings", "Source cells"]
    _head(sheet, heads)
    for deal in extraction.deals():
        values = [_cell(sheet, _shown(deal.fields.get(name)), dictionary().fields[name].type) for name in fields]
        codes = sorted({v.currency for name in money if (v := deal.fields.get(name)) and v.currency})
        others = "; ".join(f"{name}: {v.value}" for name, v in deal.extra.items() if v.value is not None)
        tail = [", ".join(codes), others, "; ".join(deal.warnings), _span(deal)]
        sheet.append([*(_cell(sheet, v) for v in _place(deal)), *values, *(_cell(sheet, text) for text in tail)])


def _shown(value: FieldValue | None) -> object:
    """A field's value, else what its cell holds where that is no usable value."""
    if value is None:
        return None
    return value.raw if value.value is None and isinstance(value.raw, str) else value.value


def _place(deal: Deal) -> list[object]:
    return [deal.deal_id, deal.table_id, deal.sheet, deal.row if deal.row is not None else deal.column, deal.section]


def _span(deal: Deal) -> str | None:
    """The first and last cell of a deal's values."""
    cells = [v.cell for v in (*deal.fields.values(), *deal.extra.values()) if v.cell and v.raw is not None]
    if not cells:
        return None
    return cells[0] if len(cells) == 1 else f"{cells[0]}:{cells[-1].rpartition('!')[2]}"


def _write_sources(sheet: Any, extraction: Extraction, fields: Sequence[str]) -> None:
    _head(sheet, [*_PLACE_HEADS, *fields])
    for deal in extraction.deals():
        cells = [_source(deal.fields.get(name)) for name in fields]
        sheet.append([_cell(sheet, value) for value in (*_place(deal), *cells)])


def _source(value: FieldValue | None) -> str | None:
    if value is None or (value.raw is None and value.pin is None and value.value is None):
        return None
    return f"set by {value.pin.by} on {value.pin.decided_on}" if value.pin else value.cell


def _census(extraction: Extraction) -> Iterable[Sequence[object]]:
    for census in extraction.census:
        for span in census.rows:
            yield census.sheet, span.first, span.last, span.row_class, span.table_id, span.columns


def _write(sheet: Any, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    _head(sheet, heads)
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])


def _head(sheet: Any, heads: Sequence[str]) -> None:
    sheet.freeze_panes = "A2"
    for at, head in enumerate(heads, 1):
        sheet.column_dimensions[get_column_letter(at)].width = max(10, min(40, len(head) + 4))
    cells: list[Any] = []
    for head in heads:
        cell = WriteOnlyCell(sheet, head)
        cell.font = _HEAD
        cells.append(cell)
    sheet.append(cells)


def _cell(sheet: Any, value: object, field_type: str = "text") -> Any:
    """A cell that holds `value` as a number, a day or text, never as a formula."""
    if value is None or value == "":
        return None
    if isinstance(value, (int, float, Decimal, dt.date)) and not isinstance(value, bool):
        cell = WriteOnlyCell(sheet, cast("Any", value))
        cell.number_format = _FORMATS.get(field_type, "yyyy-mm-dd" if isinstance(value, dt.date) else "General")
        return cell
    text = _printable(str(value))[:_LONGEST_TEXT]
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    if text.startswith(_LEADS):
        cell.style = "Normal"
        cell.quotePrefix = True
    return cell


def _printable(text: str) -> str:
    """`text` without the control characters that XML cannot hold."""
    return "".join(c for c in text if c >= " " or c in "\t\n\r")


def _repacked(data: bytes) -> bytes:
    """The same package with a fixed date on each part and in its properties, so that equal content is equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as read, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as written:
        for name in read.namelist():
            info = zipfile.ZipInfo(name, _ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            written.writestr(info, read.read(name))
    return packed.getvalue()
