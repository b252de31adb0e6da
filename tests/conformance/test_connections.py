"""Connections to PostgreSQL: used again without a question, and made anew once the server has closed them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.walks.workbook import small_workbook
from worker import jobs
from worker.adapters import adk
from worker.bootstrap import open_app
from worker.ledger import engine as engines
from worker.ledger.engine import make_engine
from worker.settings import Settings


async def test_no_more_connections_are_open_than_the_pool_may_have(postgres_url: str) -> None:
    """Whoever comes beyond that waits for one that is given back; some are kept for the next."""
    engine = make_engine(postgres_url, "public", pool_size=3)
    seen: list[int] = []

    async def use() -> None:
        async with engine.connect() as connection:
            query = "select count(*) from pg_stat_activity where datname = current_database()"
            seen.append((await connection.execute(text(query))).scalar_one())

    await asyncio.gather(*(use() for _ in range(12)))
    await engine.dispose()
    assert max(seen) == 3


async def test_no_work_holds_a_connection_while_it_waits_for_another(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a pool as small as may be lets all get on: a job comes to its approval with one connection to each schema.

    But for the making of ADK's tables, which are there: it is done under a lock that a connection holds.
    """
    settings = Settings(state_dir=tmp_path / "state", database_url=postgres_url)
    (tmp_path / "deals.xlsx").write_bytes(small_workbook())
    async with open_app(settings) as first:
        await first.services()
    monkeypatch.setattr(adk, "_prepare", lambda _, sessions: sessions.prepare_tables())
    async with open_app(settings.model_copy(update={"pool_size": 1})) as app:
        job_id = (await jobs.submit_file(app, tmp_path / "deals.xlsx", by="analyst")).job_id
        assert await jobs.run_until_quiet(app, job_id) == "waiting"
        assert {each.outcome for each in (await jobs.show_job(app, job_id)).attempts} == {"done"}


@pytest_asyncio.fixture
async def engine(postgres_url: str) -> AsyncGenerator[AsyncEngine]:
    """An engine of a worker."""
    made = make_engine(postgres_url, "public")
    yield made
    await made.dispose()


@pytest.fixture
def questions(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The connections that were asked whether they are there."""
    asked, ask = list[object](), engine.dialect.do_ping
    monkeypatch.setattr(engine.dialect, "do_ping", lambda given: (asked.append(given), ask(given))[1])
    return asked


async def backend(engine: AsyncEngine) -> int:
    """The process that serves the connection that the pool gives."""
    async with engine.connect() as connection:
        return (await connection.execute(text("select pg_backend_pid()"))).scalar_one()


async def end(engine: AsyncEngine, process: int) -> None:
    """End a server process, as a restart of the server does, and wait until it is gone."""
    async with engine.connect() as connection:
        await connection.execute(text("select pg_terminate_backend(:process, 10000)"), {"process": process})


async def test_a_connection_used_just_now_is_used_again_without_a_question(
    engine: AsyncEngine, questions: list[object]
) -> None:
    """Nothing goes to the server but what is asked of it."""
    assert await backend(engine) == await backend(engine)
    assert questions == []


async def test_a_connection_that_lay_idle_is_asked_first(
    engine: AsyncEngine, questions: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network between may have dropped it without a word."""
    first = await backend(engine)
    monkeypatch.setattr(engines, "IDLE_S", -1.0)
    assert await backend(engine) == first
    assert len(questions) == 1


@pytest.mark.parametrize("idle_s", [30.0, -1.0], ids=["seen to be closed", "asked in vain"])
async def test_connections_that_the_server_closed_are_made_anew(
    engine: AsyncEngine, postgres_url: str, monkeypatch: pytest.MonkeyPatch, idle_s: float
) -> None:
    """Whoever takes one notices nothing."""
    other = make_engine(postgres_url, "public")
    process = await backend(engine)
    await end(other, process)
    await other.dispose()
    monkeypatch.setattr(engines, "IDLE_S", idle_s)
    if idle_s < 0:
        monkeypatch.setattr("asyncpg.connection.Connection.is_closed", lambda _: False)
    assert await backend(engine) != process
