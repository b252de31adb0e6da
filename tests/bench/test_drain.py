"""The drain of small jobs through real servers, as `python -m tests.bench.drain` does it, with few of them."""

from __future__ import annotations

import json

import pytest

from tests.bench.drain import measure


@pytest.mark.bench
@pytest.mark.timeout(900)
def test_small_jobs_drain_without_loss(capsys: pytest.CaptureFixture[str]) -> None:
    """20 jobs with one worker process and with two; figures of more are what `python -m tests.bench.drain` prints."""
    measured = measure(20, (1, 2), 6)
    with capsys.disabled():
        print(f"\n{json.dumps(measured, indent=1)}")
    for run in measured["runs"]:
        assert (run["delivered"], run["losses"], run["duplicates"], run["other_faults"]) == (20, 0, 0, {})
