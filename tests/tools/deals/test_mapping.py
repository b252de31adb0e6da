"""Which column holds which field, and what is asked when it stays open."""

from __future__ import annotations

import pytest

from schemas.workbook import Overrides
from tests.tools.deals.books import DEALS, HEADER, deal, issues, listed, read, xlsx
from tools.deals.dictionary import dictionary, field_spec, read_dictionary
from tools.deals.header_match import context_words, header_scores
from tools.deals.header_text import read_header
from tools.deals.mapping import ColumnView, map_columns
from tools.deals.survey import MOST_QUESTIONS, survey, survey_answer


def best(header: str, *others: str) -> str | None:
    """The field that a header speaks for most, among other headers."""
    read_ones = [read_header(text) for text in (header, *others)]
    scores = header_scores(read_ones[0], context_words([], read_ones))
    strong = {name: score for name, score in scores.items() if score >= 0.6}
    return min(strong, key=lambda name: (-strong[name], name)) if strong else None


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("PROJ_ADD", "address"),
        ("YEARBUILT", "year_built"),
        ("BLDGSF", "building_sf"),
        ("Adress", "address"),
        ("ORIG_BAL", "original_balance"),
        ("CUR_BAL", "loan_amount"),
        ("note_rate_pct", "interest_rate"),
        ("Cap Rate (%)", "cap_rate"),
        ("Price/SF", "price_per_sf"),
        ("Price / SF", "price_per_sf"),
        ("$/SF", "price_per_sf"),
        ("Physical / SF", "building_sf"),
        ("Physical / Units", "units"),
        ("Annual / Rent/Area", "rent_psf"),
        ("Monthly / Rent", "rent_monthly"),
        ("Asking Price / ($000s)", "asking_price"),
        ("Prob.(%)", "probability"),
        ("STATE OR PROVINCE", "state"),
        ("owner_organization_name", "seller"),
        ("total_unit_count", "units"),
        ("Baujahr", "year_built"),
        ("PLZ", "postal_code"),
        ("Size (AC)", "land_acres"),
        ("MLS#", "source_id"),
        ("$/Pad", "price_per_unit"),
        ("$/Key", "price_per_unit"),
        ("$/Bed", "price_per_unit"),
        ("$/Room", "price_per_unit"),
        ("$/Apt", "price_per_unit"),
    ],
)
def test_headers_as_people_and_exports_write_them_find_their_field(header: str, field: str) -> None:
    """Codes, run-together words, typos, units, two levels, other languages."""
    assert best(header) == field


@pytest.mark.parametrize(
    "header",
    [
        "owner_city_name",
        "Tax Class",
        "mgmt_agent_phone_number",
        "NOI ($/mo)",
        "NOI per SF",
        "Exit Cap Rate",
        "Land SF Price",
        "Total Assisted Unit Count",
        "Price Change",
        "Average Unit SF",
        "Listing Link",
        "EBITDA Margin",
        "Debt / EBITDA",
        "Loan Term",
        "UW NOI DY",
        "NCF DY",
        "NOI Debt Yld",
    ],
)
def test_headers_that_only_look_like_a_field_find_none_of_the_base(header: str) -> None:
    """Whose city, which period, what it is per: the words beside a synonym count."""
    assert best(header) in (None, "lease_term_months", "land_sf")


def test_a_bare_price_takes_its_meaning_from_what_stands_around_it() -> None:
    """In sales it is the sale price, in listings the asking price, else a price."""
    assert best("Price", "Sold Date", "Buyer", "Sale Type") == "sale_price"
    assert best("Price", "List Date", "Listing Broker", "MLS") == "asking_price"
    assert best("Price", "Year Built") == "price"


def test_values_overrule_a_header() -> None:
    """A column called Units that holds suites' names is no count."""
    views = [
        ColumnView("A", "Tenant", ["Quill Freight", "Fern Grocers", "Alder Books"]),
        ColumnView("B", "Units", ["A-100, A-101", "B-200", "C-300"]),
        ColumnView("C", "Lease Start", ["2020-01-01", "2021-01-01", "2022-01-01"]),
        ColumnView("D", "Area", [1000.0, 2000.0, 1500.0]),
    ]
    found = {m.letters: m.field for m in map_columns(views, ["Rent Roll"])}
    assert found == {"A": "tenant", "B": "suite", "C": "lease_start", "D": "building_sf"}


def test_each_field_goes_to_one_column_and_the_rest_to_extra() -> None:
    """Of two city columns the plainer wins."""
    rows = [
        ["Property", "Property City", "City", "Units", "Sale Price"],
        ["A", "X", "Reno", 3, 1e6],
        ["B", "Y", "Elko", 4, 2e6],
    ]
    first = deal(read(rows))
    assert first.fields["city"].value == "Reno"
    assert first.extra["Property City"].value == "X"


def test_names_are_found_where_no_header_says_so() -> None:
    """The leftmost column of distinct names is the deal's name, and that is asked about."""
    rows = [["Generation Group", "Asking Price", "Status", "Units", "City"]]
    rows += [
        [f"Plant {name}", 1e6 * i, "Open", i, "Reno"] for i, name in enumerate(["North", "South", "East", "West"], 1)
    ]
    assert deal(read(rows)).fields["deal_name"].value == "Plant North"
    questions = survey(xlsx({"Deals": rows}), "deals.xlsx").questions
    assert "A" in [question.column for question in questions]


def test_an_unsure_column_becomes_a_question_with_samples_and_evidence() -> None:
    """Samples are quoted text; candidates have scores."""
    rows = [["Property", "City", "Units", "Sale Price", "Balance"]]
    rows += [[f"Place {i}", "Reno", i, 1e6 * i, 1e6 * i] for i in range(1, 6)]
    found = survey(xlsx({"Deals": rows}), "deals.xlsx")
    question = next(q for q in found.questions if q.column == "E")
    assert question.samples[0] == '"1000000"'
    assert question.candidates[0].field
    assert 0 < question.candidates[0].score < 1
    assert "values" in question.candidates[0].evidence


def test_the_survey_is_small_whatever_the_rows_and_columns() -> None:
    """The same few thousand characters for forty rows and for a thousand; questions are capped."""
    head = ["Property", "City", "Units", "Sale Price", *(f"Misc Value {i} of Deal" for i in range(14))]
    sizes = []
    for count in (40, 1000):
        rows = [head, *([f"Place {i}", "Reno", 1 + i % 9, 1e6 + i, *range(14)] for i in range(count))]
        found = survey(xlsx({"Deals": rows}), "deals.xlsx")
        assert len(found.questions) <= MOST_QUESTIONS
        sizes.append(len(str(survey_answer(found))))
    assert max(sizes) < 9000
    assert abs(sizes[0] - sizes[1]) < 100


def test_what_was_settled_is_taken_as_said() -> None:
    """A field set, a field taken away, a table ignored."""
    settled = Overrides(fields={("t1", "H"): "leased_sf", ("t1", "F"): None})
    first = deal(read([HEADER, *DEALS], overrides=settled))
    assert first.fields["leased_sf"].value == 50_000
    assert "noi" not in first.fields
    assert "NOI" in first.extra
    assert read([HEADER, *DEALS], overrides=Overrides(ignored={"t1": "not ours"})).deal_count == 0


def test_a_settled_column_is_asked_about_no_more() -> None:
    """Its confidence is 1 and it raises no question."""
    rows = [["Property", "City", "Units", "Sale Price", "Balance"]]
    rows += [[f"Place {i}", "Reno", i, 1e6 * i, 1e6 * i] for i in range(1, 6)]
    found = survey(xlsx({"Deals": rows}), "d.xlsx", overrides=Overrides(fields={("t1", "E"): None}))
    assert "E" not in [question.column for question in found.questions]


def test_every_synonym_of_the_dictionary_speaks_for_its_own_field() -> None:
    """A synonym that another field's words refuse would be dead."""
    for spec in dictionary().fields.values():
        for synonym in spec.synonyms:
            assert spec.name in header_scores(read_header(synonym), frozenset()), (spec.name, synonym)


def test_a_field_is_added_by_data_alone() -> None:
    """A new table in the dictionary is enough; a wrong type or kind is refused."""
    text = "[tokens]\n[words]\nneutral=[]\nnever=[]\nothers=[]\ndeal_counts=[]\nno_names=[]\n"
    text += "[kinds.other]\nwords=[]\n[decoys]\n[calibration]\npoints=[]\n[fields.dock_doors]\n"
    assert read_dictionary(text + 'type="count"\nsynonyms=["dock doors"]\n').fields["dock_doors"].type == "count"
    with pytest.raises(ValueError, match="no type"):
        read_dictionary(text + 'type="doors"\nsynonyms=[]\n')
    with pytest.raises(ValueError, match="no such kinds"):
        read_dictionary(text + 'type="count"\nsynonyms=[]\nkinds={doors=1}\n')
    assert field_spec("no_such_field") is None


def test_a_sheet_that_shows_a_price_in_a_list_maps_the_list() -> None:
    """The helper of these tests makes a table that is read in full."""
    assert listed([1_000_000], "Asking Price").deal_count == 1


def test_a_column_of_yes_and_no_is_no_status() -> None:
    """Whatever its header says; one with other words is."""
    rows = [[*row, answer] for row, answer in zip(DEALS, ("Yes", "No", "Yes", "No"), strict=True)]
    assert read([[*HEADER, "Status"], *rows]).tables[0].column_of("status") is None
    told = [[*row, said] for row, said in zip(DEALS, ("Closed", "No", "Listed", "Listed"), strict=True)]
    assert read([[*HEADER, "Status"], *told]).tables[0].column_of("status") is not None


def clients(counts: list[int], header: str = "Number of Deals") -> list[list[object]]:
    """A table of clients with a count."""
    names = ["Aster Bank", "Birch Fund", "Cedar Credit", "Dahlia Lending", "Elm Finance"]
    rows = [[name, count, 10.5 * count, "Finance", "Signed"] for name, count in zip(names, counts, strict=True)]
    return [["Client", header, "Deal Value ($M)", "Sector", "Stage"], *rows]


def test_clients_with_a_count_of_their_deals_are_no_deals_and_no_buyers() -> None:
    """The client names the row, the kind is none of the deals', and an issue says what the rows are."""
    extraction = read(clients([3, 1, 12, 7, 2]))
    (table,) = extraction.tables
    assert table.kind == "other"
    assert [c.field for c in table.columns] == ["deal_name", None, "deal_value", "sector", "stage"]
    assert [i.cells for i in issues(extraction, "table.summary")] == [("Deals!A1:E6",)]


@pytest.mark.parametrize(("counts", "header"), [([1, 1, 1, 1, 1], "Number of Deals"), ([3, 1, 12, 7, 2], "Units")])
def test_clients_of_one_deal_each_or_with_units_are_read_as_deals(counts: list[int], header: str) -> None:
    """Only several deals in a row make it a summary."""
    extraction = read(clients(counts, header))
    assert not issues(extraction, "table.summary")
    assert extraction.tables[0].column_of("buyer") is not None


@pytest.mark.parametrize(
    ("each", "field"), [(1.2, "rent_monthly"), (2.9, "rent_monthly"), (14.5, "rent_annual"), (38.0, "rent_annual")]
)
def test_a_rent_over_its_area_tells_its_period_and_is_asked_about_no_more(each: float, field: str) -> None:
    """Two dollars a foot are a month's, twenty a year's; the evidence says so."""
    rows = [["Tenant", "Unit", "Lease End", "SF", "Rent"]]
    rows += [[f"Tenant {i} LLC", f"{i}A", f"2030-0{1 + i}-01", 1000 + 50 * i, each * (1000 + 50 * i)] for i in range(6)]
    found = survey(xlsx({"Deals": rows}), "deals.xlsx")
    assert [name for letters, _, name, _ in found.tables[0].columns if letters == "E"] == [field]
    assert "E" not in [question.column for question in found.questions]


def test_a_rent_that_could_be_either_is_asked_about() -> None:
    """Six dollars a foot: a costly month or a cheap year."""
    rows = [["Tenant", "Unit", "Lease End", "SF", "Rent"]]
    rows += [[f"Tenant {i} LLC", f"{i}A", f"2030-0{1 + i}-01", 1000 + 50 * i, 6 * (1000 + 50 * i)] for i in range(6)]
    question = next(q for q in survey(xlsx({"Deals": rows}), "deals.xlsx").questions if q.column == "E")
    assert {c.field for c in question.candidates} >= {"rent_monthly", "rent_annual"}


@pytest.mark.parametrize("per_area", ["$/SF", "PSF", "Per SF"])
@pytest.mark.parametrize("leases", [2, 3])
def test_what_stands_over_an_area_beside_a_rent_is_the_rents(per_area: str, leases: int) -> None:
    """A rent roll has no price; its rent is a year's where it is what the area comes to."""
    rows = [
        ["101", "Acme LLC", 1000, 24000, 24],
        ["102", "Beta LLC", 1500, 36000, 24],
        ["103", "Gamma", 1200, 30000, 25],
    ]
    table = read([["Unit", "Tenant", "SF", "Rent", per_area], *rows[:leases]]).tables[0]
    assert [column.field for column in table.columns][3:] == ["rent_annual", "rent_psf"]


def test_what_a_months_rent_comes_to_over_an_area_is_no_years() -> None:
    """It is in no field; a column that says so by its header stays."""
    rows = [["101", "Acme LLC", 1000, 2000, 2], ["102", "Beta LLC", 1500, 3000, 2], ["103", "Gamma", 1200, 3000, 2.5]]
    table = read([["Unit", "Tenant", "SF", "Monthly Rent", "$/SF"], *rows]).tables[0]
    assert [column.field for column in table.columns][3:] == ["rent_monthly", None]


def test_a_rent_per_sf_as_low_as_a_months_is_told() -> None:
    """A year's is assumed where nothing tells."""
    rows = [[f"Elm {at}", "Reno", 10 + at, 850, 1.41 + at / 100] for at in range(4)]
    header = ["Property", "City", "Units", "Avg Unit SF", "Rent/SF"]
    assert issues(read([header, *rows]), "rent.period")
    assert not issues(read([header, *([*row[:4], 14 + row[4]] for row in rows)]), "rent.period")


@pytest.mark.parametrize(
    ("header", "taken", "left"),
    [
        (["Property", "City", "Price", "T-12 NOI", "Pro Forma NOI"], "noi", 1),
        (["Property", "City", "Price", "Cap Rate", "Price"], "price", 1),
        (["Property", "City", "Price", "NOI", "Cap Rate"], "noi", 0),
    ],
)
def test_of_several_columns_for_one_field_the_one_that_was_taken_is_told(
    header: list[str], taken: str, left: int
) -> None:
    """The others stay in no field."""
    rows = [[f"Elm {at}", "Reno", 1_000_000 + 7 * at, 60_000 + 31 * at * at, 70_000 + 17 * at * at] for at in range(4)]
    said = [issue for issue in issues(read([header, *rows]), "column.others") if issue.message.startswith(taken)]
    assert len(said) == left


def test_numbers_of_loans_are_no_amounts() -> None:
    """They count up; the balance is the loan's amount."""
    rows = [[at + 1, f"Elm {at}", 1_000_000 + 13_000 * at * at, 0.05, 0.6] for at in range(4)]
    table = read([["Loan", "Property", "Balance", "Rate", "LTV"], *rows]).tables[0]
    amount = table.column_of("loan_amount")
    assert amount is not None
    assert amount.header == "Balance"


@pytest.mark.parametrize(
    ("header", "told"), [("Bruksareal", True), ("Nutzfläche (m²)", False), ("Building Area", False)]
)
def test_an_area_of_a_metric_country_without_a_unit_is_told(header: str, told: bool) -> None:
    """Square feet were assumed, which nobody should take for granted."""
    rows = [[f"Elm {at}", "Bergen", 1_200 + 37 * at, 1_000_000 + 13_000 * at, 1990 + at] for at in range(4)]
    assert bool(issues(read([["Property", "City", header, "Price", "Year Built"], *rows]), "area.unit")) == told


def test_a_senior_loan_comes_before_a_mezzanine_one() -> None:
    """Wherever it stands."""
    rows = [[f"Elm {at}", "Reno", 1_000_000 + at * 17_000, 5_000_000 + at * 31_000, 0.05, 0.6] for at in range(4)]
    header = ["Property", "City", "Mezz Loan Amount", "Senior Loan Amount", "Interest Rate", "LTV"]
    table = read([header, *rows]).tables[0]
    amount = table.column_of("loan_amount")
    assert amount is not None
    assert amount.header == "Senior Loan Amount"
