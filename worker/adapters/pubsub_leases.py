"""Deliveries in hand: their leases are made longer while they are worked on, and each is settled by its verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from schemas.event import Delivery
from schemas.outcome import Verdict
from worker.adapters.pubsub_calls import FAILURES, PullCalls

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """The times of pulling and holding; tests have shorter ones.

    A held message's lease is extended to `lease_s` for the first time within `beat_s`, which must be less than the
    shortest lease that Pub/Sub gives (10 s), and again whenever a third of it is over, until `longest_s` after the
    message came. A refused message comes again after `first_delay_s`, twice that the next time, and so on up to
    `last_delay_s`; a subscription's own retry policy comes on top, where the server has one. A call for messages ends
    after `wait_s`; after `quiet_calls` of them in a row that nobody answered there is a new connection.
    """

    lease_s: int = 60
    beat_s: float = 4.0
    longest_s: float = 3600.0
    first_delay_s: int = 1
    last_delay_s: int = 60
    wait_s: float = 30.0
    quiet_calls: int = 10
    settle_s: float = 20.0


@dataclass(slots=True)
class Held:
    """A message in hand; `since_s` and `due_s`, when it came and when its lease must be extended, by the loop's clock.

    `due_s` is None once it is extended no more.
    """

    ack_id: str
    delivery: Delivery
    since_s: float
    due_s: float | None


class Leases:
    """What a puller holds. `calls` are replaced by others when the connection is."""

    def __init__(self, calls: PullCalls, terms: Terms) -> None:
        self.calls = calls
        self._terms = terms
        self._held: dict[int, Held] = {}

    def hold(self, ack_id: str, delivery: Delivery) -> Held:
        """The message, held from now on."""
        now_s = asyncio.get_running_loop().time()
        held = Held(ack_id, delivery, now_s, now_s)
        self._held[id(held)] = held
        return held

    async def settle(self, held: Held, verdict: Verdict, *, at_once: bool = False) -> None:
        """Tell the server the verdict; a refused message comes again after its delay, or at once.

        A message whose verdict can't be told comes again too, when its lease runs out.
        """
        try:
            if verdict == "ack":
                await self.calls.acknowledge(held.ack_id, self._terms.settle_s)
            else:
                delay_s = 0 if at_once else self._delay_s(held.delivery.number)
                await self.calls.set_lease([held.ack_id], delay_s, self._terms.settle_s)
        except FAILURES as error:
            log.warning("verdict_lost", verdict=verdict, message_id=held.delivery.message_id, error=str(error)[:200])
        finally:
            self._held.pop(id(held), None)

    async def hand_back(self, ack_ids: Sequence[str]) -> None:
        """Give messages back that nobody began: they go to another worker at once."""
        try:
            await self.calls.set_lease(ack_ids, 0, self._terms.settle_s)
        except FAILURES as error:
            log.warning("hand_back_failed", messages=len(ack_ids), error=str(error)[:200])

    async def keep(self) -> None:
        """Extend, for ever, each lease in its time; what fails is tried again at the next beat."""
        while True:
            await asyncio.sleep(self._terms.beat_s)
            now_s = asyncio.get_running_loop().time()
            due = [held for held in self._held.values() if held.due_s is not None and held.due_s <= now_s]
            over = [held for held in due if now_s - held.since_s > self._terms.longest_s]
            for held in over:
                held.due_s = None
                log.warning("lease_given_up", message_id=held.delivery.message_id, held_s=round(now_s - held.since_s))
            await self._extend([held for held in due if held.due_s is not None], now_s)

    async def _extend(self, due: Sequence[Held], now_s: float) -> None:
        if not due:
            return
        try:
            await self.calls.set_lease([held.ack_id for held in due], self._terms.lease_s, self._terms.beat_s)
        except FAILURES as error:
            log.warning("lease_not_extended", messages=len(due), error=str(error)[:200])
            return
        for held in due:
            held.due_s = now_s + self._terms.lease_s / 3

    def _delay_s(self, number: int) -> int:
        return min(self._terms.first_delay_s * 2 ** min(number - 1, 16), self._terms.last_delay_s)
