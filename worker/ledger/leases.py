"""Leases: who may work on a job or a ticket, until when, and the fence that outlives a lost lease.

A lease is taken for a while and prolonged by heartbeats. Whoever takes it raises the fence; a holder that was away too
long finds a higher one and is refused, whatever it wants to write. Whoever finds it taken leaves word (`has_work`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, func, insert, select, update

from schemas.errors import ConflictError
from schemas.job import StageName
from worker.ledger.ledger import Change, Ledger, Row
from worker.ledger.tables import LEASED, attempt, job, ticket
from worker.tracing import mention

Leased = Literal["job", "ticket"]
Count = Literal["progress", "failure", "neither"]
"""What an ended attempt does to the counts of failures and lost leases in a row: progress sets them to zero."""
LEASE_LOST = "lease.lost"


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a job, or on a ticket of it, whose `row` was found so, as attempt number `attempt`."""

    table: Leased
    key: str
    job_id: str
    fence: int
    holder: str
    attempt: int
    lost_leases: int
    row: Row


@dataclass(frozen=True, slots=True)
class Returned:
    """What a lease leaves behind: whether somebody left word of more work, and the failures in a row."""

    left_word: bool
    failures: int


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """Who takes leases and for how long (seconds) each heartbeat prolongs them."""

    holder: str
    ttl_s: float


def fenced(lease: Lease) -> ColumnElement[bool]:
    """What must still be true of the leased row for the holder to write anything."""
    table = LEASED[lease.table]
    return and_(table.c.id == lease.key, table.c.fence == lease.fence, table.c.lease_holder == lease.holder)


async def take_lease(
    change: Change, row: Row, terms: LeaseTerms, stage: StageName, ticket_id: str | None = None
) -> Lease | None:
    """The lease on `row` (the job's, or a ticket's of the job), or None if another holds it, who then is left word."""
    name: Leased = "job" if ticket_id is None else "ticket"
    table = LEASED[name]
    if row["lease_holder"] is not None and row["lease_expires_at"] > change.now:
        await change.set(table, table.c.id == row["id"], table.c.fence == row["fence"], has_work=True)
        return None
    lost = row["lost_leases"]
    if row["lease_holder"] is not None:
        lost += 1
        mention("lease_lost", of=name)
        await _end_attempt(change, attempt.c.fence == row["fence"], _about(ticket_id), outcome="lost")
    fence = row["fence"] + 1
    values: dict[str, Any] = {"lease_holder": terms.holder, "lease_expires_at": _expiry(change, terms), "fence": fence}
    values |= {"has_work": False, "lost_leases": lost}
    if not await change.set(table, table.c.id == row["id"], table.c.fence == row["fence"], **values):
        raise ConflictError("lease.raced", "Another worker took the lease at the same moment.")
    number = await _begin_attempt(change, stage, ticket_id, fence, terms.holder)
    return Lease(name, row["id"], change.job_id, fence, terms.holder, number, lost, row)


def _expiry(change: Change, terms: LeaseTerms) -> Any:
    return change.now + timedelta(seconds=terms.ttl_s)


def _about(ticket_id: str | None) -> ColumnElement[bool]:
    return attempt.c.ticket_id.is_(None) if ticket_id is None else attempt.c.ticket_id == ticket_id


async def _begin_attempt(change: Change, stage: StageName, ticket_id: str | None, fence: int, holder: str) -> int:
    last = select(func.coalesce(func.max(attempt.c.number), 0) + 1).where(attempt.c.job_id == change.job_id)
    row = {"job_id": change.job_id, "stage": stage, "ticket_id": ticket_id, "fence": fence, "holder": holder}
    numbered = insert(attempt).values(number=last.scalar_subquery(), started_at=change.now, **row)
    return (await change.connection.execute(numbered.returning(attempt.c.number))).scalar_one()


async def _end_attempt(change: Change, *which: ColumnElement[bool], **values: Any) -> None:
    open_ones = (attempt.c.job_id == change.job_id, attempt.c.ended_at.is_(None))
    await change.set(attempt, *open_ones, *which, ended_at=change.now, **values)


async def prolong_lease(ledger: Ledger, lease: Lease, ttl_s: float) -> bool:
    """Whether the lease is still ours; if so it now runs `ttl_s` seconds from now."""
    until = ledger.clock() + timedelta(seconds=ttl_s)
    async with ledger.singly.begin() as connection:
        query = update(LEASED[lease.table]).where(fenced(lease)).values(lease_expires_at=until)
        return bool((await connection.execute(query)).rowcount)


async def give_back(
    change: Change, lease: Lease, outcome: str, count: Count = "progress", **error: str | None
) -> Returned:
    """What the lease leaves behind; raises ConflictError `lease.lost` if it is no longer ours.

    The error undoes the whole transaction: nothing that a holder without its lease wanted to write remains.
    """
    table = LEASED[lease.table]
    row = await change.one(select(table.c.has_work, table.c.failures).where(fenced(lease)))
    if row is None:
        raise ConflictError(LEASE_LOST, "The lease ran out and another worker took over.")
    failures = row["failures"] + 1 if count == "failure" else 0 if count == "progress" else row["failures"]
    free: dict[str, Any] = {"lease_holder": None, "lease_expires_at": None, "has_work": False, "failures": failures}
    free |= {"lost_leases": 0} if count == "progress" else {}
    await change.set(table, table.c.id == lease.key, **free)
    await _end_attempt(change, attempt.c.number == lease.attempt, outcome=outcome, **error)
    return Returned(bool(row["has_work"]), failures)


async def leave_word(change: Change, lease: Lease) -> None:
    """Tell whoever holds the lease now that there may be more to do than they saw when they began."""
    table = LEASED[lease.table]
    await change.set(table, table.c.id == lease.key, table.c.lease_holder.is_not(None), has_work=True)


async def revoke_lease(change: Change) -> None:
    """Take the job's lease from whoever holds it: nothing that they still write will count."""
    await change.set(job, job.c.id == change.job_id, fence=job.c.fence + 1, lease_holder=None, lease_expires_at=None)
    await _end_attempt(change, attempt.c.ticket_id.is_(None), outcome="revoked")


async def forgive(change: Change) -> None:
    """Set the counts of failures and lost leases of the job and its tickets to zero: a person wants another try."""
    for table in LEASED.values():
        mine = job.c.id if table is job else ticket.c.job_id
        await change.set(table, mine == change.job_id, failures=0, lost_leases=0)


async def break_leases(ledger: Ledger) -> None:
    """Let every lease run out now; for a worker that knows itself to be the only one."""
    async with ledger.engine.begin() as connection:
        for table in LEASED.values():
            query = update(table).where(table.c.lease_holder.is_not(None)).values(lease_expires_at=ledger.clock())
            await connection.execute(query)
