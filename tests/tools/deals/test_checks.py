"""Checks: ratios, totals, dates in order, doubles, slips by a hundred and a thousand."""

from __future__ import annotations

import datetime as dt

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import DEALS, HEADER, Rows, deal, issues, read, values
from tools.deals.check import rounds_to, slip_of

TOTAL = ["Total", None, None, None, 28_000_000, 1_750_000, None, 190_000, None]


def with_deal(**changed: object) -> Extraction:
    """The deals with some fields of the first changed, by header."""
    first = [
        changed.get(name.replace(" ", "_").replace("/", "_"), value)
        for name, value in zip(HEADER, DEALS[0], strict=True)
    ]
    return read([HEADER, first, *DEALS[1:]])


def test_deals_that_agree_raise_no_issue() -> None:
    """Only the assumed currency is said."""
    assert {issue.code for issue in read([HEADER, *DEALS, TOTAL]).issues} == {"currency.assumed"}


def test_a_cap_rate_unlike_its_noi_and_price_is_named_with_both() -> None:
    """Cells of all three, what was expected, what was found."""
    extraction = with_deal(Cap_Rate=0.07)
    issue = issues(extraction, "cap_rate.mismatch")[0]
    assert issue.cells == ("Deals!G2", "Deals!F2", "Deals!E2")
    assert (issue.expected, issue.found) == ("0.06", "0.07")
    assert any("cap_rate.mismatch" in warning for warning in deal(extraction).warnings)


def test_a_rounded_ratio_agrees() -> None:
    """6.1 % for 6.08 % is rounding, 6.0 % is not."""
    extraction = with_deal(NOI=608_000, Cap_Rate=0.061)
    assert not issues(extraction, "cap_rate.mismatch")
    assert issues(with_deal(NOI=608_000, Cap_Rate=0.06), "cap_rate.mismatch")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"Price_SF": 20_000}, "slip.hundredfold"),
        ({"NOI": 600}, "slip.thousandfold"),
        ({"NOI": 50_000}, "slip.twelvefold"),
        ({"Building_SF": 50}, "slip.thousandfold"),
    ],
)
def test_slips_by_a_hundred_a_thousand_and_a_year_are_named(changed: dict[str, object], code: str) -> None:
    """The ratio that does not agree is off by just that."""
    found = issues(with_deal(**changed), code)
    assert found
    assert found[0].expected


def test_a_price_typed_in_thousands_among_dollars_is_named() -> None:
    """Nothing else in the row tells, the column does."""
    rows = [["Property", "City", "Units", "Sale Price"]]
    rows += [[f"Place {i}", "Reno", 10 + i, 5_000_000 + 100_000 * i] for i in range(10)]
    rows[4][3] = 5_300
    slip = issues(read(rows), "slip.thousandfold")[0]
    assert (slip.cells, slip.found, slip.expected) == (("Deals!D5",), "5300", "5300000")


def test_a_column_that_disagrees_throughout_is_one_issue() -> None:
    """Fifty rows on another price are not fifty issues."""
    rows = [["Property", "City", "Asking Price", "NOI", "Cap Rate"]]
    rows += [[f"Place {i}", "Reno", 1_000_000, 60_000 + i, 0.08] for i in range(30)]
    extraction = read(rows)
    assert len(issues(extraction, "cap_rate.systematic")) == 1
    assert not issues(extraction, "cap_rate.mismatch")


def groups(subtotal: object, grand: object = 28_000_000) -> Rows:
    """Two groups with subtotals and a grand total."""
    two = DEALS[:2], DEALS[2:]
    rows: list[list[object]] = [HEADER]
    for number, (part, total) in enumerate(zip(two, (subtotal, 14_000_000), strict=True), 1):
        rows += [*map(list, part), [f"Subtotal region {number}", None, None, None, total]]
    return [*rows, ["Grand total", None, None, None, grand]]


def test_totals_are_no_deals_and_foot() -> None:
    """Records exclude them; a right total says nothing."""
    extraction = read(groups(14_000_000))
    assert extraction.deal_count == len(DEALS)
    assert not issues(extraction, "total.mismatch")


def test_a_tampered_subtotal_is_reported_with_what_its_records_give() -> None:
    """The grand total is right, the subtotal is not."""
    issue = issues(read(groups(14_100_000)), "total.mismatch")
    assert [(i.cells, i.expected, i.found) for i in issue] == [(("Deals!E4",), "14,000,000", "14,100,000")]


def test_a_total_within_a_dollar_or_a_tenth_of_a_percent_foots() -> None:
    """28,000,001 foots, 28,100,000 does not."""
    assert not issues(read(groups(14_000_000, 28_000_001)), "total.mismatch")
    assert issues(read(groups(14_000_000, 28_100_000)), "total.mismatch")


def test_a_record_that_sums_all_others_is_named() -> None:
    """Whatever its row says, two columns that add up to it make a total of it, or an issue."""
    rows = [["Property Name", "Address", "City", "Asking Price", "NOI", "Building SF"]]
    rows += [[f"Place {i}", f"{i} Main Street", "Reno", 1e6 * i, 6e4 * i, 9000 + i] for i in range(1, 6)]
    rows += [["Place 6", "6 Main Street", "Reno", 15e6, 9e5, 45_015]]
    extraction = read(rows)
    assert extraction.deal_count == 5 or issues(extraction, "total.unmarked")[0].cells[0] == "Deals!D7"


@pytest.mark.parametrize("at", [2, 4])
def test_a_deal_with_a_city_and_a_date_is_no_total_of_those_above_it_and_told(at: int) -> None:
    """Its price and its size are their sums to the last digit; it may be a sale of them together."""
    sales: list[list[object]] = [
        ["Alder Court", "Tulsa", 4_512_000, 0.0625, dt.date(2023, 3, 1), 32_117],
        ["Birch Court", "Norman", 7_238_000, 0.059, dt.date(2023, 5, 12), 48_541],
        ["Cedar Court", "Edmond", 3_104_000, 0.071, dt.date(2023, 7, 3), 21_093],
        ["Dog House", "Tulsa", 12_836_000, 0.0545, dt.date(2023, 9, 30), 96_204],
    ]
    price, size = (sum(int(str(row[j])) for row in sales[:at]) for j in (2, 5))
    sales.insert(at, ["Zed Tower", "Tulsa", price, 0.061, dt.date(2023, 6, 1), size])
    extraction = read([["Property", "City", "Sale Price", "Cap Rate", "Sale Date", "SF"], *sales])
    assert extraction.deal_count == 5
    assert [i.cells for i in issues(extraction, "total.unmarked")] == [(f"Deals!C{at + 2}", f"Deals!F{at + 2}")]


def test_a_row_of_averages_is_no_sum() -> None:
    """It says so in its label."""
    rows = [HEADER, *DEALS, TOTAL, ["Average", None, None, None, 7_000_000, 437_500, None, 47_500, None]]
    assert not issues(read(rows), "total.mismatch")


def test_a_total_that_counts_a_hidden_row_says_so() -> None:
    """The difference is the row that nobody sees."""
    import io

    from openpyxl import load_workbook

    from tests.tools.deals.books import xlsx
    from tools.deals.extract import extract

    book = load_workbook(io.BytesIO(xlsx({"Deals": [HEADER, *DEALS, TOTAL]})))
    book["Deals"].row_dimensions[3].hidden = True
    packed = io.BytesIO()
    book.save(packed)
    extraction = extract(packed.getvalue(), "deals.xlsx")
    assert issues(extraction, "total.hidden")
    assert not issues(extraction, "total.mismatch")


def test_dates_and_years_out_of_order_are_named() -> None:
    """A lease that ends before it starts."""
    rows = [["Suite", "Tenant", "Area (SF)", "Lease Start", "Lease End", "Annual Rent"]]
    rows += [["100", "Quill Freight", 5000, dt.date(2027, 1, 1), dt.date(2020, 1, 1), 120_000]]
    rows += [["200", "Fern Grocers", 4000, dt.date(2021, 1, 1), dt.date(2028, 1, 1), 96_000]]
    found = issues(read(rows), "dates.order")[0]
    assert found.cells == ("Deals!E2", "Deals!D2")
    assert (found.expected, found.found) == ("2027-01-01 or later", "2020-01-01")


def test_monthly_rent_times_twelve_must_be_the_annual_rent() -> None:
    """And rent per SF is annual rent over area."""
    rows = [["Suite", "Tenant", "Area (SF)", "Monthly Rent", "Annual Rent", "Rent PSF", "Lease End"]]
    end = dt.date(2028, 1, 1)
    rows += [
        ["100", "Quill Freight", 5000, 10_000, 120_000, 24, end],
        ["200", "Fern Grocers", 4000, 8_000, 90_000, 22.5, end],
    ]
    found = issues(read(rows), "rent_annual.mismatch")
    assert [(i.cells[0], i.expected) for i in found] == [("Deals!E3", "96000.00")]


def test_a_dscr_above_the_cover_of_interest_alone_is_impossible() -> None:
    """NOI 600,000 on 6 % of 10 million covers once at most."""
    rows = [["Loan ID", "Property Name", "Current Balance", "Note Rate", "NOI", "DSCR"]]
    rows += [["L1", "Heron Point", 10_000_000, 0.06, 600_000, 1.8], ["L2", "Union Yard", 5_000_000, 0.06, 600_000, 1.7]]
    assert [i.cells for i in issues(read(rows), "dscr.exceeds_cover")] == [("Deals!F2",)]


def test_a_dscr_is_not_held_against_an_noi_that_cannot_be_one() -> None:
    """What stands there is told by itself: a yield under the wrong header, say."""
    rows = [["Loan ID", "Property Name", "Current Balance", "Note Rate", "NOI", "DSCR"]]
    rows += [["L1", "Heron Point", 10_000_000, 0.06, 0.095, 1.8], ["L2", "Union Yard", 5_000_000, 0.06, 0.1, 1.7]]
    assert not issues(read(rows), "dscr.exceeds_cover")


def test_identical_records_stay_two_and_are_named() -> None:
    """Identity is the row; the twins have different ids and the same match key."""
    extraction = read([HEADER, *DEALS, DEALS[0]])
    assert extraction.deal_count == len(DEALS) + 1
    first, last = deal(extraction, 0), deal(extraction, len(DEALS))
    assert first.deal_id != last.deal_id
    assert first.match_key == last.match_key
    assert issues(extraction, "double.record")[0].cells == ("Deals!A2", "Deals!A6")


def test_an_id_on_two_different_records_is_named() -> None:
    """Both stay deals."""
    rows = [
        ["Deal ID", "Property", "City", "Units", "Sale Price"],
        ["D1", "A", "Reno", 3, 1e6],
        ["D1", "B", "Elko", 4, 2e6],
    ]
    extraction = read(rows)
    assert extraction.deal_count == 2
    assert issues(extraction, "double.id")


def test_rounding_and_slips_are_told_from_one_another() -> None:
    """The two helpers of the checks."""
    assert rounds_to(0.0608, 0.061)
    assert not rounds_to(0.0608, 0.06)
    assert rounds_to(207_650, 208_000)
    assert slip_of(5.5, 0.055) == ("slip.hundredfold", "a hundred times")
    assert slip_of(3200, 3_200_000) == ("slip.thousandfold", "a thousand times")
    assert slip_of(5.5, 5.4) is None


def test_a_nominal_amount_is_no_slip() -> None:
    """A rent of one cent among thousands: a thousand times that is still no rent."""
    rows = [["Tenant", "Suite", "Area (SF)", "Lease Start", "Monthly Rent"]]
    rows += [[f"Tenant {i} LLC", str(i), 1000 + i, dt.date(2024, 1, 1), 9_000 + 400 * i] for i in range(12)]
    assert not issues(read([*rows, ["Utility Co", "R", 10, dt.date(2024, 1, 1), 0.01]]), "slip.thousandfold")
    assert issues(read([*rows, ["Utility Co", "R", 10, dt.date(2024, 1, 1), 9.5]]), "slip.thousandfold")


def test_a_building_built_long_after_the_table_was_written_is_flagged_and_stays() -> None:
    """The newest sale tells when that was; a pipeline may plan some years ahead of it."""
    rows = [["Property Name", "City", "Sale Price", "Sale Date", "Year Built"]]
    built = [1998, 2029, 2091, 2048]
    rows += [[f"Place {i}", "Reno", 2_000_000 + i, f"2024-0{i + 1}-15", year] for i, year in enumerate(built)]
    extraction = read(rows)
    assert values(extraction, "year_built") == built
    (found,) = issues(extraction, "years.ahead")
    assert found.cells == ("Deals!E4", "Deals!E5")
    assert "2091, and 1 more are, over 10 years after 2024" in found.message
    assert [bool(deal.warnings) for deal in extraction.deals()] == [False, False, True, True]


def test_without_any_day_a_year_is_measured_from_that_of_the_rules() -> None:
    """Years of leases that end tell nothing: they lie ahead."""
    rows = [["Property Name", "City", "Asking Price", "Year Renovated"]]
    rows += [[f"Place {i}", "Reno", 2_000_000 + i, year] for i, year in enumerate([1998, 2030, 2070])]
    assert issues(read(rows), "years.ahead")[0].cells == ("Deals!D4",)
    assert not issues(read(rows[:3]), "years.ahead")


def test_a_thousandfold_slip_in_a_short_list_is_told() -> None:
    """Three prices in thousands, one of them in full; alike ones, and ones that vary, are left alone."""

    def slips(*prices: int) -> int:
        rows = [[f"Elm {at}", "Reno", price, 30 + at] for at, price in enumerate(prices)]
        return len(
            issues(read([["Sales ($000s)"], ["Property", "City", "Sale Price", "Units"], *rows]), "slip.thousandfold")
        )

    assert slips(3_000, 4_250_000, 5_100) == 1
    assert slips(3_000, 4_250, 5_100) == 0
    assert slips(3_000, 90_000, 5_100) == 0
