"""Migrations on both databases."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, inspect, text

from schemas.errors import InputError
from tests.conformance.conftest import StillClock
from worker.bootstrap import LEDGER_SCHEMA
from worker.ledger.engine import make_engine
from worker.ledger.ledger import Ledger
from worker.ledger.migrate import migrate, pending, read_migrations
from worker.ledger.tables import metadata


def write(folder: Path, name: str, sql: str) -> None:
    """A migration file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(sql)


async def test_the_migrations_make_the_tables_that_the_code_knows(ledger: Ledger) -> None:
    """Same tables, columns, keys and nullability as the SQLAlchemy metadata."""

    def shape(connection: Connection) -> dict[str, Any]:
        seen = inspect(connection)
        return {
            name: (
                {column["name"]: column["nullable"] for column in seen.get_columns(name)},
                seen.get_pk_constraint(name)["constrained_columns"],
                sorted((key["constrained_columns"], key["referred_table"]) for key in seen.get_foreign_keys(name)),
            )
            for name in seen.get_table_names()
            if name != "migration"
        }

    async with ledger.engine.connect() as connection:
        made = await connection.run_sync(shape)
    wanted = {
        name: (
            {column.name: bool(column.nullable) for column in table.columns},
            [column.name for column in table.primary_key],
            sorted(([key.parent.name], key.column.table.name) for key in table.foreign_keys),
        )
        for name, table in metadata.tables.items()
    }
    assert made == wanted


async def test_a_second_run_applies_nothing(ledger: Ledger, clock: StillClock) -> None:
    """What is applied stays applied."""
    assert await migrate(ledger.engine, LEDGER_SCHEMA, clock) == []
    assert await pending(ledger.engine) == []


async def test_processes_that_start_together_apply_each_step_once(url: str, clock: StillClock) -> None:
    """Five at the same moment on an empty database: one of them makes the tables."""
    engines = [make_engine(url, LEDGER_SCHEMA) for _ in range(5)]
    applied = await asyncio.gather(*(migrate(engine, LEDGER_SCHEMA, clock) for engine in engines))
    for engine in engines:
        await engine.dispose()
    assert sorted(map(len, applied)) == [0, 0, 0, 0, len(read_migrations())]


async def test_an_empty_database_is_told_from_a_current_one(url: str) -> None:
    """Nothing was ever applied there: None, not an empty list."""
    engine = make_engine(url, LEDGER_SCHEMA)
    assert await pending(engine) is None
    await engine.dispose()


async def test_post_steps_wait_until_the_old_workers_are_gone(
    ledger: Ledger, clock: StillClock, tmp_path: Path
) -> None:
    """`pre` stops at the first `post` step, so that order is kept; all of it follows later."""
    folder = tmp_path / "steps"
    write(folder, "1002_pre_note.sql", "-- adds\nalter table job add column note text;\n")
    write(folder, "1003_post_drop.sql", "alter table job drop column note;")
    write(folder, "1004_pre_more.sql", "alter table job add column more text;\ncreate index by_more on job (more);\n")
    before = await migrate(ledger.engine, LEDGER_SCHEMA, clock, through="pre", folder=folder)
    assert before == ["1002_pre_note.sql"]
    after = await migrate(ledger.engine, LEDGER_SCHEMA, clock, folder=folder)
    assert after == ["1003_post_drop.sql", "1004_pre_more.sql"]


async def test_a_step_that_fails_leaves_nothing_behind(ledger: Ledger, clock: StillClock, tmp_path: Path) -> None:
    """All of a run is one transaction, the list of what was applied included."""
    folder = tmp_path / "steps"
    write(
        folder, "1002_pre_note.sql", "alter table job add column note text;\nalter table nowhere add column x text;\n"
    )
    with pytest.raises(Exception, match="nowhere"):
        await migrate(ledger.engine, LEDGER_SCHEMA, clock, folder=folder)
    async with ledger.engine.connect() as connection:
        with pytest.raises(Exception, match="note"):
            await connection.execute(text("select note from job"))


async def test_a_changed_step_is_refused(ledger: Ledger, clock: StillClock, tmp_path: Path) -> None:
    """A step that was applied somewhere is history: its hash must stay what it was."""
    folder = tmp_path / "steps"
    write(folder, "0001_pre_ledger.sql", "create table other (id text);")
    with pytest.raises(InputError) as refused:
        await migrate(ledger.engine, LEDGER_SCHEMA, clock, folder=folder)
    assert refused.value.code == "ledger.changed"
