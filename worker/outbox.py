"""Publishing what commits promised, and issuing anew what got lost: messages are hints, the ledger is the truth."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import ColumnElement, and_, exists, func, or_, select

from schemas.event import Event, RenderRequested, StageRequested
from schemas.job import AT_WORK, TERMINAL
from worker.app import App
from worker.ledger.ledger import Change
from worker.ledger.messages import mark_sent, promise, unsent
from worker.ledger.tables import job, outbox, ticket
from worker.ledger.tickets import tickets_in
from worker.tracing import span
from worker.webhooks import owe

REISSUE_S = 900.0
"""How long a message that was sent is trusted to arrive while nobody takes the job's lease: a backlog may be long."""


async def publish_promised(app: App, job_id: str | None = None, *, older_than_s: float = 0) -> int:
    """How many messages were published; one that a process publishes, and dies before it says so, goes twice.

    `older_than_s` leaves the young ones to the process that promised them.
    """
    rows = await unsent(app.ledger, job_id, until=app.clock() - timedelta(seconds=older_than_s))
    for row in rows:
        whose = {"topic": row["topic"], "message_id": row["id"], "job_id": row["job_id"]}
        with span("publish", "producer", within=row["trace"], **whose):
            await app.publish(row["topic"], row["id"], row["body"])
        app.checkpoint("published")
    if rows:
        await owe(app, rows)
        await mark_sent(app.ledger, [row["id"] for row in rows])
    return len(rows)


async def sweep(app: App, job_id: str) -> int:
    """How many messages were issued anew: what the job waits for, if nobody is at work on it and none is on its way."""
    query = select(job.c.id).where(job.c.id == job_id, job.c.finished_at.is_(None))
    query = query.where(or_(job.c.lease_holder.is_(None), job.c.lease_expires_at <= app.clock()))
    query = query.where(job.c.id.not_in(select(outbox.c.job_id).where(outbox.c.sent_at.is_(None))))
    if not await app.ledger.rows(query):
        return 0
    async with app.ledger.change(job_id, "sweep") as change:
        events = await owed(change)
        for event in events:
            await promise(change, event, again=True)
    return len(events)


async def sweep_all(app: App, limit: int = 100, *, older_than_s: float = REISSUE_S) -> int:
    """How many messages were issued anew, over all jobs: whose lease ran out, or whose message seems to be lost.

    A job is left alone while a message for it is on its way: one not sent yet, or sent less than `older_than_s` ago
    and after the lease ran out, the job's or a document's. With 0 no message that was sent is trusted: those of a
    transport inside a process end with it.
    """
    idle, unsent_yet, fresh = _idle(app, older_than_s)
    query = select(job.c.id).order_by(job.c.updated_at).limit(limit)
    # Asked apart, each is answered by a small index; asked in one, every job at work is looked at for its documents.
    found = {
        row["id"]: None
        for lost in (~fresh, _dropped(app))
        for row in await app.ledger.rows(query.where(idle, ~unsent_yet, lost))
    }
    return sum([await sweep(app, job_id) for job_id in found])


async def sweep_through(app: App, *, older_than_s: float = REISSUE_S) -> int:
    """As `sweep_all`, until nothing is left."""
    reissued = 0
    while found := await sweep_all(app, older_than_s=older_than_s):
        reissued += found
    return reissued


async def on_their_way(app: App) -> dict[str, int]:
    """How many jobs, by state, nobody is at work on yet: a message is promised, or was sent within REISSUE_S."""
    idle, unsent_yet, fresh = _idle(app, REISSUE_S)
    on_its_way = or_(unsent_yet, and_(fresh, ~_dropped(app)))
    query = select(job.c.state, func.count().label("jobs")).where(idle, on_its_way)
    return {row["state"]: row["jobs"] for row in await app.ledger.rows(query.group_by(job.c.state))}


def _idle(app: App, older_than_s: float) -> tuple[ColumnElement[bool], ColumnElement[bool], ColumnElement[bool]]:
    """That nobody is at work on a job that should be; that it has a message not sent yet; one sent just now."""
    now = app.clock()
    nobody = or_(job.c.lease_holder.is_(None), job.c.lease_expires_at <= now)
    after_lease = or_(job.c.lease_holder.is_(None), outbox.c.sent_at > job.c.lease_expires_at)
    just_sent = and_(outbox.c.sent_at > now - timedelta(seconds=older_than_s), after_lease)
    its_own = exists().where(outbox.c.job_id == job.c.id)
    return job.c.state.in_(AT_WORK) & nobody, its_own.where(outbox.c.sent_at.is_(None)), its_own.where(just_sent)


def _dropped(app: App) -> ColumnElement[bool]:
    """That the maker of a document of the job's died, and none of its messages was sent since its lease ran out.

    Pub/Sub may hand the message over again while that lease still runs, and whoever gets it then acks it.
    """
    since = exists().where(outbox.c.job_id == ticket.c.job_id, outbox.c.sent_at > ticket.c.lease_expires_at)
    dead = and_(ticket.c.state == "open", ticket.c.lease_holder.is_not(None), ticket.c.lease_expires_at <= app.clock())
    return job.c.id.in_(select(ticket.c.job_id).where(dead, ~since))


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
