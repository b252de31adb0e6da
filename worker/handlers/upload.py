"""A workbook was received: its job is opened, unless it is known already."""

from __future__ import annotations

from schemas.event import UploadReceived
from schemas.outcome import Done, Ignored, Outcome
from worker.app import App
from worker.ledger.jobs import open_job


async def on_upload_received(app: App, event: UploadReceived) -> Outcome:
    """Done, with the job and the message for its first stage written together; an empty upload is ignored."""
    if not event.size_bytes:
        return Ignored("empty")
    return Done("opened" if await open_job(app.ledger, event) else "known")
