"""The two ways that messages take, each with the same three handles: publish, run, stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from schemas.event import Delivery, Topic
from schemas.outcome import Verdict
from worker.adapters import provisioning
from worker.adapters.google_clients import open_publisher
from worker.adapters.pubsub import PubsubPublisher, PubsubPull
from worker.adapters.pubsub_leases import Terms
from worker.adapters.transport import InProcessTransport
from worker.ports import Source
from worker.topology import Topology, read_topology

#: Refused messages come again at once, so that nothing is waited for.
QUICK = Terms(first_delay_s=0, last_delay_s=0)
Take = Callable[[Delivery], Awaitable[Verdict]]


class Publisher(Protocol):
    """What messages are given to."""

    async def publish(self, topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
        """Returns once the message is taken over."""
        ...


@dataclass
class Line:
    """A way from publishing to a source, and the source's run."""

    publisher: Publisher
    source: Source
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    running: asyncio.Task[None] | None = None

    def start(self, take: Take) -> None:
        """Have messages handled by `take` from now on."""
        self.running = asyncio.create_task(self.source.run(take, self.stop))

    async def end(self) -> None:
        """Stop it, and wait until it has."""
        self.stop.set()
        if self.running is not None:
            await self.running
        await self.close()

    async def close(self) -> None:
        """Close the publisher's connection, if it has one."""
        if isinstance(self.publisher, PubsubPublisher):
            await self.publisher.close()


def in_process(slots: int) -> Line:
    """The way inside one process."""
    transport = InProcessTransport(slots=slots, first_delay_s=0.001)
    return Line(transport, transport)


async def over_pubsub(project: str, host: str, slots: int, terms: Terms = QUICK) -> Line:
    """The way over the emulator, with the topics and subscriptions of a set-up in a project of its own."""
    topology = impatient(read_topology())
    await provisioning.make_queues(topology, project, host)
    return Line(PubsubPublisher(project, names(topology), host), pull(project, host, slots, terms))


def impatient(topology: Topology) -> Topology:
    """The topology without the server's own delays, on which nothing may depend, and with the shortest leases."""
    short = {"retry": None, "ack_deadline_s": 10}
    hurried = {key: each.model_copy(update=short) for key, each in topology.subscriptions.items()}
    return topology.model_copy(update={"subscriptions": hurried})


def names(topology: Topology) -> dict[Topic, str]:
    """The names of the topics that we publish to."""
    topics: tuple[Topic, ...] = ("work", "renders", "results", "uploads")
    return {topic: topology.topic_name(topic) for topic in topics}


def pull(project: str, host: str, slots: int, terms: Terms = QUICK) -> PubsubPull:
    """A puller of the `work` subscription."""
    return PubsubPull(project, read_topology().subscriptions["work"].name, slots, host, terms=terms)


class Heard:
    """What a handler was given, and waiting for more of it."""

    def __init__(self) -> None:
        self.all: list[Delivery] = []
        self._more = asyncio.Event()

    def add(self, delivery: Delivery) -> None:
        """One more."""
        self.all.append(delivery)
        self._more.set()

    async def until(self, number: int, within_s: float = 20) -> list[Delivery]:
        """All, once there are so many."""
        async with asyncio.timeout(within_s):
            while len(self.all) < number:
                self._more.clear()
                await self._more.wait()
        return self.all


async def publish_raw(project: str, host: str, data: bytes, **attributes: str) -> None:
    """Publish to `work` whatever bytes, as anybody who may publish can."""
    client: Any = open_publisher(host)
    topic = f"projects/{project}/topics/{read_topology().topic_name('work')}"
    await client.publish(topic=topic, messages=[{"data": data, "attributes": attributes}])
    await client.transport.close()


async def eventually(true: Callable[[], bool], within_s: float = 20) -> None:
    """Return once it is true; for what nobody signals."""
    for _ in range(int(within_s / 0.02)):
        if true():
            return
        await asyncio.sleep(0.02)
    raise TimeoutError


class Worker:
    """Pulls and keeps what comes; its handler waits while `free` is not set."""

    def __init__(self, project: str, host: str, slots: int = 1, terms: Any = QUICK) -> None:
        self.heard, self.free, self.stop = Heard(), asyncio.Event(), asyncio.Event()
        self.free.set()
        self.verdict: Verdict = "ack"
        self.source = pull(project, host, slots, terms)
        self.task = asyncio.create_task(self.source.run(self.take, self.stop))

    async def take(self, delivery: Delivery) -> Verdict:
        """The verdict of the moment."""
        self.heard.add(delivery)
        await self.free.wait()
        return self.verdict

    async def end(self) -> None:
        """Stop and wait until it has."""
        self.stop.set()
        self.free.set()
        await asyncio.gather(self.task, return_exceptions=True)
