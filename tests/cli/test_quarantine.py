"""`dealwright quarantine` and `dealwright sweep`, as an operator uses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Line


@pytest.fixture
def set_aside(line: Line, folder: Path) -> list[str]:
    """Two jobs that were set aside, the last one first."""
    for name in ("a.xlsx", "b.xlsx"):
        (folder / name).write_bytes(b"PK\x03\x04 cut short")
        assert line("process", name).code == 2
    return [job["job_id"] for job in line("quarantine", "list", "--json").document]


def test_what_is_set_aside_is_listed_with_its_reason(line: Line, set_aside: list[str]) -> None:
    """A line a job, and how many there are of each code; one job is shown as `show` shows it."""
    assert len(set_aside) == 2
    ran = line("quarantine", "list")
    assert [job[:12] in ran.out for job in set_aside] == [True, True]
    assert "2 jobs: 2 file." in ran.out
    assert line("quarantine", "show", set_aside[0]).out == line("show", set_aside[0]).out


def test_released_jobs_go_on_and_the_others_are_told_of(line: Line, set_aside: list[str]) -> None:
    """One that is unknown does not keep the others back; one that was released before is none any more."""
    ran = line("quarantine", "release", set_aside[0], "nothere", set_aside[1], "--json")
    assert ran.code == 2
    assert [each.get("state") for each in ran.document] == ["extracting", None, "extracting"]
    assert ran.document[1]["error"]["code"] == "job.unknown"
    assert "No job is set aside" in line("quarantine", "list").out
    again = line("quarantine", "release", set_aside[0])
    assert again.code == 2
    assert "is not quarantined" in again.err


def test_a_sweep_prints_what_it_did(line: Line, few: Path) -> None:
    """Nothing to do is said as well; dead letters are Pub/Sub's."""
    assert line("sweep", "--json").document == {"reissued": 0, "published": 0, "expired": 0, "posted": 0, "stuck": {}}
    assert "0 messages issued anew" in line("sweep").out
    refused = line("sweep", "--dead")
    assert refused.code == 2
    assert "DEALWRIGHT_TRANSPORT=pubsub" in refused.err
