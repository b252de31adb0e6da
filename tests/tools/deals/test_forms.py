"""Several properties on one sheet, each in labels and values: each is a deal, and none is lost unsaid."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from schemas.errors import InputError
from tests.tools.deals.books import Rows, issues, read, xlsx
from tools.deals.extract import extract, require_deals

FIRST: Rows = (
    ["Property", "Heron Point"],
    ["City", "Tampa"],
    ["Asking Price", "$5,000,000"],
    ["NOI", "$300,000"],
    ["Cap Rate", "6%"],
)
SECOND: Rows = (
    ["Property", "Cedar Hollow"],
    ["City", "Macon"],
    ["Asking Price", "$6,000,000"],
    ["NOI", "$420,000"],
    ["Cap Rate", "7%"],
)
THIRD: Rows = (["Property", "Union Yard"], ["City", "Mobile"], ["Asking Price", "$7,000,000"])


def deals(extraction: Extraction) -> list[tuple[object, ...]]:
    """Name, city and price of each deal."""
    names = ("deal_name", "city", "asking_price")
    return [tuple(d.fields[n].value if n in d.fields else None for n in names) for d in extraction.deals()]


HERON, CEDAR, UNION = (
    ("Heron Point", "Tampa", 5_000_000),
    ("Cedar Hollow", "Macon", 6_000_000),
    ("Union Yard", "Mobile", 7_000_000),
)


def beside(left: Rows, right: Rows) -> Rows:
    """Two blocks side by side, one column between them."""
    return [[*a, None, *b] for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([*FIRST, *SECOND], [HERON, CEDAR]),
        ([*FIRST, [], *SECOND], [HERON, CEDAR]),
        ([*FIRST[:3], [], *SECOND[:3], [], *THIRD], [HERON, CEDAR, UNION]),
        (beside(FIRST, SECOND), [HERON, CEDAR]),
        ([*beside(FIRST[:3], SECOND[:3]), [], *THIRD], [HERON, CEDAR, UNION]),
        (
            [
                ["Property:", "Heron Point", "Asking Price:", "$5.0M", "Cap Rate:", "6%"],
                ["City:", "Tampa", "SF:", "5,000", "Occupancy:", "95%"],
                [],
                ["Property:", "Cedar Hollow", "Asking Price:", "$6.0M", "Cap Rate:", "7%"],
                ["City:", "Macon", "SF:", "6,000", "Occupancy:", "90%"],
            ],
            [HERON, CEDAR],
        ),
    ],
    ids=["below", "parted", "three", "beside", "two over one", "pairs across"],
)
def test_each_block_that_names_a_property_is_a_deal(rows: Rows, found: list[object]) -> None:
    """Wherever the blocks stand, each value goes to the property that it belongs to."""
    extraction = read(rows)
    assert deals(extraction) == found
    ids = [table.table_id for table in extraction.tables]
    assert len(set(ids)) == len(ids)


def test_titles_over_blocks_name_their_properties() -> None:
    """Each block takes the title right over it."""
    rows = [["Heron Point"], *FIRST[1:], [], ["Cedar Hollow"], *SECOND[1:]]
    assert deals(read(rows)) == [HERON, CEDAR]


def test_labels_that_come_again_for_one_property_are_told() -> None:
    """Two loans on one property are no two deals; what is in no field is named."""
    rows = [
        *FIRST,
        ["Loan Amount", 3_000_000],
        ["Lender", "Kite Bank"],
        [],
        ["Loan Amount", 500_000],
        ["Lender", "Lark"],
    ]
    extraction = read(rows)
    assert len(list(extraction.deals())) == 1
    (said,) = issues(extraction, "label.again")
    assert said.severity == "warning"
    assert "Deals!B9" in said.cells


def test_the_same_name_again_makes_no_second_deal() -> None:
    """A heading that repeats the property's name over another part of its sheet opens no block."""
    rows = [*FIRST, [], ["Property", "Heron Point"], ["City", "Tampa"], ["Year Built", 1990]]
    extraction = read(rows)
    assert deals(extraction) == [HERON]
    assert next(iter(extraction.deals())).fields["year_built"].value == 1990


def test_sheets_of_one_property_each_have_ids_of_their_own() -> None:
    """Ids of blocks on several sheets differ."""
    extraction = extract(xlsx({"A": [*FIRST, ["SF", 1000]], "B": [*SECOND, ["SF", 2000]]}), "deals.xlsx")
    ids = [table.table_id for table in extraction.tables]
    assert len(ids) == len(set(ids)) == 2


def test_labels_without_a_field_are_the_deals_too() -> None:
    """A label that no field is called stays with its value and cell, and the account names the form's own table."""
    rows = [
        ["Property Name", "Maple Court"],
        ["City", "Austin"],
        ["Asking Price", "$4.5M"],
        ["In-Place Cap Rate", 5.25],
        ["Pro Forma Cap Rate", 6.1],
        ["Parking", "45 stalls"],
    ]
    found = read(rows)
    (one,) = found.deals()
    assert {name: (value.value, value.cell) for name, value in one.extra.items()} == {
        "Pro Forma Cap Rate": (6.1, "Deals!B5"),
        "Parking": ("45 stalls", "Deals!B6"),
    }
    told = {span.table_id for census in found.census for span in census.rows}
    assert told <= {None, found.tables[0].table_id}


def test_labels_apart_from_those_with_fields_are_not_the_deals() -> None:
    """A list under the form, with more beside it, says nothing of the property."""
    rows = [
        ["Property Name", "Maple Court"],
        ["City", "Austin"],
        ["Asking Price", 4_500_000],
        ["Cap Rate", 0.0525],
        ["Year Built", 1985],
        [],
        ["Parking", "Stalls", "Level", "Kind"],
        ["Deck", "45", "2", "open"],
        ["Court", "12", "0", "open"],
    ]
    (one,) = read(rows).deals()
    assert not one.extra


def test_a_second_column_of_labels_beside_one_with_fields_is_the_deals() -> None:
    """Pairs beside the main ones are kept where one of them has a field and all stand within their rows."""
    rows = [
        ["Property Name", "Maple Court", None, "Broker", "Plain Realty"],
        ["City", "Austin", None, "Zoning", "C1"],
        ["Asking Price", 4_500_000, None, "Parking", 45],
        ["Year Built", 1985],
        ["Units", 12],
    ]
    (one,) = read(rows).deals()
    assert {name: value.value for name, value in one.extra.items()} == {"Zoning": "C1", "Parking": 45}


@pytest.mark.parametrize("parted", [True, False])
def test_forms_of_two_label_columns_under_one_another_are_a_deal_each(parted: bool) -> None:
    """The labels right of the first values are no deals, however many rows a form has."""
    first: Rows = [["Property", "Heron Point", "Year Built", 1998], ["City", "Tampa", "Asking Price", 5_000_000]]
    rest: Rows = [["State", "FL", "NOI", 221_000], ["Type", "Retail", "Cap Rate", 0.065], ["Building SF", 12_000]]
    second: Rows = [["Property", "Cedar Hollow", "Year Built", 2004], ["City", "Macon", "Asking Price", 6_000_000]]
    last: Rows = [["State", "GA", "NOI", 324_000], ["Type", "Office", "Cap Rate", 0.06], ["Building SF", 22_000]]
    extraction = read([*first, *rest, *([[]] if parted else []), *second, *last])
    assert deals(extraction) == [HERON, CEDAR]


def test_a_form_with_labels_and_values_in_one_cell_each_is_told() -> None:
    """Nothing is read of it, and an issue says what to do."""
    extraction = read([["Property: Heron Point"], ["City: Tampa"], ["Asking Price: $5,000,000"], ["NOI: $300,000"]])
    assert not extraction.deal_count
    told = issues(extraction, "table.no_deals")
    assert [issue.cells for issue in told] == [("Deals!A1", "Deals!A2", "Deals!A3", "Deals!A4")]
    with pytest.raises(InputError, match="right of its label"):
        require_deals(extraction)
