"""Totals whose stored value is not what their formula gives: told with what is stored and what it should be."""

from __future__ import annotations

import io
from typing import Any

import pytest
import xlsxwriter

from schemas.deal import Extraction, Issue
from tools.deals import stale as module
from tools.deals.extract import extract

DEALS = [
    ("Elm Court", 1_200_000, 0.05),
    ("Oak House", 2_400_000, 0.06),
    ("Ash Plaza", 900_000, 0.07),
    ("Fir Tower", 3_100_000, 0.055),
]


def stale(price: str, price_stored: float, rate: str = "", rate_stored: float = 0.0) -> list[Issue]:
    """The issues of a list whose total row has the formulas with the stored values."""
    stream = io.BytesIO()
    book: Any = xlsxwriter.Workbook(stream)
    sheet = book.add_worksheet("Deals")
    for row, line in enumerate([("Property", "Purchase Price", "Cap Rate"), *DEALS]):
        sheet.write_row(row, 0, line)
    sheet.write(5, 0, "Total")
    sheet.write_formula(5, 1, f"={price}", None, price_stored)
    if rate:
        sheet.write_formula(5, 2, f"={rate}", None, rate_stored)
    book.close()
    return [issue for issue in extract(stream.getvalue(), "deals.xlsx").issues if issue.code == "formula.stale"]


@pytest.mark.parametrize("formula", ["B2+B3+B4+B5", "SUMPRODUCT(B2:B5)", 'SUMIF(B2:B5,">0")', "ROUND(SUM(B2:B4)+B5,0)"])
def test_a_total_of_any_plain_formula_is_worked_out_again(formula: str) -> None:
    """One deal was changed after the last calculation: the cell, what it says and what it should say."""
    (issue,) = stale(formula, 7_500_000.0)
    assert (issue.cells, issue.expected, issue.found) == (("Deals!B6",), "7600000", "7500000")
    assert issue.message == (
        "The total of price says 7,500,000; its formula gives 7,600,000 with the cells as they are now."
    )


def test_a_weighted_mean_beside_a_sound_total_is_found_alone() -> None:
    """Ratios in a total's row are worked out as well; a right total is no issue."""
    rate = "SUMPRODUCT(B2:B5,C2:C5)/SUM(B2:B5)"
    (issue,) = stale("SUM(B2:B5)", 7_600_000.0, rate, 0.061)
    assert issue.cells == ("Deals!C6",)
    assert float(issue.expected or 0) == pytest.approx((60_000 + 144_000 + 63_000 + 170_500) / 7_600_000)


@pytest.mark.parametrize(
    ("formula", "stored"),
    [
        ("SUM(B2:B5)", 7_600_000.0),
        ("SUM(B2:B5)", 7_600_000.0000001),
        ("SUM(B2:B5)+NOW()", 1.0),
        ("OFFSET(B1,1,0)", 5.0),
    ],
)
def test_sound_totals_and_formulas_that_are_not_plain_are_no_issue(formula: str, stored: float) -> None:
    """Nothing is said of what can't be worked out."""
    assert stale(formula, stored) == []


def test_a_stale_sum_of_the_records_is_told_once() -> None:
    """The comparison with the records tells of it already."""
    assert stale("SUM(B2:B5)", 7_500_000.0) == []


def listed(count: int, stored: dict[int, float | None], formula: str = "=B{n}*C{n}") -> Extraction:
    """A list of `count` deals whose NOI is a formula; `stored` has what the file holds for some, right for the others.

    None stands for a value typed over the formula.
    """
    stream = io.BytesIO()
    book: Any = xlsxwriter.Workbook(stream)
    sheet = book.add_worksheet("Deals")
    sheet.write_row(0, 0, ("Property", "Purchase Price", "Cap Rate", "NOI"))
    for n in range(2, count + 2):
        price = 1_000_000 + 5_000 * n
        sheet.write_row(n - 1, 0, (f"Plaza {n}", price, 0.06))
        value = stored.get(n, price * 0.06)
        if value is None:
            sheet.write(n - 1, 3, 77_000)
        else:
            sheet.write_formula(n - 1, 3, formula.format(n=n), None, value)
    book.close()
    return extract(stream.getvalue(), "deals.xlsx")


def stale_in(found: Extraction) -> list[Issue]:
    """Its issues on stale formulas."""
    return [issue for issue in found.issues if issue.code == "formula.stale"]


def test_a_stored_value_of_a_record_that_its_formula_no_longer_gives_is_told() -> None:
    """The column, the cells, what the first says and should say; the deals carry a mark, and keep what is stored."""
    found = listed(9, {3: 90_000.0, 5: 12.0})
    (issue,) = stale_in(found)
    assert (issue.severity, issue.cells, issue.expected, issue.found) == (
        "error",
        ("Deals!D3", "Deals!D5"),
        "60900",
        "90000",
    )
    assert issue.message == (
        "noi: Deals!D3 says 90,000; its formula gives 60,900 with the cells as they are now, and 1 more differs. "
        "Nobody recalculated the file; the stored values were taken."
    )
    assert {at: said for at, said in found.tables[0].warnings.items() if "formula.stale: noi" in said}.keys() == {1, 3}
    assert list(found.tables[0].column_of("noi").values[1:4]) == [90_000, 61_200, 12]  # pyright: ignore[reportOptionalMemberAccess] it is there


def test_all_cells_of_a_column_are_told_of_where_a_sample_shows_one() -> None:
    """Of a thousand deals a few are looked at, all where one of those is stale."""
    every: dict[int, float | None] = dict.fromkeys(range(2, 1_002), 5.0)
    (issue,) = stale_in(listed(1_000, every))
    assert "999 more differ" in issue.message
    assert len(issue.cells) == 50


def test_of_a_sound_column_only_a_sample_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long list costs no more than a short one."""
    seen: list[int] = []

    def counting(*args: Any) -> Any:
        cells = list(args[2])
        seen.append(len(cells))
        return whole(args[0], args[1], cells, *args[3:])

    whole = module.recompute
    monkeypatch.setattr(module, "recompute", counting)
    assert stale_in(listed(1_000, {})) == []
    assert sum(seen) <= 20


def test_many_stale_columns_cost_no_more_than_their_workbook_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they may cost is shared by all columns and tables; of those beyond it, the sample is told."""
    monkeypatch.setattr(module, "_COLUMNS_COST", 10_000)
    (issue,) = stale_in(listed(2_000, dict.fromkeys(range(2, 2_002), 5.0)))
    assert 12 < int(issue.message.split(", and ")[1].split(" more")[0]) < 600
    monkeypatch.setattr(module, "_COLUMNS_COST", 0)
    (issue,) = stale_in(listed(2_000, dict.fromkeys(range(2, 2_002), 5.0)))
    assert "11 more differ" in issue.message


@pytest.mark.parametrize(
    ("stored", "formula"),
    [
        ({3: None}, "=B{n}*C{n}"),
        ({3: 5.0}, "=B{n}*C{n}+0*NOW()"),
        ({3: 60_900.000_001}, "=B{n}*C{n}"),
        ({3: 5.0}, "=OFFSET(B{n},0,0)"),
    ],
    ids=["typed over", "of the day", "rounded", "not plain"],
)
def test_records_that_are_sound_or_cannot_be_worked_out_are_no_issue(
    stored: dict[int, float | None], formula: str
) -> None:
    """Nothing is said of them."""
    assert stale_in(listed(9, stored, formula)) == []


def test_a_list_whose_formulas_nobody_worked_out_has_their_values_and_says_so() -> None:
    """Every formula's stored value is 0: the NOI is worked out, and the sheet's issue tells why."""
    found = listed(9, dict.fromkeys(range(2, 11), 0.0))
    assert stale_in(found) == []
    said = [issue.message for issue in found.issues if issue.code == "formula.computed"]
    assert any("its 9 formulas all hold 0, as a program leaves them that does not calculate" in each for each in said)
    assert found.tables[0].column_of("noi").values[0] == pytest.approx(60_600)  # pyright: ignore[reportOptionalMemberAccess] it is there
