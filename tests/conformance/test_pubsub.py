"""What Pub/Sub alone can do to a worker, on Google's emulator: leases, hand-backs, garbage, doubles, dead letters."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from schemas.errors import OutputError, TransientError
from schemas.event import Delivery
from schemas.outcome import Verdict
from tests.conformance import lines
from tests.conformance.lines import QUICK, Heard, Line, Worker
from worker.adapters import provisioning
from worker.adapters.google_clients import open_subscriber
from worker.adapters.pubsub import PubsubPublisher
from worker.adapters.pubsub_calls import PullCalls
from worker.topology import read_topology

GARBAGE = [b"", b"\xff\xfe", b"{", b"[]", b"null", b'"text"', b'{"a": NaN}', b'{"a": "\\ud800"}', b'{"a": "\\u0000"}']
GARBAGE += [b"[" * 100_000, b'{"n": 1' + b"0" * 5_000 + b"}", b"x" * 1_000_001]
SOON_S = 5
"""Far less than any lease: what comes by then was handed back, and did not run out."""


async def test_a_message_is_acked_only_after_its_handler(line: Line, project: str, pubsub_host: str) -> None:
    """A worker that is ended in the middle leaves it to another one, at once; a finished one doesn't."""
    first = Worker(project, pubsub_host)
    first.free.clear()
    await line.publisher.publish("work", "m", {"kind": "k"})
    await first.heard.until(1)
    first.task.cancel()
    await asyncio.gather(first.task, return_exceptions=True)
    second = Worker(project, pubsub_host)
    (again,) = await second.heard.until(1, SOON_S)
    assert (again.number, again.message_id) == (2, first.heard.all[0].message_id)
    await second.end()
    third = Worker(project, pubsub_host)
    await line.publisher.publish("work", "last", {"kind": "last"})
    await third.heard.until(1)
    assert [delivery.body["kind"] for delivery in third.heard.all] == ["last"]
    await third.end()


async def test_a_handler_that_outlasts_the_lease_keeps_its_message(
    line: Line, project: str, pubsub_host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a server whose leases last a second; a worker beside it never sees the message."""
    plain = PullCalls.pull

    async def pull(calls: PullCalls, most: int, within_s: float) -> Sequence[Any]:
        messages = await plain(calls, most, within_s)
        if messages:
            await calls.set_lease([message.ack_id for message in messages], 1, 5)
        return messages

    monkeypatch.setattr(PullCalls, "pull", pull)
    terms = replace(QUICK, lease_s=1, beat_s=0.1)
    slow, beside = Worker(project, pubsub_host, terms=terms), Worker(project, pubsub_host, terms=terms)
    slow.free.clear()
    beside.free.clear()
    await line.publisher.publish("work", "m", {})
    await asyncio.sleep(2.5)
    assert len(slow.heard.all) + len(beside.heard.all) == 1
    await slow.end()
    await beside.end()


async def test_a_lease_is_not_made_longer_for_ever(line: Line, project: str, pubsub_host: str) -> None:
    """A handler that hangs loses its message to another worker."""
    terms = replace(QUICK, lease_s=1, beat_s=0.1, longest_s=0.3)
    hung = Worker(project, pubsub_host, terms=terms)
    hung.free.clear()
    await line.publisher.publish("work", "m", {})
    await hung.heard.until(1)
    beside = Worker(project, pubsub_host)
    (again,) = await beside.heard.until(1, SOON_S)
    assert again.number == 2
    await hung.end()
    await beside.end()


async def test_a_worker_that_stops_takes_nothing_new(line: Line, project: str, pubsub_host: str) -> None:
    """While it finishes what it has, a message that comes goes to another worker, though it had a free slot.

    A busy emulator may still give it to the call that was just ended: then it comes when that lease runs out.
    """
    stopping = Worker(project, pubsub_host, slots=2)
    stopping.free.clear()
    await line.publisher.publish("work", "m1", {"n": 1})
    await stopping.heard.until(1)
    stopping.stop.set()
    await asyncio.sleep(0.1)
    await line.publisher.publish("work", "m2", {"n": 2})
    other = Worker(project, pubsub_host)
    assert [delivery.body for delivery in await other.heard.until(1)] == [{"n": 2}]
    await stopping.end()
    await other.end()
    assert len(stopping.heard.all) == 1


async def test_messages_that_arrive_as_it_stops_are_handed_back(
    line: Line, project: str, pubsub_host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come to another worker at once, and were begun by none."""
    worker = Worker(project, pubsub_host)
    plain = PullCalls.pull

    async def pull(calls: PullCalls, most: int, within_s: float) -> Sequence[Any]:
        messages = await plain(calls, most, within_s)
        worker.stop.set()
        return messages

    monkeypatch.setattr(PullCalls, "pull", pull)
    await line.publisher.publish("work", "m", {})
    await worker.task
    monkeypatch.undo()
    assert worker.heard.all == []
    other = Worker(project, pubsub_host)
    (came,) = await other.heard.until(1, SOON_S)
    assert came.number == 2
    await other.end()


async def test_what_is_refused_while_stopping_goes_to_another_worker_at_once(
    line: Line, project: str, pubsub_host: str
) -> None:
    """A worker that was told to stop and gave up a job must not keep others waiting for it."""
    worker = Worker(project, pubsub_host, terms=replace(QUICK, first_delay_s=60, last_delay_s=60))
    worker.free.clear()
    worker.verdict = "nack"
    await line.publisher.publish("work", "m", {})
    await worker.heard.until(1)
    await worker.end()
    other = Worker(project, pubsub_host)
    (came,) = await other.heard.until(1, SOON_S)
    assert came.number == 2
    await other.end()


async def test_a_refused_message_keeps_away_for_a_while(line: Line, project: str, pubsub_host: str) -> None:
    """Even from a server that knows no retry policy, so that an outage does not burn its deliveries up."""
    worker = Worker(project, pubsub_host, terms=replace(QUICK, first_delay_s=1, last_delay_s=1))
    worker.verdict = "nack"
    await line.publisher.publish("work", "m", {})
    loop = asyncio.get_running_loop()
    await worker.heard.until(1)
    began_s = loop.time()
    await worker.heard.until(2)
    assert loop.time() - began_s >= 0.9
    await worker.end()


async def test_garbage_is_handed_on_empty_and_blocks_nothing(line: Line, project: str, pubsub_host: str) -> None:
    """Whatever is published, an empty body comes out, and the good message after it too."""
    for data in GARBAGE:
        await lines.publish_raw(project, pubsub_host, data, job_id="j\0")
    await line.publisher.publish("work", "good", {"kind": "good"})
    worker = Worker(project, pubsub_host, slots=2)
    bodies = [delivery.body for delivery in await worker.heard.until(len(GARBAGE) + 1)]
    assert bodies.count({}) == len(GARBAGE)
    assert {"kind": "good"} in bodies
    await worker.end()


async def test_a_handler_that_raises_refuses_its_message_alone(line: Line, project: str, pubsub_host: str) -> None:
    """The pulling of others goes on, and the message comes again."""
    source, heard, stop = lines.pull(project, pubsub_host, 1), Heard(), asyncio.Event()

    async def take(delivery: Delivery) -> Verdict:
        heard.add(delivery)
        if delivery.number == 1:
            raise ZeroDivisionError
        return "ack"

    running = asyncio.create_task(source.run(take, stop))
    await line.publisher.publish("work", "m", {})
    assert [delivery.number for delivery in await heard.until(2)] == [1, 2]
    stop.set()
    await running


async def test_doubles_are_handed_over_as_such(line: Line, project: str, pubsub_host: str) -> None:
    """The same message published twice is two deliveries: what is to be done once is the ledger's to know."""
    for _ in range(2):
        await line.publisher.publish("work", "m", {"kind": "k"})
    worker = Worker(project, pubsub_host)
    one, two = await worker.heard.until(2)
    assert one.body == two.body
    assert one.message_id != two.message_id
    await worker.end()


async def test_a_worker_holds_no_more_than_it_works_on(line: Line, project: str, pubsub_host: str) -> None:
    """One that hangs with one slot keeps one message; the other nine are done by its neighbour."""
    hung = Worker(project, pubsub_host)
    hung.free.clear()
    for n in range(10):
        await line.publisher.publish("work", f"m{n}", {"n": n})
    await hung.heard.until(1)
    busy = Worker(project, pubsub_host, slots=2)
    done = await busy.heard.until(9, SOON_S)
    kept = {delivery.body["n"] for delivery in hung.heard.all}
    assert len(kept) == 1
    assert {delivery.body["n"] for delivery in done} == set(range(10)) - kept
    await hung.end()
    await busy.end()


async def test_a_message_that_is_always_refused_ends_among_the_dead(line: Line, project: str, pubsub_host: str) -> None:
    """After twenty deliveries; by then the ledger has long set its job aside, and this catches the rest."""
    worker = Worker(project, pubsub_host)
    worker.verdict = "nack"
    await line.publisher.publish("work", "m", {"job_id": "j", "kind": "k"})
    await worker.heard.until(20)
    client: Any = open_subscriber(pubsub_host)
    dead = f"projects/{project}/subscriptions/{read_topology().subscriptions['dead'].name}"
    answer = await client.pull(subscription=dead, max_messages=1, timeout=20)
    attributes = dict(answer.received_messages[0].message.attributes)
    assert (attributes["message_id"], attributes["job_id"], attributes["kind"]) == ("m", "j", "k")
    await client.transport.close()
    await worker.end()


async def test_a_message_carries_its_trace(line: Line, project: str, pubsub_host: str) -> None:
    """The trace context that was published beside it arrives with it; one of another form doesn't."""
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    await lines.publish_raw(project, pubsub_host, b"{}", traceparent=trace)
    await lines.publish_raw(project, pubsub_host, b"{}", traceparent="x\n" + trace)
    worker = Worker(project, pubsub_host)
    assert {delivery.trace for delivery in await worker.heard.until(2)} == {trace, ""}
    await worker.end()


async def test_a_message_too_big_to_be_read_is_not_published(line: Line) -> None:
    """The one who made it hears of it, and not everybody who would have to throw it away."""
    with pytest.raises(OutputError) as refused:
        await line.publisher.publish("work", "m", {"kind": "k", "content": "x" * 1_000_000})
    assert refused.value.code == "transport.too_large"


async def test_a_missing_topic_is_said_by_name(project: str, pubsub_host: str) -> None:
    """Whoever sets things up reads what to make."""
    publisher = PubsubPublisher(project, lines.names(read_topology()), pubsub_host)
    with pytest.raises(TransientError, match="dealwright-work") as refused:
        await publisher.publish("work", "m", {})
    assert refused.value.code == "transport.missing"
    await publisher.close()


async def test_a_subscription_that_is_missing_for_a_time_ends_no_worker(project: str, pubsub_host: str) -> None:
    """It says what is wrong, and works once the subscription is there."""
    worker = Worker(project, pubsub_host)
    await lines.eventually(lambda: "dealwright-work-worker" in worker.source.trouble)
    await provisioning.make_queues(read_topology(), project, pubsub_host)
    publisher = PubsubPublisher(project, lines.names(read_topology()), pubsub_host)
    await publisher.publish("work", "m", {})
    await worker.heard.until(1)
    assert worker.source.trouble == ""
    await worker.end()
    await publisher.close()
