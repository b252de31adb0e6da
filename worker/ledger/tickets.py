"""Tickets: opened once by a derived id, closed once by whoever comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import func, select

from schemas.ticket import TicketKind, TicketState
from worker.ledger.ledger import Change, Ledger, Row
from worker.ledger.tables import decision, handoff, ticket

Resolution = Literal["applied", "repeat", "conflict"]


async def open_ticket(
    change: Change, ticket_id: str, kind: TicketKind, subject: Mapping[str, Any], expires_at: datetime | None = None
) -> bool:
    """Whether the ticket is new; one that is known keeps its state, and its answer if it has one."""
    lease = {"fence": 0, "has_work": False, "failures": 0, "lost_leases": 0}
    row = {"id": ticket_id, "job_id": change.job_id, "kind": kind, "state": "open", "subject": dict(subject)}
    return await change.insert_absent(ticket, **row, opened_at=change.now, expires_at=expires_at, **lease)


async def hand_off(change: Change, session_id: str, pause_id: str, ticket_id: str, call: tuple[str, str, int]) -> None:
    """Note which call (id, tool name, place among the open calls) waits for the ticket, in which pause."""
    call_id, call_name, seq = call
    row = {"session_id": session_id, "call_id": call_id, "job_id": change.job_id, "pause_id": pause_id}
    await change.insert_absent(handoff, **row, ticket_id=ticket_id, call_name=call_name, seq=seq)


async def resolve(change: Change, ticket_id: str, result: Mapping[str, Any]) -> tuple[Resolution, Row]:
    """What became of the answer, and the ticket with the answer that holds: the first one, for ever."""
    values: dict[str, Any] = {"state": "done", "result": dict(result), "closed_at": change.now}
    first = await change.set(ticket, *unanswered(ticket_id), **values)
    row = await change.one(select(ticket).where(ticket.c.id == ticket_id))
    assert row is not None, "tickets are never deleted"
    if first:
        return "applied", row
    return ("repeat" if row["result"] == dict(result) else "conflict"), row


def unanswered(ticket_id: str) -> tuple[Any, ...]:
    """What must be true of a ticket for an answer to count."""
    return (ticket.c.id == ticket_id, ticket.c.state == "open")


async def resolved_pauses(change: Change, ticket_id: str) -> list[str]:
    """The pauses that waited for the ticket and now wait for nothing."""
    mine = select(handoff.c.pause_id).where(handoff.c.ticket_id == ticket_id)
    rows = await change.all(_open_count().where(handoff.c.pause_id.in_(mine)))
    return sorted(row["pause_id"] for row in rows if not row["open"])


async def is_resolved(change: Change, pause_id: str) -> bool:
    """Whether nothing that the pause waited for is open."""
    row = await change.one(_open_count().where(handoff.c.pause_id == pause_id))
    return row is not None and not row["open"]


def _open_count() -> Any:
    still = func.count().filter(ticket.c.state == "open").label("open")
    joined = handoff.join(ticket, ticket.c.id == handoff.c.ticket_id)
    return select(handoff.c.pause_id, still).select_from(joined).group_by(handoff.c.pause_id)


async def answers(
    ledger: Ledger, session_id: str, call_ids: Sequence[str]
) -> list[tuple[str, str, dict[str, Any]]] | None:
    """(call id, tool name, answer) of each call, in the calls' order; None unless every one has its answer."""
    joined = handoff.join(ticket, ticket.c.id == handoff.c.ticket_id)
    query = select(handoff.c.call_id, handoff.c.call_name, ticket.c.result).select_from(joined)
    query = query.where(handoff.c.session_id == session_id, handoff.c.call_id.in_(call_ids), ticket.c.state == "done")
    found = {row["call_id"]: row for row in await ledger.rows(query)}
    if not call_ids or any(call_id not in found for call_id in call_ids):
        return None
    return [(call_id, found[call_id]["call_name"], found[call_id]["result"]) for call_id in call_ids]


async def void_open(change: Change) -> int:
    """Void the job's open tickets; how many there were."""
    return await change.set(
        ticket, ticket.c.job_id == change.job_id, ticket.c.state == "open", state="void", closed_at=change.now
    )


async def tickets_in(change: Change, *, kind: TicketKind | None = None, state: TicketState | None = None) -> list[Row]:
    """The job's tickets, oldest first."""
    query = select(ticket).where(ticket.c.job_id == change.job_id)
    query = query if kind is None else query.where(ticket.c.kind == kind)
    query = query if state is None else query.where(ticket.c.state == state)
    return await change.all(query.order_by(ticket.c.opened_at, ticket.c.kind, ticket.c.id))


async def decision_on(change: Change, ticket_id: str) -> Row | None:
    """The decision that closed the ticket, or None."""
    return await change.one(select(decision).where(decision.c.ticket_id == ticket_id))


async def reopen_failed(change: Change) -> None:
    """Open the tickets again whose documents could not be made."""
    for row in await tickets_in(change, state="done"):
        if row["result"].get("status") == "failed":
            await change.set(ticket, ticket.c.id == row["id"], state="open", result=None, closed_at=None)
