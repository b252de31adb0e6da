"""What every way of messages holds to: inside one process, and over Pub/Sub."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
import pytest_asyncio

from schemas.event import Delivery
from schemas.outcome import Verdict
from tests.conformance import lines

Make = Callable[[int], Awaitable[lines.Line]]
BODY = {"kind": "StageRequested", "job_id": "j", "stage": "extraction", "deep": {"ü": [1, 2.5, None, True, "—"]}}


@pytest_asyncio.fixture(params=["inprocess", "pubsub"])
async def make(request: pytest.FixtureRequest, project: str) -> AsyncGenerator[Make]:
    """Makes a line with so many slots; all are ended with the test."""
    made: list[lines.Line] = []

    async def make_one(slots: int) -> lines.Line:
        if request.param == "inprocess":
            made.append(lines.in_process(slots))
        else:
            made.append(await lines.over_pubsub(project, request.getfixturevalue("pubsub_host"), slots))
        return made[-1]

    if request.param == "pubsub":
        request.getfixturevalue("pubsub_host")
    yield make_one
    for line in made:
        await line.end()


async def test_a_message_arrives_as_it_was_published(make: Make) -> None:
    """Every kind of JSON value, and text of any script."""
    line, heard = await make(1), lines.Heard()

    async def take(delivery: Delivery) -> Verdict:
        heard.add(delivery)
        return "ack"

    line.start(take)
    await asyncio.sleep(0)
    await line.publisher.publish("work", "m1", BODY)
    (delivery,) = await heard.until(1)
    assert delivery.body == BODY
    assert (delivery.number, delivery.trace) == (1, "")
    assert delivery.subscription
    assert delivery.message_id


async def test_a_refused_message_comes_again_until_it_is_acked_and_not_after(make: Make) -> None:
    """Each time with a higher number, under the same id."""
    line, heard = await make(2), lines.Heard()

    async def take(delivery: Delivery) -> Verdict:
        heard.add(delivery)
        return "ack" if delivery.number >= 3 else "nack"

    line.start(take)
    await asyncio.sleep(0)
    await line.publisher.publish("work", "m1", BODY)
    await heard.until(3)
    await line.publisher.publish("work", "m2", {})
    await heard.until(6)
    assert [delivery.number for delivery in heard.all] == [1, 2, 3, 1, 2, 3]
    assert len({delivery.message_id for delivery in heard.all}) == 2


async def test_no_more_are_in_hand_than_there_are_slots(make: Make) -> None:
    """And all slots are used."""
    line, heard = await make(3), lines.Heard()
    now = most = 0

    async def take(delivery: Delivery) -> Verdict:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.02)
        now -= 1
        heard.add(delivery)
        return "ack"

    line.start(take)
    await asyncio.sleep(0)
    await asyncio.gather(*(line.publisher.publish("work", f"m{n}", {"n": n}) for n in range(20)))
    assert {delivery.body["n"] for delivery in await heard.until(20)} == set(range(20))
    assert most == 3


async def test_a_paused_source_brings_nothing_until_it_is_resumed(make: Make) -> None:
    """What was published meanwhile is not lost."""
    line, heard = await make(2), lines.Heard()

    async def take(delivery: Delivery) -> Verdict:
        heard.add(delivery)
        return "ack"

    line.source.pause()
    line.source.pause()
    line.start(take)
    await asyncio.sleep(0)
    await line.publisher.publish("work", "m1", BODY)
    await asyncio.sleep(0.2)
    assert heard.all == []
    line.source.resume()
    await heard.until(1)


async def test_stopping_waits_for_what_is_in_hand(make: Make) -> None:
    """And brings nothing new meanwhile."""
    line, heard, free = await make(1), lines.Heard(), asyncio.Event()
    done: list[str] = []

    async def take(delivery: Delivery) -> Verdict:
        heard.add(delivery)
        await free.wait()
        done.append(delivery.message_id)
        return "ack"

    line.start(take)
    await asyncio.sleep(0)
    for n in range(2):
        await line.publisher.publish("work", f"m{n}", {})
    await heard.until(1)
    line.stop.set()
    assert line.running is not None
    await asyncio.sleep(0.1)
    assert not line.running.done()
    free.set()
    await line.end()
    assert len(done) == len(heard.all) == 1
