"""Jobs: opened once, found by the beginning of their id, listed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from schemas.errors import InputError
from schemas.event import ObjectFinalized, StageRequested, UploadReceived
from schemas.job import JobState, JobSummary, Reason
from worker.ledger.ledger import Change, Ledger, Row
from worker.ledger.messages import promise
from worker.ledger.tables import decision, job, stage
from worker.tracing import span, traceparent


async def open_job(ledger: Ledger, event: UploadReceived) -> bool:
    """Whether the job is new; if so, the message for its first stage is promised in the same transaction."""
    upload = {"artifact": event.artifact, "version": event.version, "sha256": event.sha256}
    row: dict[str, Any] = {
        "user_id": event.user_id,
        "source": event.source,
        "name": event.name,
        "filename": event.filename,
    }
    row |= {"size_bytes": event.size_bytes, "upload": upload, "submitted_by": event.submitted_by}
    return await _open(ledger, event.job_id, row, sha256=event.sha256)


async def open_job_of_object(ledger: Ledger, event: ObjectFinalized, user_id: str) -> bool:
    """Whether the job of that generation is new; its upload is yet to be read, and `upload` is empty till then."""
    filename = event.name.rpartition("/")[2]
    row: dict[str, Any] = {
        "user_id": user_id,
        "source": event.bucket,
        "name": event.name,
        "filename": filename,
        "upload": {},
    }
    row |= {"generation": event.generation, "size_bytes": event.size_bytes, "submitted_by": user_id}
    return await _open(ledger, event.job_id, row, generation=event.generation)


async def _open(ledger: Ledger, job_id: str, values: dict[str, Any], **facts: Any) -> bool:
    now = ledger.clock()
    row = {"id": job_id, "state": "received", "stage": "extraction", "rounds": 0, "created_at": now, "updated_at": now}
    row |= {"fence": 0, "has_work": False, "failures": 0, "lost_leases": 0, **values}
    with span("open job", job_id=job_id):
        row |= {"trace": traceparent()}
        return await _insert(ledger, row, facts)


async def _insert(ledger: Ledger, row: dict[str, Any], facts: dict[str, Any]) -> bool:
    job_id, now = row["id"], row["created_at"]
    async with ledger.writing("open job") as connection:
        change = Change(connection, job_id, row, now)
        if not await change.insert_absent(job, **row):
            return False
        await promise(change, StageRequested(job_id=job_id, stage="extraction"))
        await change.note(row["submitted_by"], "submitted", **facts)
        return True


async def find_job(ledger: Ledger, prefix: str) -> Row:
    """The row of the one job whose id begins so; raises InputError `job.unknown` or `job.ambiguous`."""
    wanted = prefix.strip().lower()
    # The range beside the pattern: an index serves patterns only where the database orders texts by their bytes.
    within = (job.c.id >= wanted, job.c.id < f"{wanted}z", job.c.id.startswith(wanted, autoescape=True))
    found = await ledger.rows(select(job).where(*within).limit(2)) if wanted.isprintable() and wanted else []
    if len(found) > 1:
        raise InputError("job.ambiguous", f"More than one job's id begins with {wanted[:40]}; give more of it.")
    if not found:
        raise InputError("job.unknown", f"No job's id begins with {wanted[:40]}; `dealwright jobs` lists them.")
    return found[0]


async def list_summaries(ledger: Ledger, limit: int = 200, *, state: JobState | None = None) -> list[JobSummary]:
    """The newest jobs, newest first; in a state, if that is given, by when they came to it."""
    query = select(job).order_by(job.c.created_at.desc(), job.c.id).limit(limit)
    if state is not None:
        query = select(job).where(job.c.state == state).order_by(job.c.updated_at.desc(), job.c.id).limit(limit)
    return [JobSummary.model_validate(summary_values(row)) for row in await ledger.rows(query)]


def summary_values(row: Row) -> dict[str, Any]:
    """What a job's one line shows, from its row."""
    names = ("filename", "state", "stage", "submitted_by", "created_at", "updated_at")
    reason = Reason.model_validate(row["reason"]) if row["reason"] else None
    return {"job_id": row["id"], "reason": reason, **{name: row[name] for name in names}}


async def stage_rows(ledger: Ledger, job_id: str) -> list[Row]:
    """The rows of the stages that the job has entered, in order."""
    return await ledger.rows(select(stage).where(stage.c.job_id == job_id).order_by(stage.c.started_at))


async def decisions_in(change: Change) -> list[Row]:
    """The job's decisions, oldest first."""
    return await change.all(
        select(decision).where(decision.c.job_id == change.job_id).order_by(decision.c.decided_at, decision.c.ticket_id)
    )
