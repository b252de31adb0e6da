"""Lists as people lay them out: bands, codes, groups, records over several rows, blocks; each read as people do."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Sequence

import pytest
from openpyxl import Workbook

from schemas.deal import Extraction
from tests.tools.deals.books import DEALS, HEADER, column, issues, read, read_csv, values
from tools.deals.extract import extract

NAMES = ["Osprey Landing", "Quarry Bend", "Tamarack Court", "Willow Gate", "Juniper Flats", "Saddleback Row"]
CITIES = ["Tampa", "Macon", "Mobile", "Joliet", "Reno", "Boise"]
STATES = ["FL", "GA", "AL", "IL", "NV", "ID"]
PRICES = [41_300, 9_950, 15_475, 62_100, 12_205, 28_750]
NOIS = [2358.2, 651.7, 947.1, 3310.0, 790.9, 1811.2]
AREAS = [151_200, 70_125, 98_040, 240_770, 61_310, 133_900]
UNITS = [216, 94, 131, 308, 77, 180]
CAPS = [round(noi / price, 4) for noi, price in zip(NOIS, PRICES, strict=True)]


def fields(extraction: Extraction) -> list[str | None]:
    """The fields of the first table's columns, in order."""
    return [c.field for c in extraction.tables[0].columns]


def test_headers_over_three_rows_with_an_unmerged_band_keep_its_scale() -> None:
    """The band's thousands hold for the amounts on its right, and not for a rate."""
    rows = [
        [n, c, s, a, p, o, k]
        for n, c, s, a, p, o, k in zip(NAMES, CITIES, STATES, AREAS, PRICES, NOIS, CAPS, strict=True)
    ]
    extraction = read(
        [
            ["Fund Portfolio"],
            [],
            ["Property", None, None, "Size", "Underwriting ($000s)"],
            [None, "Location", None, "Physical", "Going in", None, "Year 1"],
            ["Name", "City", "State", "SF", "Price", "NOI", "Cap Rate"],
            *rows,
        ]
    )
    assert extraction.tables[0].header_rows == (3, 4, 5)
    assert fields(extraction) == ["deal_name", "city", "state", "building_sf", "price", "noi", "cap_rate"]
    assert values(extraction, "noi")[0] == 2_358_200
    assert values(extraction, "cap_rate") == CAPS
    assert not [i for i in extraction.issues if i.severity != "info"]


def test_the_headers_of_a_servicing_system_are_read() -> None:
    """Codes in capitals, joined by underscores."""
    codes = {
        "LN_ID": ("source_id", "L1"),
        "PROJ_NM": ("deal_name", "Osprey Landing"),
        "PROJ_ADD": ("address", "3 Dock St"),
        "PROJ_CTY": ("city", "Tampa"),
        "ST_CD": ("state", "FL"),
        "ZIP_CD": ("postal_code", "02134"),
        "LN_AMT_ORIG": ("original_balance", 24_780_000),
        "LN_BAL_CURR": ("loan_amount", 22_302_000),
        "INT_RT_PCT": ("interest_rate", 4.25),
        "MAT_DT": ("maturity_date", dt.date(2029, 1, 1)),
        "UW_DSCR": ("dscr", 1.31),
        "CUR_LTV_PCT": ("ltv", 58.5),
        "YR_BLT": ("year_built", 1985),
        "UNIT_CNT": ("units", 216),
        "PROP_TYP_CD": ("property_type", "MF"),
    }
    row = [value for _, value in codes.values()]
    extraction = read([list(codes), row, [f"{row[0]}b", f"{row[1]} II", *row[2:]]])
    assert fields(extraction) == [field for field, _ in codes.values()]
    assert values(extraction, "interest_rate") == [0.0425, 0.0425]


def test_a_coded_name_column_is_the_name() -> None:
    """NPS, with a town beside it and abbreviations."""
    rows = [[n, c, p * 1000, k, a, 1990] for n, c, p, k, a in zip(NAMES, CITIES, PRICES, CAPS, AREAS, strict=True)]
    extraction = read([["NPS", "Town", "Price", "Cap", "RSF", "Yr Blt"], *rows])
    assert fields(extraction) == ["deal_name", "city", "price", "cap_rate", "building_sf", "year_built"]


def test_among_twelve_columns_of_values_only_those_that_say_so_are_mapped() -> None:
    """The appraised one is none of the land's, the insurer's or the year before's."""
    said = {
        "Land Value": None,
        "Improvement Value": None,
        "Assessed Value": "assessed_value",
        "Appraised Value": "appraised_value",
        "Insured Value": None,
        "Book Value": None,
        "Prior Appraised Value": None,
        "Replacement Value": None,
        "Liquidation Value": None,
        "Loan to Value": "ltv",
        "Value per SF": "price_per_sf",
        "Net Asset Value": None,
    }
    amounts = [[p * (500 + 20 * j) for j in range(9)] + [0.62, 220, p * 900] for p in PRICES]
    rows = [[n, c, *a] for n, c, a in zip(NAMES, CITIES, amounts, strict=True)]
    assert fields(read([["Property Name", "City", *said], *rows])) == ["deal_name", "city", *said.values()]


def test_days_come_first_in_all_dates_of_a_column_where_one_of_them_shows_it() -> None:
    """25/06 can be nothing else, so 03/04 is the third of April."""
    texts = ["03/04/2023", "11/12/2022", "25/06/2023", "07/08/2023", "30/11/2021", "01/02/2024"]
    rows = [[n, d, p * 1000, "Aster Fund"] for n, d, p in zip(NAMES, texts, PRICES, strict=True)]
    extraction = read([["Property", "Sale Date", "Sale Price", "Buyer"], *rows])
    assert values(extraction, "sale_date")[:3] == [dt.date(2023, 4, 3), dt.date(2022, 12, 11), dt.date(2023, 6, 25)]


def test_a_german_list_is_read_with_its_own_separators() -> None:
    """Points for thousands, commas for decimals, euros, percent signs, square metres, semicolons between."""
    lines = [
        f"{n};Köln;{p // 1000}.{p % 1000:03d}.000,00 €;5,{i}5 %;1.2{i}0,50 m²"
        for i, (n, p) in enumerate(zip(NAMES, PRICES, strict=True))
    ]
    extraction = read_csv("\n".join(["Objekt;Ort;Kaufpreis;Anfangsrendite;Mietfläche", *lines]))
    assert fields(extraction) == ["deal_name", "city", "price", "cap_rate", "building_sf"]
    assert (column(extraction, "price").currency, values(extraction, "price")) == ("EUR", [p * 1000 for p in PRICES])
    assert values(extraction, "cap_rate")[1] == 0.0515
    assert values(extraction, "building_sf")[0] == pytest.approx(1200.5 * 10.7639104)


def test_millions_and_percent_points_in_headers_are_turned_into_full_units() -> None:
    """($mm), ($MM) and (%)."""
    rows = [[n, p / 1000, o / 1000, k * 100, p / 2000] for n, p, o, k in zip(NAMES, PRICES, NOIS, CAPS, strict=True)]
    extraction = read([["Deal", "Purchase Price ($mm)", "NOI ($mm)", "Going-in Cap (%)", "Loan ($MM)"], *rows])
    assert values(extraction, "price") == [p * 1000 for p in PRICES]
    assert values(extraction, "noi")[0] == 2_358_200
    assert values(extraction, "loan_amount")[0] == 20_650_000
    assert values(extraction, "cap_rate") == CAPS


def test_percent_points_without_a_sign_are_told_by_what_is_plausible() -> None:
    """5.71 is a cap rate, 90.5 an occupancy."""
    rows = [[n, c, p * 1000, k * 100, 90.5, 55] for n, c, p, k in zip(NAMES, CITIES, PRICES, CAPS, strict=True)]
    extraction = read([["Property", "City", "Asking Price", "Cap Rate", "Occupancy", "LTV"], *rows])
    assert values(extraction, "cap_rate") == CAPS
    assert {*values(extraction, "occupancy"), *values(extraction, "ltv")} == {0.905, 0.55}


def test_a_sheet_with_a_property_a_column_gives_a_deal_a_column() -> None:
    """Labels on the left, the names on top."""
    rows = [["Property Name", *NAMES], ["City", *CITIES], ["Units", *UNITS], ["NOI", *[n * 1000 for n in NOIS]]]
    rows += [["Purchase Price", *[p * 1000 for p in PRICES]], ["Cap Rate", *CAPS]]
    extraction = read([["Acquisition Summary"], [], *rows])
    assert (extraction.tables[0].orientation, extraction.deal_count) == ("columns", 6)
    assert values(extraction, "deal_name") == NAMES
    assert values(extraction, "units") == UNITS


def test_an_offering_in_labels_and_values_is_one_deal() -> None:
    """With a colon after each label."""
    pairs = {
        "Property Name:": "Osprey Landing",
        "Address:": "4 Dock Street",
        "City:": "Tampa",
        "Asking Price:": 41_300_000,
        "NOI:": 2_358_200,
        "Cap Rate:": 0.0571,
        "Units:": 216,
        "Listing Broker:": "Plainfield Advisors",
    }
    extraction = read([["Offering Summary"], [], *map(list, pairs.items())])
    assert extraction.deal_count == 1
    assert fields(extraction) == ["deal_name", "address", "city", "asking_price", "noi", "cap_rate", "units", "broker"]


def test_a_blank_row_after_each_record_parts_nothing() -> None:
    """Six records, one table."""
    rows = [row for n, c, u, p in zip(NAMES, CITIES, UNITS, PRICES, strict=True) for row in ([n, c, u, p * 1000], [])]
    extraction = read([["Property", "City", "Units", "Price"], *rows])
    assert (len(extraction.tables), values(extraction, "units")) == (1, UNITS)


def test_a_group_named_on_its_first_row_only_is_the_section_of_its_records_and_their_field() -> None:
    """Each value is cited where the name stands, and it is told."""
    groups = ["Florida", None, None, "Georgia", None, None]
    rows = [[g, n, u, p * 1000] for g, n, u, p in zip(groups, NAMES, UNITS, PRICES, strict=True)]
    extraction = read([["Market", "Property", "Units", "Sale Price"], *rows])
    assert list(extraction.tables[0].sections) == ["Florida"] * 3 + ["Georgia"] * 3
    found = [deal.fields["market"] for deal in extraction.deals()]
    assert [one.value for one in found] == ["Florida"] * 3 + ["Georgia"] * 3
    assert [one.cell for one in found] == ["Deals!A2"] * 3 + ["Deals!A5"] * 3
    assert issues(extraction, "value.group")[0].cells == ("Deals!A2", "Deals!A5")


def test_groups_in_groups_are_filled_and_names_of_deals_are_not() -> None:
    """A city within a market; a tenant of several suites may as well be vacant."""
    markets, cities = ["Florida", None, None, "Georgia", None, None], ["Tampa", None, "Ocala", "Macon", None, None]
    rows = [[*one, u, p * 1000] for *one, u, p in zip(markets, cities, NAMES, UNITS, PRICES, strict=True)]
    extraction = read([["Market", "City", "Property", "Units", "Sale Price"], *rows])
    assert values(extraction, "city") == ["Tampa", "Tampa", "Ocala", "Macon", "Macon", "Macon"]
    tenants = ["Acme LLC", None, None, "Beta LLC", None, None]
    leases = [[t, f"{100 + at}", u, p] for at, (t, u, p) in enumerate(zip(tenants, UNITS, PRICES, strict=True))]
    assert values(read([["Tenant", "Suite", "SF", "Rent"], *leases]), "tenant") == tenants


def test_a_column_with_gaps_is_no_group() -> None:
    """Where a name comes back later, a blank is a blank."""
    rows = [
        [g, n, u, p * 1000]
        for g, n, u, p in zip(["Core", None, "Core", None, None, "Plus"], NAMES, UNITS, PRICES, strict=True)
    ]
    assert set(read([["Strategy", "Property", "Units", "Sale Price"], *rows]).tables[0].sections) == {None}


def charges(*lines: tuple[str, float], unit: str | None = None) -> Extraction:
    """A rent roll with further charges under each unit."""
    rows: list[list[object]] = []
    for at, (tenant, area) in enumerate([("Anvil Coffee", 1200), ("Brass Books", 900), ("Copper Gym", 4100)]):
        rows.append([f"{100 + at}", tenant, area, dt.date(2021, 1, 1), dt.date(2028, 1, 1), "Base Rent", area * 2.5])
        rows += [[unit and f"{unit}{at}", None, None, None, None, charge, area * rate] for charge, rate in lines]
    return read([["Unit", "Tenant", "SF", "Lease Start", "Lease End", "Charge", "Monthly"], *rows])


def test_further_charges_under_a_unit_are_no_records() -> None:
    """They are accounted for, and an issue says that their amounts are in no field."""
    extraction = charges(("CAM", 0.4), ("Taxes", 0.2))
    assert values(extraction, "tenant") == ["Anvil Coffee", "Brass Books", "Copper Gym"]
    (said,) = issues(extraction, "record.continued")
    assert said.cells == ("Deals!A3", "Deals!A4", "Deals!A6", "Deals!A7", "Deals!A9", "Deals!A10")
    census = {r: s.row_class for s in extraction.census[0].rows for r in range(s.first, s.last + 1)}
    assert [census[row] for row in range(1, 11)] == ["header"] + ["record", "other", "other"] * 3


def test_what_layout_leaves_out_under_a_record_is_said_to_be_in_no_field() -> None:
    """A name that goes on in the next row."""
    rows = [[name, city, price * 1000] for name, city, price in zip(NAMES, CITIES, PRICES, strict=True)]
    extraction = read([["Property", "City", "Sale Price"], rows[0], ["of the northern shore"], *rows[1:]])
    assert values(extraction, "deal_name") == NAMES
    (said,) = issues(extraction, "record.continued")
    assert said.cells == ("Deals!A3",)


def test_units_without_a_tenant_stay_records() -> None:
    """A vacant unit has a number of its own."""
    extraction = charges(("Vacant", 0.4), unit="V")
    assert extraction.deal_count == 6
    assert not issues(extraction, "record.continued")


def test_a_merged_band_does_not_reach_beyond_its_cells() -> None:
    """Its thousands are those of the merged columns alone."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        [None, None, "Debt ($000s)", None, None],
        ["Property", "City", "Loan Amount", "Original Balance", "Asking Price"],
    ):
        sheet.append(row)
    for n, c, p in zip(NAMES, CITIES, PRICES, strict=True):
        sheet.append([n, c, p, p + 10, p * 1000])
    sheet.merge_cells("C1:D1")
    packed = io.BytesIO()
    book.save(packed)
    extraction = extract(packed.getvalue(), "deals.xlsx")
    assert values(extraction, "asking_price") == [p * 1000 for p in PRICES]
    assert values(extraction, "loan_amount") == [p * 1000 for p in PRICES]


def test_a_form_of_one_deal_is_one_and_the_total_of_its_list_is_no_amount() -> None:
    """Counterparty, originator and the deal's date; an invoice in the same form is none."""
    form = [
        ["Counterparty Name:", "Calder Ice Rink"],
        ["Originator:", "Ives & Co"],
        ["Deal Date:", dt.date(2024, 7, 17)],
    ]
    form += [["Term:", 24], ["Reviewed:", "yes"], ["Volume:", 12], ["TOTAL", 4917]]
    found = list(read(form).deals())
    assert [(one.fields["buyer"].value, one.fields["broker"].value) for one in found] == [
        ("Calder Ice Rink", "Ives & Co")
    ]
    assert "deal_value" not in found[0].fields
    invoice = [["Customer:", "Calder Ice Rink"], ["Invoice No:", "2024-17"], ["Invoice Date:", dt.date(2024, 7, 17)]]
    invoice += [["Terms:", "30 days"], ["Paid:", "yes"], ["Lines:", 12], ["TOTAL", 4917]]
    assert read(invoice).deal_count == 0


def test_a_sentence_between_header_and_records_is_no_section() -> None:
    """A disclaimer of an export names no group; a short line there does."""
    head, deals = (
        ["Property", "City", "Units", "Sale Price"],
        [["Elm", "Reno", 3, 1_000_000], ["Oak", "Elko", 4, 2_000_000]],
    )
    said = "In accordance with local rules some of the listings are not included in this download"
    assert [deal.section for deal in read([head, [said], *deals]).deals()] == [None, None]
    assert [deal.section for deal in read([head, ["Under contract"], *deals]).deals()] == ["Under contract"] * 2


@pytest.mark.parametrize(
    "codes", [("rent", "pet", "parking"), ("RENT-RES", "WATER", "TRASH"), ("rntapt", "prkng", "pet")]
)
def test_of_a_units_charges_the_line_of_the_rent_is_its_monthly_rent(codes: tuple[str, str, str]) -> None:
    """The other lines are no records, and what they hold is said to be in no field."""
    rows: list[list[object]] = [["Unit", "Sq Ft", "Name", "Charge Code", "Amount", "Move In", "Lease Expiration"]]
    for i in range(6):
        days = [dt.date(2023, 1, 1), dt.date(2026, 1, 1)]
        rows.append([f"{101 + i}", 700, f"Resident {i} LLC", codes[0], 1450 + i, *days])
        rows += [[None, None, None, code, 35 + i, None, None] for code in codes[1:]]
    extraction = read(rows)
    assert values(extraction, "rent_monthly") == [1450, 1451, 1452, 1453, 1454, 1455]
    assert column(extraction, "rent_monthly").header == "Amount"
    assert len(issues(extraction, "record.continued")) == 1


@pytest.mark.parametrize("again", [("unit", "name", "days"), ("unit", "name"), ("unit",)])
@pytest.mark.parametrize("order", [("Rent", "CAM", "Parking"), ("CAM", "Parking", "Rent")])
def test_charges_that_repeat_their_unit_are_lines_of_one_lease(again: tuple[str, ...], order: tuple[str, ...]) -> None:
    """The line that fills most stands for it, that of the rent wherever it is if the others tell no more."""
    rows: list[list[object]] = [["Unit", "Sq Ft", "Tenant", "Charge Code", "Amount", "Move In", "Lease Expiration"]]
    for i in range(6):
        days = [dt.date(2023, 1, 1), dt.date(2026, 1, 1)]
        for at, code in enumerate(order[: 1 + i % 3] if order[0] == "Rent" else order):
            name = f"Tenant {i} LLC" if "name" in again or not at else None
            amount = 1450 + i if code == "Rent" else 35 + i
            held = days if "days" in again or not at else [None, None]
            rows.append([f"{101 + i}", 700 + i if "days" in again or not at else None, name, code, amount, *held])
    extraction = read(rows)
    assert values(extraction, "suite") == [f"{101 + i}" for i in range(6)]
    assert values(extraction, "building_sf") == [700, 701, 702, 703, 704, 705]
    (said,) = issues(extraction, "record.continued")
    assert "'Charge Code', 'Amount'" in said.message
    rents = extraction.tables[0].column_of("rent_monthly")
    assert (
        (rents is None)
        if order[-1] == "Rent" and "days" not in again
        else list(rents.values) == list(range(1450, 1456))
    )


def test_units_that_stand_twice_with_two_tenants_or_kinds_stay_records() -> None:
    """A unit let to two, and units of one number in several kinds, are no charges."""
    head = ["Unit", "Sq Ft", "Tenant", "Type", "Amount", "Lease Expiration"]
    rows = [
        [f"{100 + i // 2}", 700, f"Tenant {i}", "Rent" if i % 2 else "Parking", 900 + i, "2026-01-01"] for i in range(8)
    ]
    assert read([head, *rows]).deal_count == 8
    kinds = [[f"{100 + i // 2}", 700, "Vacant", f"{1 + i % 2}BR", 900 + i, "2026-01-01"] for i in range(8)]
    assert read([head, *kinds]).deal_count == 8


def test_a_charge_that_is_no_rent_is_none() -> None:
    """Where the first line of each unit is something else, nothing is taken for the rent."""
    rows: list[list[object]] = [["Unit", "Sq Ft", "Name", "Charge Code", "Amount", "Move In", "Lease Expiration"]]
    for i in range(6):
        days = [dt.date(2023, 1, 1), dt.date(2026, 1, 1)]
        rows.append([f"{101 + i}", 700, f"Resident {i} LLC", "water", 35 + i, *days])
        rows.append([None, None, None, "rent", 1450 + i, None, None])
    assert read(rows).tables[0].column_of("rent_monthly") is None


def test_a_sheet_of_one_property_is_not_told_as_a_table_without_deals_as_well() -> None:
    """Its labels and values are a deal; whoever reads the issues is not told that they are none."""
    facts = [["Address", "1 Dock Street"], ["City", "Tampa"], ["Purchase Price", 10_000_000], ["Cap Rate", 0.06]]
    found = read([["Heron Point Apartments"], [], *facts, ["Units", 120], ["Year Built", 1985]])
    assert found.deal_count == 1
    assert [issue.code for issue in found.issues] == ["name.title"]


def test_numbers_of_pages_between_records_open_no_section() -> None:
    """A list printed over pages: its section goes on over the page's foot, and its name is not "continued"."""
    rows: list[Sequence[object]] = [HEADER, ["Gulf Portfolio"], *DEALS[:2], ["Page 1 of 2"]]
    rows += [HEADER, ["Gulf Portfolio (continued)"], DEALS[2], ["Page 2 of 2"], DEALS[3]]
    table = read(rows).tables[0]
    assert list(table.sections) == ["Gulf Portfolio"] * 4
    rows[6] = ["Inland Portfolio"]
    assert list(read(rows).tables[0].sections) == ["Gulf Portfolio"] * 2 + ["Inland Portfolio"] * 2


SALES = [[name, dt.date(2024, 1 + at, 2), 10_000_000 + at, 100 + at] for at, name in enumerate(NAMES)]


@pytest.mark.parametrize(
    "head",
    [
        [["Property", "Sale Date", "Price", "Units"], ["Address", "Buyer", "Cap Rate", "Year Built"]],
        [["Property / Address", "Sale Date / Buyer", "Price / Cap Rate", "Units / Year Built"]],
    ],
)
def test_a_deal_over_two_rows_is_one_with_the_fields_of_both(head: list[list[object]]) -> None:
    """Each value is cited where it stands, and both rows are accounted for."""
    second = [[f"{at} Quay Street", f"Buyer {at} LLC", 0.05 + at / 1000, 1980 + at] for at in range(len(NAMES))]
    extraction = read([*head, *(row for pair in zip(SALES, second, strict=True) for row in pair)])
    assert extraction.deal_count == len(NAMES)
    first = next(iter(extraction.deals())).fields
    below = len(head) + 2
    assert {
        name: (first[name].value, first[name].cell) for name in ("deal_name", "address", "cap_rate", "year_built")
    } == {
        "deal_name": ("Osprey Landing", f"Deals!A{below - 1}"),
        "address": ("0 Quay Street", f"Deals!A{below}"),
        "cap_rate": (0.05, f"Deals!C{below}"),
        "year_built": (1980, f"Deals!D{below}"),
    }
    assert [issue.severity for issue in issues(extraction, "record.rows")] == ["info"]
    assert not issues(extraction, "record.continued")
    classes = [span.row_class for span in extraction.census[0].rows]
    assert classes.count("record") == classes.count("other") == len(NAMES)


def test_rows_that_take_turns_under_labels_for_one_row_are_told() -> None:
    """They are read one a row, which nobody should take for granted; a plain list is no such thing."""
    head = ["Property", "Sale Date", "Price", "Units"]
    second = [[f"thereof {at}", None, 0.05 + at / 1000, None] for at in range(len(NAMES))]
    both = [row for pair in zip(SALES, second, strict=True) for row in pair]
    (said,) = issues(read([head, *both]), "record.rows")
    assert (said.severity, said.cells) == ("error", ("Deals!A2", "Deals!A3"))
    assert not issues(read([head, *SALES]), "record.rows")


def test_stages_under_headings_that_are_stages_too_stay_under_them() -> None:
    """Acquisitions and dispositions, each with what is under contract and what has closed, though sales are a stage."""
    deals = [[f"Alder {n}", f"Town {n}", 2_400_000 + 977 * n, 12_000 + 131 * n] for n in range(8)]
    rows: list[list[object]] = [["Property", "City", "Price", "SF"]]
    for at, side in enumerate(["ACQUISITIONS", "DISPOSITIONS"]):
        rows += [[side], ["Under Contract"], *deals[4 * at : 4 * at + 2], ["Closed"], *deals[4 * at + 2 : 4 * at + 4]]
    sections = [str(section) for section in read(rows).tables[0].sections]
    assert sections == [
        f"{side} / {stage}"
        for side in ("ACQUISITIONS", "DISPOSITIONS")
        for stage in ("Under Contract", "Closed")
        for _ in range(2)
    ]
