"""Wiring: settings in, an App out. The only module that knows every adapter."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy.ext.asyncio import AsyncEngine

from schemas.agent_answers import Stage
from schemas.errors import InputError
from schemas.event import Topic
from worker.adapters.adk import SESSION_SCHEMA, AdkServices, open_services
from worker.adapters.clock import Clock, fresh_holder, system_clock
from worker.adapters.files import DeliveryFolder, FolderObjects
from worker.adapters.inbox import WatchedFolder
from worker.adapters.transport import InProcessTransport
from worker.adapters.webhook_sender import WebhookSender
from worker.app import App, Publish, no_checkpoint
from worker.ledger.engine import make_engine
from worker.ledger.leases import LeaseTerms
from worker.ledger.ledger import Ledger
from worker.ledger.migrate import migrate, pending
from worker.ports import Deliveries, Objects, Source
from worker.settings import Settings, bucket_of, emulators

if TYPE_CHECKING:
    # Only for annotations: agents are loaded by the first turn.
    from google.adk.apps.app import App as AdkApp

    from agents.model_calls import ModelCalls
    from agents.prompts.load import PromptSet

LEDGER_SCHEMA = "dealwright"
OFFLINE = "offline"
TOPICS: tuple[Topic, ...] = ("uploads", "work", "renders", "results")


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    clock: Clock = system_clock,
    checkpoint: Callable[[str], None] = no_checkpoint,
    pooled: bool = True,
) -> AsyncGenerator[App]:
    """The App over the settings' database and folders, closed at the end.

    An empty database is given its tables. Raises InputError `ledger.behind` for a PostgreSQL ledger that a
    newer version than its own is opening.
    """
    settings.state_dir.mkdir(parents=True, exist_ok=True)
    engine = make_engine(settings.database_url, LEDGER_SCHEMA, pooled=pooled, pool_size=settings.pool_size)
    services = LazyServices(settings, engine, pooled=pooled)
    try:
        await _be_current(settings, engine, clock)
        yield App(
            settings=settings,
            clock=clock,
            ledger=Ledger(engine, clock, checkpoint),
            terms=LeaseTerms(fresh_holder(), settings.lease_s),
            publish=_nowhere,
            objects=open_objects(settings),
            deliveries=open_deliveries(settings),
            services=services.get,
            build_agent=_builder(settings),
            open_prompts=_open_prompts,
            checkpoint=checkpoint,
            webhook=_open_webhook(settings, clock),
        )
    finally:
        await services.close()
        await engine.dispose()


def _open_webhook(settings: Settings, clock: Clock) -> WebhookSender | None:
    url = settings.webhook_url
    return WebhookSender(url, settings.webhook_secret, clock) if url else None


def open_objects(settings: Settings) -> Objects:
    """Where uploads are read from: the inbox bucket, or folders of this machine."""
    if not settings.inbox.startswith("gs://"):
        return FolderObjects()
    from worker.adapters.gcs import GcsObjects
    from worker.adapters.google_clients import open_storage

    return GcsObjects(open_storage(settings.project, emulators()[1]))


def open_deliveries(settings: Settings) -> Deliveries:
    """Where approved documents go: a bucket, or a folder of this machine."""
    if not settings.deliveries.startswith("gs://"):
        return DeliveryFolder(settings.delivery_dir)
    from worker.adapters.gcs import GcsDeliveries
    from worker.adapters.google_clients import link_signer, open_storage

    endpoint = emulators()[1]
    client = open_storage(settings.project, endpoint)
    return GcsDeliveries(client, bucket_of(settings.deliveries), settings.delivery_prefix, link_signer(endpoint))


@asynccontextmanager
async def open_transport(settings: Settings, roles: Collection[Topic]) -> AsyncGenerator[tuple[Publish, list[Source]]]:
    """What publishes, and the sources of a worker that takes from the topics `roles`; closed at the end."""
    if settings.transport == "inprocess":
        transport = InProcessTransport(slots=settings.slots)
        inbox = [WatchedFolder(Path(settings.inbox), settings.inbox_prefix)] if settings.inbox else []
        yield transport.publish_inside, [transport, *inbox]
        return
    from worker.adapters.pubsub import PubsubPublisher, PubsubPull
    from worker.topology import read_topology

    endpoint, topology = emulators()[0], read_topology()
    names: dict[Topic, str] = {topic: topology.topic_name(topic) for topic in TOPICS}
    publisher = PubsubPublisher(settings.project, names, endpoint)
    try:
        pulls = [topology.subscriptions[role].name for role in roles]
        yield publisher.publish, [PubsubPull(settings.project, name, settings.slots, endpoint) for name in pulls]
    finally:
        await publisher.close()


async def migrate_database(settings: Settings) -> list[str]:
    """The names of the migrations that were missing and are now applied."""
    settings.state_dir.mkdir(parents=True, exist_ok=True)
    engine = make_engine(settings.database_url, LEDGER_SCHEMA)
    try:
        return await migrate(engine, LEDGER_SCHEMA, system_clock)
    finally:
        await engine.dispose()


async def _be_current(settings: Settings, engine: AsyncEngine, clock: Clock) -> None:
    """A laptop's ledger is brought up to date on the way; a shared one only when somebody says so."""
    missing = await pending(engine)
    if missing is None or (missing and settings.database == "sqlite"):
        await migrate(engine, LEDGER_SCHEMA, clock)
    elif any(step.phase == "pre" for step in missing):
        raise InputError("ledger.behind", "The database lacks this version's tables; run `dealwright migrate` first.")


async def _nowhere(topic: Topic, message_id: str, body: Mapping[str, Any]) -> None:
    raise RuntimeError(f"no transport runs in this process: {topic} {message_id} {len(body)}")


class LazyServices:
    """ADK's services, opened by whoever first asks for them."""

    def __init__(self, settings: Settings, engine: AsyncEngine, *, pooled: bool) -> None:
        self._settings = settings
        self._engine = engine
        self._pooled = pooled
        self._own_engine: AsyncEngine | None = None
        self._opened: AdkServices | None = None
        self._opening = asyncio.Lock()

    async def get(self) -> AdkServices:
        """The services; SQLite shares the ledger's engine, PostgreSQL has a schema of its own for them."""
        async with self._opening:
            if self._opened is None:
                engine = self._engine
                if self._settings.database == "postgresql":
                    url, most = self._settings.database_url, self._settings.pool_size
                    engine = make_engine(url, SESSION_SCHEMA, pooled=self._pooled, pool_size=most)
                    self._own_engine = engine
                place, project = self._settings.artifacts, self._settings.project
                self._opened = await open_services(engine, place, project=project, storage_endpoint=emulators()[1])
        return self._opened

    async def close(self) -> None:
        """Close the engine that was made for them."""
        if self._own_engine is not None:
            await self._own_engine.dispose()


def check_inbox(settings: Settings) -> None:
    """Make the folder that is to be watched, if any; raises InputError `setting.place` where that can't be done."""
    if not settings.inbox or settings.inbox.startswith("gs://") or settings.transport != "inprocess":
        return
    folder = Path(settings.inbox) / settings.inbox_prefix
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with os.scandir(folder):
            pass
    except OSError as error:
        words = f"The inbox {folder} can't be used ({error.strerror})"
        told = "see that it is a folder of yours, or set DEALWRIGHT_INBOX to another"
        raise InputError("setting.place", f"{words}; {told}.") from error


def check_model(settings: Settings) -> None:
    """Raise InputError `setting.model` for a model that can't be; for whoever is about to take work that asks it."""
    if settings.model == OFFLINE:
        # Known to be, and the agents' libraries are left until there is something to do.
        return
    from agents.model import build_model

    build_model(settings.model)


def _builder(settings: Settings) -> Callable[[Stage, PromptSet, ModelCalls], AdkApp]:
    @cache
    def model() -> Any:
        from agents.model import build_model

        return build_model(settings.model)

    def build(stage: Stage, prompts: PromptSet, run: ModelCalls) -> AdkApp:
        """The ADK App of a stage, for one run."""
        from agents.registry import build_app

        return build_app(stage, model(), prompts, run=run, limits=settings.limits)

    return build


def _open_prompts(versions: Mapping[str, str] | None) -> PromptSet:
    return _read_prompts(tuple(sorted(versions.items())) if versions else None)


@cache
def _read_prompts(versions: tuple[tuple[str, str], ...] | None) -> PromptSet:
    """A released prompt never changes, so each set is read and checked once."""
    from agents.registry import open_prompts

    return open_prompts(dict(versions) if versions else None)
