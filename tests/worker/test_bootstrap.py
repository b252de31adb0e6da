"""Opening an App: the database it finds, and the one it needs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from schemas.errors import InputError
from worker.bootstrap import LEDGER_SCHEMA, migrate_database, open_app
from worker.ledger.engine import make_engine
from worker.ledger.migrate import read_migrations
from worker.settings import Settings


async def forget_migrations(settings: Settings) -> None:
    """Make the database look like an older version's."""
    engine = make_engine(settings.database_url, LEDGER_SCHEMA)
    async with engine.begin() as connection:
        for table in (
            "webhook_try",
            "webhook",
            "audit",
            "outbox",
            "delivery",
            "delivered",
            "decision",
            "handoff",
            "ticket",
            "attempt",
            "stage",
            "job",
        ):
            await connection.execute(text(f"drop table {table}"))
        await connection.execute(text("delete from migration"))
    await engine.dispose()


async def test_an_empty_database_is_given_its_tables(postgres_url: str, tmp_path: Path) -> None:
    """A first start needs no other command, on PostgreSQL either."""
    async with open_app(Settings(state_dir=tmp_path, database_url=postgres_url)) as app:
        assert await app.ledger.rows(text("select id from job")) == []
    assert await migrate_database(Settings(state_dir=tmp_path, database_url=postgres_url)) == []


async def test_a_shared_database_is_migrated_only_when_somebody_says_so(postgres_url: str, tmp_path: Path) -> None:
    """Old workers may still be at work; the sentence names the command."""
    settings = Settings(state_dir=tmp_path, database_url=postgres_url)
    async with open_app(settings):
        pass
    await forget_migrations(settings)
    with pytest.raises(InputError) as refused:
        async with open_app(settings):
            pass
    assert refused.value.code == "ledger.behind"
    assert "dealwright migrate" in refused.value.message
    assert await migrate_database(settings) == [step.name for step in read_migrations()]


async def test_a_laptops_database_is_brought_up_to_date_on_the_way(tmp_path: Path) -> None:
    """Nobody else can be at work on it."""
    settings = Settings(state_dir=tmp_path)
    async with open_app(settings):
        pass
    await forget_migrations(settings)
    async with open_app(settings):
        pass
    with sqlite3.connect(tmp_path / "dealwright.db") as connection:
        assert connection.execute("select count(*) from job").fetchone() == (0,)
    connection.close()
