"""Migrations: numbered SQL files, each applied once, in order, on SQLite and PostgreSQL.

A `pre` migration only adds, so it runs while workers of the version before are still at work; a `post` one takes away,
and runs when they are gone. A file never changes once it was applied somewhere: its hash is kept and compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from sqlalchemy import Column, Integer, MetaData, Table, Text, func, insert, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from schemas import ids
from schemas.errors import InputError
from worker.ledger.tables import Instant

Phase = Literal["pre", "post"]
FOLDER = files("worker.ledger") / "migrations"
_NAME = re.compile(r"(\d{4})_(pre|post)_(\w+)\.sql")
#: Held while migrations run, so that two processes starting together don't both make the tables.
LOCK = 0x6465616C

migration = Table(
    "migration",
    MetaData(),
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("applied_at", Instant, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the ledger's shape."""

    number: int
    phase: Phase
    name: str
    sql: str

    @property
    def statements(self) -> list[str]:
        """The file's statements; a semicolon at a line's end closes each."""
        plain = "\n".join(line for line in self.sql.splitlines() if not line.lstrip().startswith("--"))
        return [part.strip() for part in re.split(r";[ \t]*(?:\n|$)", plain) if part.strip()]


def read_migrations(folder: Traversable = FOLDER) -> list[Migration]:
    """The migrations of `folder`, by number; any other file there is left alone."""
    found: list[Migration] = []
    for file in folder.iterdir():
        match = _NAME.fullmatch(file.name)
        if match:
            phase: Phase = "pre" if match[2] == "pre" else "post"
            found.append(Migration(int(match[1]), phase, file.name, file.read_text(encoding="utf-8")))
    return sorted(found, key=lambda step: step.number)


async def migrate(
    engine: AsyncEngine,
    schema: str,
    clock: Callable[[], datetime],
    *,
    through: Phase = "post",
    folder: Traversable = FOLDER,
) -> list[str]:
    """Apply what is missing, up to the first `post` step if `through` is `pre`; the names applied.

    Raises InputError `ledger.changed` if a step that was applied has another hash now.
    """
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            await connection.execute(text(f"create schema if not exists {schema}"))
        await connection.run_sync(migration.metadata.create_all)
        missing = await _missing(connection, read_migrations(folder))
        if through == "pre":
            missing = missing[: next((at for at, step in enumerate(missing) if step.phase == "post"), len(missing))]
        for step in missing:
            for statement in step.statements:
                await connection.exec_driver_sql(statement)
            row = {"number": step.number, "name": step.name, "sha256": _hash(step), "applied_at": clock()}
            await connection.execute(insert(migration).values(row))
    return [step.name for step in missing]


async def pending(engine: AsyncEngine, folder: Traversable = FOLDER) -> list[Migration] | None:
    """The steps that are not applied yet; None if nothing was ever applied here."""
    async with engine.connect() as connection:
        made = await connection.run_sync(lambda sync: inspect(sync).has_table("migration"))
        return await _missing(connection, read_migrations(folder)) if made else None


async def made_at(engine: AsyncEngine) -> datetime:
    """When the ledger was made: as its first step was applied."""
    async with engine.connect() as connection:
        return (await connection.execute(select(func.min(migration.c.applied_at)))).scalar_one()


async def _missing(connection: AsyncConnection, known: list[Migration]) -> list[Migration]:
    applied = {
        row.number: row.sha256 for row in await connection.execute(select(migration.c.number, migration.c.sha256))
    }
    changed = [step.name for step in known if applied.get(step.number, _hash(step)) != _hash(step)]
    if changed:
        raise InputError(
            "ledger.changed", f"Migration {changed[0]} was changed after it was applied; restore the file."
        )
    return [step for step in known if step.number not in applied]


def _hash(step: Migration) -> str:
    return ids.sha256_hex(step.sql.encode())
