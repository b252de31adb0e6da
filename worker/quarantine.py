"""Quarantine: a job is set aside with a reason, and nothing of it is lost on the way back."""

from __future__ import annotations

from schemas.job import TERMINAL, TRANSITIONS, JobState
from schemas.outcome import Done, Outcome, Quarantined
from schemas.results import JobQuarantined, JobRejected
from worker.ledger.ledger import Change
from worker.ledger.messages import announce
from worker.ledger.tables import stage
from worker.policy import Fault

SUPERSEDED = "object.superseded"
UNFINISHED: frozenset[JobState] = frozenset(TRANSITIONS) - TERMINAL


async def quarantine(change: Change, fault: Fault) -> Quarantined:
    """Set the job aside. Its open tickets stay open, so that a replay goes on where it stopped."""
    reason = fault.reason.model_dump(mode="json")
    await change.move("quarantined", expects=UNFINISHED, reason=reason)
    here = (stage.c.job_id == change.job_id, stage.c.stage == change.job["stage"])
    await change.set(stage, *here, state="failed", ended_at=change.now)
    await change.note("dealwright", "quarantined", stage=change.job["stage"], **reason)
    await announce(change, JobQuarantined, stage=change.job["stage"], fence=change.job["fence"], **reason)
    return Quarantined(fault.code)


async def set_aside(change: Change, fault: Fault) -> Outcome:
    """As quarantine; a job whose upload was written over before it was read ends, since no replay could mend that."""
    if fault.code != SUPERSEDED:
        return await quarantine(change, fault)
    await change.move("rejected", expects={"extracting"}, reason=fault.reason.model_dump(mode="json"))
    here = (stage.c.job_id == change.job_id, stage.c.stage == change.job["stage"])
    await change.set(stage, *here, state="failed", ended_at=change.now)
    await change.note("dealwright", "superseded", message=fault.message)
    await announce(change, JobRejected, verdict="superseded", comment=fault.message)
    return Done("superseded")
