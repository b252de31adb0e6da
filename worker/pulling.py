"""A worker at work: what its sources bring is handled, what that promises goes out, and what time brings is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog

from schemas.event import Delivery
from schemas.outcome import Halted, Verdict, verdict_of
from worker.app import App
from worker.decisions import expire_overdue
from worker.dispatch import handle
from worker.ledger.leases import break_leases
from worker.lost_uploads import InboxRounds
from worker.outbox import publish_promised, sweep_all, sweep_through
from worker.ports import Source
from worker.surroundings import outage
from worker.webhooks import deliver_due

log = structlog.get_logger(__name__)
RELAY_S = 5.0
"""How often promises are looked for that whoever made them did not keep, and how old those are at least."""
SWEEP_S = 15.0
WEBHOOK_S = 2.0


@dataclass(slots=True)
class Work:
    """The deliveries that a worker has in hand. `stop` ends it; `halted` says why, if it ended by itself.

    One that `searches_inbox` looks there, now and then, for uploads that no message told of.
    """

    app: App
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    searches_inbox: bool = False
    halted: Halted | None = None
    in_hand: set[asyncio.Task[Verdict]] = field(default_factory=set[asyncio.Task[Verdict]])

    async def take(self, delivery: Delivery) -> Verdict:
        """Whether the delivery is settled, once all is done about it; one that is dropped at the end comes again."""
        task = asyncio.create_task(self._handle(delivery), name=delivery.message_id)
        self.in_hand.add(task)
        task.add_done_callback(self.in_hand.discard)
        with suppress(asyncio.CancelledError):
            return await asyncio.shield(task)
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return "nack"

    async def _handle(self, delivery: Delivery) -> Verdict:
        outcome = await handle(self.app, delivery)
        if isinstance(outcome, Halted):
            self.halted = outcome
            self.stop.set()
        await _safely(self.app, "publish", lambda: publish_promised(self.app, str(delivery.body.get("job_id", ""))))
        return verdict_of(outcome)

    async def drop(self, grace_s: float) -> None:
        """Wait for what is in hand; what is not done in time gives its lease back, and uses no attempt up."""
        if self.in_hand:
            await asyncio.wait(self.in_hand, timeout=grace_s)
        for task in self.in_hand:
            task.cancel()
        await asyncio.gather(*self.in_hand, return_exceptions=True)


async def work(worker: Work, sources: Sequence[Source], *, grace_s: float) -> None:
    """Return once `worker.stop` is set and everything in hand is done or handed back."""
    app = worker.app
    running = [asyncio.create_task(source.run(worker.take, worker.stop), name=source.name) for source in sources]
    beside = [
        asyncio.create_task(_relay(app)),
        asyncio.create_task(_every(app, SWEEP_S, "sweep", lambda: sweep_all(app))),
        asyncio.create_task(_every(app, WEBHOOK_S, "webhook", lambda: deliver_due(app))),
        asyncio.create_task(_every(app, SWEEP_S, "expire", lambda: expire_overdue(app))),
        asyncio.create_task(_heed(app, sources)),
    ]
    if worker.searches_inbox:
        beside.append(asyncio.create_task(_every(app, SWEEP_S, "inbox", InboxRounds(app).go_on)))
    stopping = asyncio.create_task(worker.stop.wait())
    try:
        await asyncio.wait([*running, stopping], return_when=asyncio.FIRST_COMPLETED)
        worker.stop.set()
        await worker.drop(grace_s)
        for ended in await asyncio.gather(*running, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
        await _safely(app, "publish", lambda: publish_promised(app))
    finally:
        left: list[asyncio.Task[Any]] = [*beside, *running, stopping]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def take_over(app: App) -> None:
    """Have jobs go on that the last process left: before a worker starts, and before its transport carries anything.

    On SQLite there is one worker at a time, so whoever held a lease is dead. Messages of a transport inside a process
    died with it, however young.
    """
    if app.settings.database == "sqlite":
        await break_leases(app.ledger)
    if app.settings.transport == "inprocess":
        log.info("taken_over", reissued=await sweep_through(app, older_than_s=0))


async def _relay(app: App) -> None:
    """Promises are published by whoever makes them; but those of a process that ended before are nobody's."""
    if app.settings.transport == "inprocess":
        await _safely(app, "relay", lambda: _publish_all(app))
    await _every(app, RELAY_S, "relay", lambda: publish_promised(app, older_than_s=RELAY_S))


async def _publish_all(app: App) -> int:
    published = 0
    while sent := await publish_promised(app):
        published += sent
    return published


async def _every(app: App, seconds: float, what: str, do: Callable[[], Awaitable[int]]) -> None:
    while True:
        await _safely(app, what, do)
        await asyncio.sleep(seconds)


async def _safely(app: App, what: str, do: Callable[[], Awaitable[int]]) -> None:
    """Upkeep that fails is tried again at its next time: what it is for is in the ledger, and lasts.

    So it is also what finds out that the database, or Pub/Sub for publishing, is down, and that it is back.
    """
    try:
        done = await do()
    except Exception as error:  # noqa: BLE001 whatever is down now, the worker outlives it
        log.warning("upkeep_failed", what=what, error=type(error).__name__)
        if app.breaker is not None:
            app.breaker.failed("", getattr(outage(error, app.settings) or error, "code", ""))
    else:
        if app.breaker is not None:
            app.breaker.answered("", "database")
            if done and what in ("publish", "relay"):
                app.breaker.answered("", "transport")
        if done and what != "publish":
            log.info("upkeep", what=what, done=done)


async def _heed(app: App, sources: Sequence[Source]) -> None:
    """Have the sources pause while the breaker says so."""
    breaker = app.breaker
    if breaker is None:
        return
    while True:
        breaker.changed.clear()
        closed_for_s = breaker.closed_for_s()
        for source in sources:
            source.pause() if closed_for_s else source.resume()
        with suppress(TimeoutError):
            await asyncio.wait_for(breaker.changed.wait(), closed_for_s or None)
