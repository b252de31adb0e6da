"""Decisions: a person answers a gate, once; whoever comes later is told what the first one said."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select

from schemas import ids
from schemas.agent_answers import ApprovalAnswer
from schemas.deal import Extraction, Pin
from schemas.documents import Emphasis
from schemas.errors import ConflictError, InputError
from schemas.event import PauseResolved
from schemas.ticket import DecisionDetail, Verdict
from worker.app import App
from worker.ledger import tickets
from worker.ledger.jobs import find_job
from worker.ledger.ledger import Change, Row
from worker.ledger.messages import promise
from worker.ledger.tables import decision, job, ticket
from worker.plain_text import is_plain, plain_text
from worker.shelves import check_hash, deals_scope
from worker.tracing import span

SYSTEM = "dealwright"
"""Who decides when nobody did in time."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A value that a person puts right: `assignment` is `deal.field=value`."""

    assignment: str
    reason: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a person says to a gate."""

    verdict: Verdict
    by: str
    comment: str = ""
    corrections: Sequence[Correction] = ()
    emphasis: Emphasis | None = None


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """What became of a decision, and the one that holds: the same one if applied, else the first."""

    status: tickets.Resolution
    decision: DecisionDetail


@dataclass(frozen=True, slots=True)
class Corrected:
    """Deals after corrections: the new reference and summary, and each pin with the assignment that it came from."""

    deals: dict[str, Any]
    summary: dict[str, Any]
    pins: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


async def decide(app: App, job_id: str, said: Said, ticket_id: str | None = None) -> DecisionOutcome:
    """What became of the decision on the job's newest gate, or on the gate that was shown (`ticket_id`).

    Raises InputError: `job.not_waiting`, `decision.empty`, `decision.rounds`, `pin.*`.
    """
    said = _plain(said)
    row = await find_job(app.ledger, job_id)
    gate = await _gate(app, row, ticket_id)
    new = await _corrected(app, row, gate, said)
    with span("decision", within=row["trace"], job_id=row["id"], ticket_id=gate["id"], verdict=said.verdict) as told:
        async with app.ledger.change(row["id"], "decide") as change:
            await expire(change)
            outcome = await _decide(change, gate["id"], said, new)
        told.tell(outcome=outcome.status)
    return outcome


def _plain(said: Said) -> Said:
    """What was said, as text that can be kept; a value isn't mended, as it could become another one."""
    for each in said.corrections:
        if not is_plain(each.assignment):
            told = plain_text(each.assignment)[:80]
            raise InputError("pin.unprintable", f"{told!r} holds a character that can't be printed; type it again.")
    corrections = [Correction(each.assignment, plain_text(each.reason)) for each in said.corrections]
    return replace(said, by=plain_text(said.by), comment=plain_text(said.comment), corrections=corrections)


async def _gate(app: App, row: Row, ticket_id: str | None) -> Row:
    query = select(ticket).where(ticket.c.job_id == row["id"], ticket.c.kind == "approval", ticket.c.state != "void")
    query = query if ticket_id is None else query.where(ticket.c.id == ticket_id)
    found = await app.ledger.rows(query.order_by(ticket.c.opened_at.desc()).limit(1))
    if not found:
        raise InputError("job.not_waiting", f"Job {row['id'][:12]} waits for no decision; it is {row['state']}.")
    return found[0]


async def _corrected(app: App, row: Row, gate: Row, said: Said) -> Corrected:
    """The deals with the corrections in, kept under their new hash; as they are if there are none."""
    as_is = Corrected(row["deals"], row["deals_summary"])
    if said.verdict != "changes_requested" or gate["state"] != "open":
        return as_is
    if not (said.comment.strip() or said.corrections or said.emphasis):
        raise InputError(
            "decision.empty", "Changes were asked for and none named; give a comment, a value or an emphasis."
        )
    if row["rounds"] >= app.settings.max_change_rounds:
        raise InputError(
            "decision.rounds", f"Job {row['id'][:12]} had its {row['rounds']} rounds; approve, reject or cancel it."
        )
    if not said.corrections:
        return as_is
    data = await _deals_of(app, row)
    pinned, summary, pins = await asyncio.to_thread(_pin, data, said, app.clock())
    sha256 = ids.sha256_hex(pinned)
    name, shelf = f"deals/{sha256}", (await app.services()).shelf
    version = await shelf.save_once(row["user_id"], deals_scope(row["id"]), name, pinned, "application/gzip")
    return Corrected({"artifact": name, "version": version, "sha256": sha256}, summary, pins)


async def _deals_of(app: App, row: Row) -> bytes:
    deals = row["deals"]
    shelf = (await app.services()).shelf
    data = await shelf.fetch(row["user_id"], deals_scope(row["id"]), deals["artifact"], deals["version"])
    check_hash(data, deals["sha256"])
    return data


async def preview(app: App, job_id: str, said: Said) -> list[dict[str, Any]]:
    """The pins that the corrections would set, with the deals' names and places; nothing is changed.

    Raises InputError `pin.*` for what can't be meant.
    """
    said = _plain(said)
    row = await find_job(app.ledger, job_id)
    if not said.corrections or row["state"] != "waiting":
        return []
    data = await _deals_of(app, row)
    return await asyncio.to_thread(lambda: _read_pins(data, said, app.clock())[2])


def _pin(data: bytes, said: Said, now: datetime) -> tuple[bytes, dict[str, Any], list[dict[str, Any]]]:
    from tools.deals.document import dump
    from tools.deals.pins import apply_pins
    from tools.deals.summary import summarise

    extraction, pins, listed = _read_pins(data, said, now)
    changed = apply_pins(extraction, tuple(pins))
    return dump(changed), summarise(changed), listed


def _read_pins(data: bytes, said: Said, now: datetime) -> tuple[Extraction, list[Pin], list[dict[str, Any]]]:
    """The deals, the pins that the corrections set in them, and the pins as they are told and kept."""
    from pydantic import TypeAdapter

    from tools.deals.document import load
    from tools.deals.pins import in_force, pin_place, read_pin
    from tools.figures.measures import portfolio

    extraction = load(data)
    day, main = now.date().isoformat(), portfolio(extraction).table.table_id
    pins = [read_pin(extraction, each.assignment, each.reason, said.by, day, main) for each in said.corrections]
    told = TypeAdapter(list[Pin]).dump_python(pins, mode="json")
    listed: list[dict[str, Any]] = []
    standing: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    for each, pin, plain in zip(said.corrections, pins, told, strict=True):
        name, place = pin_place(extraction, pin)
        key = (pin.deal_id, pin.field)
        before, code = standing.get(key) or in_force(extraction, pin)
        standing[key] = (pin.value or None, pin.currency)
        told_before = {"before": before, "before_currency": code}
        listed.append({"assignment": each.assignment, "deal": name, "place": place, **plain, **told_before})
    return extraction, pins, listed


def in_currencies(pin: Mapping[str, Any], before: str, value: str) -> tuple[str, str]:
    """How a told pin's two values are written: with their currencies where these differ."""
    was, now = pin.get("before_currency"), pin.get("currency")
    if not now or was == now:
        return before, value
    return f"{was} {before}" if was else before, f"{now} {value}"


async def _decide(change: Change, ticket_id: str, said: Said, new: Corrected) -> DecisionOutcome:
    answer = ApprovalAnswer.model_validate(
        {
            "ticket_id": ticket_id,
            "verdict": said.verdict,
            "comment": said.comment[:2000],
            "emphasis": said.emphasis,
            "deals": {name: new.deals[name] for name in ("artifact", "version", "sha256")},
            "by": said.by,
        }
    )
    resolution, gate = await tickets.resolve(change, ticket_id, answer.model_dump(mode="json"))
    if resolution != "applied":
        return await _told(change, ticket_id, said)
    row = {"ticket_id": ticket_id, "job_id": change.job_id, "verdict": said.verdict, "comment": answer.comment}
    row |= {"emphasis": said.emphasis, "pins": new.pins, "subject": gate["subject"]}
    row |= {"decided_by": said.by, "decided_at": change.now}
    await change.connection.execute(insert(decision).values(row))
    facts = {"ticket_id": ticket_id, "verdict": said.verdict, "subject": gate["subject"], "pins": len(new.pins)}
    await change.note(said.by, "decided", **facts)
    await _go_on(change, ticket_id, said, new)
    return DecisionOutcome("applied", _detail(row))


async def _go_on(change: Change, ticket_id: str, said: Said, new: Corrected) -> None:
    asked = said.verdict == "changes_requested"
    values = {"rounds": job.c.rounds + 1, "deals": new.deals, "deals_summary": new.summary} if asked else {}
    await change.move("presenting", expects={"waiting"}, **values)
    for pause_id in await tickets.resolved_pauses(change, ticket_id):
        await promise(change, PauseResolved(job_id=change.job_id, pause_id=pause_id))


async def _told(change: Change, ticket_id: str, said: Said) -> DecisionOutcome:
    first = await tickets.decision_on(change, ticket_id)
    if first is None:
        raise InputError(
            "job.not_waiting", f"Job {change.job_id[:12]} waits for no decision; it is {change.job['state']}."
        )
    mine = (said.verdict, said.comment[:2000], said.emphasis, [each.assignment for each in said.corrections])
    theirs = (first["verdict"], first["comment"], first["emphasis"], [pin["assignment"] for pin in first["pins"]])
    same = mine == theirs if said.verdict == "changes_requested" else said.verdict == first["verdict"]
    return DecisionOutcome("repeat" if same else "conflict", _detail(first))


def _detail(row: Row) -> DecisionDetail:
    return DecisionDetail.model_validate({**row, "by": row["decided_by"]})


async def expire(change: Change) -> bool:
    """Whether a gate of the job had run out of time, and now says so."""
    gates = await tickets.tickets_in(change, kind="approval", state="open")
    late = [gate for gate in gates if gate["expires_at"] <= change.now]
    as_is = Corrected(change.job["deals"], change.job["deals_summary"])
    for gate in late:
        await _decide(change, gate["id"], Said("expired", SYSTEM), as_is)
    return bool(late)


async def expire_overdue(app: App, job_id: str | None = None) -> int:
    """How many gates had run out of time, and now say so."""
    query = select(ticket.c.job_id).where(ticket.c.state == "open", ticket.c.expires_at <= app.clock()).distinct()
    query = query if job_id is None else query.where(ticket.c.job_id == job_id)
    expired = 0
    for row in await app.ledger.rows(query):
        try:
            async with app.ledger.change(row["job_id"], "expire") as change:
                expired += await expire(change)
        except ConflictError:
            # The job was set aside or cancelled while its gate was open.
            continue
    return expired
