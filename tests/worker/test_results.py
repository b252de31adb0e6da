"""What listeners outside are told of a job's course, as CloudEvents, each once."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from schemas.results import TYPES, CloudEvent, Result
from worker import jobs
from worker.app import App
from worker.bootstrap import open_app
from worker.ledger.tables import outbox
from worker.links import read_pass
from worker.settings import Settings


async def told(app: App) -> list[dict[str, Any]]:
    """The results' envelopes in the order of their commits."""
    rows = await app.ledger.rows(select(outbox).where(outbox.c.topic == "results").order_by(outbox.c.created_at))
    assert all(row["id"] == row["body"]["id"] for row in rows)
    return [row["body"] for row in rows]


def kinds(envelopes: list[dict[str, Any]]) -> list[str]:
    """Which results they are."""
    return sorted(envelope["data"]["kind"] for envelope in envelopes)


async def test_a_job_that_waits_has_told_of_deals_documents_and_the_question(app: App, waiting: str) -> None:
    """With the hashes that a listener needs to know the files by, and valid as CloudEvents."""
    envelopes = await told(app)
    assert kinds(envelopes) == ["ApprovalRequested", "DealsExtracted", "DocumentsReady"]
    for envelope in envelopes:
        read = CloudEvent.model_validate(envelope)
        assert read.type == TYPES[read.data.kind]
        assert read.subject == waiting == read.data.job_id
    ready = next(envelope["data"] for envelope in envelopes if envelope["data"]["kind"] == "DocumentsReady")
    detail = await jobs.show_job(app, waiting)
    assert {each["final_sha256"] for each in ready["documents"]} == {each.final.sha256 for each in detail.documents}


@pytest.mark.parametrize(("verdict", "kind"), [("approved", "DealsDelivered"), ("rejected", "JobRejected")])
async def test_the_end_is_told_once(app: App, waiting: str, verdict: Any, kind: str) -> None:
    """However often the job is run afterwards."""
    await jobs.decide(app, waiting, jobs.Said(verdict, "approver", "as discussed"))
    for _ in range(2):
        await jobs.run_until_quiet(app, waiting)
    assert kinds(await told(app)).count(kind) == 1


async def test_a_job_set_aside_says_why(app: App, tmp_path: Path) -> None:
    """The code is stable, and the sentence is the one that people read."""
    path = tmp_path / "notes.csv"
    path.write_text("only a line of prose")
    job_id = (await jobs.submit_file(app, path, by="analyst")).job_id
    assert await jobs.run_until_quiet(app, job_id) == "quarantined"
    data = (await told(app))[-1]["data"]
    reason = (await jobs.show_job(app, job_id)).reason
    assert reason is not None
    assert (data["code"], data["message"]) == (reason.code, reason.message)


def test_every_result_has_a_type_of_its_own() -> None:
    """A kind without one could not be told."""
    members = {kind.__name__ for kind in Result.__origin__.__args__}
    assert set(TYPES) == members
    assert len(set(TYPES.values())) == len(members)


async def test_the_question_names_the_page_where_it_is_answered(settings: Settings, workbook: Path) -> None:
    """A link to that gate alone, as long as it is open; none where pages have no address or nothing is signed."""
    secret = "0123456789abcdef" * 2
    for url in ("https://deals.example/x/", ""):
        place = settings.state_dir / ("with" if url else "without")
        async with open_app(Settings(state_dir=place, public_url=url, link_secret=secret)) as app:
            job_id = (await jobs.submit_file(app, workbook, by="ann")).job_id
            assert await jobs.run_until_quiet(app, job_id) == "waiting"
            asked = next(each["data"] for each in await told(app) if each["data"]["kind"] == "ApprovalRequested")
            if not url:
                assert asked["url"] == ""
                continue
            address, _, token = asked["url"].partition("?pass=")
            assert address == f"https://deals.example/x/jobs/{job_id}"
            granted = read_pass(secret, token, app.clock())
            assert granted is not None
            assert (granted.job_id, granted.ticket_id) == (job_id, asked["ticket_id"])
            assert granted.expires_at.isoformat() == datetime.fromisoformat(asked["expires_at"]).isoformat()
