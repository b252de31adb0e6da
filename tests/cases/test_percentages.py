"""A percentage may be a fraction under a format, a text with a sign, or a bare number: all mean the same."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import column, extract, issues, listed, read, values, xlsx

CAP_RATES = [0.055, 0.0625, 0.07, 0.0475]
WAYS: dict[str, tuple[str, str, list[object]]] = {
    "a format": ("Cap Rate", "0.0%", list(CAP_RATES)),
    "a format of two places": ("Cap Rate", "0.00%;[Red]-0.00%", list(CAP_RATES)),
    "texts with a sign": ("Cap Rate", "", ["5.5%", "6.25%", "7%", "4.75%"]),
    "texts with a blank before the sign": ("Cap Rate", "", ["5.50 %", "6.25 %", "7.00 %", "4.75 %"]),
    "decimal commas": ("Cap Rate", "", ["5,5%", "6,25%", "7,0%", "4,75%"]),
    "fractions of a percent": ("Cap Rate", "", ["5 1/2%", "6 1/4%", "7%", "4 3/4%"]),
    "fractions with a hyphen": ("Cap Rate", "", ["5-1/2%", "6-1/4%", "7%", "4-3/4%"]),
    "vulgar fractions": ("Cap Rate", "", ["5½%", "6¼%", "7%", "4¾%"]),
    "words": ("Cap Rate", "", ["5.5 percent", "6.25 pct", "7 percent", "4.75 pct"]),
    "basis points": ("Cap Rate", "", ["550 bps", "625 bps", "700 bps", "475 bps"]),
    "points under a header with a sign": ("Cap %", "", [5.5, 6.25, 7, 4.75]),
    "points under a header that says nothing": ("Cap Rate", "", [5.5, 6.25, 7.0, 4.75]),
    "points under a painted sign": ("Cap Rate", '0.00"%"', [5.5, 6.25, 7.0, 4.75]),
    "fractions with no format": ("Cap Rate", "", list(CAP_RATES)),
    "number texts": ("Cap Rate", "", ["5.5", "6.25", "7.00", "4.75"]),
    "marked as approximate": ("Cap Rate", "", ["~5.5%", "6.25%*", "7%", "c. 4.75%"]),
    "with words beside": ("Cap Rate", "", ["5.5% (pro forma)", "6.25% actual", "7%", "4.75%"]),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_write_cap_rates_gives_the_same_fractions(way: str) -> None:
    """The value is a fraction whatever the cell holds, and what it holds is kept."""
    header, shown, held = WAYS[way]
    extraction = listed(held, header, shown)
    assert values(extraction, "cap_rate") == pytest.approx(CAP_RATES)
    assert list(column(extraction, "cap_rate").raws) == held


def test_three_ways_in_three_sheets_of_a_workbook_agree() -> None:
    """Each sheet is read by its own formats and headers."""
    head = ["Property", "City", "Units"]
    sheets = {
        name: [[*head, header], *([f"{name} {i}", "Reno", 3 + i, value] for i in range(4))]
        for name, header, value in (("One", "Cap Rate", 0.055), ("Two", "Cap Rate", "5.5%"), ("Three", "Cap %", 5.5))
    }
    extraction = extract(xlsx(sheets, {f"One!D{row}": "0.0%" for row in range(2, 6)}), "deals.xlsx")
    assert len(extraction.tables) == 3
    for table in extraction.tables:
        found = table.column_of("cap_rate")
        assert found is not None
        assert list(found.values) == pytest.approx([0.055] * 4)


@pytest.mark.parametrize(
    ("header", "field", "held", "fraction"),
    [
        ("Occupancy %", "occupancy", [95, 88, 100], [0.95, 0.88, 1.0]),
        ("Occupancy", "occupancy", ["95%", 0.88, "100%"], [0.95, 0.88, 1.0]),
        ("LTV (%)", "ltv", [56.9, 64.1, 75], [0.569, 0.641, 0.75]),
        ("Interest Rate", "interest_rate", [6.8256, 5.125, 4.0], [0.068256, 0.05125, 0.04]),
        ("Note Rate", "interest_rate", [0.068256, 0.05125, 0.04], [0.068256, 0.05125, 0.04]),
        ("Probability", "probability", [75, 50, 100], [0.75, 0.5, 1.0]),
        ("Prob. (%)", "probability", ["75%", "50 %", "100%"], [0.75, 0.5, 1.0]),
    ],
)
def test_other_percentages_follow_the_same_rule(
    header: str, field: str, held: list[object], fraction: list[float]
) -> None:
    """Occupancy, loan to value, rates and probabilities."""
    assert values(listed(held, header), field) == pytest.approx(fraction)


def test_a_hundredfold_slip_is_named() -> None:
    """550 % under a percent format, and one bare number among fractions that no reading saves."""
    deals = [[f"P{i}", "Reno", 4, 0.055] for i in range(5)]
    rows = [["Property", "City", "Units", "Cap Rate"], *deals, ["P9", "Reno", 4, 5.5]]
    extraction = read(rows, {f"D{row}": "0.0%" for row in range(2, 8)})
    slip = issues(extraction, "slip.hundredfold")[0]
    assert (slip.cells, slip.expected) == (("Deals!D7",), "0.055")
