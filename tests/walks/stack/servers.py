"""The servers of one walk: PostgreSQL and a Pub/Sub emulator of its own, which may be restarted, and Cloud Storage."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from google.api_core import exceptions

from tests.servers import postgres, process, pubsub
from tests.servers.postgres import ServerError
from tests.walks.driver import FORKS
from tests.walks.stack.labour import MESSAGE_LEASE_S
from worker.adapters.google_clients import open_storage, open_subscriber
from worker.adapters.provisioning import make_buckets, make_queues
from worker.settings import Settings
from worker.topology import Topology, read_topology

#: A fork of a process that has everything loaded stands for a new one, where a new one would cost three seconds.
FORKS.set_forkserver_preload(["tests.walks.warm", "tests.walks.stack.warm"])
RESULTS = "walk-results"
# Processes are killed in walks more often than any file kills its reader.
HURRIED = {"LEASE_S": 4.0, "HEARTBEAT_S": 1.0, "MAX_LOST_LEASES": 13, "STOP_GRACE_S": 20}
"""What is said to workers of walks; without it they have the defaults that they ship with."""


def quick(topology: Topology) -> Topology:
    """The topology, with messages that come again soon after whoever had them is gone."""
    subscriptions = {
        role: each.model_copy(update={"ack_deadline_s": MESSAGE_LEASE_S})
        for role, each in topology.subscriptions.items()
    }
    return topology.model_copy(update={"subscriptions": subscriptions})


def lasting_port() -> int:
    """A free port that stays free while its server is away.

    One of those that connections are given may be taken meanwhile, even by a client that looks for the server on it.
    """
    for port in random.sample(range(15_000, 30_000), 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise ServerError("no port is free")


def apart(act: Callable[..., object], *given: object) -> None:
    """Do something in a process without threads: beside gRPC's a fork may crash, and root starts PostgreSQL by one."""
    process = FORKS.Process(target=act, args=given)
    process.start()
    process.join()
    if process.exitcode:
        raise ServerError(f"{act.__name__} ended with {process.exitcode}")


def make_database(home: Path, port: int) -> None:
    """A new PostgreSQL on that port, noted in its folder."""
    server = postgres.start_server(home)
    server.stop()
    moved = replace(server, port=port)
    (home / "server.json").write_text(json.dumps({"binaries": str(server.binaries), "port": port}))
    moved.start()


@dataclass
class Stack:
    """Servers, and the names that one walk has on them; `home` keeps them, `folder` what the walk writes."""

    home: Path
    folder: Path
    postgres: postgres.Server
    pubsub: process.Server
    storage_url: str
    hurried: bool = True
    project: str = field(default_factory=lambda: f"walk-{uuid.uuid4().hex[:16]}")

    @classmethod
    def start(cls, home: Path, folder: Path, storage_url: str, *, hurried: bool = True) -> Stack:
        """New servers below `home`; raises ServerError where one is missing."""
        name = uuid.uuid4().hex[:12]
        emulator = process.start_server(home / f"pubsub-{name}", pubsub.command(), lasting_port())
        apart(make_database, home / f"postgres-{name}", lasting_port())
        database = postgres.Server.read(home / f"postgres-{name}")
        assert database is not None, "it was noted when it was made"
        return cls(home, folder, database, emulator, storage_url, hurried)

    def stop(self) -> None:
        """End PostgreSQL and the emulator."""
        apart(self.postgres.stop)
        self.pubsub.stop()

    def bucket(self, role: str) -> str:
        """The name of the bucket that has a role."""
        return read_topology().bucket_name(role, self.project)

    @cached_property
    def client(self) -> Any:
        """A Cloud Storage client."""
        return open_storage(self.project, self.storage_url)

    @property
    def environment(self) -> dict[str, str]:
        """What a worker's environment says."""
        places = {role.upper(): f"gs://{self.bucket(role)}" for role in ("inbox", "artifacts", "deliveries")}
        told = {
            "STATE_DIR": self.folder / "state",
            "DATABASE_URL": self.postgres.url("postgres"),
            "TRANSPORT": "pubsub",
            "PROJECT": self.project,
            **(HURRIED if self.hurried else {}),
            **places,
        }
        servers = {"PUBSUB_EMULATOR_HOST": self.pubsub.host, "STORAGE_EMULATOR_HOST": self.storage_url}
        return {f"DEALWRIGHT_{name}": str(value) for name, value in told.items()} | servers

    @property
    def settings(self) -> Settings:
        """The same, for those who decide; the emulators are in their environment too."""
        told = {name.removeprefix("DEALWRIGHT_").lower(): value for name, value in self.environment.items()}
        return Settings(**{name: value for name, value in told.items() if name in Settings.model_fields})

    async def make(self) -> None:
        """Make topics, subscriptions and buckets."""
        await self.make_queues()
        await make_buckets(read_topology(), self.project, self.storage_url)

    async def make_queues(self) -> None:
        """Make topics and subscriptions, and one of our own to hear results."""
        topology = quick(read_topology()) if self.hurried else read_topology()
        await make_queues(topology, self.project, self.pubsub.host)
        subscriber: Any = open_subscriber(self.pubsub.host)
        root = f"projects/{self.project}"
        request = {
            "name": f"{root}/subscriptions/{RESULTS}",
            "topic": f"{root}/topics/{topology.topic_name('results')}",
        }
        try:
            await subscriber.create_subscription(request=request, timeout=10.0)
        except exceptions.AlreadyExists:
            pass
        finally:
            await subscriber.transport.close()

    async def restart_postgres(self, down_s: float = 0) -> None:
        """As a power cut does, and the power is away for a while."""
        await asyncio.to_thread(apart, self.postgres.stop)
        await asyncio.sleep(down_s)
        await asyncio.to_thread(apart, self.postgres.start)

    async def restart_pubsub(self) -> None:
        """All its messages, topics and subscriptions are gone; the latter two are made again."""
        await asyncio.to_thread(self.pubsub.stop)
        port = self.pubsub.port
        self.pubsub = await asyncio.to_thread(process.start_server, self.pubsub.home, pubsub.command(), port)
        await self.make_queues()
