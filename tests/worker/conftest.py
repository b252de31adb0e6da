"""A real App on a state folder of the test's own, with a job in it that waits for a decision if the test wants one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from tests.walks.workbook import small_workbook
from worker import jobs
from worker.adapters.clock import system_clock
from worker.app import App
from worker.bootstrap import open_app
from worker.settings import Settings


@dataclass
class Ahead:
    """A clock that a test puts forward."""

    lead: timedelta = timedelta()

    def __call__(self) -> datetime:
        """The moment."""
        return system_clock() + self.lead

    def jump(self, seconds: float) -> None:
        """Put it forward."""
        self.lead += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Ahead:
    """The test's clock."""
    return Ahead()


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    """Three deals in a file of the test's own."""
    path = tmp_path / "Harbor deals.xlsx"
    path.write_bytes(small_workbook())
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of the test's own, few attempts and rounds."""
    return Settings(state_dir=tmp_path / "state", max_attempts=2, max_change_rounds=1)


@pytest_asyncio.fixture
async def app(request: pytest.FixtureRequest, settings: Settings, clock: Ahead) -> AsyncGenerator[App]:
    """An App with nothing in it, or with the job that waits if the test asks for that."""
    if "waiting" in request.fixturenames:
        request.getfixturevalue("waiting")
    async with open_app(settings, clock=clock) as opened:
        yield opened


@pytest.fixture(scope="session")
def waiting_state(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A state folder whose one job waits for a decision, made once; and the job's id."""
    folder = tmp_path_factory.mktemp("waiting")
    (folder / "deals.xlsx").write_bytes(small_workbook())

    async def make() -> str:
        async with open_app(Settings(state_dir=folder / "state")) as app:
            job_id = (await jobs.submit_file(app, folder / "deals.xlsx", by="analyst")).job_id
            assert await jobs.run_until_quiet(app, job_id) == "waiting"
            return job_id

    return folder / "state", asyncio.run(make())


@pytest.fixture
def waiting(waiting_state: tuple[Path, str], settings: Settings) -> str:
    """The id of a job that waits for a decision in the test's own state folder."""
    source, job_id = waiting_state
    shutil.copytree(source, settings.state_dir)
    return job_id
