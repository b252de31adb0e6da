"""The ledger on both databases, with a clock that stands still until it is told to go on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from schemas.event import UploadReceived
from tests.conformance import lines
from tests.conformance.places import Bucket, Folder, Store
from worker.bootstrap import LEDGER_SCHEMA
from worker.ledger.engine import make_engine
from worker.ledger.jobs import open_job
from worker.ledger.ledger import Ledger
from worker.ledger.migrate import migrate


@dataclass
class StillClock:
    """A clock that a test moves."""

    now: datetime = datetime(2026, 3, 1, 12, 30, 0, 123456, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The moment."""
        return self.now

    def go_on(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> StillClock:
    """The test's clock."""
    return StillClock()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    return request.getfixturevalue("postgres_url")


@pytest_asyncio.fixture
async def ledger(url: str, clock: StillClock) -> AsyncGenerator[Ledger]:
    """An empty ledger."""
    engine = make_engine(url, LEDGER_SCHEMA)
    await migrate(engine, LEDGER_SCHEMA, clock)
    yield Ledger(engine, clock)
    await engine.dispose()


@pytest_asyncio.fixture
async def line(project: str, pubsub_host: str) -> AsyncGenerator[lines.Line]:
    """A publisher over Pub/Sub, and the topics and subscriptions that it publishes to."""
    made = await lines.over_pubsub(project, pubsub_host, 1)
    yield made
    await made.close()


@pytest.fixture
def bucket(gcs_url: str) -> Iterator[Bucket]:
    """An empty bucket."""
    made = Bucket(gcs_url)
    yield made
    made.close()


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """An empty place of either kind."""
    return Folder(str(tmp_path / "box")) if request.param == "folder" else request.getfixturevalue("bucket")


def upload(job_id: str = "j1", name: str = "/deals/comps.xlsx") -> UploadReceived:
    """What opens a job."""
    return UploadReceived(
        job_id=job_id,
        user_id="default",
        source="local",
        name=name,
        filename=name.rpartition("/")[2],
        sha256="a" * 64,
        size_bytes=10,
        artifact="user:uploads/x/comps.xlsx",
        version=0,
        submitted_by="analyst",
    )


@pytest_asyncio.fixture
async def job(ledger: Ledger) -> str:
    """The id of a job that was just opened."""
    await open_job(ledger, upload())
    return "j1"
