"""The transport inside a process."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from schemas.event import Delivery
from schemas.outcome import Verdict
from worker.adapters.transport import InProcessTransport


async def settled(transport: InProcessTransport) -> None:
    """Wait until it holds nothing."""
    while transport.held():
        await transport.settle(1)


async def test_a_refused_message_comes_again_with_a_higher_number() -> None:
    """As often as it is refused, and no more once it is acked."""
    seen: list[int] = []

    async def handle(delivery: Delivery) -> Verdict:
        seen.append(delivery.number)
        return "ack" if delivery.number == 3 else "nack"

    transport = InProcessTransport(first_delay_s=0.001)
    transport.subscribe(handle)
    await transport.publish("work", "m", {"job_id": "j"})
    await settled(transport)
    assert seen == [1, 2, 3]


async def test_a_message_that_is_still_held_is_not_taken_twice() -> None:
    """Sweeping may publish it again while it waits; afterwards it is a new one."""
    seen: list[str] = []
    free = asyncio.Event()

    async def handle(delivery: Delivery) -> Verdict:
        await free.wait()
        seen.append(delivery.message_id)
        return "ack"

    transport = InProcessTransport()
    transport.subscribe(handle)
    for _ in range(3):
        await transport.publish("work", "m", {})
    free.set()
    await settled(transport)
    await transport.publish("work", "m", {})
    await settled(transport)
    assert seen == ["m", "m"]


async def test_no_more_are_handled_at_once_than_there_are_slots() -> None:
    """The others wait their turn."""
    now, most = 0, 0

    async def handle(delivery: Delivery) -> Verdict:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return "ack"

    transport = InProcessTransport(slots=2)
    transport.subscribe(handle)
    for number in range(6):
        await transport.publish("work", str(number), {})
    await settled(transport)
    assert most == 2


async def test_what_is_left_at_the_end_is_named() -> None:
    """So that it can be taken back: running ones are ended, waiting ones never began."""
    never = asyncio.Event()

    async def handle(delivery: Delivery) -> Verdict:
        await never.wait()
        return "ack"

    transport = InProcessTransport(slots=1)
    transport.subscribe(handle)
    for name, job in (("a", "j1"), ("b", "j2")):
        await transport.publish("work", name, {"job_id": job})
    await asyncio.sleep(0)
    assert transport.held("j1") == {"a"}
    assert await transport.close() == {"a", "b"}
    assert transport.held() == set()


async def test_what_is_in_hand_at_the_end_may_still_be_finished_and_publish() -> None:
    """What it finishes is not left, what it publishes is; and nothing is begun of that."""
    begun: list[str] = []
    in_hand = asyncio.Event()
    transport = InProcessTransport()

    async def handle(delivery: Delivery) -> Verdict:
        begun.append(delivery.message_id)
        in_hand.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await transport.publish("work", f"{delivery.message_id}, then", {})
        return "ack"

    transport.subscribe(handle)
    await transport.publish("work", "finished", {})
    await in_hand.wait()
    assert await transport.close() == {"finished, then"}
    await asyncio.sleep(0)
    assert begun == ["finished"]
    assert transport.held() == set()


async def test_a_message_that_is_refused_at_the_end_is_not_waited_for() -> None:
    """A handler that is ended by being told to stop refuses what it had; nobody hands that over again."""
    in_hand = asyncio.Event()

    async def handle(delivery: Delivery) -> Verdict:
        in_hand.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "nack"

    transport = InProcessTransport()
    transport.subscribe(handle)
    await transport.publish("work", "m", {})
    await in_hand.wait()
    async with asyncio.timeout(1):
        assert await transport.close() == {"m"}
