"""Dead letters: messages that Pub/Sub gave up on. The ledger knows what each was for: none needs to be sent again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import structlog
from sqlalchemy import select

from schemas.errors import InputError
from schemas.event import Delivery, ObjectFinalized, ObjectIgnored, parse_event
from schemas.job import TERMINAL
from worker.app import App
from worker.dispatch import handle
from worker.ledger.deliveries import note_delivery
from worker.ledger.tables import job
from worker.outbox import sweep

log = structlog.get_logger(__name__)
Became = Literal["reissued", "waiting", "at work", "over", "opened", "ignored", "unknown job", "unreadable"]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that was given up: what it is, the job that it is about and its state, and what became of it.

    `about` is the object's name if it told of an upload, or the reason to ignore it.
    """

    message_id: str
    kind: str
    job_id: str
    state: str
    became: Became
    about: str = ""


async def bury(app: App, delivery: Delivery) -> DeadLetter:
    """What a dead letter was about, once the ledger has issued anew whatever its job still waits for; acked then."""
    letter = await _look(app, delivery)
    await note_delivery(app.ledger, delivery, "DeadLetter")
    log.warning("dead_letter", message_id=letter.message_id, job_id=letter.job_id, became=letter.became)
    return letter


async def _look(app: App, delivery: Delivery) -> DeadLetter:
    try:
        event = parse_event(delivery.body)
    except InputError:
        return DeadLetter(delivery.message_id, "", "", "", "unreadable")
    kind, job_id = type(event).__name__, event.job_id
    if isinstance(event, ObjectIgnored):
        return DeadLetter(delivery.message_id, kind, "", "", "ignored", event.why)
    about = event.name if isinstance(event, ObjectFinalized) else ""
    known, opened = await _state(app, job_id), False
    if known is None and isinstance(event, ObjectFinalized):
        await handle(app, delivery)
        known = await _state(app, job_id)
        opened = known is not None
    if known is None:
        became: Became = "ignored" if isinstance(event, ObjectFinalized) else "unknown job"
        return DeadLetter(delivery.message_id, kind, job_id, "", became, about)
    became = "opened" if opened else await _again(app, job_id, known)
    return DeadLetter(delivery.message_id, kind, job_id, known, became, about)


async def _state(app: App, job_id: str) -> str | None:
    found = await app.ledger.rows(select(job.c.state).where(job.c.id == job_id))
    return found[0]["state"] if found else None


async def _again(app: App, job_id: str, state: str) -> Became:
    if state in TERMINAL:
        return "over"
    if state == "waiting":
        return "waiting"
    return "reissued" if await sweep(app, job_id) else "at work"
