"""Delivery: code, no agent. Only a person's approval of exactly these bytes lets them out, and only once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from schemas.documents import FILE_NAMES, DocumentKind
from schemas.errors import OutputError
from schemas.results import DealsDelivered
from worker.app import App
from worker.attempt import Finish
from worker.ledger.leases import Lease
from worker.ledger.ledger import Change, Row
from worker.ledger.messages import announce
from worker.ledger.tables import decision, delivered, stage, ticket
from worker.shelves import check_hash, documents_scope
from worker.tracing import span

KINDS: tuple[DocumentKind, ...] = ("deck", "memo")


async def deliver(app: App, lease: Lease) -> Finish:
    """What to write once the approved documents lie in the job's delivery folder."""
    job = lease.row
    approval = await approved(app, job)
    files = {FILE_NAMES[kind]: await _final(app, job, kind, approval) for kind in KINDS}
    app.checkpoint("before delivery")
    with span("deliver documents", "client"):
        place = await asyncio.to_thread(app.deliveries.deliver, lease.job_id, files)
    if app.breaker is not None:
        app.breaker.answered(lease.job_id, "store")
    app.checkpoint("after delivery")
    hashes = {f"{kind}_sha256": approval["subject"][f"{kind}_final_sha256"] for kind in KINDS}

    async def finish(change: Change) -> None:
        told = {"ticket_id": approval["ticket_id"], "place": place, **hashes}
        await change.insert_absent(delivered, job_id=change.job_id, delivered_at=change.now, **told)
        await change.move("completed", expects={"delivering"})
        here = (stage.c.job_id == change.job_id, stage.c.stage == "delivery")
        await change.set(stage, *here, state="done", turns=1, ended_at=change.now)
        deals_sha256 = approval["subject"]["deals_sha256"]
        await announce(change, DealsDelivered, place=place, deals_sha256=deals_sha256, **hashes)
        await change.note("dealwright", "delivered", **told)
        app.tell(change.job_id, "delivered", place)

    return finish


async def approved(app: App, job: Row) -> Row:
    """The decision that approved what the agent says it did; raises OutputError `delivery.unapproved` if there is none.

    The agent's word opens nothing: the ledger must hold a person's approval of exactly these hashes.
    """
    answers = await app.ledger.rows(
        select(stage.c.answer).where(stage.c.job_id == job["id"], stage.c.stage == "presentation")
    )
    answer: Mapping[str, Any] = (answers[0]["answer"] if answers else None) or {}
    rows = await app.ledger.rows(
        select(decision).where(decision.c.job_id == job["id"], decision.c.verdict == "approved")
    )
    for row in rows:
        if matches(row["subject"], answer, job):
            return row
    raise OutputError(
        "delivery.unapproved", "No approval of exactly these documents is on record; nothing was delivered."
    )


def matches(subject: Mapping[str, Any], answer: Mapping[str, Any], job: Row) -> bool:
    """Whether an approval is about the documents that the agent names, made of the job's newest deals."""
    return (
        answer.get("verdict") == "approved"
        and subject["deck_final_sha256"] == answer.get("deck_sha256")
        and subject["memo_final_sha256"] == answer.get("pdf_sha256")
        and subject["deals_sha256"] == job["deals"]["sha256"]
    )


async def _final(app: App, job: Row, kind: DocumentKind, approval: Row) -> bytes:
    """The bytes of the approved final edition, whose hash is looked at once more before they leave."""
    subject, rows = (
        approval["subject"],
        await app.ledger.rows(
            select(ticket).where(ticket.c.job_id == job["id"], ticket.c.kind == kind, ticket.c.state == "done")
        ),
    )
    wanted = subject[f"{kind}_final_sha256"]
    files = next(
        (row["files"]["final"] for row in rows if row["files"] and row["files"]["final"]["sha256"] == wanted), None
    )
    if files is None:
        raise OutputError("delivery.unapproved", f"The approved {kind} is not among the job's documents.")
    shelf = (await app.services()).shelf
    data = await shelf.fetch(job["user_id"], documents_scope(job["id"]), files["artifact"], files["version"])
    check_hash(data, wanted, f"{kind}'s bytes")
    return data
