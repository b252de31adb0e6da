"""Running jobs in this process: messages go round inside it until a job waits for a person, or is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import structlog
from sqlalchemy import exists, or_, select

from schemas.errors import ConflictError, TransientError
from schemas.event import Delivery
from schemas.job import TERMINAL, JobState
from schemas.outcome import Halted, Verdict, verdict_of
from worker.adapters import renderers
from worker.adapters.files import only_worker, who_works
from worker.adapters.transport import InProcessTransport
from worker.app import App, Progress
from worker.decisions import expire_overdue
from worker.dispatch import handle
from worker.ledger.leases import break_leases
from worker.ledger.messages import mark_unsent, unsent
from worker.ledger.tables import job, ticket
from worker.outbox import publish_promised, sweep
from worker.webhooks import deliver_due

log = structlog.get_logger(__name__)
POLL_S = 0.2
"""How often the ledger is looked at for what other processes wrote."""
SWEEP_S = 2.0
MOST_DELIVERIES = 10
"""How often a message is handed over in one run. A job's own failures end sooner, by its limit of attempts."""
_LATER = "the log says why. What was done is kept: run it again later."
PATIENCE_S = 60.0
"""How long one process waits for another that does nothing about its job before it says so and gives up."""


async def run_until_quiet(app: App, job_id: str, on_progress: Callable[[Progress], None] | None = None) -> JobState:
    """The state that the job came to rest in: over, or waiting for a person.

    What other jobs have ready is done on the way. Raises ConflictError `worker.busy` if another process works on the
    same SQLite database and does nothing about the job, TransientError `run.refused` if a message is refused for ever,
    and at once what `lasting_fault` tells of a full disk or a place that is barred.
    """
    told = on_progress or app.progress

    def of_this_job(progress: Progress) -> None:
        if progress.job_id == job_id:
            told(progress)

    watched = replace(app, progress=of_this_job)
    right = await _become_only_worker(watched, job_id)
    if right is None:
        return await _state(app, job_id)
    with right:
        transport = InProcessTransport()
        running = replace(watched, publish=transport.publish_inside)

        async def take(delivery: Delivery) -> Verdict:
            outcome = await handle(running, delivery)
            if isinstance(outcome, Halted):
                raise outcome.error
            verdict = verdict_of(outcome)
            if verdict == "nack" and delivery.number >= MOST_DELIVERIES:
                raise TransientError("run.refused", f"The ledger can't be written ({delivery.number} tries); {_LATER}")
            return verdict

        transport.subscribe(take)
        try:
            return await _run(running, transport, job_id)
        finally:
            await mark_unsent(app.ledger, await transport.close())


async def _run(app: App, transport: InProcessTransport, job_id: str) -> JobState:
    if await _state(app, job_id) in ("received", "extracting"):
        renderers.get_ready()
    await expire_overdue(app)
    await sweep(app, job_id)
    loop = asyncio.get_running_loop()
    next_sweep = loop.time() + SWEEP_S
    while True:
        await publish_promised(app)
        if transport.held(job_id):
            await transport.settle(POLL_S)
        else:
            if await _at_rest(app, job_id):
                await deliver_due(app)
                return await _state(app, job_id)
            await asyncio.sleep(POLL_S)
        if loop.time() >= next_sweep and not transport.held(job_id):
            # Another worker has the job, or had it and died: what its lease leaves behind when it runs out is ours.
            await sweep(app, job_id)
            next_sweep = loop.time() + SWEEP_S


async def _state(app: App, job_id: str) -> JobState:
    return (await app.ledger.job(job_id))["state"]


async def _become_only_worker(app: App, job_id: str) -> ExitStack | None:
    """What holds this process's right to work; None if the one that had it has brought the job to rest meanwhile.

    Whoever has it works on this job too, sooner or later: it is waited for as long as it does. PostgreSQL lets any
    number work, and so does what is returned for it.
    """
    held = ExitStack()
    if app.settings.database != "sqlite":
        return held
    loop = asyncio.get_running_loop()
    give_up_at, told = loop.time() + PATIENCE_S, False
    while True:
        try:
            held.enter_context(only_worker(app.settings.state_dir))
        except ConflictError:
            if await _in_hand(app, job_id):
                give_up_at = loop.time() + PATIENCE_S
            elif loop.time() > give_up_at:
                raise
            if not told:
                who = who_works(app.settings.state_dir)
                app.tell(job_id, "waiting_for_worker", f"{who} and takes this up too; waiting for it")
                told = True
        else:
            # Nobody else is at work, so whoever held a lease is dead.
            await break_leases(app.ledger)
            return held
        await asyncio.sleep(POLL_S)
        if await _at_rest(app, job_id):
            return None


async def _in_hand(app: App, job_id: str) -> bool:
    """Whether somebody is at work on the job, or on a document of it."""
    now = app.clock()
    leased = or_(
        exists().where(job.c.id == job_id, job.c.lease_expires_at > now),
        exists().where(ticket.c.job_id == job_id, ticket.c.lease_expires_at > now),
    )
    return bool((await app.ledger.rows(select(leased.label("leased"))))[0]["leased"])


async def _at_rest(app: App, job_id: str) -> bool:
    state = await _state(app, job_id)
    return (state in TERMINAL or state == "waiting") and not await unsent(app.ledger, job_id)
