"""Dispatch: a delivery in, a verdict out. Every way of receiving messages ends here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from schemas.errors import InputError
from schemas.event import (
    Delivery,
    Event,
    ObjectFinalized,
    ObjectIgnored,
    PauseResolved,
    RenderRequested,
    StageRequested,
    UploadReceived,
    parse_event,
)
from schemas.outcome import Halted, Ignored, Outcome, Quarantined, Retry, Verdict, verdict_of
from worker.app import App
from worker.handlers.render import on_render_requested
from worker.handlers.stage import on_pause_resolved, on_stage_requested
from worker.handlers.upload import on_object_finalized, on_object_ignored, on_upload_received
from worker.ledger.deliveries import note_delivery
from worker.policy import fault_of
from worker.surroundings import lasting_fault, outage
from worker.tracing import span

log = structlog.get_logger(__name__)
Handler = Callable[[App, Any], Awaitable[Outcome]]
HANDLERS: dict[type[Event], Handler] = {
    UploadReceived: on_upload_received,
    ObjectFinalized: on_object_finalized,
    ObjectIgnored: on_object_ignored,
    StageRequested: on_stage_requested,
    PauseResolved: on_pause_resolved,
    RenderRequested: on_render_requested,
}
KINDS = frozenset(event.__name__ for event in HANDLERS)
"""What logs and traces call a message's kind; a stranger's words for it go into neither."""


async def dispatch(app: App, delivery: Delivery) -> Verdict:
    """Whether the delivery is settled (ack) or to come again (nack); never raises but to end the process.

    An ack is given after the commit of whatever was done, and only then.
    """
    return verdict_of(await handle(app, delivery))


async def handle(app: App, delivery: Delivery) -> Outcome:
    """What the delivery's handling ended as, whatever it raised; for whoever must know more than the verdict."""
    job_id, kind = str(delivery.body.get("job_id", ""))[:64], str(delivery.body.get("kind", ""))
    whose = {"subscription": delivery.subscription, "message_id": delivery.message_id}
    whose |= {"job_id": job_id if job_id.isalnum() else "", "kind": kind if kind in KINDS else "unknown"}
    received = span("delivery", "consumer", within=delivery.trace, number=delivery.number, **whose)
    with received as told, structlog.contextvars.bound_contextvars(**whose):
        try:
            outcome = await _handle(app, delivery)
            await note_delivery(app.ledger, delivery, type(outcome).__name__)
            if app.breaker is not None:
                app.breaker.answered(job_id, "database")
        except Exception as error:  # noqa: BLE001 the only place that turns any failure into another delivery
            outcome = _failed(app, job_id, error)
        if isinstance(outcome, Quarantined):
            log.warning("job_quarantined", code=outcome.code)
        told.tell(outcome=type(outcome).__name__, code=getattr(outcome, "code", None))
        log.info("delivery_handled", outcome=type(outcome).__name__, number=delivery.number)
        app.checkpoint("before ack")
        return outcome


def _failed(app: App, job_id: str, error: Exception) -> Outcome:
    lasting, down = lasting_fault(error, app.settings), outage(error, app.settings)
    if down is not None and app.breaker is not None:
        app.breaker.failed(job_id, down.code)
    code = lasting.code if lasting else fault_of(down or error).code
    log.error("dispatch_failed", code=code, error=type(error).__name__, exc_info=error)
    return Halted(lasting) if lasting else Retry(code)


async def _handle(app: App, delivery: Delivery) -> Outcome:
    try:
        event = parse_event(delivery.body)
        handler = HANDLERS.get(type(event))
        return await handler(app, event) if handler else Ignored("not ours to act on")
    except InputError as unusable:
        log.warning("delivery_ignored", code=unusable.code)
        return Ignored(unusable.code)
