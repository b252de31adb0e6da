"""An attempt: take the lease, work while heartbeats prolong it, write what came of it under the fence, or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from schemas.errors import ConflictError, DealwrightError
from schemas.event import Event
from schemas.outcome import Done, Halted, Outcome, Retry
from worker.app import App
from worker.ledger.leases import LEASE_LOST, Count, Lease, Returned, give_back, leave_word, prolong_lease
from worker.ledger.ledger import Change, Row
from worker.ledger.messages import promise
from worker.ledger.tables import stage
from worker.policy import Fault, fault_of
from worker.quarantine import quarantine
from worker.surroundings import lasting_fault, outage
from worker.tracing import span

log = structlog.get_logger(__name__)
T = TypeVar("T")
Finish = Callable[[Change], Awaitable[None]]
"""Writes what the work came to, in the transaction that gives the lease back."""
AWAY_S = 0.5
"""How often a database that is down is asked whether it is back."""


@dataclass(frozen=True, slots=True)
class Task:
    """What an attempt is at: how its lease is taken (or why not), the work, the message that has it done again.

    `set_aside` says what becomes of work that no further attempt would mend.
    """

    job_id: str
    take: Callable[[Change], Awaitable[Lease | Outcome]]
    work: Callable[[Lease], Coroutine[Any, Any, Finish]]
    again: Callable[[Lease], Event]
    set_aside: Callable[[Change, Fault], Awaitable[Outcome]] = quarantine


async def run_attempt(app: App, task: Task) -> Outcome:
    """What the attempt ended as. Its work is written whole, by the holder of the lease, or not at all."""
    taking = asyncio.ensure_future(_take(app, task))
    try:
        lease, job = await asyncio.shield(taking)
    except asyncio.CancelledError:
        # The commit may be under way: whoever is stopped in the middle of it must not keep what it gave.
        await asyncio.shield(_hand_back_unused(app, task, taking))
        raise
    if not isinstance(lease, Lease):
        return lease
    bound = {"job_id": task.job_id, "stage": job["stage"] if lease.table == "job" else "render"}
    bound |= {"ticket_id": lease.key} if lease.table == "ticket" else {}
    trying = span("attempt", within=job["trace"], attempt=lease.attempt, **bound)
    with trying as told, structlog.contextvars.bound_contextvars(attempt=lease.attempt, **bound):
        outcome = await _try(app, task, lease)
        told.tell(outcome=type(outcome).__name__, code=getattr(outcome, "code", None))
    return outcome


async def _take(app: App, task: Task) -> tuple[Lease | Outcome, Row]:
    """The lease, or why there is none, and the job as it was found."""
    async with app.ledger.change(task.job_id, "lease") as change:
        lease = await task.take(change)
        if isinstance(lease, Lease) and lease.lost_leases >= app.settings.max_lost_leases:
            lease = await _lost_too_often(change, lease)
    return lease, change.job


async def _hand_back_unused(app: App, task: Task, taking: asyncio.Future[tuple[Lease | Outcome, Row]]) -> None:
    lease, _ = await taking
    if isinstance(lease, Lease):
        await _hand_back(app, lease, task)


async def _try(app: App, task: Task, lease: Lease) -> Outcome:
    try:
        return await _work(app, task, lease)
    except asyncio.CancelledError:
        await asyncio.shield(_hand_back(app, lease, task))
        raise


async def _work(app: App, task: Task, lease: Lease) -> Outcome:
    try:
        finish = await _while_kept(app, lease, task.work(lease))
        app.checkpoint("before record")
        async with app.ledger.change(task.job_id, "record") as change:
            left = await give_back(change, lease, "done")
            await finish(change)
            if left.left_word:
                await promise(change, task.again(lease), again=True)
        return Done()
    except Exception as error:  # noqa: BLE001 every failure of an attempt is told to policy, which says what it means
        return await _fail(app, lease, task, error)


async def _lost_too_often(change: Change, lease: Lease) -> Outcome:
    await give_back(change, lease, "given_up", "neither")
    words = (
        f"Its worker ended {lease.lost_leases} times in a row without a word: stopped from outside, or out of memory."
    )
    return await quarantine(change, Fault("lease.lost_too_often", words, "aside"))


async def _while_kept(app: App, lease: Lease, work: Coroutine[Any, Any, T]) -> T:
    """What the work returns; raises ConflictError as soon as the lease is known to be lost."""
    working, beating = asyncio.ensure_future(work), asyncio.ensure_future(_beat(app, lease))
    try:
        await asyncio.wait({working, beating}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ConflictError(LEASE_LOST, "The lease ran out and another worker took over.")
        return working.result()
    finally:
        for future in (working, beating):
            future.cancel()
        await asyncio.gather(working, beating, return_exceptions=True)


async def _beat(app: App, lease: Lease) -> None:
    """Return once the lease is lost."""
    while True:
        await asyncio.sleep(app.settings.heartbeat_s)
        try:
            if not await prolong_lease(app.ledger, lease, app.settings.lease_s):
                return
        except Exception as error:  # noqa: BLE001 one heartbeat may miss; the fence decides, not the heart
            log.warning("heartbeat_missed", error=type(error).__name__)


async def _hand_back(app: App, lease: Lease, task: Task) -> None:
    """The process was told to stop: the attempt does not count, and the work is somebody else's."""
    with suppress(ConflictError):
        async with app.ledger.change(task.job_id, "hand back") as change:
            await give_back(change, lease, "handed_back", "neither")
            await promise(change, task.again(lease), again=True)


async def _halt(app: App, lease: Lease, error: DealwrightError) -> Halted:
    """The lease goes back uncounted, if that can still be written; else it runs out."""
    log.error("halted", code=error.code)
    with suppress(Exception):
        async with app.ledger.change(lease.job_id, "hand back") as change:
            await give_back(change, lease, "handed_back", "neither", code=error.code, message=error.message)
    return Halted(error)


async def _fail(app: App, lease: Lease, task: Task, error: Exception) -> Outcome:
    lasting = lasting_fault(error, app.settings)
    if lasting is not None:
        return await _halt(app, lease, lasting)
    fault = fault_of(outage(error, app.settings) or error)
    # Only what nobody foresaw is logged whole: other faults say all in their code, and a traceback may quote a cell.
    trace = error if fault.code == "fault" else None
    log.warning("attempt_failed", code=fault.code, act=fault.act, error=type(error).__name__, exc_info=trace)
    if fault.act == "yield":
        return await _yield(app, lease)
    down = app.breaker is not None and app.breaker.failed(task.job_id, fault.code)
    try:
        ended = await _once_written(
            app, lambda: _note_failure(app, lease, task, fault, "neither" if down else "failure")
        )
    except ConflictError:
        return await _yield(app, lease)
    if not isinstance(ended, Returned):
        return ended
    again = f"trying again ({ended.failures + 1} of {app.settings.max_attempts})"
    app.tell(task.job_id, "retrying", f"{fault.message.partition('; ')[0].rstrip('.')}; {again}")
    return Retry(fault.code)


async def _note_failure(app: App, lease: Lease, task: Task, fault: Fault, counts: Count) -> Returned | Outcome:
    """What the lease left behind, or what became of the work if no further attempt is to be made."""
    async with app.ledger.change(task.job_id, "fail") as change:
        left = await give_back(change, lease, "failed", counts, code=fault.code, message=fault.message)
        if _is_final(fault, lease) or left.failures >= app.settings.max_attempts:
            return await task.set_aside(change, fault)
        if fault.act == "fresh":
            here = (stage.c.job_id == change.job_id, stage.c.stage == change.job["stage"])
            await change.set(stage, *here, epoch=stage.c.epoch + 1)
    return left


async def _once_written(app: App, write: Callable[[], Awaitable[T]]) -> T:
    """What `write` returns; a database that is down is waited for as long as the lease may last."""
    loop = asyncio.get_running_loop()
    give_up_at = loop.time() + app.settings.lease_s
    while True:
        try:
            return await write()
        except Exception as error:
            if outage(error, app.settings) is None or loop.time() >= give_up_at:
                raise
        await asyncio.sleep(AWAY_S)


def _is_final(fault: Fault, lease: Lease) -> bool:
    """Whether another attempt would end the same: a document has no session to begin anew, so its input stays."""
    return fault.act == "aside" or (fault.act == "fresh" and lease.table == "ticket")


async def _yield(app: App, lease: Lease) -> Outcome:
    """Somebody was first. If that took the lease, they are told to look again: they may have begun before we wrote."""
    try:
        async with app.ledger.change(lease.job_id, "yield") as change:
            await give_back(change, lease, "overtaken", "neither")
    except ConflictError:
        async with app.ledger.change(lease.job_id, "yield") as change:
            await leave_word(change, lease)
    return Done("overtaken")
