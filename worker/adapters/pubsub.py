"""Pub/Sub: messages out, with the server's word for each, and deliveries in, no more than there are slots.

Deliveries are pulled one call at a time and not by the library's streaming pull, for these reasons. A call asks for as
many as there are free slots, so nothing waits in this process for a slot while another worker is idle, a killed process
leaves only what it had begun, and stopping finds little to hand back: of 200 messages that two workers shared, one
being killed, the streaming library had 100 tied up until their leases ran out. Each call has an end of its own, so
there is no stream that can go quiet. It runs on the event loop, without threads. With few slots it is also faster:
294 messages a second instead of 156 with two, the same delay for a single message (40 ms), emulator and 2 cores.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import structlog
from google.api_core import exceptions
from google.pubsub_v1.types import ReceivedMessage

from schemas.errors import OutputError
from schemas.event import Delivery, Topic
from schemas.outcome import Verdict
from worker.adapters.notifications import LIMIT_BYTES, read_message, trace_of
from worker.adapters.pubsub_calls import FAILURES, PublishCalls, PullCalls, transport_trouble
from worker.adapters.pubsub_leases import Held, Leases, Terms
from worker.tracing import traceparent

log = structlog.get_logger(__name__)
Take = Callable[[Delivery], Awaitable[Verdict]]
FIRST_PAUSE_S, LAST_PAUSE_S = 0.1, 10.0
"""How long a failed call is followed by none: at first, and at most."""


class PubsubPublisher:
    """Publishes to a project's topics, whose names `topics` gives; to be made inside the loop that uses it."""

    def __init__(
        self, project: str, topics: Mapping[Topic, str], endpoint: str | None = None, *, give_up_s: float = 30.0
    ) -> None:
        self._topics = {topic: f"projects/{project}/topics/{name}" for topic, name in topics.items()}
        self._calls = PublishCalls(endpoint)
        self._give_up_s = give_up_s

    async def publish(
        self, topic: Topic, message_id: str, body: Mapping[str, Any], attributes: Mapping[str, str] | None = None
    ) -> None:
        """Returns once the server has the message, JSON with `message_id`, `kind`, `job_id`, `traceparent` beside it.

        Raises TransientError `transport.unavailable`, `transport.refused` or `transport.missing` once it gives up,
        and OutputError `transport.too_large` for a message that no reader of ours would take.
        """
        data = json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
        if len(data) > LIMIT_BYTES:
            told = f"{body.get('kind')} {message_id} has {len(data):,} bytes"
            raise OutputError("transport.too_large", f"Message {told}; messages carry references, never content.")
        told = {"message_id": message_id} | {key: str(body[key]) for key in ("kind", "job_id") if body.get(key)}
        told |= {"traceparent": trace} if (trace := traceparent()) else {}
        try:
            await self._calls.publish(self._topics[topic], data, told | dict(attributes or {}), self._give_up_s)
        except FAILURES as error:
            raise transport_trouble(error, self._topics[topic]) from error

    async def close(self) -> None:
        """Close the connection."""
        await self._calls.close()


class PubsubPull:
    """Deliveries of one subscription, at most `slots` of them in hand; a source as ports.Source wants it.

    It outlives whatever happens to the server, a subscription that is missing for a time included: `trouble` says in a
    sentence what is wrong just now, and is empty when the last call went well.
    """

    def __init__(
        self, project: str, subscription: str, slots: int, endpoint: str | None = None, *, terms: Terms | None = None
    ) -> None:
        self.name = subscription
        self.trouble = ""
        self._path = f"projects/{project}/subscriptions/{subscription}"
        self._endpoint = endpoint
        self._slots = slots
        self._terms = terms or Terms()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self._freed = asyncio.Event()
        self._open, self._paused = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._quiet, self._failed = 0, 0

    def pause(self) -> None:
        """Pull nothing until `resume`; a call that is waiting for messages is ended."""
        self._open.clear()
        self._paused.set()

    def resume(self) -> None:
        """Pull again."""
        self._paused.clear()
        self._open.set()

    async def run(self, take: Take, stop: asyncio.Event) -> None:
        """Hand deliveries to `take` until `stop` is set and those in hand are settled; none that isn't begun is kept.

        If it is cancelled, what is in hand is cancelled too, and handed back. An exception out of `take` refuses the
        message. A message that the server gives to a call just as that is ended comes again when its lease runs out.
        """
        leases = Leases(PullCalls(self._path, self._endpoint), self._terms)
        keeper = asyncio.create_task(leases.keep())
        try:
            while not stop.is_set():
                await self._step(leases, take, stop)
            await _all(self._tasks)
        finally:
            for task in self._tasks:
                task.cancel()
            await _all(self._tasks)
            keeper.cancel()
            await _all({keeper, *self._closing})
            await leases.calls.close()

    async def _step(self, leases: Leases, take: Take, stop: asyncio.Event) -> None:
        """Wait for a slot and messages for it, and begin them."""
        self._freed.clear()
        free = self._slots - len(self._tasks)
        if not free or not self._open.is_set():
            await _first(stop.wait(), self._open.wait() if free else self._freed.wait())
            return
        messages = await self._pull(leases, free, stop)
        if messages and (stop.is_set() or self._paused.is_set()):
            await leases.hand_back([message.ack_id for message in messages])
            return
        for message in messages:
            held = leases.hold(message.ack_id, read_delivery(self.name, message))
            task = asyncio.create_task(self._handle(leases, held, take, stop), name=held.delivery.message_id)
            self._tasks.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._freed.set()

    async def _handle(self, leases: Leases, held: Held, take: Take, stop: asyncio.Event) -> None:
        verdict: Verdict = "nack"
        try:
            verdict = await take(held.delivery)
        except asyncio.CancelledError:
            await leases.settle(held, "nack", at_once=True)
            raise
        except Exception as error:
            # One message's handling must not end the pulling of all.
            log.error("take_failed", message_id=held.delivery.message_id, error=type(error).__name__, exc_info=error)
        await leases.settle(held, verdict, at_once=stop.is_set())

    async def _pull(self, leases: Leases, free: int, stop: asyncio.Event) -> Sequence[ReceivedMessage]:
        """The messages that came, none if it took too long, or the call failed, or it is stopped or paused first."""
        call = asyncio.create_task(leases.calls.pull(free, self._terms.wait_s))
        try:
            await _first(stop.wait(), self._paused.wait(), until=call)
        finally:
            call.cancel()
        await asyncio.wait({call})
        return () if call.cancelled() else await self._answered(leases, call, stop)

    async def _answered(
        self, leases: Leases, call: asyncio.Task[Sequence[ReceivedMessage]], stop: asyncio.Event
    ) -> Sequence[ReceivedMessage]:
        try:
            messages = call.result()
        except exceptions.DeadlineExceeded:
            # Nothing came, or nobody is there: only a long row of these tells.
            self._count_quiet(leases)
            return ()
        except FAILURES as error:
            self._note(transport_trouble(error, self._path).message)
            self._count_quiet(leases)
            await _first(stop.wait(), asyncio.sleep(self._pause_s()))
            return ()
        self._quiet = self._failed = 0
        self._note("")
        return messages

    def _pause_s(self) -> float:
        self._failed += 1
        return min(FIRST_PAUSE_S * 2 ** min(self._failed - 1, 16), LAST_PAUSE_S)

    def _note(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.warning("pull_trouble", subscription=self.name, trouble=trouble or "over")
        self.trouble = trouble

    def _count_quiet(self, leases: Leases) -> None:
        """After too many calls without an answer, go on over a new connection; the old one ends what is under way."""
        self._quiet += 1
        if self._quiet < self._terms.quiet_calls:
            return
        self._quiet = 0
        old, leases.calls = leases.calls, PullCalls(self._path, self._endpoint)
        log.info("connection_renewed", subscription=self.name)
        closing = asyncio.create_task(old.close(self._terms.settle_s))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


def read_delivery(subscription: str, received: ReceivedMessage) -> Delivery:
    """The delivery that a pulled message is; its body is `{}` if it can't be read, and its number 1 if none is told."""
    attributes = dict(received.message.attributes)
    return Delivery(
        subscription=subscription,
        message_id=received.message.message_id,
        body=read_message(attributes, received.message.data),
        number=received.delivery_attempt or 1,
        trace=trace_of(attributes),
    )


async def _first(*waits: Awaitable[object], until: asyncio.Task[Any] | None = None) -> None:
    """Return when one of the waits is over, or `until`, which is left as it is; the other waits are dropped."""
    tasks = {asyncio.ensure_future(wait) for wait in waits}
    try:
        await asyncio.wait(tasks | ({until} if until else set()), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await _all(tasks)


async def _all(tasks: set[asyncio.Task[Any]]) -> None:
    """Return when all are done, however they ended."""
    await asyncio.gather(*tasks, return_exceptions=True)
