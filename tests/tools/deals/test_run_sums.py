"""Sums of runs are those of their numbers, and rows beside records are read once, however many totals there are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.tools.deals.books import issues, read_csv
from tools.deals.run_sums import RunSums
from tools.deals.total_amounts import TotalAmounts


@pytest.mark.parametrize("span", [(0, 0), (5, 6), (0, 40_000), (1023, 20_001), (1024, 30_720), (31_000, 40_000)])
def test_a_run_has_the_sum_of_its_numbers(span: tuple[int, int]) -> None:
    """Long runs too, and what is no number counts for nothing."""
    amounts = np.arange(40_000) / 8
    amounts[::7] = np.nan
    expected = float(np.nansum(amounts[span[0] : span[1]]))
    assert RunSums(amounts).run(*span) == pytest.approx(expected, rel=1e-12)


def test_several_runs_have_the_sum_of_all() -> None:
    """As a section that goes on further below."""
    sums = RunSums(np.array([1.0, 2.0, np.nan, 8.0]))
    assert sums.spans(((0, 1), (3, 3))) == 11.0
    assert sums.spans(()) == 0.0


def test_each_row_is_read_once_for_all_wrong_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands between the totals may explain any of them, but costs one look at each of its cells."""
    lines = ["Property,City,Units,Asking Price"]
    for group in range(60):
        lines += [f"Section {group},,,", *(f"House {group}-{n},Springfield,{n + 7},{n + 2}250000" for n in range(3))]
        lines += [f"Total,,{901 + group},{group + 3}7550000"]
    seen = Counter[object]()
    reads = TotalAmounts.read

    def counted(self: TotalAmounts, value: object) -> float | None:
        seen[value] += 1
        return reads(self, value)

    monkeypatch.setattr(TotalAmounts, "read", counted)
    extraction = read_csv("\n".join(lines))
    assert extraction.deal_count == 180
    assert len(issues(extraction, "total.mismatch")) == 120
    assert max(seen.values()) <= 60
