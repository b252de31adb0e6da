"""What people ask for, by the command line now and by other ways later: jobs are submitted, shown, decided and run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import select

from schemas import ids
from schemas.errors import ConflictError
from schemas.event import Delivery, RenderRequested, StageRequested, UploadReceived
from schemas.job import TERMINAL, TRANSITIONS, JobDetail, JobState, JobSummary
from tools.deals.version import RULES_VERSION
from worker.adapters.files import read_upload
from worker.app import App
from worker.costs import model_uses
from worker.decisions import Correction, DecisionOutcome, Said, decide
from worker.dispatch import dispatch
from worker.handlers.upload import DEFAULT_USER
from worker.intake import keep_upload
from worker.ledger import tickets
from worker.ledger.jobs import find_job, list_summaries
from worker.ledger.leases import forgive, revoke_lease
from worker.ledger.ledger import Row
from worker.ledger.messages import promise
from worker.ledger.tables import job, stage
from worker.ledger.views import job_detail
from worker.pipeline import STAGES, TEMPLATE
from worker.running import run_until_quiet

__all__ = [
    "Correction",
    "DecisionOutcome",
    "Said",
    "SubmitOutcome",
    "cancel",
    "decide",
    "list_jobs",
    "list_quarantined",
    "read_artifact",
    "replay",
    "run_until_quiet",
    "show_job",
    "submit_file",
]
CANCELLABLE: frozenset[JobState] = frozenset(state for state, then in TRANSITIONS.items() if "cancelled" in then)
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class SubmitOutcome:
    """The job of a file: its state, and whether it was there before."""

    job_id: str
    state: JobState
    was: Literal["new", "continued", "finished"]


async def submit_file(app: App, path: str | Path, *, fresh: bool = False, by: str) -> SubmitOutcome:
    """The job of a local file: the same path and bytes are the same job, unless a `fresh` one is asked for.

    The bytes are kept before the job is opened, so the file may change or go meanwhile. Raises InputError `file.*`.
    """
    place, data = read_upload(path, app.settings.max_file_bytes)
    sha256 = ids.sha256_hex(data)
    job_id, known = await _job_of(app, str(place), sha256, fresh=fresh)
    if known is not None:
        return SubmitOutcome(job_id, known["state"], "finished" if known["state"] in TERMINAL else "continued")
    artifact = ids.upload_artifact(LOCAL, str(place))
    event = UploadReceived(
        job_id=job_id,
        user_id=DEFAULT_USER,
        source=LOCAL,
        name=str(place),
        filename=place.name,
        sha256=sha256,
        size_bytes=len(data),
        artifact=artifact,
        version=await keep_upload(app, DEFAULT_USER, artifact, data),
        submitted_by=by,
    )
    await dispatch(app, Delivery(subscription=LOCAL, message_id=job_id, body=event.model_dump(mode="json")))
    return SubmitOutcome(job_id, (await app.ledger.job(job_id))["state"], "new")


async def _job_of(app: App, place: str, sha256: str, *, fresh: bool) -> tuple[str, Row | None]:
    """The newest job of these bytes at this place with its row, or the next free id and None."""
    known: list[Row] = []
    while True:
        job_id = ids.job_id_of_file(place, sha256, TEMPLATE, RULES_VERSION, len(known))
        found = await app.ledger.rows(select(job).where(job.c.id == job_id))
        if not found:
            return (job_id, None) if fresh or not known else (known[-1]["id"], known[-1])
        known += found


async def list_jobs(app: App) -> list[JobSummary]:
    """The newest jobs, newest first."""
    return await list_summaries(app.ledger)


async def list_quarantined(app: App) -> list[JobSummary]:
    """The jobs that are set aside, the last one first."""
    return await list_summaries(app.ledger, 10_000, state="quarantined")


async def show_job(app: App, job_id: str) -> JobDetail:
    """All about the one job whose id begins so; raises InputError `job.unknown` or `job.ambiguous`."""
    detail = await job_detail(app.ledger, await find_job(app.ledger, job_id))
    return detail.model_copy(update={"models": model_uses(detail.stages, app.settings.prices)})


async def read_artifact(app: App, detail: JobDetail, artifact: str, version: int) -> bytes:
    """The bytes of one of the job's artifacts, as `detail` names them."""
    folder = artifact.partition("/")[0]
    scope = f"{detail.job_id}.{'extraction' if folder == 'deals' else 'presentation'}"
    return await (await app.services()).shelf.fetch(detail.user_id, scope, artifact, version)


async def cancel(app: App, job_id: str, by: str) -> JobState:
    """The state that the job ends in: cancelled. Whoever is at work on it finds its lease revoked.

    Raises ConflictError `job.over` if it has ended in another way, or is being delivered.
    """
    row = await find_job(app.ledger, job_id)
    async with app.ledger.change(row["id"], "cancel") as change:
        if change.job["state"] == "cancelled":
            return "cancelled"
        if change.job["state"] not in CANCELLABLE:
            raise ConflictError("job.over", f"Job {row['id'][:12]} can't be cancelled; it is {change.job['state']}.")
        await change.move("cancelled", expects=CANCELLABLE)
        await tickets.void_open(change)
        await revoke_lease(change)
        await change.note(by, "cancelled")
        app.tell(row["id"], "ended", "cancelled")
    return "cancelled"


async def replay(app: App, job_id: str, by: str) -> JobState:
    """The state that a quarantined job is back in; its stage starts in a fresh session, with all that is decided kept.

    Raises ConflictError `job.not_quarantined`.
    """
    row = await find_job(app.ledger, job_id)
    async with app.ledger.change(row["id"], "replay") as change:
        if change.job["state"] != "quarantined":
            words = f"Job {row['id'][:12]} is not quarantined; it is {change.job['state']}."
            raise ConflictError("job.not_quarantined", words)
        name = change.job["stage"]
        state = STAGES[name].state
        await change.move(state, expects={"quarantined"}, reason=None, finished_at=None)
        await forgive(change)
        here = (stage.c.job_id == row["id"], stage.c.stage == name)
        await change.set(stage, *here, state="running", epoch=stage.c.epoch + 1, turns=0, ended_at=None)
        await tickets.reopen_failed(change)
        for ticket in await tickets.tickets_in(change, state="open"):
            if ticket["kind"] != "approval":
                await promise(change, RenderRequested(job_id=row["id"], ticket_id=ticket["id"]), again=True)
        cause = f"replay-{change.job['fence']}"
        await promise(change, StageRequested(job_id=row["id"], stage=name, cause=cause), again=True)
        await change.note(by, "replayed", stage=name)
    return state
