"""Workbooks that a library wrote and no program ever calculated: their formulas hold no value."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import column, extract, issues, read, values, xlsx

HEADER = ["Property", "City", "Gross Income", "Operating Expenses", "NOI", "Sale Price"]
PLACES = (("Heron Point", "Tampa"), ("Cedar Hollow", "Macon"), ("Union Yard", "Mobile"))
NOI = [600_000, 500_000, 400_000]


def rows(noi: str) -> list[list[object]]:
    """Three deals whose NOI is the formula `noi`, {r} standing for its row."""
    found: list[list[object]] = [list(HEADER)]
    for at, (name, city) in enumerate(PLACES):
        expenses = 300_000 + 100_000 * at
        found.append([name, city, 900_000, expenses, noi.format(r=at + 2), 10_000_000])
    return found


def no_formula_is_a_value(extraction: Extraction) -> bool:
    """Whether no value of any deal is a formula's text."""
    return not any(
        isinstance(value, str) and value.startswith("=")
        for table in extraction.tables
        for one in table.columns
        for value in one.values
    )


@pytest.mark.parametrize(
    "noi",
    [
        "=C{r}-D{r}",
        "=$C{r}-D$" + "{r}",
        "=SUM(C{r},-D{r})",
        "=ROUND(C{r}-D{r},0)",
        "=IF(D{r}>0,C{r}-D{r},0)",
        "=(C{r}-D{r})*100%",
        "=+C{r}-D{r}",
        "=SUMPRODUCT(C{r}-D{r})",
        "=Deals!C{r}-Deals!D{r}",
        "='Deals'!C{r}-D{r}",
        "=MAX(C{r}-D{r},0)",
    ],
)
def test_plain_arithmetic_is_worked_out(noi: str) -> None:
    """Every record is there, its NOI worked out, said to be so, and the raw value empty as the cell is."""
    extraction = read(rows(noi))
    assert values(extraction, "noi") == NOI
    assert column(extraction, "noi").raws == [None, None, None]
    assert len(issues(extraction, "formula.computed")[0].cells) == 3


@pytest.mark.parametrize(
    "noi", ["=GETNOI(C{r})", "=CUBEVALUE(C{r})", "=[Other.xlsx]Sheet1!C{r}", "=WEBSERVICE(C{r})", "=E{r}"]
)
def test_what_cannot_be_worked_out_is_flagged_and_drops_no_record(noi: str) -> None:
    """The deals stay, the value is missing, the cells are named."""
    extraction = read(rows(noi))
    assert values(extraction, "deal_name") == [name for name, _ in PLACES]
    assert values(extraction, "noi") == [None, None, None]
    flagged = [i for i in extraction.issues if i.code in ("formula.no_value", "value.error")]
    assert flagged[0].cells[0] == "Deals!E2"
    assert no_formula_is_a_value(extraction)


def test_rows_of_formulas_alone_are_records() -> None:
    """A sheet that only points at another one lists its deals."""
    pointing = [HEADER, *([f"=Source!{letter}{row}" for letter in "ABCDEF"] for row in (2, 3, 4))]
    source = [list(HEADER), *([name, city, 900_000, 300_000, 600_000, 10_000_000] for name, city in PLACES)]
    extraction = extract(xlsx({"View": pointing, "Source": source}), "deals.xlsx")
    view = next(table for table in extraction.tables if table.sheet == "View")
    name, noi = view.column_of("deal_name"), view.column_of("noi")
    assert name is not None
    assert noi is not None
    assert list(name.values) == [name for name, _ in PLACES]
    assert list(noi.values) == [600_000] * 3


def test_a_chain_over_rows_and_sheets_is_followed() -> None:
    """Growth on growth, from an assumption on another sheet."""
    deals = rows("=C{r}-D{r}")
    deals[2][2] = "=C2*(1+Assumptions!B1)"
    deals[3][2] = "=C3*(1+Assumptions!B1)"
    book = xlsx({"Deals": deals, "Assumptions": [["Growth", 0.1], ["Term", 5]]})
    extraction = extract(book, "deals.xlsx")
    assert values(extraction, "gross_income") == pytest.approx([900_000, 990_000, 1_089_000])
    assert values(extraction, "noi") == pytest.approx([600_000, 590_000, 589_000])


def test_a_text_that_only_looks_like_a_formula_is_no_value() -> None:
    """In a CSV file a leading = is text: kept raw in a price, flagged, never computed."""
    extraction = extract(b"Property,City,Units,Sale Price\nHeron,Tampa,3,=1+1\nCedar,Macon,4,2500000\n", "deals.csv")
    assert values(extraction, "sale_price") == [None, 2_500_000]
    assert issues(extraction, "value.unparsed")[0].cells == ("D2",)
