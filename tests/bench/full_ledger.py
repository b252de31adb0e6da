"""A PostgreSQL ledger with 200,000 jobs in it, made by the database itself: what a busy month leaves behind."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

JOBS = 200_000
"""How many full_ledger.sql makes."""
FILE = Path(__file__).with_name("full_ledger.sql")


async def fill(engine: AsyncEngine) -> None:
    """Write all rows; the database checks no reference meanwhile, and knows afterwards how much there is of what."""
    statements = FILE.read_text(encoding="utf-8").split(";\n")
    async with engine.begin() as connection:
        await connection.execute(text("set local session_replication_role = replica"))
        for statement in filter(str.strip, statements):
            await connection.exec_driver_sql(statement)
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("vacuum analyze"))


async def job_in(connection: AsyncConnection, state: str) -> str:
    """The id of one job in a state."""
    query = text("select id from job where state = :state order by id limit 1")
    return await connection.scalar(query, {"state": state})
