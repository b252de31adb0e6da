"""Properties that sheets describe in labels and values: their blocks, each read as a table of one record."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from schemas.ids import normalise_key
from schemas.workbook import Overrides, Region
from tools.deals.crowded import crowded_sheets
from tools.deals.form_notes import FormNotes
from tools.deals.forms import TitlesOver, partings, said_again
from tools.deals.key_value import block_table, label_pairs, region_box, regions_by_sheet
from tools.deals.kinds import TableView, kind_of, why_no_deals
from tools.deals.mapping import ColumnView
from tools.deals.plain_pairs import give_census, with_plain_pairs
from tools.deals.table_reading import TableReading, read_table
from tools.deals.titled import name_of_title
from tools.deals.years import figure_of
from tools.workbook.detect import DetectedTable, Layout
from tools.workbook.grid import Sheet

_FEWEST_PAIRS = 5
_NAMED = frozenset({"deal_name", "address"})
_PRICES = frozenset({"asking_price", "sale_price", "price", "noi", "cap_rate", "loan_amount", "appraised_value"})
_MEASURES = _PRICES | {"building_sf", "units", "occupancy", "year_built", "land_acres", "gross_income"}


def with_key_values(layout: Layout, readings: list[TableReading], overrides: Overrides) -> list[TableReading]:
    """The readings, and those of the properties that sheets describe in labels and values, beside lists too."""
    sheets = {table.sheet.name: table.sheet for table in layout.tables}
    found, number = list(readings), len(readings) + 1
    crowded = crowded_sheets(layout)
    for name, regions in regions_by_sheet(layout).items():
        sheet = sheets.get(name)
        if sheet is None or name in crowded:
            continue
        lists = [r for r in readings if r.why_not is None and r.table.sheet is sheet]
        if lists:
            blocks = _beside_lists(sheet, layout, lists, number, overrides)
            number = max([number, *(int(block.table.table_id[1:]) + 1 for block in blocks)])
            within = _within(found, blocks)
            give_census(layout, sheet, within)
            found = [other for other in found if other.table.table_id not in within] + blocks
            continue
        pairs = label_pairs(sheet, regions)
        if len(pairs) >= _FEWEST_PAIRS:
            around = [region for region in layout.regions if region.sheet == name]
            whole = _read_forms(sheet, pairs, around, number, overrides)
            blocks = [_labelled_only(block) if block.why_not is None else block for block in whole]
            number += len(blocks)
            held = [block for block in blocks if block.why_not is None]
            within = _within(found, held)
            give_census(layout, sheet, within)
            found = [other for other in found if other.table.table_id not in within]
            found += [
                with_plain_pairs(block, one) if block.why_not is None else block
                for block, one in zip(blocks, whole, strict=True)
            ]
    return _once(found)


def _beside_lists(
    sheet: Sheet, layout: Layout, lists: Sequence[TableReading], number: int, overrides: Overrides
) -> list[TableReading]:
    """The properties described in labels and values around a sheet's lists of deals: named, priced and in no list."""
    ids = {reading.table.table_id for reading in lists}
    around = [region for region in layout.regions if region.sheet == sheet.name and region.table_id not in ids]
    boxes = [region_box(region.range) for region in around]
    pairs = [view for view in label_pairs(sheet, around) if _lies_in(boxes, view)]
    if len(pairs) < _FEWEST_PAIRS:
        return []
    blocks = [_labelled_only(block) for block in _read_forms(sheet, pairs, around, number, overrides)]
    listed = {name for reading in lists for name in _names(reading)}
    return [block for block in blocks if block.why_not is None and _is_priced(block) and not _names(block) & listed]


def _lies_in(boxes: Sequence[tuple[int, int, int, int]], view: ColumnView) -> bool:
    """Whether the cells of a value all stand in boxes of (first row, first column, last row, last column)."""
    cells = view.cells or ()
    return all(any(a <= row <= b and c <= column <= d for a, c, b, d in boxes) for row, column in cells)


def _is_priced(block: TableReading) -> bool:
    """Whether a block names its property and gives a price or an income, and one more measure of it."""
    fields = {m.field for m in block.mapped if m.field}
    return bool(fields & _NAMED and fields & _PRICES and len(fields & _MEASURES) > 1)


def _names(reading: TableReading) -> set[str]:
    """The names and addresses of a reading's deals."""
    pairs = zip(reading.columns, reading.mapped, strict=True)
    held = (view.values for view, m in pairs if m.field in _NAMED)
    return {normalise_key(str(value)) for values in held for value in values if value is not None}


def _read_forms(
    sheet: Sheet, pairs: Sequence[ColumnView], around: Sequence[Region], number: int, overrides: Overrides
) -> list[TableReading]:
    """A sheet's pairs as one block, or as several that each name a property; none where they speak of no deal."""
    for blocks in (*partings(sheet, pairs), [pairs]):
        readings: list[TableReading] = []
        titles, notes = TitlesOver(around, blocks), FormNotes(sheet, around, blocks)
        for at, block in enumerate(blocks, number):
            table = block_table(sheet, f"k{at}", block)
            table.note_lines = notes.of(table)
            readings.append(_titled(read_table(table, block, overrides), titles.of(block)))
        deals = sum(reading.why_not is None or reading.table.table_id in overrides.ignored for reading in readings)
        if deals > 1 or (len(blocks) == 1 and readings[0].why_not is None):
            return readings
    return []


def _titled(reading: TableReading, regions: Sequence[Region]) -> TableReading:
    """A block's reading with the name that stands as the title over it, where no label gives one."""
    table = reading.table
    titled = name_of_title(table.sheet, regions, reading.mapped, table.first_row)
    if titled is None:
        return reading
    columns, mapped = (titled[0], *reading.columns), (titled[1], *reading.mapped)
    view = TableView(reading.about, columns, mapped, key_value=True)
    return replace(reading, columns=columns, mapped=mapped, kind=kind_of(view), why_not=why_no_deals(view))


def _holds(table: DetectedTable, block: TableReading) -> bool:
    """Whether every labelled value of a block stands in `table`, or one does in labels with values of its own.

    Such is no table beside the block.
    """
    cells = [cell for view in block.columns if view.header for cell in view.cells or ()]
    rows = range(min((*table.header_rows, table.first_row)), table.last_row + 1)
    columns = range(table.first_column, table.last_column + 1)
    of_labels = table.kind == "key_value" and table.orientation == "rows"
    held = (any if of_labels else all)(row in rows and column in columns for row, column in cells)
    return table.sheet is block.table.sheet and held


def _within(readings: Sequence[TableReading], blocks: Sequence[TableReading]) -> dict[str, list[TableReading]]:
    """The blocks that each table holds, by the id of each that holds some; looked for in its rows alone."""
    rows = sorted({(row, at) for at, b in enumerate(blocks) for v in b.columns for row, _ in v.cells or ()})
    anywhere = {at for at, block in enumerate(blocks) if not any(v.header and v.cells for v in block.columns)}
    found: dict[str, list[TableReading]] = {}
    for table in (reading.table for reading in readings):
        top = min((*table.header_rows, table.first_row))
        near = rows[bisect_left(rows, (top, 0)) : bisect_left(rows, (table.last_row + 1, 0))]
        held = [blocks[at] for at in sorted(anywhere | {at for _, at in near}) if _holds(table, blocks[at])]
        if held:
            found[table.table_id] = held
    return found


def _once(readings: Sequence[TableReading]) -> list[TableReading]:
    """The readings, each block marked as no deal where one before it speaks of the same property."""
    first: dict[str, int] = {}
    once: list[TableReading] = []
    for at, reading in enumerate(readings):
        names = _block_names(reading)
        before = min((first[name] for name in names if name in first), default=None)
        for name in names:
            first.setdefault(name, at)
        told = None if before is None else f"it speaks of the same property as {readings[before].table.table_id}"
        once.append(replace(reading, why_not=told) if told else reading)
    return once


def _block_names(reading: TableReading) -> set[str]:
    """The name and address that a block of labels and values gives, none for other tables."""
    if reading.table.kind != "key_value" or reading.why_not is not None:
        return set()
    return _names(reading)


def _labelled_only(reading: TableReading) -> TableReading:
    """A block's reading without the pairs that have no field: much of a sheet looks like a label and a value.

    Those that give a field's figure for another year stay.
    """
    figures = {figure[0] for m in reading.mapped if m.field and (figure := figure_of(m.header))}
    kept = [
        (view, m)
        for view, m in zip(reading.columns, reading.mapped, strict=True)
        if m.field or ((figure := figure_of(m.header)) and figure[0] in figures)
    ]
    again = said_again(reading.columns, reading.mapped)
    return replace(reading, columns=tuple(view for view, _ in kept), mapped=tuple(m for _, m in kept), again=again)
