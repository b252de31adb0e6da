"""The outbox: messages that a commit promised, kept until they were handed to the transport."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select, update

from schemas.event import Event
from schemas.results import Outbound, cloud_event
from worker.ledger.ledger import Change, Ledger, Row
from worker.ledger.tables import outbox
from worker.tracing import traceparent


async def promise(change: Change, event: Event, *, again: bool = False) -> bool:
    """Whether the event was not promised before; `again` has one that was promised, and maybe lost, sent once more."""
    row = {"id": event.key, "job_id": change.job_id, "topic": event.topic, "body": event.model_dump(mode="json")}
    if await change.insert_absent(outbox, **row, created_at=change.now, trace=_trace(change)):
        return True
    if again:
        await change.set(outbox, outbox.c.id == event.key, sent_at=None)
    return False


async def announce(change: Change, kind: type[Outbound], **told: Any) -> bool:
    """Whether the result was not told before; whose job it is about, and when, is added here."""
    whose = {name: change.job[name] for name in ("user_id", "filename")}
    result = kind.model_validate({"job_id": change.job_id, **whose, **told})
    row = {"id": result.key, "job_id": change.job_id, "topic": result.topic, "body": cloud_event(result, change.now)}
    return await change.insert_absent(outbox, **row, created_at=change.now, trace=_trace(change))


def _trace(change: Change) -> str | None:
    """The trace context that a message is promised in: that of what is done here, else the job's."""
    return traceparent() or change.job.get("trace")


async def unsent(
    ledger: Ledger, job_id: str | None = None, limit: int = 100, *, until: datetime | None = None
) -> list[Row]:
    """Promised messages that were not sent, oldest first; of one job, or promised until a moment, if that is given."""
    query = select(outbox).where(outbox.c.sent_at.is_(None))
    query = query if job_id is None else query.where(outbox.c.job_id == job_id)
    query = query if until is None else query.where(outbox.c.created_at <= until)
    return await ledger.rows(query.order_by(outbox.c.created_at, outbox.c.id).limit(limit))


async def mark_sent(ledger: Ledger, message_ids: Collection[str]) -> None:
    """Note that messages were handed to the transport."""
    async with ledger.singly.begin() as connection:
        await connection.execute(update(outbox).where(outbox.c.id.in_(message_ids)).values(sent_at=ledger.clock()))
    ledger.checkpoint("sent: committed")


async def mark_unsent(ledger: Ledger, message_ids: Collection[str]) -> None:
    """Take back that messages were sent: they were taken over by a transport that ends before it delivered them."""
    if message_ids:
        async with ledger.singly.begin() as connection:
            await connection.execute(update(outbox).where(outbox.c.id.in_(message_ids)).values(sent_at=None))
