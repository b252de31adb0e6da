"""Findings: true because they are computed, and different when the reader asks for something else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest

from schemas.deal import Extraction
from schemas.documents import Emphasis
from schemas.figures import Figure
from tests import extractions
from tests.extractions import Sheet, build
from tools.figures.bands import bands
from tools.figures.breakdowns import by_field, by_year, group_field
from tools.figures.columns import printed, printed_total, table_columns
from tools.figures.findings import expiry, highlights
from tools.figures.measures import Portfolio, portfolio
from tools.figures.quality import quality
from tools.figures.risks import risk
from tools.figures.sensitivity import sensitivity
from tools.figures.states import NAMES, TILES, state_code
from tools.figures.summary import headline, kpis

AS_OF = date(2026, 11, 30)
EMPHASES: tuple[Emphasis, ...] = ("income", "price")
MAKERS = (
    extractions.portfolio12, extractions.many_properties, extractions.rent_roll, extractions.loan_tape,
    extractions.pipeline, extractions.bare, extractions.hostile, extractions.currencies,
)  # fmt: skip


def measured(extraction: Extraction) -> Portfolio:
    """The portfolio as of the tests' day."""
    return portfolio(extraction, AS_OF)


def number(shown: Figure | None) -> Decimal:
    """A figure's number."""
    assert shown is not None
    assert isinstance(shown.value, Decimal)
    return shown.value


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("emphasis", EMPHASES)
def test_every_portfolio_has_a_headline_five_numbers_findings_and_a_risk(
    make: Callable[[], Extraction], emphasis: Emphasis
) -> None:
    """Whatever the table lacks: a headline, five numbers, findings and a risk, and no sentence says n/p."""
    found = measured(make())
    said = [headline(found, emphasis), risk(found, emphasis).words]
    for one in highlights(found, emphasis):
        said += [one.lead, one.detail]
    assert len(kpis(found, emphasis)) == 5
    assert len(highlights(found, emphasis)) >= 2
    for words in said:
        assert words.text
        assert all(figure.text and figure.text != "n/p" for figure in words.figures), words.text


def test_the_headline_counts_only_what_is_there() -> None:
    """Eleven of twelve have a price, and the sentence says eleven."""
    found = measured(extractions.portfolio12())
    assert headline(found, "income").text == (
        "Twelve properties earn $24.5M; eleven are priced at $359.7M, a 6.37% blended cap rate"
    )
    assert headline(found, "price").text.startswith("Eleven of twelve properties are priced at $359.7M; all earn")


def test_emphasis_changes_findings_and_the_order_of_numbers() -> None:
    """Income leads with NOI, price with the price."""
    found = measured(extractions.portfolio12())
    assert kpis(found, "income")[0].figure.id == "t1.total.noi"
    assert kpis(found, "price")[0].figure.id == "t1.total.price"
    leads = [[one.lead.text for one in highlights(found, emphasis)] for emphasis in EMPHASES]
    assert leads[0] != leads[1]


def test_an_average_of_stated_cap_rates_is_not_called_blended() -> None:
    """Blended means sum over sum; without prices there is no such thing."""
    rows = [{"deal_name": f"A{n}", "noi": 100 + n, "cap_rate": 0.05 + n / 100} for n in range(3)]
    said = headline(measured(build(Sheet("sale_comps", rows))), "income").text
    assert said == "Three properties earn $303, a 6.00% average cap rate"


def test_parts_make_the_whole() -> None:
    """Each record is in one part, amounts and shares add up."""
    found = measured(extractions.many_properties())
    for field in ("property_type", "state"):
        cut = by_field(found, field, found.measures["noi"])
        assert cut is not None
        assert len(cut.groups) <= 4
        assert sorted(record for group in cut.groups for record in group.records) == list(range(50))
        assert sum(number(group.amount) for group in cut.groups) == number(cut.whole)
        assert abs(sum(number(group.share) for group in cut.groups) - 1) < Decimal("1e-20")


def test_kinds_are_one_whatever_their_case_and_missing_is_a_part_of_its_own() -> None:
    """Office and OFFICE are one kind; nothing is put under a kind that the file does not give."""
    rows = [{"deal_name": str(n), "property_type": kind, "noi": 1} for n, kind in enumerate(("Office", "OFFICE", None))]
    found = measured(build(Sheet("sale_comps", rows)))
    cut = by_field(found, "property_type", found.measures["noi"])
    assert cut is not None
    assert [(group.label, group.from_file, len(group.records)) for group in cut.groups] == [
        ("Office", True, 2),
        ("Not provided", False, 1),
    ]


def test_years_run_without_holes_from_what_has_ended_to_a_tail() -> None:
    """Empty years stay, later ones are one, and the cumulative share ends at 100 %."""
    ends = [date(2020, 5, 1), date(2027, 1, 1), date(2029, 1, 1), date(2045, 1, 1), None]
    rows = [{"tenant": str(n), "rent_annual": 100, "lease_expiry": end} for n, end in enumerate(ends)]
    found = measured(build(Sheet("rent_roll", rows)))
    line = by_year(found, "lease_expiry", found.measures["rent"])
    assert line is not None
    labels = [group.label for group in line.groups]
    assert labels[:4] == ["Ended", "2027", "2028", "2029"]
    assert labels[-1] == "2036 on"
    assert [number(one) for one in line.cumulative][-1] == 1
    assert number(line.groups[2].share or line.cumulative[0]) in (Decimal(0), Decimal("0.25"))
    assert line.undated == (4,)


def test_the_share_that_ends_by_a_year_is_recomputed_from_the_leases() -> None:
    """The first finding of a rent roll, by hand."""
    leases = [row for row in extractions.leases() if row["rent_annual"]]
    early = [row for row in leases if not isinstance(end := row["lease_expiry"], date) or end.year <= 2029]
    until = sum(row["rent_annual"] for row in early)
    share = Decimal(until) / sum(row["rent_annual"] for row in leases) * 100
    found = expiry(measured(extractions.rent_roll()))
    assert found is not None
    first = highlights(measured(extractions.rent_roll()), "income")[0]
    assert first.lead.text == f"{share:.1f}% of rent ends by 2029"


def test_loans_beyond_a_limit_are_counted_and_weighed() -> None:
    """The number above 75 % LTV and their share of the balance, by hand."""
    found = measured(extractions.loan_tape())
    ltv, balance = found.measures["ltv"], found.measures["balance"]
    beyond = [i for i in range(24) if (ltv.values[i] or 0) > Decimal("0.75")]
    share = sum(balance.values[i] or 0 for i in beyond) / number(found.totals["balance"]) * 100
    assert risk(found, "price").words.text == f"Six loans stand above 75.0% LTV, {share:.1f}% of the balance."
    cut = bands(found, "ltv")
    assert cut is not None
    assert sum(len(group.records) for group in cut.groups) == 24
    assert len(beyond) == 6


def test_columns_that_hold_nothing_are_left_out_and_emphasis_moves_them() -> None:
    """Price stands before NOI only when price leads."""
    found = measured(extractions.portfolio12())
    income = [column.key for column in table_columns(found, "income")]
    price = [column.key for column in table_columns(found, "price")]
    assert income.index("noi") < income.index("price")
    assert price.index("price") < price.index("noi")
    assert "units" not in income
    heads = {column.key: column.head for column in table_columns(found, "income")}
    assert (heads["noi"], heads["price"], heads["price_psf"]) == ("NOI $000", "Price $M", "$/SF")


def test_cells_print_in_the_heads_unit_and_say_what_is_missing() -> None:
    """Values, missing values, corrections and totals of one table."""
    found = measured(extractions.pinned(extractions.portfolio12(), 0, 10, "occupancy", 0.773, was="0.873"))
    columns = {column.key: column for column in table_columns(found, "income")}
    assert printed(found, columns["price"], 0).text == "56.10"
    assert printed(found, columns["price"], 11).missing
    fixed = printed(found, columns["occupancy"], 10)
    assert fixed.text == "77.3"
    assert fixed.note is not None
    assert fixed.note.endswith("by an analyst, 28 Nov 2026")
    total = printed_total(found, columns["price"])
    assert total is not None
    assert total.text == "359.70"
    assert printed_total(found, columns["name"]) is None


def test_the_sensitivity_rests_on_noi_over_cap_rate() -> None:
    """The middle is the price of the deals with both; the corners are recomputed."""
    found = measured(extractions.portfolio12())
    grid = sensitivity(found)
    assert grid is not None
    assert round(number(grid.base)) == 359_700_000
    low = number(grid.values[Decimal("-0.1"), Decimal("0.005")])
    cap = number(found.totals["cap_rate"])
    assert low == number(grid.incomes[Decimal("-0.1")]) / (cap + Decimal("0.005"))
    said = "With NOI off 5% and caps 50\u00a0bp wider, value falls to $316.8M, 12% under "
    assert grid.title.text == said + "the $359.7M asking price of the 11 with both"
    assert sensitivity(measured(extractions.bare())) is None


def test_quality_accounts_for_rows_and_puts_the_worst_first() -> None:
    """Rows that are not accounted for are said in the title."""
    found = quality(measured(extractions.portfolio12()))
    assert found.title.text == "Every row is accounted for; two kinds of issue are open"
    assert [one.severity for one in found.exceptions] == ["warning", "warning", "info"]
    short = extractions.bare()
    census = short.census[0]
    broken = type(census)(census.sheet, 9, 7, 20, 18, 0, census.rows)
    holes = Extraction(short.source, short.tables, (broken,), ())
    assert quality(measured(holes)).title.text.startswith("Some rows are not accounted for")
    assert quality(measured(holes)).checks[0].verdict == "Look"


def test_each_state_has_one_tile_and_is_known_by_name_or_code() -> None:
    """Fifty states and the District, no two on one place."""
    assert len(TILES) == len(NAMES) == len(set(TILES.values())) == 51
    codes = [state_code(text) for text in ("Texas", "tx", " TX. ", "Île-de-France", None)]
    assert codes == ["TX", "TX", "TX", None, None]


def test_ties_are_counted_and_not_settled_by_order() -> None:
    """Three properties at 78 % are three, in the risk and in the range; one alone is named."""
    rows = [
        {"deal_name": f"Quarry {name}", "noi": noi, "occupancy": level}
        for name, noi, level in zip("ABCDE", (5, 5, 7, 8, 9), (0.78, 0.9, 0.78, 0.78, 0.95), strict=True)
    ]
    found = measured(build(Sheet("property_summary", rows)))
    assert risk(found, "income").words.text == (
        "Three properties are the emptiest, each 78.0% occupied: Quarry A, Quarry C, Quarry D."
    )
    said = next(one for one in highlights(found, "income", most=9) if one.about == "range")
    assert said.detail.text == "Two properties are lowest, Quarry E is highest."


def test_a_small_share_is_no_risk_and_what_is_lacking_is_said() -> None:
    """Twenty equal deals have no heavy one; one of a third is a risk."""
    rows = [{"deal_name": f"Mill {at}", "sale_price": 100} for at in range(20)]
    none = risk(measured(build(Sheet("sale_comps", rows))), "price")
    assert none.head == "Risk. "
    assert (
        none.words.text == "The file gives no occupancy or lease ends to read a risk from; no single property is heavy."
    )
    heavy = risk(measured(build(Sheet("sale_comps", [*rows, {"deal_name": "Canal", "sale_price": 1000}]))), "price")
    assert (heavy.head, heavy.words.text) == ("Biggest risk. ", "Canal alone holds 33.3% of the price.")


def test_loans_in_arrears_come_before_any_ratio() -> None:
    """What the status says outweighs LTV; a loan that is current or never in default is not in arrears."""
    states = ("Current", "30+ Days Delinquent", "Never in default", "Foreclosure", "Watchlist")
    rows = [
        {"deal_name": f"Loan {at}", "loan_amount": 100 + at, "ltv": 0.8, "status": state}
        for at, state in enumerate(states)
    ]
    said = risk(measured(build(Sheet("loan_tape", rows))), "price").words.text
    assert (
        said == "Two loans are in arrears by their status, 40.0% of the balance; the largest is Loan 3, “Foreclosure”."
    )


def test_a_loan_tape_leads_with_its_balance_and_calls_interest_computed() -> None:
    """The headline names only what the file states; interest says that it was computed."""
    found = measured(extractions.loan_tape())
    assert headline(found, "income").text.startswith("24 loans owe ")
    assert "interest on average" in headline(found, "income").text
    labels = [kpi.label for kpi in kpis(found, "income")]
    assert labels[0] == "Balance"
    assert "Interest, computed" in labels


def test_company_deals_show_the_measures_that_they_have() -> None:
    """EBITDA and revenue are numbers on top and columns of the table."""
    rows = [{"deal_name": f"Firm {at}", "ebitda": 10 + at, "revenue": 50 + at} for at in range(6)]
    found = measured(build(Sheet("pipeline", rows)))
    assert [kpi.label for kpi in kpis(found, "income")][:2] == ["EBITDA", "Revenue"]
    assert {"ebitda", "revenue"} <= {column.key for column in table_columns(found, "income")}


def test_yes_and_no_tell_no_kinds() -> None:
    """A column of yes and no is no status to cut a portfolio by."""
    rows = [{"deal_name": f"Deal {at}", "deal_value": 5, "status": "Yes" if at % 2 else "No"} for at in range(6)]
    assert group_field(measured(build(Sheet("pipeline", rows)))) is None


def test_the_account_of_rows_adds_up() -> None:
    """Rows of deals and the others make the rows accounted for, whatever blank rows a span runs over."""
    found = measured(extractions.portfolio12())
    check = quality(found).checks[0]
    parts = [int(figure.text) for figure in check.detail.figures if "hidden" not in figure.label]
    assert sum(parts) == found.extraction.census[0].accounted_rows
