"""Values as issues say them."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

import pytest

from tests.tools.deals.books import issues, listed, read
from tools.deals.extract import extract
from tools.deals.said import as_held, plain, said
from tools.workbook.grid import CellError


@pytest.mark.parametrize(
    ("value", "field", "text"),
    [
        (0.065, "cap_rate", "6.5%"),
        (0.0704133, "cap_rate", "7.04%"),
        (6.5, "cap_rate", "650%"),
        (1.0, "occupancy", "100%"),
        (3200000.0, "asking_price", "3,200,000"),
        (-1234.5, "noi", "-1,234.5"),
        (1.275, "dscr", "1.28"),
        (0.00123, "dscr", "0.00123"),
        (1998, "year_built", "1998"),
        ("TBD", "noi", "TBD"),
        (float("nan"), "noi", "nan"),
        (0.5, None, "0.5"),
        (1e308, "noi", "1.0e308"),
        (-(10**30), "noi", "-1.0e30"),
    ],
)
def test_a_value_is_said_in_its_fields_unit(value: object, field: str | None, text: str) -> None:
    """Fractions in per cent, amounts in groups, years and texts as they stand."""
    assert said(value, field) == text


def test_a_cap_rate_that_does_not_tie_is_said_in_per_cent() -> None:
    """The sentence has percentages; what was found and expected stay fractions, for programs."""
    rows = [[f"Cedar {n}", 1_000_000, 65_000, 0.065] for n in range(9)]
    rows[4][3] = 0.072
    (found,) = issues(read([["Property Name", "Asking Price", "NOI", "Cap Rate"], *rows]), "cap_rate.mismatch")
    assert found.message == "cap_rate is 7.2% where NOI ÷ price gives 6.5%."
    assert (found.found, found.expected) == ("0.072", "0.065")


HELD: list[tuple[object, str]] = [
    (True, "TRUE"),
    (False, "FALSE"),
    (12, "12"),
    (12_500_000.0, "12500000"),
    (0.1 + 0.2, "0.3"),
    (-1234.5, "-1234.5"),
    (1e308, "1.0e308"),
    (10**307, "1.0e307"),
    (5e-324, "5.0e-324"),
    (0, "0"),
    (0.000123, "0.000123"),
    (float("nan"), "nan"),
    (Decimal("3200000.50"), "3200000.5"),
    (Decimal("1E+400"), "1.0e400"),
    (dt.date(2026, 3, 5), "2026-03-05"),
    (dt.datetime.fromisoformat("2026-03-05"), "2026-03-05"),
    (dt.datetime.fromisoformat("2026-03-05 14:30"), "2026-03-05 14:30"),
    (dt.time(0, 0), "00:00"),
    (dt.time(9, 5, 7), "09:05:07"),
    (dt.timedelta(hours=30), "30:00"),
    (dt.timedelta(minutes=-90, seconds=-5), "-1:30:05"),
    (CellError("#REF!"), "#REF!"),
    ("TBD", "'TBD'"),
    ("Heron's", '"Heron\'s"'),
    ("two\nlines\tand more", "'two lines and more'"),
    ("a\u202eb\x00", "'a\ufffdb\ufffd'"),
    ("x" * 41, "'" + "x" * 39 + "…'"),
]


@pytest.mark.parametrize(("value", "text"), HELD)
def test_what_a_cell_holds_is_told_as_people_write_it(value: object, text: str) -> None:
    """No value shows as a program writes it."""
    assert as_held(value) == text
    assert plain(value) == (text[1:-1] if isinstance(value, str) else text)


@pytest.mark.parametrize(
    "header", ["Asking Price", "Cap Rate", "Year Built", "Sale Date", "Building SF", "DSCR", "City "]
)
def test_no_issue_shows_a_value_as_a_program_writes_it(header: str) -> None:
    """Each kind of value a cell can hold, in columns of each type, one odd one among good ones."""
    good = {"Cap Rate": 0.06, "Year Built": 1998, "Sale Date": dt.date(2025, 5, 1), "City ": "Reno", "DSCR": 1.25}
    for value, _ in HELD:
        if (
            isinstance(value, (CellError, Decimal))
            or str(value) == "nan"
            or (isinstance(value, str) and "\x00" in value)
        ):
            continue
        extraction = listed([*[good.get(header, 2_000_000)] * 8, value], header)
        for issue in extraction.issues:
            told = " ".join((issue.message, issue.found or "", issue.expected or ""))
            assert not re.search(r"datetime\.|Decimal\(|CellError|timedelta|\\d{25}|\\n|True|False", told), told
            assert len(told) < 400


def test_the_totals_of_endless_numbers_are_said_in_short() -> None:
    """A stated total of 1e308 over small amounts, and a ratio of such."""
    text = (
        "Property,Asking Price,NOI,Cap Rate\nHeron,1000000,60000,0.06\nCedar,2000000,1e300,0.06\nUnion,2500000,9,0.07\n"
    )
    extraction = extract(f"{text}Total,1e308,1e300,\n".encode(), "deals.csv")
    assert extraction.issues
    assert all(len(issue.message) < 300 and len(issue.found or "") < 40 for issue in extraction.issues)
