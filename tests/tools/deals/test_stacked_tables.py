"""Many tables on one sheet: a grand total stands for those above by field or by place."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import issues, read


@pytest.mark.parametrize("header", ["Price", "Asking Price"])
def test_a_grand_total_stands_for_all_tables_above_by_field_or_place(header: str) -> None:
    """Columns of the same field elsewhere, or of another field in the same place; a wrong grand total is told."""

    def rows(total: float) -> list[list[object]]:
        found: list[list[object]] = []
        for n in range(3):
            found += [["Property", "City", header], [f"Fox Run {n}", "Akron", 9_200_000 + n], [f"Mill {n}", "Lima", 10]]
            found += [["Total", None, 9_200_010 + n], []]
        found += [["Property", "City", "Price"], ["Gate", "Lima", 700], ["Main", "Lima", 300], ["Total", None, 1000]]
        return [*found, [], ["Grand Total", None, total]]

    assert not issues(read(rows(27_600_033 + 1000)), "total.mismatch")
    assert [issue.found for issue in issues(read(rows(29_000_000)), "total.mismatch")] == ["29,000,000"]
