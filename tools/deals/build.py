"""Tables of deals in memory: each column's values in full units, its currency, and what was found on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from schemas.deal import Column, Issue, Table
from schemas.workbook import cell_address, column_index
from tools.deals.area_units import unit_of_table
from tools.deals.bands import spilled_scale
from tools.deals.column_context import ColumnContext, Normal
from tools.deals.currencies import (
    all_untold,
    give_to_records,
    partly_shown,
    settle_shared,
    shown_beside,
    shown_currency,
    unread_beside,
)
from tools.deals.currency_conflicts import contradicted_column, contradicted_header, contradicted_note
from tools.deals.currency_signs import currency_in, currency_of_format, is_shared, settled
from tools.deals.currency_sizes import in_currency
from tools.deals.dates import day_first_in
from tools.deals.dictionary import dictionary, field_spec
from tools.deals.dollars import dollars_of_places
from tools.deals.findings import WARNS, Finding, issue_of
from tools.deals.local_currencies import keep_to_first, settle_local, shown_first_alone
from tools.deals.mapping import ColumnView, MappedColumn
from tools.deals.normalize import normalize
from tools.deals.numbers import decimal_comma_in, mil_is_thousand
from tools.deals.places import (
    currencies_of,
    currencies_of_records,
    currency_of_places,
    in_united_states,
    puts_day_first,
)
from tools.deals.row_issues import issues_of_table
from tools.deals.scale import Scale, size_scale_in
from tools.deals.scale_notes import TableScales
from tools.deals.shown_units import formats_of
from tools.deals.table_reading import TableReading
from tools.deals.titled import is_titled
from tools.workbook.grid import CellError

_MONEY_ONLY_SHOWN, _FIRST_TEXTS = 12, 20


class TableBuilder:
    """Builds one table of deals from its reading."""

    def __init__(self, reading: TableReading, epoch_1904: bool) -> None:
        self.reading, self.epoch_1904 = reading, epoch_1904
        self.detected = reading.table
        self.issues: list[Issue] = []
        self.warnings: dict[int, list[str]] = {}
        self._first_alone: set[str] = set()
        self.scales = TableScales(
            self.detected.note_lines, self.detected.sheet.name, reading.mapped, self.detected.kind == "key_value"
        )
        self.size_scale = next((said for text, _ in self.detected.note_lines if (said := size_scale_in(text))), None)
        self.decimal_comma = self._table_says(decimal_comma_in, {"money", "number", "fraction", "count"})
        self.day_first = self._table_says(day_first_in, {"date"})
        self.united_states = in_united_states(self._values("state"))
        self.area_unit = unit_of_table(reading.mapped, reading.about)
        self.likely_day_first = self._likely_day_first()
        self.row_currencies = currencies_of(
            [m.header.tokens for m in reading.mapped], [view.values for view in reading.columns]
        )

    def build(self) -> Table:
        """The table, its columns in the sheet's order."""
        detected, reading = self.detected, self.reading
        columns: list[Column] = []
        scales: dict[str, int] = {}
        for view, mapped in zip(reading.columns, reading.mapped, strict=True):
            column, scale = self._column(view, mapped)
            columns.append(column)
            if scale:
                scales[view.letters] = scale.factor
        self._settle_currencies(columns)
        self.issues += [*issues_of_table(reading), *self.scales.issues]
        if self.detected.kind == "key_value" and is_titled(reading.mapped):
            self.warnings.setdefault(0, []).append("name.title: deal_name")
        table = Table(
            table_id=detected.table_id,
            sheet=detected.sheet.name,
            range=reading.range,
            kind=reading.kind,
            orientation=detected.orientation,
            header_rows=detected.header_rows,
            first_row=detected.first_row,
            last_row=detected.last_row,
            records=detected.record_rows,
            sections=detected.sections,
            columns=columns,
            excluded_rows=detected.excluded,
            scale=scales,
            scale_cell=self._scale_cell(scales),
        )
        table.warnings = {record: tuple(said) for record, said in sorted(self.warnings.items())}
        return table

    def _scale_cell(self, scales: Mapping[str, int]) -> str | None:
        """The cell whose words say the scale: the note over the table, else the header of the first scaled column."""
        if not scales:
            return None
        headed = next(
            (m for m in self.reading.mapped if m.letters in scales and (m.header.scale or m.header.band_scale)), None
        )
        if headed is None or not self.detected.header_rows:
            return self.scales.cell
        place = f"{headed.letters}{self.detected.header_rows[-1]}"
        return place if self.detected.sheet.name is None else f"{self.detected.sheet.name}!{place}"

    def _column(self, view: ColumnView, mapped: MappedColumn) -> tuple[Column, Scale | None]:
        spec = field_spec(mapped.field) if mapped.field else None
        raws = self._raws(view)
        header = " ".join(view.header.split())
        cells = self._cells(view)
        if spec is None:
            values = _plain(view)
            raws = values if raws == values else raws
            return Column(view.letters, header, None, mapped.confidence, "text", values, raws, cells=cells), None
        context = ColumnContext(
            header=mapped.header,
            formats=partial(formats_of, self.detected, view),
            note_scale=spilled_scale(self.detected, view) or self.scales.of(mapped, view.cells),
            size_scale=self.size_scale,
            decimal_comma=self.decimal_comma,
            day_first=self.day_first,
            epoch_1904=self.epoch_1904,
            united_states=self.united_states,
            kinds=view.kinds,
            likely_day_first=self.likely_day_first,
            area_unit=self.area_unit,
            mil_is_thousand=mil_is_thousand((), (m.header.text for m in self.reading.mapped)),
        )
        if view.unread:
            self.issues.append(unread_beside(spec.name, view.unread, partial(cell_address, self.detected.sheet.name)))
        bounded = in_currency(spec, self._likely_currency(view, mapped)) if spec.type == "money" else spec
        normal = normalize(bounded, view.values, context)
        self._formula_findings(view, normal)
        self._report(spec.name, view, normal.findings)
        column = Column(view.letters, header, spec.name, mapped.confidence, spec.type, normal.values, raws, cells=cells)
        if spec.type == "money":
            column.currency, column.currencies = shown_currency(
                mapped, formats_of(self.detected, view), normal, self.row_currencies, view.signs
            )
            own = self.row_currencies is None and not (mapped.header.currency or mapped.header.band_currency)
            if own and shown_first_alone(formats_of(self.detected, view), normal):
                self._first_alone.add(view.letters)
            if view.signs and normal.currencies:
                self.issues.append(shown_beside(column, view.signs, partial(cell_address, self.detected.sheet.name)))
        return column, normal.scale

    def _likely_currency(self, view: ColumnView, mapped: MappedColumn) -> str | None:
        """The first currency that the header, formats, a column of currencies, values, other headers or titles show."""
        formats = formats_of(self.detected, view).codes
        texts = [value for value in view.values[:_FIRST_TEXTS] if isinstance(value, str)]
        said = (
            mapped.header.currency,
            mapped.header.band_currency,
            *map(currency_of_format, formats),
            *(self.row_currencies or ())[:_FIRST_TEXTS],
            *map(currency_in, texts),
            *(m.header.currency for m in self.reading.mapped),
            *map(currency_in, self.reading.about),
        )
        return next((settled(code, ("JPY",)) for code in said if code), None)

    def _cells(self, view: ColumnView) -> list[str | None] | None:
        """The address of each value where the table's records do not tell it: in a block, or a record's second row."""
        if view.cells is None or (self.detected.kind != "key_value" and self.detected.orientation == "columns"):
            return None
        return [cell_address(self.detected.sheet.name, row, column) for row, column in view.cells]

    def _raws(self, view: ColumnView) -> list[Any]:
        """What the cells hold: errors as their code, nothing where we worked a formula out that has no stored value."""
        computed = self._found_in(view, self.detected.sheet.computed)
        held = view if view.raws is None else replace(view, values=view.raws, types=None)
        raws = list(_plain(held)) if computed else _plain(held)
        for record in computed:
            raws[record] = None
        return raws

    def _place(self, view: ColumnView, record: int) -> tuple[int, int]:
        """The (row, column) of a value."""
        if view.cells is not None:
            return view.cells[record]
        return self.detected.record_rows[record], column_index(view.letters)

    def _found_in(self, view: ColumnView, cells: Collection[tuple[int, int]]) -> list[int]:
        """The records whose value stands in one of `cells`."""
        return [i for i in range(len(view.values)) if self._place(view, i) in cells] if cells else []

    def _settle_currencies(self, columns: list[Column]) -> None:
        """Gives money columns that show no currency the table's one, else the one of its titles or its places."""
        money = [column for column in columns if column.type == "money" and column.field]
        keep_to_first(money, self._first_alone)
        self.issues += self._dollars(money)
        shown = Counter(column.currency for column in money if column.currency and not is_shared(column.currency))
        said = (currency_in(text) for text in self.reading.about)
        titled = next((code for code in said if code and not is_shared(code)), None)
        default = shown.most_common(1)[0][0] if shown else titled or self._currency_of_places(money)
        for column in money:
            found = settle_shared(column, (default, titled, self._place_currency()))
            self._report(str(column.field), self._view_of(column), found)
        local = [column for column in money if column.currency is None and not any(column.currencies.values())]
        partly = [column for column in money if column.currency is None and any(column.currencies.values())]
        for column in partly:
            self.issues.append(partly_shown(column, default, partial(self._cell, self._view_of(column))))
        give_to_records(money)
        places = self._currencies_of_places(money)
        self.issues += settle_local(local, places, lambda c, record: self._cell(self._view_of(c), record))
        for column in money:
            column.currency = column.currency or (None if all_untold(column) else default)
            column.currencies = {r: code for r, code in column.currencies.items() if code != column.currency}
            if column not in partly:
                self._report_currencies(column)
        if note := contradicted_note(money, self.detected.note_lines, lambda c: self._cell(self._view_of(c), 0)):
            self.issues.append(note)

    def _dollars(self, money: Sequence[Column]) -> list[Issue]:
        """Gives a bare $ the dollars that a column of currencies says, or else those of the places."""
        formats = [formats_of(self.detected, self._view_of(column)) for column in money]
        if self.row_currencies is not None:
            why = "the column of currencies says so"
            return dollars_of_places(money, self.row_currencies, formats, self.reading.about, why)
        places = self._currencies_of_places(money)
        return dollars_of_places(money, places, formats, self.reading.about)

    def _currencies_of_places(self, money: Sequence[Column]) -> list[str | None]:
        """The currency that is used where each record is."""
        many = len(money[0].values) if money else 0
        others = self._values("postal_code"), self.reading.about
        return currencies_of_records(self._values("state"), self._values("country"), many, others)

    def _report_currencies(self, column: Column) -> None:
        """Says which amounts are in another currency than their column, or than its header or a column of them says."""
        view = self._view_of(column)
        place = partial(self._cell, view)
        header = next(m.header for m in self.reading.mapped if m.letters == column.place and m.field == column.field)
        conflict = contradicted_header(column, header.currency or header.band_currency, place)
        if conflict is None and self.row_currencies is not None:
            conflict = contradicted_column(column, self.row_currencies, place)
        if conflict is not None:
            self.issues.append(conflict)
        elif column.currencies:
            found = [Finding("currency.mixed", r, code) for r, code in column.currencies.items() if code]
            self._report(str(column.field), view, found)

    def _currency_of_places(self, money: Sequence[Column]) -> str | None:
        """The currency of the places where the deals are, with the issue that says so; None where they tell none."""
        default = self._place_currency()
        without = [column for column in money if not column.currency and not column.currencies]
        if default and without:
            first = (self._cell(self._view_of(column), 0) for column in without[:_MONEY_ONLY_SHOWN])
            names = ", ".join(str(column.field) for column in without)
            message = f"No currency is shown for {names}; {default} was taken from where the deals are."
            self.issues.append(Issue("currency.assumed", "info", message, tuple(cell for cell in first if cell)))
        return default

    def _place_currency(self) -> str | None:
        return currency_of_places(self._values("state"), self._values("country"), self._values("postal_code"))

    def _view_of(self, column: Column) -> ColumnView:
        return next(view for view in self.reading.columns if view.letters == column.place)

    def _cell(self, view: ColumnView, record: int) -> str | None:
        return cell_address(self.detected.sheet.name, *self._place(view, record))

    def _report(self, what: str, view: ColumnView, findings: Sequence[Finding]) -> None:
        """One issue for each kind of finding in a column; doubtful or untaken values warn their deal."""
        by_code: dict[str, list[Finding]] = {}
        for finding in findings:
            by_code.setdefault(finding.code, []).append(finding)
            if finding.code in WARNS:
                self.warnings.setdefault(finding.record, []).append(f"{finding.code}: {what}")
        for code, found in by_code.items():
            cells = (cell_address(self.detected.sheet.name, *self._place(view, finding.record)) for finding in found)
            self.issues.append(issue_of(code, what, found, cells))

    def _formula_findings(self, view: ColumnView, normal: Normal) -> None:
        """Adds findings on formulas that the file stores no value for."""
        sheet = self.detected.sheet
        for code, formulas in (("formula.no_value", sheet.uncached), ("formula.computed", sheet.computed)):
            normal.findings += [Finding(code, record) for record in self._found_in(view, formulas)]

    def _likely_day_first(self) -> bool:
        """Whether dates are written with the day first where the deals are, or else where all currencies shown are."""
        if place := self._place_currency():
            return puts_day_first(place)
        money = [
            (view, m)
            for view, m in zip(self.reading.columns, self.reading.mapped, strict=True)
            if m.field and (spec := field_spec(m.field)) and spec.type == "money"
        ]
        shown: set[str] = {code for _, m in money if (code := m.header.currency or m.header.band_currency)}
        shown |= {
            code for view, _ in money for f in formats_of(self.detected, view).codes if (code := currency_of_format(f))
        }
        texts = (value for view, _ in money for value in view.values[:_FIRST_TEXTS] if isinstance(value, str))
        shown |= {code for text in texts if (code := currency_in(text))}
        return bool(shown) and all(map(puts_day_first, shown))

    def _values(self, name: str) -> Sequence[object]:
        """The values of the column mapped to a field, none where there is no such column."""
        pairs = zip(self.reading.columns, self.reading.mapped, strict=True)
        return next((view.values for view, mapped in pairs if mapped.field == name), ())

    def _table_says(self, vote: Callable[[Iterable[str]], bool | None], types: set[str]) -> bool | None:
        """What the texts of all columns of some types say together; None for nothing, or where they contradict."""
        said: set[bool] = set()
        for view, mapped in zip(self.reading.columns, self.reading.mapped, strict=True):
            if mapped.field and dictionary().fields[mapped.field].type in types:
                texts = {value for value in view.values if type(value) is str} if str in view.kinds else set[str]()
                if (told := vote(sorted(texts))) is not None:
                    said.add(told)
        return said.pop() if len(said) == 1 else None


def _plain(view: ColumnView) -> list[Any]:
    """What the cells hold, errors as their code."""
    if CellError not in view.kinds:
        return cast("list[Any]", view.values) if isinstance(view.values, list) else list(view.values)
    return [value.code if isinstance(value, CellError) else value for value in view.values]
