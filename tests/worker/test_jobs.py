"""What people ask for: jobs submitted, shown, cancelled, taken up again."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from schemas import ids
from schemas.errors import ConflictError, InputError
from tests.walks.workbook import small_workbook
from worker import jobs
from worker.adapters.files import DeliveryFolder
from worker.app import App, Progress


async def test_a_file_becomes_a_job_whose_bytes_are_kept(app: App, workbook: Path) -> None:
    """The file may go away afterwards."""
    submitted = await jobs.submit_file(app, workbook, by="analyst")
    workbook.unlink()  # noqa: ASYNC240 a test may block
    detail = await jobs.show_job(app, submitted.job_id)
    assert (submitted.was, detail.state, detail.submitted_by) == ("new", "received", "analyst")
    shelf = (await app.services()).shelf
    kept = await shelf.load("default", "any", detail.upload.artifact, detail.upload.version)
    assert kept == small_workbook()
    assert detail.upload.sha256 == ids.sha256_hex(small_workbook())


async def test_the_same_file_is_the_same_job(app: App, workbook: Path) -> None:
    """However often it is submitted, and at once."""
    submitted = await asyncio.gather(*(jobs.submit_file(app, workbook, by="analyst") for _ in range(4)))
    assert len({each.job_id for each in submitted}) == 1
    assert (await jobs.submit_file(app, workbook, by="analyst")).was == "continued"
    assert len(await jobs.list_jobs(app)) == 1


async def test_other_bytes_or_another_place_are_another_job(app: App, workbook: Path) -> None:
    """A corrected file is a new version of the same artifact."""
    first = await jobs.submit_file(app, workbook, by="analyst")
    workbook.write_bytes(small_workbook() + b" ")  # noqa: ASYNC240 a test may block
    second = await jobs.submit_file(app, workbook, by="analyst")
    elsewhere = workbook.with_name("copy.xlsx")
    elsewhere.write_bytes(small_workbook())
    third = await jobs.submit_file(app, elsewhere, by="analyst")
    uploads = [(await jobs.show_job(app, each.job_id)).upload for each in (first, second, third)]
    assert len({first.job_id, second.job_id, third.job_id}) == 3
    assert [upload.version for upload in uploads] == [0, 1, 0]
    assert uploads[0].artifact == uploads[1].artifact != uploads[2].artifact


async def test_a_fresh_start_is_a_new_job_and_then_the_one_that_goes_on(app: App, workbook: Path) -> None:
    """Without `fresh`, the newest job of the file is the one that is meant."""
    first = await jobs.submit_file(app, workbook, by="analyst")
    fresh = await jobs.submit_file(app, workbook, fresh=True, by="analyst")
    again = await jobs.submit_file(app, workbook, by="analyst")
    assert fresh.was == "new"
    assert fresh.job_id != first.job_id
    assert (again.job_id, again.was) == (fresh.job_id, "continued")


async def test_a_job_runs_to_its_gate_and_tells_its_steps(app: App, workbook: Path) -> None:
    """In the order in which they happen; documents may be made in either order."""
    seen: list[Progress] = []
    submitted = await jobs.submit_file(app, workbook, by="analyst")
    assert await jobs.run_until_quiet(app, submitted.job_id, seen.append) == "waiting"
    steps = [(told.step, told.what) for told in seen if told.step != "tool_called"]
    assert steps[:2] == [("started", "extraction"), ("started", "presentation")]
    assert sorted(steps[2:4]) == [("ordered", "deck"), ("ordered", "memo")]
    assert sorted(steps[4:6]) == [("rendered", "deck"), ("rendered", "memo")]
    assert steps[6:] == [("asked", "approval")]
    assert [told.what for told in seen if told.step == "tool_called"][:2] == ["inspect_workbook", "extract_deals"]


async def test_a_workbook_that_cannot_be_used_is_set_aside_in_one_attempt(app: App, tmp_path: Path) -> None:
    """Trying again would change nothing; the sentence names the file and what to do."""
    path = tmp_path / "page.xls"
    path.write_bytes(b"<html><body><table><tr><td>Price</td></tr></table></body></html>")
    submitted = await jobs.submit_file(app, path, by="analyst")
    assert await jobs.run_until_quiet(app, submitted.job_id) == "quarantined"
    detail = await jobs.show_job(app, submitted.job_id)
    assert detail.reason is not None
    assert detail.reason.code == "file.html"
    assert detail.reason.message.startswith("page.xls ")
    assert [attempt.outcome for attempt in detail.attempts] == ["failed"]
    assert [line.action for line in detail.audit] == ["submitted", "quarantined"]


async def test_a_job_that_waits_is_shown_whole(app: App, waiting: str) -> None:
    """Stages, stamps, tickets with what they bind, documents with their hashes; by the beginning of its id."""
    detail = await jobs.show_job(app, waiting[:8])
    assert [(stage.stage, stage.state, stage.turns) for stage in detail.stages] == [
        ("extraction", "done", 1),
        ("presentation", "paused", 2),
    ]
    assert all(stage.stamps and stage.model_calls and stage.tokens for stage in detail.stages)
    gate = next(ticket for ticket in detail.tickets if ticket.kind == "approval")
    documents = {document.kind: document for document in detail.documents}
    assert gate.subject["deck_final_sha256"] == documents["deck"].final.sha256
    assert gate.subject["memo_draft_sha256"] == documents["memo"].draft.sha256
    assert all(document.newest for document in detail.documents)
    for document in detail.documents:
        for kept in (document.draft, document.final, document.figures):
            data = await jobs.read_artifact(app, detail, kept.artifact, kept.version)
            assert ids.sha256_hex(data) == kept.sha256
    assert gate.expires_at is not None
    assert (gate.expires_at - gate.opened_at).days == 7


async def test_a_cancelled_job_stays_cancelled(app: App, waiting: str) -> None:
    """Again is no error; its gate is void, and nobody can decide it any more."""
    assert await jobs.cancel(app, waiting, by="analyst") == "cancelled"
    assert await jobs.cancel(app, waiting, by="analyst") == "cancelled"
    with pytest.raises(InputError) as refused:
        await jobs.decide(app, waiting, jobs.Said("approved", "approver"))
    assert refused.value.code == "job.not_waiting"


async def test_a_finished_job_cannot_be_cancelled(app: App, waiting: str) -> None:
    """What was delivered was delivered."""
    await jobs.decide(app, waiting, jobs.Said("approved", "approver"))
    assert await jobs.run_until_quiet(app, waiting) == "completed"
    with pytest.raises(ConflictError) as refused:
        await jobs.cancel(app, waiting, by="analyst")
    assert refused.value.code == "job.over"


async def test_only_a_quarantined_job_is_taken_up_again(app: App, waiting: str) -> None:
    """Others have nothing to take up."""
    with pytest.raises(ConflictError) as refused:
        await jobs.replay(app, waiting, by="analyst")
    assert refused.value.code == "job.not_quarantined"


def test_jobs_are_listed_without_loading_adk() -> None:
    """ADK takes a second to import, which `jobs` and `show` must not cost, nor another database than theirs."""
    heavy = "google.adk google.genai pptx reportlab openpyxl numpy asyncpg sqlalchemy.dialects.postgresql"
    code = (
        "import sys, worker.jobs, worker.bootstrap\n"
        f"heavy = [name for name in {heavy.split()} if name in sys.modules]\n"
        "sys.exit(', '.join(heavy) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


class SlowFolder(DeliveryFolder):
    """A delivery folder that waits until it may go on."""

    begun, free = threading.Event(), threading.Event()

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """The place, after a while."""
        self.begun.set()
        self.free.wait(30)
        return super().deliver(job_id, files)


async def test_what_is_being_delivered_cannot_be_called_off(app: App, waiting: str) -> None:
    """The documents may be out already."""
    await jobs.decide(app, waiting, jobs.Said("approved", "approver"))
    slow = SlowFolder(app.deliveries.folder)
    run = asyncio.create_task(jobs.run_until_quiet(replace(app, deliveries=slow), waiting))
    await asyncio.to_thread(slow.begun.wait, 30)
    with pytest.raises(ConflictError) as refused:
        await jobs.cancel(app, waiting, by="analyst")
    slow.free.set()
    assert (refused.value.code, "delivering" in refused.value.message) == ("job.over", True)
    assert await run == "completed"
