"""SQLite spoken to from the loop: waiting for another process does not hold up this one."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from worker.ledger import sqlite
from worker.ledger.engine import make_engine, singly


@pytest.mark.parametrize("alone", [False, True], ids=["in a transaction", "by itself"])
async def test_a_writer_waits_its_turn_and_the_loop_goes_on(tmp_path: Path, alone: bool) -> None:
    """Another connection holds the write lock; meanwhile others on the loop run, and the write comes through."""
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}", "x")
    async with engine.begin() as connection:
        await connection.execute(text("create table t (n integer)"))
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    other.execute("begin immediate")
    turns = 0

    async def write() -> None:
        async with (singly(engine) if alone else engine).begin() as connection:
            await connection.execute(text("insert into t values (1)"))

    writing = asyncio.create_task(write())
    while turns < 50:
        await asyncio.sleep(0)
        turns += 1
    assert not writing.done()
    other.execute("commit")
    other.close()
    await asyncio.wait_for(writing, timeout=5)
    await engine.dispose()


async def test_a_writer_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is the database's own."""
    monkeypatch.setattr(sqlite, "WAIT_S", 0.01)
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}", "x")
    async with engine.connect():
        pass
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    other.execute("begin immediate")

    async def write() -> None:
        async with engine.begin() as connection:
            await connection.execute(text("create table t (n integer)"))

    with pytest.raises(OperationalError, match="locked"):
        await write()
    other.close()
    await engine.dispose()


async def test_rows_outlive_the_statement_that_found_them(tmp_path: Path) -> None:
    """More rows than SQLAlchemy fetches at a time, read after another statement ran."""
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}", "x")
    async with engine.begin() as connection:
        await connection.execute(text("create table t (n integer)"))
        await connection.execute(text("insert into t values (:n)"), [{"n": n} for n in range(500)])
        found = await connection.execute(text("select n from t order by n"))
        await connection.execute(text("select 1"))
        assert [row.n for row in found] == list(range(500))
    await engine.dispose()
