"""A sweep: what time brings and what got lost, done once, over all jobs; and what is stuck, told of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from sqlalchemy import exists, func, or_, select

from schemas.job import AT_WORK
from worker.app import App
from worker.decisions import expire_overdue
from worker.ledger.tables import job, ticket
from worker.lost_uploads import InboxRound
from worker.outbox import REISSUE_S, on_their_way, publish_promised, sweep_through
from worker.webhooks import deliver_due

log = structlog.get_logger(__name__)
STUCK_S = 3600.0
"""How long a job may be at one thing, with nobody at work on it, before somebody should look."""
ROUNDS = 100
"""How often a sweep takes up what is left at most: each round takes a hundred."""
MOST_PAGES = 100
"""Pages of the inbox that a sweep looks at, at most; of a larger one, workers look at all, in their own time."""


@dataclass(frozen=True, slots=True)
class Swept:
    """How many messages were issued anew and how many published, how many gates ran out, results posted, jobs stuck.

    `on_their_way` counts jobs, by state, that nobody is at work on yet, whose message may still arrive; `found` the
    uploads in the inbox that no job knew, out of so many `looked_at`, which were all unless `inbox_goes_on`; `awaited`
    those that no job knows yet, and that a message may still tell of.
    """

    reissued: int
    published: int
    expired: int
    posted: int
    stuck: dict[str, int] = field(default_factory=dict[str, int])
    on_their_way: dict[str, int] = field(default_factory=dict[str, int])
    found: int = 0
    looked_at: int = 0
    awaited: int = 0
    inbox_goes_on: bool = False


async def sweep_once(app: App, *, publish: bool, older_than_s: float = REISSUE_S) -> Swept:
    """What was done; without `publish` the messages are left to a worker, whose own transport carries them.

    `older_than_s` is the age from which a message that was sent counts as lost. The inbox comes last: all else is done
    even if its store is away, or doesn't let itself be listed, which is raised as TransientError `store.*`.
    """
    expired, reissued = await expire_overdue(app), await sweep_through(app, older_than_s=older_than_s)
    published = await _publish(app) if publish else 0
    posted, inbox = await deliver_due(app), InboxRound(app)
    found = await inbox.go_on(MOST_PAGES)
    published += await _publish(app) if publish and found else 0
    standing = await stuck(app), await on_their_way(app)
    seen = found, inbox.looked_at, inbox.awaited, not inbox.done
    swept = Swept(reissued, published, expired, posted, *standing, *seen)
    for state, count in swept.stuck.items():
        log.error("jobs_stuck", state=state, count=count)
    log.info("sweep_done", reissued=reissued, published=published, expired=expired, posted=posted, found=found)
    return swept


async def _publish(app: App) -> int:
    published = 0
    for _ in range(ROUNDS):
        sent = await publish_promised(app)
        published += sent
        if not sent:
            break
    return published


async def stuck(app: App) -> dict[str, int]:
    """How many jobs wait for nothing, or have been at one thing too long with nobody at work on them, by their state.

    A job that was only received is not among them: it stands in a queue, whose own age is watched.
    """
    now = app.clock()
    gate = exists().where(ticket.c.job_id == job.c.id, ticket.c.state == "open", ticket.c.kind == "approval")
    nobody = or_(job.c.lease_holder.is_(None), job.c.lease_expires_at <= now)
    late = job.c.updated_at <= now - timedelta(seconds=STUCK_S)
    begun = job.c.state.in_(AT_WORK - {"received"}) & late & nobody
    aimless = (job.c.state == "waiting") & ~gate
    query = select(job.c.state, func.count().label("jobs")).where(job.c.finished_at.is_(None), or_(begun, aimless))
    return {row["state"]: row["jobs"] for row in await app.ledger.rows(query.group_by(job.c.state))}
