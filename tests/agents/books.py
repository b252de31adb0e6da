"""Workbooks of deals for the agents' tests, made in memory; names are plainly made up."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache

from openpyxl import Workbook

HEADERS = ("Property", "City", "State", "Asking Price", "NOI", "Cap Rate", "Building SF", "Occupancy", "Tier")
STREETS = ("Harbor", "Granite", "Willow", "Foundry", "Orchard", "Quarry", "Lantern", "Cedar")


def deals(count: int, first: int = 1) -> Iterable[list[object]]:
    """`count` deals of distinct names, prices and cap rates, with a column `Tier` that no rule knows."""
    for number in range(first, first + count):
        price = 3_000_000 + 17_313 * number
        rate = round(0.045 + 0.0003 * (number % 97), 4)
        name = f"{STREETS[number % len(STREETS)]} Court {number}"
        yield [name, "Springfield", "IL", price, round(price * rate, 2), rate, 20_000 + number, 0.9, f"{number % 5}x"]


def workbook(sheets: Sequence[tuple[str, Sequence[str], Iterable[Sequence[object]]]]) -> bytes:
    """A workbook of these sheets: name, headers, rows. Cap rates and occupancies are formatted as percentages."""
    book = Workbook()
    for at, (name, headers, rows) in enumerate(sheets):
        sheet = book.active if at == 0 else book.create_sheet()
        assert sheet is not None
        sheet.title = name
        sheet.append(list(headers))
        for row in rows:
            sheet.append(list(row))
        for column, header in enumerate(headers, 1):
            if header in {"Cap Rate", "Occupancy"}:
                for row in range(2, sheet.max_row + 1):
                    sheet.cell(row, column).number_format = "0.00%"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@cache
def listing(count: int) -> bytes:
    """One sheet of `count` deals."""
    return workbook([("Listing", HEADERS, deals(count))])


def csv_listing(count: int) -> bytes:
    """The same list as CSV, for very many deals."""
    lines = [HEADERS, *deals(count)]
    return "\n".join(",".join(map(str, line)) for line in lines).encode()


WIDE = (
    "Property Name", "Address", "City", "State", "Zip", "County", "Property Type", "Asking Price", "NOI", "Cap Rate",
    "Building SF", "Land Acres", "Units", "Year Built", "Year Renovated", "Occupancy", "Tenant", "Lease Start",
    "Lease Expiration", "Annual Rent", "Broker", "Seller", "Next Review", "Status Notes",
)  # fmt: skip


@cache
def many_sheets(count: int) -> bytes:
    """`count` sheets of 24 columns, each with a list of deals of its own."""
    return workbook([(f"Market {number}", WIDE, _wide(4 + number % 7, 100 * number)) for number in range(1, count + 1)])


def _wide(count: int, first: int) -> Iterable[list[object]]:
    for name, city, state, price, noi, rate, area, occupancy, _ in deals(count, first):
        place = [f"{area} Harbor Street", city, state, "62701", "Sangamon", "Retail"]
        facts = [price, noi, rate, area, 2.5, 12, 1988, 2015, occupancy, "Lantern Grocery", "2020-01-01", "2030-12-31"]
        yield [name, *place, *facts, noi, "Cedar Brokers", "Quarry Holdings", "2027-06", "open item"]
