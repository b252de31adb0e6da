"""A chart's embedded workbook, and what python-pptx needs to put a planned chart into a slide."""

from __future__ import annotations

import io
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

from schemas.deck import ChartBlock
from tools.deck.chart_xml import SHEET, chart_xml


class PlannedChart:
    """A planned chart in the shape in which python-pptx takes chart data: the part's XML and its workbook."""

    def __init__(self, block: ChartBlock) -> None:
        self._block = block

    def xml_bytes(self, _chart_type: object) -> bytes:
        """The chart part."""
        return chart_xml(self._block)

    @property
    def xlsx_blob(self) -> bytes:
        """The workbook that the chart's series point at: text stays text, whatever it begins with."""
        book = Workbook(write_only=True)
        sheet: Any = book.create_sheet(SHEET)
        sheet.column_dimensions["A"].width = 30
        block = self._block
        rows = _scatter_rows(block) if block.kind == "scatter" else _column_rows(block)
        for number, row in enumerate(rows):
            sheet.append([_cell(sheet, value, code, head=number == 0) for value, code in row])
        file = io.BytesIO()
        book.save(file)
        return file.getvalue()


Row = list[tuple[str | float | None, str]]


def _column_rows(block: ChartBlock) -> list[Row]:
    """Names across, categories down."""
    rows: list[Row] = [[("", "General"), *((one.name, "General") for one in block.series)]]
    for at, name in enumerate(block.categories):
        rows.append([(name, "General"), *((one.values[at], one.number_format) for one in block.series)])
    return rows


def _scatter_rows(block: ChartBlock) -> list[Row]:
    """Two columns a series: x, then y under the series' name."""
    longest = max((len(one.values) for one in block.series), default=0)
    rows: list[Row] = [[cell for one in block.series for cell in (("x", "General"), (one.name, "General"))]]
    for at in range(longest):
        row: Row = []
        for one in block.series:
            there = at < len(one.values)
            row += [
                (one.across[at] if there else None, "General"),
                (one.values[at] if there else None, one.number_format),
            ]
        rows.append(row)
    return rows


def _cell(sheet: Any, value: str | float | None, code: str, *, head: bool) -> Any:
    cell = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        cell.data_type = "s"  # else text that begins with = would be a formula
    cell.number_format = code
    if head:
        cell.font = Font(bold=True)
    return cell
