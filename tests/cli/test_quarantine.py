"""`dealwright quarantine` and `dealwright sweep`, as an operator uses them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.cli.conftest import Line
from tests.conformance.places import Bucket
from worker import lost_uploads, sweeping
from worker.adapters.files import only_worker
from worker.bootstrap import open_app
from worker.jobs import submit_file
from worker.ledger.leases import take_lease
from worker.ledger.messages import mark_sent, unsent
from worker.settings import load_settings


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


def test_a_sweep_where_no_worker_runs_brings_what_one_that_was_killed_left(line: Line, few: Path) -> None:
    """At once, whatever its messages' age; while a worker may have them, it says how long they are trusted."""
    settled = load_settings()

    async def leave() -> None:
        async with open_app(settled) as app:
            job_id = (await submit_file(app, few, by="analyst")).job_id
            async with app.ledger.change(job_id, "take") as change:
                assert await take_lease(change, change.job, app.terms, "extraction")
            await mark_sent(app.ledger, [row["id"] for row in await unsent(app.ledger)])

    asyncio.run(leave())
    with only_worker(settled.state_dir):
        assert line("sweep", "--json").document["reissued"] == 0
    assert line("sweep", "--json").document["reissued"] == 1
    assert line("sweep", "--json").document["on_their_way"] == {"received": 1}
    said = line("sweep").out
    assert "Nobody is at work yet on 1 received" in said
    assert "15 minutes" in said
    assert "dealwright work does" in said


def test_a_sweep_prints_what_it_did(line: Line, few: Path) -> None:
    """Nothing to do is said as well; dead letters are Pub/Sub's."""
    counts = {"reissued": 0, "published": 0, "expired": 0, "posted": 0}
    inbox = {"found": 0, "looked_at": 0, "awaited": 0, "inbox_goes_on": False}
    assert line("sweep", "--json").document == counts | inbox | {"stuck": {}, "on_their_way": {}}
    assert "0 messages issued anew" in line("sweep").out
    refused = line("sweep", "--dead")
    assert refused.code == 2
    assert "DEALWRIGHT_TRANSPORT=pubsub" in refused.err


def test_a_sweep_says_what_it_found_in_the_inbox_and_whether_that_was_all(
    line: Line, gcs_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By numbers; whoever works goes through the rest."""
    bucket = Bucket(gcs_url)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", gcs_url)
    monkeypatch.setenv("DEALWRIGHT_INBOX", f"gs://{bucket.bucket}")
    assert "0 gates expired" in line("sweep").out
    for name in ("a", "b"):
        bucket.put(f"inbox/{name}.csv", b"x")
    bucket.close()
    said = line("sweep").out
    assert "0 uploads found that no job knew. 2 uploads have no job, and are less than 15 minutes old: a" in said
    monkeypatch.setattr(lost_uploads, "REISSUE_S", -60)
    monkeypatch.setattr(lost_uploads, "PAGE", 1)
    monkeypatch.setattr(sweeping, "MOST_PAGES", 1)
    said = line("sweep").out
    assert "1 uploads found that no job knew. The inbox holds more than the 1 that were looked at;" in said
    monkeypatch.setattr(sweeping, "MOST_PAGES", 9)
    said = line("sweep").out
    assert "1 uploads found that no job knew." in said
    assert "holds more" not in said
    assert line("jobs", "--json").document[0]["state"] == "received"
