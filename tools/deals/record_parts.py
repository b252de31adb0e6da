"""Records that are parts of the one above: the properties of a loan, each with its share of the balance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index
from tools.deals.dictionary import dictionary
from tools.deals.findings import MOST_CELLS
from tools.deals.mapping import ColumnView
from tools.deals.numbers import NumberText, read_number
from tools.deals.table_reading import TableReading

_RELATIVE, _LONGEST, _MOST_NAMED, _FEWEST = 0.001, 40, 6, 2
_PART = re.compile(r"(.*?[^\W_])(?:[.\-/_ ]{1,3}\d{1,3}|[.\-/_ ]{0,2}[a-z]|\s?\(\d{1,3}\))", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(r"(.*?[^\W_])\.0+", re.DOTALL)


def issue_of_parts(reading: TableReading) -> Issue | None:
    """An issue `record.parts` where rows 12.1 and 12.2 under row 12 add up to its amount: sums count that twice."""
    table = reading.table
    views = {m.field: view for view, m in zip(reading.columns, reading.mapped, strict=True) if m.field}
    ids = views.get("source_id")
    if table.orientation != "rows" or ids is None or any(view.cells for view in reading.columns):
        return None
    runs = [run for run in _runs([_key(value) for value in ids.values]) if len(run) > _FEWEST] if _nests(ids) else []
    known = dictionary().fields
    for field in (name for name in views if known[name].type == "money" and known[name].additive) if runs else ():
        parts = [at for run in runs if _adds_up(views[field], run) for at in run[1:]]
        if parts:
            rows = [table.record_rows[at] for at in parts]
            named = ", ".join(map(str, rows[:_MOST_NAMED])) + (" and others" if len(rows) > _MOST_NAMED else "")
            message = (
                f"Row {named}: parts of the records above, by their numbers, that add up to their {field}. Each was "
                "read as a deal, so sums over the table count these amounts twice; send the list without its parts."
            )
            column = column_index(views[field].letters)
            cells = tuple(cell_address(table.sheet.name, row, column) for row in rows[:MOST_CELLS])
            return Issue("record.parts", "warning", message, cells)
    return None


def _nests(ids: ColumnView) -> bool:
    """Whether some numbers may begin with others: not if all are as long (7.00 is 7), or whole."""
    kinds = {*map(type, ids.values)} - {type(None)}
    if kinds == {str}:
        texts = [str(value) for value in ids.values if value is not None]
        return len({*map(len, texts)}) > 1 or ".0" in "\n".join(texts)
    whole = (isinstance(v, int) or (isinstance(v, float) and v.is_integer()) for v in ids.values if v is not None)
    return kinds != {int} and not all(whole)


def _key(value: object) -> str:
    """A record's number as text: 12 for 12.0."""
    text = f"{value:.10g}" if isinstance(value, float) else "" if value is None else " ".join(str(value).split())
    whole = _WHOLE.fullmatch(text[:_LONGEST]) if text.endswith("0") else None
    return whole[1] if whole else text[:_LONGEST]


def _runs(keys: Sequence[str]) -> list[list[int]]:
    """The positions of each record, and of those right below it whose numbers begin with its own."""
    runs: list[list[int]] = []
    for at, key in enumerate(keys):
        head = keys[runs[-1][0]] if runs else ""
        part = _PART.fullmatch(key) if head and key.startswith(head) and key != head else None
        if part is not None and part[1] == head:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _adds_up(view: ColumnView, run: Sequence[int]) -> bool:
    """Whether the amounts of a run's records but the first, two or more, give that of the first."""
    whole, *parts = [_amount(view.values[at]) for at in run]
    held = [part for part in parts if part is not None]
    return bool(whole) and len(held) >= _FEWEST and abs(sum(held) - whole) <= _RELATIVE * abs(whole)


def _amount(value: object) -> float | None:
    if isinstance(value, str):
        read = read_number(value, decimal_comma=False)
        return read.value if isinstance(read, NumberText) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
