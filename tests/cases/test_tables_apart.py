"""Several tables on one sheet: each cell in one region, each row counted once."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from openpyxl import load_workbook

from tests.tools.deals.books import DEALS, HEADER, Rows, extract, xlsx
from tools.workbook.structure import structure, structure_document

SALES: Rows = (
    ["Building", "Sale Date", "Sale Price", "Buyer"],
    ["Alder Court", "2024-03-01", 2_500_000, "Quill Freight LLC"],
    ["Birch Row", "2024-05-11", 3_100_000, "Fern Grocers Inc"],
    ["Cedar Mews", "2023-12-30", 1_900_000, "Alder Books LLC"],
    ["Dover Yard", "2023-10-02", 4_400_000, "Tern Logistics"],
    ["Elm Gate", "2023-08-15", 2_050_000, "Mesa Fitness"],
)
RENTS: Rows = (
    ["Tenant", "Suite", "Lease Start", "Lease End", "Annual Rent"],
    ["Quill Freight", "100", "2020-01-01", "2027-01-01", 120_000],
    ["Fern Grocers", "200", "2021-01-01", "2028-01-01", 90_000],
    ["Alder Books", "300", "2022-06-01", "2029-05-31", 45_000],
)


def beside(left: Rows, right: Rows, gap: int) -> list[list[object]]:
    """Two blocks side by side with `gap` blank columns between them."""
    width = max(len(row) for row in left)
    height = max(len(left), len(right))
    blocks = [[*(list(b) for b in block), *([[]] * (height - len(block)))] for block in (left, right)]
    return [[*a, *[None] * (width - len(a) + gap), *b] for a, b in zip(*blocks, strict=True)]


def counts(rows: Rows) -> dict[str, int]:
    """How many deals each kind of table on a sheet of `rows` gives; asserts that each cell lies in one region."""
    data = xlsx({"Deals": rows})
    _each_cell_in_one_region(data)
    return {table.kind: len(table.records) for table in extract(data, "deals.xlsx").tables}


def _each_cell_in_one_region(data: bytes) -> None:
    document = structure_document(structure(data, "deals.xlsx"))
    held: Counter[str] = Counter()
    sheet = load_workbook(io.BytesIO(data))["Deals"]
    for region in document["regions"]:
        area = sheet[region["range"]]
        lines = area if isinstance(area, tuple) else ((area,),)
        held.update(cell.coordinate for line in lines for cell in line if cell.value is not None)
    filled = [cell.coordinate for line in sheet.iter_rows() for cell in line if cell.value is not None]
    assert set(filled) == set(held)
    assert set(held.values()) == {1}


@pytest.mark.parametrize("gap", [2, 3, 6])
def test_side_by_side_and_below(gap: int) -> None:
    """Sales at the left, rents at the right, offerings under both."""
    rows = [*beside(SALES, RENTS, gap), [], [], HEADER, *DEALS]
    assert counts(rows) == {"sale_comps": 5, "rent_roll": 3, "offering_list": 4}


@pytest.mark.parametrize("blanks", [1, 2, 5])
def test_one_under_the_other(blanks: int) -> None:
    """However many rows are blank between them."""
    assert counts([*SALES, *([[]] * blanks), *RENTS]) == {"sale_comps": 5, "rent_roll": 3}


@pytest.mark.parametrize("title", [[["Lease abstract"]], [["Lease abstract"], []], [[None, "Leases in place"]]])
def test_a_title_between_two_tables_belongs_to_no_record(title: list[list[object]]) -> None:
    """The second table's title is neither a deal of the first nor of the second."""
    assert counts([*SALES, [], *title, *RENTS]) == {"sale_comps": 5, "rent_roll": 3}


@pytest.mark.parametrize("at", [1, 4, 8])
def test_a_column_without_a_header_stays_in_its_table(at: int) -> None:
    """In the middle or at the end: the table is not cut there."""
    head = list(HEADER)
    head[at] = None
    extraction = extract(xlsx({"Deals": [head, *DEALS]}), "deals.xlsx")
    assert [len(table.records) for table in extraction.tables] == [4]
    assert {c.place for c in extraction.tables[0].columns} == set("ABCDEFGHI")


@pytest.mark.parametrize("filled", [0, 1, 3])
def test_a_sparse_column_stays_in_its_table(filled: int) -> None:
    """Values in one row only, or in none, part nothing and are not read twice."""
    rows = [[*HEADER, "Comment", "Source"]]
    rows += [[*row, "see memo" if at == filled else None, "CRM"] for at, row in enumerate(DEALS)]
    data = xlsx({"Deals": rows})
    _each_cell_in_one_region(data)
    extraction = extract(data, "deals.xlsx")
    assert [len(table.records) for table in extraction.tables] == [4]
    notes = [deal.fields["notes"].value for deal in extraction.deals() if "notes" in deal.fields]
    assert [note for note in notes if note] == ["see memo"]


def test_a_block_of_labels_beside_a_list_takes_nothing_from_it() -> None:
    """Assumptions at the right of the deals."""
    labels: Rows = (["Assumptions", None], ["Growth", 0.02], ["Exit year", 2030], ["Cost of sale", 0.015])
    rows = beside([HEADER, *DEALS], labels, 2)
    data = xlsx({"Deals": rows})
    _each_cell_in_one_region(data)
    extraction = extract(data, "deals.xlsx")
    assert [len(table.records) for table in extraction.tables] == [4]
