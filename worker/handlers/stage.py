"""A stage has work to do: its agent is given what it is owed, or code delivers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from schemas.event import PauseResolved, StageRequested
from schemas.job import StageName
from schemas.outcome import Busy, Done, Outcome
from worker.app import App
from worker.attempt import Finish, Task, run_attempt
from worker.handlers.delivery import deliver
from worker.ledger.leases import Lease, take_lease
from worker.ledger.ledger import Change
from worker.ledger.tables import stage
from worker.pipeline import STAGES
from worker.quarantine import set_aside
from worker.turn import take_turn


async def on_stage_requested(app: App, event: StageRequested) -> Outcome:
    """The stage's next stretch of work, if it has any."""
    return await run_stage(app, event.job_id, event.stage)


async def on_pause_resolved(app: App, event: PauseResolved) -> Outcome:
    """The presentation goes on: whatever its calls waited for is there."""
    return await run_stage(app, event.job_id, "presentation")


async def run_stage(app: App, job_id: str, name: StageName) -> Outcome:
    """One attempt at a stage; a stage that is over, or waits, is left alone whatever message came."""
    rule = STAGES[name]

    async def take(change: Change) -> Lease | Outcome:
        if change.job["stage"] != name or change.job["state"] not in rule.runs_in:
            return Done("nothing to do")
        lease = await take_lease(change, change.job, app.terms, name)
        if lease is None:
            return Busy()
        await _begin(app, change, name)
        return replace(lease, row=change.job)

    async def work(lease: Lease) -> Finish:
        return await (deliver(app, lease) if name == "delivery" else take_turn(app, lease, name))

    def again(lease: Lease) -> StageRequested:
        return StageRequested(job_id=lease.job_id, stage=name, cause=f"lease-{lease.fence}")

    return await run_attempt(app, Task(job_id, take, work, again, set_aside))


async def _begin(app: App, change: Change, name: StageName) -> None:
    """Enter the stage, and pin the prompts that the job will speak to its end."""
    row: dict[str, Any] = {
        "state": "running",
        "epoch": 0,
        "turns": 0,
        "model_calls": 0,
        "stamps": [],
        "started_at": change.now,
    }
    fresh = await change.insert_absent(stage, job_id=change.job_id, stage=name, **row)
    pins = {} if change.job["prompts"] else {"prompts": app.open_prompts(None).versions}
    if fresh or pins:
        await change.move(STAGES[name].state, expects=STAGES[name].runs_in, **pins)
    if fresh:
        app.tell(change.job_id, "started", name)
