"""A Pub/Sub that goes away: killed and started again, or silent on a connection that nobody closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

import pytest
import pytest_asyncio

from schemas.errors import TransientError
from tests.conformance import lines
from tests.conformance.lines import QUICK, Line, Worker
from tests.servers import process, pubsub
from worker.adapters import provisioning
from worker.adapters.pubsub import PubsubPublisher
from worker.topology import read_topology

Employ = Callable[[Worker], Worker]


class Wire:
    """A wire to a server that can be frozen: connections stay open and carry nothing; new ones work."""

    def __init__(self, host: str) -> None:
        self.host, self.made, self.frozen = host, 0, 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self) -> None:
        """Wait for connections at its near end."""
        self.server = await asyncio.start_server(self._connect, "127.0.0.1", 0)

    @property
    def near(self) -> str:
        """Host and port of its near end."""
        return f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    def freeze(self) -> None:
        """Carry nothing more on the connections that there are."""
        self.frozen = self.made

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.made += 1
        address, _, port = self.host.partition(":")
        far_reader, far_writer = await asyncio.open_connection(address, int(port))
        self._writers += [writer, far_writer]
        for source, target in ((reader, far_writer), (far_reader, writer)):
            self._tasks.add(asyncio.create_task(self._carry(self.made, source, target)))

    async def _carry(self, number: int, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            if number > self.frozen:
                target.write(data)

    async def close(self) -> None:
        """Cut everything."""
        self.server.close()
        for writer in self._writers:
            writer.transport.abort()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


@pytest_asyncio.fixture
async def wire(pubsub_host: str) -> AsyncGenerator[Wire]:
    """A wire to the run's emulator."""
    made = Wire(pubsub_host)
    await made.open()
    yield made
    await made.close()


@pytest_asyncio.fixture
async def employ() -> AsyncGenerator[Callable[[Worker], Worker]]:
    """Takes a worker that is to be ended with the test, however that ends, before the wire is cut."""
    workers: list[Worker] = []

    def take_on(worker: Worker) -> Worker:
        workers.append(worker)
        return worker

    yield take_on
    for worker in workers:
        await worker.end()


async def test_a_killed_server_that_comes_back_is_pulled_from_and_published_to_again(
    pubsub_emulator: process.Server, project: str
) -> None:
    """Meanwhile publishing says that it may pass, or waits if it has the time; the worker lives on, and says why."""
    host = pubsub_emulator.host
    line = await lines.over_pubsub(project, host, 1)
    worker = Worker(project, host, slots=2, terms=replace(QUICK, settle_s=1, wait_s=3))
    await line.publisher.publish("work", "m1", {"n": 1})
    await worker.heard.until(1)
    pubsub_emulator.stop()
    hasty = PubsubPublisher(project, lines.names(read_topology()), host, give_up_s=0.5)
    with pytest.raises(TransientError) as refused:
        await hasty.publish("work", "m2", {"n": 2})
    assert refused.value.code == "transport.unavailable"
    await lines.eventually(lambda: "can't be reached" in worker.source.trouble)
    waiting = asyncio.create_task(line.publisher.publish("work", "m3", {"n": 3}))
    await asyncio.to_thread(process.start_server, pubsub_emulator.home, pubsub.command(), pubsub_emulator.port)
    await provisioning.make_queues(lines.impatient(read_topology()), project, host)
    # What is published into the gap before the topic is there again is refused by name; the outbox sends it again.
    results = await asyncio.gather(waiting, return_exceptions=True)
    if isinstance(results[0], TransientError):
        assert results[0].code == "transport.missing"
    # In the gap between the topic and its subscription it is taken and reaches nobody: an emulator begins empty.
    await line.publisher.publish("work", "m3", {"n": 3})
    assert (await worker.heard.until(2))[1].body == {"n": 3}
    assert worker.source.trouble == ""
    await worker.end()
    await hasty.close()
    await line.close()


async def test_a_connection_that_went_silent_is_replaced(line: Line, project: str, wire: Wire, employ: Employ) -> None:
    """Calls that nobody answers are the sign; a message that comes afterwards is handled over a new connection."""
    worker = employ(Worker(project, wire.near, terms=replace(QUICK, wait_s=0.3, quiet_calls=2, settle_s=0.3)))
    await line.publisher.publish("work", "m1", {"n": 1})
    await worker.heard.until(1)
    before = wire.made
    wire.freeze()
    await line.publisher.publish("work", "m2", {"n": 2})
    assert (await worker.heard.until(2))[1].body == {"n": 2}
    assert wire.made > before


async def test_leases_and_verdicts_follow_to_the_new_connection(
    line: Line, project: str, pubsub_host: str, wire: Wire, employ: Employ
) -> None:
    """A message that was begun over a connection that died is kept, and acked over the next one."""
    terms = replace(QUICK, wait_s=0.3, quiet_calls=1, lease_s=2, beat_s=0.2, settle_s=5)
    worker = employ(Worker(project, wire.near, slots=2, terms=terms))
    worker.free.clear()
    await line.publisher.publish("work", "m1", {"n": 1})
    await worker.heard.until(1)
    before = wire.made
    wire.freeze()
    await lines.eventually(lambda: wire.made > before)
    await asyncio.sleep(1)
    await worker.end()
    await line.publisher.publish("work", "m2", {"n": 2})
    other = employ(Worker(project, pubsub_host))
    assert [delivery.body for delivery in await other.heard.until(1)] == [{"n": 2}]
    await asyncio.sleep(2.2)
    assert len(other.heard.all) == 1
