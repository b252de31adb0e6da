"""Publishing what commits promised, and issuing anew what got lost: messages are hints, the ledger is the truth."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import structlog
from sqlalchemy import or_, select

from schemas.event import Event, RenderRequested, StageRequested
from schemas.job import TERMINAL
from worker.app import App
from worker.ledger.ledger import Change
from worker.ledger.messages import mark_sent, promise, unsent
from worker.ledger.tables import job
from worker.ledger.tickets import tickets_in

log = structlog.get_logger(__name__)


async def publish_promised(app: App, job_id: str | None = None) -> int:
    """How many messages were published; one that a process publishes, and dies before it says so, goes twice."""
    rows = await unsent(app.ledger, job_id)
    for row in rows:
        await app.publish(row["topic"], row["id"], row["body"])
        app.checkpoint("published")
        await mark_sent(app.ledger, row["id"], app.clock())
    return len(rows)


async def publish_loop(app: App, interval_s: float) -> None:
    """Publish for ever: what other processes committed, and died or left before they could publish it."""
    while True:
        try:
            await publish_promised(app)
        except Exception as error:  # noqa: BLE001 the next round may do better, and nothing is lost meanwhile
            log.warning("publishing_failed", error=type(error).__name__)
        await asyncio.sleep(interval_s)


async def sweep(app: App, job_id: str | None = None, *, idle_s: float = 0) -> int:
    """How many messages were issued anew: what each unfinished job waits for and nobody seems to be at work on.

    Only jobs that were left alone for `idle_s` seconds are looked at.
    """
    before = app.clock() - timedelta(seconds=idle_s)
    query = select(job.c.id).where(job.c.finished_at.is_(None), job.c.updated_at <= before)
    query = query.where(or_(job.c.lease_holder.is_(None), job.c.lease_expires_at <= app.clock()))
    query = query if job_id is None else query.where(job.c.id == job_id)
    issued = 0
    for row in await app.ledger.rows(query):
        async with app.ledger.change(row["id"], "sweep") as change:
            for event in await owed(change):
                await promise(change, event, again=True)
                issued += 1
    return issued


async def owed(change: Change) -> list[Event]:
    """The messages that the job's state calls for, and that a worker would do no harm by getting twice."""
    state = change.job["state"]
    if state in TERMINAL or state == "waiting":
        return []
    still = await tickets_in(change, state="open")
    renders: list[Event] = [
        RenderRequested(job_id=change.job_id, ticket_id=row["id"]) for row in still if row["kind"] != "approval"
    ]
    return renders or [StageRequested(job_id=change.job_id, stage=change.job["stage"])]
