"""The figures of the design, measured beside the bare libraries and printed; run by `./dealwright test --long`.

Each ceiling is well above what a quiet machine measures: it catches a lost factor, not a busy minute. The figures
themselves are what is printed: read them with `-s`, or ask `dealwright bench` for one.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from worker.cli import main

CEILINGS = {
    "extract": ("ratio_to_calamine", 8.0),
    "deck": ("ratio_per_edition", 4.0),
    "memo": ("ratio_per_edition", 4.0),
    "job": ("ratio_to_bare", 6.0),
    "tokens": ("growth_job_tokens", 1.05),
}


@pytest.mark.bench
@pytest.mark.timeout(900)
@pytest.mark.parametrize("what", CEILINGS)
def test_we_stay_within_a_known_factor_of_the_bare_libraries(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same work by direct calls, in the same run; and tokens that don't grow with the rows."""
    monkeypatch.chdir(tmp_path)
    code = main(["bench", what, "--runs", "3", "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    measured = json.loads(captured.out)
    with capsys.disabled():
        print(f"\n{json.dumps(measured, indent=2)}")
    name, ceiling = CEILINGS[what]
    assert measured[name] < ceiling
