"""Workbooks of any size to measure on: one table under a title, as many records and columns as asked for."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

DAY_ONE = date(2020, 1, 1)
TYPES = ("Industrial", "Retail", "Office", "Flex", "Multifamily", "Medical Office")
STREETS = ("Quarry Street", "Alliance Gate", "Riverside Drive", "Canal Walk", "Airwest Boulevard", "Mill Street")
CITIES = (
    ("Savannah", "GA"),
    ("Joliet", "IL"),
    ("Fort Worth", "TX"),
    ("Reno", "NV"),
    ("Worcester", "MA"),
    ("Tampa", "FL"),
)

#: Header and number format of each column; the first ten make a deal list by themselves.
COLUMNS: tuple[tuple[str, str], ...] = (
    ("Property ID", ""),
    ("Property Name", ""),
    ("City", ""),
    ("State", ""),
    ("Property Type", ""),
    ("Building SF", "#,##0"),
    ("Asking Price", "$#,##0"),
    ("Occupancy", "0%"),
    ("Year Built", ""),
    ("Price / SF", "$#,##0.00"),
    ("Address", ""),
    ("Zip", ""),
    ("NOI", "$#,##0"),
    ("Cap Rate", "0.00%"),
    ("Gross Income", "$#,##0.00"),
    ("Anchor Tenant", ""),
    ("List Date", "mm/dd/yyyy"),
    ("Broker", ""),
    ("Status", ""),
    ("Notes", ""),
)


def columns(width: int) -> list[tuple[str, str]]:
    """The first `width` columns; after those above come free ones, which no field fits."""
    return [*COLUMNS[:width], *((f"Measure {number}", "") for number in range(len(COLUMNS) + 1, width + 1))]


def record(dice: random.Random, number: int, width: int) -> list[object]:
    """The cells of one record."""
    city, state = CITIES[number % len(CITIES)]
    price, cap_rate, kind = (
        dice.randrange(2_000_000, 60_000_000, 25_000),
        dice.randint(500, 900) / 10_000,
        dice.choice(TYPES),
    )
    area_sf = dice.randrange(20_000, 400_000, 50)
    first: list[object] = [
        f"P-{number:07d}",
        f"{dice.choice(STREETS)} {kind} {number}",
        city,
        state,
        kind,
        area_sf,
        price,
        dice.randint(70, 100) / 100,
        dice.randint(1955, 2022),
        round(price / area_sf, 2),
    ]
    return first if width <= len(first) else [*first, *_more(dice, number, price, cap_rate, width)][:width]


def _more(dice: random.Random, number: int, price: int, cap_rate: float, width: int) -> list[object]:
    noi = round(price * cap_rate)
    return [
        f"{dice.randint(1, 9999)} {dice.choice(STREETS)}",
        f"{dice.randint(501, 99950):05d}",
        noi,
        cap_rate,
        round(noi * 1.3, 2),
        f"Tenant {dice.randint(1, 900)}",
        DAY_ONE + timedelta(days=dice.randint(0, 1500)),
        f"Brokerage {dice.randint(1, 40)}",
        dice.choice(("Available", "Under contract", "LOI")),
        None if number % 3 else f"See memo {dice.randint(1, 500)}",
        *(dice.randint(1, 10_000) for _ in range(width - len(COLUMNS))),
    ]


def make_workbook(path: Path, rows: int, width: int) -> None:
    """Writes a workbook of `rows` records × `width` columns to `path`; the same size gives the same cells."""
    import xlsxwriter

    dice = random.Random(rows * 1000 + width)  # noqa: S311  # made-up figures, no secrets
    book: Any = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Deals")
    sheet.write_string(0, 0, "Acquisition pipeline")
    heads = columns(width)
    forms = [book.add_format({"num_format": form}) if form else None for _, form in heads]
    for at, (head, _) in enumerate(heads):
        sheet.write_string(2, at, head)
    for number in range(rows):
        for at, (value, form) in enumerate(zip(record(dice, number, width), forms, strict=True)):
            if isinstance(value, date):
                sheet.write_datetime(number + 3, at, value, form)
            elif value is not None:
                sheet.write(number + 3, at, value, form)
    book.close()


def kept_workbook(folder: Path, rows: int, width: int) -> Path:
    """The workbook of that size in `folder`, made if it isn't there yet."""
    path = folder / f"deals-{rows}x{width}.xlsx"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part.xlsx")
        make_workbook(partial, rows, width)
        partial.replace(path)
    return path
