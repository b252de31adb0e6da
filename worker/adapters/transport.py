"""A transport inside one process: at least once, refused messages again, and all forgotten when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from schemas.event import Delivery, Topic
from schemas.outcome import Verdict
from worker.tracing import traceparent

log = structlog.get_logger(__name__)
Handler = Callable[[Delivery], Awaitable[Verdict]]


class InProcessTransport:
    """Messages between publishing and handling. `slots` are handled at once; a refused one waits longer each time.

    It is a source too (ports.Source): `run` hands over until it is stopped.
    """

    name = "inprocess"

    def __init__(self, *, slots: int = 2, first_delay_s: float = 0.1, last_delay_s: float = 10.0) -> None:
        self._slots = asyncio.Semaphore(slots)
        self._first_delay_s, self._last_delay_s = first_delay_s, last_delay_s
        self._held: dict[str, Delivery] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._in_hand: set[str] = set()
        self._handler: Handler | None = None
        self._ending = False
        self._open = asyncio.Event()
        self._open.set()

    async def run(self, take: Handler, stop: asyncio.Event) -> None:
        """Have messages handled by `take` until `stop` is set and those in hand are done; the others stay held."""
        self.subscribe(take)
        await stop.wait()
        self._ending = True
        for message_id, task in self._tasks.items():
            if message_id not in self._in_hand:
                task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def pause(self) -> None:
        """Hand nothing over until `resume`."""
        self._open.clear()

    def resume(self) -> None:
        """Hand over what there is."""
        self._open.set()

    def subscribe(self, handler: Handler) -> None:
        """Have every message, from now on, handled by `handler`."""
        self._handler = handler

    async def publish(self, topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
        """Take a message over; it is delivered once a slot is free. One that is still held is not taken twice."""
        assert self._handler is not None, "publish after subscribe"
        if message_id in self._held:
            return
        trace = traceparent() or ""
        self._held[message_id] = Delivery(subscription=topic, message_id=message_id, body=dict(body), trace=trace)
        if not self._ending:
            task = asyncio.create_task(self._deliver(message_id, self._handler), name=message_id)
            self._tasks[message_id] = task

    async def publish_inside(self, topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
        """As `publish`, but for results, which are for listeners outside, and have none here but the log."""
        if topic == "results":
            log.info("result_published", type=body.get("type"), message_id=message_id)
        else:
            await self.publish(topic, message_id, body)

    async def _deliver(self, message_id: str, handler: Handler) -> None:
        delivery = self._held[message_id]
        while True:
            async with self._slots:
                await self._open.wait()
                self._in_hand.add(message_id)
                try:
                    verdict = await handler(delivery)
                finally:
                    self._in_hand.discard(message_id)
            if verdict == "ack":
                del self._held[message_id], self._tasks[message_id]
                return
            if self._ending:
                return
            await asyncio.sleep(min(self._first_delay_s * 2 ** (delivery.number - 1), self._last_delay_s))
            delivery = delivery.model_copy(update={"number": delivery.number + 1})

    def held(self, job_id: str | None = None) -> set[str]:
        """The ids of messages that were taken over and not yet acked; of one job if `job_id` is given."""
        return {key for key, held in self._held.items() if job_id in (None, held.body.get("job_id"))}

    async def settle(self, timeout_s: float) -> None:
        """Wait until a message, any, is done with, or the time is over; raises what a handler raised."""
        if self._tasks:
            tasks = self._tasks.values()
            done, _ = await asyncio.wait(tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def close(self) -> set[str]:
        """End what runs; the ids of the messages that were not acked, which are now nobody's.

        What a handler publishes while it ends is among them, and what it still finishes is not.
        """
        self._ending = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        left = set(self._held)
        self._held.clear()
        self._tasks.clear()
        return left
