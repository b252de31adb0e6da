"""What the tables above one on its sheet hold in each column, each table summed once."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from schemas.deal import Column, Table
from tools.deals.totals import is_summed


class SumsAbove:
    """The running sums of a sheet's tables, by field and by place."""

    def __init__(self) -> None:
        self._fields: dict[tuple[str | None, str], float] = defaultdict(float)
        self._places: dict[tuple[str, str], dict[frozenset[str | None], float]] = {}

    def add(self, table: Table) -> None:
        """Adds a table's columns to the sums."""
        columns = [column for column in table.columns if is_summed(column)]
        fields = frozenset(column.field for column in columns)
        said: set[str | None] = set()
        for column in columns:
            held = float(np.nansum(np.array(column.values, dtype=float)))
            if column.field not in said:
                said.add(column.field)
                self._fields[column.field, column.type] += held
            places = self._places.setdefault((column.place, column.type), {})
            places[fields] = places.get(fields, 0.0) + held

    def of(self, column: Column) -> float:
        """What the tables hold under a column's field, or those without it in its place, where the type is the same."""
        beside = self._places.get((column.place, column.type), {})
        return self._fields.get((column.field, column.type), 0.0) + sum(
            held for fields, held in beside.items() if column.field not in fields
        )
