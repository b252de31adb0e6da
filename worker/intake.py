"""Intake: an upload's bytes are read where they lie, once, and kept as an artifact that every later step reads."""

from __future__ import annotations

import asyncio

from schemas import ids
from schemas.errors import ConflictError
from worker.app import App
from worker.ledger.leases import LEASE_LOST, Lease, fenced
from worker.ledger.ledger import Row
from worker.ledger.tables import job

MEDIA_TYPE = "application/octet-stream"
UPLOADS = "uploads"
"""The scope of uploads; their names begin with `user:`, so it is the same shelf in every scope."""


async def take_in(app: App, lease: Lease) -> Row:
    """The job's row, with its upload kept as an artifact: that of an object is read now, at its generation.

    Raises what the store raises (ports.Objects.read), and ConflictError `lease.lost`.
    """
    row = lease.row
    if row["upload"]:
        return row
    limit_bytes = app.settings.max_file_bytes
    data = await asyncio.to_thread(app.objects.read, row["source"], row["name"], row["generation"], limit_bytes)
    artifact = ids.upload_artifact(row["source"], row["name"])
    version = await keep_upload(app, row["user_id"], artifact, data)
    if app.breaker is not None:
        app.breaker.answered(lease.job_id, "store")
    app.checkpoint("kept upload")
    kept = {"artifact": artifact, "version": version, "sha256": ids.sha256_hex(data)}
    async with app.ledger.change(lease.job_id, "take in") as change:
        if not await change.set(job, fenced(lease), upload=kept, size_bytes=len(data)):
            raise ConflictError(LEASE_LOST, "The lease ran out and another worker took over.")
    return {**row, "upload": kept, "size_bytes": len(data)}


async def keep_upload(app: App, user_id: str, artifact: str, data: bytes) -> int:
    """The version of the upload's artifact that holds `data`: the newest, if it holds just that."""
    shelf = (await app.services()).shelf
    newest = await shelf.newest(user_id, UPLOADS, artifact)
    if newest is not None and await shelf.load(user_id, UPLOADS, artifact, newest) == data:
        return newest
    return await shelf.save(user_id, UPLOADS, artifact, data, MEDIA_TYPE)
