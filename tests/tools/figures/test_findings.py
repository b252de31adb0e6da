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
from tools.figures.breakdowns import by_field, by_year
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
