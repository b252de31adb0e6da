"""Groups with subtotals and a grand total: none of them is a deal, all of them are checks."""

from __future__ import annotations

import pytest

from schemas.deal import Extraction
from tests.tools.deals.books import extract, issues, read, xlsx

HEADER = ["Property", "City", "Units", "Sale Price", "NOI"]
GROUPS: dict[str, list[list[object]]] = {
    "Northeast": [["Heron Point", "Tampa", 10, 1_000_000, 60_000], ["Cedar Hollow", "Macon", 20, 2_000_000, 130_000]],
    "Midwest": [["Union Yard", "Mobile", 30, 3_000_000, 190_000], ["Prairie Hub", "Joliet", 40, 4_100_000, 250_000]],
    "West": [["Alder Court", "Reno", 50, 5_300_000, 330_000], ["Quarry Row", "Elko", 60, 6_200_000, 410_000]],
}
NAMES = [str(row[0]) for group in GROUPS.values() for row in group]


def sheet(label: str, grand: str, typed: bool, headed: bool, above: bool = False) -> list[list[object]]:
    """The groups with a subtotal each and a grand total; `typed` totals are numbers, others formulas."""
    rows: list[list[object]] = [list(HEADER)]
    sums: list[int] = []
    for name, group in GROUPS.items():
        if headed:
            rows.append([name])
        first = len(rows) + 1 + above
        own = [sum(row[at] for row in group) for at in (2, 3, 4)]
        formulas = [f"=SUM({letter}{first}:{letter}{first + len(group) - 1})" for letter in "CDE"]
        total: list[object] = [label.format(name), None, *(own if typed else formulas)]
        rows += [total, *group] if above else [*group, total]
        sums.append(first - 1 if above else len(rows))
    whole: list[object] = [sum(row[at] for g in GROUPS.values() for row in g) for at in (2, 3, 4)]
    pointing = ["=" + "+".join(f"{letter}{row}" for row in sums) for letter in "CDE"]
    return [*rows, [grand, None, *(whole if typed else pointing)]]


def without_totals(extraction: Extraction) -> bool:
    """Whether the deals are the six, and nothing else."""
    return [name for table in extraction.tables for name in table.column_of("deal_name").values] == NAMES


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "formulas"])
@pytest.mark.parametrize("headed", [True, False], ids=["headed", "bare"])
@pytest.mark.parametrize(
    ("label", "grand"),
    [
        ("Total {}", "Grand Total"),
        ("{} Total", "Total"),
        ("Subtotal", "TOTAL PORTFOLIO"),
        ("Sub-total - {}", "Portfolio Total"),
        ("Summe {}", "Gesamtsumme"),
    ],
)
def test_rollups_are_no_deals_and_foot(label: str, grand: str, headed: bool, typed: bool) -> None:
    """Whatever they are called, with or without headings, typed or summed by formulas."""
    extraction = read(sheet(label, grand, typed, headed))
    assert without_totals(extraction)
    assert not [issue for issue in extraction.issues if issue.code.startswith("total.")]
    assert [span.row_class for span in extraction.tables[0].excluded_rows].count("total") >= 1


@pytest.mark.parametrize("place", [("C", 4), ("D", 4), ("D", 7), ("E", 10), ("D", 11)])
def test_a_tampered_rollup_is_reported_with_its_cell(place: tuple[str, int]) -> None:
    """A subtotal or the grand total that was typed over: expected is what the deals give."""
    letter, row = place
    rows = sheet("Total {}", "Grand Total", typed=True, headed=False)
    at = "ABCDE".index(letter)
    right = rows[row - 1][at]
    rows[row - 1][at] = right + 700_000
    extraction = read(rows)
    assert without_totals(extraction)
    found = issues(extraction, "total.mismatch")
    assert [issue.cells for issue in found] == [(f"Deals!{letter}{row}",)]
    assert found[0].expected == f"{right:,}"


def test_a_stale_cache_is_found() -> None:
    """A formula that sums its rows, but whose stored value is of yesterday."""
    import io
    import re
    import zipfile

    data = xlsx({"Deals": sheet("Total {}", "Grand Total", typed=False, headed=False)})
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name.endswith("sheet1.xml"):
                text = re.sub(rb'(<c r="D4"[^>]*><f>[^<]*</f>)<v\s*/?>(?:</v>)?', rb"\g<1><v>9999999</v>", text)
                assert b"9999999" in text
            new.writestr(name, text)
    found = issues(extract(packed.getvalue(), "deals.xlsx"), "total.stale")
    assert (found[0].cells, found[0].found) == (("Deals!D4",), "9,999,999")


@pytest.mark.parametrize("off", [0.4, 0.99, -0.99])
def test_a_total_within_a_dollar_foots(off: float) -> None:
    """The tolerance of agreed-upon procedures: $1.00 or 0.1 %."""
    deals = [["A", "Reno", 3, 100.0], ["B", "Reno", 4, 200.0], ["C", "Reno", 8, 310.0]]
    rows = [["Property", "City", "Units", "Annual Rent"], *deals, ["Total", None, 15, 610.0 + off]]
    assert not issues(read(rows), "total.mismatch")
