"""A document was ordered: it is made, kept under its content's name, and its ticket closed with its hashes."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import select

from schemas import ids
from schemas.agent_answers import FailedAnswer, RenderAnswer
from schemas.documents import MEDIA_TYPES, DocumentKind, DocumentOrder
from schemas.event import PauseResolved, RenderRequested
from schemas.job import TERMINAL
from schemas.outcome import Done, Outcome
from worker.adapters.renderers import Rendered, render
from worker.app import App
from worker.attempt import Finish, Task, run_attempt
from worker.ledger import tickets
from worker.ledger.leases import Lease, take_lease
from worker.ledger.ledger import Change, Row
from worker.ledger.messages import promise
from worker.ledger.tables import ticket
from worker.policy import Fault
from worker.quarantine import quarantine
from worker.shelves import check_hash, deals_scope, documents_scope
from worker.tracing import span

FIGURES_MEDIA_TYPE = "application/json"


async def on_render_requested(app: App, event: RenderRequested) -> Outcome:
    """One attempt at the document, unless its ticket is closed or its job over."""

    async def take(change: Change) -> Lease | Outcome:
        row = await change.one(select(ticket).where(ticket.c.id == event.ticket_id))
        if row is None or row["state"] != "open" or change.job["state"] in TERMINAL:
            return Done("nothing to do")
        lease = await take_lease(change, row, app.terms, "presentation", event.ticket_id)
        return lease or Done("being made")

    async def set_aside(change: Change, fault: Fault) -> Outcome:
        return await _give_up(change, event.ticket_id, fault)

    def again(_: Lease) -> RenderRequested:
        return event

    return await run_attempt(app, Task(event.job_id, take, lambda lease: _make(app, lease), again, set_aside))


async def _make(app: App, lease: Lease) -> Finish:
    job, row = await app.ledger.job(lease.job_id), lease.row
    order, deals = DocumentOrder.model_validate(row["subject"]["order"]), row["subject"]["deals"]
    services = await app.services()
    data = await services.shelf.fetch(job["user_id"], deals_scope(lease.job_id), deals["artifact"], deals["version"])
    check_hash(data, deals["sha256"])
    with span("render", document=order.kind):
        made = await asyncio.to_thread(render, data, order, job["created_at"].date())
    app.checkpoint(f"rendered {order.kind}")
    files = await _keep(app, job, order.kind, made)
    if app.breaker is not None:
        app.breaker.answered(lease.job_id, "store")
    result = RenderAnswer(
        ticket_id=lease.key,
        kind=order.kind,
        draft_sha256=files["draft"]["sha256"],
        final_sha256=files["final"]["sha256"],
        artifact=files["draft"]["artifact"],
        version=files["draft"]["version"],
        pages=made.pages,
    )

    async def finish(change: Change) -> None:
        await close(change, lease.key, result.model_dump(mode="json"), files)
        app.tell(lease.job_id, "rendered", order.kind)

    return finish


async def _keep(app: App, job: Row, kind: DocumentKind, made: Rendered) -> dict[str, dict[str, Any]]:
    """Where both editions and the figures are kept: the same bytes are kept once."""
    kept: dict[str, dict[str, Any]] = {}
    shelf = (await app.services()).shelf
    parts = {
        "draft": (kind, made.draft, MEDIA_TYPES[kind]),
        "final": (kind, made.final, MEDIA_TYPES[kind]),
        "figures": ("figures", made.figures, FIGURES_MEDIA_TYPE),
    }
    for name, (folder, data, media_type) in parts.items():
        sha256 = ids.sha256_hex(data)
        artifact = f"{folder}/{sha256}"
        version = await shelf.save_once(job["user_id"], documents_scope(job["id"]), artifact, data, media_type)
        app.checkpoint(f"kept {name} of {kind}")
        kept[name] = {"artifact": artifact, "version": version, "sha256": sha256}
    return kept


async def close(change: Change, ticket_id: str, result: dict[str, Any], files: dict[str, Any] | None = None) -> None:
    """Close the ticket once; whoever closes the last one of a pause sends the message that goes on from there."""
    resolution, _ = await tickets.resolve(change, ticket_id, result)
    if resolution != "applied":
        return
    if files is not None:
        await change.set(ticket, ticket.c.id == ticket_id, files=files)
    for pause_id in await tickets.resolved_pauses(change, ticket_id):
        await promise(change, PauseResolved(job_id=change.job_id, pause_id=pause_id))


async def _give_up(change: Change, ticket_id: str, fault: Fault) -> Outcome:
    """A document that fails its own checks is the agent's to hear of; any other fault sets the job aside."""
    if fault.act == "retry":
        return await quarantine(change, fault)
    failed = FailedAnswer(ticket_id=ticket_id, error=fault.message[:600])
    await close(change, ticket_id, failed.model_dump(mode="json"))
    await change.note("dealwright", "render_failed", ticket_id=ticket_id, code=fault.code)
    return Done("failed")
