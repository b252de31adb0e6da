"""What is said about a table as a whole: its rows are parties, lines of one record, groups; its figures of years."""

from __future__ import annotations

from collections import Counter

from schemas.deal import Issue
from schemas.workbook import cell_address, column_index, column_letters
from tools.deals.after_total import issue_after_total
from tools.deals.area_rents import doubtful_rent
from tools.deals.area_units import unit_of_cells, unit_of_table
from tools.deals.dictionary import field_spec
from tools.deals.filled_down import issue_of_filled
from tools.deals.findings import MOST_CELLS
from tools.deals.gaps import issue_of_gap
from tools.deals.kinds import counts_deals
from tools.deals.mapping import SETTLED, MappedColumn
from tools.deals.names_alone import issues_of_names_alone
from tools.deals.nothing_rows import issue_of_nothing
from tools.deals.periods import period_columns
from tools.deals.portfolio_parts import issue_of_portfolios
from tools.deals.record_parts import issue_of_parts
from tools.deals.said import as_held, plain
from tools.deals.sale_years import bare_year, is_late
from tools.deals.table_reading import TableReading
from tools.deals.tables_below import issues_below
from tools.deals.tenant_suites import issue_of_unnamed
from tools.deals.term_units import assumed_term
from tools.deals.titled import is_titled
from tools.deals.top_names import issue_of_names
from tools.deals.two_rows import stands_in_two_rows
from tools.deals.unfielded import issue_of_unfielded
from tools.deals.words import WORDS
from tools.deals.years import figure_of

_MOST_NAMED, _RIVAL, _NEARLY = 6, 0.6, 0.12


def issues_of_table(reading: TableReading) -> list[Issue]:
    """Issues of tables, rows, columns and names as a whole: `table.summary` and others; none for most."""
    found = (
        _first_records(reading),
        _parties(reading),
        _periods(reading),
        _continued(reading),
        _summary(reading),
        issue_of_parts(reading) or issue_of_portfolios(reading),
        issue_of_nothing(reading),
        _total_columns(reading),
        _again(reading),
        issue_of_names(reading.table, reading.mapped),
        issue_of_gap(reading),
        issue_after_total(reading),
        issue_of_unfielded(reading),
        _two_rows(reading),
        issue_of_filled(reading.table, reading.columns, reading.mapped),
        issue_of_unnamed(reading),
        _rent_period(reading),
        _metric_area(reading),
        _term_unit(reading),
        _bare_years(reading),
    )
    return (
        [issue for issue in found if issue is not None]
        + _years(reading)
        + _rivals(reading)
        + _split(reading)
        + _named(reading)
        + issues_of_names_alone(reading)
        + issues_below(reading)
        + list(reading.doubts)
    )


def _parties(reading: TableReading) -> Issue | None:
    """Where each row is a party with its totals: readers would take it for a deal."""
    counted = counts_deals(reading.mapped)
    if counted is None:
        return None
    named = next((m.header.text for m in reading.mapped if m.field == "deal_name"), "party")
    message = (
        f"Each row is no single deal but one {as_held(named)} with its totals: "
        f"column {as_held(counted.header.text)} counts its deals."
    )
    return Issue("table.summary", "warning", message, (_where(reading),))


def _first_records(reading: TableReading) -> Issue | None:
    """Where rows of words under the header may be deals or part of the header, and nothing else tells."""
    taken, kept = reading.first_records.taken, reading.first_records.kept
    rows, table = taken or kept, reading.table
    if not rows:
        return None
    named = ", ".join(map(str, rows))
    took = "read as a deal" if taken else "taken for a part of the header"
    message = f"Under the header, row {named} holds words only; {took}. Should that be wrong, correct the header rows."
    cells = tuple(cell_address(table.sheet.name, row, table.first_column) for row in rows)
    return Issue("header.words", "warning", message, cells)


def _periods(reading: TableReading) -> Issue | None:
    """Where each row is a period of something: sums over the table count it once for each."""
    if reading.table.orientation != "rows":
        return None
    found = period_columns(reading.columns, reading.mapped)
    if found is None:
        return None
    period, named = (as_held(m.header.text) for m in found)
    message = (
        f"Each row is no single deal but one {period} of one {named}: sums over the table count each {named} several "
        "times."
    )
    return Issue("table.periods", "warning", message, (_where(reading),))


def _where(reading: TableReading) -> str:
    sheet = reading.table.sheet.name
    return reading.range if sheet is None else f"{sheet}!{reading.range}"


def _continued(reading: TableReading) -> Issue | None:
    """Where rows only go on with the record above them: what they hold is in no field."""
    rows, table = reading.continued, reading.table
    if not rows:
        return None
    filled = [
        m.header.text
        for view, m in zip(reading.columns, reading.mapped, strict=True)
        if _goes_on(view.letters, reading)
    ]
    said = "1 row only goes on with a record and is no deal of its own; what it holds"
    if len(rows) > 1:
        said = f"{len(rows):,} rows only go on with a record and are no deals of their own; what they hold"
    message = f"{said} ({', '.join(map(as_held, filled[:6]))}) is in no field."
    cells = (cell_address(table.sheet.name, row, table.first_column) for row in rows[:MOST_CELLS])
    return Issue("record.continued", "warning", message, tuple(cells))


def _summary(reading: TableReading) -> Issue | None:
    """Where rows in the place of tenants say how much is let."""
    table = reading.table
    if not reading.summary:
        return None
    rows = ", ".join(map(str, reading.summary[:_MOST_NAMED])) + (" and more" * (len(reading.summary) > _MOST_NAMED))
    message = f"Row {rows}: no tenant, but how much of the list is let or vacant; left out of the deals."
    cells = (cell_address(table.sheet.name, row, table.first_column) for row in reading.summary[:MOST_CELLS])
    return Issue("record.summary", "info", message, tuple(cells))


def _years(reading: TableReading) -> list[Issue]:
    """One issue for each field that the table gives for several years: which one was taken."""
    dated = [(m, figure) for m in reading.mapped if (figure := figure_of(m.header))]
    found: list[Issue] = []
    for mapped, (name, year, _) in dated:
        others = [m for m, figure in dated if figure[0] == name and figure[1] != year]
        if mapped.field is None or mapped.confidence == SETTLED or not others:
            continue
        said = ", ".join(as_held(m.header.text) for m in others)
        taken = as_held(mapped.header.text)
        message = f"{mapped.field} is given for several years: {taken} was taken; {said} stay in no field."
        found.append(
            Issue("column.years", "warning", message, tuple(_header_cell(m, reading) for m in (mapped, *others)))
        )
    return found


def _rivals(reading: TableReading) -> list[Issue]:
    """One issue for each figure or date that another column gives nearly as likely: which one was taken."""
    found: list[Issue] = []
    left = [m for m in reading.mapped if m.field is None and m.candidates and not figure_of(m.header)]
    for mapped in reading.mapped:
        score = max((c.score for c in mapped.candidates if c.field == mapped.field), default=1.0)
        least = max(_RIVAL, score - _NEARLY)
        others = [m for m in left if m.candidates[0].field == mapped.field and m.candidates[0].score >= least]
        spec = field_spec(mapped.field) if mapped.field else None
        if (
            spec is None
            or spec.type == "text"
            or mapped.confidence == SETTLED
            or not others
            or figure_of(mapped.header)
        ):
            continue
        said = ", ".join(as_held(m.header.text) for m in others[:_MOST_NAMED])
        more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
        stay = "stays" if len(others) == 1 else "stay"
        message = f"{mapped.field}: {as_held(mapped.header.text)} was taken; {said}{more} {stay} in no field."
        cells = tuple(_header_cell(m, reading) for m in (mapped, *others[:MOST_CELLS]))
        found.append(Issue("column.others", "warning", message, cells))
    return found


def _rent_period(reading: TableReading) -> Issue | None:
    """Where a rent per SF or per m² may be that of a month, and nothing says that it is one, or a year's."""
    found = doubtful_rent(reading.columns, reading.mapped)
    if found is None:
        return None
    m, first = found
    message = f"rent_psf: a year's rent was assumed, but amounts such as {plain(first)} may be a month's."
    return Issue("rent.period", "warning", message, (_header_cell(m, reading),))


def _metric_area(reading: TableReading) -> Issue | None:
    """Where an area without a unit is called as in countries that measure in square metres."""
    areas = [
        (v, m) for v, m in zip(reading.columns, reading.mapped, strict=True) if m.field in ("building_sf", "leased_sf")
    ]
    for view, m in areas:
        stated = m.header.units or m.profile.unit or view.unit or m.confidence == SETTLED
        stated = stated or unit_of_cells(view.values) or unit_of_table(reading.mapped, reading.about)
        if set(m.header.tokens) & WORDS.metric_areas and not stated:
            message = f"{m.field}: {as_held(m.header.text)} states no unit; square feet were assumed."
            return Issue("area.unit", "warning", message, (_header_cell(m, reading),))
    return None


def _term_unit(reading: TableReading) -> Issue | None:
    """Where only the size of the terms of leases tells whether they are years or months."""
    found = assumed_term(reading.columns, reading.mapped)
    if found is None:
        return None
    m, unit, first = found
    message = f"{m.field}: {as_held(m.header.text)} states no unit; {unit} were assumed for {plain(first)} and others."
    return Issue("term.unit", "warning", message, (_header_cell(m, reading),))


def _bare_years(reading: TableReading) -> Issue | None:
    """Where years stand under a header that does not say of what, and are in no field."""
    if any(m.field == "year_built" for m in reading.mapped):
        return None
    left = (m for m in reading.mapped if m.field is None and m.confidence != SETTLED and bare_year(m.header))
    m = next((m for m in left if is_late(m.profile)), None)
    if m is None:
        return None
    message = f"year_built: {as_held(m.header.text)} may hold the years of the deals as well; it is in no field."
    return Issue("column.year", "warning", message, (_header_cell(m, reading),))


def _split(reading: TableReading) -> list[Issue]:
    """Where one column holds several fields of a deal."""
    often = Counter(m.letters for m in reading.mapped)
    parts = [m for m in reading.mapped if often[m.letters] > 1]
    if not parts:
        return []
    fields = ", ".join(str(m.field) for m in parts)
    message = f"Column {as_held(parts[0].header.text)} holds {fields} together in each cell; they were told apart."
    return [Issue("column.split", "info", message, (_header_cell(parts[0], reading),))]


def _named(reading: TableReading) -> list[Issue]:
    """Where the name of a block's deal is the title over it."""
    if reading.table.kind != "key_value" or not is_titled(reading.mapped):
        return []
    message = "deal_name: no label gives a name; the title over the labels was taken for it."
    return [Issue("name.title", "warning", message, (_header_cell(reading.mapped[0], reading),))]


def _two_rows(reading: TableReading) -> Issue | None:
    """Where each deal stands over two rows, or seems to and was read one a row."""
    table = reading.table
    if table.orientation != "rows" or table.kind != "table":
        return None
    records = set(table.record_rows)
    cells = (cell for view in reading.columns for cell in view.cells or ())
    told = next((row for row, _ in cells if row not in records), None)
    if told is None and not stands_in_two_rows(table, reading.columns):
        return None
    above = table.record_rows[0] if told is None else told - 1
    rows = above, above + 1
    message = f"Rows {rows[0]} and {rows[1]} are one deal, and so on" + (
        "; columns after the last are those of the second rows."
        if told is not None
        else "? They hold other kinds of values in turn, but each was read as a deal; put each deal into one row."
    )
    places = tuple(cell_address(table.sheet.name, row, table.first_column) for row in rows)
    return Issue("record.rows", "error" if told is None else "info", message, places)


def _header_cell(mapped: MappedColumn, reading: TableReading) -> str:
    """The cell of a column's header; in a block of labels and values, that of the value."""
    table = reading.table
    if table.kind == "key_value":
        return mapped.letters if table.sheet.name is None else f"{table.sheet.name}!{mapped.letters}"
    if table.orientation == "columns":
        return cell_address(table.sheet.name, int(mapped.letters), table.first_column)
    return cell_address(table.sheet.name, (table.first_row, *table.header_rows)[-1], column_index(mapped.letters))


def _total_columns(reading: TableReading) -> Issue | None:
    """Where a table with a record a column ends with a column of totals or averages."""
    table = reading.table
    cells = tuple(cell_address(table.sheet.name, table.first_row, column) for column in reading.total_columns)
    if not cells:
        return None
    letters = ", ".join(map(column_letters, reading.total_columns))
    several = len(cells) > 1
    message = (
        f"Column{'s' if several else ''} {letters} hold{'' if several else 's'} totals or averages of the others and "
        f"{'were' if several else 'was'} left out of the deals."
    )
    return Issue("total.column", "info", message, cells)


def _again(reading: TableReading) -> Issue | None:
    """Where a block gives another value for a label that a field was read from."""
    sheet = reading.table.sheet.name
    cells = tuple(cell_address(sheet, row, column) for row, column in reading.again[:MOST_CELLS])
    if not cells:
        return None
    message = f"{len(reading.again):,} values have a label that stands there before with another value; not taken."
    return Issue("label.again", "warning", message, cells)


def _goes_on(letters: str, reading: TableReading) -> bool:
    """Whether a row that goes on with a record holds something there that no record does."""
    column, table = column_index(letters), reading.table
    held = {table.sheet.value(row, column) for row in table.record_rows}
    return not held.issuperset({table.sheet.value(row, column) for row in reading.continued} - {None})
