"""A workbook was received: its job is opened, unless it is known already."""

from __future__ import annotations

import structlog
from sqlalchemy import func, select

from schemas import ids
from schemas.event import ObjectFinalized, ObjectIgnored, UploadReceived
from schemas.outcome import Done, Ignored, Outcome
from worker.app import App
from worker.ledger.jobs import open_job, open_job_of_object
from worker.ledger.tables import job

log = structlog.get_logger(__name__)
DEFAULT_USER = "default"
EMPTY = "empty"


async def on_upload_received(app: App, event: UploadReceived) -> Outcome:
    """Done, with the job and the message for its first stage written together; an empty upload is ignored."""
    if not event.size_bytes:
        return Ignored(EMPTY)
    return Done("opened" if await open_job(app.ledger, event) else "known")


async def on_object_finalized(app: App, event: ObjectFinalized) -> Outcome:
    """Done, with the job of that generation opened or known; Ignored, with the reason, for what is no upload of ours.

    Nothing is read yet: that is the first act of the extraction, under its lease.
    """
    why = await _no_upload(app, event)
    if why == EMPTY:
        # Programs make an empty file first and write it then, so it is no job; but somebody may wait for it.
        log.warning("upload_empty", name=event.name)
        app.tell(event.job_id, "left_alone", f"{event.name} is empty (0 bytes) and left alone; put it there again.")
    if why:
        return Ignored(why)
    user_id = user_of(event.name, app.settings.inbox_prefix)
    return Done("opened" if await open_job_of_object(app.ledger, event, user_id) else "known")


async def on_object_ignored(app: App, event: ObjectIgnored) -> Outcome:
    """Ignored; whoever put a file there that can't be taken is told why."""
    if event.name:
        log.warning("upload_left_alone", name=event.name)
        app.tell(event.job_id, "left_alone", event.why)
    return Ignored("not ours to act on")


async def _no_upload(app: App, event: ObjectFinalized) -> str | None:
    prefix = app.settings.inbox_prefix
    if not app.settings.is_inbox(event.bucket):
        return "another bucket"
    if not event.name.startswith(prefix) or event.name.endswith("/"):
        return "outside the inbox"
    if ids.is_hidden(event.name):
        return "hidden"
    if not event.size_bytes and not app.settings.inbox.startswith("gs://"):
        # Objects are there whole or not at all: one that is empty was sent so, and its job says so.
        return EMPTY
    newest = select(func.max(job.c.generation)).where(job.c.source == event.bucket, job.c.name == event.name)
    known = (await app.ledger.rows(newest))[0]["max_1"]
    return "an older generation" if known is not None and known > event.generation else None


def user_of(name: str, prefix: str) -> str:
    """The user of an object: the first folder after the inbox's prefix, if there is one."""
    folder, separator, _ = name.removeprefix(prefix).partition("/")
    return folder if separator and folder else DEFAULT_USER
