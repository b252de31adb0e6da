"""Portfolios measured: what is summed, over what, from which cells."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from schemas.deal import Extraction, Issue
from tests import extractions
from tests.extractions import Cell, Sheet, build
from tools.figures.findings import expiry
from tools.figures.measures import Portfolio, complete_deals, portfolio
from tools.figures.series import value_figure
from tools.figures.summary import headline

AS_OF = date(2026, 11, 30)


def measured(extraction: Extraction) -> Portfolio:
    """The portfolio as of the tests' day."""
    return portfolio(extraction, AS_OF)


def test_the_blended_cap_rate_is_sum_over_sum_of_deals_with_both() -> None:
    """The NOI of a deal without a price is not in it, and no cap rates are averaged."""
    rows = extractions.properties()
    noi = sum(row["noi"] for row in rows[:11])
    price = sum(row["asking_price"] for row in rows[:11])
    cap = measured(extractions.portfolio12()).totals["cap_rate"]
    assert cap.value == Decimal(noi) / Decimal(price)
    assert cap.cells == ("Deals!G7:G17", "Deals!F7:F17")
    assert "over 11 with both" in cap.derivation


def test_a_total_says_what_it_covers_and_missing_is_not_zero() -> None:
    """TBD is left out and said to be; its own figure is n/p with its cell."""
    found = measured(extractions.portfolio12())
    assert found.totals["price"].derivation == "sum of 11 of 12, 1 not provided"
    larkspur = found.value("price", 11)
    assert larkspur is not None
    assert (larkspur.value, larkspur.text, larkspur.cells) == (None, "n/p", ("Deals!F18",))


def test_ratios_stated_by_the_file_stand_and_missing_ones_are_derived() -> None:
    """A derived value cites what it is from, and its rule."""
    found = measured(extractions.many_properties())
    cap = found.value("cap_rate", 0)
    assert cap is not None
    assert cap.derivation == "NOI ÷ asking price"
    assert cap.cells == ("Comps!G7", "Comps!F7")
    stated = measured(extractions.portfolio12()).value("cap_rate", 0)
    assert stated is not None
    assert (stated.derivation, stated.cells) == ("as stated", ("Deals!H7",))


def test_occupancy_is_weighted_by_area() -> None:
    """A large empty building weighs more than a small one."""
    rows = [
        {"deal_name": "Big", "building_sf": 90_000, "occupancy": 0.5, "asking_price": 1},
        {"deal_name": "Small", "building_sf": 10_000, "occupancy": 1.0, "asking_price": 1},
    ]
    found = measured(build(Sheet("sale_comps", rows)))
    assert found.totals["occupancy"].value == Decimal("0.55")
    plain = measured(build(Sheet("sale_comps", [{**row, "building_sf": None} for row in rows])))
    assert plain.totals["occupancy"].value == Decimal("0.75")
    assert "plain mean of 2" in plain.totals["occupancy"].derivation


def test_amounts_in_another_currency_are_printed_but_never_summed() -> None:
    """Four prices in euros and two in pounds are no total of six."""
    found = measured(extractions.currencies())
    total = found.totals["price"]
    assert total.value == sum(9_000_000 + n * 100_000 for n in range(4))
    assert total.derivation == "sum of 4 of 6, 2 in another currency left out"
    foreign = value_figure(found.view, found.measures["price"], 5)
    assert foreign.text == "£9.50M"
    assert found.totals["cap_rate"].derivation.endswith("over 4 with both")


def test_ranges_run_over_gaps_but_never_over_rows_that_are_no_records() -> None:
    """A total's row or a value left out breaks the range; an empty cell holds nothing and does not."""
    rows = [{"deal_name": f"A{n}", "asking_price": None if n == 2 else n + 1} for n in range(6)]
    found = measured(build(Sheet("sale_comps", rows, gaps=(11,))))
    assert found.totals["price"].cells == ("Deals!B7:B10", "Deals!B12:B13")
    assert measured(extractions.currencies()).totals["price"].cells == ("Q!D7:G7",)


def test_a_file_without_sheets_has_bare_cells() -> None:
    """A CSV's cells carry no sheet."""
    assert measured(extractions.pipeline()).totals["value"].cells == ("D7:D24",)


def test_walt_weights_years_to_run_and_counts_month_to_month_as_none() -> None:
    """Recomputed by hand: an ended lease and one month to month weigh in with 0 years."""
    rows = [
        {"tenant": "A", "rent_annual": 100, "leased_sf": 10, "lease_expiry": date(2028, 11, 30)},
        {"tenant": "B", "rent_annual": 300, "leased_sf": 10, "lease_expiry": Cell(None, "MTM")},
        {"tenant": "C", "rent_annual": 100, "leased_sf": 10, "lease_expiry": date(2020, 1, 1)},
        {"tenant": "D", "rent_annual": 999, "leased_sf": 10, "lease_expiry": None},
    ]
    walt = measured(build(Sheet("rent_roll", rows))).totals["walt_rent"]
    assert walt.value == Decimal(731) / Decimal("365.25") * 100 / 500
    assert "over 3 leases" in walt.derivation
    assert portfolio(build(Sheet("rent_roll", rows))).totals.get("walt_rent") is None


def test_rent_falls_back_on_the_month_or_on_the_rate() -> None:
    """Annual rent stated, twelve months of it, or area times rate, record by record."""
    rows = [
        {"tenant": "A", "rent_annual": 120, "rent_monthly": 10},
        {"tenant": "B", "rent_annual": None, "rent_monthly": 5},
    ]
    found = measured(build(Sheet("rent_roll", rows)))
    assert found.totals["rent"].value == 180
    assert found.totals["rent"].cells == ("Deals!B7", "Deals!C8")
    by_rate = [{"tenant": "A", "rent_psf": 2.5, "leased_sf": 100}]
    assert measured(build(Sheet("rent_roll", by_rate))).totals["rent"].value == 250


def test_empty_space_is_no_lease_and_gives_the_let_share() -> None:
    """A vacant suite counts in the area and in nothing else."""
    found = measured(extractions.rent_roll())
    assert (found.count, found.held, len(found.vacant)) == (31, 30, 1)
    let = sum(row["leased_sf"] for row in extractions.leases()[:30])
    every = sum(row["leased_sf"] for row in extractions.leases())
    assert found.totals["occupied"].value == Decimal(let) / Decimal(every)


def test_the_table_with_most_complete_deals_leads_and_a_rent_roll_gives_way() -> None:
    """Twelve properties lead over their thirty leases; a larger loan tape leads over a small one."""
    found = measured(extractions.portfolio12())
    assert (found.kind, [one.kind for one in found.companions]) == ("property", ["rent_roll"])
    few = [{"deal_name": "x", "loan_amount": 1, "ltv": 0.5}]
    both = measured(build(Sheet("loan_tape", few), Sheet("loan_tape", few * 3, name="Big")))
    assert both.table.sheet == "Big"
    assert complete_deals(measured(extractions.bare())) == 0


def test_tables_of_no_known_kind_are_judged_by_their_fields() -> None:
    """Loans, leases and pipelines are known by what their columns mean."""
    loans = [{"deal_name": "a", "loan_amount": 5, "maturity_date": date(2030, 1, 1)}]
    stages = [{"deal_name": "a", "stage": "LOI"}]
    leases = [{"tenant": "a", "rent_annual": 5}]
    kinds = [measured(build(Sheet("other", rows))).kind for rows in (loans, stages, leases)]
    assert kinds == ["loans", "pipeline", "rent_roll"]


def test_a_persons_correction_marks_the_value_and_all_that_rests_on_it() -> None:
    """The mark says what the cell read, what it was set to, by whom and when."""
    changed = extractions.pinned(extractions.portfolio12(), 0, 10, "occupancy", 0.773, was="0.873")
    found = measured(changed)
    shown = found.value("occupancy", 10)
    assert shown is not None
    assert shown.pinned
    assert shown.derivation == "Deals!J17 read 87.3%; set to 77.3% by an analyst, 28 Nov 2026"
    assert found.totals["occupancy"].pinned
    assert not found.totals["price"].pinned


def test_a_correction_shows_in_what_is_derived_from_it() -> None:
    """The price per SF of a corrected price says so, in the price's own words."""
    found = measured(extractions.pinned(extractions.portfolio12(), 0, 11, "asking_price", 24_600_000, was="TBD"))
    shown = found.value("price_psf", 11)
    assert shown is not None
    assert shown.pinned
    assert shown.derivation == "price ÷ SF; Deals!F18 read TBD; set to $24,600,000 by an analyst, 28 Nov 2026"
    assert found.totals["price"].derivation == "sum of 12"


def test_emphasis_changes_the_order() -> None:
    """Income ranks by NOI, price by price; those without the measure come last."""
    found = measured(extractions.portfolio12())
    assert found.ranked("income")[:3] == [0, 1, 6]
    assert found.ranked("price")[:3] == [0, 6, 7]
    assert found.ranked("price")[-1] == 11


def test_deals_without_names_are_called_by_where_they_lie() -> None:
    """By place, with the table's number where several are there; without a place by its row and sheet."""
    found = measured(extractions.bare())
    assert found.view.name(4) == "Northfield, No. 5"
    rows = [{"postal_code": "00501", "noi": 4}, {"postal_code": "00502", "noi": 5}, {"noi": 6}]
    placed = measured(build(Sheet("sale_comps", rows)))
    assert [placed.view.name(i) for i in range(3)] == ["00501", "00502", "Row 9 of Deals"]
    addressed = measured(build(Sheet("sale_comps", [{"address": "9 Oxbow Lane", "postal_code": "1", "noi": 4}])))
    assert addressed.view.name(0) == "9 Oxbow Lane"
    sheetless = measured(build(Sheet("other", [{"noi": 4}], name=None)))
    assert sheetless.view.name(0) == "Row 7"
    assert found.totals["area"].derivation == "sum of 3 of 5, 2 not provided"


@pytest.mark.parametrize("broken", [float("nan"), float("inf"), "text", True])
def test_what_is_no_number_is_missing(broken: object) -> None:
    """A stray text or a NaN never reaches a sum."""
    rows = [{"deal_name": "a", "noi": broken}, {"deal_name": "b", "noi": 5}]
    assert measured(build(Sheet("sale_comps", rows))).totals["noi"].value == 5


def test_rows_that_are_parties_are_called_by_their_column_and_never_deals() -> None:
    """A table of clients with totals counts clients; a head that is no such word gives rows."""
    rows = [{"deal_name": f"Umbra {n}", "revenue": 10 + n} for n in range(3)]
    for head, nouns in (("Client Name", "clients"), ("Party", "parties"), ("Xyz", "rows")):
        made = build(Sheet("other", rows), issues=(Issue("table.summary", "warning", "", ("Deals!A6:B9",)),))
        made.tables[0].columns[0].header = head
        found = measured(made)
        assert (found.profile.nouns, found.called) == (nouns, nouns)
    assert measured(build(Sheet("other", rows))).called == "deals"
    periods = build(Sheet("other", rows), issues=(Issue("table.periods", "warning", "", ("Deals!A6:B9",)),))
    periods.tables[0].columns[0].header = "Client Name"
    assert measured(periods).called == "rows"


def test_nothing_is_worth_what_it_cost() -> None:
    """A basis is called so; an appraised value beside it is what deals are worth."""
    rows = [{"deal_name": f"Umbra {n}", "deal_value": 100 + n, "stage": "Bid"} for n in range(3)]
    made = build(Sheet("pipeline", rows))
    assert "are worth" in headline(measured(made), "price").text
    made.tables[0].columns[1].header = "Cost Basis"
    said = headline(measured(made), "price").text
    assert "worth" not in said
    assert said.startswith("Three deals stand at a basis of $303")
    both = build(Sheet("pipeline", [{**row, "appraised_value": 200 + n} for n, row in enumerate(rows)]))
    both.tables[0].columns[1].header = "Cost Basis"
    assert headline(measured(both), "price").text.startswith("Three deals are worth $603")


def test_a_share_of_what_has_a_date_is_no_share_of_a_date() -> None:
    """The whole of what ends is called by its measure."""
    found = expiry(measured(extractions.rent_roll()))
    assert found is not None
    assert found[1].cumulative[0].label == "share of annual rent with a date"
