"""A line that only names a charge and its amount is no deal, though it is the only one of its kind."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import issues, read, values

HEADER = ["Unit", "Type", "SF", "Resident", "Market Rent", "Charge Code", "Amount", "Move In", "Lease End"]
UNITS: list[list[object]] = [
    ["101", "1BR", 650, "Anvil Coffee LLC", 1200, "rent", 1150, dt.date(2022, 1, 1), dt.date(2024, 12, 31)],
    ["102", "1BR", 655, "VACANT", 1210],
    ["103", "2BR", 900, "Brass Books LLC", 1500, "rent", 1450, dt.date(2023, 1, 1), dt.date(2025, 1, 31)],
    ["104", "2BR", 905, "Copper Gym LLC", 1510, "rent", 1460, dt.date(2023, 2, 1), dt.date(2025, 2, 28)],
]


@pytest.mark.parametrize("code", ["pet", "Parking", "CAM"])
@pytest.mark.parametrize("after", [1, 2, 3])
def test_one_charge_under_a_unit_is_no_deal(code: str, after: int) -> None:
    """Also under a vacant one; what it holds is said to be in no field."""
    line: list[object] = [None, None, None, None, None, code, 25]
    extraction = read([HEADER, *UNITS[:after], line, *UNITS[after:]])
    assert values(extraction, "suite") == ["101", "102", "103", "104"]
    assert values(extraction, "rent_monthly") == [1150, None, 1450, 1460]
    (said,) = issues(extraction, "record.continued")
    assert said.cells == (f"Deals!A{after + 2}",)
    assert said.message.startswith("1 row only goes on")


def test_a_line_that_names_no_charge_stays_a_deal_and_is_told() -> None:
    """Nothing says what it is, and no field of it is filled."""
    header = ["Property", "City", "Units", "Sale Price", "Grade", "Score"]
    deals = [["Elm Row", "Reno", 10, 1_000_000, "A", 7.1], ["Oak Row", "Elko", 20, 2_100_000, "B", 6.3]]
    deals += [["Fir Row", "Reno", 31, 3_300_000, "A", 5.2], ["Ash Row", "Elko", 35, 4_700_000, "C", 8.8]]
    lone: list[object] = [None, None, None, None, "B", 6.6]
    extraction = read([header, *deals[:2], lone, *deals[2:]])
    assert extraction.deal_count == 5
    (said,) = issues(extraction, "record.unfielded")
    assert said.cells == ("Deals!A4",)
    assert not issues(read([header, *deals]), "record.unfielded")
