"""Values as issues say them."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import issues, read
from tools.deals.said import said


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
