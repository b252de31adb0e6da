"""A scale noted over one table, in its title or its header, holds for its amounts and for nothing else."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import DEALS, HEADER, extract, read, xlsx

THOUSANDS = [[*row[:4], row[4] / 1000, row[5] / 1000, *row[6:]] for row in DEALS]
MILLIONS = [[*row[:4], row[4] / 1_000_000, row[5] / 1_000_000, *row[6:]] for row in DEALS]
PRICES = [10_000_000, 4_000_000, 6_000_000, 8_000_000]
THOUSANDS_NOTES = (
    "$ in 000s|($ in thousands)|(in thousands)|All figures in $000s|USD in thousands|Amounts in $ 000's|(000s)|$000"
    "|in TEUR|Angaben in T€|(£'000)|$ thousands, unless noted|US$ thousands|(In Thousands of Dollars)"
    "|Figures in thousands|in USD '000|Dollars in Thousands"
    "|en milliers d'euros|(x 1,000)"
)
MILLIONS_NOTES = (
    "$ in millions|(in millions)|$MM|($ mm)|(USD millions)|in € Mio.|Angaben in Mio. EUR|Dollars in Millions|US$ m"
    "|(EUR m)|£m|$ in MM except per SF|en millions d'euros"
)
NOTES = {1000: THOUSANDS_NOTES.split("|"), 1_000_000: MILLIONS_NOTES.split("|")}
OTHER_TITLES = (
    "1,000 Oaks Portfolio|Over 3 million SF|Fund II (Millions Ave)|000 - Master List|Top 1000 deals"
    "|2 million square feet in 40 assets"
)
THOUSANDS_HEADERS = "($000s)|($000)|(000s)|$K|(k€)|(TEUR)|(£'000)|(in thousands)"
MILLIONS_HEADERS = "($MM)|($m)|(US$m)|(Mio. EUR)|(€m)|(USD, Millions)|, $ millions"
HEADERS = [
    *((f"Asking Price {unit}", 1000) for unit in THOUSANDS_HEADERS.split("|")),
    *((f"Asking Price {unit}", 1_000_000) for unit in MILLIONS_HEADERS.split("|")),
    ("ASKING_PRICE_USD_M", 1_000_000),
    ("Asking Price ($)", 1),
    ("Asking Price (USD)", 1),
]


@pytest.mark.parametrize(("factor", "note"), [(factor, note) for factor, notes in NOTES.items() for note in notes])
def test_a_note_over_a_table_scales_its_amounts_and_is_cited(factor: int, note: str) -> None:
    """Prices and NOI in full units, prices per SF and sizes as they are, the note's cell named."""
    rows = THOUSANDS if factor == 1000 else MILLIONS
    table = read([["Portfolio"], [note], [], HEADER, *rows]).tables[0]
    assert list(table.column_of("asking_price").values) == PRICES
    assert list(table.column_of("noi").values) == [600_000, 300_000, 330_000, 520_000]
    assert list(table.column_of("price_per_sf").values) == [200, 200, 150, 100]
    assert list(table.column_of("building_sf").values) == [50_000, 20_000, 40_000, 80_000]
    assert (table.scale["E"], table.scale_cell) == (factor, "Deals!A2")


@pytest.mark.parametrize("title", OTHER_TITLES.split("|"))
def test_a_title_with_a_number_in_it_is_no_scale(title: str) -> None:
    """Thousands and millions of other things."""
    table = read([[title], [], HEADER, *DEALS]).tables[0]
    assert list(table.column_of("asking_price").values) == PRICES
    assert table.scale == {}


@pytest.mark.parametrize("scaled_first", [True, False])
def test_one_of_two_tables_is_scaled(scaled_first: bool) -> None:
    """On one sheet, under each other: the note reaches its own table only."""
    scaled = [["$ in 000s"], [], HEADER, *THOUSANDS]
    plain = [["Leases"], [], ["Tenant", "Suite", "Lease Start", "Lease End", "Annual Rent"]]
    plain += [[f"Tenant {i} LLC", str(i), "2020-01-01", "2027-01-01", 120_000 + i] for i in range(1, 5)]
    blocks = [scaled, plain] if scaled_first else [plain, scaled]
    tables = {table.kind: table for table in read([*blocks[0], [], [], *blocks[1]]).tables}
    assert list(tables["offering_list"].column_of("asking_price").values) == PRICES
    assert list(tables["rent_roll"].column_of("rent_annual").values) == [120_001, 120_002, 120_003, 120_004]
    assert tables["rent_roll"].scale == {}


def test_a_note_on_one_sheet_does_not_reach_another() -> None:
    """Two sheets of one layout, one of them in thousands."""
    book = xlsx({"A": [["$ in 000s"], [], HEADER, *THOUSANDS], "B": [["Full dollars"], [], HEADER, *DEALS]})
    for table in extract(book, "deals.xlsx").tables:
        assert list(table.column_of("asking_price").values) == PRICES
    assert [bool(table.scale) for table in extract(book, "deals.xlsx").tables] == [True, False]


@pytest.mark.parametrize(("header", "factor"), HEADERS)
def test_a_scale_in_the_header_holds_for_its_column(header: str, factor: int) -> None:
    """And the NOI beside it stays as it is."""
    head = [*HEADER[:4], header, *HEADER[5:]]
    rows = [[*row[:4], row[4] / factor, *row[5:]] for row in DEALS]
    table = read([head, *rows]).tables[0]
    assert list(table.column_of("asking_price").values) == PRICES
    assert list(table.column_of("noi").values) == [600_000, 300_000, 330_000, 520_000]
    assert table.scale == ({"E": factor} if factor > 1 else {})
